"""The controller of a table: the actions of keys, clicks and palette entries in every game."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Generic

from cave.game import Json
from client.face import LETTERS
from client.present.advice import Guide
from client.present.scene import has_secrets, skipped_turn_words
from client.present.score import won_here
from client.settings.schema import Setting, Value
from client.table import Rejected
from client.tui import sentences
from client.tui.board.geometry import jump_letters
from client.tui.board.view import BoardView, Outlook
from client.tui.dialogs import RequestDialogs, TableDialogs
from client.tui.hints_and_tutor import HintsAndTutor
from client.tui.table import SceneT, TableScreen
from client.tui.widgets.bottom_rows import JumpLine
from client.wording import NO_LINK, a_bot, begun

if TYPE_CHECKING:
    from textual.screen import Screen
    from textual.widget import Widget

    from client.tui.command_palette import Command
    from client.tui.replay import Replaying

Do = Callable[..., object]  # runs a word; gets the part after its colon, if any


AGREED_ON = (
    ("Bots without pause", "until your own turn, and pause again with the same key", "hurry"),
    ("End early or resign", "bots without pause, a bot that plays on for you, resign", "ends"),
    ("Resign", "give the game up for good, once the others agree", "resign"),
)
"""Requests that need the other players' consent, for the palette."""
HINT = (("Hint", "what to do and why", "hint"),)
LIT, ASCII_LIT = "»", "}"  # the sign on a place that a lesson mentions; * is a star or a wonder
NOTHING, SEVERAL = float("-inf"), float("inf")  # in place of the seq of a pending request


