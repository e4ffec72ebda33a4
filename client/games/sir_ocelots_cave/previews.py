"""Previews of placements: each tool, the companion, the tool in hand; and probable slips."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import NamedTuple

import msgspec

from cave.codec import Place
from cave.sir_ocelots_cave.actions import LayTool, PlaceCompanion
from cave.sir_ocelots_cave.components import (
    BIT,
    CAVE,
    KINDS,
    LEVEL,
    LINES,
    RAYS,
    RIM,
    SIDES,
    TOOLS,
    Gem,
    Kind,
    Squares,
    Tool,
    set_of_squares,
    squares_in_order,
)
from cave.sir_ocelots_cave.scoring import (
    collectable_with_tool,
    expected_points_of_gems,
    gems_of_placement,
    new_sets,
    one_tool_short,
    points_of_gems,
    points_of_own_specials,
    tools_left,
)
from cave.sir_ocelots_cave.state import SEATS, SIDES_OF, State, collectable_gems, seen_enough, tools_seeing
from client.games.sir_ocelots_cave import terms


class Trial(msgspec.Struct, frozen=True):
    """A tool on a rim space: gems that become collectable, and the best ones it opens to the rival's next tool."""

    at: Place
    tool: Tool
    kinds: tuple[Kind, ...]  # the kinds with this side that the seat still has
    takes: Squares
    hands: Squares
    more: str = ""  # " more" if other gems are open to the rival already


class Visit(msgspec.Struct, frozen=True):
    """A companion on a square: the gem taken there, the squares seen, the gems that become collectable."""

    at: Place
    gem: Gem | None
    sees: Squares
    takes: Squares


def kinds_left(state: State, seat: int, tool: Tool) -> tuple[Kind, ...]:
    """Return the kinds of tools with this side that a seat still has, the most frequent first."""
    left = dict(zip(KINDS, state.players[seat].tools, strict=True))
    found = [kind for kind in KINDS if tool in SIDES_OF[kind] and left[kind]]
    return tuple(sorted(found, key=lambda kind: -left[kind]))


def tool_trials(state: State, seat: int, at: Place) -> tuple[Trial, ...]:
    if at not in RAYS or at in state.tools:
        return ()
    rival = 1 - seat
    before = collectable_gems(state, rival) | one_tool_short(state, rival)
    found = []
    for tool in tools_left(state, seat):
        ahead = gems_of_placement(state, seat, at, tool, before)
        more = " more" * bool(before & ~ahead.gains)
        found.append(Trial(at, tool, kinds_left(state, seat, tool), ahead.gains, ahead.hands_over, more))
    return tuple(found)


def companion_visit(state: State, at: Place) -> Visit:
    sees = sight_from(state, at)
    gem = state.gem_at(at)
    left = state.with_gems & ~BIT[at]
    takes = seen_enough(state.settings, state.sight, at) & left
    return Visit(at, gem, sees & left, takes)


def best_first(state: State, ways: Iterable[Place]) -> list[Place]:
    """Return squares for the companion, those with the most points first."""

    def points(at: Place) -> int:
        there = companion_visit(state, at)
        return expected_points_of_gems(state, state.seat or 0, there.takes | BIT[at] * (there.gem is not None))

    return sorted(ways, key=points, reverse=True)


def sight_from(state: State, at: Place) -> Squares:
    if at in RAYS:
        return sum(ray.squares for ray in RAYS[at])
    if state.settings.companion_sight == "cave":
        return CAVE[LEVEL[at]]
    return sum(ray.squares for ray in LINES[at])


def placements_that_bring(state: State, seat: int) -> tuple[Trial, ...]:
    """Return every tool on every rim space that makes more gems collectable, most points first."""
    ready = collectable_gems(state, seat)
    found = [
        Trial(at, tool, kinds_left(state, seat, tool), takes, 0)
        for at in RIM
        if at not in state.tools
        for tool in tools_left(state, seat)
        if (takes := collectable_with_tool(state, seat, at, tool)) & ~ready
    ]
    return tuple(sorted(found, key=lambda trial: -expected_points_of_gems(state, seat, trial.takes)))


