"""Tables of Cave vs Cave to look at and to play on, from games that an eager player plays with itself.

No bot plays them, so that the pictures of screens stay the same when bots get better.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

from cave import record
from cave.cave_vs_cave.components import components
from cave.games import get_game
from client.games.cave_vs_cave.face import FACE
from client.games.cave_vs_cave.screen import VersusScreen
from client.replay import ReplaySession
from client.settings.schema import Preferences, Settings
from tests.client.fake_session import FakeSession
from tests.game_kit import chosen_game

GAME = get_game("cave-vs-cave")
VersusReplay = FACE.replay_screen()
NAMES = ("Ann", "Bea")
BOTH: dict[str, str] = {"edition": "era-1-2"}
WANTED = ("furnish", "draft", "excavate", "use_room", "additional", "prospect", "collect", "exchange")
"""The eager player's actions, most wanted first."""

Moment = Callable[[Any], bool]


def chosen(state: Any, seat: int) -> Any:
    """Return the eager player's action: furnish the best room, dig, use rooms, sometimes build."""
    choices = GAME.choices(state, seat)
    player = state.players[seat]
    rng = Random(f"{seat} {state.era} {state.round} {state.taken} {state.done} {player.goods} {player.rooms}")
    found: dict[str, list[Any]] = {}
    for choice in choices:
        found.setdefault(choice.action.type, []).append(choice.action)
    if "build_wall" in found and rng.random() < 0.5:
        return rng.choice(found["build_wall"])
    for kind in WANTED:
        some = found.get(kind)
        if some and kind in ("furnish", "draft"):
            rooms = components().rooms
            return max(some, key=lambda action: (rooms[action.room].vp, -len(getattr(action, "walls", ()))))
        if some:
            return rng.choice(some)
    return found["end_turn"][0] if "end_turn" in found else rng.choice(choices).action


def of_ann(phase: str, era: int, round_: int) -> Moment:
    """The moment at which Ann is in this phase, from this round of an era on."""

    @cache
    def moment(key: tuple[Any, ...]) -> bool:
        return key == (0, phase, True)

    return lambda state: moment((state.seat, state.phase, (state.era, state.round) >= (era, round_)))


taking = of_ann("take", 1, 6)
covering = of_ann("cover", 1, 0)
second_era = of_ann("take", 2, 3)


def middle(state: Any) -> bool:
    """Ann has a tile in hand with which she can furnish and do something else."""
    if state.seat != 0 or state.phase != "actions" or state.round < 5 or state.done:
        return False
    kinds = {choice.action.type for choice in GAME.choices(state, 0)}
    return "furnish" in kinds and "excavate" in kinds


def drafting(state: Any) -> bool:
    """Ann places a room, beside some that she has placed."""
    return bool(state.seat == 0 and state.phase == "draft" and len(state.players[0].rooms) >= 3)


def many(state: Any) -> bool:
    """There is a long list of choices."""
    return state.seat is not None and len(GAME.choices(state, state.seat)) > 60


def over(state: Any) -> bool:
    return bool(state.phase == "over")


@cache
def _played(moment: Moment, seed: str, edition: str, seats: int) -> FakeSession:
    session = FakeSession(NAMES[:seats], seed=seed, game=GAME.name, settings={"edition": edition})
    while not moment(session.full):
        assert session.full.seat is not None, "the moment never came"
        session.play(session.full.seat, chosen(session.full, session.full.seat))
    return session


def played(moment: Moment, *mine: int, seed: str = "tables-3", edition: str = "era-1", seats: int = 2) -> FakeSession:
    """Return the table at a moment, for these seats, or for Ann by default."""
    return _played(moment, seed, edition, seats).again(mine or (0,))


def begun(*mine: int, seats: int = 2, edition: str = "era-1") -> FakeSession:
    """The table before the first turn."""
    return FakeSession(NAMES[:seats], mine=mine or (0,), seed="begun", game=GAME.name, settings={"edition": edition})


@cache
def whole_game(seats: int = 2, edition: str = "era-1") -> record.Replay:
    return chosen_game(GAME, NAMES[:seats], chosen, {"edition": edition})


def replayed(seats: int = 2, edition: str = "era-1") -> ReplaySession:
    return ReplaySession(whole_game(seats, edition), FACE)


def table(session: FakeSession, *, guide: bool = False, **options: Any) -> VersusScreen:
    options.setdefault("preferences", Preferences(Settings(guide=guide)))
    return VersusScreen(FACE, session, **options)