class Controller(Generic[SceneT]):
    """Turns words into choices, and asks the host for them.

    A game defines the actions of its words (``doings``), the words that ask the host (``plays``), and the
    reasons for impossible ones (``why_word_is_refused``).
    """

    nothing_to_undo: ClassVar[str] = sentences.NOTHING_TO_UNDO
    secrets: ClassVar[str] = ""  # things that only their seat may see, such as ``treasures``
    plays_covered: ClassVar[bool] = False
    """Whether players can act without seeing their secrets: then only its key opens the curtain."""

    def __init__(self, screen: TableScreen[SceneT], guide: Guide[SceneT] | None = None) -> None:
        self.screen = screen
        self.guide = guide if screen.session.state.lesson is None else None
        self.asking = TableDialogs(screen)
        self.agreeing = RequestDialogs(screen, self.asking, self.ask_host)
        self.advising = HintsAndTutor(screen, self.point_out)
        self.replay: Replaying | None = None  # the words of a replay, if the screen shows one
        if screen.replays:
            from client.tui.replay import Replaying

            self.replay = Replaying(screen, self.asking)
        self.labels: dict[Any, str] = {}  # letters and numbers of a jump, or of the way in a dialog
        self._words: Mapping[str, Do] | None = None
        self._answer: tuple[str, Any] = "", None  # the last word, if it answered a question, and the choices then
        self.is_echo = False
        """Whether this word has just answered a question: now it means something else."""
        self._asked_from = NOTHING  # the state of the last request that the host has not answered
        self._scored = False
        self._who: Screen[Any] | None = None  # the dialog that asks for the next player
        self._focused: Widget | None = None

    # For games to override

    def doings(self) -> Mapping[str, Do]:
        return {
            "undo": self._undo,
            "reset": lambda: self._undo(self.scene.state.undoable.get(self.scene.seat, 0)),
            "take_back": self._take_back,
            "hurry": self.agreeing.hurry_bots,
            "ends": self.agreeing.list_ends,
            "resign": self.agreeing.ask_to_resign,
            "hint": self._give_hint,
            "cover": self._close_curtain,
            "recap": self.screen.recap.step_back,
            "log": lambda: self.asking.show_log(self.point_at),
            "chat": self.asking.show_chat,
            "help": lambda: self.asking.show_help(about=self.rules_at_cursor()),
            "settings": lambda: self.screen.post_message(self.screen.SettingsWanted()),
            "more": self._list_keys,
            "palette": lambda: self.screen.app.action_command_palette(),
            "jump": self._show_jump_letters,
            "guide": self._toggle_guide,
            "quit": self.asking.leave,
        }

    def do_unlisted_word(self, word: str) -> None:
        """Run a word that is not in ``doings``, such as a kind of action."""
        self.say(self.why_not_now(word))

    def plays(self, word: str) -> bool:
        """Return whether a word sends a request to the host."""
        return word in ("undo", "reset")

    def word_has_no_effect(self, word: str) -> bool:
        """Return whether a word does nothing now, even if ``doings`` has a function for it."""
        return False

    def why_word_is_refused(self, word: str) -> str:
        now = self.scene
        if word == "cover" and self.secrets and now.state.my_seats and not now.over:
            own = self.secrets
            return f"You have no {own} yet." if now.state.hot_seat else f"Nobody else sees your {own} here."
        if now.state.ended_early:
            return sentences.ENDED_EARLY
        if now.why_passive == "waiting":
            return self.screen.with_own_keys(self.waiting_words())
        if now.why_passive == "watching":
            return self.screen.with_own_keys(sentences.WATCHING)
        if now.over and (lesson := now.state.lesson) is not None:
            return self.screen.with_own_keys(sentences.OVER_IN_LESSON[not lesson.done])
        if now.over and "enter" in self.doings():
            return self.screen.with_own_keys(sentences.OVER)
        return now.why_not(word) or sentences.NOT_NOW

    def waiting_words(self) -> str:
        """Return whose turn it is, for a waiting player."""
        now = self.scene
        return f"{now.waits_for} {sentences.LOOK_AROUND}" if now.view.acting else sentences.NOT_NOW

    def point_out(self, action: Json) -> str | None:
        """Scroll to the place of a hint's action; return the sentence with its key, to be added."""
        return None

    def would_do(self, action: Json) -> bool:
        """Return whether Enter would do a lesson's action, once the cursor is at its place."""
        return True

    def commands(self) -> Iterable[Command]:
        """List the commands for the palette: the keys with a description."""
        return self.as_palette_commands(self.screen.key_words.uses)

    def palette_players(self) -> Iterable[Command]:
        return ()

    def palette_places(self, query: str) -> Iterable[Command]:
        """List results of a query that are not commands, such as places."""
        return ()

    def rules_at_cursor(self) -> Sequence[str]:
        return ()

    def jump_places(self) -> Iterable[Hashable]:
        """Return the visible places with jump letters, the most useful first."""
        return ()

    def point_at(self, at: Any) -> None:
        """Show the place of a log line."""

    def look_again(self, outlook: Outlook) -> None:
        for board in self.screen.query(BoardView):
            board.restore(outlook)
            self.point_at(board.cursor)

    def land_after_jump(self, at: Any) -> None:
        self.point_at(at)

    def message_when_idle(self) -> str:
        """Return the words of the idle message line: a hint, a warning, or a tip for a newcomer."""
        if self._must_open_curtain:
            name = self.scene.view.names[self.scene.seat]
            return sentences.YOURS_TO_OPEN.format(name=name)
        seat = self.scene.state.seats[self.scene.seat]
        if seat.mine and seat.handed and not self.scene.over:
            words = sentences.ONE_HANDED if self.scene.state.hot_seat else sentences.HANDED
            return self.screen.with_own_keys(words).format(name=begun(a_bot(seat.level)), who=seat.name_as_shown)
        skipped = skipped_turn_words(self.scene.state, self.scene.seat, self.screen.face)
        tip = self.screen.with_own_keys(self.guide.tip_text) if self.guide else ""
        return self.advising.hint or skipped or tip

    def role_when_idle(self) -> str:
        return "warn" if not self.advising.hint and self.guide and self.guide.warns else "tip"

    def prepare_new_scene(self, before: SceneT, *, first: bool) -> None:
        """Prepare for another scene, which is about to be shown."""
        self.advising.drop_old_hints(before, self.scene)
        self.choose_newcomer_tip()

    def after_scene_shown(self, before: SceneT) -> None:
        """Pass the new state to open dialogs, and open pending ones."""
        now = self.scene
        self.agreeing.follow_proposals(before.state, now.state)
        self.asking.hear_score()
        self._open_what_waits()
        if self.screen.curtain.passed and not now.over:
            self._stop_asking_who_is_there()
            if self._must_open_curtain:
                self._ask_who_is_there()

    def _open_what_waits(self) -> None:
        """Open pending dialogs, but not over another one: keys typed there would answer them."""
        if not self.screen.is_covered and self.scene.state.lesson is None:
            self.open_due()

    def open_due(self) -> None:
        """Open pending dialogs: the score sheet (once), or another player's request."""
        now = self.scene
        if now.over and not self._scored:
            self._scored = True
            if won_here(now.state):
                self.screen.preferences.note_win(self.screen.face.name)
            self.asking.show_score()
        else:
            self.agreeing.show_question()

    # Actions

    @property
    def scene(self) -> SceneT:
        return self.screen.scene

    def say(self, text: str, role: str = "warn") -> None:
        self.screen.say(text, role)

    def setting_value(self, setting: Setting) -> Value:
        return self.screen.preferences.now.value(setting)

    def do(self, word: str) -> None:
        kind, _, more = word.partition(":")
        recap = self.screen.recap
        if kind != "recap" and (recap.text or recap.waiting):
            past = recap.looks_back
            recap.end()
            if past and self.plays(kind):  # the board showed another position
                self.say(sentences.BACK_TO_NOW)
                return
        if self.screen.session.state.halted and self.plays(kind) and not self.scene.over:
            self.show_refusal(NO_LINK)
            return
        if self._must_open_curtain and self.plays(kind):
            self._ask_who_is_there()
            return
        answer, choices = self._answer
        self.is_echo = word == answer and choices != self.scene.choices
        self._answer = "", None
        if self._words is None:
            self._words = {**self.doings(), **(self.replay.doings() if self.replay else {})}
        do = self._words.get(kind)
        if self.word_has_no_effect(kind) and not (self.replay and kind in self.replay.doings()):
            self.say(self.why_not_now(kind))
        elif do is not None:
            do(more) if more else do()
        else:
            self.do_unlisted_word(kind)

    def note_answer(self, word: str) -> None:
        """Note that a word answers a question of the game: right after it, the same key starts nothing final."""
        self._answer = word, self.scene.choices

    def why_not_now(self, word: str) -> str:
        return sentences.ONLY_SEEN if self.replay else self.why_word_is_refused(word)

    def all_palette_commands(self) -> Iterator[Command]:
        yield from self.replay.commands() if self.replay else self.commands()
        if not self.replay:
            yield from self.as_palette_commands((*HINT, *AGREED_ON))
        yield from self.palette_players()

    def search_palette(self, query: str) -> Iterator[Command]:
        """List results of a query that are not commands."""
        if self.replay:
            yield from self.replay.palette_places(query)
        yield from self.palette_places(query)

    def update_replay_panes(self) -> None:
        if self.replay:
            self.replay.show_place()

    def stop_covered_replay(self) -> None:
        """Stop a replay: it does not run under a dialog."""
        if self.replay:
            self.replay.stop()

    @property
    def marked_places(self) -> Mapping[Any, str]:
        """Marks on places of the board: the labels, else the light of a recap step or a lesson."""
        lesson = self.scene.state.lesson
        taught = [tuple(at) for at in (lesson.lit if lesson else ()) if isinstance(at, list)]
        sign = ASCII_LIT if self.screen.glyphs == "ascii" else LIT
        return self.labels or dict.fromkeys(self.screen.recap.lit_places or taught, sign)

    def _list_keys(self) -> None:
        from client.tui.chooser import Entry

        screen = self.screen
        found = screen.key_words.hints(screen.useful_hints(), screen.keymap)
        entries = []
        for each in found:
            if each.do:
                label, why_not = screen.key_words.description_of_word(each.do) or each.label, self.why_not(each.do)
                entries.append(Entry(label, each.do, detail=why_not, key=each.key, enabled=not why_not))
        self.asking.open_list("Keys", entries, self.do)

    def why_not(self, word: str) -> str:
        """Return why a word does nothing now, for waiting players and watchers; empty if they can act."""
        return "" if self.scene.can_act or self.scene.over or not self.plays(word) else self.why_not_now(word)

    def as_palette_commands(self, words: Iterable[tuple[str, str, str]]) -> Iterator[Command]:
        """Make palette lines of names, their purposes, and words."""
        from client.tui.command_palette import Command

        for name, use, word in words:
            yield Command(name, self.why_not(word) or use, partial(self.do, word))

    def number_board_places(self, places: Iterable[Any]) -> None:
        """Label places of the board with their numbers in the list that opens; None has no place."""
        self.labels = {}
        for number, at in enumerate(places, 1):
            if at is not None:
                self.labels.setdefault(at, str(number))
        self.screen.paint()

    def remove_labels_and_open_due(self) -> None:
        """Remove the labels of a closed dialog from the board, and open pending dialogs."""
        if self.labels and not self.jumping:
            self.labels = {}
            self.screen.paint()
        self._open_what_waits()

    def choose_newcomer_tip(self) -> None:
        if self.guide:
            preferences, game = self.screen.preferences, self.screen.face.name
            now = preferences.now
            known, tutored = now.tips.get(game, ()), self.advising.has_checked
            done = self.guide.follow(self.scene, wanted=now.guide, done=known, tutored=tutored)
            preferences.note_tips_done(game, done)

    def _toggle_guide(self) -> None:
        preferences, game = self.screen.preferences, self.screen.face.name
        wanted = not preferences.now.guide
        problem = preferences.switch_guide(game, wanted=wanted)
        self.choose_newcomer_tip()
        self.say(problem or ("" if wanted else self.screen.with_own_keys(sentences.GUIDE_OFF)), "text")

    # Requests to the host

    def send(self, seat: int, action: Json, *, sure: bool = False) -> None:
        """Send an action. The tutor may warn first, unless ``sure``."""
        do = partial(self.ask_host, partial(self.screen.session.act, seat, action))
        if sure:
            do()
        else:
            self.advising.check(seat, action, do)

    def ask_first(
        self, action: Json, question: str, yes: str, no: str, do: Callable[[], None], *, sure: bool = False
    ) -> None:
        """Ask before an action (``open_question``), unless the tutor has just warned of it. If ``sure``, its
        own key pressed again says yes, or Enter if it has none, and the action of the hint that is shown needs
        no question.
        """
        keys, kind = self.screen.key_words, action["type"]
        again = keys.key_of(kind, self.screen.keymap) if sure and kind in keys.ids else ""
        if self.advising.has_warned(self.scene.seat, action) or (sure and action in self.advising.actions[:1]):
            do()
        else:
            self.asking.open_question(question, yes, no, do, again=again, sure=sure and not again)

    def ask_host(self, do: Callable[[], Coroutine[Any, Any, None]], *, several: bool = False) -> None:
        """Send one request per state, or ``several`` in turn and nothing else; show refusals."""
        state = self.screen.session.state
        if state.cut_off:
            self.show_refusal(NO_LINK)
        elif state.seq > self._asked_from:
            self._asked_from = asked = SEVERAL if several else state.seq
            request: Callable[[], Awaitable[None]] = partial(self._request, do, asked)
            self.screen.run_worker(request, group="act", exit_on_error=True)

    async def _request(self, do: Callable[[], Coroutine[Any, Any, None]], asked: float) -> None:
        try:
            await do()
        except (Rejected, ConnectionError) as error:
            self.show_refusal(str(error) or NO_LINK)
        finally:
            if self._asked_from == asked:
                self._asked_from = NOTHING

    def show_refusal(self, message: str) -> None:
        self.advising.passed = False
        state = self.screen.session.state
        expected = message == NO_LINK and state.expects_host
        words = "" if expected else sentences.host_away_banner_words(state, self.screen.with_own_keys)
        self.say(words or message, "loud" if words else "warn")

    def holds_keys(self) -> bool:
        """Return whether keys wait for the tutor, and then for the state after the move that it accepted."""
        now = self.screen.session.state
        moves = self._asked_from != NOTHING or not now.is_of_one_moment or now.seq > self.scene.state.seq
        return self.advising.checks or (self.advising.passed and moves and now.link == "live")

    def is_hinted(self, action: Any) -> bool:
        """Return whether the hint that is shown names this action first."""
        return self.scene.state.game.action_json(action) in self.advising.actions[:1]

    def _give_hint(self) -> None:
        if self.screen.curtain.closed and self.screen.session.state.choices.get(self.scene.seat):
            self._ask_who_is_there()
        else:
            self.advising.give()

    def _undo(self, steps: str | int = 1) -> None:
        seat = self.scene.seat
        if self.advising.checks:
            self.advising.stop_checking()
            self.say("")
        elif self.scene.state.undoable.get(seat):
            self.ask_host(partial(self.screen.session.undo, seat, int(steps)), several=int(steps) > 1)
        else:
            self.say(self.nothing_to_undo)

    def _take_back(self) -> None:
        if self.scene.state.taken:
            self.ask_host(self.screen.session.take_back)
        else:
            self.say(sentences.NOTHING_TAKEN)

    # The curtain between players at one keyboard

    @property
    def _must_open_curtain(self) -> bool:
        due = self.screen.session.state.choices.get(self.scene.seat)
        return self.screen.curtain.closed and bool(due) and not self.plays_covered

    def _ask_who_is_there(self) -> None:
        self.screen.curtain.passed = False
        seat, name = self.scene.seat, self.scene.view.names[self.scene.seat]
        told = self.screen.recap.take_waiting_text()
        question = sentences.PASS_ON.format(name=f"{LETTERS[seat]} {name}")
        question = f"{told}.\n{question}" if told else question
        there = sentences.THERE.format(name=name)
        opens = partial(self._open_curtain_for, seat)
        self._who = self.asking.open_question(question, there, sentences.LATER, opens, sure=True, seat=seat)

    def _stop_asking_who_is_there(self) -> None:
        if self._who is not None and self._who.is_current:
            self._who.dismiss(None)
        self._who = None

    def _open_curtain_for(self, seat: int) -> None:
        if seat == self.scene.seat:
            self.screen.draw_curtain(closed=False)
        elif self._must_open_curtain:
            self._ask_who_is_there()

    def _close_curtain(self) -> None:
        curtain = self.screen.curtain
        if curtain.closed:
            self._ask_who_is_there()
        elif has_secrets(self.screen.session.state, self.scene.seat):
            self.screen.draw_curtain(closed=True)
        else:
            self.say(self.why_not_now("cover"), "text")

    # Jumping to a place by its letter

    @property
    def jumping(self) -> bool:
        return bool(self.screen.query(JumpLine))

    def _show_jump_letters(self) -> None:
        if self.jumping or not self.screen.has_widgets:
            return  # the key was pressed twice, or after the one that ends the program
        found = jump_letters(self.jump_places())
        if not found:
            self.say(sentences.NOWHERE)
            return
        self.labels = {at: letter for letter, at in found.items()}
        self._focused = self.screen.focused
        left = len({*self.jump_places()}) - len(found)
        self.screen.mount(JumpLine(left, id="jump"))
        self.screen.paint()  # after that the keys below are those of the jump

    async def jump_to(self, letter: str) -> None:
        """Go to the place with this letter; without one only remove the letters."""
        if not self.labels:
            return
        found = {letter: at for at, letter in self.labels.items()}
        self.labels = {}
        await self.screen.query(JumpLine).remove()
        self.screen.set_focus(self._focused)
        self.screen.paint()
        if letter in found:
            self.land_after_jump(found[letter])
