"""Legends: each sign as the board's own painter draws it, in every tier, beside a sentence."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from rich.color import ColorSystem
from textual.screen import Screen

from cave import games
from cave.caves_of_casadh.components import HAZARDS
from cave.the_cave.state import Kind
from cave_game.template.face import FACE as LANTERNS
from client import games as faces
from client.games.caves_of_casadh.hex_signs import ICONS
from client.games.sir_ocelots_cave import gem_signs as gems
from client.games.the_cave.map_signs import SETS
from client.plain import shared_sentences
from client.settings.appearance import ANSI_THEMES, OWN_THEMES
from client.tui.help import HelpScreen, Legend
from tests.client.pilot import give_colours, press
from tests.client.screens import LARGE, SIZES, SMALL, in_themes, show
from tests.client.sir_ocelots_cave import tables as ocelot

SHORT = "2"
"""The page with the legend, which has no rule at the top."""


def shown(screen: Screen[Any]) -> str:
    """The whole legend as text, however long it is."""
    legend = screen.query_one(Legend)
    return "\n".join(legend.render_line(y).text for y in range(legend.size.height))


def signs(game: str, glyphs: str) -> list[str]:
    """Signs that every legend of the game must have."""
    match game:
        case "the-cave":
            found = SETS["ascii" if glyphs == "ascii" else "unicode"]
            assert {*found.kinds} == {*get_args(Kind)}
            return [*found.kinds.values(), found.token, found.exit, found.need, found.last, "A", "a", "-50"]
        case "sir-ocelots-cave":
            return [*gems.SIGNS[glyphs].values()] if glyphs == "ascii" else ["C", "L", "P", "A", "B", "7"]
        case "caves-of-casadh":
            assert {*ICONS} == {*HAZARDS}
            tokens = [f"{letter.upper()}!" for letter in ICONS.values()]
            return [*tokens, "T3", "i2", "DA", "?", "~" if glyphs == "ascii" else "≈"]
        case _:
            return ["dig", "fits", "cavern", "Entrance", ">" if glyphs == "ascii" else "►"]


@pytest.mark.parametrize(
    ("glyphs", "colours"),
    [
        ("fine", ColorSystem.TRUECOLOR),
        ("unicode", ColorSystem.EIGHT_BIT),
        ("ascii", ColorSystem.TRUECOLOR),
        ("ascii", ColorSystem.EIGHT_BIT),
    ],
)
@pytest.mark.parametrize("game", games.game_names())
async def test_the_legend_has_each_sign_in_every_theme(game: str, glyphs: str, colours: ColorSystem) -> None:
    face = faces.get_face(game)
    words = [sentence.split()[:3] for _, sentence in face.legend()]
    async with show(HelpScreen(face, glyphs=glyphs), (80, 24), ascii_only=glyphs == "ascii") as (app, pilot):
        give_colours(app, colours)
        themes = (*OWN_THEMES, *ANSI_THEMES) if glyphs == "fine" else OWN_THEMES[:2]
        async for theme in in_themes(pilot, *themes):
            await press(pilot, SHORT)
            text = shown(app.screen)
            assert [sign for sign in signs(game, glyphs) if sign not in text] == [], theme
            assert [each for each in words if each[0] not in text] == []
            if glyphs == "ascii":
                assert text.isascii()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", games.game_names())
async def test_no_sentence_is_cut_in_any_window(game: str, size: tuple[int, int]) -> None:
    face = faces.get_face(game)
    async with show(HelpScreen(face), size) as (app, pilot):
        await press(pilot, SHORT)
        letters = "".join(shown(app.screen).split())
        for _, sentence in face.legend():
            assert "".join(sentence.split()[:1]) in letters, sentence


async def test_at_a_table_the_signs_are_as_large_as_on_its_board() -> None:
    heights = []
    for size in (SMALL, LARGE):
        async with show(ocelot.table(ocelot.begun(0)), size) as (app, pilot):
            await press(pilot, "question_mark")
            legend = app.screen.query_one(Legend)
            while not legend.display:
                await press(pilot, "tab")
            heights.append(legend.size.height)
    assert heights[0] < heights[1]


@pytest.mark.parametrize("game", games.game_names())
def test_line_mode_has_the_same_sentences_beside_ascii_signs(game: str) -> None:
    face = faces.get_face(game)
    told = shared_sentences.legend(face)
    sentences = {sentence for _, sentence in face.legend()}
    assert all(line.isascii() and any(line.endswith(f": {each}") for each in sentences) for line in told)
    assert all(sign in "\n".join(told) for sign in signs(game, "ascii") if sign not in "_>")


def test_a_game_without_a_board_has_no_signs() -> None:
    assert shared_sentences.legend(LANTERNS) == [shared_sentences.NO_SIGNS]
