"""The panes of The Cave as cards: pips, lines, pictures, and what is left of them without colours."""

from __future__ import annotations

import re
from typing import Any

import pytest

from client.face import LogEntry
from client.games.the_cave.forms import pictures
from client.games.the_cave.forms.leather import leather
from client.games.the_cave.forms.slots import Slots
from client.games.the_cave.known.actions import ActionLine
from client.games.the_cave.known.supplies import Headline, Slot, Supplies
from client.games.the_cave.screen.lists import action_entry
from client.games.the_cave.screen.panes.actions import Actions
from client.games.the_cave.screen.panes.backpack import Backpack
from client.games.the_cave.screen.panes.meter import LONGEST, meter, way_home
from client.games.the_cave.screen.panes.status import HeaderBar, SupplyBar
from client.tui.paint.canvas import segments
from client.tui.paint.colour import CONTRAST, contrast, luminance, rgb
from client.tui.paint.tiers import COLOURS_256, TRUECOLOR, Tier
from client.tui.roles import PANELS
from client.tui.screens.chooser import Choices
from client.tui.themes import OWN
from client.tui.widgets.log import LogPane
from client.tui.widgets.panel import Span
from tests.client.fake_session import FakeSession
from tests.client.game_app import TableApp, position
from tests.client.pilot import run, settle
from tests.client.screens import LARGE, text

NIGHT = rgb("110f12")
PIXEL = "▀"


def told(spans: list[Span]) -> str:
    return "".join(span.text for span in spans)


@pytest.mark.parametrize("line", ["-", "─"])
@pytest.mark.parametrize("width", [36, 47, 95])
def test_a_slot_has_air_before_its_number_and_the_chosen_one_is_told_without_colours(
    line: str, width: int
) -> None:
    slots = Slots("backpack", line=line)
    slots._slots = [Slot("consumable"), Slot("camera"), Slot("rope"), *[Slot("")] * 5]
    slots._chosen, slots._rows_each = 1, 3
    rows = [list(row) for row in slots.rows(width, 0)]
    assert max(len(told(row)) for row in rows) <= width
    if line == "-" or width > 36:
        assert not any(re.search(r"[|▌]\S", told(row)) for row in rows)
    reversed_ones = [span.text.strip() for row in rows for span in row if span.role == "chosen"]
    assert len(reversed_ones) == 1
    assert "cam" in reversed_ones[0]
    assert PANELS["chosen"].reverse


def test_every_thing_has_a_picture_of_seven_by_six_pixels() -> None:
    for name, rows in pictures.THINGS.items():
        assert (len(rows), {len(row) for row in rows}) == (6, {7}), name
        assert {letter for row in rows for letter in row} - {"."} <= pictures.INKS.keys()
    assert len(set(pictures.THINGS.values())) == len(pictures.THINGS)


@pytest.mark.parametrize(
    "slots",
    [
        [Slot("consumable")] * 4 + [Slot("rope"), Slot("oxygen 2/2"), Slot("camera"), Slot("raft")],
        [Slot("oxygen 1/2")] * 6 + [Slot("CAMP", 2)],
        [Slot("rope")] * 3 + [Slot("CAMP", 2)] + [Slot("")] * 3,
        [Slot("")] * 8,
    ],
)
def test_a_pocket_shows_its_thing_with_its_name(slots: list[Slot]) -> None:
    pack = pictures.pockets(slots, NIGHT)
    rows = ["".join(cell.glyph for cell in row) for row in pack.rows]
    assert {len(row) for row in rows} == {pictures.WIDTH}
    names = " ".join((rows[pictures.HIGH], rows[2 * pictures.HIGH + 1])).replace(PIXEL, " ")
    short = {"consumable": "cons", "oxygen 2/2": "oxyg 2/2", "oxygen 1/2": "oxyg 1/2"}
    for name in {slot.text for slot in slots if slot.text}:
        assert names.count(short.get(name, name)) == sum(slot.text == name for slot in slots), rows


SEEN = 3.0
"""The least contrast of what is no text (WCAG 2.1, 1.4.11)."""


