"""The levels of The Cave decide as they did when their strength was measured."""

from __future__ import annotations

from tests.cave import decisions


def test_all_levels_decide_as_they_did_when_they_were_measured() -> None:
    changed = decisions.changed("the-cave")
    assert not changed, "\n".join(changed[:5])
