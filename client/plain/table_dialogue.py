"""A table in line mode: prints the news, asks for choices, and sends actions."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine, Iterable, Sequence
from contextlib import nullcontext
from functools import partial
from typing import Any, Generic, TypeVar

from cave.game import Json
from client.face import Face, LogEntry
from client.plain import line_commands, shared_sentences
from client.plain.console import Console, parse_number
from client.plain.line_commands import Option
from client.plain.shared_sentences import (
    ALONE,
    BEGINS,
    CLEARED,
    COVERED_LATER,
    HOST_GONE,
    HOW_TO_GO_ON,
    HOW_TO_LEAVE,
    NEXT_GAME,
    OVER,
)
from client.plain.table_news import TableNews
from client.present import score
from client.present.scene import Scene, skipped_turn_words
from client.settings.schema import Setting, Settings, Value
from client.table import Rejected, Session, TableState

YES = ("y", "yes", "1")
NO = ("n", "no", "2")

SceneT = TypeVar("SceneT", bound=Scene)


class TableDialogue(ABC, Generic[SceneT]):
    """Runs a table in line mode. ``numbers`` are the options of the last list, ``told`` the printed numbers.

    The ``settings`` have the remembered action of an earlier game (see ``Face.remembered``), and
    ``remember`` saves that of this one. New players first read how the game is won and lost.

    The words of a choice, and of the beginning and middle of a turn, have defaults that suit most games.
    """

    def __init__(
        self,
        face: Face,
        session: Session,
        console: Console,
        *,
        settings: Settings | None = None,
        remember: Callable[[Json], object] | None = None,
    ) -> None:
        self.face = face
        self.session = session
        self.console = console
        self._scene: SceneT | None = None
        if session.state.view is not None:
            self.see(session.state)
        self.numbers: tuple[Option, ...] = ()
        self.told: set[int] = set()
        self.scored = False
        self._settings = settings or Settings()
        self._remember = remember
        self.repeatable: dict[int, Json] = {}
        # The same input gives the same output, however many games were played before.
        self._guide = settings is not None and (settings.shows_guide(face.name) or not console.live)
        self.listed_choices: tuple[Any, ...] = ()
        self._news = TableNews(face.log_line, self.tell_entry)
        self._beat = asyncio.Event()
        self._telling = asyncio.Lock()
        self._announced: tuple[Any, ...] = ()
        self._input_ended = False
        self._waited = False  # whether the number of missing players was reported
        self._owes_turn = False  # whether the start of the game was reported, but not yet whose turn it is
        self._secrets_of: int | None = None  # the seat whose secrets are on a shared screen
        self._counted = -1

    @property
    def state(self) -> TableState:
        return self.session.state

    @property
    def begun(self) -> bool:
        return self._scene is not None

    @property
    def scene(self) -> SceneT:
        if self._scene is None:
            raise LookupError("the game has not begun")
        return self._scene

    def see(self, state: TableState) -> None:
        self._scene = self.face.scene(state, None if self._scene is None else self._scene.seat)

    # Words that games may override

    def tell_entry(self, entry: LogEntry) -> str:
        return shared_sentences.log_line_words(entry)

    def choice_words(self, choice: Any) -> str:
        """Return a choice as a line of the list; with free content only its kind."""
        form = self.face.game.choice_json(choice)
        if "limits" in form:
            return self.kind_words(choice)
        return self.face.action_words(self.scene, form["action"])

    def kind_words(self, choice: Any) -> str:
        """Return the kind of a choice's action; a long list shows the kinds first."""
        return str(self.face.game.choice_json(choice)["action"]["type"]).replace("_", " ")

    def possible_options(self) -> Iterable[Option]:
        """Yield the legal choices, the most interesting first."""
        game = self.face.game
        for choice in self.scene.choices:
            action = game.choice_json(choice)["action"]
            yield Option(self.choice_words(choice), partial(self.send_action, action), self.kind_words(choice))

    def list_options(self) -> list[str]:
        return self.number_options(self.possible_options())

    def offered(self) -> tuple[Any, ...]:
        """Return a cache key for a list: the meaning of its numbers."""
        return (self.scene.seat, self.scene.choices, tuple(map(self.choice_words, self.scene.choices)))

    def moment(self) -> str:
        """Return this seat's task, if that changes within a turn: a new one prompts again."""
        return self.scene.mode or " ".join(self.face.board(self.scene))

    def turn(self) -> list[str]:
        """Return whose turn it is; the lines after the first have details."""
        now = self.scene
        if now.over:
            return [OVER]
        skipped = skipped_turn_words(self.state, now.seat, self.face)
        whose = f"Your turn, {now.shown_seat_words}." if now.can_act else now.waits_for
        return [whose, *([skipped] if skipped else []), *self.face.board(now)]

    def asked(self, *, same_turn: bool) -> list[str]:
        """Return the lines for a new task of this seat."""
        head = [] if same_turn else [*self.first_lines(), " ".join(self.turn())]
        return [*head, *self.list_options()]

    def after_a_step(self) -> list[str]:
        """Return the lines for the rest of a turn."""
        return [] if self.list_is_valid else self.list_options()

    # Shared by all games

    @property
    def shown_seat_words(self) -> str:
        """The displayed seat: ``B Bea``."""
        return self.scene.shown_seat_words

    @property
    def last_action(self) -> Json:
        """The displayed seat's last action, as saved, else that of an earlier game."""
        return self.repeatable.get(self.scene.seat, self.face.recall(self._settings.memory))

    @property
    def last_here(self) -> Json:
        """The displayed seat's last action in this game, as saved."""
        return self.repeatable.get(self.scene.seat)

    def first_lines(self) -> Sequence[str]:
        """Return the goal in a first game, once."""
        guided, self._guide = self._guide, False
        return self.face.goal(self.scene.view) if guided else ()

    def score_sheet(self) -> list[str]:
        state, over = self.state, self.scene.over
        by_bots = score.bot_seats_words(state) if over else ""
        lines = shared_sentences.score_sheet_lines(self.face, self.scene.view, over=over, resigned=state.resignation)
        return [*lines, *filter(None, (by_bots, *score.series_words(state).split("\n")))]

    def number_options(self, options: Iterable[Option]) -> list[str]:
        """Return options as a numbered list; from now on numbers refer to it."""
        before, self.numbers = self.numbers, tuple(options)
        if not self.list_is_valid or [each.text for each in before] != [each.text for each in self.numbers]:
            self.told.clear()
        self.listed_choices = self.offered()
        return self.tell_numbers()

    def tell_numbers(self, wanted: str = "") -> list[str]:
        found = line_commands.numbered_options(self.numbers, wanted)
        self.told.update(number for number, _ in found)
        return [line for _, line in found]

    @property
    def list_is_valid(self) -> bool:
        """Whether the numbers of the last list are still valid, whatever others did meanwhile."""
        return self.listed_choices == self.offered()

    # Following

    def start_listening(self) -> None:
        if self._turn_began(self.state):
            self._news.skip_news(self.state)
        self.session.listen(self._note_state)

    def _note_state(self, _state: TableState) -> None:
        past, self._beat = self._beat, asyncio.Event()
        past.set()

    async def print_news(self) -> None:
        """Print news as it arrives; never returns."""
        while True:
            beat = self._beat
            await self.tell_news()
            await beat.wait()

    async def note_the_end(self) -> None:
        """Wait for people elsewhere only while somebody is here, and types more than ``quit``."""
        await self.console.wait_for_end(self.may_need_others)
        self._input_ended = True
        self._note_state(self.state)

    async def wait_for_state(self, holds: Callable[[TableState], bool]) -> None:
        """Wait for a state and print its news; after the end of the input do not wait for others."""
        while True:
            beat = self._beat
            if holds(self.state) or (self._input_ended and waits_for_people(self.state)):
                break
            await beat.wait()
        await self.tell_news()

    async def tell_news(self) -> None:
        """Print the news, and whose turn it is."""
        async with self._telling:
            state = self.state
            lines = self._news.news_of_state(state)
            self._waited |= bool(state.waits_for)
            if state.is_of_one_moment and state.view is not None:
                begins = self._waited and not self.begun
                self.see(state)
                if begins:
                    lines, self._owes_turn = [BEGINS, *lines], True
                # Each seat's choices arrive separately.
                if self._owes_turn and all(seat in state.views for seat in state.my_seats):
                    self._owes_turn = False
                    lines += [] if self.scene.choices else self.turn()[:1]
                if self._secrets_of != self.scene.seat and await self.cover():
                    lines = [CLEARED, *lines]
                lines += self._state_now_lines()
            if lines:
                await self.console.write_lines(*lines)

    def _state_now_lines(self) -> list[str]:
        now = self.scene
        if now.over:
            if self.scored:
                return []
            self.scored = True
            how = NEXT_GAME if self.state.series_goes_on else HOW_TO_GO_ON
            return [*self.score_sheet(), how if self.state.may_rematch else HOW_TO_LEAVE]
        if not now.choices or not keyboard_must_answer(now.state):
            return []
        moment = (now.seat, self._turn_began(now.state), self.moment())
        if moment == self._announced:
            fresh, self._counted = now.state.seq != self._counted, now.state.seq
            return self.after_a_step() if fresh else []
        same_turn = self._announced[:2] == moment[:2]
        self._announced, self._counted = moment, now.state.seq
        return self.asked(same_turn=same_turn)

    def _turn_began(self, state: TableState) -> int:
        """Return the ``seq`` of the event that began the turn, or ended the last one if the next begins with
        an action: it identifies the turn. 0 before the first.
        """
        face = self.face
        return next(
            (
                line.seq
                for line in reversed(state.log)
                if face.turn(line.event) is not None or face.ends_turn(line.event)
            ),
            0,
        )

    # Prompts

    def prompt(self) -> str:
        """Return the prompt; with several players here it shows whose turn it is."""
        if not keyboard_must_answer(self.state):
            return ""
        asked = self.begun and self.state.hot_seat and self.scene.choices
        return f"{self.shown_seat_words}> " if asked else "> "

    def setting_value(self, setting: Setting) -> Value:
        """Return the user's setting; a program gets the default."""
        return self._settings.value(setting) if self.console.live else setting.default

    async def ask(self, question: str) -> bool:
        """Return whether the answer is yes. Any other line means no, and is run next."""
        await self.console.write_lines(f"{question} 1 yes, 2 no.")
        line = await self.console.read_line(lambda: "? ")
        answer = (line or "").casefold()
        if line is not None and answer not in (*YES, *NO, ""):
            self.console.give_back(line)
        return answer in YES

    async def choose(self, lines: Sequence[str]) -> int | None:
        """Return the index of the line whose number is typed; any other input is run next."""
        await self.console.write_lines(*(f"{number} {line}" for number, line in enumerate(lines, 1)))
        line = await self.console.read_line(lambda: "? ")
        number = parse_number(line or "")
        if number is not None and 1 <= number <= len(lines):
            return number - 1
        if line:
            self.console.give_back(line)
        return None

    # Secrets

    @property
    def shared(self) -> bool:
        """Whether several players share this screen, and have secrets from each other."""
        return self.console.live and self.state.hot_seat and not self.scene.over

    async def reveal(self, *lines: str) -> None:
        """Print the displayed seat's secrets; on a shared screen ask first, and clear them afterwards."""
        if not self.shared:
            await self.console.write_lines(*lines)
        elif await self.ask(ALONE.format(owner=self.shown_seat_words)):
            await self.console.write_lines(*lines, *self.covered_later())

    def covered_later(self) -> list[str]:
        """Note and return that the shared screen shows the seat's secrets until another is active."""
        if not self.shared:
            return []
        self._secrets_of = self.scene.seat
        return [COVERED_LATER]

    async def cover(self) -> bool:
        """Clear the screen if it shows a player's secrets; return whether it did."""
        shown, self._secrets_of = self._secrets_of is not None, None
        if shown:
            await self.console.clear()
        return shown

    # Actions

    @abstractmethod
    def may_need_others(self, line: str) -> bool:
        """Return whether a line may need a game, or a turn."""

    @abstractmethod
    async def lets_action(self, seat: int, action: Json) -> bool:
        """Return whether to do an action."""

    async def send_action(self, action: Json) -> bool:
        """Send an action of the displayed seat (its public form), print its news; return its success."""
        seat, before = self.scene.seat, self.state
        if not await self.lets_action(seat, action):
            return False
        if not await self.request(self.session.act(seat, action)):
            return False
        kept = self.face.remembered(action)
        if kept is not None:
            self.repeatable[seat] = kept
        await self.wait_for_state(lambda state: took_place(state, seat, before))
        if kept is not None and self._remember is not None:
            self._remember(kept)
        return True

    async def undo(self, steps: int) -> bool:
        before = self.state.seq
        if not await self.request(self.session.undo(self.scene.seat, steps)):
            return False
        await self.wait_for_state(
            lambda state: state.link == "closed" or (state.is_of_one_moment and state.seq >= before + steps)
        )
        return True

    async def request(self, asked: Coroutine[Any, Any, None], said: str = "") -> bool:
        """Return whether the host accepts; print its refusal, or ``said`` before the news."""
        async with self._telling if said else nullcontext():
            try:
                await asked
            except (Rejected, ConnectionError) as error:
                await self.console.write_lines(str(error) or HOST_GONE)
                return False
            if said:
                await self.console.write_lines(said)
        return True


