"""Goods (rule 1.1): a player's stock, and amounts paid and gained."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

Good = Literal["wood", "stone", "emmer", "flax", "food", "gold", "donkey", "ore", "iron", "weapon"]
Convertible = Literal["emmer", "flax", "gold", "donkey"]
"""The goods that can be exchanged for food at any time (rule 3.5)."""
GOODS: tuple[Good, ...] = get_args(Good)
NUMBER: Mapping[Good, int] = {good: number for number, good in enumerate(GOODS)}
"""The index of each good in ``GOODS``."""
WOOD, STONE, EMMER, FLAX, FOOD, GOLD, DONKEY, ORE, IRON, WEAPON = range(len(GOODS))

Goods = tuple[int, ...]
"""Number of each good, in the order of ``GOODS``."""
NO_GOODS: Goods = (0,) * len(GOODS)

Amounts = tuple[tuple[int, int], ...]
"""Goods paid or gained, in order: pairs of the index in ``GOODS`` and the number."""


def read_amounts(named: Mapping[Good, int]) -> Amounts:
    """Return the amounts of goods given by name.

    >>> read_amounts({"gold": 1, "wood": 2})
    ((0, 2), (5, 1))
    """
    return tuple(sorted((NUMBER[good], many) for good, many in named.items()))


def amounts_by_name(given: Amounts) -> dict[Good, int]:
    return {GOODS[good]: many for good, many in given}


def add_amounts(one: Amounts, other: Amounts) -> Amounts:
    if not (one and other):
        return one or other
    total = dict(one)
    for good, many in other:
        total[good] = total.get(good, 0) + many
    return tuple(sorted(total.items()))


def multiply_amounts(given: Amounts, number: int) -> Amounts:
    return tuple((good, many * number) for good, many in given)


def can_pay(goods: Goods, price: Amounts) -> bool:
    # Hot path: a generator would take twice as long.
    for good, many in price:  # noqa: SIM110
        if goods[good] < many:
            return False
    return True


def missing_amounts(goods: Goods, price: Amounts) -> Amounts:
    return tuple((good, many - goods[good]) for good, many in price if goods[good] < many)


def pay_goods(goods: Goods, price: Amounts) -> Goods:
    left = list(goods)
    for good, many in price:
        left[good] -= many
    return tuple(left)


def gain_goods(goods: Goods, gained: Amounts, limits: Goods) -> Goods:
    """Return the goods plus those gained, capped at the limits."""
    total = list(goods)
    for good, many in gained:
        total[good] = min(limits[good], total[good] + many)
    return tuple(total)


def changed_goods(before: Goods, after: Goods) -> dict[Good, int]:
    """Return the difference for each good that changed."""
    return {good: new - old for good, old, new in zip(GOODS, before, after, strict=True) if new != old}
