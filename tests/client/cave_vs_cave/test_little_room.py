"""Cave vs Cave where there is little room: every tile, every room on show and all goods can still be read."""

from __future__ import annotations

import re
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from textual.events import MouseScrollDown

from cave.cave_vs_cave.components import components
from cave.cave_vs_cave.effects import Effect
from cave.cave_vs_cave.goods import GOODS
from client.games.cave_vs_cave.face import FACE
from client.games.cave_vs_cave.known import doings, short, terms
from client.games.cave_vs_cave.said import sentences
from client.games.cave_vs_cave.screen.arrangement import CAVE, LEAST, Wanted, arrange
from client.games.cave_vs_cave.screen.display import Display
from client.games.cave_vs_cave.screen.drawing import SPELT, WIDE
from client.games.cave_vs_cave.screen.panes import GoodsPane
from client.games.cave_vs_cave.screen.tiles import Tiles
from tests.client.cave_vs_cave.tables import GAME, begun, covering, drafting, middle, of_ann, played, table
from tests.client.pilot import press, settle
from tests.client.screens import cut_off, show, smaller, text
from tests.effort import THOROUGH

SMALL = (80, 24)
BOTH, QUICK = "era-1-2", "era-2"
MOMENTS = [
    *((of_ann("take", 2, number), edition) for number in (1, 2, 3, 4) for edition in (BOTH, QUICK)),
    *((of_ann("actions", 2, number), edition) for number in (1, 4) for edition in (BOTH, QUICK)),
    (of_ann("take", 1, 8), "era-1"),
    (middle, "era-1"),
    (drafting, QUICK),
    (covering, QUICK),
]


def effects_of() -> list[tuple[str, tuple[Effect, ...]]]:
    """What can be done with every room, tile and space, and how it is told in few signs."""
    box = components()
    found = [(short.room(name), room.effects) for name, room in box.rooms.items()]
    found += [(short.alternatives(space.effects), space.effects) for space in box.additional]
    for name, tile in box.tiles.items():
        for turns, actions in tile.actions.items():
            found.append((short.tile(name, turns), tuple(each for some in actions for each in some)))
    return found


def test_few_signs_tell_every_good_and_every_number() -> None:
    for signs, effects in effects_of():
        for effect in effects:
            # Three different goods are told as such.
            paid = () if effect.goods else effect.pay
            for good, many in (*paid, *effect.get, *effect.fill):
                if len(effect.fill) < 4:
                    assert terms.LETTERS[GOODS[good]] in signs, (signs, effect)
                assert str(many) in signs, (signs, effect)
            assert ("dig" in signs) >= bool(effect.dig)
            assert ("thru walls" in signs) >= effect.through_walls
            assert ("n x" in signs) >= effect.repeats
            for kind, word in (("furnish", "furnish"), ("build_wall", "wall"), ("raze_wall", "raze")):
                assert (word in signs) >= (effect.kind == kind)
            assert effect.rooms is None or terms.room_action(effect.rooms) in signs


def test_no_two_effects_have_the_same_signs_but_those_that_are_the_same() -> None:
    rooms = components().rooms
    for one, other in combinations(rooms, 2):
        if short.room(one) == short.room(other):
            assert terms.room_effect(one) == terms.room_effect(other)


def test_what_a_room_does_fits_into_one_row_of_its_space() -> None:
    for name in components().rooms:
        assert len(short.room(name)) <= WIDE - 2, name


@pytest.mark.parametrize(
    ("tile", "words"),
    [
        ("arms_trade", ("3G > 1D 4P or 3G > 1W 4P", "3G>4P1D/1W")),
        ("weekly_market", ("[1]+1 or 3D > 6F or 2G > 6F", "[1]+1|3D/2G>6F")),
        ("excavation", ("dig or 2F > dig 2; +1S", "dig|2F>dig 2;+1S")),
    ],
)
def test_what_tiles_offer(tile: str, words: tuple[str, str]) -> None:
    """Rule 1.5."""
    assert ("; ".join(terms.tile_words(tile, 4)), short.tile(tile, 4)) == words


