"""What a seat may do now, with prices, and why the rest is not possible."""

from __future__ import annotations

from functools import lru_cache

from cave.the_cave import actions as act
from cave.the_cave import checks, prices
from cave.the_cave.actions import Action, AnyChoice, Choice, Form, Move, Place
from cave.the_cave.geometry import BASE, around
from cave.the_cave.packing import camp_here, discard_form, exchange_form, pack_form, suggested
from cave.the_cave.placing import placements
from cave.the_cave.refusals import sentence
from cave.the_cave.state import NOTHING, State, Team, TileKind


def choices(state: State, seat: int) -> tuple[AnyChoice, ...]:
    """Every legal action of the seat in a stable order; empty when it is not to act.

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
    return Choice(place, act.FREE)


_DIVE = Choice(act.Dive(), prices.DIVE)
_PHOTOGRAPH = Choice(act.Photograph(), prices.PHOTOGRAPH)


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
    camp = team.camp.state
    if camp == "packed":
        if not checks.check_pitch(state, team):
            found.append(act.PITCH)
        if team.at == BASE:
            found.append(act.ABANDON)
    elif camp == "pitched" and camp_here(team):
        if not checks.check_strike(state, team):
            found.append(act.STRIKE)
        if team.backpack.slots or team.camp.items.slots:
            found.append(exchange_form(team.backpack, team.camp.items))
    if team.at == BASE and state.ap >= act.PACK_PRICE.ap:
        found.append(pack_form(team, free=False))
    if team.backpack.slots:
        found.append(discard_form(team.backpack))
    found.append(act.END_TURN)
    return found


def idle(state: State, seat: int) -> Action:
    """What does least: the end of the turn, the suggested kit (rule 2.3), or the first way there is."""
    found = choices(state, seat)
    if act.END_TURN in found:
        return act.END_TURN.action
    ways = [choice.action for choice in found if isinstance(choice, Choice)]
    if ways:
        return ways[0]
    return next(suggested(form) for form in found if isinstance(form, Form) and form.kind == "pack")


def attempts(state: State, team: Team) -> list[Action]:
    """The actions a person might try: every type, and every way to every side."""
    tried: list[Action] = []
    for _, to, _, _ in around(team.at):
        tile = state.board.get(to)
        ways = prices.ways(tile.kind) if tile is not None else ("foot",)
        tried += [Move(to, by) for by in ways]
        if tile is not None:
            tried.append(Move(to, "force"))
    tried += [
        act.Discover(),
        act.Dive(),
        act.Photograph(),
        act.Pitch(),
        act.Strike(),
        act.Abandon(),
        act.Exchange(NOTHING, NOTHING),
        act.Pack(team.backpack),
        act.Discard(NOTHING),
        act.EndTurn(),
    ]
    return tried


def why_not(state: State, seat: int) -> list[tuple[Action, str, str]]:
    """(action, code, sentence) for what a person might try in vain now; empty when not to act."""
    if checks.check_seat(state, seat):
        return []
    team = state.teams[seat]
    forms = {choice.kind for choice in choices(state, seat) if isinstance(choice, Form)}
    found: list[tuple[Action, str, str]] = []
    for action in attempts(state, team):
        if action.type in forms:
            continue
        code = checks.check(state, seat, action)
        if action.type == "exchange" and code == "bad_action":
            # The empty form that stands for any exchange: tell what every exchange would be told.
            code = "not_carried" if camp_here(team) else "camp_not_here"
        if action.type == "discard" and code == "bad_action":
            code = "not_carried"
        if code:
            found.append((action, code, sentence(state, seat, action, code)))
    return found
