"""Texts of line mode about places, ways, choices, teams and items; parsing of typed words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import msgspec
from msgspec.structs import replace

from cave.the_cave.actions import Choice, Form, Place
from cave.the_cave.routes import passages_from
from cave.the_cave.state import BASE, NOTHING, SIDES, Coord, ItemName, Items, neighbours_of, turn_sides
from cave.the_cave.tiles import unexplored_exits
from client.face import LogEntry
from client.games.the_cave import actions, facts, packing, terms
from client.games.the_cave.facts import luggage_facts, place_facts
from client.games.the_cave.packing import PackDraft
from client.games.the_cave.scene import CaveScene
from client.games.the_cave.terms import SIDE_WORDS
from client.games.the_cave.walk_plans import plan
from client.plain import shared_sentences
from client.plain.shared_sentences import OVER
from client.wording import count

# Speech: words for the signs that a screen reader skips

_DEPTH = re.compile(r"(?<![\w,])-(\d++)(?!,-?\d)")  # a minus that is not part of a place such as -1,2
_SIDE = re.compile(r"\b[NS]?[EW]\b(?! [A-Z][a-z])|\b[NS]\b")
"""N, SE and so on; E followed by a name is a team."""
_AT = re.compile(r" at (?=-?\d++(?!,-?\d))")  # before a depth, not a place such as -1,2
_AP = re.compile(r"\b(\d+ )AP\b")


def signs_as_words(text: str) -> str:
    """Return the text with words instead of signs."""
    text = _AT.sub(" at depth ", text)
    text = _SIDE.sub(lambda side: "".join(SIDE_WORDS[letter] for letter in side[0]), text)
    text = _AP.sub(lambda found: f"{found[1]}action point{'' if found[1] == '1 ' else 's'}", text)
    return _DEPTH.sub(r"minus \1", text)


def told_facts(entry: LogEntry) -> str:
    return shared_sentences.log_line_words(msgspec.structs.replace(entry, text=signs_as_words(entry.text)))


def spoken_sentence(text: str) -> str:
    """Return it spoken, with a capital and a full stop."""
    return shared_sentences.as_sentence(signs_as_words(text))


NO_PLACE = "Type a place as two numbers, such as 2,0, or a side, such as west."
PACKING_WATCHED = "All pack in secret; you hear what they took when the last one is ready."
NO_PLAN = {
    "packing": "The plan starts once everybody has packed.",
    "over": "The game is over: there is nothing left to plan.",
}
HOW_TO_PACK = "Type a number, or list things: pack 3 consumables 1 rope camera. To add a camp: camp 2 consumables"

# Places


def typed_place(at: Coord) -> str:
    """Return ``3,-1``, as it is typed."""
    return f"{at[0]},{at[1]}"


def tile_words(scene: CaveScene, at: Coord) -> str:
    found = place_facts(scene, at)
    return signs_as_words(f"{typed_place(at)} {', '.join((found.title, *found.facts))}.")


def tiles(scene: CaveScene) -> list[str]:
    """List every tile, by depth, then from the base outwards."""
    board = scene.cave.board
    order = sorted(board, key=lambda at: (board[at].depth, abs(at[0]) + abs(at[1]), at))
    return [tile_words(scene, at) for at in order]


def own_tile_lines(scene: CaveScene) -> list[str]:
    at = scene.team_at
    found = place_facts(scene, at)
    me = f"{terms.team_letter(scene.seat)} {scene.view.names[scene.seat]}"
    others = (fact.removeprefix(me).removeprefix(", ") for fact in found.facts)
    facts = ", ".join(fact for fact in others if fact)
    return [
        signs_as_words(f"{scene.view.names[scene.seat]} at {typed_place(at)}: {found.title}, {facts}."),
        *neighbours(scene),
    ]


def neighbours(scene: CaveScene) -> list[str]:
    """Describe each direction from the displayed team's tile, with the price to go there."""
    cave, at = scene.cave, scene.team_at
    new, joined = unexplored_exits(cave.board, at), {to for to, _, _ in passages_from(cave, at)}
    lines, short = [], []
    for side, to, _, _ in neighbours_of(at):
        word = SIDE_WORDS[side].capitalize()
        if to in joined and to not in new:
            lines.append(signs_as_words(f"{word}: {_neighbour_words(scene, to)}"))
        elif to in new:
            short.append(f"{word}: {facts.unexplored_words(scene.view)}.")
        elif to not in cave.board and side in cave.board[at].open:
            short.append(f"{word}: open, but nothing is discovered from here.")
        else:
            short.append(f"{word}: rock.")
    return [*lines, " ".join(short)] if short else lines


