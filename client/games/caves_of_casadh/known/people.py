"""What there is to say of each player, and of the hex under the cursor, for panes and lines alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import msgspec

from cave.caves_of_casadh import routes
from cave.caves_of_casadh.geometry import Cell
from cave.caves_of_casadh.state import Laid, Player, State
from client.games.caves_of_casadh.known import terms
from client.games.caves_of_casadh.known.scene import CasadhScene, Track
from client.wording import begun, count


class PlayerRow(msgspec.Struct, frozen=True):
    """A player as all may see it; ``values`` are the treasures as far as they are shown."""

    seat: int
    name: str
    player: Player
    values: tuple[int, ...]
    items: tuple[str, ...]
    misfortunes: tuple[str, ...]


def players(scene: CasadhScene) -> Iterator[PlayerRow]:
    """Give all players."""
    for seat, player in enumerate(scene.cave.players):
        values = sorted((value for value in player.treasures if value is not None), reverse=True)
        items = tuple(terms.item(kind) for kind in player.items)
        burdens = tuple(terms.burdens(player.misfortunes))
        yield PlayerRow(seat, scene.view.names[seat], player, tuple(values), items, burdens)


def home(scene: CasadhScene) -> str:
    """Return the way home in short: ``home 3 MP, 3 hexes, -1HP``."""
    if scene.over or scene.me.state != "in":
        return ""
    way = scene.home
    if way is None:
        return "no known way home"
    if not way.hexes:
        return "at Base Camp"
    hurt = terms.damage(way.damage)
    return f"home {way.mp} MP, {count(len(way.hexes), 'hex')}{', ' * bool(hurt)}{hurt or ', no damage'}"


def turns_outside(scene: CasadhScene) -> str:
    """Say what the turns of the shown seat, which is out or dead, are good for (rules 3.2 and 8.5)."""
    if routes.may_haunt(scene.cave, scene.seat):
        return "in your turns you can move a grue"
    somebody = any(player.state == "out" for player in scene.cave.players)
    missing = "no grue is in the caves" if somebody else "nobody is on the Surface"
    return f"your turns pass by themselves as long as {missing}"


def track(found: Track) -> Iterator[str]:
    """Give the icons and tokens of a hazard, and the same ever shorter: ``2+1/3`` are 2 icons, a step of
    vengeance, which counts as an icon (rule 7.2), and 3 tokens.
    """
    icons, steps, tokens = found.icons, found.vengeance, count(found.tokens, "token")
    if steps:
        yield f"{count(icons, 'icon')}, {count(steps, 'step')} of vengeance, {tokens}"
        yield f"{icons}+{steps} vengeance/{tokens}"
        yield f"{icons}+{steps} veng./{found.tokens}"
        yield f"{icons}+{steps}/{found.tokens}"
    else:
        yield f"{count(icons, 'icon')}, {tokens}"
        yield f"{icons}/{found.tokens}"


def surface(cave: State) -> str:
    """Return the treasures that lie on the Surface, the highest first."""
    return ", ".join(map(str, sorted(cave.surface, reverse=True))) or "nothing left"


def lying(cave: State, at: Cell, rotation: int = 0) -> Laid | None:
    """Return the hex on a cell, or the one in hand that is held over it, so turned."""
    if cave.drawn is not None and cave.drawn.to == at:
        return Laid(cave.drawn.hex, rotation)
    return cave.map.get(at)


def title(cave: State, at: Cell) -> str:
    """Return the name of a place."""
    laid = lying(cave, at)
    return begun(terms.NOT_YET) if laid is None else laid.layout.hex.name


def facts(scene: CasadhScene, at: Cell, rotation: int = 0) -> Iterator[str]:
    """Say what is on a hex: who is where, passages and slopes, finds, hazards. One in hand lies so turned."""
    cave = scene.cave
    laid = lying(cave, at, rotation)
    if laid is None:
        yield f"{len(cave.hexes)} hexes are left to explore"
        return
    lie, names = laid.layout, scene.view.names
    shape = lie.hex
    for seat, player in enumerate(cave.players):
        if player.at == at:
            who = "you are" if seat == scene.seat and not scene.name_needed else f"{names[seat]} is"
            yield f"{who} in {terms.the_passage(lie, player.passage)}"
    if len(lie.sides) > 1:
        tags = {shape.marker: " (marker)"}
        words = [
            f"{terms.passage(lie, each)}{tags.get(each, '')}{' (water)' * (each == shape.water)}"
            for each in reversed(shape.stack)
        ]
        yield f"from the top: {', '.join(words)}"
    elif shape.water >= 0:
        yield "water in its passage"
    for above, below in shape.slopes:
        yield f"{terms.sides(lie.sides[above])} slopes to {terms.sides(lie.sides[below])}"
    if laid.treasures:
        known = sorted(each.value for each in laid.treasures if each.value is not None)
        told = f", you know {', '.join(map(str, known))}" if known else ""
        yield f"{count(len(laid.treasures), 'treasure')} face down{told}"
    if laid.items:
        yield f"items: {terms.items(laid.items)}"
    if shape.hazard != "none":
        there = "token here" if laid.token else "no token yet"
        yield f"{shape.hazard} icon" + ("" if shape.hazard == "grue" else f", {there}")
    if laid.grues:
        yield count(laid.grues, "grue")
    for owner, sticks in Counter(laid.dynamite).items():
        number = f", {sticks} sticks" if sticks > 1 else ""
        yield f"dynamite of {names[owner]}{number}: goes off as that turn begins"
    if shape.special == "base_camp":
        yield f"Surface: {surface(cave)}"
