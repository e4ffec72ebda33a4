"""What an action does. ``apply`` is the only way from one state to the next."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import attrs

from cave.codec import Place
from cave.game import Step
from cave.sir_ocelots_cave import actions as act
from cave.sir_ocelots_cave import checks
from cave.sir_ocelots_cave.actions import Action
from cave.sir_ocelots_cave.board import BIT, LEVEL, in_reading_order
from cave.sir_ocelots_cave.components import BAGS, GEMS, KEPT, KINDS, Gem
from cave.sir_ocelots_cave.events import (
    Advanced,
    Collected,
    CollectedGem,
    CompanionPlaced,
    Drew,
    Ended,
    Event,
    ShownAmethyst,
    ToolPlaced,
    TurnBegan,
    TurnEnded,
)
from cave.sir_ocelots_cave.refusals import refuse
from cave.sir_ocelots_cave.sight import collectable, with_tool
from cave.sir_ocelots_cave.state import Amethyst, LaidTool, Player, State, with_player

Result = Step[State, Event]


def apply(state: State, seat: int, action: Action) -> Result:
    """The state after the action and what happened; raises Refused, and then nothing changed."""
    code = checks.check(state, seat, action)
    if code:
        raise refuse(state, seat, action, code)
    return _DO[type(action)](state, seat, action)


def _advance(state: State, seat: int, action: act.Advance) -> Result:
    """Rule 3.2."""
    start = state.players[seat].companion
    assert start is not None
    after, takes, drawn = _enter(state, seat, action.to)
    return Step(attrs.evolve(after, phase="placing"), (Advanced(seat, start, action.to, takes), *drawn))


def _companion(state: State, seat: int, action: act.PlaceCompanion) -> Result:
    """Rule 3.4."""
    after, takes, drawn = _enter(state, seat, action.at)
    return _step_3(after, seat, [CompanionPlaced(seat, action.at, takes), *drawn])


def _enter(state: State, seat: int, at: Place) -> tuple[State, Gem | None, list[Drew]]:
    """The state with the companion on that square, what it takes there, and what that makes it draw."""
    player = attrs.evolve(state.players[seat], companion=at)
    state = attrs.evolve(state, players=with_player(state.players, seat, player))
    gem = state.gem_at(at)
    if gem is None:
        return state, None, []
    after, _, drawn = _take(state, seat, (at,))
    return after, gem, drawn


def _tool(state: State, seat: int, action: act.LayTool) -> Result:
    """Rule 3.3."""
    kind = KINDS.index(action.kind)
    before = state.players[seat]
    left = (*before.tools[:kind], before.tools[kind] - 1, *before.tools[kind + 1 :])
    player = Player(before.name, left, before.companion, before.collected, before.amethysts)
    after = State(
        state.settings,
        with_player(state.players, seat, player),
        state.gems,
        {**state.tools, action.at: LaidTool(action.kind, action.side)},
        with_tool(state.sight, action.at, action.side),
        state.bags,
        seat,
        state.phase,
        state.first_seat,
    )
    return _step_3(after, seat, [ToolPlaced(seat, action.at, action.kind, action.side)])


def _step_3(state: State, seat: int, events: list[Event]) -> Result:
    """Rule 3.6: with nothing to collect, the turn ends by itself."""
    if collectable(state, seat):
        return Step(attrs.evolve(state, phase="collecting"), tuple(events))
    return _end_turn(state, seat, events)


def _collect(state: State, seat: int, action: act.Collect) -> Result:
    """Rule 3.5."""
    after, gems, drawn = _take(state, seat, in_reading_order(action.gems))
    return _end_turn(after, seat, [Collected(seat, tuple(gems)), *drawn])


def _take(state: State, seat: int, found: Sequence[Place]) -> tuple[State, list[CollectedGem], list[Drew]]:
    """Take the gems of these squares one by one, and draw for geodes and celestites (rule 5)."""
    player, gems, bags = state.players[seat], list(state.gems), list(state.bags)
    amethysts = list(player.amethysts)
    collected = list(player.collected)
    sets = player.sets
    taken: list[CollectedGem] = []
    drawn: list[Drew] = []

    def draw(bag: int, by: Any) -> None:
        value, *rest = bags[bag]
        bags[bag] = tuple(rest)
        amethysts.append(Amethyst(BAGS[bag], value))
        drawn.append(Drew(seat, BAGS[bag], value, by))

    for at in found:
        bit = BIT[at]
        kind = next(index for index, where in enumerate(gems) if where & bit)
        gems[kind] ^= bit
        taken.append(CollectedGem(at, GEMS[kind]))
        if kind == len(KEPT):
            draw(LEVEL[at] - 1, "geode")
            continue
        collected[kind] += 1
        if min(collected[1:4]) > sets:
            sets += 1
            draw(0, "celestites")
    player = attrs.evolve(player, collected=tuple(collected), amethysts=tuple(amethysts))
    players = with_player(state.players, seat, player)
    return attrs.evolve(state, players=players, gems=tuple(gems), bags=tuple(bags)), taken, drawn


def _end_turn(state: State, seat: int, events: list[Event]) -> Result:
    """Rules 3.6 and 6.1."""
    other = 1 - seat
    ended = (*events, TurnEnded(seat))
    if not any(player.pieces for player in state.players):
        shown = tuple(
            tuple(ShownAmethyst(each.bag, _known(each)) for each in player.amethysts)
            for player in state.players
        )
        return Step(attrs.evolve(state, seat=None, phase="over"), (*ended, Ended(shown)))
    after = State(
        state.settings,
        state.players,
        state.gems,
        state.tools,
        state.sight,
        state.bags,
        other,
        "advancing",
        state.first_seat,
    )
    return Step(after, (*ended, TurnBegan(other)))


def _known(amethyst: Amethyst) -> Any:
    assert amethyst.value is not None, "a view is not played on"
    return amethyst.value


_DO: dict[type, Callable[[State, int, Any], Result]] = {
    act.Advance: _advance,
    act.LayTool: _tool,
    act.PlaceCompanion: _companion,
    act.Collect: _collect,
}
