"""What events say: the first two of each type in a game of each sort, and how many (``events.txt``).

To renew the file: ``python -m tests.cave.cave_vs_cave.test_events``, and read the diff.
"""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from random import Random

from tests.cave.cave_vs_cave.builders import GAME
from tests.cave.cave_vs_cave.test_conformance import GAMES, dweller

KEPT = Path(__file__).with_name("events.txt")
SHOWN = 2


def events() -> list[str]:
    lines = []
    for name, (seats, settings) in GAMES.items():
        rng, state = Random(name), GAME.new(seats, settings, name)
        found = defaultdict[str, list[str]](list)
        while state.seat is not None:
            step = GAME.apply(state, state.seat, dweller(GAME, state, state.seat, rng))
            state = step.state
            for event in step.events:
                found[event.type].append(json.dumps(GAME.event_json(event), sort_keys=True))
        for kind in sorted(found):
            lines += [f"{name}: {kind}: {len(found[kind])}", *(f"  {each}" for each in found[kind][:SHOWN])]
    return lines


def test_every_event_says_what_has_happened() -> None:
    assert events() == KEPT.read_text("utf-8").splitlines()


if __name__ == "__main__":
    KEPT.write_text("\n".join(events()) + "\n", "utf-8")
