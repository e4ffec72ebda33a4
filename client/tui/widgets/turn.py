"""Whose turn it is, as the header of a table says it."""

from __future__ import annotations

from client.face import LETTERS
from client.present.links import in_place_of_the_turn
from client.present.scene import Scene
from client.tui.widgets.names import short
from client.tui.widgets.panel import seat_role


def whose_turn(now: Scene, seat: int | None, most: int = 0) -> tuple[str, str]:
    """Return the words and their role; ``most`` cells show the name of the ``seat`` to act (0: all)."""
    if trouble := in_place_of_the_turn(now.state):
        return trouble, "warn"
    if now.over or seat is None:
        return "THE GAME IS OVER", "strong"
    name = now.view.names[seat]
    if most:
        name = short(name, most).rstrip()
    if not now.state.plays(seat):
        absence = now.state.seats[seat].absence
        return f"{LETTERS[seat]} {name} {f'({absence})' if absence else 'is playing'}", "strong"
    return f"YOUR TURN  {LETTERS[seat]} {name}", seat_role(seat)
