"""The poster of a game: the board with the remaining gems, and the tools around it."""

from __future__ import annotations

from msgspec.structs import replace

from client.games.sir_ocelots_cave import picture
from client.games.sir_ocelots_cave.board import BoardPane
from client.games.sir_ocelots_cave.scene import OcelotScene
from client.tui.poster import FAR, Poster


def poster(now: OcelotScene, *, glyphs: str, light: bool) -> Poster:
    board = BoardPane(glyphs=glyphs, light=light)
    shown = picture.board(replace(now, recent=frozenset()), FAR, None, frozenset())
    board.set_reactive(BoardPane.picture, shown)
    return Poster([board], "Points of both players", title="The gems of")
