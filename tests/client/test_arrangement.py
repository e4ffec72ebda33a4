"""A larger window never shows less: the layout of a table's panes, at every possible size."""

from __future__ import annotations

from itertools import product

import pytest
from textual.geometry import Region

from client.games.the_cave.screen import arrange
from client.games.the_cave.side_pane import LEAST

WIDTHS, HEIGHTS = range(LEAST[0], 201), range(LEAST[1], 61)
SIZES = tuple(product(WIDTHS, HEIGHTS))
NEEDED = {"header", "map-pane", "supplies", "side", "log", "hints"}


@pytest.mark.parametrize("replay", [False, True])
def test_a_larger_window_never_shows_less(replay: bool) -> None:
    found = {size: arrange(*size, replay=replay) for size in SIZES}
    for (width, height), boxes in found.items():
        for larger in ((width + 1, height), (width, height + 1)):
            more = found.get(larger)
            if more is None:
                continue
            for name in ("map-pane", "log"):
                assert more[name].height >= boxes[name].height, (name, (width, height), larger)
            assert more["map-pane"].width >= boxes["map-pane"].width, ((width, height), larger)
            assert set(more) >= set(boxes), ((width, height), larger)


@pytest.mark.parametrize("replay", [False, True])
def test_the_panes_fill_the_window_without_overlap(replay: bool) -> None:
    for width, height in SIZES:
        boxes = arrange(width, height, replay=replay)
        assert set(boxes) >= NEEDED
        assert sum(box.width * box.height for box in boxes.values()) == width * height
        regions = [Region(*box) for box in boxes.values()]
        window = Region(0, 0, width, height)
        assert all(region.area and window.contains_region(region) for region in regions)
