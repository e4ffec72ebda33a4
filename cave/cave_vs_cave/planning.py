"""Whole turns planned ahead: a beam over the orders in which a tile's actions can be done.

Rooms that are dug up are not counted on: which one lies there nobody knows.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from cave.cave_vs_cave.actions import Action, Anytime, Choice, EndTurn, Take, UseRoom
from cave.cave_vs_cave.choices import choices as offers
from cave.cave_vs_cave.goods import FOOD
from cave.cave_vs_cave.judgement import WORTH, Judgement, judgement
from cave.cave_vs_cave.rules import apply
from cave.cave_vs_cave.state import State

STEPS = 14
"""Actions of a turn that are thought ahead."""
PAID = 2
"""Ways to pay any three goods that are tried."""
_END = EndTurn()


class Turn(Struct, frozen=True):
    """A planned turn: its actions, what it comes to, and the state after it, the end of the turn left out."""

    actions: tuple[Action, ...]
    value: float
    state: State


def plans(state: State, seat: int, width: int, rng: Random) -> list[Turn]:
    """Return turns of a seat that is to act, the best first, for each first action the best of its turns.

    ``width`` is the number of positions kept after each step.
    """
    mind = judgement(state, seat)
    firsts = [each.action for each in worth_a_thought(state, seat, offers(state, seat))]
    found = []
    if state.phase == "take":
        firsts = [action for action in firsts if isinstance(action, Take)]
    elif any(isinstance(each.action, EndTurn) for each in offers(state, seat)):
        found.append(Turn((_END,), mind.value(state), state))
    if state.phase == "take":
        found += [best(mind, _after(state, seat, action), width, (action,)) for action in firsts]
    else:
        # The steps after the first are the same for many: they share one beam.
        found += _by_first(mind, state, firsts, width)
    order = {id(turn): rng.random() for turn in found}
    return sorted(found, key=lambda turn: (-turn.value, order[id(turn)]))


def best(mind: Judgement, state: State, width: int, before: tuple[Action, ...] = ()) -> Turn:
    """Return the best turn from here on that the beam finds."""
    return max(_beam(mind, [Turn(before, mind.value(state), state)], width), key=lambda turn: turn.value)


def _by_first(mind: Judgement, state: State, firsts: Sequence[Action], width: int) -> list[Turn]:
    starts = []
    for action in firsts:
        after = _after(state, mind.seat, action)
        starts.append(Turn((action,), mind.value(after), after))
    found = {repr(turn.actions[0]): turn for turn in starts}
    for turn in _beam(mind, starts, 2 * width):
        first = repr(turn.actions[0])
        if turn.value > found[first].value:
            found[first] = turn
    return list(found.values())


def _beam(mind: Judgement, starts: Sequence[Turn], width: int) -> Iterator[Turn]:
    """Yield turns, each of which may end where it is."""
    seen = {_key(turn.state) for turn in starts}
    running = list(starts)
    for _ in range(STEPS):
        ahead: list[Turn] = []
        for turn in running:
            if not _must_go_on(turn.state, mind.seat):
                yield turn
            if turn.state.seat != mind.seat or turn.state.phase == "take":
                continue
            for choice in worth_a_thought(turn.state, mind.seat, offers(turn.state, mind.seat)):
                after = _after(turn.state, mind.seat, choice.action)
                key = _key(after)
                if key not in seen:
                    seen.add(key)
                    ahead.append(Turn((*turn.actions, choice.action), mind.value(after), after))
        if not ahead:
            return
        running = sorted(ahead, key=lambda turn: -turn.value)[:width]
    yield from running


def _must_go_on(state: State, seat: int) -> bool:
    return state.seat == seat and state.phase in ("dig", "cavern")


def _after(state: State, seat: int, action: Action) -> State:
    """The state after an action; a room that it reveals stays unknown."""
    after = apply(state, seat, action).state
    if len(after.display) > len(state.display):
        known = {*state.display}
        after = replace(after, display=tuple(room for room in after.display if room in known))
    return after


def _key(state: State) -> Hashable:
    player = state.players[state.seat if state.seat is not None else 0]
    return (
        player.goods,
        frozenset(player.rooms.items()),
        frozenset(player.covered),
        player.walls,
        state.done,
        state.additional,
        state.prospected,
        state.used,
        state.phase,
        state.seat,
        len(state.display),
    )


def worth_a_thought(state: State, seat: int, offered: Sequence[Choice]) -> list[Choice]:
    """Return the choices but the end of the turn; of those that pay any three goods the cheapest only."""
    goods = state.players[seat].goods
    rest, any_three = [], []
    for each in offered:
        if isinstance(each.action, UseRoom) and each.action.goods:
            any_three.append(each)
        elif isinstance(each.action, Anytime):
            rest += [each] * _may_help(state, seat)
        elif not isinstance(each.action, EndTurn):
            rest.append(each)
    # One that the Wood Storeroom is about to bring may be among them.
    any_three.sort(key=lambda each: sum(WORTH[good] / (goods[good] + 1) for good, _ in each.price))
    return rest + any_three[:PAID]


def _may_help(state: State, seat: int) -> bool:
    """Whether more food may help in this turn."""
    return state.phase == "actions" and state.players[seat].goods[FOOD] < 6
