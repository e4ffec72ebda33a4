"""Rules, pictures, replays and typed lines at their edges."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree.ElementTree import fromstring

import pytest
from msgspec import structs

from client.present import plot_svg, rulebook
from client.present.plot_svg import HEIGHT, INNER_WIDTH, LEFT, TOP, Words
from client.replay import words
from client.table import Seat
from tests.client.fake_session import FakeSession

RULES = """\
# A game

Not a rule of any chapter.

1. Nor is this.

## 1. First things

Begin here, and
go on.

1. A **rule** with `code`
   over two lines.
   - An item *of* it.
2. Another.

| thing | AP | level 1 |
|---|---|---|
| boulder | 1 | 11 |
| opal | | 2 |
| rope | | |

| kind | what it does |
|---|---|
| lamp | gives light |

## 2. A drawing

1. It looks like this:

   ```
   **a
     b**
   ```

## 3. Forms of the data

1. For programs.
"""


def test_rules_are_read_part_by_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "small_game_of_rules"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "game.py").write_text("class Game:\n    pass\n")
    (package / "RULES.md").write_text(RULES, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    game = importlib.import_module("small_game_of_rules.game").Game()
    assert rulebook.chapters(game) == ("1. First things", "2. A drawing")
    rest = ("boulder: AP 1, level 1: 11.", "opal: level 1: 2.", "rope.", "lamp: gives light.")
    first = "1.1 A rule with code over two lines. - An item of it."
    assert rulebook.part(game, "1") == (
        "1. First things", "Begin here, and go on.", first, "1.2 Another.", *rest
    )  # fmt: skip
    assert rulebook.part(game, " 1.1 ") == (first,)
    assert rulebook.part(game, "1.2.") == ("1.2 Another.", *rest)
    # A drawing is as it was drawn.
    assert rulebook.part(game, "2.1") == ("2.1 It looks like this:", " **a", "   b**")
    assert rulebook.part(game, "3") == ("3. Forms of the data", "3.1 For programs.")
    assert [rulebook.part(game, number) for number in ("4", "1.3", "")] == [()] * 3


# Pictures


def drawn(series: tuple[tuple[float, ...], ...], **more: Any) -> Any:
    labels = [f" {number}" for number in range(len(series))]
    return fromstring(plot_svg.picture(series, labels, Words("Head", "About", "Details."), **more))


def classed(root: Any, kind: str) -> list[Any]:
    return [each for each in root.iter() if kind in each.get("class", "").split()]


def test_each_line_ends_in_a_dot_with_its_label_beside_it() -> None:
    root = drawn(((0, 4, 4), (0, 2, 4), (0, 2, 8)))
    dots = classed(root, "dot")
    bottom = HEIGHT - plot_svg.BOTTOM
    middle = (TOP + bottom) / 2
    assert [float(dot.get("cy")) for dot in dots] == [middle, middle, TOP]
    assert {float(dot.get("cx")) for dot in dots} == {LEFT + INNER_WIDTH}
    # Labels of lines that end at one place stand apart, and a thin line leads to the second.
    (guide,) = classed(root, "guide")
    assert [float(guide.get(name)) for name in ("x1", "x2", "y1", "y2")] == [
        LEFT + INNER_WIDTH + 5, LEFT + INNER_WIDTH + 16, middle, middle + plot_svg.APART
    ]  # fmt: skip


# Replays


@pytest.mark.parametrize("way", [1, -1])
@pytest.mark.parametrize("plays", [True, False])
def test_a_replay_says_how_it_plays_and_what_the_keys_do_then(way: int, plays: bool) -> None:
    playback: Any = SimpleNamespace(way=way, playing=plays, speed=2.0)
    told = f"{'plays' if plays else 'paused'}{' backwards' if way < 0 else ''}, 2 steps a second"
    assert words.playing(playback) == told
    labels = {control.key: control.label for group in words.controls(playback) for control in group}
    assert labels["space"] == ("stop" if plays else "play")
    assert labels["b"] == ("forwards" if way < 0 else "backwards")


# Line mode


def table_of(*seats: Seat, acting: tuple[int, ...] = (1,), **more: Any) -> Any:
    mine = tuple(number for number, seat in enumerate(seats) if seat.mine)
    session = FakeSession([seat.name for seat in seats], mine=mine, seed="begun")
    session.evolve(seats=seats, **more)
    return structs.replace(session.state, view=SimpleNamespace(acting=acting), choices={})
