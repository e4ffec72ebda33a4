"""The effects of actions, turns, upkeep and the end (rules 3, 7.1 and 7.2).

``apply`` is the only way from one state to the next.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from cave.game import Refused, Step
from cave.the_cave import actions as act
from cave.the_cave import routes
from cave.the_cave.actions import Action, Choice, Event
from cave.the_cave.legal import judge_action
from cave.the_cave.packing import is_at_own_camp, unique_items_lost
from cave.the_cave.state import BASE, CHOKE, TURN_AP, Camp, Phase, State, Team, TileKind, Tokens, edge
from cave.the_cave.tiles import laid_tile, lay_tile, legal_placements

Result = Step[State, Event]


def apply(state: State, seat: int, action: Action) -> Result:
    found = judge_action(state, seat, action)
    if isinstance(found, tuple):
        raise Refused(*found)
    return _DO[type(action)](state, seat, state.teams[seat], found or action)


def _pack_kit(state: State, seat: int, team: Team, action: act.Pack) -> Result:
    camp = team.camp
    if action.camp is not None:
        camp = Camp("packed" if camp.state == "beside" else camp.state, camp.at, action.camp)
    packed = replace(team, backpack=action.backpack, camp=camp)
    if state.phase == "actions":
        return _with_event(state, seat, packed, act.PACK_AP, act.Packed(seat, action.backpack, action.camp))
    done = state.packed | {seat}
    event = act.Packed(seat, action.backpack, action.camp, secret=True)
    after = state.with_team(seat, packed, packed=done)
    if len(done) < len(state.teams):
        return Step(after, (event,))
    after, begun = begin_turn(replace(after, packed=frozenset()), state.first_seat)  # rules 2.3 and 2.4
    return Step(after, (event, act.Began(state.first_seat), *begun))


def _discover_tile(state: State, seat: int, team: Team, _action: act.Discover) -> Result:
    index = next(number for number, stack in enumerate(state.stacks) if stack)
    drawn, *rest = state.stacks[index]
    stacks = (*state.stacks[:index], tuple(rest), *state.stacks[index + 1 :])
    events: tuple[Event, ...] = (act.Drew(seat, drawn),)
    in_hand: TileKind = drawn
    if not legal_placements(state.board, team.at, drawn):
        in_hand = CHOKE
        events = (*events, act.NothingFits(seat))
    after = replace(state, stacks=stacks, ap=state.ap - act.DISCOVER.ap, phase="placing", drawn=in_hand)
    return Step(after, events)


def _place_tile(state: State, seat: int, team: Team, action: act.Place) -> Result:
    drawn = state.drawn
    assert drawn is not None
    tile = laid_tile(drawn, action.at, action.rotation, state.board[team.at])
    placed = act.Placed(seat, action.at, TileKind(tile.kind, tile.open, tile.level), tile.depth)
    after = replace(lay_tile(state, tile), phase="actions", drawn=None)
    after, triggered = check_end_trigger(after)
    return Step(after, (placed, *triggered))


def _move_team(state: State, seat: int, team: Team, price: Choice) -> Result:
    action = price.action
    assert isinstance(action, act.Move)
    brings = price.brings
    event = act.Moved(seat, team.at, action.to, action.by, price.ap, price.uses.rope, brings, price.points)
    if action.by == "force":
        after, ended = end_turn(state.with_team(seat, replace(team, at=action.to)))
        return Step(after, (event, *ended))
    board, ropes = state.board, state.ropes
    if brings.water or brings.squeeze:
        board = _board_without_token(state, action.to)
    backpack = team.backpack
    if climbed := price.uses.rope:
        ropes = {**ropes, edge(team.at, action.to): climbed}
        backpack = replace(backpack, rope=backpack.rope - climbed)
    if price.uses.tank:
        backpack = backpack.use_tank()
    moved_team = Team(action.to, backpack, team.camp, _add_tokens(team.tokens, brings), team.lost)
    after = state.with_team(seat, moved_team, board=board, ropes=ropes, ap=state.ap - price.ap)
    return Step(after, (event,))


def _board_without_token(state: State, at: tuple[int, int]) -> dict[tuple[int, int], Any]:
    return {**state.board, at: replace(state.board[at], token=False)}


def _add_tokens(tokens: Tokens, brings: act.Gain) -> Tokens:
    if brings == act.NO_GAIN:
        return tokens
    squeeze = list(tokens.squeeze)
    if brings.squeeze:
        squeeze[brings.squeeze - 1] += 1
    depth = tuple(sorted({*tokens.depth, brings.depth})) if brings.depth else tokens.depth
    return Tokens(
        tokens.traverse + brings.traverse,
        tokens.photo + brings.photo,
        tokens.water + brings.water,
        (squeeze[0], squeeze[1], squeeze[2]),
        depth,
    )


def _take_token(state: State, seat: int, team: Team, action: act.Dive | act.Photograph) -> Result:
    dives = isinstance(action, act.Dive)
    price, backpack = (routes.DIVE, team.backpack.use_tank()) if dives else (routes.PHOTOGRAPH, team.backpack)
    happier = replace(team, backpack=backpack, tokens=_add_tokens(team.tokens, price.brings))
    board = _board_without_token(state, team.at)
    after = state.with_team(seat, happier, board=board, ap=state.ap - price.ap)
    return Step(after, (act.Took(seat, team.at, price.brings, price.points),))


def _with_event(state: State, seat: int, team: Team, ap: int, event: Event) -> Result:
    return Step(state.with_team(seat, team, ap=state.ap - ap), (event,))


def _pitch_camp(state: State, seat: int, team: Team, _action: act.Pitch) -> Result:
    pitched = replace(team, camp=Camp("pitched", team.at, team.camp.items))
    return _with_event(state, seat, pitched, act.PITCH.ap, act.Pitched(seat, team.at))


def _strike_camp(state: State, seat: int, team: Team, _action: act.Strike) -> Result:
    struck = replace(team, camp=Camp("packed", None, team.camp.items))
    return _with_event(state, seat, struck, act.STRIKE.ap, act.Struck(seat, team.at))


def _abandon_camp(state: State, seat: int, team: Team, _action: act.Abandon) -> Result:
    items = team.camp.items
    poorer = replace(team, camp=Camp("abandoned"), lost=unique_items_lost(team, items))
    return _with_event(state, seat, poorer, act.ABANDON.ap, act.Abandoned(seat, items))


def _exchange_items(state: State, seat: int, team: Team, action: act.Exchange) -> Result:
    give, take = action.to_camp, action.to_backpack
    camp = replace(team.camp, items=team.camp.items + give - take)
    moved = replace(team, backpack=team.backpack - give + take, camp=camp)
    return _with_event(state, seat, moved, 0, act.Exchanged(seat, give, take))


def _discard_items(state: State, seat: int, team: Team, action: act.Discard) -> Result:
    items = action.items
    poorer = replace(team, backpack=team.backpack - items, lost=unique_items_lost(team, items))
    return _with_event(state, seat, poorer, 0, act.Discarded(seat, items))


def _end_turn_by_choice(state: State, seat: int, _team: Team, _action: act.EndTurn) -> Result:
    after, events = end_turn(state)
    return Step(after, (act.TurnEnded(seat, state.ap), *events))


_DO: dict[type, Callable[[State, int, Team, Any], Result]] = {
    act.Move: _move_team,
    act.Pack: _pack_kit,
    act.Discover: _discover_tile,
    act.Place: _place_tile,
    act.Dive: _take_token,
    act.Photograph: _take_token,
    act.Pitch: _pitch_camp,
    act.Strike: _strike_camp,
    act.Abandon: _abandon_camp,
    act.Exchange: _exchange_items,
    act.Discard: _discard_items,
    act.EndTurn: _end_turn_by_choice,
}


FINAL_ROUNDS = 3  # rule 7.2, English edition


def begin_turn(state: State, seat: int) -> tuple[State, list[Event]]:
    """Return the state at the start of a seat's turn, after upkeep (rules 3.1 to 3.3)."""
    events: list[Event] = [act.TurnBegan(seat)]
    team = state.teams[seat]
    phase: Phase = "actions"
    if team.at != BASE:
        pack, camp = team.backpack, team.camp
        if pack.consumable:
            team = replace(team, backpack=replace(pack, consumable=pack.consumable - 1))
            events.append(act.Ate(seat, "backpack"))
        elif state.settings.camp_feeds and is_at_own_camp(team) and camp.items.consumable:
            items = replace(camp.items, consumable=camp.items.consumable - 1)
            team = replace(team, camp=replace(camp, items=items))
            events.append(act.Ate(seat, "camp"))
        else:
            phase = "starving"
            events.append(act.Starved(seat))
    return state.with_team(seat, team, seat=seat, ap=TURN_AP, phase=phase), events


