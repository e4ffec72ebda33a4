"""Names of things: goods, rooms, tiles, spaces; and effects, in two styles.

In ``SIGNS``, for lists and spaces with little room, there are no blanks, and effects that differ in their
numbers alone are one: ``1/3L>1/2G`` is 1 flax for 1 gold or 3 flax for 2 gold.

>>> goods({"wood": 2, "gold": 1}), space((3, -1)), brief({"wood": 2, "gold": 1})
('2 wood and 1 gold', '3,-1', '2W 1G')
>>> tile_text("expedition", 2), tile_text("expedition", 2, SIGNS), tile_text("housework", 2, SIGNS)
('5W > 4G or 5S > 4G or [3]', '5W/5S>4G|[3]', 'furnish 2F;5F/1G')
>>> room_effect("tunnel"), room_effect("tunnel", SIGNS), room_effect("swordsmith", SIGNS)
('+2F +1S if under 3S', '+2F+1S<3S', '1/4/7O>1/2/3P')
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from cave.cave_vs_cave.actions import Edge, Space
from cave.cave_vs_cave.components import Blue, Effect, Room, Size, components
from cave.cave_vs_cave.goods import GOODS, Amounts, Good, named
from client.wording import count, joined

LETTERS: Mapping[Good, str] = dict(zip(GOODS, "WSELFGDOIP", strict=True))  # where there is little room
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
    return brief(named(given)) or "free"


def signed(changes: Mapping[Good, int]) -> str:
    return " ".join(f"{many:+d}{LETTERS[good]}" for good, many in changes.items() if many)


def space(at: Space) -> str:
    return "cavern" if isinstance(at, str) else f"{at[0]},{at[1]}"


def edge(of: Edge) -> str:
    return f"{space(of[0])} and {space(of[1])}"


def room(name: str) -> Room:
    return components().rooms[name]


def room_name(name: str) -> str:
    return components().rooms[name].name


def tile_name(name: str) -> str:
    return components().tiles[name].name


def walls(of: Room) -> str:
    return WALL_CLASSES.get(of.walls, "")


class Style(NamedTuple):
    blank: str
    pays: str
    under: str
    each: str
    either: str
    through: str


WORDS = Style(" ", " > ", " if under ", " per ", " or ", "dig through walls")
SIGNS = Style("", ">", "<", "/", "|", "dig thru walls")


def room_effect(name: str, style: Style = WORDS) -> str:
    """Return a room's effect: ``2L > 2F 2G``."""
    found = components().rooms[name]
    if found.blue is not None:
        return _blue(found.blue, style)
    return alternatives(found.effects, style).replace(" or ", " | ")


def tile_text(name: str, turns: int, style: Style = WORDS) -> str:
    """Return a tile's actions; in signs furnishing comes last, with all its prices."""
    if style is WORDS:
        return "; ".join(tile_parts(name, turns))
    actions = components().tiles[name].actions[turns]
    furnishing = [each for each in actions if each[0].kind == "furnish"]
    told = [alternatives(each, style) for each in actions if each not in furnishing]
    prices = ";".join(_prices(each, style) for each in furnishing)
    return ";".join([*told, *([f"furnish {prices}".rstrip()] if furnishing else [])])


def tile_parts(name: str, turns: int) -> tuple[str, ...]:
    return tuple(
        f"{_prices(each, WORDS)} furnish".lstrip() if each[0].kind == "furnish" else alternatives(each)
        for each in components().tiles[name].actions[turns]
    )


def alternatives(effects: Sequence[Effect], style: Style = WORDS) -> str:
    if not effects:
        return "no action"
    first = effects[0]
    if first.goods is not None:
        return f"3 {'kinds' if style is SIGNS else 'different'}{style.pays}{_amounts(first.get, style)}"
    if len(effects) > 1 and all(each.good for each in effects) and (style is SIGNS or not first.pay):
        return _of_goods(effects, style)
    if style is not SIGNS:
        return style.either.join(dict.fromkeys(effect(each, style) for each in effects))
    told = []
    for brings, alike in groupby(_in_numbers(effects), lambda each: each[1]):
        prices = "/".join(price for price, _ in alike if price)
        told.append(f"{prices}>{brings.removeprefix('+')}" if prices else brings)
    return ("n x " if first.repeats else "") + "|".join(told)


