"""The curtain between players at one keyboard hides a hand of choices, too."""

from __future__ import annotations

from cave_game.template.face import FACE as LANTERNS
from client.tui.plain_screen import PlainScreen
from tests.client.fake_session import FakeSession
from tests.client.pilot import press
from tests.client.screens import show, text

ANN, BEA = "Pass the keyboard to A Ann", "Pass the keyboard to B Bea"


async def test_a_hand_of_choices_is_hidden_too() -> None:
    session = FakeSession(mine=(0, 1), game="lanterns", seed="curtain")
    async with show(PlainScreen(LANTERNS, session)) as (app, pilot):
        assert ANN in text(app.screen)
        hand = [f"of brightness {choice.lantern}" for choice in session.state.choices[0]]
        assert not [each for each in hand if each in text(app.shown)]
        await press(pilot, "enter")
        assert [each for each in hand if each in text(app.screen)] == hand
        await press(pilot, "1")
        assert BEA in text(app.screen)
        assert not app.shown.scene.choices  # type: ignore[attr-defined]
