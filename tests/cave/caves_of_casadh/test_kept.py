"""What events and refusals say, and what bots do in positions of all phases: counts and digests.

After a change on purpose: ``python -m tests.cave.caves_of_casadh.test_kept``, and read the diff.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

from cave import codec
from cave.caves_of_casadh import bots
from cave.caves_of_casadh.game import CAVES_OF_CASADH as GAME
from cave.caves_of_casadh.state import State
from cave.game import Json, Refused
from tests.cave.caves_of_casadh import crowded
from tests.cave.caves_of_casadh.test_conformance import SETTINGS, wanderer

KEPT = Path(__file__).with_name("kept.json")
LEVELS = {"planner": bots.planner, **{name: GAME.bots[name] for name in ("novice", "guide", "expert")}}


def crowds() -> Iterator[State]:
    for number in range(300):
        position = crowded.position(Random(number))
        if position is not None:
            yield GAME.from_position(position)


def states() -> Iterator[State]:
    for name, (seats, chosen) in SETTINGS.items():
        rng, now = Random(name), GAME.new(seats, chosen, name)
        while now.seat is not None:
            yield now
            now = GAME.apply(now, now.seat, wanderer(GAME, now, now.seat, rng)).state
    yield from crowds()


def events() -> Iterator[tuple[str, bytes]]:
    """The events that each choice brings, by their types."""
    for now in states():
        seat = min(GAME.to_act(now))
        for choice in GAME.choices(now, seat):
            for event in GAME.apply(now, seat, GAME.sample(choice, Random(0))).events:
                barrier = b"!" if GAME.is_barrier(event) else b"."
                said = GAME.event_json(event), GAME.event_json(GAME.public_event(event))
                yield event.type, barrier + b"".join(map(codec.canonical, said))


def decisions() -> Iterator[tuple[str, bytes]]:
    """What each level does, by level and phase."""
    for now in crowds():
        seat = min(GAME.to_act(now))
        choices = [GAME.choice_json(choice) for choice in GAME.choices(now, seat)]
        view = GAME.view_json(GAME.view(now, seat))
        for level, bot in LEVELS.items():
            yield f"{level} {now.phase}", codec.canonical(bot(view, choices, "seed"))


def refusals() -> Iterator[tuple[str, bytes]]:
    """What is said of actions that are not legal, by code."""
    for number, now in enumerate(crowds()):
        rng, position = Random(number), GAME.position(now)
        for _ in range(20):
            seat = min(GAME.to_act(now))
            try:
                GAME.apply(now, seat, GAME.decode(now, seat, crowded.wild_action(rng, position)))
            except Refused as refused:
                yield refused.code, refused.message.encode()
        for why in GAME.why_not(now, min(GAME.to_act(now))):
            yield f"why not: {why.code}", codec.canonical([why.action, why.message])


def told() -> dict[str, Json]:
    found: dict[str, list[bytes]] = {}
    for each in (events(), decisions(), refusals()):
        for name, line in each:
            found.setdefault(name, []).append(line)
    digests = {name: hashlib.sha256(b"\n".join(lines)).hexdigest() for name, lines in found.items()}
    return {name: f"{len(found[name])} {digest[:16]}" for name, digest in sorted(digests.items())}


def test_events_refusals_and_decisions_are_what_they_were() -> None:
    kept = json.loads(KEPT.read_text("utf-8"))
    assert told() == kept
    assert {event.type for event in GAME.events} <= kept.keys()


if __name__ == "__main__":
    KEPT.write_text(json.dumps(told(), indent=0) + "\n", "utf-8")
