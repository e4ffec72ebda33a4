"""Hints and the tutor: by a key or a command, and never from more than the seat sees."""

from __future__ import annotations

import asyncio
import functools
import json
import os
import re
import threading
from collections import Counter
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from cave import games, judge
from cave.game import Idea, Json
from client import adviser as advisers
from client import games as faces
from client.adviser import Adviser, Question, make_question
from client.face import Face
from client.launch import new_game
from client.launch.opening import LocalGame, QuickGame
from client.present import advice
from client.settings.schema import Preferences, Settings
from client.tui import sentences
from tests import processes
from tests.client.fake_session import FakeSession
from tests.client.game_app import position
from tests.client.opened import opened
from tests.client.pilot import Pilot
from tests.client.plain_talk import Script, table
from tests.client.screens import show, text
from tests.effort import effort

NAMES = games.game_names()
ALWAYS = Preferences(Settings(guide=False, tutor="always"))


class Fake:
    """An adviser with scripted answers at scripted times."""

    def __init__(self, *ideas: Idea, waits: bool = False) -> None:
        self.ideas = list(ideas)
        self.asked: list[Question] = []
        self.cancelled = 0
        self.ready = asyncio.Event()
        if not waits:
            self.ready.set()

    async def advise(self, asked: Question) -> list[Idea] | None:
        self.asked.append(asked)
        try:
            await self.ready.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        return self.ideas


@functools.cache
def played(name: str, actions: int) -> FakeSession:
    """A table some actions into a game of rookies."""
    if not actions:
        return FakeSession(("Ann", "Bea"), (0, 1), game=name, seed="hints")
    session = played(name, actions - 1).again((0, 1))
    game, seat = session.game, min(session.game.to_act(session.full))
    asked = make_question(session.state, seat)
    action = game.bots["rookie"](asked.view, asked.choices, str(actions - 1))
    session.play(seat, game.decode(session.full, seat, action))
    return session


def at(name: str, actions: int, mine: tuple[int, ...] | None = None) -> FakeSession:
    """The same; the user has the active seat."""
    session = played(name, actions)
    return session.again([min(session.game.to_act(session.full))] if mine is None else mine)


def screen_of(session: FakeSession, **more: Any) -> Any:
    face = faces.get_face(session.game.name)
    more.setdefault("preferences", Preferences(Settings(guide=False, tutor="off")))
    return face.screen()(face, session, **more)


@asynccontextmanager
async def shown(session: FakeSession, **more: Any) -> AsyncIterator[tuple[Any, Pilot[Any]]]:
    screen = screen_of(session, **more)
    async with show(screen, (80, 24)) as (_, pilot):
        yield screen, pilot


def best_of(session: FakeSession) -> Json:
    """Some legal action of the seat that is to act."""
    game = session.game
    return game.action_json(game.idle(session.full, min(game.to_act(session.full))))


def choices_at(session: FakeSession) -> Any:
    return session.state.choices[min(session.game.to_act(session.full))]


# The question, and the process that answers it


@pytest.mark.parametrize("name", NAMES)
def test_a_question_contains_only_the_seats_view(name: str) -> None:
    """Secrets are dealt again, and the question stays the same."""
    session = at(name, 14)
    seat = min(session.game.to_act(session.full))
    asked = make_question(session.state, seat)
    view = session.game.view(session.full, seat)
    others = [session.game.imagine(view, str(number)) for number in range(3)]
    assert any(other != session.full for other in others)
    for other in others:
        session.full = other
        assert make_question(session.make(), seat) == asked


def test_the_tutor_thinks_longer_if_a_loss_is_unsure(monkeypatch: pytest.MonkeyPatch) -> None:
    class Unsure:
        blunder = 0.1

        def advise(self, effort: float, **_: Any) -> list[Idea]:
            return [Idea("a", 0.6, worlds=round(16 * effort)), Idea("b", 0.45, apart=0.1 / effort)]

    monkeypatch.setattr(games, "game_info", lambda name: Unsure())
    worlds = []
    for also in ([], ["a"], ["b"]):
        line = json.dumps({"game": "x", "view": {}, "choices": [], "also": also}).encode()
        worlds.append(advisers.answer_question(line)[0]["worlds"])
    assert worlds == [16, 16, 64]


