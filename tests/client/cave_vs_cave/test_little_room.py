"""Cave vs Cave in small windows: every tile, every room of the display and all goods are readable."""

from __future__ import annotations

import re
from itertools import combinations
from typing import Any
from unittest.mock import AsyncMock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.style import Style
from textual.events import MouseScrollDown
from textual.geometry import Region

from cave.cave_vs_cave.components import components
from cave.cave_vs_cave.goods import GOODS
from client.games.cave_vs_cave import terms
from client.games.cave_vs_cave.board import block_with_cursor
from client.games.cave_vs_cave.palette import DARK, DARK_256, LIGHT, STARK
from client.games.cave_vs_cave.picture import Look
from client.games.cave_vs_cave.room_painter import (
    CHIP,
    INNER,
    WIDE,
    RoomPainter,
    RoomSignWriter,
    pictures,
    room_sign_lines,
)
from client.games.cave_vs_cave.screen import LEAST, MANY_ROOMS, Wanted, arrange
from client.games.cave_vs_cave.tile_panes import Display, Tiles
from client.tui.board.view import text_of
from client.tui.canvas import contrast
from client.tui.colour_tiers import COLOURS_16
from client.tui.widgets.bottom_rows import MessageLine
from tests.client.cave_vs_cave.tables import covering, drafting, middle, of_ann, played, table
from tests.client.pilot import settle
from tests.client.screens import cut_off, rows_of, show
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


def test_every_good_and_number_is_shown_in_letters() -> None:
    box = components()
    found = [(terms.room_effect(name), room.effects) for name, room in box.rooms.items()]
    found += [(terms.join_alternatives(space.effects), space.effects) for space in box.additional]
    found += [
        (terms.join_alternatives(action), action)
        for tile in box.tiles.values()
        for actions in tile.actions.values()
        for action in actions
    ]
    for words, effects in found:
        for effect in effects:
            # Three different goods are listed as such.
            paid = () if effect.goods else effect.pay
            for good, many in (*paid, *effect.get, *effect.fill):
                if len(effect.fill) < 4:
                    assert GOODS[good] in words, (words, effect)
                    assert terms.LETTERS[GOODS[good]] in terms.goods_as_letters(words), (words, effect)
                assert str(many) in terms.goods_as_letters(words), (words, effect)


def test_the_effect_of_a_room_fits_into_one_row() -> None:
    for name in components().rooms:
        assert len(terms.room_signs(name)) <= INNER - CHIP, name


def test_all_room_pictures_have_the_same_size() -> None:
    for name in components().rooms:
        picture = pictures()[name]
        assert [len(row) for row in picture] == [INNER] * 10, name
        assert len({*"".join(picture)} - {"."}) <= 8, name
        drawn = RoomSignWriter("unicode", lambda _: Style.null(), coloured=True).block(Look("room", name), 8)
        assert {*"▀▄█"} & {*"".join(map(text_of, drawn))}, name


@pytest.mark.parametrize(("glyphs", "bits"), [("unicode", " ▀▄█"), ("ascii", " '.#")])
def test_pictures_of_rooms_have_one_tone_without_colours(glyphs: str, bits: str) -> None:
    """Several shades of grey beside each other looked like noise."""
    for name in components().rooms:
        rows = RoomSignWriter(glyphs, lambda _: Style.null(), coloured=False).block(Look("room", name), 8)
        drawn = {*"".join(text_of(row)[1:] for row in rows[3:6])}
        assert {" "} < drawn <= {*bits}, name


@pytest.mark.parametrize(
    "drawer",
    [
        RoomSignWriter("unicode", lambda _: Style.null(), coloured=False),
        RoomPainter(COLOURS_16, "ansi-dark", "ascii", dark=True),
    ],
)
def test_in_few_signs_the_cursor_frames_its_whole_space_and_earth_has_dots(drawer: RoomSignWriter) -> None:
    blocks = [[drawer.block(Look("hidden", north="rock", west="rock", corner="rock"), 5)] * 2] * 2
    framed = [
        [block_with_cursor(block, drawer, x * WIDE, y * 5, 5) for x, block in enumerate(row)]
        for y, row in enumerate(blocks)
    ]
    lines = [text_of(left) + text_of(right)[:1] for row in framed for left, right in zip(*row, strict=True)][:6]
    assert {*"".join([lines[0], lines[5], *(line[0] + line[-1] for line in lines)])} & {*" #▒.·"} == set()
    assert {*"".join(lines[2:5])} & {*".·"}


def test_empty_rooms_differ_from_earth_and_only_your_own_earth_calls_for_digging() -> None:
    assert all(contrast(each.grounds["empty"], each.grounds["dig"]) >= 1.4 for each in (DARK, DARK_256, STARK, LIGHT))
    mine, theirs = (room_sign_lines(Look("dig", theirs=each), 6, pictured=False)[0] for each in (False, True))
    assert (mine[2:], theirs[2:]) == ((" ? dig ", "chip"), (" ? dig ", "dim"))


def test_a_blank_separates_the_points_of_a_room_from_its_effect() -> None:
    for name in components().rooms:
        for high in (3, 6, 7, 8):
            last = text_of(RoomSignWriter("ascii", lambda _: Style.null()).block(Look("room", name), high)[-1])
            sign = terms.points_sign(name)
            assert len(sign) == CHIP or last[-CHIP:].startswith(f" {sign}"), (name, last)
            assert len(sign) < CHIP or last[-CHIP - 1] == " ", (name, last)


