"""Lessons as users see them: on the screens of all games at 80x24, in line mode, left and resumed."""

from __future__ import annotations

import asyncio
import contextlib
import re
from typing import Any

import pytest

from cave import games as rules
from cave import lesson as lessons
from client import games
from client.lesson import DONE, NOTHING_BEFORE, LessonSession
from client.plain.line_lesson_replay import HOW
from client.plain.line_lesson_replay import NEXT as NEXT_LINE
from client.plain.line_lesson_replay import line_lesson_of as lines_of
from client.settings.schema import Preferences, Settings
from client.table import Rejected
from client.tui.board.view import BoardView
from client.tui.chooser import ChooserScreen
from client.tui.lesson import NEXT, PLAY_ON, lesson_of
from client.tui.motion import Motion
from tests.client.pilot import press, settle
from tests.client.plain_talk import Script
from tests.client.screens import SMALL, show, text

NAMES = [name for name in rules.game_names() if lessons.has_lesson(rules.get_game(name))]


async def at_once(_seconds: float) -> None: ...


def session_of(name: str, step: str = "", **more: Any) -> LessonSession:
    game = rules.get_game(name)
    taught = lessons.load_lesson(game)
    session = LessonSession(lessons.LessonAttempt(taught, game, taught.index_of_step(step)), name="Ann", **more)
    session.pause, session.keeps_log = at_once, True
    return session


def screen_of(session: LessonSession, glyphs: str = "unicode") -> Any:
    face = games.get_face(session.state.game.name)
    return lesson_of(face.screen())(face, session, glyphs=glyphs)


def words(app: Any) -> str:
    """The text of the screen, independent of line breaks."""
    return " ".join(text(app.shown).split())


def hinted_keys(said: str) -> list[str]:
    """The keys that a hint names."""
    how = said.rpartition("The way: ")[2]
    if found := re.search(r"Press (\w+)( twice|, then (\w+))?", how):
        return [found[1], *([found[3] or found[1]] if found[2] else [])]
    if found := re.search(r"(\w) opens the backpack", how):
        return [found[1], "enter"]
    if found := re.search(r"(\w+) (?:on \S+ )?(?:does it|goes there|lays it|brings it|sends it|collects)", how):
        return [found[1]]
    return re.findall(r"\((\w)\)", how)


@pytest.mark.parametrize("name", NAMES)
async def test_a_lesson_is_played_on_the_screen_by_the_keys_of_the_hints(name: str) -> None:
    session = session_of(name)
    attempt = session.attempt
    async with show(screen_of(session), SMALL) as (app, pilot):
        while attempt.continues_into_game is False:
            step = attempt.step
            seen = text(app.shown)
            assert f"step {attempt.number + 1} of {len(attempt.lesson.steps) - 1}" in seen
            while not attempt.finished:
                if attempt.wanted_action == lessons.UNDO:
                    await press(pilot, "y")
                    assert "Press u." in text(app.shown)
                    await press(pilot, "u")
                else:
                    done = attempt.done
                    await press(pilot, "y")
                    said = words(app)
                    await press(pilot, *hinted_keys(said))
                    if attempt.done == done and isinstance(app.screen, ChooserScreen):
                        await press(pilot, "enter")  # the list marks the hint
                    assert attempt.done > done, said
            await session.wait_until_played()
            await settle(pilot)
            assert step.after in text(app.shown)
            await press(pilot, "enter")
            if app.results == [NEXT]:
                app.results.clear()
                app.shown = screen_of(session)
                await app.push_screen(app.shown, app.results.append)
                await settle(pilot)
    assert app.results == [PLAY_ON]


def test_a_hint_has_the_goal_gain_and_cost_of_a_plan() -> None:
    session = session_of("the-cave", "photo")
    face, (walk, *then) = games.get_face("the-cave"), session.attempt.step.want
    told = face.action_reason(face.scene(session.state, 0), walk, then)
    assert told == "it is the way to a photo, 1 north: 2 points for 2 AP in all"


async def test_undoing_a_step_removes_its_log_lines() -> None:
    session = session_of("caves-of-casadh", "greed")
    for action in session.attempt.step.want:
        await session.act(0, action)
    session.go_on()
    assert session.state.log[-1].event["type"] == "game_over"
    await session.undo()
    assert session.state.log == ()


async def test_the_first_step_by_the_keys_that_it_names() -> None:
    session = session_of("the-cave")
    async with show(screen_of(session), SMALL) as (app, pilot):
        assert "Point at it: ↑ twice. Then press enter" in words(app)
        assert "bonus" not in words(app), "nobody has one"
        await press(pilot, "up", "up", "enter")
        assert session.attempt.step.after in text(app.shown)
        assert "DONE" in text(app.shown), "the header does not say that a player's turn goes on"
        await press(pilot, "enter", "x", "enter")
        assert "A wonder!" in text(app.shown)


