"""What can be done now, as a numbered list; a number does it."""

from __future__ import annotations

import attrs

from cave.the_cave.actions import AnyChoice, Choice, Form, Move, Place
from cave.the_cave.geometry import around, turned
from client.games.the_cave import actions, terms
from client.games.the_cave.actions import WAYS, Offer
from client.games.the_cave.lines.places import sides
from client.games.the_cave.lines.spoken import place, spoken
from client.games.the_cave.scene import Desk
from client.games.the_cave.terms import SIDE_WORDS

_FIRST = ("dive", "photograph", "discover")
_LAST = ("pitch", "strike", "pack", "exchange", "discard", "abandon", "end_turn")
_WORDS = {
    "discover": "discover a tile",
    "dive": "dive for the token",
    "photograph": "photograph, take the token",
    "pitch": "pitch the camp",
    "strike": "strike the camp",
    "pack": "pack the backpack",
    "exchange": "exchange with the camp",
    "discard": "discard things",
    "abandon": "abandon the camp",
    "end_turn": "end the turn",
}
_COMMANDS = {"photograph": "photo", "end_turn": "end"}
"""The command of an action where it is not the action's own word."""
_KINDS = {command: kind for kind, command in _COMMANDS.items()}


@attrs.frozen
class Line:
    """A line of the list. It does a ``choice``, or else the ``command`` of that name."""

    text: str
    choice: Choice | None = None
    command: str = ""


def lines(desk: Desk) -> tuple[Line, ...]:
    """Everything legal now, in the order of a person's interest: tokens, ways, the rest, by force."""
    if desk.seat is None or not desk.can_act:
        return ()
    if desk.mode == "placing":
        return tuple(_place(desk, choice) for choice in desk.choices if isinstance(choice, Choice))
    found = actions.offers(desk.cave, desk.seat, desk.choices)
    usual = [_move(desk, offer) for offer in found if not offer.by_force]
    forced = [_move(desk, offer) for offer in found if offer.by_force]
    return (*_plain(desk, _FIRST), *usual, *_plain(desk, _LAST), *forced)


def way_options(desk: Desk, choices: tuple[Choice, ...]) -> tuple[Line, ...]:
    """Some moves of the shown seat."""
    return tuple(_move(desk, offer) for offer in actions.offers(desk.cave, desk.seat or 0, choices))


def _plain(desk: Desk, kinds: tuple[str, ...]) -> list[Line]:
    found = []
    for kind in kinds:
        choice: AnyChoice | None = actions.find(desk.choices, kind)
        if choice is None:
            continue
        price = terms.price(choice.price)
        if kind == "end_turn":
            price = f"loses {desk.cave.ap} AP" if desk.cave.ap else ""
        facts = [_WORDS[kind], price, terms.gain(choice.price.points)]
        text = ", ".join(fact for fact in facts if fact)
        plain = choice if isinstance(choice, Choice) and kind in ("dive", "photograph", "discover") else None
        found.append(Line(text, plain, _COMMANDS.get(kind, kind)))
    return found


def _move(desk: Desk, offer: Offer) -> Line:
    move = offer.choice.action
    assert isinstance(move, Move)
    tile = desk.cave.board[move.to]
    verb = "force a way" if move.by == "force" else "move"
    side = next(SIDE_WORDS[near.side] for near in around(desk.team_at) if near.at == move.to)
    kind = terms.kind(tile.kind, tile.level)
    by = "" if move.by == "force" else WAYS[move.by]
    into = f"{verb} {side} to {kind} at {place(move.to)} {by}".rstrip()
    depth = "" if tile.depth == desk.cave.board[desk.team_at].depth else f"depth {terms.depth(tile.depth)}"
    facts = [into, depth, offer.price, offer.gain]
    if move.by == "force":
        facts.append(offer.brings)
    return Line(spoken(", ".join(fact for fact in facts if fact)), offer.choice)


def _place(desk: Desk, choice: Choice) -> Line:
    action, drawn = choice.action, desk.cave.drawn
    assert isinstance(action, Place)
    assert drawn is not None
    side = SIDE_WORDS[terms.toward(desk.team_at, action.at)]
    exits = "" if action.rotation is None else f", exits {sides(turned(drawn.open, action.rotation))}"
    return Line(f"{side} at {place(action.at)}{exits}", choice)


def refused(desk: Desk) -> list[str]:
    """What is not possible now, and why not (with the rule's number)."""
    assert desk.seat is not None
    lines = [
        f"{line.label.capitalize()}: {line.why}"
        for line in actions.lines(desk.cave, desk.seat, desk.choices, desk.refusals)
        if not line.legal and line.do != "moves"
    ]
    legal = {choice.action.to for choice in actions.moves(desk.choices)}  # type: ignore[union-attr]
    for side, to, _, _ in around(desk.team_at):
        why = actions.why_at(desk.refusals, to)
        if why and to not in legal and to in desk.cave.board:
            lines.append(f"Move {SIDE_WORDS[side]}: {why}")
    return lines


def why_not(desk: Desk, kind: str) -> str:
    """Why an action of this kind is not possible, or nothing when it is."""
    if actions.find(desk.choices, kind) is not None:
        return ""
    return next((no.message for no in desk.refusals if no.action.get("type") == kind), "")


def kind(command: str) -> str:
    """The kind of action that a command is for."""
    return _KINDS.get(command, command)


def form_of(desk: Desk, kind: str) -> Form | None:
    """The form of a pack, an exchange or a discard, where it is legal now."""
    found = actions.find(desk.choices, kind)
    return found if isinstance(found, Form) else None
