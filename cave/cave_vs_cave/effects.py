"""Effects of tiles, spaces and rooms: one small value each, which ``RULES.md`` 1.4 to 1.6 have as tables.

An action that lets one choose is several effects; the words that choose are ``option``, ``good``, ``goods``,
``ore`` and ``pay``, which are fields of the action.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from cave.cave_vs_cave import goods as g
from cave.cave_vs_cave.goods import GOODS, NUMBER, Amounts, Good, Goods, amounts
from cave.data import Json

Size = Literal["1", "2", "3", "1+1"]
"""A room action: with this many rooms (rule 5.1)."""
SIZES: Mapping[Size, int] = {"1": 1, "2": 2, "3": 3, "1+1": 2}
Kind = Literal[
    "collect",
    "exchange",
    "furnish",
    "excavate",
    "build_wall",
    "raze_wall",
    "use_room",
    "additional",
    "prospect",
]
"""The type of the action that does it."""


class Effect(Struct, frozen=True):
    """One thing that a tile, a space or a room does: goods that are paid, then goods that come."""

    kind: Kind
    pay: Amounts = ()
    get: Amounts = ()
    fill: Amounts = ()
    """Goods that are raised to a number if they are below (rule 5.3)."""
    below: tuple[int, int, Amounts] | None = None
    """A good and a number: with fewer of it, looked at first, these come as well."""
    per: tuple[int, int, Amounts] | None = None
    """A good and a number: for each that many of it, these come."""
    dig: int = 0
    """Rooms to excavate (rule 4.1)."""
    through_walls: bool = False
    rooms: Size | None = None
    repeats: bool = False
    """Whether it can be done as often as it is paid, in one action."""
    option: int | None = None
    good: Good | None = None
    goods: tuple[Good, ...] | None = None
    ore: int | None = None


def gained(effect: Effect, goods: Goods, limits: Goods, kinds: int) -> Goods:
    """Return the goods after an effect that is paid for: its price goes, then its gains come.

    ``kinds`` is how many goods the era has.
    """
    after = g.without(goods, effect.pay)
    if effect.get:
        after = g.with_more(after, effect.get, limits)
    if effect.fill:
        # In Era I there are no goods of Era II to raise.
        lacking = tuple(
            (good, to - after[good]) for good, to in effect.fill if after[good] < to and good < kinds
        )
        after = g.with_more(after, lacking, limits)
    if effect.below is not None:
        good, number, more = effect.below
        if goods[good] < number:
            after = g.with_more(after, more, limits)
    if effect.per is not None:
        good, each, more = effect.per
        after = g.with_more(after, g.times(more, goods[good] // each), limits)
    return after


def of_tile(action: Json, turns: int) -> tuple[Effect, ...]:
    """Return the effects of a tile's action, in a round of this many turns."""
    found: list[Effect] = []
    for each in action.get("options", [action]):
        for price in each.get("furnish", ()):
            pay = {good: turns if many == "d" else many for good, many in price.items()}
            found.append(Effect("furnish", pay=amounts(pay)))
        if "furnish" not in each:
            found += _plain(each, _kind(each))
    return _told_apart(found)


def of_space(action: Json) -> tuple[Effect, ...]:
    """Return the effects of an Additional Action."""
    return _told_apart([e for each in action.get("options", [action]) for e in _plain(each, "additional")])


def of_room(action: Json) -> tuple[Effect, ...]:
    """Return the effects of a room."""
    if "options" not in action:
        return tuple(_plain(action, "use_room"))
    return tuple(
        replace(effect, option=number)
        for number, each in enumerate(action["options"])
        for effect in _plain(each, "use_room")
    )


def _kind(action: Json) -> Kind:
    if "dig" in action:
        return "excavate"
    if "rooms" in action:
        return "use_room"
    if "raze_wall" in action:
        return "raze_wall"
    if "build_wall" in action:
        return "build_wall"
    return "exchange" if "pay" in action else "collect"


def _plain(action: Json, kind: Kind) -> Iterator[Effect]:
    """Yield the effects of an action without options: one for each good, or set of goods, to choose."""
    base = Effect(
        kind=kind,
        pay=amounts(action.get("pay", {})),
        get=amounts(action.get("get", {})),
        fill=amounts(
            dict.fromkeys(GOODS, action["fill_all"]) if "fill_all" in action else action.get("fill", {})
        ),
        below=_threshold(action.get("get_below"), "below"),
        per=_threshold(action.get("get_per"), "each"),
        dig=action.get("dig", 0),
        through_walls=action.get("through_walls", False),
        rooms=action.get("rooms"),
        repeats="times" in action,
    )
    if one := action.get("get_one"):
        yield from (replace(base, good=good, get=amounts({good: one["n"]})) for good in one["of"])
    elif one := action.get("fill_one"):
        yield from (replace(base, good=good, fill=amounts({good: one["to"]})) for good in one["of"])
    elif "pay_different" in action:
        for chosen in combinations(GOODS, action["pay_different"]):
            yield replace(base, goods=chosen, pay=amounts(dict.fromkeys(chosen, 1)))
    else:
        yield base


def _threshold(data: Json, limit: str) -> tuple[int, int, Amounts] | None:
    return data and (NUMBER[data["good"]], data[limit], amounts(data["get"]))


def _told_apart(found: Sequence[Effect]) -> tuple[Effect, ...]:
    """Return the effects with the words that choose one of several: the one good that not all of them have,
    or else how much of the same good is paid.
    """
    alike = [effect for effect in found if effect.kind in ("exchange", "collect", "additional")]
    if len(alike) < 2:
        return tuple(found)
    kinds = [{good for good, _ in (*effect.pay, *effect.get)} for effect in alike]
    common = set.intersection(*kinds)
    told = iter(
        replace(effect, good=GOODS[min(own - common)])
        if own - common
        else replace(effect, **{GOODS[effect.pay[0][0]]: effect.pay[0][1]})
        for effect, own in zip(alike, kinds, strict=True)
    )
    return tuple(effect if effect.good or effect not in alike else next(told) for effect in found)
