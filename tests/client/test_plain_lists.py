"""Numbered lists in line mode: a screenful at a time, and a number means the same in each of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from client.plain import line_commands
from client.plain.line_commands import NOTHING_FITS, SCREENFUL, Option


async def nothing() -> None: ...


MANY = (
    *(Option(f"tunnel at {at},0", nothing, "lay a tile") for at in range(150)),
    *(Option(f"walk to {at},1", nothing, "walk") for at in range(3)),
    *(Option(f"bridge at {at},2", nothing, "lay a bridge") for at in range(30)),
)


def tell(options: Sequence[Option], wanted: str = "") -> list[str]:
    return [line for _, line in line_commands.numbered_options(options, wanted)]


def numbers(lines: list[str]) -> list[int]:
    return [int(found[0]) for line in lines if (found := re.match(r"\d+", line)) and " more:" not in line]


def test_a_list_of_one_screenful_is_printed_whole() -> None:
    few = MANY[150 - SCREENFUL + 3 : 153]
    assert numbers(tell(few)) == list(range(1, SCREENFUL + 1))


def test_a_long_list_begins_with_the_kinds() -> None:
    assert tell(MANY) == [
        "lay a tile: 150, type moves lay a tile",
        "walk: 3, type moves walk",
        "lay a bridge: 30, type moves lay a bridge",
    ]


@pytest.mark.parametrize(("kind", "first", "last"), [("lay a tile", 1, 150), ("walk", 151, 153)])
def test_each_kind_is_listed_by_screenfuls(kind: str, first: int, last: int) -> None:
    told: list[int] = []
    wanted = kind
    while wanted:
        lines = tell(MANY, wanted)
        assert len(lines) <= SCREENFUL + 1
        told += numbers(lines)
        more = re.search(r"more: type moves (.*), or", lines[-1])
        wanted = more[1] if more else ""
    assert told == list(range(first, last + 1)), "each has the number that it has in the whole list"


def test_the_word_of_a_kind_lists_exactly_that_kind() -> None:
    few = (
        Option("walk to 1,1", nothing, "walk"),
        Option("lay a tile, then walk", nothing, "lay a tile"),
        Option("walk to 2,1", nothing, "walk"),
    )
    assert numbers(tell(few, "walk")) == [1, 3]
    assert numbers(tell(few, "then")) == [2]


def test_words_find_the_lines_that_contain_them() -> None:
    assert tell(MANY, "29,") == ["30 tunnel at 29,0", "130 tunnel at 129,0", "183 bridge at 29,2"]
    assert tell(MANY, "29, BRIDGE".casefold()) == ["183 bridge at 29,2"]
    assert tell(MANY, "lay") == [line for line in tell(MANY) if line.startswith("lay")], "two kinds have it"
    assert tell(MANY, "swim") == [NOTHING_FITS]


def test_a_list_continues_after_the_last_printed_number() -> None:
    ways = [Option(f"walk from camp {number}", nothing) for number in range(1, 31)]
    assert numbers(tell(ways, "from camp from 29")) == [29, 30]
    assert numbers(tell(ways, "from camp 29")) == [29]


def test_lines_without_an_option_have_the_number_0() -> None:
    assert {number for number, _ in line_commands.numbered_options(MANY)} == {0}
    assert line_commands.numbered_options(MANY, "swim") == [(0, NOTHING_FITS)]
    assert [number for number, _ in line_commands.numbered_options(MANY, "lay a bridge")] == [
        *range(154, 154 + SCREENFUL),
        0,
    ]


def test_a_single_kind_is_listed_without_a_first_step() -> None:
    lines = tell(MANY[:30])
    assert lines[0] == "1 tunnel at 0,0"
    assert lines[-1] == f"8 more: type moves from {SCREENFUL + 1}, or moves and a word to look for."
    assert numbers(tell(MANY[:30], f"from {SCREENFUL + 1}")) == list(range(SCREENFUL + 1, 31))
