"""Points (rules 6.2 to 6.5), previews of a placement, and the worth of gems to each seat.

Reads nothing hidden, so the state of a view works, too. The worth of a gem to a seat is the lead it gains. A
geode is worth the mean of its level's amethysts that the viewer has not seen. Special amethysts change the
worth of gems: the viewer's own for certain, the rival's by the probability that it drew them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial, reduce
from math import fsum
from operator import or_

from msgspec import Struct
from msgspec.structs import replace

from cave.codec import Place
from cave.score import Score
from cave.sir_ocelots_cave.components import (
    BAGS,
    BIT,
    CAVE,
    CELESTITES,
    GEMS,
    KEPT,
    KINDS,
    LEVEL,
    LEVELS,
    RIM,
    SPECIALS,
    SQUARES,
    TOOLS,
    BagName,
    Special,
    Squares,
    Tool,
    Value,
    components,
    squares_in_order,
)
from cave.sir_ocelots_cave.state import BLUE, SEATS, SIDES_OF, TURNS, LaidTool, Player, State, seen_enough, with_tool

CATEGORIES = ("rock_crystal", "celestite", "opal", "emerald", "red_beryl", "amethyst", *SPECIALS)
"""The lines of the score sheet."""
POINTS = components().points
SPECIAL = {name: each.points for name, each in components().special_amethysts.items()}
"""Points of a special amethyst for each gem that it counts."""
VALUE_1 = tuple(gem for gem in KEPT if POINTS[gem] == 1)  # rule 6.3
VALUE_3 = tuple(gem for gem in KEPT if POINTS[gem] == 3)  # rule 6.3


def gems_left(state: State, *levels: int) -> int:
    """Return the number of gems on the squares of these levels (rule 6.4)."""
    left = state.with_gems if state.settings.count_geodes_left else sum(state.gems[:-1])
    return sum((left & CAVE[level]).bit_count() for level in levels)


def special_points(state: State, player: Player) -> Mapping[Special, int]:
    """Return the points of each special amethyst for a player now (rule 6.3)."""
    counted: Mapping[Special, int] = {
        "value_1": sum(map(player.count_collected, VALUE_1)),
        "value_3": sum(map(player.count_collected, VALUE_3)),
        "left_1": gems_left(state, 1),
        "left_2_3": gems_left(state, 2, 3),
    }
    return {name: SPECIAL[name] * count for name, count in counted.items()}


def points_by_category(state: State, player: Player) -> dict[str, int]:
    """Return points by category; amethysts of unknown value count 0."""
    sheet = dict.fromkeys(CATEGORIES, 0)
    for gem in KEPT:
        sheet["celestite" if gem in CELESTITES else gem] += POINTS[gem] * player.count_collected(gem)
    special = special_points(state, player)
    for amethyst in player.amethysts:
        if isinstance(amethyst.value, int):
            sheet["amethyst"] += amethyst.value
        elif amethyst.value is not None:
            sheet[amethyst.value] = special[amethyst.value]  # Each is unique (rule 1.5).
    return sheet


def standing(state: State) -> tuple[Score, ...]:
    """Return the score sheet. Most points win, then most amethysts (rule 6.5)."""
    sheets = [points_by_category(state, player) for player in state.players]
    ranks = [(sum(sheet.values()), len(player.amethysts)) for sheet, player in zip(sheets, state.players, strict=True)]
    return tuple(
        Score(seat, rank[0], sheet, {}, rank == max(ranks))
        for seat, (rank, sheet) in enumerate(zip(ranks, sheets, strict=True))
    )


STAYS = 0.35
"""Average share of a level's gems left at the end of a game."""


def share_that_stays(state: State) -> float:
    """Return the expected share of the gems on the squares that nobody will collect."""
    return 1 - (1 - STAYS) * sum(player.pieces_left for player in state.players) / TURNS


COLLECTED = {"value_1": 6.0, "value_3": 5.0}
"""Average number of gems of value 1 and 3 that a player has at the end."""


def unseen_amethysts(state: State) -> dict[BagName, tuple[Value, ...]]:
    """Return for each bag the amethysts whose place the viewer does not know: in the bag, or secret."""
    found = {}
    for level in components().levels:
        drawn = (each.value for player in state.players for each in player.amethysts if each.bag == level.bag)
        known = Counter[Value](value for value in drawn if value is not None)
        found[level.bag] = tuple((Counter(level.amethysts) - known).elements())
    return found


def amethyst_means(state: State) -> dict[BagName, float]:
    """Return the expected points of an amethyst that the viewer does not know, for the bag of each level."""
    return {
        bag: fsum(_expected_points(state, value) for value in values) / max(1, len(values))
        for bag, values in unseen_amethysts(state).items()
    }


def _expected_points(state: State, value: Value) -> float:
    if isinstance(value, int):
        return value
    if value in COLLECTED:
        return COLLECTED[value]
    levels = LEVELS[:1] if value == "left_1" else LEVELS[1:]
    left = sum((state.with_gems & CAVE[level]).bit_count() for level in levels)
    return SPECIAL[value] * left * share_that_stays(state)


class PlacementGems(Struct, frozen=True):
    """Gems that a placement gives the player, and the best new ones that the rival's next tool can collect."""

    gains: Squares
    hands_over: Squares


def new_sets(state: State, seat: int, of: Squares) -> int:
    """Return the number of sets of celestites that a seat completes with the gems on these squares (rule 5.2)."""
    held = [state.players[seat].count_collected(gem) for gem in CELESTITES]
    found = [(state.gems[GEMS.index(gem)] & of).bit_count() for gem in CELESTITES]
    return min(one + more for one, more in zip(held, found, strict=True)) - min(held)


