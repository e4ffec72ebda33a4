"""Lessons: small positions, each with the expected actions and answers to mistakes.

A lesson is data, ``lesson.toml`` beside a game's ``RULES.md``; ``LESSONS.md`` describes the form. ``LessonAttempt``
judges a player's actions in a lesson. No clock and no screen are used here.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Literal

from msgspec import Struct, field

from cave import codec
from cave.codec import JsonForm
from cave.game import AnyGame, BadData, Json, Refused

FILE = "lesson.toml"
SEAT = 0
"""The seat of the person in every lesson."""
UNDO: Json = {"lesson": "undo"}
"""In ``want``: the player undoes the last step, even where a game would not allow it."""
OTHER = "You could do that in a game, but this step asks for something else: {y} shows it."
TOO_EARLY = "That would end your turn, and this step is not done yet: {y} shows the way."
_AS_JSON = ("position", "want", "accept", "until", "then", "expect", "actions", "like")
"""The fields whose text is JSON."""


class Play(JsonForm, frozen=True):
    """An action that the lesson plays for a seat."""

    seat: int
    action: Json


class Mistake(JsonForm, frozen=True):
    """A likely mistake after ``done`` expected actions (None: at any moment), and the answer to it.

    ``like`` is a pattern for other actions with the same answer, ``refused`` the code of the rules' refusal.
    With ``keep`` the action is not undone.
    """

    say: tuple[str, ...]
    actions: tuple[Json, ...] = ()
    done: int | None = None
    like: Json = None
    refused: str = ""
    keep: bool = False


class Step(JsonForm, frozen=True):
    """A step of a lesson. See ``LESSONS.md`` for its fields."""

    id: str
    teaches: str
    say: tuple[str, ...]
    want: tuple[Json, ...]
    after: str
    position: Json = None
    back_to: str = ""
    light: tuple[Json, ...] = ()
    hide: tuple[str, ...] = ()
    codes: tuple[tuple[str, str], ...] = ()
    accept: tuple[Json, ...] = ()
    until: Json = None
    then: tuple[Play, ...] = ()
    now: tuple[str, ...] = ()
    expect: tuple[Json, ...] = ()
    delight: str = ""
    wrong: tuple[Mistake, ...] = ()
    play_on: str = ""


class Lesson(JsonForm, frozen=True):
    """A lesson. ``goal``, ``turn`` and ``lose`` are a sentence each, ``wrong`` has mistakes for all steps."""

    format: Literal["cave-lesson"]
    version: Literal[1]
    game: str
    title: str
    minutes: int
    goal: str
    turn: str
    lose: str
    ideas: tuple[str, ...]
    steps: tuple[Step, ...] = field(name="step")
    wrong: tuple[Mistake, ...] = ()

    @property
    def length_words(self) -> str:
        """``10 steps, 5 minutes``, without the last step if it continues into a game."""
        return f"{len(self.steps) - 1} steps, {self.minutes} minutes"

    def index_of_step(self, step: str) -> int:
        """Return the index of the step with this id; 0 if there is none."""
        return next((number for number, each in enumerate(self.steps) if each.id == step), 0)


def one_step_lesson(game: AnyGame, title: str, say: tuple[str, ...], want: tuple[Json, ...], position: Json) -> Lesson:
    """Return a lesson of one step, for a puzzle; its goal is the last line of ``say``."""
    step = Step("goal", "", say, want, "Solved: {enter} goes on.", position=position)
    end = Step("end", "", (), (), "", play_on="-")
    return Lesson("cave-lesson", 1, game.name, title, 1, say[-1], "", "", (), (step, end))


def has_lesson(game: AnyGame) -> bool:
    """Return whether a game has a lesson."""
    return game_folder(game).joinpath(FILE).is_file()


@cache  # The screens that list lessons ask with each key.
def load_lesson(game: AnyGame) -> Lesson:
    """Load the lesson of a game; raises BadData if it is missing or invalid."""
    if not has_lesson(game):
        raise BadData("game", f"{game.title} has no lesson")
    return read_lesson(game_folder(game))


def read_lesson(folder: Traversable) -> Lesson:
    """Read the lesson in a folder; raises BadData that names the step and the field."""
    try:
        data = tomllib.loads(folder.joinpath(FILE).read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeError) as error:
        raise BadData("", f"is not valid TOML ({error})") from None
    return codec.parse(_decode_step(data, folder), Lesson)


def _decode_step(data: Any, folder: Traversable) -> Any:
    """Decode texts that are JSON or the name of a position file."""
    if isinstance(data, list):
        return [_decode_step(each, folder) for each in data]
    if not isinstance(data, dict):
        return data
    found = {}
    for name, value in data.items():
        if name in _AS_JSON and isinstance(value, str):
            try:
                text = folder.joinpath(value).read_text("utf-8") if value.endswith(".json") else value
                found[name] = codec.decode(text)
            except BadData as error:
                raise error.under(f"{data.get('id', '')}.{name}") from None
        else:
            found[name] = _decode_step(value, folder)
    return found


def game_folder(game: AnyGame) -> Traversable:
    """Return the folder of a game's rules and the data beside them."""
    return files(type(game).__module__.rpartition(".")[0])