async def test_a_mistake_is_shown_answered_and_undone() -> None:
    session = session_of("the-cave", "walk")
    waits = asyncio.Event()

    async def until_then(_seconds: float) -> None:
        await waits.wait()

    session.pause = until_then
    before = session.state.views[0]
    await session.act(0, {"type": "end_turn"})
    assert session.state.lesson.answer == " ".join(session.attempt.step.wrong[0].say)
    assert session.state.lesson.shows
    assert session.state.views[0] != before
    back = asyncio.Event()
    session.listen(lambda _: back.set())
    waits.set()
    await back.wait()
    assert session.state.views[0] == before
    assert session.state.lesson.answer, "the answer stays until the next action"
    assert not session.state.lesson.shows


async def test_the_next_key_undoes_a_mistake_at_once() -> None:
    session = session_of("the-cave", "walk")
    session.pause = lambda _: asyncio.Event().wait()
    await session.act(0, {"type": "end_turn"})
    for action in session.attempt.step.want:
        await session.act(0, action)
    assert session.step_is_finished
    await session.close()


@pytest.mark.parametrize(
    ("name", "mistake", "key", "then"),
    [("the-cave", "e", "y", "The way: "), ("sir-ocelots-cave", "enter", "enter", "y shows the way")],
)
async def test_a_key_undoes_the_shown_mistake(name: str, mistake: str, key: str, then: str) -> None:
    """No warning comes first, lines and board stay, and only Enter and Undo do nothing else."""
    session = session_of(name)
    session.pause = lambda _: asyncio.Event().wait()
    async with show(screen_of(session), SMALL) as (app, pilot):
        corner = app.shown.query_one(BoardView).upper_left_cell
        await press(pilot, mistake)
        lines = app.shown.with_own_keys(" ".join(session.state.lesson.lines))
        for seen in (
            "THIS WOULD HAPPEN",
            "this would happen. enter or u takes it back.",
            lines,
            app.shown.lasting_message(),
        ):
            assert seen in words(app)
        await press(pilot, key)
        assert not session.state.lesson.shows
        assert app.shown.query_one(BoardView).upper_left_cell == corner
        assert then in words(app)
    await session.close()


async def test_undo_after_a_mistake_does_not_leave_the_step() -> None:
    session = session_of("sir-ocelots-cave", "wait")
    mistake = session.attempt.step.wrong[0].actions[0]
    async with show(screen_of(session), SMALL) as (app, pilot):
        for action in (mistake, {"type": "advance", "to": [9, 3]}):  # with an answer, and refused
            with contextlib.suppress(Rejected):
                await session.act(0, action)
            await session.wait_until_played()
            await press(pilot, "u")
            assert session.attempt.step.id == "wait"
            assert "taken back already. u again goes further back" in words(app)
        await press(pilot, "u")
        assert session.attempt.step.id == "gift"
    async with show(screen_of(session), SMALL) as (app, pilot):
        await press(pilot, "u")
        assert session.attempt.step.id == "gift"
        assert "begins here. u again goes back to the step before" in words(app)
        await press(pilot, "up", "u")
        assert session.attempt.step.id == "gift"
        await press(pilot, "u")
        assert session.attempt.step.id == "lines"


async def test_the_key_that_undoes_a_mistake_has_its_usual_effect() -> None:
    session = session_of("the-cave", "rope")
    session.pause = lambda _: asyncio.Event().wait()
    async with show(screen_of(session), SMALL) as (app, pilot):
        await press(pilot, "down", "enter")
        assert app.shown.map.cursor == (0, 0)
        await press(pilot, "U")
        assert app.shown.map.cursor == (0, -1), "the pointer goes back with the team"
        await press(pilot, "down", "enter", "m")
        assert app.screen is not app.shown, "the list of moves has opened"
    await session.close()


@pytest.mark.parametrize(
    ("name", "step", "key", "answer"),
    [("the-cave", "walk", "e", "Walk north first"), ("caves-of-casadh", "helmet", "4", "Bitten: 1 HP gone")],
)
async def test_an_answer_disappears_when_the_pointer_moves(name: str, step: str, key: str, answer: str) -> None:
    session = session_of(name, step)
    async with show(screen_of(session), SMALL) as (app, pilot):
        await press(pilot, key)
        await session.wait_until_played()
        await settle(pilot)
        assert answer in words(app), "also where the board has gone back by itself"
        await press(pilot, "up")
        assert answer not in words(app)


