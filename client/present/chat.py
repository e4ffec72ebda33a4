"""What the others at the table have said."""

from __future__ import annotations

from collections.abc import Sequence

from client.table_state import ChatLine


def news(before: Sequence[ChatLine], after: Sequence[ChatLine]) -> Sequence[ChatLine]:
    """The lines said since. Only the last lines of a talk are kept, so that the first ones may be gone."""
    kept = len(before)
    while kept and tuple(before[-kept:]) != tuple(after[:kept]):
        kept -= 1
    return after[kept:]


def said(line: ChatLine) -> str:
    """Who said what; who watches is told from who plays."""
    return f"{line.name}{' (watching)' if line.watcher else ''}: {line.text}"
