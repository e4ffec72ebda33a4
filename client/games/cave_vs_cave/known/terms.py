"""Names of things: goods, rooms, tiles, spaces, effects.

>>> goods({"wood": 2, "gold": 1}), space((3, -1)), brief({"wood": 2, "gold": 1})
('2 wood and 1 gold', '3,-1', '2W 1G')
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from cave.cave_vs_cave.actions import Edge, Space
from cave.cave_vs_cave.components import Room, components
from cave.cave_vs_cave.effects import Effect, Size
from cave.cave_vs_cave.goods import GOODS, Amounts, Good, named
from client.present.wording import count, joined

LETTERS: Mapping[Good, str] = {
    "wood": "W",
    "stone": "S",
    "emmer": "E",
    "flax": "L",
    "food": "F",
    "gold": "G",
    "donkey": "D",
    "ore": "O",
    "iron": "I",
    "weapon": "P",
}
"""A letter for each good, where there is little room."""
WALL_CLASSES: Mapping[str, str] = {
    "D---": "1",
    "D--D": "2A",
    "-D-D": "2O",
    "DD-D": "3",
    "DDDD": "4",
    "D--o": "1-2",
    "Do-o": "1-3",
    "Do-D": "2-3",
    "DDoD": "3-4",
    "o---": "0-1",
    "oo-o": "0-3",
}
"""The walls that a pattern needs, in short: A adjacent, O opposite (rule 4.5)."""


def goods(given: Mapping[Good, int]) -> str:
    """Return goods in words: ``2 wood and 1 gold``; only donkeys and weapons are counted one by one."""
    return joined(
        [
            count(many, good) if good in ("donkey", "weapon") else f"{many} {good}"
            for good, many in given.items()
            if many
        ]
    )


def brief(given: Mapping[Good, int]) -> str:
    """Return goods in letters: ``2W 1G``."""
    return " ".join(f"{many}{LETTERS[good]}" for good, many in given.items() if many)


def amounts(given: Amounts) -> str:
    """Return amounts in letters; ``free`` for none."""
    return brief(named(given)) or "free"


def signed(changes: Mapping[Good, int]) -> str:
    """Return changes of goods: ``+2W -1G``."""
    return " ".join(f"{many:+d}{LETTERS[good]}" for good, many in changes.items() if many)


def space(at: Space) -> str:
    """Return a space as it is typed."""
    return "cavern" if isinstance(at, str) else f"{at[0]},{at[1]}"


def edge(of: Edge) -> str:
    """Return where a wall is: ``0,0 and 0,1``."""
    return f"{space(of[0])} and {space(of[1])}"


def room(name: str) -> Room:
    """Return a room by its id."""
    return components().rooms[name]


def room_name(name: str) -> str:
    """Return the name of a room."""
    return components().rooms[name].name


def tile_name(name: str) -> str:
    """Return the name of a tile."""
    return components().tiles[name].name


def walls(of: Room) -> str:
    """Return the walls that a room needs, in short."""
    return WALL_CLASSES.get(of.walls, "")


def room_effect(name: str) -> str:
    """Return what a room does, in letters: ``2L > 2F 2G``."""
    found = components().rooms[name]
    if found.blue is not None:
        blue = found.blue
        get = brief(named(blue.get))
        if blue.may is not None:
            return f"{tile_name(blue.tile)}: {effect(blue.may)}"
        if blue.more_rooms:
            return "[2] [3]: 1 more room"
        if blue.rooms:
            return f"{' '.join(map(room_action, sorted(blue.rooms, key=len)))}: +{get}"
        return f"{'dig' if blue.dig else 'wall' if blue.wall else 'flax'}: +{get}"
    return " | ".join(dict.fromkeys(_grouped(found.effects))) or "no action"


def _grouped(effects: Sequence[Effect]) -> Iterator[str]:
    """Yield effects as one reads them: those that differ in a good are one line."""
    goods_of = [each.good for each in effects if each.good]
    first = effects[0] if effects else None
    if first is not None and goods_of and len(goods_of) == len(effects) and not first.pay:
        letters = "/".join(LETTERS[each] for each in goods_of if each)
        if first.fill:
            yield f"to {first.fill[0][1]}: {letters}"
        else:
            yield f"+{first.get[0][1]} {letters}"
        return
    if effects and effects[0].goods is not None:
        yield f"3 different > {brief(named(effects[0].get))}"
        return
    for each in effects:
        yield effect(each)


def effect(of: Effect) -> str:
    """Return one effect in letters."""
    got = [f"+{brief(named(of.get))}"] if of.get else []
    got += (
        [f"to {many}: {LETTERS[GOODS[good]]}" for good, many in of.fill] if len(of.fill) < 4 else ["all to 1"]
    )
    if of.below:
        got.append(f"+{brief(named(of.below[2]))} if under {of.below[1]}{LETTERS[GOODS[of.below[0]]]}")
    if of.per:
        got.append(f"+{brief(named(of.per[2]))} per {of.per[1]}{LETTERS[GOODS[of.per[0]]]}")
    if of.dig:
        got.append(
            f"dig{'' if of.dig == 1 else f' {of.dig}'}" + (" through walls" if of.through_walls else "")
        )
    if of.rooms:
        got.append(room_action(of.rooms))
    if of.kind == "furnish":
        got.append("furnish")
    if of.kind == "build_wall":
        got.append("wall")
    if of.kind == "raze_wall":
        got.insert(0, "raze")
    words = " ".join(got)
    if of.pay:
        words = f"{brief(named(of.pay))} > {words.removeprefix('+')}"
    return f"{words}, any number of times" if of.repeats else words


def room_action(of: Size) -> str:
    """Return a room action: ``[2]``, ``[1]+1`` (rule 5.1)."""
    return "[1]+1" if of == "1+1" else f"[{of}]"


def tile_words(name: str, turns: int) -> tuple[str, ...]:
    """Return what a tile offers, an action each."""
    return tuple(_action(each) for each in components().tiles[name].actions[turns])


def _action(effects: Sequence[Effect]) -> str:
    if all(each.kind == "furnish" for each in effects):
        prices = [brief(named(each.pay)) for each in effects]
        return f"{'/'.join(prices)} furnish" if any(prices) else "furnish"
    return " or ".join(dict.fromkeys(_grouped(effects)))


def used_rooms(rooms: Iterable[str]) -> str:
    """Return names of rooms in words."""
    return joined([room_name(each) for each in rooms])