@pytest.mark.parametrize(
    ("name", "step", "keys", "said"),
    [
        ("sir-ocelots-cave", "deeper", "left p", "Chosen to lay: pickaxe"),
        ("sir-ocelots-cave", "moth", "m", "takes crystal, emerald +6"),
        ("sir-ocelots-cave", "deeper", "m", "takes beryl +7"),
        ("sir-ocelots-cave", "set", "p n", "collects star +1 and an amethyst (set)"),
        ("sir-ocelots-cave", "set", "p n enter enter", "1 for each of your gems worth 1, now 6."),
        ("the-cave", "water", "right enter 2 y", "Press u."),
        ("caves-of-casadh", "undo", "c", "The game is over here. Press u."),
    ],
)
async def test_a_key_that_a_step_names_answers(name: str, step: str, keys: str, said: str) -> None:
    async with show(screen_of(session_of(name, step)), SMALL) as (app, pilot):
        await press(pilot, *keys.split())
        assert said in words(app)
        assert "enter Score" not in words(app), "a lesson has no score sheet"


async def test_undone_actions_leave_no_lines_in_the_log() -> None:
    session = session_of("the-cave")
    session.keeps_log = False
    begins = session.state.log
    for action in session.attempt.step.want:
        await session.act(0, action)
    session.go_on()
    assert session.attempt.number == 1
    while session.state.undoable[0]:
        await session.undo()
    assert session.state.log == begins


@pytest.mark.parametrize("key", ["enter", "9"])
async def test_a_key_only_fast_forwards_the_opponents_actions(key: str) -> None:
    """ "Press a key to go on" is also true of a key without another use."""
    session = session_of("the-cave", "eat")
    session.pause = lambda _: asyncio.Event().wait()
    async with show(screen_of(session), SMALL) as (app, pilot):
        await press(pilot, "e")
        assert session.attempt.waits
        assert "THE LESSON PLAYS" in words(app)
        await press(pilot, key)
        assert session.step_is_finished
        assert session.attempt.step.after in words(app)


async def test_the_next_sentence_appears_when_the_pointer_is_on_target() -> None:
    session = session_of("the-cave")
    first, _ = session.attempt.step.now
    async with show(screen_of(session), SMALL) as (app, pilot):
        await press(pilot, "up")
        assert "Point at it:" in words(app)
        await press(pilot, "up")
        assert app.shown.with_own_keys(first) in words(app)
        assert "Point at it:" not in words(app)


async def test_a_step_starting_on_target_shows_all_its_lines() -> None:
    session = session_of("cave-vs-cave")
    async with show(screen_of(session), SMALL) as (app, pilot):
        assert app.shown.controller.cursor == (2, 0), "the empty space"
        await press(pilot, "down")
        assert "rooms are none." in words(app)
        assert " flax." in words(app), "the sentence about the Entrance is whole"


async def test_zoom_and_cursor_do_not_carry_over_to_another_lesson() -> None:
    preferences = Preferences(Settings())
    for name in ("sir-ocelots-cave", "caves-of-casadh"):
        session = session_of(name)
        screen = lesson_of(games.get_face(name).screen())(games.get_face(name), session, preferences=preferences)
        async with show(screen, SMALL) as (_, pilot):
            await press(pilot, "right", "right")
    assert preferences.now.outlooks == {}


async def test_an_illegal_action_is_refused_and_the_step_stays() -> None:
    session = session_of("the-cave", "walk")
    with pytest.raises(Rejected, match="There is no wonder"):
        await session.act(0, {"type": "photograph"})
    assert not session.state.lesson.answer
    for refuse in (session.propose, session.agree, session.take_back, session.say):
        with pytest.raises(Rejected):
            await refuse("resign")


async def test_a_lesson_resumes_where_it_was_left_and_remembers_its_end() -> None:
    kept: list[str] = []
    session = session_of("cave-vs-cave", keep=kept.append)
    while not session.attempt.continues_into_game:
        for action in session.attempt.step.want:
            await session.act(0, action)
        await session.wait_until_played()
        session.go_on()
    steps = [step.id for step in session.attempt.lesson.steps]
    assert kept == [*steps[1:-1], DONE]
    again = session_of("cave-vs-cave", kept[3])
    assert again.attempt.step.id == kept[3]
    assert session_of("cave-vs-cave", "a step of another version").attempt.number == 0


async def test_steps_can_be_undone_back_to_the_first() -> None:
    session = session_of("caves-of-casadh", "roll")
    while session.state.undoable[0]:
        await session.undo(0)
    await session.undo(0)
    assert session.state.lesson.answer == NOTHING_BEFORE
    assert session.attempt.number == 0


