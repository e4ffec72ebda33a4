"""What the gem on each square is worth to each seat, as a lead over the other.

A geode is worth the mean of the amethysts of its level that the viewer has not seen. Special amethysts make
gems dearer or cheaper: the viewer's own for certain, the rival's by the chance that it drew them. Nothing
hidden is read: the bags of a view are empty, and an amethyst that the viewer may not know has no value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import fsum

from cave.sir_ocelots_cave.actions import Collect
from cave.sir_ocelots_cave.board import BIT, CAVE, SQUARES, places
from cave.sir_ocelots_cave.components import GEMS, KEPT, LEVELS, SPECIALS, Special, Value, components
from cave.sir_ocelots_cave.node import LEVEL_OF, numbers
from cave.sir_ocelots_cave.scoring import POINTS, SPECIAL, VALUE_1, VALUE_3
from cave.sir_ocelots_cave.sight import collectable
from cave.sir_ocelots_cave.state import SEATS, TURNS, Player, State

COLLECTED = {"value_1": 6.0, "value_3": 5.0}
"""How many gems of value 1 and 3 a player has at the end, in the mean."""
STAYS = 0.35
"""The share of the gems on a level that is left at the end of a game that begins now."""
PROGRESS = (0.0, 0.25, 0.6)
"""What part of a set of celestites it is to have one, or two, of its three."""

Worth = tuple[tuple[float, ...], tuple[float, ...]]
"""For each seat, what the gem on each square brings it; 0 where none lies."""


def worth(cave: State) -> Worth:
    """Return what the gem on each square is worth to each seat, by what the view shows."""
    means, held = _amethysts(cave)
    one, two = (_of_seat(cave, seat, means, held) for seat in range(SEATS))
    return one, two


def _amethysts(cave: State) -> tuple[list[float], list[Mapping[Special, float]]]:
    """Return the mean of what the viewer has not seen of each bag, and how many of each special amethyst each
    seat has: whole numbers for known ones, else the chance.
    """
    held: list[dict[Special, float]] = [dict.fromkeys(SPECIALS, 0.0) for _ in range(SEATS)]
    means = []
    for level in components().levels:
        drawn = [
            (seat, each.value)
            for seat, player in enumerate(cave.players)
            for each in player.amethysts
            if each.bag == level.bag
        ]
        known = Counter[Value](value for _, value in drawn if value is not None)
        unseen = list((Counter[Value](level.amethysts) - known).elements())
        means.append(fsum(_expected(cave, value) for value in unseen) / max(1, len(unseen)))
        for seat, value in drawn:
            for special in SPECIALS:
                if value is None:
                    held[seat][special] += unseen.count(special) / len(unseen)
                else:
                    held[seat][special] += value == special
    return means, list(held)


def _expected(cave: State, value: Value) -> float:
    """Return what an amethyst will bring at the end."""
    if isinstance(value, int):
        return value
    if value in COLLECTED:
        return COLLECTED[value]
    to_come = sum(player.pieces for player in cave.players) / TURNS
    stay = 1 - (1 - STAYS) * to_come
    levels = LEVELS[:1] if value == "left_1" else LEVELS[1:]
    left = sum((cave.with_gems & CAVE[level]).bit_count() for level in levels)
    return SPECIAL[value] * left * stay


def _of_seat(
    cave: State, seat: int, means: list[float], held: list[Mapping[Special, float]]
) -> tuple[float, ...]:
    own, other = held[seat], held[1 - seat]
    each = SPECIAL
    player = cave.players[seat]
    values = [0.0] * len(SQUARES)
    for number, gem in enumerate(GEMS):
        base = 0.0
        if gem in KEPT:
            base = POINTS[gem] + own["value_1"] * each["value_1"] * (gem in VALUE_1)
            base += own["value_3"] * each["value_3"] * (gem in VALUE_3)
            base += means[0] * _progress(player, number)
        counts = gem in KEPT or cave.settings.count_geodes_left
        for square in numbers(cave.gems[number]):
            level = LEVEL_OF[square]
            special: Special = "left_1" if level == LEVELS[0] else "left_2_3"
            value = base if gem in KEPT else means[level - 1]
            if counts:
                value += (other[special] - own[special]) * each[special]
            values[square] = value
    return tuple(values)


def _progress(player: Player, number: int) -> float:
    """Return the part of a set that one more of this gem is (rule 5.2)."""
    if GEMS[number] not in _CELESTITES:
        return 0.0
    more = list(player.collected)
    more[number] += 1
    return _sets(more) - _sets(player.collected)


_CELESTITES = GEMS[1:4]


def _sets(collected: tuple[int, ...] | list[int]) -> float:
    """Return the sets of celestites, and the part of the next one."""
    counts = collected[1:4]
    least = min(counts)
    return least + PROGRESS[sum(count > least for count in counts)]


def collected(cave: State) -> Collect:
    """Return what to collect: all, but in the last turn no gem that costs its seat more than it brings."""
    assert cave.seat is not None
    gems = places(collectable(cave, cave.seat))
    if any(player.has_pieces for player in cave.players):
        return Collect(gems)
    value = worth(cave)[cave.seat]
    return Collect(tuple(at for at in gems if value[BIT[at].bit_length() - 1] > 0))