def keyboard_must_answer(state: TableState) -> bool:
    """Return whether this keyboard must answer: its user is active, or nobody will be any more.

    While a bot still has to choose, nothing is asked: the order of the output must not depend on timing.
    """
    if state.link == "closed" or not state.my_seats or state.lesson is not None:
        return True
    if not state.is_of_one_moment:
        return False  # also at the end: each seat's result arrives separately
    if state.status == "over" or state.set_aside:
        return True
    if not any(state.choices.get(seat) for seat in state.my_seats):
        return False
    bots = (number for number, seat in enumerate(state.seats) if seat.kind == "bot" or seat.handed)
    return not any(bot in state.view.acting for bot in bots)


def waits_for_people(state: TableState) -> bool:
    """Return whether nothing changes until a player elsewhere acts or sits down, or the host restarts."""
    if state.link == "lost" or state.halted or state.waits_for:
        return True
    if state.view is None or not state.is_of_one_moment or state.status != "playing" or keyboard_must_answer(state):
        return False
    return not any(state.seats[seat].kind == "bot" or state.seats[seat].handed for seat in state.view.acting)


def took_place(state: TableState, seat: int, before: TableState) -> bool:
    """Return whether an accepted action is in the state, though others may change the table meanwhile."""
    if state.link == "closed":
        return True
    if state.view is None or not state.is_of_one_moment or state.seq <= before.seq:
        return False
    alone = before.view is not None and len(before.view.acting) < 2
    if alone or state.choices.get(seat) != before.choices.get(seat):
        return True
    return any(line.seq > before.seq and line.event.get("seat") == seat for line in state.log)