@pytest.mark.parametrize("name", NAMES)
async def test_a_lesson_in_line_mode(name: str) -> None:
    session = session_of(name)
    face = games.get_face(name)
    typed = []
    for step in session.attempt.lesson.steps[:-1]:
        for action in step.want:
            typed.append("undo" if action == lessons.UNDO else "hint")
        typed.append("")

    class Learner(Script):
        hinted = False

        async def read_line(self, prompt: Any) -> str | None:
            if self.hinted:
                await session.act(0, session.wanted_action)
            line = "goal" if self.hinted else await super().read_line(prompt)
            self.hinted = line == "hint"
            return line

    talk = Learner(*typed)
    async with asyncio.timeout(60):
        await lines_of(face.lines())(face, session, talk, saved=False).run()
    assert session.attempt.continues_into_game
    assert talk.said.count(NEXT_LINE) == len(session.attempt.lesson.steps) - 1
    assert sum(line.endswith(HOW) for line in talk.said) == typed.count("hint")
    assert not any("{" in line or ". ." in line for line in talk.said)


async def test_ascii_has_its_own_sign_for_the_light() -> None:
    session = session_of("the-cave")
    async with show(screen_of(session, "ascii"), SMALL, ascii_only=True) as (app, _):
        assert text(app.shown).isascii()
        assert "Point at it: up twice" in words(app)
        assert "}: look here ^: base" in words(app)


async def test_the_pack_of_a_lesson_is_not_offered_as_that_of_the_last_game(monkeypatch: Any) -> None:
    session = session_of("the-cave", "pack")
    screen = screen_of(session)
    posted: list[object] = []
    post = screen.post_message
    monkeypatch.setattr(screen, "post_message", lambda message: posted.append(message) or post(message))
    async with show(screen, SMALL) as (_, pilot):
        await press(pilot, "p", "enter")
        assert session.step_is_finished or session.attempt.waits
    assert not any(isinstance(each, screen.Remember) for each in posted)


async def test_without_action_points_the_reason_is_the_price_not_the_rock() -> None:
    session = session_of("the-cave", "eat")
    async with show(screen_of(session), SMALL) as (app, pilot):
        await press(pilot, "m")
        assert "That move costs 1 AP, and you have 0 left." in words(app)
        assert "No passage leads there" not in words(app)


async def test_a_photo_is_shown_in_the_place_pane_until_the_pointer_moves() -> None:
    session = session_of("the-cave", "photo")
    async with show(screen_of(session, "fine"), SMALL) as (app, pilot):
        app.motion = Motion("full")
        await press(pilot, "up", "enter", "s")
        assert "the photo" in text(app.shown)
        await press(pilot, "down")
        assert "the photo" not in text(app.shown)


async def test_a_lesson_is_drawn_while_the_result_of_its_last_action_is_on_the_way() -> None:
    session = session_of("sir-ocelots-cave", "gift")
    async with show(screen_of(session), SMALL) as (app, _):
        app.shown.controller.point_at((10, 5))
        session.attempt.judge_action(session.wanted_action)
        assert session.wanted_action is None
        assert app.shown.goal_lines()


@pytest.mark.parametrize("name", NAMES)
async def test_a_move_after_a_step_waits_for_the_next_board(name: str) -> None:
    """The next step may begin elsewhere, or be the game after the lesson; else the move only begins it."""
    taught = lessons.load_lesson(rules.get_game(name))
    for number, step in enumerate(taught.steps[:-1]):
        session = session_of(name, step.id)
        for action in step.want:
            await session.undo() if action == lessons.UNDO else await session.act(0, action)
        await session.wait_until_played()
        before = session.state.view
        if taught.steps[number + 1].position is not None or taught.steps[number + 1].play_on:
            for choice in session.state.choices[0][:3]:
                with pytest.raises(Rejected, match="Enter"):
                    await session.act(0, session.state.game.action_json(choice.action))
            assert (session.state.view, session.attempt.number) == (before, number)
        elif session.attempt.next_begins_here:  # its words come before its first action
            with pytest.raises(Rejected, match="read it first"):
                await session.act(0, taught.steps[number + 1].want[0])
            assert (session.state.view, session.attempt.number) == (before, number + 1)


@pytest.mark.parametrize("name", NAMES)
async def test_keys_after_the_end_of_a_lesson_have_no_effect(name: str) -> None:
    steps = lessons.load_lesson(rules.get_game(name)).steps
    session = session_of(name, steps[-2].id)
    async with show(screen_of(session), SMALL) as (app, pilot):
        for action in steps[-2].want:
            await session.act(0, action)
        await session.wait_until_played()
        await pilot.press_at_once("enter", "y", "x", "1", "enter", "backspace", "a")
        await settle(pilot)
        assert app.results == [PLAY_ON]
