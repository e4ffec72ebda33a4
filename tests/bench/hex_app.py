"""An app with only the map of The Caves of Casadh, like ``bare_app``."""

from __future__ import annotations

from random import Random
from typing import Any

from textual.app import ComposeResult
from textual.driver import Driver

from cave.caves_of_casadh.game import CAVES_OF_CASADH as GAME
from cave.caves_of_casadh.state import State
from client.games.caves_of_casadh.board import HexMap
from client.games.caves_of_casadh.face import FACE
from client.games.caves_of_casadh.picture import Picture
from client.games.caves_of_casadh.scene import CasadhScene
from client.table import Seat, TableState
from tests.bench.bare_app import CountingDriver
from tests.bench.themed_app import Themed

HEXES = 30


def explored() -> CasadhScene:
    """Return a scene with thirty random hexes explored, where the first seat can move."""
    rng, state = Random(3), GAME.new(2, {}, "hexes")
    while state.seat is None or len(state.map) < HEXES or not _may_move(state):
        if state.seat is None:
            state = GAME.new(2, {}, f"hexes {rng.random()}")
        seat = min(GAME.to_act(state))
        found = [each for each in GAME.choices(state, seat) if each.type not in ("leave", "give_up")]
        state = GAME.apply(state, seat, GAME.sample(rng.choice(found), rng)).state
    return FACE.scene(table(state), None)


def _may_move(state: State) -> bool:
    return state.seat == 0 and any(each.type == "move" for each in GAME.choices(state, 0))


def table(state: Any) -> TableState:
    """Return the table of this game, as Ann sees it."""
    return TableState(
        table="BENCH",
        title=GAME.title,
        game=GAME,
        status="playing",
        seats=(Seat("Ann", "person", mine=True), Seat("Bea", "person", mine=False)),
        view=GAME.view(state, None),
        views={0: GAME.view(state, 0)},
        choices={0: GAME.choices(state, 0)},
    )


class Hexed(Themed):
    """Only the map, in our own theme; with ``light`` painted."""

    telling = "base"

    def __init__(self, shown: Picture, driver_class: type[Driver] = CountingDriver, *, light: bool = False) -> None:
        super().__init__(driver_class)
        self.picture = shown
        self.map = HexMap(glyphs="fine" if light else "unicode", light=light)

    def compose(self) -> ComposeResult:
        yield self.map

    def on_mount(self) -> None:
        self.map.picture = self.picture
