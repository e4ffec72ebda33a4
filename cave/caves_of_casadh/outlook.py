"""Forecasts for a spelunker: its rivals' treasures, the next exploration, and its chance to win.

A spelunker that continues finds something, may be hurt, and decides again; one that goes home keeps its
treasures. The better of both is computed for each amount of treasure and strength by dynamic programming. It
reads only the seat's information, so guesses of hidden parts do not matter; rivals' treasures are read only
with ``open_hands``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from math import erf, sqrt

from msgspec import Struct
from msgspec.structs import replace

from cave.caves_of_casadh.components import HAZARDS, PAINTINGS, ItemKind, components
from cave.caves_of_casadh.state import Player, State, count_spelunkers

KEPT = 5.4  # points of a treasure that a rival holds
KEPT_SPREAD = 2.4
USUAL = 50  # points with which a spelunker usually goes home
DIES = (1.0, 0.35, 0.2, 0.12, 0.08)  # the chance that a rival dies, by its HP
CAUGHT = 0.3  # expected damage of a grue
DEEP = 0.3  # from this share of Level 2 hexes, all new hexes count as Level 2
SOON = 12  # with fewer hexes, the end of exploring is near
MEDKIT = 3  # health points that a Medkit is worth
HOLDING_ON = 1e-4  # bonus (chance to win) for each point


class Expectation(Struct, frozen=True):
    """The points that a rival in the caves is expected to find, and their spread."""

    to_come: int
    spread: int


SOON_HOME = Expectation(8, 13)
"""For a rival that goes home as soon as it has enough."""
TO_THE_END = Expectation(38, 50)
"""For a rival that stays as long as it is worthwhile."""


class Averages(Struct, frozen=True):
    """Averages over cards: the chance of damage; by level of the hex, the chances of 0, 1 and 2 treasures,
    and items; and the MP that misfortunes cost a spelunker with 0, 1, 2 and more.
    """

    damage: float
    icons: tuple[Icons, ...]
    items: tuple[float, ...]
    mp: tuple[float, ...]


@cache
def average_hex() -> Averages:
    deck = [card for card in components().cards.values() for _ in range(card.copies)]

    def mean(values: Iterable[float]) -> float:
        return round(sum(values) / len(deck), 2)

    def icons(level: int) -> Icons:
        none, one, two = (mean(card.treasures[level] == number for card in deck) for number in range(3))
        return none, one, two

    return Averages(
        damage=mean(card.misfortune == "rockfall" for card in deck),
        icons=(icons(0), icons(1)),
        items=tuple(mean(card.items[level] for card in deck) for level in range(2)),
        mp=tuple(mean(min(mp, card.move) for card in deck) for mp in range(6)),
    )


class Outlook:
    """A seat's forecast, computed once for a decision; it need not be the seat to act."""

    def __init__(self, state: State, seat: int, expects: Expectation = SOON_HOME, *, open_hands: bool = False) -> None:
        self.state, self.seat, self.expects = state, seat, expects
        self.player = state.players[seat]
        self.gold = sum(filter(None, self.player.treasures))
        self.strength = self.player.hp + MEDKIT * ("medkit" in self.player.items)
        self.treasure = _treasure_icon_worth(state, seat)
        seen = tuple(laid.hex for laid in state.map.values())
        self.deep, self.damage = _next_hex_odds(
            (*seen, state.drawn.hex) if state.drawn else seen,
            self.player.items,
            state.vengeance,
            state.settings.die_sides,
        )
        self.icons = tuple(self._mix(one, two) for one, two in zip(*average_hex().icons, strict=True))
        self._surface = sorted(state.surface, reverse=True)
        box = components()
        self._taken = sum(self._surface[: box.leave_takes])
        self.rivals = tuple(
            self._rival_outcome(rival, open_hands=open_hands)
            for seat, rival in enumerate(state.players)
            if seat != self.seat and rival.state != "dead"
        )
        # Points are relative to the best rival's, so that few tables are needed.
        self._shift = max((rival.mean for rival in self.rivals), default=0) - MIDDLE
        shifted = tuple(replace(rival, mean=rival.mean - self._shift) for rival in self.rivals)
        self._chances = _chances_against(shifted, self._exploration_luck())

    # Chances to win

    def chance_leaving(self, points: float, strength: int) -> float:
        """Return the chance to win by going home with these points and this strength."""
        if strength <= 0:
            return 0.0
        safe = WAY_HOME[min(strength, STRONGEST)]
        return safe * chance_to_beat(self.rivals, points + self._taken) + HOLDING_ON * points

    def chance_staying(self, points: float, strength: int) -> float:
        """Return the chance to win by continuing as long as it is worthwhile."""
        return self._chances.at(strength, points + self._taken - self._shift)

    def chance_exploring(self, points: float, strength: int) -> float:
        chance = 0.0
        for number, odds in enumerate(self.icons):
            richer = points + number * self.treasure
            unhurt, hurt = self.chance_staying(richer, strength), self.chance_staying(richer, strength - 1)
            chance += odds * ((1 - self.damage) * unhurt + self.damage * hurt)
        return chance

    @property
    def expected_items_of_next_hex(self) -> float:
        return self._mix(*average_hex().items)

    def _mix(self, one: float, two: float) -> float:
        return (1 - self.deep) * one + self.deep * two

    # Inputs

    def _rival_outcome(self, rival: Player, *, open_hands: bool) -> Rival:
        held = [KEPT if value is None or not open_hands else value for value in rival.treasures]
        if rival.state == "out":
            spread = 1 if open_hands else max(2, round(KEPT_SPREAD * len(held) ** 0.5))
            return Rival(round(sum(held)), spread, 0.0)
        to_come = self.expects.to_come if self.state.hexes else 2
        taken = components().leave_takes
        surface = sum(self._surface[taken : 2 * taken])
        hp = len(DIES) - 1 if "medkit" in rival.items else min(rival.hp, len(DIES) - 1)
        return Rival(round(max(sum(held) + to_come, USUAL) + surface), self.expects.spread, DIES[hp])

    def _exploration_luck(self) -> Luck:
        number, players = len(self.state.hexes), count_spelunkers(self.state, "in")
        ends = 0.03 if number > SOON else min(1.0, players / (number + 1)) if number else 1.0
        return Luck(
            damage=round(max(0.1, self.damage) + 0.025, 1),
            icons=average_hex().icons[self.deep > DEEP],
            worth=max(1, round(self.treasure)),
            ends=round(ends, 2),
        )


