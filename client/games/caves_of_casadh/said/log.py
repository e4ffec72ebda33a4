"""Events as sentences: who, what, and what it brought.

The values of treasures are never said here but in the end: a log is read by all who look at this screen.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cave.caves_of_casadh.components import components
from cave.caves_of_casadh.view import View
from cave.game import Json
from client.face import LogEntry
from client.games.caves_of_casadh.known import terms
from client.present.wording import count, joined

Made = tuple[str, dict[str, Any]]


def log_line(index: int, event: Json, view: View) -> LogEntry | None:
    """Return the sentence of an event, or None for one that needs none."""
    made = _SENTENCES[event["type"]](event, view)
    if made is None:
        return None
    text, extra = made
    seat = event.get("seat")
    at = event.get("at") or event.get("to")
    if at and isinstance(at[0], int):
        extra.setdefault("at", (at[0], at[1]))
    return LogEntry(index, seat, "" if seat is None else view.names[seat], text, **extra)


def _drawn(event: Json, _view: View) -> Made:
    shape = components().hexes[event["hex"]]
    level = f", level {shape.level}" if not shape.special else ""
    return f"explores {terms.place(event['to'])}: {shape.name}{level}", {}


def _entered(event: Json, view: View) -> Made | None:
    where = f"{terms.hex_name(view.cave, (event['at'][0], event['at'][1]))} {terms.place(event['at'])}"
    texts = {
        "move": f"moves to {where}",
        "flee": f"flees to {where}",
        "panic": f"runs back in panic to {where}",
    }
    return (texts[event["by"]], {}) if event["by"] in texts else None


def _card(event: Json, _view: View) -> Made:
    card = components().cards[event["card"]]
    return f"draws a card: Move {card.move}, {event['mp']} MP left", {}


def _misfortune(event: Json, _view: View) -> Made:
    name = terms.misfortune(event["misfortune"])
    if event["outcome"] == "spared":
        return f"is spared {name}", {}
    lost = f", {terms.item(event['item'])} falls out of the pack" if event["item"] else ""
    return f"{'keeps' if event['outcome'] == 'kept' else 'suffers'} {name}{lost}", {"loud": True}


def _removed(event: Json, _view: View) -> Made:
    by = event["by"].replace("_", " ").replace("base camp", "Base Camp")
    return f"is rid of {terms.misfortune(event['misfortune'])}, by {by}", {}


def _treasures(event: Json, _view: View) -> Made:
    verb = "draws" if event["by"] == "explore" else "picks up"
    return f"{verb} {count(event['count'], 'treasure')}", {}


def _kept(event: Json, _view: View) -> Made:
    rest = f", leaves {event['rest']}" if event["rest"] else ""
    return f"keeps a treasure{rest}", {}


ROLLS = {
    "defuse": "to defuse",
    "take_lantern": "to take a Lantern",
    "move_grue": "to move a grue",
}
"""What a roll is for that is no hazard's."""


def _rolled(event: Json, _view: View) -> Made:
    reason = event["reason"]
    done, limit = event["success"], event["limit"]
    # What came of it stands first: a narrow log cuts the end.
    if reason in ROLLS:
        came, when = f"{'manages' if done else 'fails'} {ROLLS[reason]}", f"works at {limit} or less"
    else:
        came = f"{'' if done else 'no '}{terms.HAZARDS[reason].lower()}"
        when = f"at {limit - 1} or less" if limit > 1 else "none can come"
    return f"rolls [{event['roll']}]: {came} ({when})", {}


def _tokens(event: Json, _view: View) -> Made:
    at = event["at"]
    where = joined([terms.place(each) for each in at])
    name = terms.HAZARDS[event["hazard"]]
    return f"{name} at {where}", {"loud": True, "at": (at[0][0], at[0][1])} if at else {}


def _defused(event: Json, view: View) -> Made:
    gained = " and takes it" if event["gained"] else ""
    return f"defuses the dynamite of {view.names[event['owner']]}{gained}", {}


def _grue(event: Json, _view: View) -> Made:
    verb = "drives a grue" if event["by"] == "drive" else "moves a grue"
    return f"{verb} from {terms.place(event['start'])} to {terms.place(event['at'])}", {"loud": True}


def _left(event: Json, _view: View) -> Made:
    found = joined([str(value) for value in event["treasures"]])
    return f"leaves the caves, and takes {found or 'nothing'} on the Surface", {"loud": True}


def _over(_event: Json, _view: View) -> Made:
    return "The game is over: all treasures are shown.", {"loud": True}


_SENTENCES: dict[str, Callable[[Json, View], Made | None]] = {
    "hex_drawn": _drawn,
    "hex_placed": lambda _event, _view: None,
    "entered": _entered,
    "slid": lambda _event, _view: ("slides to another passage", {}),
    "card_drawn": _card,
    "misfortune": _misfortune,
    "misfortune_removed": _removed,
    "items_placed": lambda event, _view: (
        (f"finds {terms.items(event['items'])}", {}) if event["items"] else None
    ),
    "treasures_drawn": _treasures,
    "treasure_kept": _kept,
    "items_collected": lambda event, _view: (f"takes {terms.items(event['items'])}", {}),
    "rolled": _rolled,
    "tokens_placed": _tokens,
    "damaged": lambda event, _view: (
        f"loses 1 HP to {terms.DOOMS[event['by']]}, {event['hp']} left",
        {"loud": True},
    ),
    "healed": lambda event, _view: (f"uses the Medkit, {event['hp']} HP", {}),
    "died": lambda event, _view: (terms.death(event["by"]), {"loud": True}),
    "deployed": lambda _event, _view: ("lays dynamite", {"loud": True}),
    "defused": _defused,
    "collapsed": lambda event, _view: (
        f"{terms.place(event['at'])} collapses in the blast of dynamite",
        {"loud": True},
    ),
    "grue_moved": _grue,
    "grue_gone": lambda event, _view: (f"drives a grue away; vengeance {event['vengeance']}", {"loud": True}),
    "lantern_taken": lambda event, view: (
        f"takes the Lantern of {view.names[event['holder']]}",
        {"loud": True},
    ),
    "left": _left,
    "turn_began": lambda _event, _view: None,
    "game_over": _over,
}
"""Sentences by the type of the event."""
FALLING = frozenset(
    {
        "hex_drawn",
        "card_drawn",
        "misfortune",
        "rolled",
        "tokens_placed",
        "items_placed",
        "damaged",
        "died",
        "collapsed",
        "lantern_taken",
        "grue_gone",
    }
)
"""The events that are shown one after the other as cards and dice fall."""
