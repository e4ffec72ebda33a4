"""An app with only the cave map, like ``bare_app``."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.driver import Driver

from client.games.the_cave.cave_map import CaveMap
from client.games.the_cave.picture import MapPicture
from tests.bench.bare_app import CountingDriver
from tests.bench.themed_app import Themed


class Mapped(Themed):
    """Only the map, in our own theme."""

    telling = "⌂"

    def __init__(
        self, picture: MapPicture, driver_class: type[Driver] = CountingDriver, *, light: bool = False
    ) -> None:
        super().__init__(driver_class)
        self.map = CaveMap(picture, light=light, fine=light)

    def compose(self) -> ComposeResult:
        yield self.map