def _treasure_icon_worth(state: State, seat: int) -> float:
    """Return the expected worth of a Treasure icon to the explorer: the best of one per spelunker."""
    box = components()
    total = sum(box.treasure_values) * box.treasure_copies
    number = len(box.treasure_values) * box.treasure_copies
    known: list[int | None] = [*state.surface, *(each for each in state.players[seat].treasures if each is not None)]
    known += [each.value for laid in state.map.values() for each in laid.treasures if each.seen == seat]
    drawn = max(1, count_spelunkers(state, "in"))
    mean = (total - sum(filter(None, known))) / max(1, number - len(known))
    return 2 * mean * drawn / (drawn + 1)


@lru_cache(maxsize=512)
def _next_hex_odds(
    seen: tuple[str, ...], items: tuple[ItemKind, ...], vengeance: int, sides: int
) -> tuple[float, float]:
    """Return the probability that the next hex is Level 2, and the expected damage of exploring it.

    The damage follows from the icons that were seen (rules 7.1 and 7.2).
    """
    box = components()
    level_1, level_2 = box.pile
    pile = [box.hexes[each] for each in level_1 if each not in seen]
    if PAINTINGS in seen:
        pile += [box.hexes[each] for each in level_2 if each not in seen]
    number = max(1, len(pile))
    damage = average_hex().damage
    for hazard in HAZARDS:
        if box.hazards[hazard].immune_item in items:
            continue
        limit = sum(box.hexes[each].hazard == hazard for each in seen) + vengeance * (hazard == "grue")
        odds = min(limit, sides) / sides * (CAUGHT if hazard == "grue" else 1.0)
        damage += odds * sum(each.hazard == hazard for each in pile) / number
    return sum(each.level == 2 for each in pile) / number, damage


