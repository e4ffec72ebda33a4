"""What the lit map keeps of looks is bounded: memory stays flat however long a team walks."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from itertools import cycle, islice

import msgspec
import pytest
from msgspec.structs import replace

from cave.the_cave.state import Coord
from client.games.the_cave import painter as module
from client.games.the_cave.painter import LitPainter
from client.games.the_cave.picture import MapPicture, map_picture
from client.tui import tiers
from client.tui.canvas import rgb
from tests.client import section_four
from tests.effort import effort

STEPS = effort(1_000, 20_000)
FEW_LOOKS = 100
MANY_BLOCKS = STEPS // 2
"""Blocks of memory: less than one for each of the steps between."""
TEAMS = tuple((rgb("e69f00"), rgb("000000")) for _ in range(5))


def walk() -> Iterator[tuple[Coord, MapPicture]]:
    """A team at each place of the cave in turn, with prices that make each look a new one."""
    view = section_four.view()
    seat = view.cave.seat
    pictures = []
    for at in sorted(view.cave.board):
        moved = replace(view.cave.teams[seat], at=at)
        teams = (*view.cave.teams[:seat], moved, *view.cave.teams[seat + 1 :])
        pictures.append((at, map_picture(replace(view, cave=replace(view.cave, teams=teams)))))
    for price, (at, picture) in enumerate(cycle(pictures)):
        priced = msgspec.structs.replace(picture.cells[at], price=price)
        yield at, msgspec.structs.replace(picture, cells={**picture.cells, at: priced})


def test_memory_is_flat_after_thousands_of_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MANY_LOOKS", FEW_LOOKS)
    by = LitPainter("cave-dark", TEAMS, tiers.TRUECOLOR, "fine")
    taken: list[int] = []
    for step, (at, picture) in enumerate(islice(walk(), STEPS), 1):
        by.show(picture)
        by.rows(by.look(at), "S")
        assert len(by._rows) <= FEW_LOOKS
        if step % (STEPS // 10) == 0:
            gc.collect()
            taken.append(sys.getallocatedblocks())
    assert max(taken[5:]) < taken[1] + MANY_BLOCKS
