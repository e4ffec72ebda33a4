"""The signs of a board, drawn by the board's own painter, each beside a sentence about it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import zip_longest

from client.tui.board.view import Block, text_of
from client.tui.themes import FollowsTheme
from client.tui.widgets.panel import Panel, Row, Span, wrap

LEAST_WORDS = 17  # columns of a sentence from which tall samples are beside each other
GAP = 2


class Legend(Panel, FollowsTheme):
    """Samples from the top, tall ones in two columns if there is room."""

    _samples: Sequence[tuple[Block, str]] = ()
    _draw: Callable[[], Iterable[tuple[Block, str]]] = tuple

    def show(self, draw: Callable[[], Iterable[tuple[Block, str]]]) -> None:
        """Show the samples that ``draw`` returns, which is called again for another theme."""
        self._draw = draw
        self.theme_changed()

    def theme_changed(self) -> None:
        self._samples = [*self._draw()]
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        blocks = [block for block, _ in self._samples]
        wide = max((len(text_of(row)) for block in blocks for row in block), default=0) + GAP
        is_tall = any(len(block) > 1 for block in blocks)
        across = 2 if is_tall and width >= 2 * (wide + LEAST_WORDS) else 1
        found: list[Row] = []
        for start in range(0, len(blocks), across):
            beside = self._samples[start : start + across]
            cells = [_sample(block, words, wide, width // across) for block, words in beside]
            blank = [Span(" " * (width // across))]
            found += [
                [span for cell in line for span in cell] for line in zip_longest(*cells, fillvalue=blank)
            ]
            found += [[]] * is_tall
        return found


def _sample(block: Block, words: str, wide: int, width: int) -> list[Row]:
    lines = wrap(words, width - wide - GAP)
    first = max(0, (len(block) - len(lines)) // 2)
    rows: list[Row] = []
    for number in range(max(len(block), len(lines))):
        row = [Span(text, look=look) for text, look, _ in (block[number] if number < len(block) else ())]
        row.append(Span(" " * (wide - sum(len(span.text) for span in row))))
        line = lines[number - first] if 0 <= number - first < len(lines) else ""
        rows.append([*row, Span(f"{line:<{width - wide}}")])
    return rows
