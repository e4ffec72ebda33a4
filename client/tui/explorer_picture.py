"""An explorer with a lamp, drawn in half blocks; and the lamp's beam as it sweeps through the dark."""

from __future__ import annotations

from math import sin

from textual.color import Color

from client.tui.canvas import cell_segments, mix, parse_rgb, pixel_cells
from client.tui.motion import Effect
from client.tui.themes import colour_tier
from client.tui.widgets.panel import Panel, Span, sprite_rows

INKS = "l fffbe0 g ffc861 f d9a066 d 4a2c1a o 5a5250"  # lamp and its light, face, boots; an open seat
EXPLORER = """\
...tt...
..tttlg.
..tttllg
...ffgg.
..tttt..
.tttttt.
.t.tt.t.
...tt...
..tt.tt.
..d..d.."""
OUTLINE = """\
...oo...
..o..o..
..o..o..
...oo...
..o..o..
.o.oo.o.
.o.oo.o.
..o..o..
..o..o..
..o..o.."""
FIGURES = 24  # rows of a window from which explorers fit
SWEEP = Effect(0.2)
GLOW, STEPS = parse_rgb("ffc861"), 8  # the colour of the light, and the number of its shades


def explorer_rows(pane: Panel, colour: str, *, seated: bool = True) -> list[list[Span]]:
    """Return the rows of an explorer in this colour, or only its outline."""
    return sprite_rows(pane, f"t {colour} {INKS}\n{EXPLORER if seated else OUTLINE}")


def seated(pane: Panel, seat: int, *, taken: bool = True) -> list[list[Span]]:
    """Return an explorer in the colour of a seat; none in a low window."""
    if pane.app.size.height < FIGURES:
        return []
    colour = Color.parse(pane.app.theme_variables[f"seat-{seat + 1}"])
    return explorer_rows(pane, colour.hex6[1:], seated=taken)


def beam(pane: Panel, width: int, frame: int | None) -> list[list[Span]]:
    """Return the rows of the light beside an explorer; ``frame`` is that of its ``SWEEP``, None at rest."""
    night, lean = parse_rgb(pane.background_colors[1].hex6), 0.0 if frame is None else sin(frame / 4) * 0.2

    def light(x: int, y: int) -> float:
        spread = 1 - abs(y - 2.5 - lean * x) / (1 + x * 0.15)
        return round(STEPS * max(0.0, spread) * (1 - x / width) * 0.6) / STEPS

    image = [[mix(night, GLOW, light(x, y)) for x in range(width)] for y in range(len(EXPLORER.split()))]
    return [
        [Span(text, look=look) for text, look, _ in cell_segments(cells, colour_tier(pane.app).style_maker)]
        for cells in pixel_cells(image)
    ]