def matches_pattern(pattern: Json, value: Json) -> bool:
    """Return whether the value has every field of the pattern with a matching value.

    >>> matches_pattern({"to": {"in": [[0, 1], [0, 2]]}}, {"type": "move", "to": [0, 1], "by": "foot"})
    True
    >>> matches_pattern({"by": {"not": ["foot"]}}, {"type": "move", "by": "foot"})
    False
    """
    if not isinstance(pattern, Mapping):
        return bool(pattern == value)
    if set(pattern) == {"in"}:
        return any(matches_pattern(each, value) for each in pattern["in"])
    if set(pattern) == {"not"}:
        return not any(matches_pattern(each, value) for each in pattern["not"])
    return isinstance(value, Mapping) and all(
        name in value and matches_pattern(inner, value[name]) for name, inner in pattern.items()
    )


class Verdict(Struct, frozen=True):
    """The answer to an action.

    ``done``: expected or accepted. ``kept``: something else, which is not undone. ``wrong``: a mistake; the
    attempt continues from the state before it. ``shown`` is the state after a mistake that is worth seeing,
    with its ``events``. ``say`` is the answer, empty if ``done``; ``listed`` is whether the lesson has this
    answer.
    """

    kind: Literal["done", "kept", "wrong"]
    say: tuple[str, ...] = ()
    shown: Any = None
    events: tuple[Any, ...] = ()
    listed: bool = False


