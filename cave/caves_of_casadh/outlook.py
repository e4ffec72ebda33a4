"""What a spelunker has to expect: its rivals' treasures, the next exploration, and its chance to win.

It reads of a state only what the seat may know, so that a guess of what is hidden changes nothing; only with
``open_hands`` it looks at what rivals hold.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache

from msgspec import Struct
from msgspec.structs import replace

from cave.caves_of_casadh import fortune
from cave.caves_of_casadh.components import HAZARDS, PAINTINGS, ItemKind, components
from cave.caves_of_casadh.fortune import Luck, Rival
from cave.caves_of_casadh.state import Player, State, count

KEPT = 5.4  # points of a treasure that a rival holds
KEPT_SPREAD = 2.4
USUAL = 50  # points with which many go home
DIES = (1.0, 0.35, 0.2, 0.12, 0.08)  # the chance that a rival dies, by its HP
CAUGHT = 0.3  # damage that a grue does to a spelunker whom it finds
DEEP = 0.3  # from this share of Level 2 hexes on, what is still to come counts as Level 2
SOON = 12  # with fewer hexes than these the end of exploring is near
MEDKIT = 3  # health points that a Medkit is worth
HOLDING_ON = 1e-4  # a chance to win that a point is worth by itself


class Expectation(Struct, frozen=True):
    """What is expected of a rival in the caves: the points that it still finds, and their spread."""

    to_come: int
    spread: int


SOON_HOME = Expectation(8, 13)
"""Of one that goes home as soon as it has enough."""
TO_THE_END = Expectation(38, 50)
"""Of one that stays as long as it is worth it."""


class Averages(Struct, frozen=True):
    """What cards bring: the chance of damage; by level of the hex the chances of 0, 1 and 2 treasures, and
    items; and the MP that they cost a spelunker who has 0, 1, 2 and more.
    """

    damage: float
    icons: tuple[fortune.Icons, ...]
    items: tuple[float, ...]
    mp: tuple[float, ...]


@cache
def averages() -> Averages:
    """Return the averages of all cards."""
    deck = [card for card in components().cards.values() for _ in range(card.copies)]

    def mean(values: Iterable[float]) -> float:
        return round(sum(values) / len(deck), 2)

    def icons(level: int) -> fortune.Icons:
        none, one, two = (mean(card.treasures[level] == number for card in deck) for number in range(3))
        return none, one, two

    return Averages(
        damage=mean(card.misfortune == "rockfall" for card in deck),
        icons=(icons(0), icons(1)),
        items=tuple(mean(card.items[level] for card in deck) for level in range(2)),
        mp=tuple(mean(min(mp, card.move) for card in deck) for mp in range(6)),
    )


class Outlook:
    """What a seat has to expect, worked out once for a decision; it need not be the seat to act."""

    def __init__(
        self, state: State, seat: int, expects: Expectation = SOON_HOME, *, open_hands: bool = False
    ) -> None:
        self.state, self.seat, self.expects = state, seat, expects
        self.player = state.players[seat]
        self.gold = sum(filter(None, self.player.treasures))
        self.strength = self.player.hp + MEDKIT * ("medkit" in self.player.items)
        self.treasure = _treasure(state, seat)
        seen = tuple(laid.hex for laid in state.map.values())
        self.deep, self.damage = _next_hex(
            (*seen, state.drawn.hex) if state.drawn else seen,
            self.player.items,
            state.vengeance,
            state.settings.die_sides,
        )
        self.icons = tuple(self._mixed(one, two) for one, two in zip(*averages().icons, strict=True))
        self._surface = sorted(state.surface, reverse=True)
        box = components()
        self._taken = sum(self._surface[: box.leave_takes])
        self.rivals = tuple(
            self._rival(rival, open_hands=open_hands)
            for seat, rival in enumerate(state.players)
            if seat != self.seat and rival.state != "dead"
        )
        # Points count by how far they are from the best rival's: so few tables do for all.
        self._shift = max((rival.mean for rival in self.rivals), default=0) - fortune.MIDDLE
        shifted = tuple(replace(rival, mean=rival.mean - self._shift) for rival in self.rivals)
        self._chances = fortune.chances(shifted, self._luck())

    # Chances to win

    def leaving(self, points: float, strength: int) -> float:
        """Return the chance to win of a spelunker that goes home with these points and this strength."""
        if strength <= 0:
            return 0.0
        safe = fortune.WAY_HOME[min(strength, fortune.STRONGEST)]
        return safe * fortune.beats(self.rivals, points + self._taken) + HOLDING_ON * points

    def staying(self, points: float, strength: int) -> float:
        """Return the chance to win of one that goes on as long as it is worth it."""
        return self._chances.at(strength, points + self._taken - self._shift)

    def exploring(self, points: float, strength: int) -> float:
        """Return the chance to win of one that explores a hex now."""
        chance = 0.0
        for number, odds in enumerate(self.icons):
            richer = points + number * self.treasure
            unhurt, hurt = self.staying(richer, strength), self.staying(richer, strength - 1)
            chance += odds * ((1 - self.damage) * unhurt + self.damage * hurt)
        return chance

    @property
    def items(self) -> float:
        """How many items the next hex brings."""
        return self._mixed(*averages().items)

    def _mixed(self, one: float, two: float) -> float:
        return (1 - self.deep) * one + self.deep * two

    # What they follow from

    def _rival(self, rival: Player, *, open_hands: bool) -> Rival:
        held = [KEPT if value is None or not open_hands else value for value in rival.treasures]
        if rival.state == "out":
            spread = 1 if open_hands else max(2, round(KEPT_SPREAD * len(held) ** 0.5))
            return Rival(round(sum(held)), spread, 0.0)
        to_come = self.expects.to_come if self.state.hexes else 2
        taken = components().leave_takes
        surface = sum(self._surface[taken : 2 * taken])
        hp = len(DIES) - 1 if "medkit" in rival.items else min(rival.hp, len(DIES) - 1)
        return Rival(round(max(sum(held) + to_come, USUAL) + surface), self.expects.spread, DIES[hp])

    def _luck(self) -> Luck:
        number, players = len(self.state.hexes), count(self.state, "in")
        ends = 0.03 if number > SOON else min(1.0, players / (number + 1)) if number else 1.0
        return Luck(
            damage=round(max(0.1, self.damage) + 0.025, 1),
            icons=averages().icons[self.deep > DEEP],
            worth=max(1, round(self.treasure)),
            ends=round(ends, 2),
        )


def _treasure(state: State, seat: int) -> float:
    """Return the worth of a Treasure icon to whoever explores: the best of one a spelunker."""
    box = components()
    total = sum(box.treasure_values) * box.treasure_copies
    number = len(box.treasure_values) * box.treasure_copies
    known = [*state.surface, *filter(_is_known, state.players[seat].treasures)]
    known += [each.value for laid in state.map.values() for each in laid.treasures if each.seen == seat]
    drawn = max(1, count(state, "in"))
    mean = (total - sum(filter(None, known))) / max(1, number - len(known))
    return 2 * mean * drawn / (drawn + 1)


def _is_known(value: int | None) -> bool:
    return value is not None


@lru_cache(maxsize=512)
def _next_hex(
    seen: tuple[str, ...], items: tuple[ItemKind, ...], vengeance: int, sides: int
) -> tuple[float, float]:
    """Return how likely the next hex is one of Level 2, and the damage that exploring it does.

    The damage follows from the icons that were seen (rules 7.1 and 7.2).
    """
    box = components()
    level_1, level_2 = box.pile
    pile = [box.hexes[each] for each in level_1 if each not in seen]
    if PAINTINGS in seen:
        pile += [box.hexes[each] for each in level_2 if each not in seen]
    number = max(1, len(pile))
    damage = averages().damage
    for hazard in HAZARDS:
        if box.hazards[hazard].immune_item in items:
            continue
        limit = sum(box.hexes[each].hazard == hazard for each in seen) + vengeance * (hazard == "grue")
        odds = min(limit, sides) / sides * (CAUGHT if hazard == "grue" else 1.0)
        damage += odds * sum(each.hazard == hazard for each in pile) / number
    return sum(each.level == 2 for each in pile) / number, damage
