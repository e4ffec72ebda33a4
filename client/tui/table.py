"""The screen of a table: the parts that all games share. Its controller runs the actions."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path, PurePath
from time import monotonic
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import msgspec
from msgspec.structs import replace
from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.geometry import Offset
from textual.layout import Layout
from textual.message import Message

from cave.game import Json
from client.adviser import Advise
from client.face import Face, Sound
from client.present.agreement import only_bots_play
from client.present.log import chat_for, count_entries_from, entries, is_shown_unasked, new_chat_lines
from client.present.log import join_entries as told_together
from client.present.scene import Curtain, Scene
from client.settings.schema import Preferences
from client.table import ChatLine, Session, TableState
from client.tui import sentences
from client.tui.board.view import BoardView, Outlook
from client.tui.closing_screen import ClosingOnce
from client.tui.keymap import NO_USE, OTHER_LAYOUT, Keymap, KeyWords, bindings_of, of_another_layout, show_keys
from client.tui.turn_recap import TurnRecap
from client.tui.widgets.bottom_rows import GOAL, JUMP, GoalLine, Hint, Hints, JumpLine, MessageLine, with_news
from client.tui.widgets.panel import AlikeLines, Panel, wrap
from client.tui.widgets.panes import ChatPane, LogPane, TablePanes
from client.wording import count

NOTICE = 20.0  # seconds
HEARD_FOR = 4.0  # seconds to show a chat message, unless another one replaces it
READING = 3.0  # seconds to show the answer to a watcher's key while bots play
STYLES = Path(__file__).with_suffix(".tcss")
SOUNDS: Sequence[Sound] = ("die", "find", "end")  # of several simultaneous sounds the last one is played
AT_ONCE = ("do('undo')", "do('quit')")
RECENT_LINES = 40  # most lines of the log in the pane


def word_binding(keys: str, word: str, does: str, use: str = "", *, name: str = "", head: str = "game") -> Binding:
    """Return a key for ``word``. Its id is its ``name``, else the word, under its ``head``."""
    return Binding(keys, f"do('{word}')", does, id=f"{head}.{name or word}", show=False, tooltip=use)


BINDINGS: list[BindingType] = [
    word_binding("u", "undo", "Undo", "take back one step of this turn"),
    word_binding("U", "reset", "Reset the turn", "take back all that can be taken back"),
    word_binding("backspace", "recap", "The last round", "step back through what happened since your last turn"),
    word_binding("o", "log", "Log", "everything that has happened"),
    word_binding("t", "chat", "Chat", "talk to the others"),
    word_binding("question_mark,f1", "help", "Help", "rules in brief, signs, keys"),
    word_binding("y", "hint", "Hint", "what to do and why; in trial games bots play to the end from here"),
    word_binding("H", "hurry", "Bots without pause"),
    word_binding("E", "ends", "End early or resign"),
    word_binding("B", "take_back", "Take your seat back", "play again for the seat that another terminal took over"),
    word_binding("comma", "settings", "Settings"),
    word_binding("q", "quit", "Quit", "leave the table, to the menu or out of the program"),
]
"""The keys of every table. A game adds its own, in the order of the help."""

SceneT = TypeVar("SceneT", bound=Scene)


class Reading(msgspec.Struct, frozen=True):
    """How far the user has read the chat: its last line, if any, in a list."""

    read: Sequence[ChatLine]

    def count_new_lines(self, chat: Sequence[ChatLine]) -> int:
        return next((at for at, line in enumerate(reversed(chat)) if [line] == list(self.read)), len(chat))


class Acting(Protocol):
    """The screen's view of its ``Controller``."""

    advising: Any

    def do(self, word: str) -> None: ...
    def holds_keys(self) -> bool: ...
    def message_when_idle(self) -> str: ...
    def role_when_idle(self) -> str: ...
    def prepare_new_scene(self, before: Any, *, first: bool) -> None: ...
    def update_replay_panes(self) -> None: ...
    def after_scene_shown(self, before: Any) -> None: ...
    def look_again(self, outlook: Outlook) -> None: ...
    def point_out(self, action: Json) -> str | None: ...
    def would_do(self, action: Json) -> bool: ...
    def plays(self, word: str) -> bool: ...

    def point_at(self, at: Any) -> None: ...
    def stop_covered_replay(self) -> None: ...
    def remove_labels_and_open_due(self) -> None: ...
    def ask_host(self, do: Callable[[], Coroutine[Any, Any, None]]) -> None: ...
    async def jump_to(self, letter: str) -> None: ...


