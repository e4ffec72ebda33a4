"""Light that walks: how bright each place is, found along the ways, so that light shows what connects.

>>> row = {0: [(1, 1.0)], 1: [(0, 1.0), (2, 1.0)], 2: [(1, 1.0)], 3: []}
>>> light = Light(row.__getitem__)
>>> _ = light.shine(lambda place: 1.0 if place == 0 else 0.0)
>>> [light.level(place) for place in row]
[7, 5, 3, 0]
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Generic, TypeVar

LEVELS = 8
"""Steps of light, from 0 (none) to ``BRIGHTEST``."""
BRIGHTEST = LEVELS - 1
REACH = 3.6
"""How far a light walks before it is lost."""
SHORTEST = 1.0
"""The length of most ways; none is shorter."""
FALL = 1.2
"""The power with which it gets weaker on its way."""

Place = TypeVar("Place", bound=Hashable)
Ways = Callable[[Place], Iterable[tuple[Place, float]]]
"""The neighbours that light reaches from a place, each with the length of the way; as long back as there."""
Power = Callable[[Place], float]
"""How strongly a place shines, 0 (not at all) to 1."""


def _none(_: object) -> float:
    return 0.0


class Light(Generic[Place]):
    """The light of places, worked out for those that are asked for.

    What reaches a place is kept, as lights move much oftener than ways change; and only places within reach
    of what is asked for are looked at, as a cave may be large.
    """

    def __init__(self, ways: Ways[Place]) -> None:
        self._ways = ways
        self._neighbours: dict[Place, list[tuple[Place, float]]] = {}
        self._reached: dict[Place, dict[Place, float]] = {}
        self._power: Power[Place] = _none
        self._powers: dict[Place, float] = {}
        self._levels: dict[Place, int] = {}

    def shine(self, power: Power[Place]) -> set[Place]:
        """Light what has power, and nothing else.

        Tells which of the places that were asked for may be brighter or darker.
        """
        before, self._power = self._powers, power
        self._powers = {place: power(place) for place in before}
        otherwise = {place for place, old in before.items() if self._powers[place] != old}
        touched = {place for place in self._levels if not otherwise.isdisjoint(self._from(place))}
        for place in touched:
            del self._levels[place]
        return touched

    def level(self, place: Place) -> int:
        """Return the light of a place; lights add up without getting brighter than full."""
        found = self._levels.get(place)
        if found is None:
            dark, powers = 1.0, self._powers
            for source, far in self._from(place).items():
                power = powers.get(source)
                if power is None:
                    power = powers[source] = self._power(source)
                if power:
                    dark *= 1 - power * (1 - far / REACH) ** FALL
            found = self._levels[place] = round((1 - dark) * BRIGHTEST)
        return found

    def _from(self, source: Place) -> dict[Place, float]:
        """Return how far it is from each place within reach."""
        found = self._reached.get(source)
        if found is None:
            found = self._reached[source] = {source: 0.0}
            known, near = found.get, self._neighbours
            reached = [source]
            for place in reached:  # grows, also by a place again to which there is a shorter way
                here = found[place]
                if here >= REACH - SHORTEST:
                    continue
                for neighbour, length in near[place] if place in near else self._near(place):
                    far = here + length
                    if far < known(neighbour, REACH):
                        found[neighbour] = far
                        reached.append(neighbour)
        return found

    def _near(self, place: Place) -> list[tuple[Place, float]]:
        """Return the neighbours of a place."""
        found = self._neighbours[place] = list(self._ways(place))
        return found
