"""The caves to draw: plain data for each place of a grid, independent of the painter."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from cave.cave_vs_cave.actions import CAVERN, Space
from cave.cave_vs_cave.components import components
from cave.cave_vs_cave.goods import amounts_by_name
from cave.cave_vs_cave.state import BESIDE, ENTRANCE, MARKED, SIDES, Player, State, accessible_rooms, walls_round
from client.games.cave_vs_cave import terms
from client.games.cave_vs_cave.scene import VersusScene, goods_lines, points_lines
from client.tui.board.geometry import Place

WIDE = 15  # columns of a space, with its western border
HIGHEST, LOWEST = 8, 3  # rows of a space
ROWS = 5
SLOT: Place = (2, 3)  # the place of the Additional Cavern
FREE: Mapping[int, tuple[Place, ...]] = {
    1: ((2, 0), (2, 1), (2, 2), SLOT),
    2: ((-3, 0), (-2, 0), (-3, 2), (-3, 3), (-3, 4), (-2, 4), (-1, 4)),
}
"""The places of each board without a space: goods and points go there."""

Kind = Literal["dark", "hidden", "dig", "empty", "fits", "room"]
Border = Literal["", "hidden", "open", "rock", "built"]
STRENGTH: tuple[Border, ...] = ("", "hidden", "open", "rock", "built")


class Look(Struct, frozen=True):
    """A place with its northern and western border and the corner between them.

    ``bonus`` is the bonus for digging or the name of an empty space, ``walls`` a sum of ``SIDES``; ``signs``
    are letters on the space, its northern and its western border; ``w`` and ``n`` mark the entrance, to the
    east and the north. ``theirs``: in the opponent's cave, where you do not dig.
    """

    kind: Kind = "dark"
    room: str = ""
    bonus: str = ""
    walls: int = 0
    north: Border = ""
    west: Border = ""
    corner: Border = ""
    signs: tuple[str, str, str] = ("", "", "")
    theirs: bool = False


DARK = Look()


class Picture(Struct, frozen=True):
    """A cave. ``goods`` and ``points`` are lines of text, ``owned`` the goods; ``steps`` counts events."""

    seat: int = 0
    places: Mapping[Place, Look] = {}
    eras: tuple[int, ...] = (1,)
    goods: tuple[str, ...] = ()
    points: tuple[str, ...] = ()
    owned: tuple[int, ...] = ()
    steps: int = 0


def place_of_space(at: Space) -> Place:
    return SLOT if isinstance(at, str) else (at[1], at[0])


def space_at_place(at: Place) -> Space | None:
    """Return the space at a place, or None."""
    if at == SLOT:
        return CAVERN
    return (at[1], at[0]) if (at[1], at[0]) in components().spaces else None


def cave_size(era: int, high: int) -> tuple[int, int]:
    """Return the columns and rows of a cave: of both boards in Era II."""
    return 3 * era * WIDE + 1, ROWS * high + 1


def rows_each(height: int) -> int:
    """Return the rows of each space in a pane of this height."""
    return max(LOWEST, min(HIGHEST, (height - 1) // ROWS))


def cave_picture(
    scene: VersusScene, seat: int, *, marks: Mapping[Any, str], fitting: Collection[Space], figures: bool
) -> Picture:
    cave = scene.cave
    player = cave.players[seat]
    goods = goods_lines(scene) if figures and not cave.drafting and scene.mode != "cover" else []
    return Picture(
        seat=seat,
        places=lit_cave_places(cave, player, marks=marks, fitting=fitting, theirs=seat != scene.seat),
        eras=(1, 2)[: cave.era],
        goods=tuple(goods),
        points=tuple(points_lines(scene)) if figures else (),
        owned=tuple(player.goods),
        steps=len(scene.state.log),
    )


def lit_cave_places(
    cave: State, player: Player, *, marks: Mapping[Any, str], fitting: Collection[Space], theirs: bool = False
) -> Mapping[Place, Look]:
    """Return the places to draw, with those beside the cave."""
    box, reach = components(), accessible_rooms(player, cave.era)
    spaces: list[Space] = [at for at, each in box.spaces.items() if each.era <= cave.era]
    spaces += [CAVERN] if player.cavern else []
    inside = {place_of_space(at): _look_of_space(cave, player, at, reach, fitting) for at in spaces}
    sides = {place_of_space(at): _borders_of_space(cave, player, at, cave.era) for at in spaces}
    signs = {place_of_space(at): mark for at, mark in marks.items() if at in spaces}
    letters = {edge: mark for edge, mark in marks.items() if isinstance(edge[0], tuple)}
    across = {place_of_space(edge[1]): mark for edge, mark in letters.items() if edge[0][0] != edge[1][0]}
    along = {place_of_space(edge[1]): mark for edge, mark in letters.items() if edge[0][0] == edge[1][0]}
    if cave.era == 1:
        along[place_of_space(ENTRANCE)] = "w"
    else:
        across[place_of_space(MARKED)[0], place_of_space(MARKED)[1] + 1] = "n"

    def border(at: Place, letter: str) -> Border:
        """Return the northern or western border of a place."""
        x, y = at
        beyond, other = ((x, y - 1), "S") if letter == "N" else ((x - 1, y), "E")
        found = (sides.get(at, {}).get(letter, ""), sides.get(beyond, {}).get(other, ""))
        strongest = max(found, key=STRENGTH.index)
        dug = [kind for each in (at, beyond) if (kind := inside[each].kind if each in inside else "")]
        if strongest == "open" and any(kind in ("hidden", "dig") for kind in dug):
            return "hidden"
        return strongest

    around = {(x + dx, y + dy) for x, y in inside for dx in (0, 1) for dy in (0, 1)}
    borders = {(at, letter): border(at, letter) for at in _places_beside(around) for letter in "NW"}
    found = {}
    for at in around:
        x, y = at
        meeting = borders[at, "N"], borders[at, "W"], borders[(x - 1, y), "N"], borders[(x, y - 1), "W"]
        found[at] = replace(
            inside.get(at, DARK),
            north=borders[at, "N"],
            west=borders[at, "W"],
            corner=max(meeting, key=STRENGTH.index),
            signs=(signs.get(at, ""), across.get(at, ""), along.get(at, "")),
            theirs=theirs,
        )
    return found


def _places_beside(found: Collection[Place]) -> Iterator[Place]:
    for x, y in found:
        yield from ((x, y), (x - 1, y), (x, y - 1))


def _look_of_space(
    cave: State, player: Player, at: Space, reach: Collection[Space], fitting: Collection[Space]
) -> Look:
    room = "cave_entrance" if at == ENTRANCE else player.rooms.get(at, "")
    if room:
        return Look("room", room)
    if not isinstance(at, str) and at in player.covered:
        bonus = components().spaces[at].bonus
        return Look(
            "dig" if at in reach else "hidden", bonus=f"+{terms.goods_words(amounts_by_name(bonus))}" if bonus else ""
        )
    walls = walls_round(at, player.walls, cave.settings.cavern, player.cavern)
    return Look("fits" if at in fitting else "empty", bonus="cavern" * isinstance(at, str), walls=walls)


def _borders_of_space(cave: State, player: Player, at: Space, era: int) -> dict[str, Border]:
    """Return the border on each side of a space."""
    there = walls_round(at, player.walls, cave.settings.cavern, player.cavern)
    beside = {} if isinstance(at, str) else {bit: edge for bit, _, edge in BESIDE[era][at]}
    return {
        letter: ("built" if beside.get(bit) in player.walls else "rock") if there & bit else "open"
        for letter, bit in SIDES.items()
    }