@pytest.mark.parametrize("tier", [TRUECOLOR, COLOURS_256], ids=lambda tier: tier.colours)
@pytest.mark.parametrize("dark", [True, False], ids=["dark", "light"])
def test_names_numbers_and_things_on_pockets_can_be_seen_as_the_terminal_shows_them(
    dark: bool, tier: Tier
) -> None:
    things = [Slot(name) for name in pictures.THINGS] + [Slot("")] * 2
    ground = NIGHT if dark else rgb("f5f0e6")
    hide = leather(dark, tier)
    pack = pictures.pockets(things, ground, leather=hide, numbered=True, chosen=1)
    told = [cell for row in pack.rows for cell in row if cell.glyph.isalnum() or cell.glyph in "·/"]
    assert sum(cell.glyph == "·" for cell in told) == 2
    assert sum(cell.glyph.isdigit() and not cell.bold for cell in told) >= 8
    for cell in told:
        assert contrast(tier.shown(cell.ink), tier.shown(cell.ground)) >= CONTRAST, cell
    for name, rows in pictures.THINGS.items():
        inks = {**pictures.INKS, **hide.inks}
        used = {inks[letter] for row in rows for letter in row if letter != "."}
        for lining in (hide.lining, hide.chosen):
            best = max(contrast(tier.shown(ink), tier.shown(lining)) for ink in used)
            assert best >= SEEN, (name, best)
    assert segments(pack.rows[0])


@pytest.mark.parametrize("dark", [True, False], ids=["dark", "light"])
def test_the_leather_of_256_colours_is_no_olive(dark: bool) -> None:
    """Olives of the colour cube have no blue."""
    hide = leather(dark, COLOURS_256)
    for colour in (hide.hide, hide.lid, hide.lining, hide.chosen):
        red, green, blue = COLOURS_256.shown(colour)
        assert red >= green >= blue > 0, colour


@pytest.mark.parametrize("width", [37, 44, 50, 90])
def test_light_lies_behind_a_pack_and_fades_to_both_sides(width: int) -> None:
    pack = pictures.pockets([Slot("rope")] * 8, NIGHT)
    canvas, left = pictures.glowing(pack, width)
    assert canvas.width == width
    assert left == (width - pack.width) // 2
    for row, lit in zip(pack.rows, canvas.rows, strict=True):
        assert [cell.glyph for cell in lit[left : left + pack.width]] == [cell.glyph for cell in row]
    middle = canvas.rows[canvas.height // 2]
    lights = [luminance(cell.ground) for cell in middle[:left]]
    assert lights == sorted(lights)
    if left > pictures.GLOW_REACH:
        assert middle[0].ground == NIGHT
    if left:
        assert lights[-1] > luminance(NIGHT)


@pytest.mark.parametrize("scale", [1, 2])
@pytest.mark.parametrize("across", [2, 4])
def test_pockets_are_numbered_and_one_is_set_off(across: int, scale: int) -> None:
    slots = [Slot("rope"), Slot("½ oxygen"), Slot(""), Slot("")]
    pack = pictures.pockets(slots, NIGHT, across=across, scale=scale, numbered=True, chosen=1)
    numbers = [cell for row in pack.rows for cell in row if cell.glyph.isdigit()]
    assert [cell.glyph for cell in numbers] == ["1", "2", "3", "4"]
    assert all(contrast(cell.ink, cell.ground) >= CONTRAST for cell in numbers)
    grounds = [cell.ground for cell in numbers]
    assert grounds[0] == grounds[2] == grounds[3] != grounds[1]
    for place in pictures.places(slots, across, scale):
        assert place.x + place.wide < pack.width
        assert place.y + place.high < pack.height


def test_a_packed_tent_has_the_colour_of_its_team() -> None:
    team = rgb("56b4e9")
    slots = [Slot("rope")] * 6 + [Slot("CAMP", 2)]
    for given in (team, None):
        pack = pictures.pockets(slots, NIGHT, team=given)
        inks = {colour for row in pack.rows for cell in row for colour in (cell.ink, cell.ground)}
        assert (team in inks) == (given is not None)


def test_a_tent_is_as_large_as_asked_for_and_of_the_colour_of_its_team() -> None:
    team = rgb("56b4e9")
    for scale in (1, 2):
        tent = pictures.tent(NIGHT, team, scale)
        assert (tent.width, tent.height) == (14 * scale, 3 * scale)
        assert team in {colour for row in tent.rows for cell in row for colour in (cell.ink, cell.ground)}


@pytest.mark.parametrize("theme", [*(theme.name for theme in OWN), "ansi-dark", "ansi-light", "nord"])
async def test_without_pictures_the_backpack_says_the_same(theme: str) -> None:
    app = TableApp(FakeSession(start=position()))
    app.theme = theme
    async with run(app, size=LARGE) as pilot:
        pane = app.table.query_one(Backpack)
        shown = "\n".join("".join(part.text for part in pane.render_line(y)) for y in range(pane.size.height))
        pictured = theme not in ("cave-high-contrast", "ansi-dark", "ansi-light")
        assert (PIXEL in shown) == pictured
        assert "cons" in shown
        assert "\n CAMP " in shown, "its heading stands where all do, also beside a tent"
        app.theme = "ansi-dark" if pictured else "cave-dark"
        await settle(pilot)
        assert (PIXEL in text(app.screen)) == (not pictured)


def supplies(home_ap: int | None, **changes: Any) -> Supplies:
    found = {
        "consumables": 1,
        "at_base": False,
        "running": True,
        "home_turns": 1,
        "eats": 1,
        "turns_left": None,
    }
    return Supplies(home_ap=home_ap, **(found | changes))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("found", "ap", "line", "shown"),
    [
        (supplies(4), 3, "─", "⌂─━━━A"),
        (supplies(4), 3, "-", "^-===A"),
        (supplies(2), 5, "─", "⌂━━A"),
        (supplies(4, running=False), 5, "─", "⌂────A"),
        (supplies(None), 5, "─", ""),
        (supplies(0, at_base=True), 5, "─", ""),
    ],
)
def test_the_way_home_has_a_cell_for_each_ap(found: Supplies, ap: int, line: str, shown: str) -> None:
    assert told(way_home(found, 0, "A", ap, line)) == shown


