"""Words of the rules are explained by mouse, by keys and in line mode."""

from __future__ import annotations

from typing import Any

import pytest
from textual.screen import Screen
from textual.widgets import Tooltip

from cave import games
from cave.glossary import explain, load_glossary
from cave_game.template.game import GAME as LANTERNS
from client import games as faces
from client.games.the_cave.face import FACE
from client.plain import shared_sentences
from client.tui.chooser import ChooserScreen
from client.tui.help import HelpScreen
from client.tui.widgets.panes import ByName
from tests.client.fake_session import FakeSession
from tests.client.game_app import TableApp, position
from tests.client.pilot import Pilot, press, run, settle
from tests.client.plain_talk import after, talk
from tests.client.screens import LARGE, SMALL, show, text

GAME = games.get_game("the-cave")


async def pointed_at(pilot: Pilot[Any], word: str) -> str:
    """Return the explanation of a word on the screen, with the mouse on its last letter."""
    rows = text(pilot.app.screen).splitlines()
    y = next(y for y, row in enumerate(rows) if word in row)
    x = rows[y].index(word) + len(word) - 1
    await pilot.hover(offset=(x, y))
    await settle(pilot)
    return str(pilot.app.screen.get_widget_at(x, y)[0].tooltip or "")


@pytest.mark.parametrize("game", games.game_names())
async def test_clicking_a_word_in_the_help_leads_to_its_meaning_and_rule(game: str) -> None:
    rules = games.get_game(game)
    word, meaning = next((name, word) for name, word in load_glossary(rules).items() if "." in word.rule)
    async with show(HelpScreen(faces.get_face(game)), SMALL) as (app, pilot):
        await app.run_action(f"screen.words({word!r})")
        await settle(pilot)
        assert isinstance(app.screen, ChooserScreen)
        assert meaning.says.split()[0] in text(app.screen)
        await press(pilot, "enter")
        assert isinstance(app.screen, HelpScreen)
        assert text(app.screen).splitlines()[2].strip().startswith(f"{meaning.rule} ")


async def test_words_are_clicked_and_searched_by_keys() -> None:
    async with show(HelpScreen(FACE), SMALL) as (app, pilot):
        row = next(y for y, line in enumerate(text(app.screen).splitlines()) if "squeeze" in line)
        await pilot.click(offset=(text(app.screen).splitlines()[row].index("squeeze"), row))
        await settle(pilot)
        assert load_glossary(GAME)["squeeze"].says[:25] in text(app.screen)
        await press(pilot, "escape", "w", *"lost", "down")
        assert "action point" in text(app.screen)
        assert "squeeze" not in text(app.screen)
        await press(pilot, *"gnome")
        assert "Nothing here has this text." in text(app.screen)
        await press(pilot, *["backspace"] * 9, *"strand", "enter")
        assert "  7.3 english" in text(app.screen)


async def test_the_mouse_explains_words_only_in_help_log_and_hint() -> None:
    app = TableApp(FakeSession(start=position()))
    async with run(app, size=LARGE) as pilot:
        await settle(pilot)
        app.table.say("Next: dive for the token.", "tip")
        await settle(pilot)
        assert await pointed_at(pilot, "dive for") == ""  # "for" is not a word of the rules
        assert await pointed_at(pilot, "Next: dive") == explain(GAME, "dive")
        await press(pilot, "question_mark")
        assert (await pointed_at(pilot, "token")).startswith("Token: ")


async def test_a_table_with_boxed_panes_has_room_for_the_explanation() -> None:
    async with show(HelpScreen(FACE), SMALL) as (app, _):
        tip = Tooltip("Rope: it stays.")
        await app.screen.mount(tip)
        placed = ByName(lambda _: {}).arrange(app.screen, [tip], app.size)
        assert [each.widget for each in placed] == [tip]


HOSTILE = "[@click=app.quit]rope[/]"


async def test_text_of_others_is_no_link_and_no_markup() -> None:
    app = TableApp(FakeSession((HOSTILE, "Bea"), start=position()))
    async with run(app, size=LARGE) as pilot:
        await settle(pilot)
        app.table.say(f"{HOSTILE} has a rope.", "tip")
        await settle(pilot)
        screen: Screen[Any] = app.screen
        assert HOSTILE in text(screen)
        assert await pointed_at(pilot, "click=app.quit]rope") == explain(GAME, "rope")
        y = next(y for y, row in enumerate(text(screen).splitlines()) if HOSTILE in row)
        x = text(screen).splitlines()[y].index("rope")
        assert "@click" not in screen.get_style_at(x, y).meta
        await pilot.click(offset=(x, y))
        await settle(pilot)
        assert app.is_running


async def test_line_mode_explains_words() -> None:
    said = await talk(FakeSession(start=position()), "word squeezes", "word sque", "word gnome", "word")
    assert after(said, "word squeezes") == after(said, "word sque") == [explain(GAME, "squeeze")]
    assert after(said, "word gnome") == ["There is no word gnome. Type word for all of them."]
    assert "squeeze, starving, stranded" in after(said, "word")[0]


def test_a_third_party_game_has_a_glossary_without_code() -> None:
    (line,) = shared_sentences.word_lines(LANTERNS, "lanterns")
    assert line.startswith("Lantern: A card in your hand")
