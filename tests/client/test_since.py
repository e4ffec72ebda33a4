"""Events since the player's last turn: the log's divider, ``since`` in line mode, highlights."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from cave.game import Json
from client import games
from client.games.sir_ocelots_cave.face import FACE
from client.games.sir_ocelots_cave.lines import OcelotLines
from client.present.scene import BY_HOST, BY_RULES, index_since_last_turn, skipped_turn_words
from client.table import LogLine
from tests.client.fake_session import FakeSession
from tests.client.plain_talk import Script
from tests.client.screens import show, text
from tests.client.sir_ocelots_cave.tables import table

HOME = ("leave", "give_up")
"""Actions that end a seat's game."""


class InTurns:
    """A turn begins with an event, and may end with one."""

    def turn(self, event: Json) -> int | None:
        return event["seat"] if event["type"] == "began" else None

    def ends_turn(self, event: Json) -> bool:
        return event["type"] == "ended"


def told(*events: tuple[str, int]) -> tuple[LogLine, ...]:
    return tuple(LogLine(seq, {"type": kind, "seat": seat}) for seq, (kind, seat) in enumerate(events, 1))


FIRST = (("began", 0), ("moved", 0), ("began", 1), ("hurt", 0))


@pytest.mark.parametrize(
    ("events", "index"),
    [
        pytest.param((), 0, id="before the first turn"),
        pytest.param(FIRST[:2], 0, id="in the first turn"),
        pytest.param(FIRST, 2, id="something happens to the seat in another's turn"),
        pytest.param((*FIRST, ("began", 0)), 2, id="its turn has begun"),
        pytest.param((*FIRST, ("began", 0), ("moved", 0)), 2, id="it has done something in its turn"),
        pytest.param((*FIRST, ("began", 0), ("moved", 0), ("began", 1)), 6, id="another's turn has begun"),
        pytest.param(
            (*FIRST, ("began", 0), ("moved", 0), ("ended", 0)), 7, id="its turn has ended, another's not begun"
        ),
        pytest.param((*FIRST, ("began", 0), ("began", 0)), 5, id="two turns in a row"),
        pytest.param((("found", -1), ("began", 1)), 0, id="it has had no turn"),
        pytest.param((("began", 0), ("ended", 0), ("found", -1), ("began", 1)), 2, id="another's turn follows its own"),
        pytest.param((("chose", 0), ("chose", 1), ("found", -1)), 1, id="a game without turns"),
        pytest.param((("chose", 0), ("chose", 1)), 1, id="another was last in a game without turns"),
    ],
)
def test_the_news_begin_after_the_players_last_whole_turn(events: tuple[tuple[str, int], ...], index: int) -> None:
    assert index_since_last_turn(told(*events), 0, InTurns()) == index


@pytest.mark.parametrize(
    ("events", "index"),
    [
        pytest.param(
            (*FIRST, ("began", 0), ("-moved", 0), ("-began", 1), ("moved", 1), ("began", 0)),
            2,
            id="a bot played its turn",
        ),
        pytest.param(
            (*FIRST, ("began", 0), ("-began", 1), ("-began", 0), ("moved", 0), ("began", 1)),
            8,
            id="a bot passed both turns before its own",
        ),
        pytest.param((("chose", 0), ("chose", 1), ("-chose", 0)), 1, id="a game without turns"),
    ],
)
def test_a_turn_played_by_a_bot_is_not_the_players_own(events: tuple[tuple[str, int], ...], index: int) -> None:
    log = tuple(
        LogLine(seq, {"type": kind.removeprefix("-"), "seat": seat}, kind[0] == "-")
        for seq, (kind, seat) in enumerate(events, 1)
    )
    assert index_since_last_turn(log, 0, InTurns()) == index


def second_turn(name: str) -> FakeSession:
    """A random game in the first seat's second turn, after a turn of the second seat."""
    session, face, rng = FakeSession(mine=(0,), seed="since", game=name), games.get_face(name), Random(name)
    game, began = session.game, [0, 0]
    while not (began[0] and began[1] and game.to_act(session.full) == {0}):
        seat = min(game.to_act(session.full))
        kept = [each for each in game.choices(session.full, seat) if getattr(each, "type", "") not in HOME]
        before = len(session.state.log)
        session.play(seat, game.sample(rng.choice(kept), rng))
        for line in session.state.log[before:]:
            turn: Any = face.turn(line.event)
            if turn is not None and (turn == 0 or began[0]):
                began[turn] += 1
    return session


@pytest.mark.parametrize("name", ["sir-ocelots-cave", "caves-of-casadh", "cave-vs-cave"])
def test_in_a_second_turn_the_others_actions_are_news(name: str) -> None:
    state = second_turn(name).state
    happened = state.log[games.get_face(name).scene(state, None).since :]
    assert any(line.event.get("seat") == 1 for line in happened)
    assert len(happened) < len(state.log), "but not what was before"


PASSED = ("5 began 0", "5 began 1")
SKIPPED = ("5 began 0", "0 stand_in_skip 0", "6 -ended 0", "6 -began 1")


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (("5 began 0", "6 moved 0", "7 began 1"), ""),
        (PASSED, BY_RULES),
        ((*PASSED, "6 moved 1", "6 began 0"), BY_RULES),
        ((*PASSED, "6 moved 1", "6 began 0", "7 moved 0"), ""),
        ((*SKIPPED, "7 moved 1"), BY_HOST),
        (("5 began 0", "6 -moved 0", "6 -began 1"), ""),
    ],
)
def test_a_skipped_turn_is_told_until_its_player_acts_again(lines: tuple[str, ...], told: str) -> None:
    words = (line.split() for line in lines)
    log = tuple(
        LogLine(int(seq), {"type": kind.strip("-"), "seat": int(seat)}, "-" in kind) for seq, kind, seat in words
    )
    state = FakeSession(mine=(0,)).state
    assert skipped_turn_words(replace(state, log=log), 0, InTurns()) == told


async def test_screen_and_line_mode_say_that_a_turn_passed_by_itself() -> None:
    session, script = second_turn(FACE.name), Script("turn")
    session.evolve(log=tuple(replace(line, seq=5) for line in session.state.log))
    async with show(screen := table(session)):
        assert BY_RULES in text(screen)
    await OcelotLines(FACE, session, script).run()
    assert BY_RULES in " ".join(script.said)