def test_a_long_way_home_is_drawn_to_scale() -> None:
    line = told(way_home(supplies(56), 0, "A", 4, "─"))
    assert (line.count("─"), line.count("━")) == (LONGEST - 1, 1)


def test_pips_have_two_shapes_and_a_number() -> None:
    assert told(meter(3, 5, "unicode")) == "▐▌▐▌▐▌▗▖▗▖ 3"
    assert len(told(meter(3, 5, "ascii"))) == 7


@pytest.mark.parametrize("width", [60, 80, 120, 140])
def test_without_bars_the_title_bar_says_what_the_numbers_of_the_stacks_are(width: int) -> None:
    bar = HeaderBar("ascii")
    bar.show(Headline("The Cave", "K7QF", (0, 2, 13, 13), ">> YOUR TURN  A Ann", 0, True, 3), "10.0.0.5:7412")
    shown = told(list(bar.rows(width, 1)[0]))
    assert "II:2" in shown
    assert (" left" in shown) == (width > 60)
    assert "III:13  IV:13 left" in shown or width < 120


def test_the_log_names_who_acts_where_that_changes() -> None:
    pane = LogPane(line="─")
    pane.show(
        tuple(
            LogEntry(number, seat, "AB"[seat] + "nn", f"does {number}")
            for number, seat in enumerate((0, 0, 1, 1, 1))
        ),
        0,
        0,
    )
    rows = [told(list(row)) for row in pane.rows(40, 9)]
    assert rows[1:] == ["  A  Ann does 0", "     does 1", "  B  Bnn does 2", "     does 3", "     does 4"]
    cut = [told(list(row)) for row in pane.rows(40, 5)]
    assert cut[1:] == ["  A  Ann does 1", "  B  Bnn does 2", "     does 3", "     does 4"]
    low = [told(list(row)) for row in pane.rows(40, 3)]
    assert low == ["  B  Bnn does 2", "     does 3", "     does 4"]
    heading, first = (list(row) for row in pane.rows(40, 9)[:2])
    assert told(heading).startswith(" LOG")
    assert [span.role for span in first[:2]] == ["text", "seat-1"], "the chip begins below its heading"


def test_the_log_keeps_the_mark_of_a_bot_whose_name_is_cut() -> None:
    pane = LogPane(line="─")
    for name, cut in (("Novice 1 (bot)", "Novice 1 bot"), ("Bartholomew Smith", "Bartholomew~")):
        pane.show((LogEntry(0, 0, name, "moves"),), 0, 0)
        assert told(list(pane.rows(60, 9)[1])) == f"  A  {cut} moves"


