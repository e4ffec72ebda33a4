"""The README's animation is up to date, and needs no external files."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from xml.etree.ElementTree import fromstring

import pytest

from tests import film
from tests.drawing import HEIGHT, WIDTH, Cell, rects
from tests.film import Frame

SVG = "{http://www.w3.org/2000/svg}"
LARGEST = 300 * 1024
INK, GROUND = "#ffffff", "#000000"


def cells(text: str, ink: str = INK, ground: str = GROUND) -> list[Cell]:
    return [Cell(glyph, ink, ground) for glyph in text]


# Cells


# The film


def shown_at(svg: str, ticks: float) -> list[int]:
    """Return the frames visible this many ticks after the start, by the style sheet."""
    root = fromstring(svg)
    style = root.findtext(f"{SVG}style") or ""
    whole = float(re.findall(r"animation-duration:([\d.]+)s", style)[0])
    delays = {int(n): float(delay) for n, delay in re.findall(r"#f(\d+)\{animation-delay:(-[\d.]+)s\}", style)}
    gone = {n: float(part) for n, part in re.findall(r"@keyframes (t\d+)\{0%\{visibility:visible\}([\d.]+)%", style)}
    found = []
    for group in (each for each in root if each.tag == f"{SVG}g"):
        number = int(group.attrib["id"][1:])
        kind = next(each for each in group.attrib["class"].split() if each in gone)
        if (ticks * film.TICK - delays[number]) % whole / whole * 100 < gone[kind]:
            found.append(number)
    return found


def still(svg: str) -> list[str]:
    return [group.attrib["id"] for group in fromstring(svg).iter() if "still" in group.get("class", "").split()]


def test_frames_are_consecutive_without_gaps() -> None:
    frames = [Frame([cells("a")], 2), Frame([cells("b")], still=True), Frame([cells("c")], 3)]
    made = film.film(frames)
    wanted = [[0], [0], [1], [2], [2], [2]]
    assert [shown_at(made, tick + 0.5) for tick in range(12)] == wanted * 2
    assert still(made) == ["f1"]


def test_without_motion_one_frame_is_shown() -> None:
    style = fromstring(film.film([Frame([cells("a")]), Frame([cells("b")], still=True)])).findtext(f"{SVG}style") or ""
    assert "@media (prefers-reduced-motion:reduce){.f{animation:none!important}}" in style
    assert style.index(".f{visibility:hidden") < style.index(".still{visibility:visible}")


@pytest.fixture(scope="module", params=[film.THE_CAVE, *film.TABLES])
def game(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def kept(game: str) -> str:
    return film.file(game).read_text(encoding="utf-8")


def test_the_kept_film_is_small_and_whole(kept: str) -> None:
    root = fromstring(kept)
    columns, rows = film.SIZE
    assert root.attrib["viewBox"] == f"0 0 {columns * WIDTH} {rows * HEIGHT}"
    frames = [group for group in root if group.tag == f"{SVG}g"]
    assert 12 <= len(frames) <= 20
    assert len(kept.encode()) < LARGEST
    assert len(still(kept)) == 1


def test_the_kept_film_needs_no_font_and_no_external_file(kept: str) -> None:
    root = fromstring(kept)
    letters = {letter for text in root.iter(f"{SVG}text") for letter in text.text or ""}
    assert not {letter for letter in letters if rects(letter) is not None or "\u2580" <= letter <= "\u259f"}
    assert not {letter for letter in letters if "\u2800" <= letter <= "\u28ff"}
    tags = {each.tag.removeprefix(SVG) for each in root.iter()}
    assert tags == {"svg", "title", "desc", "style", "defs", "rect", "g", "use", "path", "text"}
    assert {use.attrib["href"][0] for use in root.iter(f"{SVG}use")} == {"#"}
    assert not re.search(r"url\(|@import|https?:", kept.replace('xmlns="http://www.w3.org/2000/svg"', ""))


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="pictures are made with Python 3.11")
async def test_the_kept_film_is_up_to_date(game: str, kept: str) -> None:
    """If this fails after an intended change: ``make film``, and look at the result."""
    frames: Sequence[Frame] = await film.frames(game)
    # Compared outside of assert: diffing two pictures of this size takes a minute.
    up_to_date = film.film(frames, game) == kept
    assert up_to_date
