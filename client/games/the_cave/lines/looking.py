"""The commands that only look: from what is on the desk to sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cave.the_cave.game import THE_CAVE
from cave.the_cave.geometry import BASE
from client.games.the_cave.help import goal
from client.games.the_cave.lines import people, places, things
from client.games.the_cave.scene import Desk
from client.present import rulebook

NO_PLACE = "Type a place as two numbers, such as 2,0, or a side, such as west."
NO_LOG = "Nothing has happened yet."
NOTHING_SINCE = "Nothing has happened since your last turn."
LOG_LINES = 10
MOST = 500

Look = Callable[[Desk, str], list[str]]


def _look(desk: Desk, rest: str) -> list[str]:
    if not rest:
        return places.neighbours(desk)
    at = places.find(desk.cave, desk.team_at, rest)
    return [NO_PLACE] if at is None else [places.tile(desk.cave, at)]


def _route(desk: Desk, rest: str) -> list[str]:
    at = places.find(desk.cave, desk.team_at, rest)
    return [NO_PLACE] if at is None else places.way(desk, at)


def _log(desk: Desk, rest: str) -> list[str]:
    if rest and not rest.isdigit():
        return ["Type how many lines, such as log 3."]
    last = min(int(rest[:6]), MOST) if rest else LOG_LINES
    return people.history(desk, last=last) or [NO_LOG]


def _since(desk: Desk, _rest: str) -> list[str]:
    return people.history(desk, desk.since) or [NOTHING_SINCE]


def rules(rest: str) -> list[str]:
    """A part of the rules, or the list of its chapters."""
    number = rest.removeprefix("rule ")
    found = rulebook.part(THE_CAVE, number) if number else rulebook.chapters(THE_CAVE)
    return list(found) or [
        f"There is no rule {number[:20]}. Type a chapter from 1 to 9, or a rule such as 5.3."
    ]


LOOKS: Mapping[str, Look] = {
    "here": lambda desk, _rest: places.here(desk),
    "look": _look,
    "map": lambda desk, _rest: places.tiles(desk.cave),
    "bag": lambda desk, _rest: things.bag(desk),
    "turn": lambda desk, _rest: people.turn(desk),
    "teams": lambda desk, _rest: people.standing(desk),
    "goal": lambda desk, _rest: list(goal(desk.cave.settings)),
    "score": lambda desk, _rest: people.sheet(desk),
    "log": _log,
    "since": _since,
    "route": _route,
    "home": lambda desk, _rest: places.way(desk, BASE) if desk.team_at != BASE else ["You are at the base."],
}
