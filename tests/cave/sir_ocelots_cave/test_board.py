"""The board and the data (rules 1.1 to 1.6), compared with tables written by hand."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from msgspec.structs import replace

from cave.sir_ocelots_cave.actions import LayTool, PlaceCompanion
from cave.sir_ocelots_cave.components import (
    CAVE,
    GEMS,
    KEPT,
    LEVEL,
    LINES,
    RAYS,
    RIM,
    SEERS,
    SQUARES,
    components,
    set_of_squares,
)
from cave.sir_ocelots_cave.state import companion_sees
from client.present import help_pages as pages
from tests.cave.sir_ocelots_cave.builders import GAME, code, collect, do, state, tool

RAY_TABLE = Path(__file__).with_name("rays.txt").read_text()


def place(text: str) -> tuple[int, int]:
    x, y = text.split(",")
    return int(x), int(y)


def sketch(rows: list[str]) -> dict[tuple[int, int], str]:
    """The signs of a sketch by their places, which its numbers at the top and the left name."""
    columns = {number.end(): int(number[0]) for number in re.finditer(r"\d+", rows[0])}
    return {
        (columns[sign.end()], int(row.split()[0])): sign[0]
        for row in rows[1:]
        for sign in list(re.finditer(r"\S+", row))[1:]
        if sign[0] != "."
    }


def test_1_1_squares_and_rim_match_the_sketch_of_the_rules() -> None:
    """As printed by ``cave rules`` on a terminal of 80 columns."""
    shown = pages.rulebook_text(GAME).splitlines()
    assert max(map(len, shown)) <= 80
    top = next(number for number, line in enumerate(shown) if line.split() == [*map(str, range(15))])
    drawn = sketch(shown[top : top + 14])
    levels = {at: {ray.level for ray in rays} for at, rays in RAYS.items()}
    rims = {at: "+" if len(RAYS[at]) == 4 else "x" if len(levels[at]) == 2 else "o" for at in RIM}
    assert drawn == {at: str(level) for at, level in LEVEL.items()} | rims
    assert Counter(LEVEL.values()) == {1: 41, 2: 13, 3: 13}
    assert len(SQUARES) == 67
    assert len(RIM) == 40
    assert [where.bit_count() for where in CAVE.values()] == [41, 13, 13]


def test_1_2_every_rim_space_sees_the_squares_of_the_table() -> None:
    table = {}
    for line in RAY_TABLE.strip().splitlines():
        rim, _, rest = line.partition(" ")
        table[place(rim)] = [
            (way[0], int(way[1]), place(way[3:].split("..")[0]), place(way.split("..")[1])) for way in rest.split("; ")
        ]
    found = {at: [(ray.direction, ray.level, ray.line[0], ray.line[-1]) for ray in rays] for at, rays in RAYS.items()}
    assert found == table


def test_1_2_every_square_is_seen_once_from_each_side() -> None:
    assert all(sorted(seers) == ["E", "N", "S", "W"] for seers in SEERS.values())
    assert all(len({*seers.values()}) == 4 for seers in SEERS.values())
    rays = [ray for each in RAYS.values() for ray in each]
    assert len(rays) == 76
    assert sum(len(ray.line) for ray in rays) == 268 == 4 * len(SQUARES)
    assert all(set_of_squares(ray.line) == ray.squares for ray in rays)
    for at, seers in SEERS.items():
        for side, (x, y) in seers.items():
            assert {"N": y < at[1], "S": y > at[1], "W": x < at[0], "E": x > at[0]}[side]
            assert at[0] == x or at[1] == y


def test_1_3_four_spaces_are_between_caves_and_one_sees_four_directions() -> None:
    shared = {at: sorted({ray.level for ray in rays}) for at, rays in RAYS.items()}
    assert {at: levels for at, levels in shared.items() if len(levels) > 1} == {
        (8, 3): [1, 2],
        (9, 4): [1, 2],
        (10, 5): [1, 2],
        (11, 6): [2, 3],
    }
    assert Counter(map(len, RAYS.values())) == {1: 8, 2: 29, 3: 2, 4: 1}
    assert len(RAYS[9, 4]) == 4


def test_a_companion_sees_its_row_and_column_in_its_own_cave() -> None:
    for at, rays in LINES.items():
        seen = {each for ray in rays for each in ray.line}
        assert seen == {
            each
            for each, level in LEVEL.items()
            if level == LEVEL[at] and each != at and (each[0] == at[0] or each[1] == at[1])
        }


def test_1_4_the_gems_fill_the_squares() -> None:
    box = components()
    table = {
        "rock_crystal": (1, 6, 2, 0),
        "celestite_sun": (1, 3, 0, 0),
        "celestite_crescent": (1, 3, 0, 0),
        "celestite_star": (1, 3, 0, 0),
        "opal": (3, 11, 4, 4),
        "emerald": (5, 7, 3, 5),
        "red_beryl": (7, 3, 1, 2),
        "geode": (None, 5, 3, 2),
    }
    for gem in GEMS:
        found = (box.points.get(gem), *(level.gems.get(gem, 0) for level in box.levels))
        assert found == table[gem], gem
    assert [sum(level.gems.values()) for level in box.levels] == [41, 13, 13]
    assert sum(map(box.count_of_gem, KEPT)) == 57


def test_1_5_amethysts_suffice_for_every_draw() -> None:
    box = components()
    assert [level.bag for level in box.levels] == ["blue", "green", "red"]
    assert [level.amethysts for level in box.levels] == [
        (2, 2, 4, 4, 5, 6, "value_1", "value_3"),
        (4, 5, 6, 8, "left_1"),
        (8, 10, "left_2_3"),
    ]
    sets = [3, 0, 0]
    for level, more in zip(box.levels, sets, strict=True):
        assert level.gems["geode"] + more <= len(level.amethysts)


def test_1_6_five_tools_of_each_kind_with_two_sides() -> None:
    box = components()
    assert box.tools_of_each_kind == 5
    assert box.tools == {"A": ("compass", "lamp"), "B": ("lamp", "pickaxe"), "C": ("pickaxe", "compass")}


# Where two rules meet


@pytest.mark.parametrize("reach", ["line", "cave"])
def test_4_4_a_companion_helps_only_in_its_own_cave_under_any_house_rule(reach: str) -> None:
    """Nor does the screen claim that it could."""
    for stands in SQUARES:
        now = state(companions=(stands, None), companion_sight=reach, seat=1)
        for at in SQUARES:
            if LEVEL[at] != LEVEL[stands]:
                assert not companion_sees(now, 0, at), (stands, at)
            elif reach == "cave":
                assert companion_sees(now, 0, at), (stands, at)
        assert not companion_sees(now, 1, (5, 5)), "one that is not placed sees nothing"


def test_3_5_a_gem_beyond_the_board_is_not_taken_for_the_first_square() -> None:
    now = state(tools={(5, 0): "compass", (4, 1): "lamp"}, gems={(5, 1): "opal"})
    now = do(now, tool("pickaxe", (6, 1))).state
    assert code(now, collect((5, 1))) == ""
    assert code(now, collect((99, 4))) == "no_gem"


def test_3_an_absent_player_lays_the_first_tool_or_places_the_companion() -> None:
    new = state()
    laid = next(choice for choice in GAME.choices(new, 0) if isinstance(choice, LayTool))
    assert GAME.idle(new, 0) == laid
    spent = replace(new, players=(replace(new.players[0], tools=(0, 0, 0)), new.players[1]))
    assert GAME.idle(spent, 0) == GAME.choices(spent, 0)[0]
    assert isinstance(GAME.idle(spent, 0), PlaceCompanion)
