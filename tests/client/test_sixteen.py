"""The terminal's own sixteen colours, and none: text is readable and distinct."""

from __future__ import annotations

from typing import Any

import pytest
from rich.color import Color
from rich.style import Style
from textual.screen import Screen

from client.games.cave_vs_cave.panes import VersusPanel
from client.games.cave_vs_cave.room_painter import ROLES as CAVES
from client.games.caves_of_casadh.hex_signs import ROLES as HEXES
from client.games.caves_of_casadh.panes import ROLES as CASADH
from client.games.sir_ocelots_cave.gem_signs import ROLES as OCELOT
from client.games.the_cave.face import FACE
from client.games.the_cave.side_pane import THINGS
from client.games.the_cave.sign_painter import MAP, OVERVIEW
from client.settings.appearance import ANSI_THEMES
from client.tui import text_roles
from client.tui.score import ScoreScreen
from client.tui.text_roles import ANSI, ANSI_LIGHT
from client.tui.widgets.score_sheet import ScoreSheet
from tests import snapshots
from tests.client.fake_session import FakeSession
from tests.client.game_app import TableApp, position
from tests.client.pilot import run, settle, strips
from tests.client.scenes import SCENES
from tests.client.screens import SMALL, show
from tests.client.test_screens import over

PALE = {"yellow", "YELLOW", "cyan", "CYAN", "GREEN", "white", "WHITE"}
"""Unreadable on paper; those in capitals are bright."""
DEEP = {"black", "blue"}
"""Unreadable in the dark."""


def seen(style: Style) -> tuple[str, str]:
    """Return the names of ink and ground as displayed."""
    ink, ground = (snapshots.colour(each or Color.default()) for each in (style.color, style.bgcolor))
    return (ground, ink) if style.reverse else (ink, ground)


@pytest.mark.parametrize("theme", ANSI_THEMES)
@pytest.mark.parametrize(
    "kept",
    [*(text_roles.PANELS, MAP, OVERVIEW, THINGS, OCELOT, CASADH, HEXES), *(VersusPanel.ROLES, CAVES, ScoreSheet.ROLES)],
)
async def test_no_role_has_the_colour_of_its_background(theme: str, kept: Any) -> None:
    app = TableApp(FakeSession(start=position()))
    app.theme = theme
    async with run(app, size=SMALL):
        assert app.theme_variables["scrollbar"].removeprefix("ansi_") not in DEEP
        for role, hue in kept.items():
            ink, ground = seen(text_roles.style(app, hue))
            if ground == "default":
                assert ink not in (PALE if theme == "ansi-light" else DEEP), role
            else:
                assert ink in ("black", "default"), role


def test_every_letter_of_a_golden_contrasts_with_its_ground() -> None:
    """The cards of the score were black on black, and so was the inset; a choice was black on blue."""
    column = len(snapshots.OWN_THEMES)
    for path in snapshots.FOLDER.glob("*-styles.txt"):
        for line in path.read_text(encoding="utf-8").partition("=== styles\n")[2].splitlines()[1:]:
            for at in range(column, column + len(ANSI_THEMES)):
                ink, _, ground = line[2:][at * snapshots.COLUMN :][: snapshots.COLUMN].partition("/")
                ground = ground.split()[0]
                assert ground == "default" or ink == "-" or "black" in (ink, ground), (path.name, line[0])
                assert ink != ground or ground == "default", (path.name, line[0])


def letters(screen: Screen[Any]) -> dict[str, Style]:
    """Return the style of each displayed piece of text, by the text."""
    return {part.text.strip(): part.style for strip in strips(screen) for part in strip if part.style is not None}


@pytest.mark.parametrize("theme", ANSI_THEMES)
async def test_the_letter_of_a_team_is_bold_on_its_colour_and_reversed_without_colours(theme: str) -> None:
    async with show(ScoreScreen(FACE, over())) as (app, pilot):
        app.theme = theme
        await pilot.pause()
        for seat in range(1, 7):
            style = text_roles.style(app, text_roles.SEATS[f"seat-{seat}"])
            assert style.bold
            assert style.reverse, "all that is left of a ground where there are no colours"
            assert seen(style)[0] == "black"
        assert letters(app.screen)["Total"].bold


@pytest.mark.parametrize(("scene", "block"), [("casadh", "▀"), ("versus", "▚")])
async def test_hexes_and_rock_are_painted_on_a_dark_ground_only(scene: str, block: str) -> None:
    async with show(SCENES[scene].screen("fine"), (80, 24)) as (app, pilot):
        for theme in ANSI_THEMES:
            app.theme = theme
            await settle(pilot)
            shown = "".join(strip.text for strip in strips(app.screen))
            assert (block in shown) == (theme == "ansi-dark"), theme


PLACES = ("cursor", "water", "wonder", "squeeze", "descent", "base", "exit", "text")


@pytest.mark.parametrize("colours", [ANSI, ANSI_LIGHT], ids=ANSI_THEMES)
def test_sixteen_colours_distinguish_teams_and_kinds_of_places(colours: dict[str, str]) -> None:
    teams = [colours[f"seat-{seat}"].removeprefix("ansi_").removeprefix("bright_") for seat in range(1, 7)]
    assert len(set(teams)) == 6, "a bright colour looks like the plain one"
    told = [colours[f"map-{kind}"] for kind in PLACES]
    same = {"ansi_default"} if colours is ANSI_LIGHT else set()
    assert len({*told} - same) == len([each for each in told if each not in same])
    assert colours["map-cursor"] not in teams