def squeezed(shown: str) -> str:
    return re.sub(r"\s+", "", shown)


def side(screen: Any, pane: type[Any]) -> str:
    """The text of a pane, without blanks."""
    return squeezed("".join(rows_of(screen.query_one(pane))))


async def all_of(pilot: Any, screen: Any, pane: type[Any], further: Any) -> str:
    """The text of a pane, scrolled to its end."""
    shown = side(screen, pane)
    for _ in range(40):
        if not re.search(r"↓\d", side(screen, pane)):
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
"""Each moment with one next step, each kind of step with some moments."""


async def test_the_tile_of_a_long_hint_stays_in_sight() -> None:
    screen = table(played(of_ann("take", 2, 3), edition=BOTH))
    async with show(screen, SMALL) as (_, pilot):
        tiles, controller = screen.query_one(Tiles), screen.controller
        for tile in screen.scene.takable_tiles:
            action = {"type": "take", "tile": tile}
            controller.advising.keep(f"{controller.point_out(action)} {'because ' * 35}", action)
            await settle(pilot)
            assert terms.tile_name(tile) in "".join(rows_of(tiles)), tile
        controller.advising.drop()
        screen.paint()
        assert ["more: a lists all" in row for row in rows_of(tiles)][-1], "many are out of sight"
        assert "Housework" in rows_of(tiles)[1]


@pytest.mark.parametrize(("moment", "edition", "by"), READ)
async def test_every_tile_and_every_room_can_be_read(moment: Any, edition: str, by: str) -> None:
    screen = table(played(moment, edition=edition))
    async with show(screen, SMALL) as (app, pilot):
        assert cut_off(app.screen) == []
        now = screen.scene
        if now.mode == "take":
            tiles = screen.query_one(Tiles)
            shown = await all_of(pilot, screen, Tiles, AsyncMock(side_effect=lambda: tiles.scroll(1)))
            for tile in now.cave.up:
                assert squeezed(terms.tile_name(tile)) in shown, tile
        pane = screen.query_one(Display)

        async def further() -> None:
            if by == "key":
                await pilot.press("m")
            elif by == "wheel":
                pane.post_message(MouseScrollDown(pane, 1, 1, 0, 0, 0, False, False, False, 1, 1))
            else:
                row = next(y for y, row in enumerate(rows_of(pane)) if re.search(r"↓ \d", row))
                await pilot.click(pane, offset=(pane.gutter.left + 5, pane.gutter.top + row))

        shown = await all_of(pilot, screen, Display, further)
        for room in now.cave.display:
            assert terms.room_name(room).split()[0][:7] in shown, room


@pytest.mark.parametrize(("rooms", "tiles"), [(7, 13), (8, 10)])
def test_blank_rows_between_tiles_leave_the_rooms_and_a_tip_their_rows(rooms: int, tiles: int) -> None:
    wanted = Wanted(lambda _: [13, 10, 7], lambda *_: rooms, MANY_ROOMS)
    assert arrange(80, 24, wanted, era=1, alone=False)["tiles"].height == tiles


@settings(deadline=None, derandomize=True, max_examples=200)
@given(
    st.integers(LEAST[0], 220),
    st.integers(LEAST[1], 80),
    st.integers(1, 22),
    st.integers(3, 26),
    st.sampled_from([1, 2]),
    st.booleans(),
    st.booleans(),
)
def test_panes_are_side_by_side(
    width: int, height: int, tiles: int, rooms: int, era: int, alone: bool, replay: bool
) -> None:
    wanted = Wanted(lambda _: [tiles], lambda *_: rooms, MANY_ROOMS)
    boxes = arrange(width, height, wanted, era=era, alone=alone, replay=replay)
    for one, other in combinations(boxes.values(), 2):
        assert not Region(*one).overlaps(Region(*other)), (one, other)
    for box in boxes.values():
        assert Region(*box) in Region(0, 0, width, height)
    assert {"header", "cave", "tiles", "display", "hints"} <= boxes.keys()
    assert boxes["display"].height >= 3
    assert ("controls" in boxes) == replay


@pytest.mark.parametrize("words", [1, 4, 7])
@pytest.mark.parametrize("moment", [of_ann("take", 1, 4), of_ann("take", 1, 7), of_ann("actions", 1, 8)])
async def test_a_message_leaves_rows_for_half_of_the_rooms_and_the_number_of_the_others(
    moment: Any, words: int
) -> None:
    screen = table(played(moment), guide=True)
    async with show(screen, SMALL) as (_, pilot):
        screen.say("Hint: take Housework, and furnish two rooms. " * words)
        await settle(pilot)
        pane = screen.query_one(Display)
        over = max(0, pane.region.bottom - screen.query_one(MessageLine).region.y)
        shown = [row for row in rows_of(pane)[: pane.content_size.height - over] if row.strip()]
        rooms = [row for row in shown if any(terms.room_name(each)[:7] in row for each in screen.scene.cave.display)]
        left = len(screen.scene.cave.display) - len(rooms)
        assert len(rooms) >= left
        assert any(f"↓ {left} more" in row for row in shown) == (left > 0)
