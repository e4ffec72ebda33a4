"""Events as sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from cave.game import Json
from cave.score import Score
from cave.the_cave import scoring
from cave.the_cave.game import View
from cave.the_cave.scoring import CATEGORIES
from cave.the_cave.state import Coord, State, Team
from client.face import LogEntry, SheetWords
from client.games.the_cave import terms
from client.wording import count, joined


def log_line(index: int, event: Json, view: View) -> LogEntry | None:
    cave = view.cave
    made = _SENTENCES[event["type"]](event, cave)
    if made is None:
        return None
    text, extra = made
    seat = event.get("seat")
    actor = view.names[seat] if seat is not None and event["type"] not in _TABLE else ""
    return LogEntry(index, seat, actor, text, **extra)


_TABLE = ("end_triggered", "ended")
_Made = tuple[str, dict[str, Any]]


def _coord(value: Json) -> Coord:
    return (value[0], value[1])


def _gained_words(event: Json) -> str:
    points = terms.gain_words(event["points"])
    words = terms.tokens_brought_words(event["brings"])
    return f"{points} ({words})" if points and words else points


def _packed_line(event: Json, _cave: State) -> _Made:
    if event["backpack"] is None:
        return "has packed", {}
    camp = event.get("camp")
    more = f"; in the camp: {terms.items_words(camp)}" if camp is not None else ""
    return f"packs {terms.items_words(event['backpack'])}{more}", {}


def _moved_line(event: Json, cave: State) -> _Made:
    start, to = _coord(event["start"]), _coord(event["to"])
    here, there = cave.board.get(start), cave.board.get(to)
    if here is None or there is None:
        return "moves", {}  # A host may name invalid places.
    where = terms.tile_kind_words(there.kind, there.level)
    extra = {"gain": _gained_words(event), "at": to}
    if event["by"] == "force":
        return f"forces a way {terms.direction_words(start, to)}, {where}", extra
    if event["ropes"]:
        ropes = count(event["ropes"], "rope")
        return f"ropes {terms.depth_words(here.depth)} to {terms.depth_words(there.depth)} with {ropes}", extra
    by = {"oxygen": " with oxygen", "raft": " by raft"}.get(event["by"], "")
    place = "home" if there.kind == "base" else f"{terms.direction_words(start, to)}, {where}"
    return f"goes {place}{by}", extra


def _placed_line(event: Json, _cave: State) -> _Made:
    tile = event["tile"]
    name = terms.a_tile(tile["kind"], tile.get("level", 0))
    return f"places {name} at depth {terms.depth_words(event['depth'])}", {"at": _coord(event["at"])}


def _drew_line(event: Json, _cave: State) -> _Made:
    tile = event["tile"]
    return f"discovers {terms.a_tile(tile['kind'], tile.get('level', 0))}", {}


def _took_line(event: Json, _cave: State) -> _Made:
    text = "dives for the token" if event["brings"].get("water") else "takes a photo"
    return text, {"gain": terms.gain_words(event["points"]), "at": _coord(event["at"])}


def _ate_line(event: Json, _cave: State) -> _Made:
    return ("eats 1 consumable" if event["source"] == "backpack" else "eats 1 consumable from the camp"), {}


def _exchanged_line(event: Json, _cave: State) -> _Made:
    parts = []
    if any(event["to_camp"].values()):
        parts.append(f"puts {terms.items_words(event['to_camp'])} into the camp")
    if any(event["to_backpack"].values()):
        parts.append(f"takes {terms.items_words(event['to_backpack'])} from the camp")
    return " and ".join(parts), {}


def _turn_ended(event: Json, _cave: State) -> _Made:
    unused = f", {event['ap']} AP unused" if event["ap"] else ""
    return f"ends the turn{unused}", {}


def _end_triggered(event: Json, _cave: State) -> _Made:
    why = "the last tile is placed" if event["reason"] == "last_tile" else "the cave is sealed"
    turns = count(event["turns_left"], "turn")
    return f"THE END IS NEAR: {why}, {turns} in all", {"loud": True}


_SENTENCES: dict[str, Callable[[Json, State], _Made | None]] = {
    "packed": _packed_line,
    "began": lambda _event, _cave: ("has the first turn", {}),
    "turn_began": lambda _event, _cave: None,
    "ate": _ate_line,
    "starved": lambda _event, _cave: ("has nothing to eat: one forced move", {"loud": True}),
    "drew": _drew_line,
    "nothing_fits": lambda _event, _cave: ("cannot fit the tile to all tiles around, so a boulder choke comes", {}),
    "placed": _placed_line,
    "moved": _moved_line,
    "took": _took_line,
    "pitched": lambda event, _cave: ("pitches the camp", {"at": _coord(event["at"])}),
    "struck": lambda event, _cave: ("strikes the camp", {"at": _coord(event["at"])}),
    "abandoned": lambda event, _cave: (f"abandons the camp with {terms.items_words(event['items'])}", {}),
    "exchanged": _exchanged_line,
    "discarded": lambda event, _cave: (f"discards {terms.items_words(event['items'])}", {}),
    "turn_ended": _turn_ended,
    "end_triggered": _end_triggered,
    "ended": lambda _event, _cave: ("The game is over.", {"loud": True}),
}


# The score sheet (rules 7.3 to 7.6)

WORDS = SheetWords(
    categories={name: name.capitalize() for name in CATEGORIES},
    notes={"stranded": "not home"},
    legend="3x: 3 tokens. +8 for most of a kind; +4 for second most or a shared most.",
    look="Look at the cave",
    no_winner="Nobody got home, so nobody wins.",
    so_far="If it ended now, with everybody home:",
)


def sheet_words(cave: State) -> SheetWords:
    counts = [scoring.count_tokens(team.tokens) | {"depth": len(team.tokens.depth)} for team in cave.teams]
    tokens = {kind: tuple(each[kind] for each in counts) for kind in CATEGORIES}
    return replace(WORDS, tokens=tokens)


def cave_extent_words(cave: State) -> str:
    """Return the size of the cave: ``cave of 57 tiles, down to depth -50``."""
    deepest = max(tile.depth for tile in cave.board.values())
    down = f", down to depth {terms.depth_words(deepest)}" if deepest else ""
    return f"cave of {count(len(cave.board), 'tile')}{down}"


def team_feats(team: Team) -> list[str]:
    photos, depths = team.tokens.photo, team.tokens.depth
    deepest = [f"down to {terms.depth_words(max(depths))}"] if depths else []
    return [*([count(photos, "photo")] if photos else []), *deepest]


def stranded_line(scores: Sequence[Score], names: Sequence[str]) -> str:
    """Return a sentence about the teams that score nothing because they were not home, or nothing."""
    out = [names[line.seat] for line in scores if line.note]
    if not out:
        return ""
    verb = "scores" if len(out) == 1 else "score"
    return f"{joined(out)} did not get home in time and {verb} nothing."
