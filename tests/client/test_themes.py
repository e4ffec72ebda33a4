"""Themes: text is readable in all of them, and no information depends on colour alone."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import pytest
from rich.color import Color as RichColor
from rich.color import ColorSystem
from rich.segment import Segment
from textual.color import Color
from textual.content import Content
from textual.screen import Screen
from textual.theme import BUILTIN_THEMES
from textual.widgets import Static

from cave.games import get_game
from cave.the_cave.packing import discard_form, exchange_form
from cave.the_cave.state import Items
from client.app.game_key_bindings import key_list
from client.app.screens.join import JoinScreen
from client.app.screens.keys import KeysScreen
from client.app.screens.lobby import LobbyScreen
from client.app.screens.menu import MenuScreen, NameScreen
from client.app.screens.new_game import NewGameScreen
from client.app.screens.settings import SettingsScreen
from client.games.the_cave.cave_map import role_styles
from client.games.the_cave.face import FACE
from client.games.the_cave.map_signs import ROLES as MAP_ROLES
from client.games.the_cave.map_signs import SETS, ZOOMS
from client.games.the_cave.packing_screens import DiscardScreen, ExchangeScreen, PackingScreen
from client.games.the_cave.picture import Border, Cell, MapPicture
from client.settings import appearance
from client.settings.schema import Preferences, Settings
from client.tui import text_roles
from client.tui.chooser import ChooserScreen, Entry
from client.tui.colour_tiers import in_256
from client.tui.help import HelpScreen
from client.tui.score import ScoreScreen
from client.tui.themes import CAVE_COLOUR_BLIND, CONTRAST, OWN, ROLES, ThemedApp, contrast
from tests.client import scenes
from tests.client.fake_session import FakeSession
from tests.client.game_app import TableApp, packed, position
from tests.client.pilot import give_colours, press, run, strips
from tests.client.screens import LARGE, SMALL, in_themes, show, smaller
from tests.client.test_screens import over, tables, waiting
from tests.client.whole import whole_map
from tests.effort import THOROUGH

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


def drawn(screen: Screen[Any]) -> list[Segment]:
    """Return everything on the screen, or in its box, except blanks and frames."""
    box = next((box.region for box in screen.query("#box")), screen.region)
    rows = [strip.crop(box.x, box.right) for strip in strips(screen)[box.y : box.bottom]]
    return [segment for row in rows for segment in row if set(segment.text) - FRAMES - PIXELS]


def unreadable(screen: Screen[Any]) -> set[tuple[str, float]]:
    """Return the texts with too little contrast."""
    found = set()
    for text, style, _ in drawn(screen):
        told = contrast(Color.from_rich_color(style.color), Color.from_rich_color(style.bgcolor))
        if told < CONTRAST:
            found.add((text.strip(), round(told, 2)))
    return found


def packing() -> PackingScreen:
    game = get_game("the-cave")
    form = game.choices(game.new(2, {}, "k"), 0)[0]
    return PackingScreen(FACE, form, seat=0, name="Ann")


OPTIONS = [Entry("One", 1, "2 AP", "+3"), Entry("Two", 2, "x", enabled=False)]
FORMS: dict[str, Callable[[], Screen[Any]]] = {
    "menu": lambda: MenuScreen("Nobody answers there."),
    "new game": lambda: NewGameScreen("Ann"),
    "help": lambda: HelpScreen(FACE),
    "packing": packing,
    "exchange": lambda: ExchangeScreen(FACE, exchange_form(Items(2, 1, 1), Items(1, 2)), seat=0, name="Ann"),
    "discard": lambda: DiscardScreen(FACE, discard_form(Items(2, 1)), seat=0, name="Ann"),
    "score": lambda: ScoreScreen(FACE, over()),
    "name": lambda: NameScreen("Ann"),
    "lobby": lambda: LobbyScreen(waiting()),
    "join": lambda: JoinScreen(tables, address="here", names=("Ann",)),
    "settings": lambda: SettingsScreen(Preferences(Settings(name="Ann")), key_list()),
    "keys": lambda: KeysScreen(Preferences(Settings(name="Ann", keys={"game.discover": "y"})), key_list()),
    "chooser": lambda: ChooserScreen("Which?", OPTIONS),
    "alarm": lambda: scenes.alarm_of("unicode"),
}


@pytest.mark.parametrize("form", FORMS)
async def test_everything_on_the_forms_is_readable(form: str) -> None:
    screen = FORMS[form]()
    # Half of the themes; the next form has the others.
    first, step = ([*FORMS].index(form) % 2, 2) if not THOROUGH else (0, 1)
    async with show(screen) as (app, pilot):
        for theme in OWN[first::step]:
            app.theme = theme.name
            await pilot.pause()
            assert drawn(screen)
            assert not unreadable(screen), theme.name


async def test_everything_on_the_table_is_readable() -> None:
    names = ("Ana", "Bea", "Cyd", "Dan", "Eve")
    app = TableApp(FakeSession(names, start=packed(len(names))))
    async with run(app, size=LARGE) as pilot:
        for keys in ((), ("m",), ("escape", "a")):
            await press(pilot, *keys)
            async for size in smaller(pilot, LARGE, SMALL):
                async for theme in in_themes(pilot, *(theme.name for theme in OWN)):
                    assert not unreadable(app.screen), (keys, size, theme)


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
        (style,) = {piece.style for piece in drawn(app.screen) if piece.text == "Ann"}
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
