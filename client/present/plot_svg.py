"""Points over a game as an SVG picture, legible on light and dark screens, and without colours."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor
from typing import NamedTuple
from xml.etree.ElementTree import Element, SubElement, tostring

from client.face import LETTERS
from client.game_history import PointsHistory
from client.present import cells
from client.present.plot import highest_value, spread_labels
from client.wording import count, joined

HEIGHT = 480
INNER_WIDTH = 640  # width of the plot in units, without the names at the ends of the lines
TOP, BOTTOM, LEFT = 92, 58, 62
LETTER = 8.6  # units of a cell of text, at most
APART = 19  # units between the names at the ends of lines
MOST_TICKS, MOST_ROUNDS = 8, 20
NICE = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000)

DASHES = ("", "13 5", "4 4", "13 4 3 4", "1.5 5", "22 5")  # by seat: a whole line, long dashes ...
LIGHT = ("#955700", "#0b67a3", "#006e4e", "#6b6000", "#b03800", "#8a377c")
DARK = ("#e69f00", "#56b4e9", "#2fbf94", "#f0e442", "#ff8a4c", "#d68ab5")
"""Colours of the seats: those of the terminal, darkened on paper if necessary."""
PAPER = {"ground": "#fffdf8", "text": "#1f1b16", "dim": "#5f584e", "grid": "#ddd6ca", "warn": "#a63a00"}
NIGHT = {"ground": "#14110e", "text": "#eae1d3", "dim": "#b9ac97", "grid": "#3d362e", "warn": "#ffab73"}


class Scale(NamedTuple):
    """The numbers on the vertical axis: the lowest, the highest, and their distance."""

    low: int
    high: int
    tick: int

    def y(self, value: float) -> float:
        return TOP + (self.high - value) / (self.high - self.low) * (HEIGHT - TOP - BOTTOM)


class Words(NamedTuple):
    title: str
    about: str
    details: str
    across: str = "Round"
    up: str = "Points"


def points_svg(found: PointsHistory, game: str, *, over: bool) -> str:
    totals = [f"{name} {values[-1]:g}" for name, values in zip(found.names, found.series, strict=True)]
    words = Words(f"{game}: points by round", _description(found, over=over), f"{', '.join(totals)}.")
    return plot_svg(
        found.series,
        [f" {each}" for each in totals],
        words,
        mark=found.end,
        mark_words=found.end_words,
        goal=found.goal,
        goal_words=found.goal_words,
    )


def plot_svg(
    series: Sequence[Sequence[float]],
    labels: Sequence[str],
    words: Words,
    *,
    mark: int | None = None,
    mark_words: str = "",
    goal: float | None = None,
    goal_words: str = "",
) -> str:
    """Return a picture of lines with labels; ``mark`` is on the horizontal axis, ``goal`` on the vertical."""
    title, about = words.title, words.about
    named = INNER_WIDTH + 24 + LETTER * (2 + max(map(cells.cell_width, labels)))
    width = LEFT + ceil(max(named, 20 + LETTER * cells.cell_width(about)))
    root = Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {width} {HEIGHT}",
            "width": str(width),
            "height": str(HEIGHT),
            "role": "img",
            "aria-labelledby": "title about",
        },
    )
    SubElement(root, "title", id="title").text = title
    SubElement(root, "desc", id="about").text = f"{about}. {words.details}"
    SubElement(root, "style").text = _style_sheet()
    SubElement(root, "rect", {"class": "ground", "width": str(width), "height": str(HEIGHT)})
    _draw_text(root, LEFT, 36, title, "head")
    _draw_text(root, LEFT, 60, about, "dim")
    scale = _make_scale(series, goal)
    rounds = len(series[0]) - 1
    _draw_axes(root, scale, rounds, words)
    if mark is not None:
        _draw_mark(root, _x(mark, rounds), mark_words)
    if goal is not None:
        y = scale.y(goal)
        _draw_line(root, LEFT, y, LEFT + INNER_WIDTH, y, "mark")
        _draw_text(root, LEFT + 7, y - 5, goal_words, "warn")
    for seat, values in enumerate(series):
        points = " ".join(f"{_x(n, rounds):.1f},{scale.y(value):.1f}" for n, value in enumerate(values))
        SubElement(root, "polyline", {"class": f"line seat-{seat + 1}", "points": points})
    _draw_ends(root, scale, [values[-1] for values in series], labels)
    root.text = "\n"
    for each in root:
        each.tail = "\n"
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def _description(found: PointsHistory, *, over: bool) -> str:
    played = count(len(found.series[0]) - 1, "round")
    return f"{joined(found.names)}, {played}{'' if over else ', not finished'}"


def _make_scale(series: Sequence[Sequence[float]], goal: float | None = None) -> Scale:
    least, most = min(0, floor(min(map(min, series)))), max(1, highest_value(series, goal))
    for tick in NICE:
        low, high = floor(least / tick) * tick, ceil(most / tick) * tick
        if len(range(low, high, tick)) <= MOST_TICKS:
            return Scale(low, high, tick)
    return Scale(least, most, most - least)


def _x(number: int, rounds: int) -> float:
    return LEFT + number / max(1, rounds) * INNER_WIDTH


def _draw_axes(root: Element, scale: Scale, rounds: int, words: Words) -> None:
    right, bottom = LEFT + INNER_WIDTH, HEIGHT - BOTTOM
    for value in range(scale.low, scale.high + 1, scale.tick):
        y = scale.y(value)
        _draw_line(root, LEFT, y, right, y, "axis" if value == 0 else "grid")
        _draw_text(root, LEFT - 10, y + 5, str(value), "dim end")
    stride = next((each for each in NICE if rounds / each <= MOST_ROUNDS), rounds)
    for number in range(0, rounds + 1, stride):
        x = _x(number, rounds)
        _draw_line(root, x, bottom, x, bottom + 5, "axis")
        _draw_text(root, x, bottom + 22, str(number), "dim middle")
    _draw_text(root, LEFT + INNER_WIDTH / 2, HEIGHT - 12, words.across, "text middle")
    # Left of the label of a goal, which may be as high as the axis.
    _draw_text(root, 12, TOP - 12, words.up, "text")


def _draw_mark(root: Element, x: float, words: str) -> None:
    _draw_line(root, x, TOP, x, HEIGHT - BOTTOM, "mark")
    on_the_left = x > LEFT + INNER_WIDTH / 2
    _draw_text(root, x + (-7 if on_the_left else 7), TOP - 5, words, "warn end" if on_the_left else "warn")


def _draw_ends(root: Element, scale: Scale, values: Sequence[float], labels: Sequence[str]) -> None:
    right = LEFT + INNER_WIDTH
    ends = [scale.y(value) for value in values]
    places = spread_labels(values, ends, APART, HEIGHT - BOTTOM)
    for seat, (end, place) in enumerate(zip(ends, places, strict=True)):
        kind = f"seat-{seat + 1}"
        SubElement(root, "circle", {"class": f"dot {kind}", "cx": str(right), "cy": f"{end:.1f}", "r": "4"})
        if abs(end - place) > 1:
            _draw_line(root, right + 5, end, right + 16, place, f"guide {kind}")
        label = _draw_text(root, right + 20, place + 5, "", "text")
        letter = SubElement(label, "tspan", {"class": f"letter {kind}"})
        letter.text, letter.tail = LETTERS[seat], labels[seat]


def _style_sheet() -> str:
    """Return the styles for paper, and for night if the viewer prefers dark; both draw their own ground."""
    dashes = "".join(f".line.seat-{seat + 1}{{stroke-dasharray:{dash}}}" for seat, dash in enumerate(DASHES) if dash)
    return (
        "text{font:15px system-ui,sans-serif}.head{font-size:20px;font-weight:600}"
        ".end{text-anchor:end}.middle{text-anchor:middle}.letter{font-weight:700}"
        ".line{fill:none;stroke-width:3;stroke-linejoin:round}.guide{stroke-width:1}"
        ".grid,.axis{stroke-width:1}.mark{stroke-width:1.5;stroke-dasharray:2 4}"
        f"{dashes}{_seat_colours(PAPER, LIGHT)}"
        f"@media (prefers-color-scheme:dark){{{_seat_colours(NIGHT, DARK)}}}"
    )


def _seat_colours(own: dict[str, str], seats: Sequence[str]) -> str:
    lines = "".join(
        f".line.seat-{seat},.guide.seat-{seat}{{stroke:{colour}}}.dot.seat-{seat},.letter.seat-{seat}{{fill:{colour}}}"
        for seat, colour in enumerate(seats, start=1)
    )
    return (
        f".ground{{fill:{own['ground']}}}.text,.head{{fill:{own['text']}}}.dim{{fill:{own['dim']}}}"
        f".grid{{stroke:{own['grid']}}}.axis{{stroke:{own['dim']}}}.mark{{stroke:{own['warn']}}}"
        f".warn{{fill:{own['warn']}}}{lines}"
    )


def _draw_line(root: Element, x1: float, y1: float, x2: float, y2: float, kind: str) -> None:
    ends = {"x1": x1, "y1": y1, "x2": x2, "y2": y2}
    SubElement(root, "line", {"class": kind, **{name: f"{at:.1f}" for name, at in ends.items()}})


def _draw_text(root: Element, x: float, y: float, words: str, kind: str) -> Element:
    text = SubElement(root, "text", {"class": kind, "x": f"{x:.1f}", "y": f"{y:.1f}"})
    text.text = words
    return text
