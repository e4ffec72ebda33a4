"""The terminal shows the same as with Textual's own output, in fewer bytes."""

from __future__ import annotations

import re
from io import StringIO
from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from client.tui.terminal_output import ShownTerminal

WIDTH, HEIGHT = 24, 3
ESCAPE = re.compile(r"\x1b\[([0-9;]*)([Hm])|\x1b\]8;([^\x1b]*)\x1b\\")

styles = st.builds(
    Style,
    color=st.sampled_from([None, "#ff8800", "#00ff00", "red", "color(200)"]),
    bgcolor=st.sampled_from([None, "#101010", "#202020", "blue"]),
    bold=st.sampled_from([None, True]),
    underline=st.sampled_from([None, True]),
    reverse=st.sampled_from([None, True]),
    link=st.sampled_from([None, None, None, "file:///rules"]),
)
pieces = st.tuples(st.text("ab 洞 █", min_size=1, max_size=5), st.none() | styles)


class Cell(NamedTuple):
    sign: str
    style: tuple[object, ...]
    link: str


class Terminal:
    """The part of a terminal that the app's output needs."""

    def __init__(self) -> None:
        self.cells = [[Cell("?", (), "")] * WIDTH for _ in range(HEIGHT)]
        self.x = self.y = 0

    def take(self, data: str) -> Terminal:
        x, y, at = self.x, self.y, 0
        codes: dict[str, str] = {}
        link = ""
        while at < len(data):
            if found := ESCAPE.match(data, at):
                at = found.end()
                if found[3] is not None:
                    link = found[3].partition(";")[2]
                elif found[2] == "H":
                    y, x = (int(number) - 1 for number in found[1].split(";"))
                else:
                    self._restyle(codes, found[1].split(";"))
                continue
            if data[at] == "\n":
                x, y = 0, y + 1
            else:
                signs = data[at] if data[at] != "洞" else "洞+"
                for cell, sign in enumerate(signs, x):
                    self._put(cell, y, sign, dict(codes), link)
                x += len(signs)
            at += 1
        self.x, self.y = x, y
        assert not codes, "the next program would write in the last style"
        return self

    def _restyle(self, codes: dict[str, str], numbers: list[str]) -> None:
        while numbers:
            code = numbers.pop(0)
            if code == "0":
                codes.clear()
            elif code == "22":
                codes.pop("is 1", None)
            elif code in ("38", "48"):
                more = 2 if numbers[0] == "5" else 4
                codes[code[0]] = ";".join(numbers[:more])
                del numbers[:more]
            elif code in ("39", "49"):
                codes.pop(code[0], None)
            elif code[0] in "34" and len(code) == 2:
                codes[code[0]] = code
            else:
                codes["is " + code] = code

    def _put(self, x: int, y: int, sign: str, codes: dict[str, str], link: str) -> None:
        if sign == " " and "is 4" not in codes and "is 7" not in codes and not link:
            codes = {"4": codes["4"]} if "4" in codes else {}
        if sign == "█" and "is 7" not in codes:  # a full block hides its ground
            codes.pop("4", None)
        self.cells[y][x] = Cell(sign, tuple(sorted(codes.items())), link)


@st.composite
def frames(draw: st.DrawFn) -> str:
    """Parts of lines, as Textual writes them: whole pieces, and a move to the cursor."""
    console = Console(file=StringIO(), color_system="truecolor")
    written = []
    for y in sorted(draw(st.sets(st.integers(1, HEIGHT), min_size=1))):
        x = draw(st.integers(0, WIDTH - 1))
        line = Strip([Segment(text, style) for text, style in draw(st.lists(pieces, min_size=1, max_size=8))])
        fitting = line.adjust_cell_length(WIDTH - x, draw(styles))
        written.append(f"\x1b[{y};{x + 1}H{fitting.render(console)}{draw(st.sampled_from(['', chr(10)]))}")
    return "".join([*written, "\x1b[1;1H"])


@given(st.lists(frames(), max_size=5))
def test_frames_look_like_those_of_the_library(written):
    shown, theirs, ours = ShownTerminal(), Terminal(), Terminal()
    for frame in written:
        changes = shown.changed_output(frame)
        assert ours.take(changes).cells == theirs.take(frame).cells
        assert len(changes) <= len(frame) + 8 * HEIGHT
        assert shown.changed_output(frame) == "" or "洞" in frame or "]8;" in frame, "it is shown already"


def test_only_pieces_that_change_are_written() -> None:
    shown = ShownTerminal()
    assert (
        shown.changed_output("\x1b[1;1H\x1b[1mthe dark\x1b[0m cave\x1b[3;1H")
        == "\x1b[1;1H\x1b[1mthe dark\x1b[0m cave\x1b[3;1H"
    )
    changes = shown.changed_output("\x1b[1;1H\x1b[1mthe dark\x1b[0m den\x1b[0m\x1b[1mner\x1b[0m\x1b[3;1H")
    assert changes == "\x1b[1;9H den\x1b[1mner\x1b[3;1H\x1b[0m"


def test_after_a_new_size_or_a_cleared_screen_everything_is_written() -> None:
    shown = ShownTerminal()
    frame = shown.changed_output("\x1b[1;1Hthe cave\x1b[1;1H")
    assert shown.changed_output("\x1b[1;1Hthe cave\x1b[1;1H") == ""
    shown.forget()
    assert shown.changed_output("\x1b[1;1Hthe cave\x1b[1;1H") == frame
    for cleared in ("\x1b[2J", "\x1b[?1049h", "\x1bc", "text at no place"):
        assert shown.changed_output(cleared) == cleared
        assert shown.changed_output("\x1b[1;1Hthe cave\x1b[1;1H") == frame
    for kept in ("\x1b[?2026h", "\x1b]2;Cave\x07", "\x1b[6n"):
        assert shown.changed_output(kept) == kept
        assert shown.changed_output("\x1b[1;1Hthe cave\x1b[1;1H") == ""
