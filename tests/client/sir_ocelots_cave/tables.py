"""Tables of Sir Ocelot's Cave to look at and to play on, from a game that two bots play."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from cave import record
from cave.games import get_game
from cave.sir_ocelots_cave.components import RIM
from client.games.sir_ocelots_cave.face import FACE
from client.games.sir_ocelots_cave.screen import OcelotScreen
from client.games.sir_ocelots_cave.terms import SIDES_OF
from client.replay import ReplaySession
from client.settings.schema import Preferences, Settings
from tests.bench.frozen import FROZEN
from tests.client.fake_session import FakeSession
from tests.game_kit import bot_game, in_lines

OcelotReplay = FACE.replay_screen()
GAME = get_game("sir-ocelots-cave")
FIRST = {"first": "seat_0"}
NAMES = ("Ann", "Bea")

Moment = Callable[[Any], bool]


def chosen(state: Any, seat: int) -> Any:
    """Return the frozen rookie's action."""
    view = GAME.view_json(GAME.view(state, seat))
    choices = [GAME.choice_json(choice) for choice in GAME.choices(state, seat)]
    return GAME.decode(state, seat, FROZEN[GAME.name]["frozen-rookie"](view, choices, "tables"))


def middle(state: Any) -> bool:
    """Ann is to place a piece, after a third of the game."""
    return bool(state.seat == 0 and state.phase == "advancing" and len(state.tools) >= 12)


def collecting(state: Any) -> bool:
    """Ann can collect two gems or more."""
    return bool(state.seat == 0 and state.phase == "collecting" and len(GAME.choices(state, 0)[0].gems) > 1)


def over(state: Any) -> bool:
    return bool(state.phase == "over")


def without_tools() -> Any:
    """A state in which both have laid all their tools, and their companions are still unplaced."""
    start = GAME.position(GAME.new(2, FIRST, "without tools"))
    sides = [(kind, side) for kind, pair in SIDES_OF.items() for side in pair] * 5
    laid = zip(RIM, sorted(sides), strict=False)
    start["tools"] = [{"at": [*at], "kind": kind, "side": side} for at, (kind, side) in laid]
    for each in start["players"]:
        each["tools"] = dict.fromkeys("ABC", 0)
    return GAME.from_position(start)


@cache
def _played(moment: Moment) -> FakeSession:
    session = FakeSession(seed="tables", settings=FIRST, game=GAME.name)
    while not moment(session.full):
        seat = session.full.seat
        session.play(seat, chosen(session.full, seat))
    return session


def played(moment: Moment, *mine: int) -> FakeSession:
    """Return the table at a moment, for these seats, or for Ann by default."""
    return _played(moment).again(mine or (0,))


def begun(*mine: int) -> FakeSession:
    """The table before the first turn, Ann's."""
    return FakeSession(mine=mine or (0,), seed="begun", settings=FIRST, game=GAME.name)


@cache
def whole_game() -> record.Replay:
    """Return a whole game of two bots."""
    return record.replay(in_lines(bot_game(GAME, 2, "whole")[1]))


def replayed() -> ReplaySession:
    return ReplaySession(whole_game(), FACE)


def table(session: FakeSession, *, guide: bool = False, **options: Any) -> OcelotScreen:
    options.setdefault("preferences", Preferences(Settings(guide=guide)))
    return OcelotScreen(FACE, session, **options)