class LessonAttempt:
    """A user's way through a lesson.

    ``state`` is the game's state, ``events`` all events of this step, ``finished`` whether the step's
    expected actions are done; ``play_lesson_action`` then plays the actions after them, one at a time.
    """

    seat = SEAT
    clues = 1
    """Number of hints for an action; the last one names it."""

    def __init__(self, lesson: Lesson, game: AnyGame, number: int = 0) -> None:
        self.lesson = lesson
        self.game = game
        self._starts: dict[int, Any] = {}
        self.helped = False
        self.begin(number)

    @property
    def step(self) -> Step:
        """The current step."""
        return self.lesson.steps[self.number]

    @property
    def head(self) -> str:
        """The title and the progress."""
        return f"Lesson, step {self.number + 1} of {len(self.lesson.steps) - 1}"

    @property
    def continues_into_game(self) -> bool:
        """Whether this step continues into a game."""
        return bool(self.step.play_on)

    @property
    def begins_anew(self) -> bool:
        """Whether this step begins in its own position."""
        return self.step.position is not None or bool(self.step.back_to)

    @property
    def next_begins_here(self) -> bool:
        """Whether the next step begins in the state after this one."""
        step = self.lesson.steps[self.number + 1]
        return not (step.play_on or step.back_to) and step.position is None

    @property
    def position_names(self) -> tuple[str, ...]:
        """The names in the position of this step."""
        position = next(
            each.position for each in reversed(self.lesson.steps[: self.number + 1]) if each.position is not None
        )
        return self.game.names_in(position)

    def begin(self, number: int, state: Any = None) -> None:
        """Begin a step, in the state after the previous step or in the step's own."""
        self.number = number
        self.state = self.start_of_step(number) if state is None else state
        self.done = 0
        self.finished = False
        self.events: list[Any] = []
        self._before: list[tuple[Any, int, int]] = []
        self._then: list[Play] = []

    def start_of_step(self, number: int) -> Any:
        """Return the state in which a step begins if every earlier step was played as expected."""
        if number not in self._starts:
            step = self.lesson.steps[number]
            if step.position is not None:
                state = self.game.from_position(step.position)
            elif step.back_to:
                state = self.start_of_step(self.lesson.index_of_step(step.back_to))
            elif UNDO in self.lesson.steps[number - 1].want:
                state = self.start_of_step(number - 2)
            else:
                state = self._play_step(self.start_of_step(number - 1), number - 1)
            self._starts[number] = state
        return self._starts[number]

    def _play_step(self, state: Any, number: int) -> Any:
        """Return the state after a step's expected actions and those after them; raises Refused."""
        step = self.lesson.steps[number]
        for seat, action in [
            *((self.seat, each) for each in step.want),
            *((each.seat, each.action) for each in step.then),
        ]:
            if action != UNDO:
                state = self.game.apply(state, seat, self.game.decode(state, seat, action)).state
        return state

    @property
    def wanted_action(self) -> Json:
        """The next expected action, or an earlier one that was left out; ``UNDO`` if other actions have made it
        illegal; None once the step is finished.
        """
        if self.finished:
            return None
        wanted = self.step.want[self.done]
        left_out = (each for each in self.step.want[: self.done] if self._is_accepted(each))
        return next((each for each in (wanted, *left_out) if each == UNDO or self._is_legal(each)), UNDO)

    def _is_legal(self, data: Json) -> bool:
        try:
            self.game.check(self.state, SEAT, self.game.decode(self.state, SEAT, data))
        except Refused:
            return False
        return True

    def note_help_given(self) -> None:
        """Note that the expected action was shown."""
        self.helped = True

    # The user's actions

    def judge_action(self, data: Json) -> Verdict:
        """Judge an action in its public form, and apply it if it is expected."""
        step, game = self.step, self.game
        fits = self._is_wanted(data)
        mistake = None if fits else self._known_mistake(data)
        try:
            action = game.decode(self.state, SEAT, data)
            result = game.apply(self.state, SEAT, action)
        except Refused as no:
            listed = mistake is not None and mistake.refused == no.code
            return Verdict("wrong", mistake.say if mistake and listed else (no.message,), listed=listed)
        if mistake and not mistake.keep:
            return Verdict("wrong", mistake.say, result.state, tuple(result.events), listed=True)
        if step.until is None:
            finished = self.done + fits == len(step.want)
        else:
            finished = any(matches_pattern(step.until, game.event_json(event)) for event in result.events)
        if not (finished or fits or SEAT in game.to_act(result.state)):
            return Verdict("wrong", (TOO_EARLY,), result.state, tuple(result.events), listed=True)
        if not (fits or mistake or step.until is not None):
            return Verdict("wrong", (OTHER,), listed=True)
        self._commit(result.state, result.events, wanted=fits)
        self._note_finished(finished)
        return Verdict("done") if fits else Verdict("kept", mistake.say if mistake else ())

    @property
    def is_at_start(self) -> bool:
        """Whether an undo would leave the step for the one before."""
        return bool(self.number) and not self._before and self.wanted_action != UNDO

    def take_action_back(self) -> bool:
        """Take the last action back, or go back to the step before; return whether anything changed."""
        if not self.finished and self.step.want[self.done] == UNDO:
            self._commit(self.start_of_step(self.number - 1), (), wanted=True)
            self._note_finished(self.done == len(self.step.want))
            return True
        return self.step_back()

    def step_back(self) -> bool:
        """Take the last action back, or go back to the step before; return whether anything changed."""
        if self._before:
            self.state, self.done, events = self._before.pop()
            del self.events[events:]
            self.finished, self._then = False, []
        elif self.number:
            self.begin(self.number - 1)
        else:
            return False
        return True

    def _is_wanted(self, data: Json) -> bool:
        if self.finished:
            return False
        return self._is_same(data, self.wanted_action) or self._is_accepted(data)

    def _is_accepted(self, data: Json) -> bool:
        accept = self.step.accept[self.done] if self.step.accept else None
        return accept is not None and matches_pattern(accept, data)

    def _known_mistake(self, data: Json) -> Mistake | None:
        listed = (*self.step.wrong, *self.lesson.wrong)
        likely = [each for each in listed if each.done in (None, self.done)]
        for each in sorted(likely, key=lambda each: each.done is None):
            same = any(self._is_same(data, action) for action in each.actions)
            if same or (each.like is not None and matches_pattern(each.like, data)):
                return each
        return None

    def _is_same(self, data: Json, other: Json) -> bool:
        try:
            return bool(self.game.action_from_json(data) == self.game.action_from_json(other))
        except BadData:
            return False

    def _commit(self, state: Any, events: Sequence[Any], *, wanted: bool) -> None:
        self._before.append((self.state, self.done, len(self.events)))
        self.state = state
        self.events.extend(events)
        self.done += wanted

    def _note_finished(self, finished: bool) -> None:
        self.finished = finished
        self._then = list(self.step.then) if finished else []

    # The lesson's actions

    @property
    def waits(self) -> bool:
        """Whether the lesson has actions to play before the user continues."""
        return bool(self._then)

    def play_lesson_action(self) -> None:
        """Play the next action of the lesson."""
        play = self._then.pop(0)
        result = self.game.apply(self.state, play.seat, self.game.decode(self.state, play.seat, play.action))
        self.state = result.state
        self.events.extend(result.events)

    def go_on(self) -> None:
        """Begin the next step. A step without a position continues from here if its actions are legal here,
        else from its own start.
        """
        self.begin(self.number + 1, self.state)
        if self.begins_anew or not self._can_start_from(self.state, self.number):
            self.begin(self.number)

    def _can_start_from(self, state: Any, number: int) -> bool:
        try:
            self._play_step(state, number)
        except Refused:
            return False
        return True
