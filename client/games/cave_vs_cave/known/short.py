"""What tiles, spaces and rooms do in as few signs as can be, for lists and spaces with little room.

There are no blanks, and what differs in its numbers alone is told once: ``1/3L>1/2G`` is 1 flax for 1 gold or
3 flax for 2 gold, ``3D/2G>6F`` is 3 donkeys or 2 gold for 6 food.

>>> tile("housework", 2), tile("expedition", 2), tile("weekly_market", 4)
('furnish 2F;5F/1G', '5W/5S>4G|[3]', '[1]+1|3D/2G>6F')
>>> room("swordsmith"), room("tunnel"), room("prospecting_site")
('1/4/7O>1/2/3P', '+2F+1S<3S', 'Und.:1F>1G')
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from cave.cave_vs_cave.components import Blue, components
from cave.cave_vs_cave.effects import Effect
from cave.cave_vs_cave.goods import GOODS, Amounts
from client.games.cave_vs_cave.known.terms import LETTERS, room_action, tile_name


def tile(name: str, turns: int) -> str:
    """Return what a tile offers; furnishing comes last, with all its prices."""
    actions = components().tiles[name].actions[turns]
    furnishing = [each for each in actions if all(effect.kind == "furnish" for effect in each)]
    told = [alternatives(each) for each in actions if each not in furnishing]
    prices = ";".join("/".join(_amounts(effect.pay) for effect in each) for each in furnishing)
    return ";".join([*told, *([f"furnish {prices}".rstrip()] if furnishing else [])])


def room(name: str) -> str:
    """Return what a room does."""
    found = components().rooms[name]
    return alternatives(found.effects) if found.blue is None else _blue(found.blue)


def alternatives(effects: Sequence[Effect]) -> str:
    """Return effects of which one is chosen."""
    if not effects:
        return "no action"
    first = effects[0]
    if first.goods is not None:
        return f"3 kinds>{_amounts(first.get)}"
    if len(effects) > 1 and all(each.good for each in effects):
        return _of_goods(effects)
    told = []
    for brings, alike in groupby(_in_numbers(effects), lambda each: each[1]):
        prices = "/".join(price for price, _ in alike if price)
        told.append(f"{prices}>{brings.removeprefix('+')}" if prices else brings)
    return ("n x " if first.repeats else "") + "|".join(told)


def _in_numbers(effects: Sequence[Effect]) -> list[tuple[str, str]]:
    """Return what each effect costs and brings; those that differ in their numbers alone are one."""
    told = [(_amounts(each.pay), _brings(each)) for each in dict.fromkeys(effects)]
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


def _of_goods(effects: Sequence[Effect]) -> str:
    """Return effects that differ in a good: ``+1W/S``, ``3G>4P1D/1W``."""
    first = effects[0]
    letters = "/".join(LETTERS[each.good] for each in effects if each.good)
    if first.fill:
        return f"{letters.replace('/', '')} to {first.fill[0][1]}"
    shared = [amount for amount in first.get if all(amount in each.get for each in effects)]
    own = "/".join(_amounts([one for one in each.get if one not in shared]) for each in effects)
    if not first.pay:
        numbers = {many for each in effects for _, many in each.get}
        return f"+{first.get[0][1]}{letters}" if len(numbers) == 1 else f"+{own}"
    return f"{_amounts(first.pay)}>{_amounts(shared)}{own}"


def _brings(of: Effect) -> str:
    """Return what one effect brings once it is paid."""
    if of.kind in ("build_wall", "raze_wall"):
        return ("wall" if of.kind == "build_wall" else "raze") + _gain(of.get)
    got = _gain(of.get)
    if of.fill:
        got += "all to 1" if len(of.fill) > 1 else f"{LETTERS[GOODS[of.fill[0][0]]]} to {of.fill[0][1]}"
    if of.below:
        got += f"{_gain(of.below[2])}<{of.below[1]}{LETTERS[GOODS[of.below[0]]]}"
    if of.per:
        got += f"{_gain(of.per[2])}/{of.per[1]}{LETTERS[GOODS[of.per[0]]]}"
    if of.dig:
        got += ("dig" if of.dig == 1 else f"dig {of.dig}") + (" thru walls" if of.through_walls else "")
    return got + (room_action(of.rooms) if of.rooms else "")


def _blue(of: Blue) -> str:
    if of.may is not None:
        return f"{tile_name(of.tile)[:3]}.:{_amounts(of.may.pay)}>{_amounts(of.may.get)}"
    if of.more_rooms:
        return "[2],[3]:+1"
    if of.rooms:
        return f"{','.join(map(room_action, sorted(of.rooms, key=len)))}:{_gain(of.get)}"
    return f"{'dig' if of.dig else 'wall' if of.wall else 'flax'}:{_gain(of.get)}"


def _gain(of: Amounts) -> str:
    return f"+{_amounts(of)}" if of else ""


def _amounts(of: Sequence[tuple[int, int]]) -> str:
    return "".join(f"{many}{LETTERS[GOODS[good]]}" for good, many in of)
