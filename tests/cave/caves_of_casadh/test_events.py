"""What events say beyond their type, kept as a count and a digest for each type.

Whole games and crowded positions tell them. After a change on purpose: ``python -m
tests.cave.caves_of_casadh.test_events``, and read which types have changed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

from cave import codec
from cave.caves_of_casadh.game import CAVES_OF_CASADH as GAME
from cave.caves_of_casadh.state import State
from cave.game import Json
from tests.cave.caves_of_casadh import crowded
from tests.cave.caves_of_casadh.test_conformance import SETTINGS, wanderer

KEPT = Path(__file__).with_name("events.json")


def states() -> Iterator[State]:
    for name, (seats, chosen) in SETTINGS.items():
        rng, now = Random(name), GAME.new(seats, chosen, name)
        while now.seat is not None:
            yield now
            now = GAME.apply(now, now.seat, wanderer(GAME, now, now.seat, rng)).state
    for number in range(300):
        position = crowded.position(Random(number))
        if position is not None:
            yield GAME.from_position(position)


def told() -> dict[str, Json]:
    """The number and the digest of the events of each type that all choices bring."""
    found: dict[str, list[bytes]] = {}
    for now in states():
        for choice in GAME.choices(now, min(GAME.to_act(now))):
            step = GAME.apply(now, min(GAME.to_act(now)), GAME.sample(choice, Random(0)))
            for event in step.events:
                barrier = b"!" if GAME.is_barrier(event) else b"."
                said = GAME.event_json(event), GAME.event_json(GAME.public_event(event))
                found.setdefault(event.type, []).append(barrier + b"".join(map(codec.canonical, said)))
    return {
        kind: [len(lines), hashlib.sha256(b"\n".join(lines)).hexdigest()[:16]]
        for kind, lines in sorted(found.items())
    }


def test_events_say_what_they_said() -> None:
    kept = json.loads(KEPT.read_text("utf-8"))
    assert told() == kept
    assert {*kept} == {event.type for event in GAME.events}


if __name__ == "__main__":
    KEPT.write_text(json.dumps(told(), indent=1) + "\n", "utf-8")