def tools_needed_by_square(state: State, seat: int) -> Mapping[Place, tuple[Tool, ...]]:
    """Return the squares whose gem lacks only one tool for the seat, with the tools that collect it."""
    ready = collectable_gems(state, seat)
    free = [at for at in RIM if at not in state.tools]
    found: dict[Tool, Squares] = {}
    for tool in tools_left(state, seat):
        for at in free:
            found[tool] = found.get(tool, 0) | collectable_with_tool(state, seat, at, tool) & ~ready
    short = [*squares_in_order(reduce(or_, found.values(), 0))]
    return {at: tuple(tool for tool, of in found.items() if of & BIT[at]) for at in short}


def gems_out_of_reach(state: State) -> Squares:
    """Return the gems that nobody can collect any more, whatever the players do."""
    return sum(BIT[at] for at in squares_in_order(state.with_gems) if not _is_in_reach(state, at))


def _is_in_reach(state: State, at: Place) -> bool:
    seen = tools_seeing(state, at)
    tools = {tool for seat in range(SEATS) for tool in tools_left(state, seat)}
    most = sum(sum(player.tools) for player in state.players)

    def can_show(kinds: int, sides: Iterable[str]) -> bool:
        """Return whether tools can show that many kinds of these sides of the gem."""
        sides = {*sides}
        there = {tool for side, tool in seen.items() if side in sides}
        return kinds - len(there) <= min(len(sides - seen.keys()), len(tools - there), most)

    if can_show(len(TOOLS), SIDES):
        return True
    for seat in range(SEATS):
        if state.settings.companion_sight == "cave":
            if _can_companion_come(state, seat, LEVEL[at]) and can_show(2, SIDES) and len(seen) + most > 2:
                return True
        elif any(can_show(2, {*SIDES} - {side}) for side in _sides_for_companion(state, seat, at)):
            return True
    return False


def _sides_for_companion(state: State, seat: int, at: Place) -> list[str]:
    stands = state.players[seat].companion
    lines = [ray for ray in LINES[at] if ray.line and _can_companion_come(state, seat, LEVEL[at])]
    return [ray.direction for ray in lines if stands is None or LEVEL[stands] < LEVEL[at] or stands in ray.line]


def _can_companion_come(state: State, seat: int, level: int) -> bool:
    """Return whether a companion can still help in a cave: it is there, or has the turns to get there."""
    player = state.players[seat]
    steps = level - (0 if player.companion is None else LEVEL[player.companion])
    turns = player.pieces_left - (state.phase == "placing" and seat == state.seat)
    return 0 <= steps <= turns and (steps > 0 or turns > 0 or seat == state.seat)


def best_of_each(found: Sequence[Trial], most: int) -> list[Trial]:
    """Return some of these trials, the same number for each tool, in the original order."""
    turns = dict.fromkeys((trial.tool for trial in found), 0)
    ranks = []
    for number, trial in enumerate(found):
        ranks.append((turns[trial.tool], number))
        turns[trial.tool] += 1
    return [found[number] for number in sorted(number for _, number in sorted(ranks)[:most])]


def finishing_placements(state: State, seat: int, at: Place) -> tuple[tuple[Place, tuple[Tool, ...]], ...]:
    def tools(rim: Place) -> tuple[Tool, ...]:
        return tuple(
            tool for tool in tools_left(state, seat) if collectable_with_tool(state, seat, rim, tool) & BIT[at]
        )

    return tuple((rim, found) for rim in RIM if rim not in state.tools and (found := tools(rim)))


def gems_on(state: State, of: Squares) -> tuple[Gem, ...]:
    found = (state.gem_at(at) for at in squares_in_order(of))
    return tuple(gem for gem in found if gem is not None)


