"""What each player has: points, tools, gems and amethysts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

from cave.sir_ocelots_cave.components import CELESTITES, KEPT, LEVEL, Gem, Value
from cave.sir_ocelots_cave.scoring import amethyst_means, share_that_stays, special_points
from cave.sir_ocelots_cave.state import Amethyst, Player, State
from client.games.sir_ocelots_cave import terms
from client.games.sir_ocelots_cave.scene import OcelotScene
from client.wording import count


class KnownAmethyst(msgspec.Struct, frozen=True):
    """An amethyst: its bag, its front, its present value (None if unknown), and what it should add if that is
    not certain.
    """

    bag: str
    value: Value | None
    now: int | None
    hoped: int | None = None

    @property
    def amethyst_words(self) -> str:
        """``blue: 1 for each of your gems worth 1, now 3``."""
        return f"{self.bag}: {'not known' if self.value is None else self.points_words}"

    @property
    def points_words(self) -> str:
        if self.value is None or isinstance(self.value, int):
            return count(self.value or 0, "point")
        return f"{terms.gem_value_words(self.value)}, now {self.now}"


def amethysts_in_few_words(stones: Sequence[KnownAmethyst], *, summed: bool = False) -> list[str]:
    """Return their points, each or ``summed``, those of special ones, and the number of secret ones."""
    values = [each.value for each in stones if isinstance(each.value, int)]
    plain = map(str, [sum(values)] if summed and values else values)
    special = [
        f"{terms.COUNTED[each.value]}: {each.now if each.hoped is None else f'about +{each.hoped}'}"
        for each in stones
        if isinstance(each.value, str)
    ]
    secret = [each.hoped or 0 for each in stones if each.value is None]
    kinds = [", ".join(plain), *special, f"{len(secret)} secret, about +{sum(secret)}" * bool(secret)]
    return re.split("(?<=[,;]) ", "; ".join(filter(None, kinds)))


class PlayerRow(msgspec.Struct, frozen=True):
    """A player; revealed amethysts count in ``total``, not in ``points``; the expected points of secret ones,
    and of those that count gems left, are ``hoped``.
    """

    seat: int
    name: str
    points: int
    total: int
    hoped: int
    tools: tuple[int, ...]
    companion: str
    celestites: tuple[int, int, int]
    gems: tuple[tuple[Gem, int], ...]
    stones: tuple[KnownAmethyst, ...]
    turn: bool
    mine: bool
    newest: frozenset[Gem]  # the gems collected last

    @property
    def expected(self) -> int:
        """The points that the amethysts should bring in all."""
        return self.hoped + self.total - self.points

    @property
    def amethysts_words(self) -> str:
        """Return the points of all amethysts in short: ``8+30``."""
        return f"{self.total - self.points}" + f"+{self.hoped}" * bool(self.hoped)

    @property
    def points_words(self) -> str:
        """Return the points, and those that secret amethysts should add: ``62+30``."""
        return f"{self.total}+{self.hoped}" if self.hoped else str(self.total)


def ocelot_player_rows(scene: OcelotScene) -> tuple[PlayerRow, ...]:
    cave = scene.cave
    return tuple(_ocelot_player_row(scene, cave, seat) for seat in range(len(cave.players)))


def _ocelot_player_row(scene: OcelotScene, cave: State, seat: int) -> PlayerRow:
    player = cave.players[seat]
    stones = tuple(_amethyst_of_player(cave, player, each, over=scene.over) for each in player.amethysts)
    gems = sum(terms.POINTS[gem] * player.count_collected(gem) for gem in KEPT)
    stands = player.companion
    sun, crescent, star = (player.count_collected(gem) for gem in CELESTITES)
    return PlayerRow(
        seat=seat,
        name=scene.view.names[seat],
        points=gems,
        total=gems + sum(each.now or 0 for each in stones if each.hoped is None),
        hoped=sum(each.hoped or 0 for each in stones),
        tools=player.tools,
        companion="companion to come" if stands is None else f"companion level {LEVEL[stands]}",
        celestites=(sun, crescent, star),
        gems=tuple((gem, player.count_collected(gem)) for gem in KEPT if player.count_collected(gem)),
        stones=stones,
        turn=seat == cave.seat,
        mine=seat in scene.state.my_seats,
        newest=frozenset(_newest_gems(scene, seat)),
    )


def _newest_gems(scene: OcelotScene, seat: int) -> Iterator[Gem]:
    collected = (line.event for line in reversed(scene.state.log) if line.event["type"] == "collected")
    last = next((event for event in collected if event["seat"] == seat), None)
    return (gem["kind"] for gem in last["gems"]) if last else iter(())


def _amethyst_of_player(cave: State, player: Player, amethyst: Amethyst, *, over: bool) -> KnownAmethyst:
    value = amethyst.value
    now = special_points(cave, player)[value] if isinstance(value, str) else value
    hoped = None
    if not over and value in (None, "left_1", "left_2_3"):
        hoped = round(amethyst_means(cave)[amethyst.bag] if now is None else now * share_that_stays(cave))
    return KnownAmethyst(amethyst.bag, value, now, hoped)
