"""The poster of a game: all hexes of the caves."""

from __future__ import annotations

from collections import Counter

from cave.caves_of_casadh.components import components
from client.games.caves_of_casadh.board import HexMap
from client.games.caves_of_casadh.picture import hex_map_picture
from client.games.caves_of_casadh.scene import CasadhScene
from client.tui.poster import Bar, Poster
from client.wording import begun


def poster(now: CasadhScene, *, glyphs: str, light: bool) -> Poster:
    board = HexMap(glyphs=glyphs, light=light)
    board.set_reactive(HexMap.picture, hex_map_picture(now, None))
    hexes = (components().hexes[laid.hex] for laid in now.cave.map.values())
    dangers = Counter(each.hazard for each in hexes if each.hazard != "none")
    bars = [Bar(begun(hazard), many, ink="c0564a") for hazard, many in dangers.most_common()]
    return Poster([board], "Dangers on hexes", bars, title="The caves of")