MIDDLE = 60
"""The best rival's points on the scale of a table."""
MOST = 100
"""The most points that count, on the same scale."""
AHEAD = 4
"""Extra rows below a lookup to compute at once: the next lookup is often a little lower."""
STRONGEST = 8
"""The most health points, including a Medkit."""
WAY_HOME = (0.0, 0.86, 0.95, 0.98, 0.99, 0.99, 0.995, 0.995, 0.995)
"""The chance to get home by strength, apart from known damage on the way."""


Icons = tuple[float, float, float]
"""The chances of 0, 1 and 2 treasures."""


class Rival(Struct, frozen=True):
    """A rival's prospects: the mean and the spread of its points, and the chance that it dies."""

    mean: float
    spread: float
    dies: float


class Luck(Struct, frozen=True):
    """An exploration's outcome: the chance of damage, the chances of 0, 1, 2 treasures, a treasure's worth,
    and the chance that nothing is left to explore.
    """

    damage: float
    icons: Icons
    worth: int
    ends: float


def chance_to_beat(rivals: Sequence[Rival], points: float) -> float:
    chance = 1.0
    for rival in rivals:
        below = 0.5 * (1 + erf((points - rival.mean) / (rival.spread * sqrt(2))))
        chance *= rival.dies + (1 - rival.dies) * below
    return chance


class OutlookChances:
    """The chances to win by strength and points (0 to ``MOST``); the dead have none. Each depends on those
    with more points, so they are computed lazily from the top down.
    """

    def __init__(self, rivals: tuple[Rival, ...], luck: Luck) -> None:
        self._rivals, self._luck = rivals, luck
        self._home: list[float] = []
        """The chance to win at home with these points, from ``MOST`` down."""
        self._rows = [[0.0] * (MOST + 1) for _ in range(STRONGEST + 1)]
        self._done = [0, *[MOST + 1] * STRONGEST]
        """The lowest points computed, by row."""

    def at(self, strength: int, points: float) -> float:
        """Return the chance with this strength and points, which may be fractional."""
        strength, low = max(0, min(STRONGEST, strength)), max(0, min(MOST, int(points)))
        if low < self._done[strength]:
            self._fill_row(strength, max(0, low - AHEAD))
        row = self._rows[strength]
        if points <= 0:
            return row[0] + 0.001 * points  # Fewer points are still worse.
        if low == MOST:
            return row[MOST]
        part = points - low
        return row[low] * (1 - part) + row[low + 1] * part

    def _fill_row(self, strength: int, lowest: int) -> None:
        """Compute a row, and the weaker rows that it depends on."""
        if lowest < self._done[strength - 1]:
            self._fill_row(strength - 1, lowest)
        home = self._home
        home += [chance_to_beat(self._rivals, points) for points in range(MOST - len(home), lowest - 1, -1)]
        luck, safe = self._luck, WAY_HOME[strength]
        (none, one, two), worth, ends = luck.icons, luck.worth, luck.ends
        hurt, unhurt, on = luck.damage, 1 - luck.damage, 1 - ends
        row, weaker = self._rows[strength], self._rows[strength - 1]
        for points in range(self._done[strength] - 1, lowest - 1, -1):
            stop = safe * home[MOST - points]
            if points == MOST:
                row[points] = stop
                continue
            a, b = points + worth, points + 2 * worth
            if b > MOST:
                a, b = min(MOST, a), MOST
            worse = hurt * (none * weaker[points] + one * weaker[a] + two * weaker[b])
            # Finding nothing unhurt changes nothing: leave it out and normalise the rest.
            better = unhurt * (one * row[a] + two * row[b])
            go_on = (worse + better) / (1 - unhurt * none)
            row[points] = max(stop, on * go_on + ends * stop)
        self._done[strength] = lowest


_chances_against = lru_cache(maxsize=2048)(OutlookChances)
