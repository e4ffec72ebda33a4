"""The caves and the players in sentences, and what is typed as places."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cave.caves_of_casadh.components import ITEMS, ItemKind, components
from cave.caves_of_casadh.geometry import NAMES, SIDES, Cell, beyond, facing
from client.games.caves_of_casadh.known import people, terms
from client.games.caves_of_casadh.known.scene import CasadhScene
from client.wording import begun, count

NO_PLACE = "Type a place as two numbers, such as 1,-1."
HOW_PLACES_ARE_NAMED = (
    "A place is two numbers; Base Camp is 0,0. N of it is 0,-1, NE 1,-1, SE 1,0, S 0,1, SW -1,1, NW -1,0."
)
NOT_IN = "Your spelunker is not in the caves any more; look 0,0 says what is at a place."
SECRET = "Treasures are secret until the end."
_PLACE = re.compile(r"(-?\d{1,4})\s*[, ]\s*(-?\d{1,4})")


def typed(rest: str) -> list[Cell]:
    """Return the places in what is typed."""
    return [(int(q), int(r)) for q, r in _PLACE.findall(rest)]


def typed_items(rest: str) -> tuple[ItemKind, ...]:
    """Return the items in what is typed: by a word of their names."""
    words = rest.replace(",", " ").split()
    return tuple(
        kind
        for kind in ITEMS
        if any(word in terms.item(kind).casefold().split() or word == kind for word in words)
    )


def the_map(scene: CasadhScene) -> Iterator[str]:
    """Say which hexes are known, and what lies there."""
    yield HOW_PLACES_ARE_NAMED
    for at, laid in scene.cave.map.items():
        shape = laid.layout.hex
        parts = [f"level {shape.level}"] if not shape.special else []
        if shape.hazard != "none":
            parts.append(f"{terms.HAZARDS[shape.hazard].lower()} icon{' with token' * laid.token}")
        parts += [count(laid.grues, "grue")] if laid.grues else []
        parts += [count(len(laid.treasures), "treasure")] if laid.treasures else []
        parts += [count(len(laid.items), "item")] if laid.items else []
        parts += ["dynamite"] if laid.dynamite else []
        parts += [scene.view.names[seat] for seat, each in enumerate(scene.cave.players) if each.at == at]
        yield f"{terms.place(at)} {shape.name}{': ' * bool(parts)}{', '.join(parts)}."


def look(scene: CasadhScene, at: Cell) -> Iterator[str]:
    """Say what is at a place, and where each of its passages leads."""
    cave = scene.cave
    yield f"{people.title(cave, at)}, {terms.place(at)}."
    for fact in people.facts(scene, at):
        yield f"{begun(fact)}."
    laid = cave.map.get(at)
    for side in SIDES if laid is not None else ():
        there = cave.map.get(beyond(at, side))
        if there is None:
            yield f"{NAMES[side]}: {terms.NOT_YET}."
        else:
            into = terms.passage(there.layout, there.layout.owner[facing(side)])
            yield f"{NAMES[side]}: {there.layout.hex.name} {terms.place(beyond(at, side))}, {into}."


def here(scene: CasadhScene) -> list[str]:
    """Say where the shown player's pawn is."""
    at = scene.me.at
    return [NOT_IN] if at is None else [*look(scene, at), *home(scene)]


def home(scene: CasadhScene) -> list[str]:
    """Say what the way home takes, hex by hex."""
    told = people.home(scene)
    if not told:
        return [NOT_IN]
    way = scene.home
    steps = way.hexes if way is not None else ()
    path = ", ".join(f"{terms.hex_name(scene.cave, at)} {terms.place(at)}" for at in steps)
    return [f"{begun(told)}.", *([f"By {path}."] if path else [])]


def hazards(scene: CasadhScene) -> Iterator[str]:
    """Say how many icons and tokens of each hazard there are, and the odds of the next roll."""
    for track in scene.tracks:
        kind, told = terms.HAZARDS[track.hazard], next(people.track(track))
        yield f"{kind}: {told}; the next icon brings them with {track.percent}%."


def players(scene: CasadhScene) -> Iterator[str]:
    """Say what each player has, as all may see it."""
    for row in people.players(scene):
        player = row.player
        where = f"{player.hp} of {components().start_hp} HP" if player.state == "in" else player.state
        purse = count(len(player.treasures), "treasure")
        if scene.view.over and row.values:  # All are shown at the end (rule 9.3).
            purse += f" ({'+'.join(map(str, row.values))}={sum(row.values)})"
        found = [purse, ", ".join(row.items) or "no items", *row.misfortunes]
        yield f"{row.name}: {where}; {'; '.join(found)}."
    yield f"On the Surface: {people.surface(scene.cave)}."


def treasures(scene: CasadhScene) -> list[str]:
    """Say what the shown player's own treasures are worth."""
    if not scene.state.my_seats:
        return [SECRET]
    values = [*people.players(scene)][scene.seat].values
    if not values:
        return ["You have no treasures."]
    return [f"Your treasures: {', '.join(map(str, values))}; together {sum(values)}."]
