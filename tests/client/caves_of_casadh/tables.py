"""Tables of The Caves of Casadh to look at and to play on, from games that bots play."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from cave import record
from cave.games import get
from client.games.caves_of_casadh.face import FACE
from client.games.caves_of_casadh.screen.game import CasadhScreen
from client.replay.session import ReplaySession
from client.settings.schema import Preferences, Settings
from tests.client.fake_session import FakeSession
from tests.game_kit import bot_game, in_lines

GAME = get("caves-of-casadh")
NAMES = ("Ann", "Bea", "Cyd")

Moment = Callable[[Any], bool]


def chosen(state: Any, seat: int) -> Any:
    """What the strongest bot does."""
    view = GAME.view_json(GAME.view(state, seat))
    choices = [GAME.choice_json(choice) for choice in GAME.choices(state, seat)]
    return GAME.decode(state, seat, [*GAME.bots.values()][-1](view, choices, "tables"))


def of_ann(phase: str, hexes: int) -> Moment:
    """A moment at which Ann acts in this phase, with so many hexes on the map."""

    @cache
    def moment(key: tuple[Any, ...]) -> bool:
        return key == (0, phase, True)

    return lambda state: moment((state.seat, state.phase, len(state.map) >= hexes))


middle = of_ann("actions", 14)
placing = of_ann("placing", 10)
keeping = of_ann("keeping", 4)


def over(state: Any) -> bool:
    """The end."""
    return bool(state.phase == "over")


def haunting(state: Any) -> bool:
    """Somebody who is out or dead can move a grue."""
    return bool(state.phase == "haunting")


@cache
def _played(moment: Moment, seed: str) -> FakeSession:
    session = FakeSession(NAMES, seed=seed, game=GAME.name)
    while not moment(session.full):
        assert session.full.seat is not None, "the moment never came"
        session.play(session.full.seat, chosen(session.full, session.full.seat))
    return session


def played(moment: Moment, *mine: int, seed: str = "tables") -> FakeSession:
    """The table at a moment, held by those with these seats, by Ann if none is named."""
    return _played(moment, seed).again(mine or (0,))


def begun(*mine: int, seats: int = 2) -> FakeSession:
    """The table before the first turn."""
    names = ("Ann", "Bea", "Cyd", "Dan", "Eve", "Fay")[:seats]
    return FakeSession(names, mine=mine or (0,), seed="begun", game=GAME.name)


@cache
def whole_game(seats: int = 3) -> record.Replay:
    """A game of bots, played through."""
    return record.replay(in_lines(bot_game(GAME, seats, "whole")[1]))


def replayed(seats: int = 3) -> ReplaySession:
    """The same, to look back on."""
    return ReplaySession(whole_game(seats), FACE)


def table(session: FakeSession, *, guide: bool = False, **options: Any) -> CasadhScreen:
    """The screen of a table."""
    options.setdefault("preferences", Preferences(Settings(guide=guide)))
    return CasadhScreen(FACE, session, **options)
