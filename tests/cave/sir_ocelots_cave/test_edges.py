"""What the rules of Sir Ocelot's Cave say where two of them meet."""

from __future__ import annotations

import pytest

from cave.sir_ocelots_cave.board import LEVEL, SQUARES
from cave.sir_ocelots_cave.sight import companion_sees
from tests.cave.sir_ocelots_cave.builders import state


@pytest.mark.parametrize("reach", ["line", "cave"])
def test_4_4_a_companion_helps_in_its_own_cave_only_whichever_house_rule_is_played(reach: str) -> None:
    """Nor is a person told that it could."""
    for stands in SQUARES:
        now = state(companions=(stands, None), companion_sight=reach, seat=1)
        for at in SQUARES:
            if LEVEL[at] != LEVEL[stands]:
                assert not companion_sees(now, 0, at), (stands, at)
            elif reach == "cave":
                assert companion_sees(now, 0, at), (stands, at)
        assert not companion_sees(now, 1, (5, 5)), "one that is not placed sees nothing"