def _palette_provider() -> type[Any]:
    from client.tui.command_palette import TableCommands

    return TableCommands


class TableScreen(ClosingOnce[str], AlikeLines, Generic[SceneT]):
    """A table to play at, watch or replay. The result is ``menu``, ``quit`` or ``rematch``.

    A game's screen defines its panes (``compose``), how they show a scene (``show_board``), the keys to show
    (``hints``), and a controller, which gets every key, click and palette line as a word. Panes that all
    games have get the ids ``log`` and ``chat``.
    """

    CSS_PATH: ClassVar[list[str | PurePath]] = [STYLES]
    COMMANDS: ClassVar[set[Any]] = {_palette_provider}
    LEADS_OUT: ClassVar[bool] = True
    LOOKING: ClassVar[Sequence[Hint]] = ()  # a replay's keys, besides those for stepping
    key_words: ClassVar[KeyWords]  # by default of all its bindings
    replays: ClassVar[bool] = False
    controller: Acting
    panes: TablePanes | None = None  # the layout of the panes, if style sheets do not set it
    # This screen needs no size classes, and setting them would style every pane again.
    HORIZONTAL_BREAKPOINTS = []  # noqa: RUF012 - declared so by the library
    VERTICAL_BREAKPOINTS = []  # noqa: RUF012

    class Turn(Message):
        """Whether it is the turn of a user here, also in words; ``new`` if it has just begun."""

        def __init__(self, mine: bool, new: bool, words: str = "Your turn") -> None:
            super().__init__()
            self.mine = mine
            self.new = new
            self.words = words

    class Sounded(Message):
        """An event with a sound."""

        def __init__(self, sound: Sound) -> None:
            super().__init__()
            self.sound = sound

    class Remember(Message):
        """An action has a part to offer again in the next game."""

        def __init__(self, face: Face, action: Json) -> None:
            super().__init__()
            self.face = face
            self.action = action

    class Changed(Message):
        """The session has a new state."""

        def can_replace(self, message: Message) -> bool:
            """Let only the newest state count."""
            return isinstance(message, TableScreen.Changed)

    class SettingsWanted(Message):
        """The user wants to change settings; the app has the screen for that."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "key_words" not in cls.__dict__:
            cls.key_words = KeyWords(reversed(bindings_of(cls)))

    def __init__(
        self,
        face: Face,
        session: Session,
        *,
        glyphs: str = "unicode",
        record_path: str = "",
        remembered: Json = None,
        address: str = "",
        follow: bool = False,
        saved: bool = True,
        preferences: Preferences | None = None,
        advise: Advise | None = None,
        line_to_paste: Callable[[TableState], str] = lambda _: "",
    ) -> None:
        super().__init__(classes="-ascii" if glyphs == "ascii" else None)
        self.line_to_paste = line_to_paste
        self.face = face
        self.session = session
        self.glyphs = glyphs
        self.line = "-" if glyphs == "ascii" else "─"
        self.record_path = record_path
        self.saved = saved
        self.address = address
        self.preferences = preferences or Preferences()
        self.advise = advise
        wish = self.preferences.now.follow
        watching = not session.state.my_seats
        self.follows = follow or self.replays or wish == "always" or (wish == "watching" and watching)
        self.remembered = remembered
        self.talking = False  # whether the chat is open
        self.unread = 0  # others' chat messages that nobody here has seen
        self.curtain = Curtain()
        self.recap = TurnRecap(self)
        self._state = session.state
        self.recap.keep_state(self._state)
        self._scene = self._make_scene(None)
        self._present: SceneT | None = None  # the present scene while an earlier one is shown
        self._news = asyncio.Event()
        self._keys_shown: Keymap | None = None
        self._said_at = 0.0
        self._heard_at = -HEARD_FOR
        self._idles = False  # whether the message line is idle
        self._began_with: tuple[Any, ...] = ()
        """The choices at the start of the turn; once they change, the player has acted."""

    @property
    def saves_game(self) -> bool:
        """Whether it shows a game, which is saved."""
        return not self.replays

    # For games to override

    def show_board(self, *, moved: bool) -> None:
        """Update the game's panes; ``moved``: the scene is another than before."""
        raise NotImplementedError

    def hints(self) -> Sequence[Hint]:
        """Return the keys to show, most important first."""
        raise NotImplementedError

    def useful_hints(self) -> tuple[Hint, ...]:
        """Return the keys to show, without undo if there is no step to undo."""
        idle = () if self.scene.state.undoable.get(self.scene.seat) else ("undo", "reset")
        return tuple(hint for hint in self.hints() if hint.do not in idle)

    def shows_chat(self) -> bool:
        return bool(self.query(ChatPane))

    @property
    def cursor_cell(self) -> Offset | None:
        return next((board.cursor_cell for board in self.query(BoardView)), None)

    # Shared by all tables

    @property
    def scene(self) -> SceneT:
        return self._scene

    @property
    def wants_chat(self) -> bool:
        """Whether the user wants to see chat messages without opening the chat."""
        return is_shown_unasked(len(self._state.my_seats), self.preferences.now.chat)

    @property
    def keymap(self) -> Keymap:
        return self.preferences.now.keys

    @property
    def layout(self) -> Layout:
        return self.panes or super().layout

    def foot(self) -> ComposeResult:
        """Create the last rows: the key hints, in a replay also its controls, and the message line."""
        if self.replays:
            from client.tui.widgets.bottom_rows import Controls, ReplayBar

            yield ReplayBar(line=self.line, id="place")
            yield Controls(id="controls")
        yield GoalLine(self.goal_lines(), id="goal")
        yield Hints(id="hints")
        yield MessageLine(id="message")

    def on_mount(self) -> None:
        """Show the first state and listen for more."""
        self.set_class(self.panes is None, "-flows")
        self._show_state(self.session.state, first=True)
        self._look_again()
        self.session.listen(self._note_new_state)
        # Another theme may change the height of panes.
        self.app.theme_changed_signal.subscribe(self, lambda _: self._make_room())

    def on_unmount(self) -> None:
        self.session.unlisten(self._note_new_state)
        self.app.theme_changed_signal.unsubscribe(self)

    def _look_again(self) -> None:
        kept = self.preferences.now.outlooks.get(self._state.table)
        if kept and self.saves_game:
            with contextlib.suppress(msgspec.ValidationError):
                self.controller.look_again(msgspec.convert(kept, Outlook))
            with contextlib.suppress(msgspec.ValidationError):
                self.unread = msgspec.convert(kept, Reading).count_new_lines(chat_for(self._state))

    def on_board_view_looked_around(self, event: BoardView.LookedAround) -> None:
        if self.saves_game:
            self.preferences.keep_outlook(self._state.table, msgspec.to_builtins(event.outlook))

    def read_chat(self) -> None:
        self.unread = 0
        self._has_read(chat_for(self._state))
        self.paint()

    def _has_read(self, chat: Sequence[ChatLine]) -> None:
        if self.saves_game:
            self.preferences.keep_outlook(self._state.table, msgspec.to_builtins(Reading(chat[-1:])))

    async def wait_for_state(self, holds: Callable[[TableState], bool]) -> None:
        """Wait for a state with this property, or for the end of the link."""
        while not holds(self.session.state) and self.session.state.link == "live":
            self._news.clear()
            await self._news.wait()

    def _note_new_state(self, state: TableState) -> None:
        """Note a new state; the session calls this, maybe outside of this screen's own task."""
        self._news.set()
        if state.view is not None and state.is_of_one_moment:
            self.recap.keep_state(state)
        if self.has_widgets:
            self.post_message(self.Changed())

    def on_table_screen_changed(self) -> None:
        """Show the newest state. Public and private parts arrive separately: an incomplete state is not
        shown, as the rest is on its way.
        """
        state = self.session.state
        if state.view is None:
            return  # a host may send no view for a while
        if state is not self._state and (state.is_of_one_moment or state.link != "live"):
            self._show_state(state)

    def on_screen_resume(self) -> None:
        """Resume after a dialog or the settings."""
        # Other keys alone do not concern the controller.
        if self.is_mounted:
            self.controller.remove_labels_and_open_due()
            if self._keys_shown not in (None, self.keymap):
                self.paint()
            self._make_room()

    def on_screen_suspend(self) -> None:
        """Pause under a dialog or the settings."""
        self.controller.stop_covered_replay()

    def on_resize(self) -> None:
        """Give the message the rows that it needs at this width, with news if the log has too few rows."""
        if self._idles:
            self.say("")
        else:
            self._make_room()

    def leave_to_menu(self) -> None:
        self.close_with_screens_above("menu")

    # Display

    def _make_scene(self, last: int | None) -> SceneT:
        found: SceneT = self.face.scene(self._state, last)
        seen = self.curtain.before(self._state, found.seat)
        return found if seen is self._state else self.face.scene(seen, found.seat)

    def draw_curtain(self, *, closed: bool) -> None:
        self.curtain.closed = closed
        self._show_state(self._state)

    def show_past_state(self, state: TableState | None) -> None:
        """Show an earlier state of the table, in which nobody can act; None: the present state."""
        now, self._present = self._present or self._scene, None
        if state is not None:
            known = {} if self.curtain.closed else state.views
            then = replace(state, views=known, choices={}, refusals={}, undoable={})
            self._scene, self._present = self.face.scene(then, now.seat), now
        elif now is not self._scene:
            self._scene = now
        else:
            return
        self.paint(moved=True)

    def _show_state(self, state: TableState, *, first: bool = False) -> None:
        self._state = state
        before, self._present = self._present or self._scene, None
        self._scene = self._make_scene(before.seat)
        now = self._scene
        if first or not before.can_act or before.seat != now.seat:
            self._began_with = now.choices
        self.controller.prepare_new_scene(before, first=first)
        events = [line.event for line in state.log if line.seq > before.state.seq]
        if first or before.turn != now.turn or any(self.face.turn(each) is not None for each in events):
            words = f"{now.state.game.title}: your turn"
            self.post_message(self.Turn(now.can_act, now.can_act and not first, words))
        if not first and not self.replays:
            sounds = self.face.sounds
            made = [sounds[str(event.get("type"))] for event in events if event.get("type") in sounds]
            if made:
                self.post_message(self.Sounded(max(made, key=SOUNDS.index)))
        said = () if self.talking else new_chat_lines(chat_for(before.state), chat_for(state))
        if said and not self.unread:
            self._has_read(chat_for(before.state))
        self.unread += len(said)
        self.paint(moved=True)
        words, before_words = (
            self.lasting_message(),
            sentences.host_away_banner_words(before.state, self.with_own_keys),
        )
        if before_words and not words:
            self.say("")
        if said and not words and self.is_covered:
            # One at a time: many would cover the form.
            self.app.clear_notifications()
            told = f"{said[-1].name}: {said[-1].text}" if self.wants_chat else f"Chat ({self.unread})"
            self.notify(told, timeout=HEARD_FOR, markup=False)
        elif said and self.wants_chat and not words and not self.shows_chat():
            line = self.with_own_keys(sentences.HEARD if state.may_talk else sentences.ONLY_HEARD)
            self.say(line.format(name=said[-1].name, text=said[-1].text), "text")
            self._heard_at = monotonic()
        if words != before_words and self.is_covered:
            # Under a form the banner would be seen too late, and older notifications are out of date.
            self.app.clear_notifications()
            if words:
                self.notify(words, severity="warning", timeout=NOTICE, markup=False)
        self.controller.after_scene_shown(before)

    def paint(self, *, moved: bool = False) -> None:
        """Update every pane; each paints only its changes."""
        if not self.has_widgets:
            return  # a recap that ends while the screen closes
        now = self._scene
        self._keys_shown = self.keymap
        if moved:
            for log in self.query(LogPane):
                since = now.since if now.state.my_seats and not now.over else 0
                lines = entries(self.face.log_line, now.state.log, now.view, last=RECENT_LINES)
                log.show(lines, since, count_entries_from(self.face.log_line, now.state.log, since, now.view))
        for chat in self.query(ChatPane):
            key = self.key_words.key_of("chat", self.keymap)
            chat.display = self.wants_chat
            chat.show(chat_for(now.state), self.unread, key, answers=now.state.may_talk)
        hints = self.useful_hints()
        to_act = now.can_act and not (self.replays or now.step_is_done)
        if to_act and now.state.hints:
            label = "Hint" if now.state.lesson is None else "Show the way"
            hints = (*hints[:1], Hint("y", label, "hint"), *hints[1:])
        found = with_news(hints, unread=self.unread, taken=bool(now.state.taken))
        if only_bots_play(now.state):
            label = "Pause again" if now.state.hurry else "No pauses"
            found = (*found[:1], Hint("H", label, "hurry"), *found[1:])
        if to_act and now.since:
            found = (*found, Hint("backspace", "Last round", "recap"))
        self._say_goal()
        found = JUMP if self.query(JumpLine) else found
        self.query_one("#hints", Hints).show(self.key_words.hints(found, self.keymap))
        self.show_board(moved=moved)
        self.controller.update_replay_panes()
        # The panes' places may depend on their contents.
        words = self.lasting_message()
        if words:
            self.say(words, "loud")
        elif moved and (now.state.my_seats or monotonic() - self._said_at > READING):
            self.say("")
        if moved and self._present is None:
            self.recap.follow(now)

    def _say_goal(self) -> None:
        self.query_one(GoalLine).show(self.goal_lines())

    def goal_lines(self) -> Sequence[tuple[str, str]]:
        """Return the goal, with roles, as lines below the header, until the user has won this game."""
        wanted = self.preferences.now.shows_guide(self.face.name) and not (self.replays or self._scene.over)
        words = self.face.goal_line(self._scene.view) if wanted else ""
        return [(f"{GOAL}{words}", "tip")] if words else []

    def lasting_message(self) -> str:
        """Return the words shown until the state changes, such as that the host is away, with the user's own keys."""
        return sentences.host_away_banner_words(self._scene.state, self.with_own_keys)

    def with_own_keys(self, text: str) -> str:
        return self.key_words.sentence(text, self.keymap)

    def say(self, text: str, role: str = "warn") -> None:
        """Show a message; an empty one restores the idle line."""
        if not self.has_widgets:
            return
        news = ""
        idles = not text
        if idles:
            if monotonic() - self._heard_at < HEARD_FOR:
                return  # give the user time to read the chat
            text, role = self.recap.text, "text"
            if not text:
                text, role = self.controller.message_when_idle(), self.controller.role_when_idle()
                news = self._news_of_others(text)
        else:
            self._said_at = monotonic()
        self._idles = idles
        self.query_one("#message", MessageLine).set_message(text, role, news)
        self._make_room()

    def put_news_away(self) -> None:
        """Remove the news from the message line: the player has read them."""
        if self._began_with:
            self._began_with = ()
            if self._idles:
                self.say("")

    def _news_of_others(self, below: str) -> str:
        now = self._scene
        if now.choices != self._began_with or not now.can_act or not now.since or self.replays:
            return ""
        in_sight = self.panes is None or self.panes.shows("log", 1 + len(wrap(below, self.size.width - 2)))
        fresh = 0 if in_sight else count_entries_from(self.face.log_line, now.state.log, now.since, now.view)
        if not fresh:
            return ""
        found = entries(self.face.log_line, now.state.log, now.view, last=min(fresh, RECENT_LINES))
        # A narrow line has no room for the end: events of this user come first.
        own = {line.index for line in found if line.seat is not None and now.state.plays(line.seat)}
        own = {index for index in own if now.state.log[index].event["type"] in self.face.falling}
        lines = sorted(found, key=lambda line: line.index not in own)
        key = self.key_words.key_of("recap", self.keymap)
        head = f"{count(fresh, 'new line')} ({key}): "
        told = [head + told_together(lines[:many]) for many in range(len(lines), 0, -1)]
        return next((text for text in told if cell_len(text) <= self.size.width - 2), told[-1])

    def _make_room(self) -> None:
        if self.panes is not None:
            self.panes.make_room()

    @property
    def is_covered(self) -> bool:
        """Whether a dialog covers the table; a closed one does not count."""
        return not self.is_active and self in self.app.screen_stack

    # Every key, click and palette line is a word for the controller

    def action_do(self, word: str) -> None:
        self.controller.do(word)

    def holds_key(self, key: str) -> bool:
        """Return whether a key waits for the tutor. Undo and quit do not: they stop the check."""
        if not self.is_mounted or not self.controller.holds_keys():
            return False
        active = self.active_bindings.get(key)
        return active is None or not (active.node is self.app or active.binding.action in AT_ONCE)

    def show_held_keys(self, keys: Sequence[str]) -> None:
        self.controller.advising.show_held_keys(keys)

    def on_panel_chosen(self, event: Panel.Chosen) -> None:
        event.stop()
        self.action_do(event.do)

    def on_key(self, event: events.Key) -> None:
        """Answer a key that does nothing here, maybe one of another keyboard layout; Esc ends looking back."""
        if event.key == "escape" and self.recap.looks_back:
            self.recap.end()
        elif event.is_printable and event.key not in self.active_bindings:
            event.stop()
            self.answer_idle_key(event)

    def answer_idle_key(self, event: events.Key) -> None:
        other = not event.key.isascii() and of_another_layout(event, self)
        self.say(OTHER_LAYOUT if other else self.with_own_keys(NO_USE.format(key=show_keys([event.key]))))

    async def on_jump_line_typed(self, event: JumpLine.Typed) -> None:
        event.stop()
        await self.controller.jump_to(event.letter)