def points_of_gems(state: State, of: Squares) -> int:
    """Return the points of the gems on these squares; the amethysts of geodes count as expected."""
    points = sum(POINTS[gem] * (where & of).bit_count() for gem, where in zip(KEPT, state.gems, strict=False))
    geodes = state.gems[-1] & of
    if geodes:
        means = amethyst_means(state).values()
        points += sum(
            round(mean) * (geodes & CAVE[level]).bit_count() for level, mean in zip(LEVELS, means, strict=True)
        )
    return points


def points_of_own_specials(state: State, seat: int, of: Squares) -> int:
    """Return the points that special amethysts, of known value, gain if the seat collects these gems (rule 6.3)."""
    player = state.players[seat]
    held = {each.value for each in player.amethysts if each.value in SPECIAL}
    if not held:
        return 0
    found = [(where & of).bit_count() for where in state.gems[: len(KEPT)]]
    collected = tuple(one + more for one, more in zip(player.collected, found, strict=True))
    left = replace(state, gems=tuple(where & ~of for where in state.gems))
    before, after = special_points(state, player), special_points(left, replace(player, collected=collected))
    return sum(after[name] - before[name] for name in SPECIALS if name in held)


def expected_points_of_gems(state: State, seat: int, of: Squares) -> int:
    """Return ``points_of_gems``, those of special amethysts, and the expected ones of sets that a seat completes."""
    sets = new_sets(state, seat, of)
    points = points_of_gems(state, of) + points_of_own_specials(state, seat, of)
    return points + (sets * round(amethyst_means(state)[BAGS[BLUE]]) if sets else 0)


def tools_left(state: State, seat: int) -> tuple[Tool, ...]:
    left = [kind for kind, number in zip(KINDS, state.players[seat].tools, strict=True) if number]
    return tuple(tool for tool in TOOLS if any(tool in SIDES_OF[kind] for kind in left))


def collectable_with_tool(state: State, seat: int, at: Place, tool: Tool) -> Squares:
    """Return the gems that a seat could collect if it laid a tool there (rule 4)."""
    sight = with_tool(state.sight, at, tool)
    return seen_enough(state.settings, sight, state.players[seat].companion) & state.with_gems


def one_tool_short(state: State, seat: int) -> Squares:
    """Return the gems that a seat can collect by laying just one of its tools."""
    found = reduce(or_, _gems_of_each_tool(state, seat), 0)
    return found & ~seen_enough(state.settings, state.sight, state.players[seat].companion)


def _gems_of_each_tool(state: State, seat: int) -> Iterator[Squares]:
    """Return for each possible tool placement of a seat the gems that it could then collect."""
    for tool in tools_left(state, seat):
        for at in RIM:
            if at not in state.tools:
                yield collectable_with_tool(state, seat, at, tool)


def gems_of_placement(state: State, seat: int, at: Place, tool: Tool, before: Squares = 0) -> PlacementGems:
    """Return the gems of a tool placement, and those of the rival's next tool that are not among ``before``.

    The rival lays one tool in a turn, so its placements do not add up.
    """
    mine = collectable_with_tool(state, seat, at, tool)
    left = replace(
        state,
        gems=tuple(where & ~mine for where in state.gems),
        tools={**state.tools, at: LaidTool(KINDS[0], tool)},
        sight=with_tool(state.sight, at, tool),
    )
    rival = 1 - seat
    ready = seen_enough(left.settings, left.sight, left.players[rival].companion) & left.with_gems
    replies = [found & ~before for found in (ready, *_gems_of_each_tool(left, rival))]
    return PlacementGems(mine, max(replies, key=partial(expected_points_of_gems, left, rival)))


PROGRESS = (0.0, 0.25, 0.6)
"""The worth of having 0, 1 or 2 of the three celestites, as part of a set."""

Worth = tuple[tuple[float, ...], tuple[float, ...]]
"""For each seat, the value of the gem on each square; 0 without a gem."""


def gem_worths(cave: State) -> Worth:
    """Return the value of the gem on each square for each seat, from the view."""
    means, held = [*amethyst_means(cave).values()], _special_amethysts(cave)
    one, two = (_gem_worths_of_seat(cave, seat, means, held) for seat in range(SEATS))
    return one, two


def _special_amethysts(cave: State) -> list[Mapping[Special, float]]:
    """Return each seat's expected number of each special amethyst."""
    held: list[dict[Special, float]] = [dict.fromkeys(SPECIALS, 0.0) for _ in range(SEATS)]
    unseen = unseen_amethysts(cave)
    for seat, player in enumerate(cave.players):
        for each in player.amethysts:
            for special in SPECIALS:
                if each.value is None:
                    held[seat][special] += unseen[each.bag].count(special) / len(unseen[each.bag])
                else:
                    held[seat][special] += each.value == special
    return list(held)


def _gem_worths_of_seat(
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
            base += means[0] * _set_progress(player, number)
        counts = gem in KEPT or cave.settings.count_geodes_left
        for at in squares_in_order(cave.gems[number]):
            level = LEVEL[at]
            special: Special = "left_1" if level == LEVELS[0] else "left_2_3"
            value = base if gem in KEPT else means[level - 1]
            if counts:
                value += (other[special] - own[special]) * each[special]
            values[BIT[at].bit_length() - 1] = value
    return tuple(values)


def _set_progress(player: Player, number: int) -> float:
    """Return the worth of one more of this gem as part of a set (rule 5.2)."""
    if GEMS[number] not in CELESTITES:
        return 0.0
    more = list(player.collected)
    more[number] += 1
    return _expected_sets(more) - _expected_sets(player.collected)


def _expected_sets(collected: tuple[int, ...] | list[int]) -> float:
    counts = collected[1:4]
    least = min(counts)
    return least + PROGRESS[sum(count > least for count in counts)]
