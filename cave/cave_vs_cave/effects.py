"""Effects of tiles, spaces and rooms: one small value each, which ``RULES.md`` 1.4 to 1.6 have as tables.

An action that lets one choose is several effects; the words that choose are ``option``, ``good``, ``goods``,
``ore`` and ``pay``, which are fields of the action.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from cave.cave_vs_cave import goods as g
from cave.cave_vs_cave.goods import GOODS, NUMBER, Amounts, Good, Goods, amounts
from cave.codec import Count, JsonForm

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
Named = dict[Good, Count]


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


class _OneOf(JsonForm, frozen=True):
    of: tuple[Good, ...]
    n: Count


class _FillOne(JsonForm, frozen=True):
    of: tuple[Good, ...]
    to: Count


class _Below(JsonForm, frozen=True):
    good: Good
    below: Count
    get: Named


class _Per(JsonForm, frozen=True):
    good: Good
    each: Count
    get: Named


class EffectForm(JsonForm, frozen=True):
    """An action as the data file describes it."""

    options: tuple[EffectForm, ...] = ()
    pay: Named = field(default_factory=dict)
    get: Named = field(default_factory=dict)
    get_one: _OneOf | None = None
    fill: Named = field(default_factory=dict)
    fill_one: _FillOne | None = None
    fill_all: Count = 0
    get_below: _Below | None = None
    get_per: _Per | None = None
    pay_different: Count = 0
    dig: Count = 0
    through_walls: bool = False
    rooms: Size | None = None
    furnish: tuple[dict[Good, Count | Literal["d"]], ...] = ()
    """Prices; ``d`` is as many as each player has turns in this round (rule 4.4)."""
    build_wall: bool = False
    raze_wall: bool = False
    times: Literal["any"] | None = None


def of_tile(form: EffectForm, turns: int) -> tuple[Effect, ...]:
    """Return the effects of a tile's action, in a round of this many turns."""
    found: list[Effect] = []
    for each in form.options or (form,):
        if each.furnish:
            found += (_furnish(price, turns) for price in each.furnish)
        else:
            found += _plain(each, _kind(each))
    return _told_apart(found)


def of_space(form: EffectForm) -> tuple[Effect, ...]:
    """Return the effects of an Additional Action."""
    found = [effect for each in form.options or (form,) for effect in _plain(each, "additional")]
    return _told_apart(found)


def of_room(form: EffectForm) -> tuple[Effect, ...]:
    """Return the effects of a room."""
    if form.options:
        return tuple(
            replace(effect, option=number)
            for number, each in enumerate(form.options)
            for effect in _plain(each, "use_room")
        )
    return tuple(_plain(form, "use_room"))


def _kind(form: EffectForm) -> Kind:
    if form.dig:
        return "excavate"
    if form.rooms:
        return "use_room"
    if form.raze_wall:
        return "raze_wall"
    if form.build_wall:
        return "build_wall"
    return "exchange" if form.pay else "collect"


def _furnish(price: Mapping[Good, int | str], turns: int) -> Effect:
    pay: dict[Good, int] = {good: turns if isinstance(many, str) else many for good, many in price.items()}
    return Effect("furnish", pay=amounts(pay))


def _plain(form: EffectForm, kind: Kind) -> Iterator[Effect]:
    """Return the effects of a form without options."""
    below, per = form.get_below, form.get_per
    base = Effect(
        kind=kind,
        pay=amounts(form.pay),
        get=amounts(form.get),
        fill=amounts(dict.fromkeys(GOODS, form.fill_all) if form.fill_all else form.fill),
        below=None if below is None else (NUMBER[below.good], below.below, amounts(below.get)),
        per=None if per is None else (NUMBER[per.good], per.each, amounts(per.get)),
        dig=form.dig,
        through_walls=form.through_walls,
        rooms=form.rooms,
        repeats=form.times == "any",
    )
    if form.get_one is not None:
        yield from (replace(base, good=good, get=amounts({good: form.get_one.n})) for good in form.get_one.of)
    elif form.fill_one is not None:
        yield from (
            replace(base, good=good, fill=amounts({good: form.fill_one.to})) for good in form.fill_one.of
        )
    elif form.pay_different:
        for chosen in combinations(GOODS, form.pay_different):
            yield replace(base, goods=chosen, pay=amounts(dict.fromkeys(chosen, 1)))
    else:
        yield base


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
