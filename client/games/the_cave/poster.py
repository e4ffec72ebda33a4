"""The poster of a game: the whole cave, lit, its depths, and the photographed wonders."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from msgspec.structs import replace

from client.games.the_cave import terms
from client.games.the_cave.cave_map import CaveMap
from client.games.the_cave.map_pane import MapPane
from client.games.the_cave.picture import map_picture
from client.games.the_cave.scene import CaveScene
from client.tui.poster import Bar, Poster

INKS = ("8a5a2e", "4a5090", "4a38a0", "7a4a90")  # by depth


def poster(now: CaveScene, *, glyphs: str, light: bool) -> Poster:
    cave, view = now.cave, replace(now.view, cave=replace(now.cave, seat=None))
    board = CaveMap(
        replace(map_picture(view), lit=True),
        glyph_set="ascii" if glyphs == "ascii" else "unicode",
        light=light,
        fine=glyphs == "fine",
        id="map",
    )
    depths = Counter(tile.depth for tile in cave.board.values())
    there: dict[int, list[int]] = {depth: [] for depth in depths}
    for seat, team in enumerate(cave.teams):
        there[cave.board[team.at].depth].append(seat)
    bars = [
        Bar(terms.depth_words(depth), tiles, there[depth], INKS[min(at, len(INKS) - 1)])
        for at, (depth, tiles) in enumerate(sorted(depths.items()))
    ]
    photos = [
        line.event["seat"]
        for line in now.state.log
        if line.event["type"] == "took" and line.event["brings"].get("photo")
    ]
    drawn = Path(__file__).with_name("wonders.txt").read_text("utf-8").split("\n\n")
    sprites = []
    for seat, text in zip(photos, drawn, strict=False):
        word, _, pixels = text.strip().partition("\n")
        sprites.append((pixels, word, seat))
    return Poster([MapPane(board)], "Depth in tiles", bars, sprites, "Wonders photographed", title="The cave of")