async def test_an_invalid_question_gets_no_answer_and_the_next_one_does() -> None:
    session = at("sir-ocelots-cave", 2)
    seat = min(session.game.to_act(session.full))
    adviser = Adviser()
    try:
        assert await adviser.advise(Question("sir-ocelots-cave", {}, [])) is None
        assert await adviser.advise(Question("no-such-game", {}, [])) is None
        assert await adviser.advise(make_question(session.state, seat))
    finally:
        await adviser.close()


async def test_a_process_that_dies_gives_no_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dies = tmp_path / "dies.py"
    dies.write_text("""import sys; sys.stdin.readline(); sys.stdout.write('[{"acti')""")
    monkeypatch.setattr(advisers, "PROGRAM", str(dies))
    adviser = Adviser()
    try:
        assert await adviser.advise(Question("the-cave", {}, [])) is None
    finally:
        await adviser.close()


# Words


@pytest.mark.parametrize("name", NAMES)
def test_every_legal_action_has_plain_words(name: str) -> None:
    """Words for each choice of some positions, at most a sentence; none in JSON terms."""
    face = faces.get_face(name)
    for actions in (0, 5, 12, 21, 30):
        session = at(name, actions)
        scene = screen_of(session).scene
        game = session.game
        for choice in session.state.choices[scene.seat]:
            action = game.choice_json(choice)["action"]
            if "limits" in game.choice_json(choice):
                action = game.action_json(game.idle(session.full, scene.seat))
            said = f"{face.action_words(scene, action)}: {face.action_reason(scene, action)}"
            assert "_" not in said
            assert "{" not in said
            assert "None" not in said
            assert said.isprintable()
            assert len(said) < 200


@pytest.mark.parametrize("name", NAMES)
def test_nearly_every_hint_has_a_reason(name: str) -> None:
    """Even if another move is as good: the move's effect, aim or gain."""
    told = []
    for actions in (3, 16, 24, 41):
        session = at(name, actions)
        asked = make_question(session.state, min(session.game.to_act(session.full)))
        found = session.game.advise(asked.view, asked.choices, effort=0.05)
        told.append(advice.idea_reason(faces.get_face(name), screen_of(session).scene, found[0]))
    assert told.count("") <= 1, told