def _neighbour_words(scene: CaveScene, to: Coord) -> str:
    found = place_facts(scene, to, scene.seat)
    usual = [offer for offer in found.ways if scene.mode == "starving" or not offer.by_force]
    by = [offer.by_words if len(usual) > 1 else "" for offer in usual]
    prices = [f"{way} {offer.price} {offer.gain}".strip() for way, offer in zip(by, usual, strict=True)]
    facts = [f"{typed_place(to)} {found.title}", "; ".join(prices), *found.facts[:-1]]
    why = "" if usual or scene.mode != "acting" else actions.why_at(scene.refusals, to)
    return ", ".join(filter(None, facts)) + "." + (f" Not now: {why}" if why else "")


def place_lines(scene: CaveScene, rest: str) -> list[str]:
    at = parse_place(scene.team_at, rest)
    return neighbours(scene) if not rest else [NO_PLACE if at is None else tile_words(scene, at)]


def entry_price_words(scene: CaveScene, to: Coord) -> str:
    """Return the price to enter a neighbour now; nothing if it is unreachable."""
    ways = actions.move_offers(scene.cave, scene.seat, actions.ways_to(scene.choices, to))
    told = " or ".join(f"{way.price} {way.by_words}".strip() for way in ways)
    return signs_as_words(f"Moving in takes {told}.") if told else ""


def parse_place(start: Coord, words: str) -> Coord | None:
    """Return the place that these words name: ``2,0``, ``to 2 0``, ``west``, ``base``; None for no place."""
    text = [word for word in words.casefold().replace(",", " ").split() if word not in ("to", "at")]
    if len(text) == 1:
        if text[0] in ("base", "home"):
            return BASE
        for side, to, _, _ in neighbours_of(start):
            if SIDE_WORDS[side].startswith(text[0]):
                return to
    try:
        x, y = (int(word[:6]) for word in text)
    except ValueError:
        return None
    return (x, y)


# Ways


def way(scene: CaveScene, to: Coord) -> list[str]:
    watched = "" if scene.state.my_seats else f"{scene.view.names[scene.seat]} is"
    if to == scene.team_at:
        return [f"{watched or 'You are'} {'at the base' if to == BASE else 'there'}."]
    if to not in scene.cave.board and place_facts(scene, to, scene.seat).plan is None:
        return [tile_words(scene, to)]
    found = plan(scene.cave, scene.seat, to)
    if found is None:
        return [NO_PLAN[scene.cave.phase]]
    title = f"to {found.goal}: {found.there}"
    return [spoken_sentence(each) for each in (title, found.path, found.way_back_words) if each]


def way_home_lines(scene: CaveScene) -> list[str]:
    return way(scene, BASE)


def route(scene: CaveScene, rest: str) -> list[str]:
    at = parse_place(scene.team_at, rest)
    return [NO_PLACE] if at is None else way(scene, at)


# Choices

_FIRST = ("dive", "photograph", "discover")
_LAST = ("pitch", "strike", "pack", "exchange", "discard", "abandon", "end_turn")
_COMMANDS = {"photograph": "photo", "end_turn": "end"}  # where it is not the action's own word
_KINDS = {command: kind for kind, command in _COMMANDS.items()}


def legal_action_lines(scene: CaveScene) -> tuple[actions.ActionLine, ...]:
    """Return the legal actions, the most interesting first: tokens, ways, the rest, forced moves."""
    found = {line.do: line for line in _action_lines_of_scene(scene) if line.legal}
    moves = actions.move_offers(scene.cave, scene.seat, scene.choices)
    return (
        *(found[kind] for kind in _FIRST if kind in found),
        *(offer for offer in moves if not offer.by_force),
        *(found[kind] for kind in _LAST if kind in found),
        *(offer for offer in moves if offer.by_force),
    )


