"""Texts of events and refusals (see ``tests.cave.kept``)."""

from __future__ import annotations

from tests.cave.kept import Kept
from tests.cave.sir_ocelots_cave.test_conformance import SETTINGS, SUBJECT

GAMES = [(2, settings) for settings in SETTINGS.values()]
KEPT = Kept(SUBJECT, __file__, 3 * GAMES, every=4)


def test_events_and_refusals_are_unchanged() -> None:
    KEPT.check()


if __name__ == "__main__":
    KEPT.write()
