"""How to win and lose is shown early: in the menu, at the first packing, in line mode."""

from __future__ import annotations

from typing import Any

import pytest
from textual.color import Color

from cave.the_cave.state import EDITIONS, Settings
from client.app.line_mode import LineModeFlow
from client.games.the_cave.packing_screens import PackingScreen
from client.games.the_cave.texts import HOME_OR_NOTHING, SCORED_ANYWHERE, WINS, goal
from client.launch.opening import Menu
from client.settings import schema
from client.settings.schema import Preferences
from client.settings.schema import Settings as Chosen
from tests.client.fake_session import FakeSession
from tests.client.game_app import TableApp
from tests.client.pilot import press, run
from tests.client.plain_talk import Script, talk
from tests.client.screens import text


@pytest.mark.parametrize(
    ("rules", "loses"),
    [
        (EDITIONS["english"], HOME_OR_NOTHING),
        (EDITIONS["french"], SCORED_ANYWHERE),
        (Settings(stranded_score_nothing=False), SCORED_ANYWHERE),
        (Settings("french", stranded_score_nothing=True), HOME_OR_NOTHING),
    ],
)
def test_the_goal_is_that_of_the_house_rules(rules: Settings, loses: str) -> None:
    """Rules 7.3, 7.6 and 8."""
    assert goal(rules) == (WINS, loses)


async def test_the_first_packing_explains_winning_and_losing() -> None:
    app = TableApp(FakeSession(), preferences=Preferences(schema.Settings(guide=True)))
    async with run(app, size=(80, 20)) as pilot:
        assert isinstance(app.screen, PackingScreen)
        assert WINS in text(app.screen)
        assert HOME_OR_NOTHING in text(app.screen)
        # Advice is not an error.
        tips = app.screen.query_one("#tips").styles.color
        assert tips == Color.parse(app.theme_variables["tip"])
        assert tips != app.screen.query_one("#message").styles.color
        await press(pilot, "k")
        assert WINS not in text(app.screen)


async def test_line_mode_shows_the_goal_once_and_on_request() -> None:
    said = await talk(FakeSession(), "pack 4 consumables", "y", "goal", settings=Chosen())
    assert said[1:3] == [WINS, HOME_OR_NOTHING]
    assert said.count(WINS) == 2
    assert said[said.index("goal") + 1 :] == [WINS, HOME_OR_NOTHING]
    assert WINS not in await talk(FakeSession(), "pack 4 consumables", "y")


class NoGames:
    @property
    def seats(self) -> Any:
        return self

    def last_game(self) -> tuple[()]:
        """No game to resume."""
        return ()


async def test_line_mode_explains_a_game_and_asks_for_another() -> None:
    script = Script("5", "1", "q")
    course = LineModeFlow(script, NoGames(), Preferences())  # type: ignore[arg-type]
    await course.run(Menu())
    for words in ("How to play", "What wins", "What loses", "How it ends"):
        assert words in script.said
    assert sum(line.startswith("4 Cave vs Cave") for line in script.said) == 2
    assert "Keys to begin with" not in script.said
