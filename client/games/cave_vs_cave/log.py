"""Events as sentences; the words of the score sheet, and the goal."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from cave.cave_vs_cave.components import components
from cave.cave_vs_cave.game import View
from cave.cave_vs_cave.state import State
from cave.cave_vs_cave.turns import ANYTIME, BONUS
from cave.game import Json
from client.face import LogEntry, SheetWords
from client.games.cave_vs_cave import terms
from client.wording import count

_Made = tuple[str, dict[str, Any]] | None


def log_line(index: int, event: Json, view: View) -> LogEntry | None:
    if "between" in event:
        one, other = ((row, column) for row, column in event["between"])
        event = {**event, "at": one, "wall": terms.wall_place_words(view.cave.players[event["seat"]], (one, other))}
    made = _SENTENCES[event["type"]](event)
    if made is None:
        return None
    text, extra = made
    seat = event.get("seat")
    return LogEntry(index, seat, "" if seat is None else view.names[seat], text, **extra)


def _at_field(event: Json) -> dict[str, Any]:
    at = event["at"]
    return {"at": at if isinstance(at, str) else (at[0], at[1])}


def _space_words(at: Json) -> str:
    return "the Additional Cavern" if isinstance(at, str) else terms.space_words((at[0], at[1]))


def _goods_changed_line(event: Json) -> _Made:
    source, changes = event["source"], event["changes"]
    gained = terms.goods_words({good: many for good, many in changes.items() if many > 0})
    paid = terms.goods_words({good: -many for good, many in changes.items() if many < 0})
    room = components().rooms.get(source)
    of = room.name if room else "" if source in components().tiles else source
    if source == ANYTIME and gained:
        return f"makes {gained} from {paid}", {}
    if source == BONUS:
        return f"finds {gained} under a room", {}
    if paid and gained:
        return f"trades {paid} for {gained}" + (f" with {of}" if of else ""), {}
    if gained:
        return f"gets {gained}" + (f" from {of}" if of else ""), {}
    return (f"pays {paid}" + (f" for {of}" if room else ""), {}) if paid else None


def _room_placed_line(event: Json, verb: str) -> _Made:
    walls = event.get("walls")
    built = f" with {count(len(walls), 'wall')}" if walls else ""
    text = f"{verb} {terms.room_name(event['room'])} on {_space_words(event['at'])}{built}"
    return text, {**_at_field(event), "gain": f"+{terms.room_of_name(event['room']).vp}"}


_SENTENCES: Mapping[str, Callable[[Json], _Made]] = {
    "took": lambda event: (f"takes {terms.tile_name(event['tile'])}", {}),
    "goods": _goods_changed_line,
    "excavated": lambda event: (
        f"digs up {terms.room_name(event['room'])} at {_space_words(event['at'])}",
        _at_field(event),
    ),
    "revealed": lambda event: (f"turns up {terms.room_name(event['room'])}", {}),
    "furnished": lambda event: _room_placed_line(event, "furnishes"),
    "wall_built": lambda event: (f"builds a wall {event['wall']}", _at_field(event)),
    "wall_razed": lambda event: (f"razes the wall {event['wall']}", _at_field(event)),
    "room_used": lambda event: (f"uses {terms.room_name(event['room'])}", {}),
    "cavern_taken": lambda event: (
        f"takes the Additional Cavern with {count(event['walls'], 'wall')}",
        {"loud": True, "at": "cavern"},
    ),
    "drafted": lambda event: _room_placed_line(event, "places"),
    "drawn": lambda event: (f"draws {terms.room_name(event['room'])}", {}),
    "out": lambda _event: ("has ended the draft", {"loud": True}),
    "covered": lambda event: (f"covers {_space_words(event['at'])}", _at_field(event)),
    "turn_ended": lambda _event: None,
    "round_ended": lambda event: (f"Round {event['round']} ends.", {}),
    "turned_up": lambda event: (f"{terms.tile_name(event['tile'])} is turned up.", {"loud": True}),
    "era_began": lambda event: (f"Era {'I' * event['era']} begins.", {"loud": True}),
    "over": lambda _event: ("The game is over.", {"loud": True}),
}

SHEET = SheetWords(
    categories={"era_1": "Era I", "rooms": "Rooms", "gold": "Gold", "iron": "Iron", "weapon": "Weapons"},
    tie="the more valuable room",
    look="Look at the caves",
    no_winner="The goal is not reached.",
    so_far="If the era ended now:",
)
_POINTS: Mapping[str, str] = {
    "era-1": "those of your rooms, and 1 for each gold",
    "era-1-2": "Era I, then all rooms again, 1 for each weapon, a half for each iron and gold",
    "era-2": "those of your rooms, 1 for each weapon, a half for each iron and gold",
}
"""The points at the end of each edition (rules 6.2, 7.8 and 8.6)."""
_SHORT: Mapping[str, str] = {
    "era-1": "your rooms, and 1 for each gold",
    "era-1-2": "your rooms, and goods at the end of each era",
    "era-2": "your rooms, weapons, iron and gold",
}
_HOW = "Dig rooms up, furnish them where the walls fit, and use them for goods."


def score_categories(edition: str) -> Mapping[str, str]:
    """Return the lines that an edition can score: those of its last era, and Era I if another follows."""
    scored = {"rooms", *(good for good, _ in components().points[1 if edition == "era-1" else 2])}
    if edition == "era-1-2":
        scored.add("era_1")
    return {name: title for name, title in SHEET.categories.items() if name in scored}


def sheet_of(view: View) -> SheetWords:
    cave = view.cave
    edition = cave.settings.edition
    words = replace(SHEET, categories=score_categories(edition), legend=f"Points: {_POINTS[edition]}.")
    if not cave.alone:
        return words
    missed = view.over and not any(score.winner for score in view.standing)
    return replace(
        words,
        look="Look at the cave",
        legend=words.legend if missed else f"{words.legend} The goal is {goal(cave)}.",
        no_winner=f"The goal of {goal(cave)} is not reached.",
        so_far=f"If the era ended now, with {goal(cave)} as the goal:",
    )


def goal_points(cave: State) -> int:
    """Return the points of a solo player's goal (rule 9.4); after both eras the score must exceed them."""
    return components().goal_era_1 if cave.settings.edition == "era-1" else components().goal_both


def goal(cave: State) -> str:
    words = "at least" if cave.settings.edition == "era-1" else "more than"
    return f"{words} {goal_points(cave)} points"


def goal_figure(cave: State) -> str:
    return f"{'' if cave.settings.edition == 'era-1' else '>'}{goal_points(cave)}"


def solo_goal_line(view: View) -> tuple[float, str] | None:
    cave = view.cave
    return (goal_points(cave), f"the goal: {goal_points(cave)}") if cave.alone else None


def winner_words(view: View) -> Sequence[str]:
    cave = view.cave
    counts = _POINTS[cave.settings.edition]
    return (f"The goal is {goal(cave)}: {counts}." if cave.alone else f"Most points win: {counts}.", _HOW)


def goal_line(view: View) -> str:
    cave = view.cave
    return f"{goal(cave) if cave.alone else 'the most points'}: {_SHORT[cave.settings.edition]}"
