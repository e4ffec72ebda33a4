"""What the terminal shows is the same as with the library's own output, in fewer bytes."""

from __future__ import annotations

import re
from io import StringIO
from itertools import pairwise
from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual._compositor import ChopsUpdate, CompositorUpdate, LayoutUpdate
from textual.geometry import Region
from textual.strip import Strip

from client.tui.terse import terse

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


class Shown(NamedTuple):
    sign: str
    style: tuple[object, ...]
    link: str


class Terminal:
    """As much of a terminal as the app's output needs."""

    def __init__(self) -> None:
        self.cells = [[Shown("?", (), "")] * WIDTH for _ in range(HEIGHT)]
        self.written: set[tuple[int, int]] = set()

    def take(self, data: str) -> Terminal:
        x = y = at = 0
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
        self.cells[y][x] = Shown(sign, tuple(sorted(codes.items())), link)
        self.written.add((x, y))


@st.composite
def lines(draw: st.DrawFn) -> Strip:
    line = Strip([Segment(text, style) for text, style in draw(st.lists(pieces, min_size=1, max_size=8))])
    return line.adjust_cell_length(WIDTH, draw(styles))


@st.composite
def changes(draw: st.DrawFn, line: st.SearchStrategy[Strip]) -> ChopsUpdate:
    """Spans of lines that are cut where widgets meet, some of which are hidden by others."""
    chops: list[dict[int, Strip | None]] = []
    ends = []
    for _ in range(HEIGHT):
        inner = draw(st.sets(st.integers(1, WIDTH - 1), max_size=3))
        cuts = [0, *sorted(inner), WIDTH]
        parts = draw(line).divide(cuts[1:])
        chops.append(
            {x: None if draw(st.integers(0, 5)) == 5 else part for x, part in zip(cuts, parts, strict=False)}
        )
        ends.append(cuts[1:])
    spans = []
    for y in sorted(draw(st.sets(st.integers(0, HEIGHT - 1), min_size=1))):
        edges = sorted(draw(st.sets(st.integers(0, WIDTH), min_size=2, max_size=4)))
        spans += [(y, start, end) for start, end in list(pairwise(edges))[::2]]
    return ChopsUpdate(chops, spans, ends)  # type: ignore[arg-type]


def output(update: object) -> str:
    assert isinstance(update, CompositorUpdate)
    return update.render_segments(Console(file=StringIO(), color_system="truecolor"))


@given(st.lists(lines(), min_size=HEIGHT, max_size=HEIGHT))
def test_a_whole_screen_looks_as_the_library_would_show_it(screen):
    update = LayoutUpdate([[line] for line in screen], Region(0, 0, WIDTH, HEIGHT))
    theirs, ours = output(update), output(terse(update))
    assert Terminal().take(ours).cells == Terminal().take(theirs).cells
    assert len(ours) <= len(theirs) + 8 * HEIGHT


@given(changes(lines()))
def test_what_has_changed_looks_as_the_library_would_show_it(update):
    ours, theirs = Terminal().take(output(terse(update))), Terminal().take(output(update))
    for y, start, end in update.spans:
        hidden = {
            x
            for (begin, part), stop in zip(update.chops[y].items(), update.chop_ends[y], strict=True)
            for x in range(begin, stop)
            if part is None
        }
        for x in set(range(start, end)) - hidden:
            assert ours.cells[y][x] == theirs.cells[y][x]


@given(
    changes(
        lines().map(lambda line: Strip([Segment(part.text.replace("洞", "oo"), part.style) for part in line]))
    )
)
def test_nothing_is_written_but_what_has_changed(update):
    wanted = {(x, y) for y, start, end in update.spans for x in range(start, end)}
    assert Terminal().take(output(terse(update))).written <= wanted


def test_with_256_colours_paper_is_no_lemon_and_what_could_be_read_can_be_read() -> None:
    """The library's nearest of this brown and this paper are olive on lemon."""
    line = Strip([Segment("Ann", Style(color="#6e4300", bgcolor="#e2d9c8"))]).adjust_cell_length(WIDTH)
    update = terse(LayoutUpdate([[line]], Region(0, 0, WIDTH, 1)))
    shown = update.render_segments(Console(file=StringIO(), color_system="256"))
    assert re.search(r"\x1b\[38;5;(\d+);48;5;253mAnn", shown)[1] == "52"
