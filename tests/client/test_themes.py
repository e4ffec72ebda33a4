"""Themes: text is readable in all of them, and no information depends on colour alone."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from rich.color import Color as RichColor
from rich.color import ColorSystem
from textual.color import Color
from textual.content import Content
from textual.theme import BUILTIN_THEMES
from textual.widgets import Static

from client.games.the_cave.cave_map import role_styles
from client.games.the_cave.map_signs import ROLES as MAP_ROLES
from client.games.the_cave.map_signs import SETS, ZOOMS
from client.games.the_cave.picture import Border, Cell, MapPicture
from client.settings import appearance
from client.tui import text_roles
from client.tui.colour_tiers import in_256
from client.tui.themes import CAVE_COLOUR_BLIND, CONTRAST, OWN, ROLES, ThemedApp, contrast
from tests import snapshots
from tests.client.fake_session import FakeSession
from tests.client.game_app import TableApp, position
from tests.client.pilot import give_colours, run, strips
from tests.client.screens import SMALL, in_themes
from tests.client.whole import whole_map

FRAMES = set("█■─│╭╮╰╯┌┐└┘▏▕▔▁▂▃▄▅▆▇ +-|")
"""Glyphs of frames and scrollbars; those of empty slots are faint on purpose."""
PIXELS = set("▀▄▐▌")
"""Glyphs of pictures and of the bars beside names."""
WITH_COLOURS = sorted(name for name, theme in BUILTIN_THEMES.items() if not theme.ansi)


def test_the_command_line_knows_all_themes_and_which_are_light() -> None:
    assert {*appearance.BUILT_IN_THEMES, *appearance.ANSI_THEMES} == set(BUILTIN_THEMES)
    themes = {**BUILTIN_THEMES, **{theme.name: theme for theme in OWN}}
    assert set(appearance.THEMES) == {"auto", *themes}
    assert {name for name, theme in themes.items() if not theme.dark} == appearance.LIGHT


BEHIND_A_BOX = {"actions", "chat", "keys-new", "moves"}
"""Scenes whose ground is dimmed."""


@pytest.mark.parametrize("name", [name for name in snapshots.SCENES if name not in BEHIND_A_BOX])
def test_every_letter_of_a_golden_is_readable_in_our_themes(name: str) -> None:
    """The letters come from the golden text, their colours from the golden of styles."""
    marks, _, table = snapshots.kept(name, snapshots.STYLES).partition("=== styles\n")
    rows = snapshots.kept(name, "unicode", [snapshots.STYLED]).splitlines()
    letters = {
        mark
        for marked, row in zip(marks.splitlines()[1:], rows[1:], strict=False)
        for mark, glyph in zip(marked.ljust(snapshots.STYLED[0], "."), row, strict=False)
        if glyph not in FRAMES | PIXELS
    }
    for line in table.splitlines()[1:]:
        for at in range(2, 2 + len(snapshots.OWN_THEMES) * snapshots.COLUMN, snapshots.COLUMN):
            look, *_ = line[at:].split()
            ink, _, ground = look.partition("/")
            if line[0] in letters and ink != "-":
                assert contrast(Color.parse(f"#{ink}"), Color.parse(f"#{ground}")) >= CONTRAST, look


async def test_every_role_is_readable_in_every_theme() -> None:
    app = TableApp(FakeSession(start=position()))
    async with run(app, size=SMALL) as pilot:
        async for theme in in_themes(pilot, *(theme.name for theme in OWN), *WITH_COLOURS):
            styles = {role: role_styles(app.table.map)[role] for role in MAP_ROLES if role != "blank"}
            plain = app.table.query_one("#actions").rich_style
            styles |= {f"panel {role}": plain + text_roles.style(app, hue) for role, hue in text_roles.PANELS.items()}
            del styles["panel air"]  # the dark between two cards, without text
            for role, style in styles.items():
                told = contrast(Color.from_rich_color(style.color), Color.from_rich_color(style.bgcolor))
                assert told >= CONTRAST, (theme, role, round(told, 2))


GROUNDS = ("background", "surface", "panel", "boost")


def in_256_colours(ink: str, ground: str) -> tuple[Color, Color]:
    """The 256-colour versions of an ink and its ground."""
    shown = in_256(RichColor.parse(ink), RichColor.parse(ground))
    first, second = (Color(*each.get_truecolor()) for each in shown if each is not None)
    return first, second


@pytest.mark.parametrize("theme", OWN, ids=lambda theme: theme.name)
def test_our_themes_are_readable_in_256_colours(theme: Any) -> None:
    colours = theme.to_color_system().generate() | theme.variables
    for role in ROLES:
        if role.endswith("-letter"):
            continue
        on = [f"{role}-letter"] if role.startswith("seat-") else GROUNDS
        for ground in on:
            before = contrast(Color.parse(colours[role]), Color.parse(colours[ground]))
            if ground == "background" or before >= CONTRAST:
                assert contrast(*in_256_colours(colours[role], colours[ground])) >= CONTRAST, (role, ground)


async def test_in_256_colours_brown_on_paper_stays_readable() -> None:
    """Textual's nearest of this brown and this paper are olive on lemon."""
    app = ThemedApp[None]()
    give_colours(app, ColorSystem.EIGHT_BIT)
    async with run(app, size=SMALL) as pilot:
        await app.screen.mount(Static(Content.styled("Ann", "#6e4300 on #e2d9c8")))
        await pilot.pause()
        (style,) = {piece.style for row in strips(app.screen) for piece in row if piece.text == "Ann"}
    assert (style.color.number, style.bgcolor.number) == (52, 253)


