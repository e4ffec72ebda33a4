"""Rules, pictures, replays and typed lines at their edges."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree.ElementTree import fromstring

import pytest
from msgspec import structs

from client.plain.talk import waits_for_people
from client.plain.typing import Typed
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


@pytest.mark.parametrize(
    ("series", "goal", "low", "high", "tick"),
    [
        (((0, 1),), None, 0, 1, 1),
        (((0, 8),), None, 0, 8, 1),
        (((0, 9),), None, 0, 10, 2),
        (((0, 9),), 17, 0, 20, 5),
        (((-3, 4.5),), None, -3, 5, 1),
        (((-3, 5.5),), None, -4, 6, 2),
        (((0, 0),), None, 0, 1, 1),
        (((0, 7999),), None, 0, 8000, 1000),
        (((0, 8001),), None, 0, 8001, 8001),
    ],
)
def test_an_axis_has_few_and_round_numbers(
    series: tuple[tuple[float, ...], ...], goal: float | None, low: int, high: int, tick: int
) -> None:
    assert plot_svg._scale(series, goal) == (low, high, tick)


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


@pytest.mark.parametrize(("rounds", "numbers"), [(0, 1), (1, 2), (20, 21), (21, 11), (40, 21), (41, 9)])
def test_as_many_rounds_have_a_number_as_there_is_room_for(rounds: int, numbers: int) -> None:
    root = drawn((tuple(range(rounds + 1)),))
    feet = [each for each in classed(root, "middle") if (each.text or "").isdigit()]
    assert len(feet) == numbers
    bottom = float(HEIGHT - plot_svg.BOTTOM)
    ticks = [each for each in classed(root, "axis") if float(each.get("y2")) == bottom + 5]
    assert [float(each.get("x1")) for each in ticks] == [float(each.get("x")) for each in feet]
    assert float(ticks[0].get("x1")) == LEFT
    if rounds:
        line = classed(root, "line")[0].get("points").split()
        assert float(line[-1].split(",")[0]) == LEFT + INNER_WIDTH


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


def test_what_a_key_such_as_an_arrow_sends_is_passed_over_and_no_letter_after_it() -> None:
    for sequence in ("\x1b[A", "\x1b[1;5C", "\x1b[3~", "\x1b[@", "\x1bOP", "\x1bx"):
        typed = Typed(80)
        shown = "".join(typed.take(key) for key in f"a{sequence}b")
        assert (typed.text, shown) == ("ab", "ab"), repr(sequence)


def table_of(*seats: Seat, acting: tuple[int, ...] = (1,), **more: Any) -> Any:
    mine = tuple(number for number, seat in enumerate(seats) if seat.mine)
    session = FakeSession([seat.name for seat in seats], mine=mine, seed="begun")
    session.evolve(seats=seats, **more)
    return structs.replace(session.state, view=SimpleNamespace(acting=acting), choices={})


def test_who_waits_for_people_waits_for_no_bot() -> None:
    ann, bea = Seat("Ann", "person", mine=True), Seat("Bea", "person")
    bot, handed = Seat("Rookie", "bot", level="rookie"), structs.replace(bea, handed=True)
    assert waits_for_people(table_of(ann, bea))
    assert not waits_for_people(table_of(ann, bot))
    assert not waits_for_people(table_of(ann, handed))
    assert not waits_for_people(table_of(ann, bea, bot, acting=(1, 2)))
    assert waits_for_people(table_of(ann, bot, link="lost"))
    assert waits_for_people(table_of(ann, bot, set_aside="It was set aside."))
    assert not waits_for_people(table_of(ann, bea, status="over"))
    assert not waits_for_people(structs.replace(table_of(ann, bea), view=None))
