"""Choices of a seat with their prices, and why the rest is not possible."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from cave.the_cave import actions as act
from cave.the_cave import checks, prices
from cave.the_cave.actions import Action, AnyChoice, Choice, Form, Move, Place
from cave.the_cave.geometry import BASE, Coord, around
from cave.the_cave.packing import camp_here, discard_form, exchange_form, pack_form, suggested
from cave.the_cave.placing import placements
from cave.the_cave.refusals import sentence
from cave.the_cave.state import NOTHING, Items, Kind, State, Team, Tile, TileKind


def choices(state: State, seat: int) -> tuple[AnyChoice, ...]:
    """Return every legal action of the seat in a stable order; empty when it is not to act.

    Order: moves (N, E, S, W; foot, oxygen, raft, force), discover, dive, photograph, the camp, the
    forms, end of turn.
    """
    if checks.check_seat(state, seat):
        return ()
    team = state.teams[seat]
    match state.phase:
        case "actions":
            return tuple(_actions(state, team))
        case "placing":
            return tuple(_place(place) for place in placements(state.board, team.at, _drawn(state)))
        case "packing":
            return (pack_form(team, free=True),)
        case _:
            forced = tuple(prices.forced(to) for to, _, _ in prices.passages(state, team.at))
            return forced or (act.END_TURN,)


def _drawn(state: State) -> TileKind:
    assert state.drawn is not None
    return state.drawn


@lru_cache(maxsize=4096)
def _place(place: Place) -> Choice:
    return act.FREE.choice(place)


_DIVE = prices.DIVE.choice(act.Dive())
_PHOTOGRAPH = prices.PHOTOGRAPH.choice(act.Photograph())


def _actions(state: State, team: Team) -> list[AnyChoice]:
    found: list[AnyChoice] = list(prices.moves(state, team, state.ap))
    if not checks.check_discover(state, team):
        found.append(act.DISCOVER)
    here = state.board[team.at]
    if here.token:
        if not checks.check_dive(state, team):
            found.append(_DIVE)
        if not checks.check_photograph(state, team):
            found.append(_PHOTOGRAPH)
    if team.camp.state == "packed":
        if not checks.check_pitch(state, team):
            found.append(act.PITCH)
        if team.at == BASE:
            found.append(act.ABANDON)
    elif not checks.check_strike(state, team):
        found.append(act.STRIKE)
    found += _forms(state, team)
    found.append(act.END_TURN)
    return found


def _forms(state: State, team: Team) -> list[Form]:
    found = []
    if camp_here(team) and (team.backpack.slots or team.camp.items.slots):
        found.append(exchange_form(team.backpack, team.camp.items))
    if team.at == BASE and state.ap >= act.PACK_AP:
        found.append(pack_form(team, free=False))
    if team.backpack.slots:
        found.append(discard_form(team.backpack))
    return found


def idle(state: State, seat: int) -> Action:
    """Return what does least: the turn's end, the suggested kit (rule 2.3), or the first way there is."""
    found = choices(state, seat)
    if act.END_TURN in found:
        return act.END_TURN.action
    ways = [choice.action for choice in found if isinstance(choice, Choice)]
    if ways:
        return ways[0]
    return next(suggested(form) for form in found if isinstance(form, Form))


_HERE = (act.Discover(), act.Dive(), act.Photograph(), act.Pitch(), act.Strike(), act.Abandon())
_EXCHANGE = act.Exchange(Items(consumable=1), NOTHING)
_DISCARD = act.Discard(Items(consumable=1))


def attempts(state: State, team: Team) -> list[Action]:
    """Return the actions a person might try: every type, and every way to every side."""
    tried: list[Action] = []
    for _, to, _, _ in around(team.at):
        tile = state.board.get(to)
        tried += _tries(to, None if tile is None else tile.kind)
    return [*tried, *_HERE, _EXCHANGE, act.Pack(team.backpack), _DISCARD, act.END_TURN.action]


@lru_cache(maxsize=4096)
def _tries(to: Coord, kind: Kind | None) -> tuple[Move, ...]:
    if kind is None:
        return (Move(to, "foot"),)
    return (*(Move(to, by) for by in prices.ways(kind)), Move(to, "force"))


def why_not(state: State, seat: int) -> list[tuple[Action, str, str]]:
    """(action, code, sentence) for what a person might try in vain now; empty when not to act."""
    if checks.check_seat(state, seat):
        return []
    team = state.teams[seat]
    if state.phase == "actions":
        forms = {form.kind for form in _forms(state, team)}
        # Most of what might be tried in vain leads where there is no passage.
        connected = {to: (tile, climb) for to, tile, climb in prices.passages(state, team.at)}
        refused = [
            (action, _code(state, team, action, connected))
            for action in attempts(state, team)
            if action.type not in forms
        ]
    else:
        refused = [(action, checks.check(state, seat, action)) for action in attempts(state, team)]
    return [(action, code, sentence(state, seat, action, code)) for action, code in refused if code]


def _code(state: State, team: Team, action: Action, connected: Mapping[Coord, tuple[Tile, int]]) -> str:
    """Return why the action is refused."""
    if isinstance(action, Move):
        way = connected.get(action.to)
        return "no_passage" if way is None else checks.check_way(state, team, action, *way)
    if action.type == "pack" and team.at != BASE:
        return "not_at_base"  # What it holds the team carries, so nothing else is wrong with it.
    return checks.check_rest(state, team, action)
