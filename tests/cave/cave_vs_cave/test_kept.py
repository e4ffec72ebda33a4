"""Texts of events and refusals, and the bots' actions in crowded caves (see ``tests.cave.kept``)."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from cave.cave_vs_cave.state import State
from cave.game import Json
from tests.cave.cave_vs_cave import crowded
from tests.cave.cave_vs_cave.builders import GAME, written
from tests.cave.cave_vs_cave.test_conformance import GAMES, SUBJECT
from tests.cave.kept import Kept


def crowds() -> Iterator[State]:
    for number in range(80):
        position = crowded.position(Random(number))
        if position is not None:
            yield GAME.from_position(position)


def wild(state: State, rng: Random) -> Json:
    legal = [GAME.choice_json(choice)["action"] for choice in GAME.choices(state, min(GAME.to_act(state)))]
    return crowded.wild_action(rng, written(state), legal)


KEPT = Kept(
    SUBJECT, __file__, [*GAMES.values()], every=20, crowds=crowds, levels=("novice", "rookie", "guide"), wild=wild
)


def test_events_refusals_and_decisions_are_unchanged() -> None:
    KEPT.check()


if __name__ == "__main__":
    KEPT.write()
