"""The entries of the lists that the game screen opens."""

from __future__ import annotations

from collections.abc import Sequence

from client.games.the_cave.known.actions import ActionLine, Offer
from client.games.the_cave.known.scene import CaveScene
from client.games.the_cave.said.about import OF_ACTION, named
from client.games.the_cave.screen.keys import renamed_lines
from client.tui.keymap import Keymap
from client.tui.screens.chooser import Entry, number_key


def offer_entries(found: Sequence[Offer]) -> list[Entry]:
    """Return priced variants of moves, numbered."""
    return [
        Entry(
            offer.label,
            offer.choice,
            offer.price,
            offer.gain,
            offer.brings,
            number_key(number),
            about=("5.7",) if offer.by_force else ("5",),
        )
        for number, offer in enumerate(found, 1)
    ]


def action_entries(scene: CaveScene, keymap: Keymap) -> list[Entry]:
    """List all actions; those not legal now with the reason."""
    return [action_entry(line) for line in renamed_lines(scene.all_lines(), keymap)]


def action_entry(line: ActionLine) -> Entry:
    """Return an action as an entry that gives the action's word."""
    rules = (*named(line.why), *OF_ACTION.get(line.do, ()))
    return Entry(
        line.label,
        line.do,
        line.price,
        line.gain,
        line.why,
        line.key,
        enabled=line.legal,
        about=rules,
        columns=() if line.legal else (line.short, line.reason, line.rule),
        price_role="warn" if line.loses else "gain",
    )