# Eyes. The matrices are those of Machado, Oliveira and Fernandes (2009), severity 1, for linear RGB.

EYES = {
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
SRGB_TO_XYZ = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))
WHITE = (0.95047, 1.0, 1.08883)


def lab(colour: Color, eyes: str) -> tuple[float, float, float]:
    """Return the colour as such eyes see it, in CIE L*a*b*."""
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour.normalized]
    seen = [min(1.0, max(0.0, sum(a * b for a, b in zip(row, linear, strict=True)))) for row in EYES[eyes]]
    xyz = [sum(a * b for a, b in zip(row, seen, strict=True)) for row in SRGB_TO_XYZ]
    x, y, z = (
        part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116
        for part in (value / white for value, white in zip(xyz, WHITE, strict=True))
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def distance(one: str, other: str, eyes: str) -> float:
    """CIE76: 2.3 is just noticeable."""
    pairs = zip(lab(Color.parse(one), eyes), lab(Color.parse(other), eyes), strict=True)
    return sum((a - b) ** 2 for a, b in pairs) ** 0.5


@pytest.mark.parametrize("theme", OWN, ids=lambda theme: theme.name)
@pytest.mark.parametrize("eyes", EYES)
def test_six_seats_are_distinguishable_with_colour_blindness(theme: Any, eyes: str) -> None:
    seats = [theme.variables[f"seat-{number}"] for number in range(1, 7)]
    least = [min(distance(a, b, eyes) for a, b in combinations(seats[:count], 2)) for count in (5, 6)]
    assert least[0] > (40 if theme is CAVE_COLOUR_BLIND else 15)
    assert least[1] > (30 if theme is CAVE_COLOUR_BLIND else 15)


# Without any colour


@pytest.mark.parametrize("glyphs", SETS)
def test_colour_is_never_the_only_difference(glyphs: Any) -> None:
    def text(cell: Cell, east: str = "rock", ropes: int = 0, zoom: Any = "L") -> str:
        borders = {((0, 0), (1, 0)): Border(east, ropes)}  # type: ignore[arg-type]
        picture = MapPicture({(0, 0): cell, (1, 0): Cell(kind="plain")}, borders, (0, 0, 1, 0))
        return "\n".join(whole_map(picture, zoom, SETS[glyphs]))

    kinds = ("plain", "water", "wonder", "squeeze", "descent", "choke", "base")
    for zoom in ZOOMS:
        looks = [text(Cell(kind=kind), zoom=zoom) for kind in kinds]  # type: ignore[arg-type]
        looks += [text(Cell(kind="plain", pawns=(team,)), zoom=zoom) for team in range(5)]
        looks += [
            text(Cell(kind="plain"), *border, zoom=zoom)
            for border in (("passage",), ("exit",), ("roped", 1), ("unroped", 1))
        ]
        assert len(set(looks)) == len(looks), zoom
    more: list[dict[str, Any]] = [{}, {"token": 2}, {"last": True}, {"ghost": True}]
    more += [
        {"price": 2},
        *({"depth": metres, "is_step": True} for metres in (25, 50, 75, 100)),
        *({"camps": (team,)} for team in range(5)),
    ]
    looks = [text(Cell(kind="water", **each)) for each in more]
    assert len(set(looks)) == len(looks)
