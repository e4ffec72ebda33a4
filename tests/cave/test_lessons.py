"""The lessons of all games: each is played by its wanted actions, with each of its mistakes once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from cave import games
from cave import lesson as lessons
from cave.game import AnyGame, BadData
from cave.lesson import SEAT, UNDO, Lesson, LessonAttempt, Step, matches_pattern
from cave.score import score_json

NAMES = [name for name in games.game_names() if lessons.has_lesson(games.get_game(name))]
WIDTH = 78
KEYS = {"enter", "up", "down", "left", "right", "tab", "space"}
TAUGHT = [(name, step) for name in NAMES for step in lessons.load_lesson(games.get_game(name)).steps]
in_each_step = pytest.mark.parametrize(("name", "step"), TAUGHT, ids=[f"{name} {step.id}" for name, step in TAUGHT])


def at(name: str, step: Step, done: int = 0) -> LessonAttempt:
    """An attempt in this step, after this many of its wanted actions."""
    game = games.get_game(name)
    lesson = lessons.load_lesson(game)
    attempt = LessonAttempt(lesson, game, lesson.index_of_step(step.id))
    for action in step.want[:done]:
        do(attempt, action)
    return attempt


def do(attempt: LessonAttempt, action: object) -> None:
    if action == UNDO:
        assert attempt.take_action_back()
    else:
        assert attempt.judge_action(action).kind == "done"


def shown(attempt: LessonAttempt, events: list[object]) -> Iterator[object]:
    """Everything that a pattern of ``expect`` can match."""
    game: AnyGame = attempt.game
    yield from events
    yield {"over": game.over(attempt.state), "position": game.position(attempt.state)}
    yield from ({"standing": score_json(score)} for score in game.standing(attempt.state))


@in_each_step
def test_every_action_in_a_lesson_has_a_true_answer_and_leaves_something_to_do(name: str, step: Step) -> None:
    """Ending the turn at the water passed it to the rival, who never played: the lesson was stuck. An answer asked
    for the Helmet that the player wore already: its keys are those of the lines from then on. Showing the way to the
    water ended the program on a raft that floated there.
    """
    game, rng = games.get_game(name), Random(1)
    for done in range(len(step.want) - (UNDO in step.want)):
        choices = game.choices(at(name, step, done).state, SEAT)
        offered = [game.action_json(game.sample(choice, rng)) for choice in choices]
        for action in offered + [mistake.actions[0] for mistake in step.wrong if done]:
            attempt = at(name, step, done)
            verdict = attempt.judge_action(action)
            if done and verdict.listed:
                assert keys_in(*verdict.say) <= {"y"} | keys_in(*step.now[done:]), (done, action, verdict.say)
            generic = ((lessons.OTHER,), (lessons.TOO_EARLY,))
            assert done or step.play_on or verdict.say not in generic, "the answer does not say why"
            if not (attempt.continues_into_game or attempt.finished or attempt.waits):
                assert SEAT in game.to_act(attempt.state), action
                if attempt.wanted_action != UNDO:
                    game.apply(attempt.state, SEAT, game.decode(attempt.state, SEAT, attempt.wanted_action))


def keys_in(*lines: str) -> set[str]:
    return {*re.findall(r"\{(\w+)\}", " ".join(lines))}


def test_every_game_of_the_program_has_a_lesson() -> None:
    assert {"the-cave", "sir-ocelots-cave", "caves-of-casadh", "cave-vs-cave"} <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_lesson_can_be_played_from_the_first_step_to_the_last(name: str) -> None:
    game = games.get_game(name)
    attempt = LessonAttempt(lessons.load_lesson(game), game)
    while not attempt.continues_into_game:
        for action in attempt.step.want:
            assert not attempt.finished
            do(attempt, action)
        assert attempt.finished
        while attempt.waits:
            attempt.play_lesson_action()
        attempt.go_on()
    assert attempt.number == len(attempt.lesson.steps) - 1
    assert attempt.step.play_on in game.bots
    assert 0 in game.to_act(attempt.state)


@in_each_step
def test_each_step_has_its_promised_effect(name: str, step: Step) -> None:
    attempt = at(name, step, len(step.want))
    while attempt.waits:
        attempt.play_lesson_action()
    happened = list(shown(attempt, [attempt.game.event_json(event) for event in attempt.events]))
    for pattern in step.expect:
        assert any(matches_pattern(pattern, each) for each in happened), pattern


@in_each_step
def test_each_mistake_gets_its_answer_and_changes_nothing(name: str, step: Step) -> None:
    for mistake in step.wrong:
        attempt = at(name, step, mistake.done or 0)
        before = attempt.state
        verdict = attempt.judge_action(mistake.actions[0])
        assert verdict.say == mistake.say
        assert verdict.kind == ("kept" if mistake.keep else "wrong")
        if not mistake.keep:
            assert attempt.state == before
            assert (verdict.shown is None) == bool(mistake.refused)
    assert step.play_on or len(step.wrong) > 1


@in_each_step
def test_every_equally_good_action_completes_the_step(name: str, step: Step) -> None:
    for index, pattern in enumerate(step.accept):
        if pattern is None or (index and step.accept[index - 1] is not None and pattern.get("type") == "collect"):
            continue
        here = at(name, step, index)
        game = here.game
        offers = [game.choice_json(choice) for choice in game.choices(here.state, 0)]
        for offer in offers:
            if "limits" in offer or not matches_pattern(pattern, offer["action"]):
                continue
            attempt = at(name, step, index)
            do(attempt, offer["action"])
            while not attempt.finished:
                wanted = attempt.wanted_action
                assert wanted != UNDO or UNDO in step.want
                do(attempt, wanted)
            while attempt.waits:
                attempt.play_lesson_action()


@in_each_step
def test_the_lines_fit_and_name_a_key(name: str, step: Step) -> None:
    assert not step.now or len(step.now) == len(step.want)
    for lines in (step.say, (step.after,), *((each,) for each in step.now), *(each.say for each in step.wrong)):
        assert 1 <= len(lines) <= 2
        for line in lines:
            assert len(re.sub(r"\{(\w+)\}", r"\1", line)) <= WIDTH, line
            assert all(key in KEYS or len(key) == 1 for key in keys_in(line)), line
    assert keys_in(*step.say)


@pytest.mark.parametrize("name", NAMES)
def test_the_minutes_are_those_of_200_words_a_minute_and_5_seconds_a_key(name: str) -> None:
    lesson = lessons.load_lesson(games.get_game(name))
    steps = lesson.steps[:-1]
    words = sum(len(line.split()) for step in steps for line in (*step.say, *step.now, step.after))
    keys = sum(max(line.count("{") for line in (" ".join(step.say), *step.now)) + 1 for step in steps)
    assert abs(words / 200 + keys * 5 / 60 - lesson.minutes) < 1


@pytest.mark.parametrize("name", NAMES)
def test_undo_restores_the_earlier_state(name: str) -> None:
    game = games.get_game(name)
    lesson = lessons.load_lesson(game)
    attempt = LessonAttempt(lesson, game)
    assert not attempt.take_action_back(), "before the first action there is nothing to take back"
    start = attempt.state
    for action in attempt.step.want:
        do(attempt, action)
    for _ in attempt.step.want:
        attempt.take_action_back()
    assert (attempt.state, attempt.events, attempt.finished) == (start, [], False)
    attempt.begin(1)
    attempt.take_action_back()
    assert attempt.number == 0


def test_legal_actions_outside_the_step_are_ignored() -> None:
    game = games.get_game("the-cave")
    attempt = LessonAttempt(replace(lessons.load_lesson(game), wrong=()), game)
    verdict = attempt.judge_action({"type": "discard", "items": {"camera": 1}})
    assert (verdict.kind, verdict.say) == ("wrong", (lessons.OTHER,))
    assert verdict.shown is None


def folder(path: Path, text: str) -> Path:
    path.joinpath(lessons.FILE).write_text(text, encoding="utf-8")
    return path


def toml(**changes: str) -> str:
    step = {"id": '"a"', "teaches": '"b"', "say": '["{x}"]', "want": "'[]'", "after": '"d"'} | changes
    head = 'format = "cave-lesson"\nversion = 1\ngame = "the-cave"\ntitle = "t"\nminutes = 5\n'
    head += 'goal = "g"\nturn = "t"\nlose = "l"\nideas = []\n[[step]]\n'
    return head + "\n".join(f"{name} = {value}" for name, value in step.items())


def test_a_lesson_that_can_be_read(tmp_path: Path) -> None:
    assert isinstance(lessons.read_lesson(folder(tmp_path, toml())), Lesson)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("format =", "is not valid TOML"),
        (toml(want="'[{]'"), "a.want: is not valid JSON"),
        (toml(speed="3"), "speed: is not a known field"),
        (toml(say="3"), "say: must be a list"),
    ],
)
def test_a_damaged_lesson_names_the_problem(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(BadData, match=re.escape(says)):
        lessons.read_lesson(folder(tmp_path, text))


def test_a_game_without_a_lesson_says_so() -> None:
    class Other(type(games.get_game("the-cave"))):  # type: ignore[misc]
        __module__ = "cave.lesson"

    with pytest.raises(BadData, match="has no lesson"):
        lessons.load_lesson(Other())
