"""The goal is on the board of every game in one line, until the user has won it, and in the help."""

from __future__ import annotations

import pytest

from cave import games
from client import games as faces
from client.present import help_pages
from client.settings.schema import Preferences, Settings
from tests.client.fake_session import FakeSession
from tests.client.pilot import settle
from tests.client.plain_talk import Script
from tests.client.screens import cut_off, show, text

NAMES = games.game_names()


def goal_of(name: str) -> str:
    return faces.get_face(name).goal_line(FakeSession(game=name).state.view)


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (140, 45)])
@pytest.mark.parametrize("name", NAMES)
async def test_a_newcomer_reads_the_goal_below_the_header(name: str, size: tuple[int, int]) -> None:
    face, session = faces.get_face(name), FakeSession(game=name)
    while games.get_game(name).to_act(session.full) != {0}:
        for seat in sorted(games.get_game(name).to_act(session.full)):
            session.play(seat, games.get_game(name).idle(session.full, seat))
    screen = face.screen()(face, session, preferences=Preferences(Settings(guide=True)))
    async with show(screen, size):
        assert f" Goal: {goal_of(name)}" in text(screen).splitlines()[1]
        assert cut_off(screen) == []


@pytest.mark.parametrize("name", NAMES)
async def test_after_a_first_win_the_goal_is_hidden(name: str) -> None:
    face, session = faces.get_face(name), FakeSession(game=name)
    screen = face.screen()(face, session, preferences=Preferences(Settings(won=(name,))))
    async with show(screen) as (_, pilot):
        await settle(pilot)
        assert "Goal:" not in text(screen)


@pytest.mark.parametrize("name", NAMES)
def test_help_and_how_to_play_begin_with_the_goal_and_the_turn(name: str) -> None:
    face = faces.get_face(name)
    goal = face.goal(FakeSession(game=name).state.view)
    for about in ((), ("1.1",)):
        first = help_pages.list_pages("game", face, goal=goal, about=about)[0].text
        assert first.startswith("The goal\n")
        assert goal[0] in " ".join(first.split())
    how = help_pages.list_pages("how to play", face)[0].text
    assert how.startswith("How to play\n  ")
    assert "to win" in how[:120] or "Win with the most" in how[:40]
    assert how.index("\nA turn\n") < 400


@pytest.mark.parametrize("name", NAMES)
def test_line_mode_has_the_same_words_in_every_game(name: str) -> None:
    lines = faces.get_face(name).lines()(faces.get_face(name), FakeSession(game=name), Script())
    for word in ("here", "players", "goal"):
        assert lines.vocabulary.find(word) is not None, word
    told = lines.vocabulary.find("players")
    assert told.name != "who", "what they have, not only who sits there"
