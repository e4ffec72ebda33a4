"""What can be done now, as a numbered list; a number does it."""

from __future__ import annotations

from msgspec import Struct

from cave.the_cave.actions import AnyChoice, Choice, Form, Move, Place
from cave.the_cave.geometry import around, turned
from client.games.the_cave.known import actions, terms
from client.games.the_cave.known.actions import WAYS, Offer
from client.games.the_cave.known.scene import CaveScene
from client.games.the_cave.known.terms import SIDE_WORDS
from client.games.the_cave.said.lines.places import sides
from client.games.the_cave.said.lines.spoken import place, spoken

_FIRST = ("dive", "photograph", "discover")
_LAST = ("pitch", "strike", "pack", "exchange", "discard", "abandon", "end_turn")
_WORDS = {**actions.LABELS, "photograph": "photograph, take the token", "discard": "discard things"}
_COMMANDS = {"photograph": "photo", "end_turn": "end"}
"""The command of an action where it is not the action's own word."""
_KINDS = {command: kind for kind, command in _COMMANDS.items()}


class Line(Struct, frozen=True):
    """A line of the list. It does a ``choice``, or else the ``command`` of that name."""

    text: str
    choice: Choice | None = None
    command: str = ""


def lines(scene: CaveScene) -> tuple[Line, ...]:
    """Return everything legal now, in the order of a person's interest: tokens, ways, the rest, by force."""
    if not scene.can_act:
        return ()
    if scene.mode == "placing":
        return tuple(_place(scene, choice) for choice in scene.choices if isinstance(choice, Choice))
    found = actions.offers(scene.cave, scene.seat, scene.choices)
    usual = [_move(scene, offer) for offer in found if not offer.by_force]
    forced = [_move(scene, offer) for offer in found if offer.by_force]
    return (*_plain(scene, _FIRST), *usual, *_plain(scene, _LAST), *forced)


def way_options(scene: CaveScene, choices: tuple[Choice, ...]) -> tuple[Line, ...]:
    """Return some of the moves of the shown seat."""
    return tuple(_move(scene, offer) for offer in actions.offers(scene.cave, scene.seat, choices))


def _plain(scene: CaveScene, kinds: tuple[str, ...]) -> list[Line]:
    found = []
    for kind in kinds:
        choice: AnyChoice | None = actions.find(scene.choices, kind)
        if choice is None:
            continue
        price = terms.price(choice.price)
        if kind == "end_turn":
            price = f"loses {scene.cave.ap} AP" if scene.cave.ap else ""
        facts = [_WORDS[kind], price, terms.gain(choice.price.points)]
        text = ", ".join(fact for fact in facts if fact)
        plain = choice if isinstance(choice, Choice) and kind in ("dive", "photograph", "discover") else None
        found.append(Line(text, plain, _COMMANDS.get(kind, kind)))
    return found


def _move(scene: CaveScene, offer: Offer) -> Line:
    move = offer.choice.action
    assert isinstance(move, Move)
    tile = scene.cave.board[move.to]
    verb = "force a way" if move.by == "force" else "move"
    side = next(SIDE_WORDS[near.side] for near in around(scene.team_at) if near.at == move.to)
    kind = terms.kind(tile.kind, tile.level)
    by = "" if move.by == "force" else WAYS[move.by]
    into = f"{verb} {side} to {kind} at {place(move.to)} {by}".rstrip()
    depth = "" if tile.depth == scene.cave.board[scene.team_at].depth else f"depth {terms.depth(tile.depth)}"
    facts = [into, depth, offer.price, offer.gain]
    if move.by == "force":
        facts.append(offer.brings)
    return Line(spoken(", ".join(fact for fact in facts if fact)), offer.choice)


def _place(scene: CaveScene, choice: Choice) -> Line:
    action, drawn = choice.action, scene.cave.drawn
    assert isinstance(action, Place)
    assert drawn is not None
    side = SIDE_WORDS[terms.toward(scene.team_at, action.at)]
    exits = "" if action.rotation is None else f", exits {sides(turned(drawn.open, action.rotation))}"
    return Line(f"{side} at {place(action.at)}{exits}", choice)


def refused(scene: CaveScene) -> list[str]:
    """Return what is not possible now, and why not (with the rule's number)."""
    lines = [
        f"{line.label.capitalize()}: {line.why}"
        for line in actions.lines(scene.cave, scene.seat, scene.choices, scene.refusals)
        if not line.legal and line.do != "moves"
    ]
    legal = {choice.action.to for choice in actions.moves(scene.choices)}  # type: ignore[union-attr]
    for side, to, _, _ in around(scene.team_at):
        why = actions.why_at(scene.refusals, to)
        if why and to not in legal and to in scene.cave.board:
            lines.append(f"Move {SIDE_WORDS[side]}: {why}")
    return lines


def why_not(scene: CaveScene, kind: str) -> str:
    """Return why an action of this kind is not possible, or nothing when it is."""
    if actions.find(scene.choices, kind) is not None:
        return ""
    return next((no.message for no in scene.refusals if no.action.get("type") == kind), "")


def kind(command: str) -> str:
    """Return the kind of action that a command is for."""
    return _KINDS.get(command, command)


def form_of(scene: CaveScene, kind: str) -> Form | None:
    """Return the form of a pack, an exchange or a discard, where it is legal now."""
    found = actions.find(scene.choices, kind)
    return found if isinstance(found, Form) else None
