"""Texts of events and refusals, and the bots' actions in all phases (see ``tests.cave.kept``)."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from cave.caves_of_casadh.state import State
from tests.cave.caves_of_casadh import crowded
from tests.cave.caves_of_casadh.builders import GAME
from tests.cave.caves_of_casadh.test_conformance import SETTINGS, SUBJECT
from tests.cave.kept import Kept


def crowds() -> Iterator[State]:
    for number in range(300):
        position = crowded.position(Random(number))
        if position is not None:
            yield GAME.from_position(position)


KEPT = Kept(
    SUBJECT,
    __file__,
    [*SETTINGS.values()],
    every=9,
    crowds=crowds,
    levels=("novice", "rookie", "guide", "expert"),
    wild=lambda state, rng: crowded.wild_action(rng, GAME.position(state)),
)


def test_events_refusals_and_decisions_are_unchanged() -> None:
    KEPT.check()


if __name__ == "__main__":
    KEPT.write()
