"""The levels of The Caves of Casadh decide as they did when their strength was measured."""

from __future__ import annotations

from tests.cave import decisions


def test_all_levels_decide_as_they_did_when_they_were_measured() -> None:
    changed = decisions.changed("caves-of-casadh")
    assert not changed, "\n".join(changed[:5])