@pytest.mark.parametrize("name", NAMES)
def test_every_decision_of_a_whole_game_has_a_hint(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some decisions of each kind, with all steps of the plan in words, each in its own position."""
    monkeypatch.setattr(judge, "LEAST_WORLDS", 1)
    kinds = Counter[frozenset[str]]()
    session = FakeSession(("Ann", "Bea"), (0, 1), game=name, seed="whole")
    game, face, number = session.game, faces.get_face(name), 0
    while acting := game.to_act(session.full):
        asked = make_question(session.state, seat := min(acting))
        kinds[kind := frozenset(choice["action"]["type"] for choice in asked.choices)] += 1
        if kinds[kind] <= effort(2, 1000):
            found = game.advise(asked.view, asked.choices, stop=lambda: True, effort=0.0)
            told = advice.hint_sentence(face, face.scene(session.state, seat), found)
            assert told.startswith("Hint: "), found
            assert not re.search(r"  |\bNone\b|_", told), told
        action = game.bots["novice"](asked.view, asked.choices, str(number := number + 1))
        session.play(seat, game.decode(session.full, seat, action))


def test_an_error_in_the_words_of_a_hint_does_not_end_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    face, ideas = Plain(), [Idea({"type": "dig"}, 0.9), Idea({"type": "rest"}, 0.1)]
    monkeypatch.setattr(Plain, "action_words", lambda *_: 1 / 0)
    assert advice.hint_sentence(face, None, ideas) == advice.FAILED
    assert advice.tutor_warning(face, None, ideas, {"type": "rest"}).startswith("Tutor: that costs you much.")


def test_a_game_without_its_own_words_still_has_a_hint() -> None:
    """The words of the shared face: the type of the action and its fields."""
    face = faces.get_face(NAMES[0])
    assert Face.action_words(face, None, {"type": "end_turn"}) == "end turn"
    assert Face.action_words(face, None, {"type": "go", "to": [1, -2]}) == "go (to 1,-2)"
    assert Face.action_reason(face, None, {"type": "go"}) == ""
    plain = Plain()
    ideas = [Idea({"type": "dig_here"}), Idea({"type": "rest"})]
    assert advice.hint_sentence(plain, None, ideas) == (
        "Hint: dig here: a bot (expert) would do that. Second choice: rest."
    )
    ideas = [Idea({"type": "dig"}, 0.62), Idea({"type": "rest"}, 0.48), Idea({"type": "sing"}, 0.1)]
    assert advice.hint_sentence(plain, None, ideas) == f"Hint: dig: {advice.MOST}. Second choice: rest."
    long = "x" * (advice.LONG - 60)  # how to do it: a second choice would cover what the hint is about
    assert "Second choice" not in advice.hint_sentence(plain, None, ideas, long)


class Plain(type(faces.get_face("the-cave"))):  # type: ignore[misc]
    """A face without words for actions."""

    action_words = Face.action_words
    action_reason = Face.action_reason
    action_harm = Face.action_harm


# On the screen


@pytest.mark.parametrize("name", NAMES)
async def test_one_key_shows_a_hint_of_the_real_process_in_80_columns(name: str) -> None:
    """It stays until the table changes. The same key shows it again after another message."""
    session = at(name, 9)
    adviser = Adviser()
    try:
        async with shown(session, advise=adviser.advise) as (screen, pilot):
            await pilot.press("y")
            await pilot.until(lambda: bool(screen.controller.advising.hint))
            await pilot.pause()
            assert "Hint: " in text(screen)
            words = advice.hint_sentence(
                screen.face, screen.scene, await adviser.advise(make_question(session.state, screen.scene.seat))
            )
            first = re.split(" (?=Second choice|Or, just)", words)[0]
            assert screen.controller.advising.hint.startswith(first)
            last = screen.controller.advising.hint.rsplit(" ", 1)[-1]
            assert last in text(screen), "it fits on the screen"
            screen.say("something else")
            assert "Hint: " not in text(screen)
            await pilot.press("y")
            assert "Hint: " in text(screen)
            assert "y Hint" in text(screen), "the footer names the key"
    finally:
        await adviser.close()


async def test_a_hint_of_the_cave_points_at_its_place_and_names_the_key() -> None:
    keys = {
        "move": "The cursor is on it: enter goes there.",
        "place": "enter lays it so.",
        "discover": "x does it.",
        "end_turn": "e does it.",
    }
    for session in (at("the-cave", actions) for actions in range(2, 12)):
        found = [getattr(choice, "action", None) for choice in choices_at(session)]
        usual = [each for each in found if getattr(each, "type", "") in keys and getattr(each, "by", "") != "force"]
        meant = usual[-1]
        async with shown(session, advise=Fake(Idea(session.game.action_json(meant))).advise) as (screen, pilot):
            await pilot.press("y")
            await pilot.until(lambda: bool(screen.controller.advising.hint))
            assert keys[meant.type] in " ".join(text(screen).split())
            assert screen.controller.cursor == getattr(meant, "to", getattr(meant, "at", screen.controller.cursor))
            assert meant.type != "place" or screen.controller.placing.aim.place_action == meant


async def test_a_hint_to_pack_names_the_keys_of_the_screen_that_is_open() -> None:
    kit = {"consumable": 4, "rope": 1, "oxygen": 1, "camera": 1, "raft": 1}
    fake = Fake(Idea({"type": "pack", "backpack": kit, "camp": None}))
    async with shown(at("the-cave", 0), advise=fake.advise) as (_, pilot):
        for key, how in (
            ("y", "enter packs it."),
            ("x", "1 chooses that kit, enter packs."),
            ("escape", "p opens the"),
        ):
            await pilot.press(key, "y")
            await pilot.until(lambda how=how: how in " ".join(text(pilot.app.screen).split()))


@pytest.mark.parametrize("by", ["raft", "oxygen"])
async def test_the_list_of_ways_marks_that_of_the_hint(by: str) -> None:
    session, hinted = FakeSession(start=position()), {"type": "move", "to": [2, 0], "by": by}
    async with shown(session, advise=Fake(Idea(hinted)).advise) as (screen, pilot):
        await pilot.press("y")
        await pilot.until(lambda: bool(screen.controller.advising.hint))
        await pilot.press("enter", "enter")
        await pilot.settle()
        assert session.acted == [(0, hinted)]


async def test_ending_the_turn_as_hinted_needs_no_confirmation() -> None:
    session, end = FakeSession(start=position()), {"type": "end_turn"}
    async with shown(session, advise=Fake(Idea(end)).advise) as (screen, pilot):
        await pilot.press("e")
        assert "Y End it" in text(screen.app.screen)
        await pilot.press("enter", "y")
        await pilot.until(lambda: bool(screen.controller.advising.hint))
        assert session.acted == []
        await pilot.press("e")
        await pilot.until(lambda: session.acted == [(0, end)])


async def test_acting_stops_the_thinking_and_removes_the_hint() -> None:
    session = at("sir-ocelots-cave", 4)
    fake = Fake(Idea(best_of(session)), waits=True)
    async with shown(session, advise=fake.advise) as (screen, pilot):
        await pilot.press("y")
        assert advice.THINKING in text(screen)
        screen.controller.send(screen.scene.seat, best_of(session))
        await pilot.until(lambda: fake.cancelled == 1)
        await pilot.until(lambda: bool(session.acted))
        assert advice.THINKING not in text(screen)
        assert screen.controller.advising.hint == ""


@pytest.mark.parametrize("name", NAMES)
async def test_a_table_without_hints_gives_none(name: str) -> None:
    session = at(name, 9)
    session.evolve(hints=False)
    fake = Fake(Idea(best_of(session)))
    async with shown(session, advise=fake.advise, preferences=ALWAYS) as (screen, pilot):
        await pilot.press("y")
        assert advice.NOT_ALLOWED in text(screen)
        screen.controller.send(screen.scene.seat, best_of(session))
        await pilot.until(lambda: bool(session.acted))
    assert fake.asked == []


async def test_a_missing_hint_is_explained() -> None:
    for mine, more, why in (
        ((), {"advise": Fake().advise}, advice.NOT_SEATED),
        (None, {}, advice.NOTHING),
        (None, {"advise": Fake().advise}, advice.NOTHING),
    ):
        session = at("the-cave", 9, mine=mine)
        async with shown(session, **more) as (screen, pilot):
            await pilot.press("y")
            await pilot.until(lambda screen=screen, why=why: why in " ".join(text(screen).split()))
    session = at("the-cave", 9)
    waiting = session.again([1 - min(session.game.to_act(session.full))])
    async with shown(waiting, advise=Fake().advise) as (screen, pilot):
        await pilot.press("y")
        assert advice.NOT_YOURS in text(screen)


async def test_a_closed_curtain_is_opened_first() -> None:
    """Two players at one keyboard: a hint may reveal a secret of one of them."""
    session = at("caves-of-casadh", 30, mine=(0, 1))
    fake = Fake(Idea(best_of(session)))
    async with shown(session, advise=fake.advise) as (screen, pilot):
        assert screen.curtain.closed
        await pilot.press("n")
        await pilot.until(lambda: pilot.app.screen is screen)
        await pilot.press("y")
        await pilot.until(lambda: "Pass the keyboard to" in text(pilot.app.screen))
        assert fake.asked == []


# The tutor


@pytest.mark.parametrize("name", NAMES)
async def test_the_tutor_warns_of_a_blunder_and_a_repeat_plays_it(name: str) -> None:
    session = next(each for n in range(9, 30) if len(choices_at(each := at(name, n))) > 1)
    blunder = best_of(session)
    actions = [session.game.choice_json(each)["action"] for each in choices_at(session)]
    better = next(each for each in actions if each != blunder)
    fake = Fake(Idea(better, 0.9), Idea(blunder, 0.1))
    async with shown(session, advise=fake.advise, preferences=ALWAYS) as (screen, pilot):
        seat = screen.scene.seat
        screen.controller.send(seat, blunder)
        await pilot.until(lambda: sentences.DO_IT_AGAIN in " ".join(text(screen).split()))
        assert session.acted == []
        assert fake.asked[0].also == [blunder]
        screen.controller.send(seat, blunder)
        await pilot.until(lambda: session.acted == [(seat, blunder)])
        assert len(fake.asked) == 1


async def test_a_repeat_after_a_warning_is_not_checked_again_and_a_hint_agrees_with_the_warning() -> None:
    """The game itself confirms giving up, before the tutor checks it."""
    session = at("caves-of-casadh", 9)
    action = {"type": "give_up"}
    fake = Fake(Idea({"type": "end_turn"}, 0.9), Idea(action, 0.1))
    async with shown(session, advise=fake.advise, preferences=ALWAYS) as (screen, pilot):
        await pilot.press("X")
        assert pilot.app.screen is not screen
        await pilot.press("Y")
        await pilot.until(lambda: sentences.DO_IT_AGAIN in " ".join(text(screen).split()))
        assert session.acted == []
        fake.ideas = []
        await pilot.press("y")
        await pilot.until(lambda: "Hint: end the turn" in text(screen))
        assert screen.controller.advising.actions == [{"type": "end_turn"}]
        await pilot.press("X")
        await pilot.until(lambda: session.acted == [(screen.scene.seat, action)])
        assert len(fake.asked) == 1


async def test_an_action_under_check_is_kept_and_shown_as_such() -> None:
    session = at("the-cave", 9)
    action = best_of(session)
    fake = Fake(Idea(action, 0.9), waits=True)
    async with shown(session, advise=fake.advise, preferences=ALWAYS) as (screen, pilot):
        seat = screen.scene.seat
        for ask in (lambda: screen.controller.send(seat, action), lambda: screen.controller.do("hint")):
            screen.controller.send(seat, action)
            screen.say("")
            ask()
            await pilot.until(lambda: advice.CHECKING in text(screen))
        fake.ready.set()
        await pilot.until(lambda: session.acted == [(seat, action)])
        assert (len(fake.asked), fake.cancelled) == (1, 0)


@asynccontextmanager
async def checking(session: FakeSession, action: Json, *ideas: Idea) -> AsyncIterator[tuple[Any, Any, Fake]]:
    """The screen while the tutor checks an action, until the ``Fake`` answers with these ideas."""
    fake = Fake(*ideas, waits=True)
    async with shown(session, advise=fake.advise, preferences=ALWAYS) as (screen, pilot):
        screen.controller.send(screen.scene.seat, action)
        await pilot.until(lambda: fake.asked)
        yield screen, pilot, fake


async def test_keys_typed_while_the_tutor_checks_are_for_the_state_after_the_move() -> None:
    session = at("caves-of-casadh", 9)
    action = best_of(session)
    async with checking(session, action, Idea(action, 0.9)) as (screen, pilot, fake):
        await pilot.press("o")
        assert pilot.app.screen is screen
        assert advice.HELD.format(keys="o") in text(screen)
        fake.ready.set()
        await pilot.until(lambda: pilot.app.screen is not screen)
        assert session.acted == [(0, action)]
        assert "show the place" in text(pilot.app.screen), "the log"


async def test_keys_typed_before_a_warning_are_dropped() -> None:
    """They were meant for the state after the move, which is not made."""
    session = at("caves-of-casadh", 9)
    blunder = {"type": "give_up"}
    ideas = Idea({"type": "end_turn"}, 0.9), Idea(blunder, 0.1)
    async with checking(session, blunder, *ideas) as (screen, pilot, fake):
        await pilot.press("X")
        fake.ready.set()
        await pilot.until(lambda: sentences.DO_IT_AGAIN in " ".join(text(screen).split()))
        await pilot.settle()
        assert session.acted == []
        await pilot.press("a")
        await pilot.settle()
        assert pilot.app.screen is not screen, "a list covers the warning"
        assert sentences.DO_IT_AGAIN in " ".join(text(pilot.app.screen).split())


@pytest.mark.parametrize("key", ["u", "q"])
async def test_undo_and_quit_stop_the_check_and_the_move(key: str) -> None:
    session = at("caves-of-casadh", 9)
    action = best_of(session)
    async with checking(session, action, Idea(action, 0.9)) as (screen, pilot, fake):
        await pilot.press("X", key)
        await pilot.until(lambda: fake.cancelled)
        fake.ready.set()
        await pilot.press("escape")
        assert pilot.app.screen is screen
        assert session.acted == []


async def test_the_first_check_is_followed_by_a_tip_that_explains_the_tutor() -> None:
    session = at("cave-vs-cave", 9)
    fake = Fake(Idea(best_of(session), 0.9))
    preferences = Preferences(Settings(guide=True, tutor="always"))
    tip = advice.TUTOR_TIP.replace("{comma}", ",")
    async with shown(session, advise=fake.advise, preferences=preferences) as (screen, pilot):
        assert tip not in " ".join(text(screen).split())
        screen.controller.send(screen.scene.seat, best_of(session))
        await pilot.until(lambda: tip in " ".join(text(screen).split()))


async def test_the_tutor_accepts_the_best_move_and_moves_it_cannot_judge() -> None:
    for ideas in (
        lambda action: [Idea(action, 0.9), Idea({"type": "discover"}, 0.1)],
        lambda action: [Idea({"type": "discover"}), Idea(action)],
        lambda action: [],
    ):
        session = at("the-cave", 9)
        action = best_of(session)
        fake = Fake(*ideas(action))
        async with shown(session, advise=fake.advise, preferences=ALWAYS) as (screen, pilot):
            screen.controller.send(screen.scene.seat, action)
            await pilot.until(lambda session=session: bool(session.acted))
            assert len(fake.asked) == 1


async def test_the_tutor_need_not_check_the_action_of_its_own_hint() -> None:
    session = at("the-cave", 9)
    fake = Fake(Idea(best_of(session), 0.9))
    async with shown(session, advise=fake.advise, preferences=ALWAYS) as (screen, pilot):
        await pilot.press("y")
        await pilot.until(lambda: "Hint:" in text(screen))
        screen.controller.send(screen.scene.seat, best_of(session))
        await pilot.until(lambda: bool(session.acted))
        assert not any(asked.also for asked in fake.asked)


def test_no_check_of_goods_to_collect_nor_of_the_end_of_a_turn_that_offers_no_more() -> None:
    session, face = at("cave-vs-cave", 0), faces.get_face("cave-vs-cave")
    use = {"type": "use_room", "room": "cave_entrance", "good": "wood"}
    found = []
    for action in ({"type": "take", "tile": "cultivation"}, {"type": "collect"}, use, {"type": "end_turn"}):
        found.append(advice.is_never_costly(face, face.scene(session.state, None), action))
        session.play(0, session.game.decode(session.full, 0, action))
    assert found == [False, True, False, True]


def test_the_tutor_is_on_with_the_tips_of_a_first_game() -> None:
    assert Settings().tutors("the-cave")
    assert not Settings(won=("the-cave",)).tutors("the-cave")
    assert Settings(won=("the-cave",)).tutors("cave-vs-cave")
    assert not Settings(guide=False).tutors("the-cave")
    assert Settings(guide=False, tutor="always").tutors("the-cave")
    assert not Settings(tutor="off").tutors("the-cave")


async def test_a_real_blunder_is_warned_of_and_the_real_best_move_is_not() -> None:
    """The Caves of Casadh, 1.2: a player who gives up dies."""
    tables = (at("caves-of-casadh", actions) for actions in range(30, 60))
    session = next(each for each in tables if each.full.phase == "actions")
    give_up = {"type": "give_up"}
    adviser = Adviser()
    try:
        async with shown(session, advise=adviser.advise, preferences=ALWAYS) as (screen, pilot):
            seat = screen.scene.seat
            screen.controller.send(seat, give_up)
            await pilot.until(lambda: sentences.DO_IT_AGAIN in " ".join(text(screen).split()))
            assert session.acted == []
            found = await adviser.advise(make_question(session.state, seat, [give_up]))
            assert found
            screen.controller.send(seat, found[0].action)
            await pilot.until(lambda: session.acted == [(seat, found[0].action)])
    finally:
        await adviser.close()


# Line mode


async def said(session: FakeSession, *lines: str, **more: Any) -> list[str]:
    script = Script(*lines, live=True)
    face = faces.get_face(session.game.name)
    await face.lines()(face, session, script, **more).run()
    return script.said


async def test_line_mode_has_a_command_for_the_hint() -> None:
    mine = at("the-cave", 9)
    adviser = Adviser()
    try:
        told = await said(mine, "hint", "help hint", advise=adviser.advise)
    finally:
        await adviser.close()
    assert any(line.startswith("Hint: ") for line in told)
    assert any("what to do now, and why" in line for line in told)
    mine = mine.again()
    mine.evolve(hints=False)
    assert advice.NOT_ALLOWED in await said(mine, "hint", advise=Fake().advise)


async def test_in_lines_the_tutor_asks_before_a_blunder() -> None:
    session = at("the-cave", 9)
    action = best_of(session)
    seat = min(session.game.to_act(session.full))
    fake = Fake(Idea({"type": "discover"}, 0.9), Idea(action, 0.1))
    for answer, done in (("2", []), ("1", [(seat, action)])):
        script = Script(answer, live=True)
        talk = table(session, script, advise=fake.advise, settings=Settings(guide=False, tutor="always"))
        await talk.send_action(action)
        assert session.acted == done
        assert "Do it anyway? 1 yes, 2 no." in "\n".join(script.said)


# Tables without hints


def test_options_of_commands_open_a_table_without_hints() -> None:
    quick = opened("play", "--no-hints")
    assert isinstance(quick, QuickGame)
    assert not quick.plan("Ann").hints
    local = opened("play", "-p", "Ann", "-p", "Bea", "--no-hints")
    assert isinstance(local, LocalGame)
    assert not local.plan.hints
    there = opened("join", "here:1", "--open", "--no-hints").table
    assert not there.plan(("Ann",)).hints
    assert new_game.make_plan(("Ann",)).hints


async def test_a_second_cancellation_loses_no_process(tmp_path: Path) -> None:
    """The first one waits for a thread, the second one gives that up."""
    program = tmp_path / "silent.py"
    program.write_text("import sys; sys.stdin.read()")
    released, loop = threading.Event(), asyncio.get_running_loop()
    with ThreadPoolExecutor(1) as only:
        loop.set_default_executor(only)
        loop.run_in_executor(None, released.wait)
        before = set(processes.children(os.getpid()))
        asked = asyncio.create_task(advisers.HelperProcess(str(program)).ask({}, Json))
        await asyncio.sleep(0)
        started = set(processes.children(os.getpid())) - before
        assert started
        for _ in range(2):
            asked.cancel()
            await asyncio.sleep(0)
        await asyncio.wait([asked])
        for process in started:
            await processes.until_gone(process)
        released.set()
