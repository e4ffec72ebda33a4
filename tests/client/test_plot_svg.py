"""The picture of the points: every point in its place, legible on light and dark screens, and harmless."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from xml.etree.ElementTree import Element, fromstring

import pytest

from client.game_history import PointsHistory, points_in
from client.games.the_cave.face import FACE
from client.present import plot_svg
from client.present.plot_svg import DARK, LIGHT, NIGHT, PAPER, points_svg
from client.tui.canvas import contrast, parse_rgb
from tests.client.played import replay_of, whole_game

SVG = "{http://www.w3.org/2000/svg}"
NAMES = ("Ann", "Bea", "Rook")
GOLDEN = Path(__file__).parent / "goldens" / "points.svg"
HALVES = PointsHistory(("Ann", "Bea"), ((0, 2.5, 2.5, 7.5), (0, 0, 5, 5)), end=2, end_words="2 turns left")


def drawn(found: PointsHistory, game: str = "The Cave", *, over: bool = True) -> Element:
    return fromstring(points_svg(found, game, over=over))


def classed(root: Element, kind: str) -> list[Element]:
    return [each for each in root.iter() if kind in each.get("class", "").split()]


def places(line: Element) -> list[tuple[float, float]]:
    pairs = [pair.split(",") for pair in line.attrib["points"].split()]
    return [(float(x), float(y)) for x, y in pairs]


def words(root: Element) -> list[str]:
    return ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]


def axis(root: Element, *, upright: bool) -> dict[float, float]:
    """Return the numbers of an axis: value by place."""
    found = {}
    for text in root.iter(f"{SVG}text"):
        if re.fullmatch(r"-?\d+", text.text or "") and ("end" in text.attrib["class"].split()) is upright:
            found[float(text.attrib["y"]) - 5 if upright else float(text.attrib["x"])] = float(text.text or 0)
    return found


def along(numbers: dict[float, float], place: float) -> float:
    """Return the value at a place, interpolated on the axis."""
    (first, low), (last, high) = sorted(numbers.items())[:: len(numbers) - 1]
    return low + (place - first) * (high - low) / (last - first)


@pytest.mark.parametrize(
    "found",
    [
        HALVES,
        points_in(FACE, replay_of(whole_game(NAMES))),
        PointsHistory(("Ann",), ((0, 12, 3),)),
        PointsHistory(("Ann", "Bea"), ((0, -3, 4.5), (0, 0, -0.5))),
        PointsHistory(("Ann", "Bea"), ((0, 0), (0, 0))),
        PointsHistory(("Ann",), (tuple(range(0, 3000, 7)),)),
    ],
    ids=["halves", "whole game", "one seat", "below nothing", "nothing yet", "long"],
)
def test_every_point_is_where_the_axes_say(found: PointsHistory) -> None:
    root = drawn(found)
    upright, level = axis(root, upright=True), axis(root, upright=False)
    for seat, values in enumerate(found.series):
        (line,) = (each for each in classed(root, f"seat-{seat + 1}") if each.tag == f"{SVG}polyline")
        read = [(along(level, x), along(upright, y)) for x, y in places(line)]
        assert [round(x) for x, _ in read] == list(range(len(values)))
        span = max(upright.values()) - min(upright.values())
        assert [y for _, y in read] == pytest.approx(values, abs=span / 1000)
    assert 2 <= len(upright) <= plot_svg.MOST_TICKS + 1
    assert len(level) <= plot_svg.MOST_ROUNDS + 1
    for numbers in (upright, level):
        values = [numbers[place] for place in sorted(numbers)]
        assert len({after - before for before, after in pairwise(values)}) == 1
    assert {"Round", "Points"} <= set(words(root))


@pytest.mark.parametrize("ends", [(7, 7, 7, 7, 7, 7), (0, 0, 0, 0, 0, 40), (40, 40, 40, 39, 38, 0)])
def test_names_at_the_ends_do_not_overlap_or_leave_the_picture(ends: Sequence[float]) -> None:
    root = drawn(PointsHistory(("Ann", "Bea", "Cyd", "Dan", "Eve", "Fay"), tuple((0, end) for end in ends)))
    labels = [each for each in root.iter(f"{SVG}text") if re.match(r"[A-F] ", words(each)[0])]
    heights = [float(label.attrib["y"]) for label in labels]
    assert len(heights) == 6
    assert all(below - above >= plot_svg.APART - 0.5 for above, below in pairwise(sorted(heights)))
    assert min(heights) > plot_svg.TOP - 1
    assert max(heights) < plot_svg.HEIGHT
    by_points = sorted(range(6), key=lambda seat: -ends[seat])
    assert all(heights[upper] <= heights[lower] or ends[upper] == ends[lower] for upper, lower in pairwise(by_points))


@pytest.mark.parametrize(("own", "seats"), [(PAPER, LIGHT), (NIGHT, DARK)], ids=["light", "dark"])
def test_letters_and_lines_can_be_read_on_their_ground(own: dict[str, str], seats: Sequence[str]) -> None:
    ground = parse_rgb(own["ground"])
    for colour in (*seats, own["text"], own["dim"], own["warn"]):
        assert contrast(parse_rgb(colour), ground) >= 4.5, colour


def test_names_are_escaped_and_the_picture_has_no_external_parts() -> None:
    name = '<script href="x">&]]>\'"'
    picture = points_svg(PointsHistory((name, "李" * 24), ((0, 1), (0, 2))), "A & B <i>", over=True)
    root = fromstring(picture)
    assert f"A {name} 1" in words(root)
    assert {each.tag.removeprefix(SVG) for each in root.iter()} <= {
        *("svg", "title", "desc", "style", "rect", "line", "polyline", "circle", "text", "tspan")
    }
    inside = picture.replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert not re.search(r"https?:|url\(|@import|<script|xlink", inside)
    last = max(float(each.attrib["x"]) for each in root.iter(f"{SVG}text"))
    assert float(root.attrib["width"]) > last + 48 * 8, "wide letters have room"


def test_golden() -> None:
    """Delete the golden to renew it, and check the result."""
    series = ((0, 13, 23, 30, 26, 33, 38), (0, 11, 21, 20, 26.5, 26, 38), (0, -2, 2, 4, 4, 33, 12))
    ends = {"end": 4, "end_words": "2 turns left", "goal": 50, "goal_words": "the goal: at least 50 points"}
    picture = points_svg(PointsHistory(NAMES, series, **ends), "The Cave", over=False)  # type: ignore[arg-type]
    if not GOLDEN.exists():
        GOLDEN.write_text(picture, encoding="utf-8")
    assert GOLDEN.read_text(encoding="utf-8") == picture


@pytest.mark.parametrize(("end", "kind", "beside"), [(100, "warn", 7), (101, "warn end", -7), (99, "warn", 7)])
def test_end_labels_are_placed_where_there_is_room(end: int, kind: str, beside: int) -> None:
    root = drawn(PointsHistory(("Ann",), (tuple(range(201)),), end=end, end_words="2 turns left"))
    (mark,) = classed(root, "mark")
    (said,) = (each for each in root.iter(f"{SVG}text") if each.text == "2 turns left")
    assert said.attrib["class"] == kind
    assert float(said.attrib["x"]) == pytest.approx(float(mark.attrib["x1"]) + beside, abs=0.1)
