"""The entries of the lists that the game screen opens."""

from __future__ import annotations

from collections.abc import Sequence

from client.face import LogEntry
from client.games.the_cave import terms
from client.games.the_cave.about import OF_ACTION, named
from client.games.the_cave.actions import ActionLine, Offer, lines, offers
from client.games.the_cave.log import log_line
from client.games.the_cave.scene import Desk
from client.games.the_cave.screen.keys import renamed_lines
from client.present.log import entries
from client.table import LogLine
from client.tui.keymap import Keymap
from client.tui.screens.chooser import Entry


def offer_entries(found: Sequence[Offer]) -> list[Entry]:
    """Priced variants of moves, numbered."""
    return [
        Entry(
            offer.label,
            offer.choice,
            offer.price,
            offer.gain,
            offer.brings,
            _number(index),
            about=("5.7",) if offer.by_force else ("5",),
        )
        for index, offer in enumerate(found)
    ]


def _number(index: int) -> str:
    return str(index + 1) if index < 9 else ""


def move_entries(desk: Desk) -> list[Entry]:
    """All moves of the shown seat."""
    assert desk.seat is not None
    return offer_entries(offers(desk.cave, desk.seat, desk.choices))


def action_entries(desk: Desk, keymap: Keymap) -> list[Entry]:
    """All actions; those not legal now with the reason."""
    assert desk.seat is not None
    found = lines(desk.cave, desk.seat, desk.choices, desk.refusals)
    return [action_entry(line) for line in renamed_lines(found, keymap)]


def action_entry(line: ActionLine) -> Entry:
    """An action as an entry that gives the action's word."""
    rules = (*named(line.why), *OF_ACTION.get(line.do, ()))
    return Entry(
        line.label, line.do, line.price, line.gain, line.why, line.key, enabled=line.legal, about=rules
    )


def _letter(seat: int | None, actor: str) -> str:
    return f"{terms.letter(seat)} {actor} " if seat is not None and actor else ""


def log_entries(desk: Desk) -> tuple[list[Entry], int]:
    """The whole log, and the index of the first line since the shown seat's last turn."""
    found = entries(log_line, desk.state.log, desk.view)
    start = next((number for number, entry in enumerate(found) if entry.index >= desk.since), len(found))
    made = [
        Entry(
            f"{_letter(entry.seat, entry.actor)}{entry.text}",
            entry.at or "",
            gain=entry.gain,
            role="text" if number >= start else "dim",
        )
        for number, entry in enumerate(found)
    ]
    if 0 < start < len(made):
        made.insert(start, Entry("--- since your last turn ---", None, enabled=False))
    return made, start


def step_entries(found: Sequence[LogEntry], log: Sequence[LogLine], step: int) -> tuple[list[Entry], int]:
    """The log of a replay, each line giving its step, and the index of the last line that has
    happened at ``step``; those to come are dim.
    """
    steps = [log[entry.index].seq for entry in found]
    made = [
        Entry(
            f"{_letter(entry.seat, entry.actor)}{entry.text}",
            at,
            gain=entry.gain,
            role="text" if at <= step else "dim",
        )
        for entry, at in zip(found, steps, strict=True)
    ]
    return made, max(0, sum(at <= step for at in steps) - 1)
