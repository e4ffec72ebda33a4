"""A table played or watched in line mode: the commands of every game."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar

from cave.game import Json
from client.adviser import Advise
from client.face import Face
from client.launch.opening import NOT_SAVED
from client.plain import shared_sentences, table_news
from client.plain.console import Console, parse_number
from client.plain.line_commands import LineCommand, LineCommands, When
from client.plain.line_requests import LineAdvice, LineAgreement
from client.plain.table_dialogue import SceneT, TableDialogue, keyboard_must_answer
from client.present import hosts, score
from client.present.log import NOTHING, NOTHING_SINCE, ONLY_PLAYERS
from client.settings.schema import Settings
from client.system import command_as_typed
from client.table import Session
from client.wording import NO_LINK

LOG_LINES = 10
WORD = "what a word of the rules means"
MOST = 500


class LineTable(TableDialogue[SceneT]):
    """Line mode at a live table. ``run`` ends when the user leaves, or the input ends; ``rematch`` is then
    whether the user wants a rematch.

    A game's own line mode adds ``commands``, and their ``order`` in the help.
    """

    order: ClassVar[Sequence[str]] = ()  # names of commands at the top of the help, in this order
    a_rule: ClassVar[str] = "1"  # an example of a rule number
    nothing_to_undo: ClassVar[str] = shared_sentences.NOTHING_TO_UNDO  # the message if there is no step to undo

    def __init__(
        self,
        face: Face,
        session: Session,
        console: Console,
        *,
        address: str = "",
        settings: Settings | None = None,
        remember: Callable[[Json], object] | None = None,
        saved: bool = True,
        advise: Advise | None = None,
    ) -> None:
        super().__init__(face, session, console, settings=settings, remember=remember)
        self._address = address
        self._saved = saved
        self._left = False
        self.rematch = False
        tutors = console.live and settings is not None and settings.tutors(face.name)
        self.advising = LineAdvice(self, advise, tutors=tutors)
        self.agreeing = LineAgreement(self)
        self.vocabulary = LineCommands(self.commands(), self.order)

    def commands(self) -> Iterable[LineCommand]:
        """Return every command. A game adds its own before these, and can override them by name."""
        look = self.look_command
        return (
            LineCommand(
                "moves",
                "what you can do now, numbered; type the number to do it",
                self._list_moves,
                "[words to look for]",
                also=("actions", "list"),
            ),
            look("turn", "whose turn it is", lambda _: self.turn(), also=("status", "here")),
            look("goal", "what wins and what loses", lambda _: self._goal()),
            look("score", "the score sheet, line by line", lambda _: self.score_sheet()),
            look("log", "the last lines of the log", self._log_command, "[how many]"),
            look("since", "what happened since your last turn", lambda _: self._since_last_turn(), when="seated"),
            look(
                "who",
                "who sits at the table",
                lambda _: shared_sentences.seat_lines(self.state),
                also=("players",),
                when="always",
            ),
            look(
                "watchers",
                "the chat of the watchers",
                lambda _: shared_sentences.watcher_lines(self.state),
                when="always",
            ),
            look(
                "rules",
                "a part of the rules",
                lambda rest: shared_sentences.rules_lines(self.face.game, rest, self.a_rule),
                f"[number, such as {self.a_rule}]",
                when="always",
                in_replay=True,
            ),
            look("legend", "the signs on the board", lambda _: shared_sentences.legend(self.face), when="always"),
            look("word", WORD, lambda rest: shared_sentences.word_lines(self.face.game, rest), "[word]", when="always"),
            LineCommand("undo", "take back a step", lambda _: self._take_back(1)),
            LineCommand(
                "reset",
                "take back the whole turn, as far as that goes",
                lambda _: self._take_back(self._undoable_steps),
            ),
            LineCommand(
                "chat",
                "say something to everybody",
                self._chat_command,
                "words",
                also=("say",),
                when="always",
                as_typed=True,
            ),
            *self.advising.commands(),
            *self.agreeing.commands(),
            LineCommand(
                "rematch",
                "after the end: play again with the same people and bots, or watch that",
                self._ask_rematch,
                when="always",
            ),
            LineCommand(
                "takeover", "play again for the seat that another terminal took over", self._take_over, when="always"
            ),
            look("save", "how the game is saved", lambda _: [self._how_saved()], when="always"),
            LineCommand("quit", "leave; the game is saved", self._quit, also=("exit", "leave"), when="always"),
            look(
                "help",
                "the commands, or one of them",
                lambda rest: self.vocabulary.help(rest, watching=not self.state.my_seats),
                "[command]",
                also=("commands",),
                when="always",
            ),
        )

    def look_command(
        self,
        name: str,
        does: str,
        lines: Callable[[str], Sequence[str]],
        more: str = "",
        *,
        also: tuple[str, ...] = (),
        when: When = "begun",
        in_replay: bool = False,
    ) -> LineCommand:
        """Return a command that only prints these lines; replays have it if ``begun``."""

        async def tell(rest: str) -> None:
            await self.console.write_lines(*lines(rest))

        return LineCommand(name, does, tell, more, also, when=when, in_replay=in_replay or when == "begun")

    # Main loop

    async def run(self) -> None:
        """Run until the user leaves; raises as the console does."""
        try:
            async with asyncio.TaskGroup() as group:
                await self._greet()
                beside = [group.create_task(self.print_news())]
                if not self.console.live:
                    beside.append(group.create_task(self.note_the_end()))
                await self._read_commands()
                await self.cover()
                for task in beside:
                    task.cancel()
        except* OSError as unheard:
            raise unheard.exceptions[0] from None
        finally:
            # An interactive player sees more on leaving the table.
            now = self.state
            kept = now.status == "playing" and not now.ended and (now.touched or bool(self._address))
            if not self.console.live and now.my_seats and kept:
                await self.console.write_lines(shared_sentences.KEPT if self._saved else NOT_SAVED)

    async def _greet(self) -> None:
        state = self.state
        self.start_listening()
        lines = [f"{state.game.title}. Type help for the commands."]
        if state.status == "waiting":
            where = self._address or state.address
            join = command_as_typed(f"join {where}")
            lines += [] if state.my_seats else [shared_sentences.WATCHING]
            # The number of missing players is part of the news, which follows.
            who = "The others type" if state.my_seats else "To play instead, quit and type"
            lines += [f"{who}: {join}"] if where else []
            if where and state.code:
                lines.append(hosts.code_words(state))
        elif not state.my_seats:
            lines.append(shared_sentences.WATCHING)
        lines += self.agreeing.handed_over_words()
        if state.series and not state.ended:
            lines += score.series_words(state).split("\n")
        if self.begun and not self.scene.choices:
            lines += self.turn()
        await self.console.write_lines(*lines)

    async def _read_commands(self) -> None:
        while not self._left:
            if not self.console.live:
                # A script cannot know how long others take.
                await self.wait_for_state(lambda state: keyboard_must_answer(state) and state.link != "lost")
            await self.tell_news()
            line = await self.console.read_line(self.prompt)
            if line is None:
                return
            await self.take(line)

    async def tell_news(self) -> None:
        await super().tell_news()
        await self.agreeing.ask_again()

    def may_need_others(self, line: str) -> bool:
        command = self.vocabulary.find(line.strip().partition(" ")[0].casefold())
        return command is None or command.when != "always"

    async def take(self, line: str) -> None:
        first, _, rest = line.strip().partition(" ")
        word, rest = first.casefold(), rest.strip()
        if not word:
            return
        number = parse_number(word)
        if number is not None:
            if rest:
                await self.console.write_lines(shared_sentences.ONE_NUMBER)
            else:
                await self.choose_number(number)
            return
        command = self.vocabulary.find(word)
        if command is None:
            await self.console.write_lines(self.vocabulary.unknown_command_words(word))
        elif command.when != "always" and not self.begun:
            await self.console.write_lines(shared_sentences.WAITING)
        elif command.when == "due" and not self._may_act():
            await self.console.write_lines(self.why_not_now())
        else:
            await command.do(rest if command.as_typed else rest.casefold())

    async def lets_action(self, seat: int, action: Json) -> bool:
        return await self.advising.lets_action(seat, action)

    def _how_saved(self) -> str:
        if not self._saved:
            return NOT_SAVED
        return shared_sentences.RECORDED if self.state.ended else shared_sentences.SAVED

    def _may_act(self) -> bool:
        return self.begun and bool(self.scene.choices) and not self.state.halted

    def why_not_now(self) -> str:
        playing = self.begun and not self.scene.over
        if self.state.cut_off and playing:
            return NO_LINK if self.state.expects_host else hosts.closed_words(self.state.closed, table_news.LEAVE)
        if self.state.set_aside:
            return self.state.set_aside
        if not playing:
            return self.turn()[0] if self.begun else shared_sentences.NOT_BEGUN
        return shared_sentences.NOT_YOURS if self.state.my_seats else shared_sentences.WATCHING

    async def _quit(self, _rest: str) -> None:
        self._left = True

    async def _ask_rematch(self, _rest: str) -> None:
        if not self.state.ended:
            await self.console.write_lines(shared_sentences.NOT_OVER)
        elif not self.state.may_rematch:
            await self.console.write_lines(shared_sentences.NO_REMATCH)
        else:
            self.rematch = self._left = True

    # Looking

    def _goal(self) -> Sequence[str]:
        return self.face.goal(self.scene.view) or [shared_sentences.NO_GOAL]

    def _log_command(self, rest: str) -> list[str]:
        last = parse_number(rest) if rest else LOG_LINES
        if last is None:
            return [shared_sentences.HOW_MANY_LINES]
        return self._history(last=min(last, MOST)) or [NOTHING]

    def _since_last_turn(self) -> list[str]:
        if not self.state.my_seats:
            return [shared_sentences.WATCHING]
        return self._history(self.scene.since) or [NOTHING_SINCE]

    def _history(self, start: int = 0, last: int | None = None) -> list[str]:
        now = self.scene
        return shared_sentences.history_lines(self.face, self.tell_entry, now.state.log[start:], now.view, last)

    # Lists and numbers

    async def _list_moves(self, rest: str) -> None:
        lines = self.list_options()
        await self.console.write_lines(*(self.tell_numbers(rest) if rest else lines))

    async def choose_number(self, number: int) -> None:
        if not self.numbers:
            await self.console.write_lines(shared_sentences.NO_NUMBERS if self._may_act() else self.why_not_now())
        elif not self.list_is_valid or self.state.halted:
            await self.console.write_lines(shared_sentences.OLD_NUMBERS if self._may_act() else self.why_not_now())
        elif not 1 <= number <= len(self.numbers):
            await self.console.write_lines(f"The list goes from 1 to {len(self.numbers)}.")
        elif number not in self.told:
            self.told.add(number)
            words = self.numbers[number - 1].text
            await self.console.write_lines(shared_sentences.NOT_TOLD.format(number=number, words=words))
        else:
            await self.numbers[number - 1].do()

    # Steps, seats and words

    @property
    def _undoable_steps(self) -> int:
        return self.state.undoable.get(self.scene.seat, 0)

    async def _take_back(self, steps: int) -> None:
        if self._undoable_steps:
            await self.undo(steps)
        else:
            await self.console.write_lines(self.nothing_to_undo)

    async def _take_over(self, _rest: str) -> None:
        if self.state.taken:
            await self.request(self.session.take_back())
        else:
            await self.console.write_lines(shared_sentences.NOTHING_TAKEN)

    async def _chat_command(self, rest: str) -> None:
        if not self.state.may_talk:
            await self.console.write_lines(ONLY_PLAYERS)
        elif not rest:
            await self.console.write_lines(shared_sentences.HOW_TO_CHAT)
        else:
            await self.request(self.session.say(rest))