def _action_lines_of_scene(scene: CaveScene) -> tuple[actions.ActionLine, ...]:
    return actions.lines(scene.cave, scene.seat, scene.choices, scene.refusals)


def action_as_line(found: actions.ActionLine) -> str:
    brings = found.brings if found.by_force else ""
    return signs_as_words(", ".join(filter(None, (found.label, found.price, found.gain, brings))))


def laid_tile_words(scene: CaveScene, choice: Choice) -> str:
    action, drawn = choice.action, scene.cave.drawn
    assert isinstance(action, Place)
    assert drawn is not None
    exits = f": {facts.fitting_words(scene.cave, action.at)}"
    if action.rotation is not None:
        open_sides = turn_sides(drawn.open, action.rotation)
        exits = f", ways on: {terms.sides_words(side for side in SIDES if side in open_sides)}"
    return signs_as_words(f"{terms.direction_words(scene.team_at, action.at)} at {typed_place(action.at)}{exits}")


def refused_action_lines(scene: CaveScene) -> list[str]:
    """List the illegal actions with the reasons and rule numbers."""
    found = [
        f"{line.label.capitalize()}: {line.why}"
        for line in _action_lines_of_scene(scene)
        if not line.legal and line.do != "moves"
    ]
    possible = {choice.action.to for choice in actions.move_choices(scene.choices)}  # type: ignore[union-attr]
    for side, to, _, _ in neighbours_of(scene.team_at):
        why = actions.why_at(scene.refusals, to)
        if why and to not in possible and to in scene.cave.board:
            found.append(f"Move {SIDE_WORDS[side]}: {why}")
    return found


def kind_of_command(command: str) -> str:
    return _KINDS.get(command, command)


def command_of_kind(kind: str) -> str:
    return _COMMANDS.get(kind, kind)


def legal_form(scene: CaveScene, kind: str) -> Form | None:
    """Return the form of a pack, an exchange or a discard, if it is legal now."""
    found = actions.choice_of_kind(scene.choices, kind)
    return found if isinstance(found, Form) else None


# The turn and the teams


def turn(scene: CaveScene) -> list[str]:
    if scene.mode == "over":
        return [OVER]
    if scene.mode == "watching" and scene.cave.phase == "packing":
        return [scene.waits_for, PACKING_WATCHED]
    if scene.mode == "packing" and scene.choices:
        return [f"{scene.shown_seat_words}, pack your backpack."]
    if not scene.can_act:
        return [scene.waits_for, *tiles_left_lines(scene)]
    return [f"Your turn, {scene.shown_seat_words}.", *tiles_left_lines(scene)]


def tiles_left_lines(scene: CaveScene) -> list[str]:
    lines = [signs_as_words(f"{scene.cave.ap} AP left.")] if scene.can_act else []
    if scene.supplies is not None and scene.state.my_seats:
        lines.append(spoken_sentence(scene.supplies.text))
    return lines


def standing(scene: CaveScene) -> list[str]:
    """Return a line for each team, and a line for each kind of token."""
    lines = []
    for row in facts.team_rows(scene.state, scene.view):
        food = "consumables hidden" if row.consumables is None else count(row.consumables, "consumable")
        parts = (
            *(count(row.points, "point"), f"{row.bonus} bonus", food, f"{row.depth} m deep"),
            row.way_home,
            "too few consumables" if row.hungry else "",
            "its turn" if row.turn else "",
            "leads" if row.leads and row.points > 0 else "",
            "" if row.present else {"open": "free seat", "person": "away"}.get(row.kind, ""),
        )
        lines.append(signs_as_words(f"{row.letter} {row.name}: {', '.join(filter(None, parts))}."))
    for tokens in facts.token_comparison_rows(scene.view):
        unit = " m" if tokens.name == "depth" else ""
        cells = [
            f"{terms.team_letter(seat)} {number}{unit}" + (f" and bonus {bonus}" if bonus else "")
            for seat, (number, bonus) in enumerate(tokens.cells)
            if number
        ]
        lines.append(f"{tokens.name.capitalize()}: {', '.join(cells) or 'nobody'}.")
    return lines


