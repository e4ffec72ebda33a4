"""The caves and the players in sentences, and what is typed as places."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cave.codec import Place
from cave.sir_ocelots_cave.board import BIT, LEVEL, RAYS, RIM, SQUARES, places
from cave.sir_ocelots_cave.components import CELESTITES, Gem
from client.games.sir_ocelots_cave import terms, words
from client.games.sir_ocelots_cave.previews import finishing, gems_at, gems_on, sight_from, trials, visit
from client.games.sir_ocelots_cave.scene import OcelotScene
from client.wording import count, joined

NO_PLACE = "Type a place as two numbers, such as 9,4: its column and its row."
HOW_PLACES_ARE_NAMED = (
    "A place is two numbers, such as 9,4: its column, from 0 in the west, and its row, from 0 in the north."
)
NOT_A_PLACE = "There is no square and no rim space at {at}."
COMPANION_MUST_COME = "You have no tools left: your {name} has to come, to a square of level 1."
NOWHERE = "Your {name} is not in the caves yet; look 9,4 says what is at a place."
NOT_COUNTED = "Amethysts are secret and not counted; type amethysts to see your own."
ALOUD = 4
"""Gems in one line, as a person can follow it."""
_PLACE = re.compile(r"(\d{1,4})\s*[, ]\s*(\d{1,4})")


def typed(rest: str) -> list[Place]:
    """Return the places in what is typed."""
    return [(int(x), int(y)) for x, y in _PLACE.findall(rest)]


def board(scene: OcelotScene) -> list[str]:
    """Return the gems row by row, and what lies on the rim."""
    cave = scene.cave
    lines = [HOW_PLACES_ARE_NAMED]
    for level in (1, 2, 3):
        rows: dict[int, list[str]] = {}
        for at in SQUARES:
            gem = cave.gem_at(at)
            if LEVEL[at] == level and gem is not None:
                rows.setdefault(at[1], []).append(f"{terms.SHORT[gem]} {terms.place(at)}")
        lines.append(f"Level {level}:" if rows else f"Level {level}: empty.")
        lines += [f"Row {row}: {', '.join(found)}." for row, found in rows.items()]
    return [*lines, *rim(scene)]


def rim(scene: OcelotScene) -> list[str]:
    """Say what lies on the rim, and the free spaces."""
    cave = scene.cave
    laid = [
        f"{terms.tool(cave.tools[at].kind, cave.tools[at].side)} {terms.place(at)}"
        for at in RIM
        if at in cave.tools
    ]
    free = [terms.place(at) for at in RIM if at not in cave.tools]
    lines = [f"On the rim: {', '.join(laid)}." if laid else "On the rim: nothing yet."]
    # Forty places are one long line: halves are read more easily.
    for start in range(0, len(free), 20):
        lines.append(f"Free{' as well' if start else ''}: {' '.join(free[start : start + 20])}.")
    return lines


def look(scene: OcelotScene, at: Place) -> list[str]:
    """Return one place: what is there, and what is missing."""
    cave, seat = scene.cave, scene.seat
    if at not in BIT and at not in RAYS:
        return [NOT_A_PLACE.format(at=terms.place(at))]
    lines = [f"{words.place_title(cave, scene.view.names, at).capitalize()}."]
    if at in RAYS:
        for ray in RAYS[at]:
            gems = ((each, cave.gem_at(each)) for each in ray.line)
            found = [_seen(scene, each, gem) for each, gem in gems if gem is not None]
            side = f"To the {terms.COMPASS_WORDS[ray.direction]}, level {ray.level}"
            if not found:
                lines.append(f"{side}: no gems.")
            for start in range(0, len(found), ALOUD):
                lines.append(f"{'Then' if start else side}: {', '.join(found[start : start + ALOUD])}.")
        return lines
    return [*lines, *(f"{line[:1].upper()}{line[1:]}." for line in words.seen_words(cave, seat, at))]


def here(scene: OcelotScene) -> list[str]:
    """Return the square of the shown player's companion."""
    at, name = scene.me.companion, terms.companion(scene.seat)
    if at is None:
        return [NOWHERE.format(name=name)]
    sees = count(len(gems_on(scene.cave, sight_from(scene.cave, at))), "gem")
    return [*look(scene, at), f"The {name} sees {sees} from there."]


def _seen(scene: OcelotScene, at: Place, gem: Gem) -> str:
    missing = words.lacking(scene.cave, at)
    names = [tool for tool, letter in terms.TOOL_LETTERS.items() if letter in missing]
    if len(names) == len(terms.TOOL_LETTERS):
        return f"{terms.SHORT[gem]} {terms.place(at)}"
    return f"{terms.SHORT[gem]} {terms.place(at)}" + (
        f" without {' and '.join(names)}" if names else " ready"
    )


def tried(scene: OcelotScene, at: Place) -> list[str]:
    """Return what each tool, or the companion, would bring there."""
    cave, seat = scene.cave, scene.seat
    if at in RAYS:
        found = trials(cave, seat, at)
        if not found:
            return [
                f"A tool lies at {terms.place(at)} already."
                if at in cave.tools
                else "You have no tools left."
            ]
        return [f"{trial.tool.capitalize()}: {words.trial_words(scene, trial)}." for trial in found]
    if at not in BIT:
        return [NOT_A_PLACE.format(at=terms.place(at))]
    if scene.mode == "acting" and at not in scene.ways:
        return ["Your companion cannot go there now."]
    return [f"The {terms.companion(seat)} {words.visit_words(cave, visit(cave, at))}."]


def _begun(text: str) -> str:
    return text[:1].upper() + text[1:]


def short(scene: OcelotScene) -> list[str]:
    """Return the gems one tool short, and how to finish them."""
    cave, seat = scene.cave, scene.seat
    lines = []
    for at in places(scene.short):
        gem = cave.gem_at(at)
        if gem is not None:
            ways = finishing(cave, seat, at)
            told = [f"{joined(list(tools), 'or')} at {terms.place(rim)}" for rim, tools in ways]
            lines.append(f"{_begun(terms.NAMES[gem])} at {terms.place(at)}: {'; '.join(told)}.")
    return lines or ["No gem is one tool short for you."]


def players(scene: OcelotScene) -> Iterator[str]:
    """Say what each player has, as all may see it."""
    for row in words.players(scene):
        tools = ", ".join(f"{kind} {number}" for kind, number in zip("ABC", row.tools, strict=True))
        yield f"{row.name}: {count(row.points, 'point')} in gems. Tools {tools}; {row.companion}."
        held = ", ".join(f"{terms.SHORT[gem]} {number}" for gem, number in row.gems)
        bags = ", ".join(stone.bag for stone in row.stones)
        yield f"Gems: {held or 'none'}. Amethysts: {bags or 'none'}."
        lacking = [
            terms.SHORT[gem]
            for gem, n in zip(CELESTITES, row.celestites, strict=True)
            if n <= min(row.celestites)
        ]
        yield f"For the next set of celestites: {joined(lacking)}."


def amethysts(scene: OcelotScene) -> list[str]:
    """Return the shown player's amethysts, and what each is worth now."""
    cave, me = scene.cave, scene.me
    if not scene.state.my_seats:
        return ["Amethysts are secret until the end."]
    found = [f"{_begun(words.stone_words(cave, me, each))}." for each in me.amethysts]
    return found or ["You have no amethysts."]


def collectable(scene: OcelotScene) -> str:
    """Say what can be collected now."""
    return f"You can collect {words.worth(gems_at(scene.cave, scene.collectable))}."
