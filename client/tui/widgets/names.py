"""Names where there is little room."""

from __future__ import annotations

from rich.cells import cell_len, set_cell_size

from client.tui.widgets.panel import fit
from client.wording import bare


def short(name: str, width: int) -> str:
    """Fit a name into ``width`` cells. A shortened name keeps its trailing number and the bot mark."""
    own = bare(name)
    letters = own.rstrip("0123456789")
    number, mark = own[len(letters) :], " bot" if own != name else ""
    room = width - len(number) - len(mark)
    if cell_len(name) <= width or not (number or mark):
        return fit(name, width)
    if room < bool(letters):
        return fit(own, width - len(mark)) + mark
    cut = fit(letters, min(room, cell_len(letters))) if room > 1 or not mark else set_cell_size(letters, room)
    return fit(f"{cut}{number}{mark}", width)