def gems_at(state: State, found: Iterable[Place]) -> tuple[Gem, ...]:
    return gems_on(state, set_of_squares(found))


def worth_of(state: State, seat: int, of: Squares) -> str:
    """Return the gems on these squares with their points for a seat, and the amethyst of a set."""
    points = points_of_gems(state, of) + points_of_own_specials(state, seat, of)
    return terms.worth(gems_on(state, of), points, new_sets(state, seat, of))


def gain_of(state: State, seat: int, of: Squares) -> str:
    """Return these gems and points in few words: ``2 opals +6``."""
    return f"{terms.gems_in_few_words(gems_on(state, of))}{points_of(state, seat, of)}"


def points_of(state: State, seat: int, of: Squares) -> str:
    points = points_of_gems(state, of) + points_of_own_specials(state, seat, of)
    return terms.gain_words(gems_on(state, of), points, new_sets(state, seat, of))


class HandPreview(msgspec.Struct, frozen=True):
    tool: Tool
    kind: Kind

    def placement_at(self, place: Place) -> LayTool:
        return LayTool(self.kind, self.tool, place)


def take_tool_in_hand(state: State, seat: int, tool: Tool, before: HandPreview | None) -> HandPreview | None:
    """Return the tool in hand; a tool that is already held becomes the next kind with this side."""
    kinds = kinds_left(state, seat, tool)
    if not kinds:
        return None
    if before is not None and before.tool == tool and before.kind in kinds:
        return HandPreview(tool, kinds[(kinds.index(before.kind) + 1) % len(kinds)])
    return HandPreview(tool, kinds[0])


def turn_tool_in_hand(hand: HandPreview) -> HandPreview:
    one, other = SIDES_OF[hand.kind]
    return HandPreview(other if hand.tool == one else one, hand.kind)


def keep_tool_in_hand(state: State, seat: int, hand: HandPreview | None) -> HandPreview | None:
    """Return the hand while the seat has such a tool, else the first available tool."""
    if hand is not None:
        kinds = kinds_left(state, seat, hand.tool)
        if kinds:
            return hand if hand.kind in kinds else HandPreview(hand.tool, kinds[0])
    return next((found for tool in TOOLS if (found := take_tool_in_hand(state, seat, tool, None))), None)


PLACES = (*BIT, *RAYS)


def board_place_beside(at: Place, to: Place) -> Place:
    """Return the nearest place in a direction, straight ahead first; ``at`` itself at the edge."""
    dx, dy = to

    def far(place: Place) -> tuple[int, int]:
        x, y = place[0] - at[0], place[1] - at[1]
        ahead, aside = (x * dx, abs(y)) if dx else (y * dy, abs(x))
        return (ahead + 2 * aside, aside)

    ahead = [place for place in PLACES if (place[0] - at[0]) * dx + (place[1] - at[1]) * dy > 0]
    return min(ahead, key=far, default=at)


class Slip(NamedTuple):
    words: str
    others: bool  # whether another tool, or this one elsewhere, would collect something


def probable_slip(state: State, names: tuple[str, ...], seat: int, action: object) -> Slip | None:
    hands, more = 0, ""
    match action:
        case LayTool(_, tool, at):
            (trial,) = (each for each in tool_trials(state, seat, at) if each.tool == tool)
            takes, hands, more = trial.takes, trial.hands, trial.more
        case PlaceCompanion(at):
            there = companion_visit(state, at)
            takes = there.takes or int(there.gem is not None)
        case _:
            return None
    others = not takes and bool(placements_that_bring(state, seat))
    if takes or not (others or hands):
        return None
    given = f" and opens {worth_of(state, 1 - seat, hands)}{more}, to {names[1 - seat]}" if hands else ""
    return Slip(f"This collects nothing{given}{'; another tool would' * others}", others)