def effect(of: Effect, style: Style = WORDS) -> str:
    brings = _brings(of, style)
    words = f"{_amounts(of.pay, style)}{style.pays}{brings.removeprefix('+')}" if of.pay else brings
    return f"{words}, any number of times" if of.repeats else words


def _in_numbers(effects: Sequence[Effect]) -> list[tuple[str, str]]:
    """Return what each effect costs and brings; those that differ in their numbers alone are one."""
    told = [(_amounts(each.pay, SIGNS), _brings(each, SIGNS)) for each in dict.fromkeys(effects)]
    paid = [each for each in effects if each.pay]
    kinds = {tuple(good for good, _ in (*each.pay, *each.get)) for each in paid}
    if len(paid) < 2 or len(kinds) > 1 or not paid[0].get:
        return told
    price, gain = _series([each.pay for each in paid]), _series([each.get for each in paid])
    return [each for each in told if not each[0]] + [(price, gain)]


def _series(of: Sequence[Amounts]) -> str:
    """Return amounts of the same goods: ``1/3L``, ``4F1/2G``."""
    told = ""
    for column in zip(*of, strict=True):
        numbers = dict.fromkeys(str(many) for _, many in column)
        told += "/".join(numbers) + LETTERS[GOODS[column[0][0]]]
    return told


def _of_goods(effects: Sequence[Effect], style: Style) -> str:
    """Return effects that differ in a good: ``+1W/S``, ``3G>4P1D/1W``."""
    first = effects[0]
    letters = "/".join(LETTERS[each.good] for each in effects if each.good)
    if first.fill:
        return f"{letters if style.blank else letters.replace('/', '')} to {first.fill[0][1]}"
    shared = [amount for amount in first.get if all(amount in each.get for each in effects)]
    own = "/".join(_amounts([one for one in each.get if one not in shared], style) for each in effects)
    if first.pay:
        return f"{_amounts(first.pay, style)}{style.pays}{_amounts(shared, style)}{own}"
    numbers = {many for each in effects for _, many in each.get}
    return f"+{first.get[0][1]}{style.blank}{letters}" if len(numbers) == 1 else f"+{own}"


def _brings(of: Effect, style: Style) -> str:
    parts = [{"build_wall": "wall", "raze_wall": "raze"}.get(of.kind, ""), _gain(of.get, style)]
    if of.fill:
        parts.append(
            "all to 1" if len(of.fill) > 1 else f"{LETTERS[GOODS[of.fill[0][0]]]} to {of.fill[0][1]}"
        )
    for limit, word in ((of.below, style.under), (of.per, style.each)):
        if limit:
            parts.append(f"{_gain(limit[2], style)}{word}{limit[1]}{LETTERS[GOODS[limit[0]]]}")
    if of.dig:
        parts.append(style.through if of.through_walls else "dig" if of.dig == 1 else f"dig {of.dig}")
    return style.blank.join([part for part in (*parts, room_action(of.rooms) if of.rooms else "") if part])


def _blue(of: Blue, style: Style) -> str:
    after = f":{style.blank}"
    if of.may is not None:
        name = tile_name(of.tile)
        return f"{name if style is WORDS else f'{name[:3]}.'}{after}{effect(of.may, style)}"
    if of.more_rooms:
        return "[2] [3]: 1 more room" if style is WORDS else "[2],[3]:+1"
    sizes = (style.blank or ",").join(map(room_action, sorted(of.rooms, key=len)))
    moment = sizes or ("dig" if of.dig else "wall" if of.wall else "flax")
    return f"{moment}{after}{_gain(of.get, style)}"


def room_action(of: Size) -> str:
    return "[1]+1" if of == "1+1" else f"[{of}]"


def _prices(furnishing: Sequence[Effect], style: Style) -> str:
    return "/".join(_amounts(each.pay, style) for each in furnishing)


def _gain(of: Amounts, style: Style) -> str:
    return f"+{_amounts(of, style)}" if of else ""


def _amounts(of: Iterable[tuple[int, int]], style: Style) -> str:
    return style.blank.join(f"{many}{LETTERS[GOODS[good]]}" for good, many in of)
