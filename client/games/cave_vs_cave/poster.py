"""The poster of a game: the caves of both players, or of a solo player."""

from __future__ import annotations

from collections import Counter

from client.games.cave_vs_cave import terms
from client.games.cave_vs_cave.board import CavePane
from client.games.cave_vs_cave.picture import cave_picture
from client.games.cave_vs_cave.scene import VersusScene
from client.tui.poster import Bar, Poster
from client.wording import begun

INKS = {"orange": "b5602a", "blue": "3f78b8"}


def poster(now: VersusScene, *, glyphs: str, light: bool) -> Poster:
    caves = []
    for seat in range(len(now.cave.players)):
        caves.append(CavePane(glyphs=glyphs, light=light))
        seen = cave_picture(now, seat, marks={}, fitting=(), figures=False)
        caves[-1].set_reactive(CavePane.picture, seen)
    rooms: Counter[str] = Counter(
        terms.room_of_name(room).colour for player in now.cave.players for room in player.rooms.values()
    )
    bars = [Bar(begun(colour), rooms[colour], ink=ink) for colour, ink in INKS.items()]
    return Poster(caves, "Rooms", bars, title="The caves of")