def end_turn(state: State) -> tuple[State, list[Event]]:
    """End the current turn: the next team's turn, or the end of the game (rule 7.2)."""
    seat, left = state.seat, state.turns_left
    assert seat is not None
    if left is not None:
        left -= 1
        if left == 0:
            over = replace(state, seat=None, ap=0, phase="over", turns_left=0)
            return over, [act.Ended(seat)]
        state = replace(state, turns_left=left)
    return begin_turn(state, (seat + 1) % len(state.teams))


def count_final_turns(state: State) -> int:
    """Return the remaining turns if the end is triggered now, including the current one (rule 7.2)."""
    assert state.seat is not None
    seats = len(state.teams)
    if state.settings.final_phase == "one_turn":
        return 1 + seats
    return seats - (state.seat - state.first_seat) % seats + FINAL_ROUNDS * seats


def check_end_trigger(state: State) -> tuple[State, list[Event]]:
    """Trigger the end if the cave is explored or sealed (rule 7.1)."""
    if state.turns_left is not None or state.phase == "placing" or state.seat is None:
        return state, []
    if state.tiles_left and state.open_exits:
        return state, []
    left = count_final_turns(state)
    reason = "sealed" if state.tiles_left else "last_tile"
    return replace(state, turns_left=left), [act.EndTriggered(state.seat, reason, left)]  # type: ignore[arg-type]
