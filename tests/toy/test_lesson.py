"""The lesson of the template: an installed game has one without any code."""

from __future__ import annotations

from cave import games, lesson
from client import games as faces
from client.lesson import LessonSession
from client.tui.lesson import NEXT, PLAY_ON, lesson_of
from tests.client.pilot import press
from tests.client.screens import SMALL, show, text


async def test_the_lesson_of_an_installed_game_by_the_keys_that_it_names() -> None:
    game, face = games.get_game("lanterns"), faces.get_face("lanterns")
    session = LessonSession(lesson.LessonAttempt(lesson.load_lesson(game), game), name="Ann")
    async with show(lesson_of(face.screen())(face, session), SMALL) as (app, pilot):
        assert "Press 3 to light the 6." in text(app.shown)
        await press(pilot, "1")
        assert "The darkest lantern wins nothing." in text(app.shown)
        await press(pilot, "1", "3")
        await session.wait_until_played()
        await pilot.pause()
        assert "6 beats 5" in text(app.shown)
        await press(pilot, "enter", "1")
        await session.wait_until_played()
        await pilot.pause()
        assert "2 points for Bea." in text(app.shown)
        await press(pilot, "enter")
        assert app.results == [PLAY_ON]
        assert NEXT not in app.results


def test_each_mistake_in_it_gets_its_answer() -> None:
    game = games.get_game("lanterns")
    taught = lesson.load_lesson(game)
    for number, step in enumerate(taught.steps):
        for mistake in step.wrong:
            attempt = lesson.LessonAttempt(taught, game, number)
            verdict = attempt.judge_action(mistake.actions[0])
            assert verdict.say == mistake.say
            assert (verdict.shown is None) == bool(mistake.refused)
