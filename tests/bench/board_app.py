"""An app with only the board of Sir Ocelot's Cave, like ``bare_app``."""

from __future__ import annotations

from random import Random
from typing import Any

from textual.app import ComposeResult
from textual.driver import Driver

from cave.codec import Place
from cave.sir_ocelots_cave.game import SIR_OCELOTS_CAVE as GAME
from client.games.sir_ocelots_cave import picture
from client.games.sir_ocelots_cave.board import BoardPane
from client.games.sir_ocelots_cave.face import FACE
from client.games.sir_ocelots_cave.previews import HandPreview
from client.games.sir_ocelots_cave.scene import OcelotScene
from client.table import Seat, TableState
from tests.bench.bare_app import CountingDriver
from tests.bench.themed_app import Themed

HAND = HandPreview("lamp", "A")


def in_the_middle() -> OcelotScene:
    """Return a scene after a third of a random game, on the first seat's turn."""
    rng, state = Random(3), GAME.new(2, {"first": "seat_0"}, "board")
    while state.seat != 0 or len(state.tools) < 12 or state.phase != "advancing":
        seat = min(GAME.to_act(state))
        state = GAME.apply(state, seat, GAME.sample(rng.choice(GAME.choices(state, seat)), rng)).state
    return FACE.scene(table(state), None)


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


class Boarded(Themed):
    """Only the board, in our own theme; with ``light`` painted."""

    telling = "LEVEL 3"

    def __init__(self, shown: OcelotScene, driver_class: type[Driver] = CountingDriver, *, light: bool = False) -> None:
        super().__init__(driver_class)
        self.scene = shown
        self.board = BoardPane(glyphs="fine" if light else "unicode", light=light)
        self.board.styles.height = "1fr"

    def compose(self) -> ComposeResult:
        yield self.board

    def on_mount(self) -> None:
        self.point_at((9, 4))

    def point_at(self, at: Place) -> None:
        """Move the cursor there, like the game's screen."""
        self.board.picture = picture.board(self.scene, at, HAND, frozenset())