# Items


def luggage_lines(scene: CaveScene) -> list[str]:
    if scene.seat in scene.view.hidden:
        return ["The packs are secret until all have packed."]
    found = luggage_facts(scene.cave.teams[scene.seat], scene.seat)
    return [spoken_sentence(f"{each.title} {each.note}: {each.text}".removesuffix(": ")) for each in found]


def draft_words(draft: PackDraft) -> str:
    camp = "" if draft.camp is None else f"; camp with {terms.items_words(draft.camp)}"
    return f"{terms.items_words(draft.backpack)}{camp}"


def packing_offer_lines(form: Form, kits: Sequence[str], who: str, *, first: bool) -> list[str]:
    """Describe the packing: the price, the list of kits, and how to type something else."""
    price = "free, and secret until all have packed" if first else signs_as_words(f"{form.ap} AP")
    size = packing.slots_of_part(form.limits, PackDraft(), "backpack")
    return [f"{who} packs {size} slots, {price}.", *kits, HOW_TO_PACK]


_WORDS: Mapping[str, ItemName] = {
    "food": "consumable",
    "foods": "consumable",
    "consumable": "consumable",
    "consumables": "consumable",
    "meal": "consumable",
    "meals": "consumable",
    "rope": "rope",
    "ropes": "rope",
    "oxygen": "oxygen",
    "half": "half_oxygen",
    "camera": "camera",
    "raft": "raft",
}
_IDLE = ("and", "with", "in", "into", "the", "a", "an", "of", "from")
_BAG = ("bag", "backpack", "pack")
KNOWN = "consumable, rope, oxygen, half oxygen, camera, raft"
MOST = 12


class Unclear(Exception):
    """A typed amount that cannot be parsed; the message is one sentence."""


def typed_draft(text: str) -> PackDraft:
    """Parse a pack; the words after ``camp`` are for the camp. Raises Unclear."""
    before, camp, after = _part_typed_text(text, "camp")
    return PackDraft(typed_items(before), typed_items(after) if camp else None)


def typed_exchange(text: str) -> tuple[Items, Items]:
    """Return the items that go to camp and bag: ``1 consumable to camp 2 rope to bag``. Raises Unclear."""
    to_camp = to_backpack = NOTHING
    things: list[str] = []
    for word in _split_typed_things(text):
        if word == "to":
            continue
        if word == "camp":
            to_camp += typed_items(" ".join(things))
        elif word in _BAG:
            to_backpack += typed_items(" ".join(things))
        else:
            things.append(word)
            continue
        things = []
    if things:
        raise Unclear("Say where it goes: exchange 1 consumable to camp 2 rope to bag.")
    return to_camp, to_backpack


def typed_items(text: str) -> Items:
    """Parse items, each after its number, or without one for 1. Raises Unclear."""
    found, number = NOTHING, None
    before = ""
    for word in _split_typed_things(text):
        if word.isdecimal():
            if number is not None:
                raise Unclear(f"Put a number before each thing; {number} {word} makes no sense.")
            number = int(word[:6])
            if number > MOST:
                raise Unclear(f"{word[:12]} is more than a team can carry.")
        elif word in _WORDS and not (word == "oxygen" and before == "half"):
            name = _WORDS[word]
            held = getattr(found, name) + (1 if number is None else number)
            found, number = replace(found, **{name: held}), None
        elif word not in _WORDS and word not in _IDLE:
            raise Unclear(f"There is no thing called {word[:40]}. The things are {KNOWN}.")
        before = word
    if number is not None:
        raise Unclear(f"Say what you want {number} of: {KNOWN}.")
    return found


def _split_typed_things(text: str) -> list[str]:
    return re.findall(r"-?\d+|[^\W\d]+", text.casefold())


def _part_typed_text(text: str, word: str) -> tuple[str, bool, str]:
    words = _split_typed_things(text)
    if word not in words:
        return " ".join(words), False, ""
    at = words.index(word)
    return " ".join(words[:at]), True, " ".join(words[at + 1 :])
