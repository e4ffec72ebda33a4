"""Tables of The Caves of Casadh to look at and to play on, from games that a bold player plays with itself.

No bot plays them, so that the pictures of screens stay the same when bots get better.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

from cave import record
from cave.caves_of_casadh.actions import Move, Priced
from cave.caves_of_casadh.scoring import way_home
from cave.games import get_game
from client.games.caves_of_casadh.face import FACE
from client.games.caves_of_casadh.screen import CasadhScreen
from client.replay import ReplaySession
from client.settings.schema import Preferences, Settings
from tests.client.fake_session import FakeSession
from tests.game_kit import chosen_game

GAME = get_game("caves-of-casadh")
CasadhReplay = FACE.replay_screen()
SIX = ("Ann", "Bea", "Cyd", "Dan", "Eve", "Fay")
NAMES = SIX[:3]

Moment = Callable[[Any], bool]


def chosen(state: Any, seat: int) -> Any:
    """Return a bold player's action: explore until it has some treasure or is hurt, then leave."""
    choices = GAME.choices(state, seat)
    rng = Random(f"{state.round} {seat} {len(state.map)} {state.mp} {state.players[seat].at}")
    if state.phase != "actions":
        last = choices[-1] if state.phase == "keeping" else choices[0]
        return GAME.sample(rng.choice(choices) if state.phase == "placing" else last, rng)
    by_kind = {choice.type: choice for choice in reversed(choices)}
    player, home = state.players[seat], way_home(state, seat)
    done = len(player.treasures) >= 4 or player.hp <= 2
    if done and home is not None:
        step = next((each for each in choices if home.hexes and each == Priced(Move(home.hexes[0]), 1)), None)
        slide = by_kind.get("slide") if home.hexes else None
        wanted = by_kind.get("leave") or step or slide
    else:
        explore = [each for each in choices if each.type == "explore"]
        wanted = by_kind.get("collect_treasure") if len(player.treasures) < 3 else None
        wanted = wanted or (rng.choice(explore) if explore else None)
        moves = [each for each in choices if each.type in ("move", "slide")]
        wanted = wanted or (rng.choice(moves) if moves else None)
    if wanted is None:
        wanted = by_kind["give_up"] if state.round > 30 else by_kind["end_turn"]
    return GAME.sample(wanted, rng)


def of_ann(phase: str, hexes: int) -> Moment:
    """The moment at which Ann acts in this phase and the map has this many hexes or more."""

    @cache
    def moment(key: tuple[Any, ...]) -> bool:
        return key == (0, phase, True)

    return lambda state: moment((state.seat, state.phase, len(state.map) >= hexes))


middle = of_ann("actions", 14)
keeping = of_ann("keeping", 4)


def placing(state: Any) -> bool:
    """Ann has a hex in hand that can be laid in some ways."""
    return state.seat == 0 and state.phase == "placing" and len(GAME.choices(state, 0)) > 2


def over(state: Any) -> bool:
    return bool(state.phase == "over")


def haunting(state: Any) -> bool:
    return bool(state.phase == "haunting")


@cache
def _played(moment: Moment, seed: str) -> FakeSession:
    session = FakeSession(NAMES, seed=seed, game=GAME.name)
    while not moment(session.full):
        assert session.full.seat is not None, "the moment never came"
        session.play(session.full.seat, chosen(session.full, session.full.seat))
    return session


def played(moment: Moment, *mine: int, seed: str = "tables-1") -> FakeSession:
    """Return the table at a moment, for these seats, or for Ann by default."""
    return _played(moment, seed).again(mine or (0,))


def begun(*mine: int, seats: int = 2) -> FakeSession:
    """The table before the first turn."""
    return FakeSession(SIX[:seats], mine=mine or (0,), seed="begun", game=GAME.name)


def placed(start: Any, *mine: int) -> FakeSession:
    """Return a table at a given position, for these seats, or for Ann by default."""
    names = SIX[: len(start.players)]
    return FakeSession(names, mine=mine or (0,), game=GAME.name, start=start)


@cache
def whole_game(seats: int = 3) -> record.Replay:
    return chosen_game(GAME, SIX[:seats], chosen)


def replayed(seats: int = 3) -> ReplaySession:
    return ReplaySession(whole_game(seats), FACE)


def table(session: FakeSession, *, guide: bool = False, **options: Any) -> CasadhScreen:
    options.setdefault("preferences", Preferences(Settings(guide=guide)))
    return CasadhScreen(FACE, session, **options)