def squeezed(shown: str) -> str:
    return re.sub(r"\s+", "", shown)


def side(screen: Any, pane: type[Any]) -> str:
    """What a pane shows, without blanks."""
    return squeezed("".join(span.text for row in screen.query_one(pane)._rows for span in row))


async def all_of(pilot: Any, screen: Any, pane: type[Any], further: Any) -> str:
    """What a pane shows as one goes on to its end."""
    shown = side(screen, pane)
    for _ in range(40):
        if not re.search(r"\dbelow", side(screen, pane)):
            break
        await further()
        await settle(pilot)
        shown += side(screen, pane)
    return shown


WAYS = ("key", "wheel", "click")
READ = [
    (moment, edition, by)
    for at, (moment, edition) in enumerate(MOMENTS)
    for by in (WAYS if THOROUGH else [WAYS[at % len(WAYS)]])
]
"""Each moment with one way to go on, each way with some moments."""


@pytest.mark.parametrize(("moment", "edition", "by"), READ)
async def test_every_tile_and_every_room_can_be_read(moment: Any, edition: str, by: str) -> None:
    screen = table(played(moment, edition=edition))
    async with show(screen, SMALL) as (app, pilot):
        assert cut_off(app.screen) == []
        now = screen.scene
        if now.mode == "take":
            tiles = screen.query_one(Tiles)

            async def down() -> None:
                tiles.scroll(1)

            shown = await all_of(pilot, screen, Tiles, down)
            for tile in now.cave.up:
                assert squeezed(terms.tile_name(tile)) in shown, tile
                told = {squeezed(doings.tile_signs(now, tile)), squeezed(doings.tile_text(now, tile))}
                assert tile in now.cave.taken or any(each in shown for each in told), tile
        pane = screen.query_one(Display)

        async def further() -> None:
            if by == "key":
                await pilot.press("m")
            elif by == "wheel":
                pane.post_message(MouseScrollDown(pane, 1, 1, 0, 0, 0, False, False, False, 1, 1))
            else:
                row = next(y for y, row in enumerate(pane._rows) if row[0].do == "page:display")
                await pilot.click(pane, offset=(5, row))

        shown = await all_of(pilot, screen, Display, further)
        for room in now.cave.display:
            assert squeezed(terms.room_name(room)[:7]) in shown, room
            signs = {squeezed(short.room(room))[:10], squeezed(terms.room_effect(room))[:10]}
            assert any(each in shown for each in signs), room


async def test_where_there_are_rows_enough_each_room_is_told_in_words() -> None:
    """In a wide window the other cave leaves the rooms on show less room than they have in a small one."""
    screen = table(played(of_ann("take", 1, 8), edition="era-1"))
    async with show(screen, (140, 45)):
        rows = ["".join(span.text for span in row) for row in screen.query_one(Display)._rows]
        assert not any("below" in row for row in rows)
        for room in screen.scene.cave.display:
            assert squeezed(terms.room_effect(room)) in squeezed("".join(rows)), room


async def test_after_the_last_rooms_come_the_first_again() -> None:
    screen = table(played(of_ann("take", 2, 4), edition=BOTH))
    async with show(screen, SMALL) as (_, pilot):
        screen.put_news_away()
        await pilot.pause()
        first = side(screen, Display)
        seen = []
        while first not in seen and len(seen) < 50:
            await press(pilot, "m")
            seen.append(side(screen, Display))
        assert len(seen) > 2
        assert "above" in seen[-2]
        assert "below" not in seen[-2]


async def test_a_room_that_is_looked_at_is_in_sight_with_all_that_is_known_of_it() -> None:
    screen = table(played(of_ann("take", 2, 4), edition=BOTH))
    async with show(screen, SMALL) as (_, pilot):
        for room in screen.scene.cave.display:
            await press(pilot, "r")
            shown = side(screen, Display)
            assert squeezed(f"{terms.room_name(room)}: {terms.room_effect(room)}") in shown
            assert any(span.do == f"room:{room}" for row in screen.query_one(Display)._rows for span in row)


