"""Teams and turns in sentences."""

from __future__ import annotations

from client.games.the_cave.known import supplies, teams, terms
from client.games.the_cave.known.scene import CaveScene
from client.games.the_cave.said.lines.sentences import PACKING_WATCHED
from client.games.the_cave.said.lines.spoken import sentence, spoken
from client.plain.sentences import OVER
from client.present.wording import count


def turn(scene: CaveScene) -> list[str]:
    """Return whose turn it is, and what there is to count."""
    if scene.mode == "over":
        return [OVER]
    head = supplies.headline(scene.state)
    if scene.mode == "watching" and scene.cave.phase == "packing":
        return [sentence(head.turn), PACKING_WATCHED]
    if scene.mode == "packing" and scene.choices:
        return [f"{owner(scene)}, pack your backpack."]
    if not scene.can_act:
        return [sentence(head.turn), *_supplies(scene)]
    return [f"Your turn, {owner(scene)}.", *left(scene)]


def left(scene: CaveScene) -> list[str]:
    """Return AP, consumables and the way home of the shown team."""
    return [f"{scene.cave.ap} AP left.", *_supplies(scene)] if scene.can_act else _supplies(scene)


def _supplies(scene: CaveScene) -> list[str]:
    supplies = scene.supplies
    if supplies is None or not scene.state.my_seats:
        return []
    return [sentence(supplies.text)]


def owner(scene: CaveScene) -> str:
    """Return the shown team: ``B Bea``."""
    return supplies.owner(scene.view.names, scene.seat)


def standing(scene: CaveScene) -> list[str]:
    """Return a line for each team, a line for each kind of token."""
    lines = []
    for row in teams.rows(scene.state, scene.view):
        facts = [count(row.points, "point"), f"{row.bonus} bonus"]
        facts.append(
            "consumables hidden" if row.consumables is None else count(row.consumables, "consumable")
        )
        facts.append(f"depth {row.depth}")
        if row.home:
            facts.append({"-": "no way home", "now": "home in this turn"}.get(row.home, _home(row.home)))
        else:
            facts.append("at the base")
        if row.hungry:
            facts.append("too few consumables")
        facts += [
            word for word, holds in (("its turn", row.turn), ("leads", row.leads and row.points > 0)) if holds
        ]
        away = "" if row.present else {"open": "free seat", "person": "away"}.get(row.kind, "")
        facts += [away] if away else []
        lines.append(spoken(f"{row.letter} {row.name}: {', '.join(facts)}."))
    for tokens in teams.tokens(scene.view):
        unit = " m" if tokens.name == "depth" else ""
        cells = [
            f"{terms.letter(seat)} {number}{unit}" + (f" and bonus {bonus}" if bonus else "")
            for seat, (number, bonus) in enumerate(tokens.cells)
            if number
        ]
        lines.append(f"{tokens.name.capitalize()}: {', '.join(cells) or 'nobody'}.")
    return lines


def _home(turns: str) -> str:
    return f"home in {turns} turn{'s' * (turns != '1')}"
