"""How to win and lose is shown early: at the first packing, in the help, in line mode."""

from __future__ import annotations

import pytest
from textual.color import Color

from cave import games
from cave.the_cave.state import EDITIONS
from cave.the_cave.state import Settings as Rules
from client import games as faces
from client.app.line_mode import LineModeFlow
from client.games.the_cave.packing_screens import PackingScreen
from client.games.the_cave.texts import HOME_OR_NOTHING, SCORED_ANYWHERE, WINS, goal
from client.launch.opening import Menu
from client.present import help_pages
from client.settings.schema import Preferences, Settings
from tests.client.fake_session import FakeSession
from tests.client.game_app import TableApp
from tests.client.pilot import press, run
from tests.client.plain_talk import Script, talk
from tests.client.screens import text
from tests.client.test_preferences import NoGames

NAMES = games.game_names()


@pytest.mark.parametrize(
    ("rules", "loses"),
    [
        (EDITIONS["english"], HOME_OR_NOTHING),
        (EDITIONS["french"], SCORED_ANYWHERE),
        (Rules(stranded_score_nothing=False), SCORED_ANYWHERE),
        (Rules("french", stranded_score_nothing=True), HOME_OR_NOTHING),
    ],
)
def test_the_goal_is_that_of_the_house_rules(rules: Rules, loses: str) -> None:
    """Rules 7.3, 7.6 and 8."""
    assert goal(rules) == (WINS, loses)


async def test_the_first_packing_explains_winning_and_losing() -> None:
    app = TableApp(FakeSession(), preferences=Preferences(Settings(guide=True)))
    async with run(app, size=(80, 20)) as pilot:
        assert isinstance(app.screen, PackingScreen)
        assert WINS in text(app.screen)
        assert HOME_OR_NOTHING in text(app.screen)
        # Advice is not an error.
        tips = app.screen.query_one("#tips").styles.color
        assert tips == Color.parse(app.theme_variables["tip"])
        assert tips != app.screen.query_one("#message").styles.color
        await press(pilot, "k")
        assert WINS not in text(app.screen)


async def test_line_mode_shows_the_goal_once_and_on_request() -> None:
    said = await talk(FakeSession(), "pack 4 consumables", "y", "goal", settings=Settings())
    assert said[1:3] == [WINS, HOME_OR_NOTHING]
    assert said.count(WINS) == 2
    assert said[said.index("goal") + 1 :] == [WINS, HOME_OR_NOTHING]
    assert WINS not in await talk(FakeSession(), "pack 4 consumables", "y")


async def test_line_mode_explains_a_game_and_asks_for_another() -> None:
    script = Script("5", "1", "q")
    course = LineModeFlow(script, NoGames(), Preferences())  # type: ignore[arg-type]
    await course.run(Menu())
    for words in ("How to play", "What wins", "What loses", "How it ends"):
        assert words in script.said
    assert sum(line.startswith("4 Cave vs Cave") for line in script.said) == 2
    assert "Keys to begin with" not in script.said


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