async def test_what_is_cut_on_a_space_of_the_own_cave_is_told_when_one_points_at_it() -> None:
    screen = table(played(of_ann("take", 2, 3), edition=BOTH))
    async with show(screen, SMALL) as (_, pilot):
        at = next(at for at, room in screen.scene.me.rooms.items() if len(terms.room_name(room)) > 10)
        room = screen.scene.me.rooms[at]
        screen.controller.do(f"space:{at[0]},{at[1]}")
        await settle(pilot)
        assert squeezed(f"{terms.room_name(room)}: {terms.room_effect(room)}") in side(screen, Display)


async def test_a_name_that_is_cut_has_the_sign_of_it_and_no_other_has() -> None:
    session = played(of_ann("actions", 1, 8), edition="era-1")
    screen = table(session)
    async with show(screen, SMALL):
        shown = text(screen)
        listed = {
            row[1].do.removeprefix("room:"): row[1].text.rstrip()
            for row in screen.query_one(Display)._rows
            if len(row) > 1 and row[1].do.startswith("room:")
        }
        assert len(listed) > 4
        for room, name in listed.items():
            whole = terms.room_name(room)
            assert name == whole or (name.endswith("~") and whole.startswith(name[:-1])), name
        placed = [terms.room_name(room) for room in screen.scene.me.rooms.values()]
        assert any(len(name) > SPELT for name in placed)
        for name in placed:
            cut = len(name) > SPELT
            assert f"{name[:9].rstrip() + '~' if cut else name} " in shown, name


@pytest.mark.parametrize("glyphs", ["fine", "ascii"])
async def test_all_goods_of_both_are_in_sight_with_either_board(glyphs: str) -> None:
    screen = table(played(of_ann("take", 2, 4), edition=BOTH), glyphs=glyphs)
    async with show(screen, (140, 45), ascii_only=glyphs == "ascii") as (_, pilot):
        async for size in smaller(pilot, (140, 45), (100, 30), SMALL, (80, 23), LEAST):
            for _ in range(4):
                shown = text(screen)
                for good, name in enumerate(GOODS):
                    mine, other = (each.goods[good] for each in screen.scene.cave.players)
                    assert re.search(rf"{name} .*?\b{mine} [B(]{other}\b", shown), (name, size)
                await press(pilot, "tab")


def goods_told(shown: str, good: str) -> list[tuple[int, str]]:
    """The columns where a good is told, and the figures behind its track."""
    return [
        (found.start(), found[1])
        for line in shown.splitlines()
        for found in re.finditer(rf"{good} +[■·]+ +(\d+(?: \(\d+\))?)", line)
    ]


async def test_each_cave_has_its_goods_below_it_where_both_lie_beside_each_other() -> None:
    screen = table(played(of_ann("take", 1, 4), edition="era-1"))
    mine, other = (each.goods for each in screen.scene.cave.players)
    async with show(screen, (140, 45)) as (_, pilot):
        for number, good in enumerate(GOODS[: components().kinds[1]]):
            (left, own), (right, theirs) = goods_told(text(screen), good)
            assert (own, theirs) == (str(mine[number]), str(other[number])), good
            assert left < CAVE <= 140 - CAVE < right
        await pilot.resize_terminal(120, 30)
        await pilot.pause()
        for number, good in enumerate(GOODS[: components().kinds[1]]):
            ((_, both),) = goods_told(text(screen), good)
            assert both == f"{mine[number]} ({other[number]})", good


