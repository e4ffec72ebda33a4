"""Texts of events and refusals of The Cave (see ``tests.cave.kept``)."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from cave.game import BadData
from cave.the_cave.state import State
from tests.cave.builders import GAME
from tests.cave.kept import Kept
from tests.cave.test_conformance import SUBJECT, SWITCHES
from tests.cave.test_idle import played, rearranged


def crowds() -> Iterator[State]:
    """Positions with other things, camps and places than games reach."""
    for number in range(24):
        rng = Random(number)
        state = played(rng.randint(2, 5), rng.choice(sorted(SWITCHES)), number, 4 * number)
        for _ in range(4):
            try:
                yield GAME.from_position(rearranged(GAME.position(state), rng))
            except BadData:
                continue


GAMES = [(2, SWITCHES["english"]), (3, SWITCHES["french"])]
KEPT = Kept(SUBJECT, __file__, GAMES, every=11, crowds=crowds, levels=["novice", "rookie", "guide"])


def test_events_refusals_and_decisions_are_unchanged() -> None:
    KEPT.check()


if __name__ == "__main__":
    KEPT.write()