def test_the_way_home_is_drawn_where_that_leaves_nothing_out() -> None:
    pane = SupplyBar(line="─")
    pane.show(supplies(4), "A Ann", 0, 3)
    shown = {width: told(list(pane.rows(width, 1)[0])) for width in (40, 60, 80, 140)}
    assert all(len(row) <= width for width, row in shown.items())
    for width in (80, 140):
        assert "1 more turn: just enough" in shown[width]
        assert "⌂─━━━A" in shown[width]
    assert "consumables for 1 turn" in shown[140]
    assert "just enough" in shown[40]
    verdict = next(span for span in pane.rows(140, 1)[0] if "just enough" in span.text)
    assert (verdict.text.strip(), verdict.role) == ("just enough", "warn")


WHY = (
    ActionLine("moves", "m", "move, 3 ways", "move (3)", "from 1 AP", "+3"),
    ActionLine("end_turn", "e", "end the turn", "end turn", "loses 3 AP"),
    ActionLine(
        "discover",
        "x",
        "discover a tile",
        "discover",
        legal=False,
        why="This tile has no unexplored exit (rule 4.1).",
    ),
    ActionLine("pitch", "c", "pitch the camp", "pitch camp", legal=False, why="It is gone (rules 6.1, 6.9)."),
    ActionLine("pack", "p", "pack the backpack", "pack", legal=False, why="All tiles are out."),
)


def listed(lines: tuple[ActionLine, ...], width: int, height: int) -> list[str]:
    pane = Actions(line="─")
    pane._lines, pane._all = lines, "a"
    return [told(list(row)) for row in pane.rows(width, height)]


def test_what_cannot_be_done_stands_in_columns_with_reason_and_rule() -> None:
    rows = listed(WHY, 90, 8)
    assert [" ".join(row.split()) for row in rows] == [
        "NOW NOT NOW, AND WHY",
        "m move, 3 ways from 1 AP +3 x discover this tile has no unexplored exit 4.1",
        "e end the turn loses 3 AP c pitch camp it is gone 6.1",
        "p pack all tiles are out.",
    ]
    for words in (("this", "it", "all"), ("discover", "pitch", "pack"), ("4.1", "6.1")):
        starts = {row.index(f" {word}") for row, word in zip(rows[1:], words, strict=False)}
        assert len(starts) == 1, rows
    assert rows[0].index("NOT NOW") == rows[1].index("x discover")


@pytest.mark.parametrize(("width", "height"), [(60, 2), (90, 8)])
def test_prices_tell_what_they_are_and_only_keys_that_do_something_are_bright(
    width: int, height: int
) -> None:
    pane = Actions(line="─")
    pane._lines, pane._all = WHY, "a"
    roles = {span.text.strip(): span.role for row in pane.rows(width, height) for span in row}
    assert (roles["from 1 AP"], roles["loses 3 AP"]) == ("price", "loss")
    assert {roles[key] for key in "me"} == {"cap"}
    assert {roles.get(key, "dim") for key in "xcp"} == {"dim"}
    menu = Choices([action_entry(line) for line in WHY], 0, line="─")
    found = {span.text.strip(): span.role for row in menu.rows(80, 20) for span in row}
    assert found["loses 3 AP"] == "warn"
    assert (found["e"], found["x"]) == ("key", "dim")


@pytest.mark.parametrize("height", range(6, 14))
def test_no_reason_is_cut_off_and_what_has_no_room_is_counted(height: int) -> None:
    why = "There is no wonder to photograph here, and the camera is in the camp (rule 5.6)."
    more = tuple(ActionLine(each, each, each, each, legal=False, why=why) for each in "1234")
    for width in range(66, 120, 6):
        rows = listed((*WHY, *more), width, height)
        text = " ".join(" ".join(row.split()) for row in rows)
        assert len(rows) <= height
        assert max(map(len, rows)) <= width
        assert "~" not in text
        shown = sum(f" {name} " in text for name in ("x discover", "c pitch camp", "p pack"))
        shown += sum(f" {each} {each} " in text for each in "1234")
        assert shown == 7 or f" a {7 - shown} more" in text, text