def test_a_track_is_as_long_as_there_are_goods_and_in_little_room_its_part_of_nine() -> None:
    session = begun(seats=1)
    before, pane = FACE.scene(session.state, None), GoodsPane(line="-")
    for many in range(20):
        goods = (many, 0, 0, 0, 0, many)
        state = replace(session.full, players=(replace(session.full.players[0], goods=(*goods, 0, 0, 0, 0)),))
        pane.scene = replace(before, view=GAME.view(state, 0, ("Ann",)))
        for width, cells in ((60, 9), (34, 4)):
            row = "".join(span.text for span in pane.rows(width, 4)[1])
            left, _, right = row.partition("flax")
            assert (left.count("#"), left.count("#") + left.count(".")) == (
                min(cells, -(-many * cells // 9)),
                cells,
            )
            assert str(many) in left
            assert "#" not in right


@pytest.mark.parametrize(
    ("era_1", "rooms", "goods"),
    [((8, 9), "shelf", 0), ((45, 53), "state_room", 9), ((99, 100), "dungeon", 9)],
)
def test_the_points_so_far_have_a_blank_before_each(era_1: tuple[int, int], rooms: str, goods: int) -> None:
    session = played(of_ann("take", 2, 4), edition=BOTH)
    before = FACE.scene(session.state, None)
    players = tuple(
        replace(each, era_1=own, rooms={(0, 0): rooms}, goods=(0, 0, 0, 0, 0, goods, 0, 0, 0, 0))
        for each, own in zip(session.full.players, era_1, strict=True)
    )
    now = replace(before, view=GAME.view(replace(session.full, players=players), 0, ("Ann", "Bea")))
    head, *lines = sentences.points_lines(now)
    assert head.split() == ["A", "B"]
    totals = [f"{each.total:g}" for each in now.view.standing]
    assert lines[-1].split()[-2:] == totals
    assert lines[-1].split()[0] in ("total", "tot", "=")
    for line in lines:
        assert len(line) == len(head) < WIDE, "a blank is left before what stands beside them"
        assert all(figure.replace(".", "").isdigit() for figure in line.split()[-2:]), line


@pytest.mark.parametrize("moment", [of_ann("take", 1, 8), middle])
async def test_two_columns_are_free_between_the_points_and_the_tiles(moment: Any) -> None:
    screen = table(played(moment, edition="era-1"))
    async with show(screen, (200, 60)) as (_, pilot):
        async for size in smaller(pilot, (200, 60), (140, 45), (100, 30), SMALL, (80, 23), LEAST):
            rows = text(screen).splitlines()
            points = [row for row in rows[2:] if re.match(r"(gold|rooms|total|round|turn) +\S", row[31:])]
            assert len(points) >= 4, size
            for row in points:
                assert row[CAVE - 1 : CAVE + 1] == "  ", (row, size)


async def test_the_walls_that_are_left_are_told_at_every_size() -> None:
    for edition in ("era-1", BOTH):
        screen = table(begun(edition=edition))
        async with show(screen, (100, 30)) as (_, pilot):
            async for size in smaller(pilot, (100, 30), SMALL, LEAST):
                assert "walls left 7" in text(screen), size


async def test_a_draft_has_no_goods() -> None:
    for moment in (drafting, covering):
        screen = table(played(moment, edition=QUICK))
        async with show(screen, SMALL):
            assert "GOODS" not in text(screen)
            assert "wood " not in text(screen)


@settings(deadline=None, derandomize=True, max_examples=200)
@given(
    st.integers(LEAST[0], 220),
    st.integers(LEAST[1], 80),
    st.integers(1, 22),
    st.integers(3, 26),
    st.sampled_from([1, 2]),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)
def test_panes_lie_beside_each_other(
    width: int, height: int, tiles: int, rooms: int, era: int, alone: bool, goods: bool, replay: bool
) -> None:
    boxes = arrange(
        width, height, Wanted(lambda _: tiles, rooms), era=era, alone=alone, goods=goods, replay=replay
    )
    for one, other in combinations(boxes.values(), 2):
        apart = (
            one.x + one.width <= other.x
            or other.x + other.width <= one.x
            or one.y + one.height <= other.y
            or other.y + other.height <= one.y
        )
        assert apart, (one, other)
    for box in boxes.values():
        assert box.x >= 0
        assert box.x + box.width <= width
        assert box.y >= 0
        assert box.y + box.height <= height
    assert {"header", "cave", "tiles", "display", "hints"} <= boxes.keys()
    assert boxes["display"].height >= 3
    assert ("controls" in boxes) == replay
