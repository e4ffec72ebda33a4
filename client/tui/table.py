"""The screen of a table: what every game's screen has. A game adds its board, its keys and what they do."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator, Mapping
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from textual.binding import Binding, BindingType
from textual.events import Event, ScreenResume
from textual.message import Message

from cave.game import Json
from client.face import Face
from client.present.chat import is_told, news
from client.present.log import count_from, entries
from client.present.scene import Scene
from client.settings.schema import Preferences
from client.table import Rejected, Session, TableState
from client.trouble import NO_LINK
from client.tui import sentences
from client.tui.asking import AskingScreen
from client.tui.key_words import KeyWords
from client.tui.keymap import Keymap
from client.tui.leaving import while_shown
from client.tui.widgets.alike import AlikeLines
from client.tui.widgets.chat import ChatPane
from client.tui.widgets.log import LogPane
from client.tui.widgets.message import MessageLine
from client.tui.widgets.panel import Panel

if TYPE_CHECKING:
    from client.tui.commands import Command

NOTICE = 20.0  # seconds
STYLES = Path(__file__).with_suffix(".tcss")
RECENT_LINES = 40
"""Lines of the log that the pane may show."""

BINDINGS: list[BindingType] = [
    Binding("u", "do('undo')", "Undo", id="game.undo", show=False),
    Binding("U", "do('reset')", "Reset the turn", id="game.reset", show=False),
    Binding("o", "do('log')", "Log", id="game.log", show=False),
    Binding("t", "do('chat')", "Chat", id="game.chat", show=False),
    Binding("question_mark,f1", "do('help')", "Help", id="game.help", show=False),
    Binding("B", "do('take_back')", "Take a seat back", id="game.take_back", show=False),
    Binding("comma", "do('settings')", "Settings", id="game.settings", show=False),
    Binding("q", "do('quit')", "Quit", id="game.quit", show=False),
]
"""The keys of every table. A game lists its own beside them, in the order in which help shows them."""

Do = Callable[[str], object]
"""What a word does; it gets what stands behind the colon in it, often nothing."""

SceneT = TypeVar("SceneT", bound=Scene)


def _commands() -> type[Any]:
    """The palette's lines, imported when the palette opens."""
    from client.tui.commands import TableCommands

    return TableCommands


class TableScreen(AskingScreen, AlikeLines, Generic[SceneT]):
    """A table that one plays at, watches or looks back on. Gives ``menu``, ``quit`` or ``rematch`` when
    the person leaves.

    A game's screen gives its scene (``make_scene``), its panes (``compose``), how they show a scene
    (``show_board``), and what its words do (``doings``). Panes have the ids ``log``, ``chat``, ``hints``
    and ``message`` where they are those of all games.
    """

    CSS_PATH: ClassVar[list[str | PurePath]] = [STYLES]
    COMMANDS: ClassVar[set[Any]] = {_commands}
    key_words: ClassVar[KeyWords]
    replays: ClassVar[bool] = False
    nothing_to_undo: ClassVar[str] = sentences.NOTHING_TO_UNDO
    # Nothing here asks for the classes of sizes, and to set them would style every pane anew.
    HORIZONTAL_BREAKPOINTS = []  # noqa: RUF012 - declared so by the library
    VERTICAL_BREAKPOINTS = []  # noqa: RUF012

    class Turn(Message):
        """Whether it is the turn of somebody here; ``new`` where that has just begun."""

        def __init__(self, mine: bool, new: bool) -> None:
            super().__init__()
            self.mine = mine
            self.new = new

    class Remember(Message):
        """An action was done of which the game wants something offered again in the next game."""

        def __init__(self, face: Face, action: Json) -> None:
            super().__init__()
            self.face = face
            self.action = action

    class Changed(Message):
        """The session has a new state."""

        def can_replace(self, message: Message) -> bool:
            """Only the newest state counts."""
            return isinstance(message, TableScreen.Changed)

    class SettingsWanted(Message):
        """The person wants to change settings; the app has the screen for that."""

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
    ) -> None:
        super().__init__(face, session, glyphs=glyphs, record_path=record_path, saved=saved)
        self.preferences = preferences or Preferences()
        wish = self.preferences.now.follow
        watching = not session.state.my_seats
        self._follows = follow or wish == "always" or (wish == "watching" and watching)
        self._remembered = remembered
        self._address = address
        self._scene: SceneT = self.make_scene(session.state, None)
        self._busy = False
        self._news = asyncio.Event()
        self._keys_shown: Keymap | None = None
        self._scored = False
        self._unread = 0
        self._talking = False
        self._words: Mapping[str, Do] | None = None

    # What a game gives

    def make_scene(self, state: TableState, last: int | None) -> SceneT:
        """All that is shown for a state of the table; ``last`` is the seat shown before."""
        raise NotImplementedError

    def show_board(self, *, moved: bool) -> None:
        """Bring the game's panes up to date; ``moved`` when it is another scene than before."""
        raise NotImplementedError

    def show_hints(self) -> None:
        """Bring the bar of keys up to date."""
        raise NotImplementedError

    def scene_changed(self, before: SceneT, *, first: bool) -> None:
        """Another scene is about to be shown."""

    def scene_shown(self, before: SceneT) -> None:
        """Another scene is shown: open what opens by itself."""

    def doings(self) -> Mapping[str, Do]:
        """What each word of a key, a click or the palette does."""
        return {
            "undo": lambda steps: self._undo(int(steps or 1)),
            "reset": lambda _: self._undo(self._scene.state.undoable.get(self._scene.seat or 0, 0)),
            "take_back": lambda _: self._take_back(),
            "log": lambda _: self.show_log(),
            "chat": lambda _: self._chat(),
            "help": lambda _: self.show_help(),
            "settings": lambda _: self.post_message(self.SettingsWanted()),
            "palette": lambda _: self.app.action_command_palette(),
            "quit": lambda _: self.ask_to_leave(),
        }

    def do_other(self, word: str) -> None:
        """A word that is not in ``doings``, such as a kind of action."""
        self.say(self.why(word))

    def why(self, word: str) -> str:
        """Why what a word stands for is not done now."""
        return sentences.NOT_NOW

    def plays(self, word: str) -> bool:
        """Whether what this word stands for asks the host for something."""
        return word in ("undo", "reset")

    def commands(self) -> Iterator[Command]:
        """What can be done, for the command palette."""
        yield from self.players()

    def players(self) -> Iterator[Command]:
        """Who plays, for the palette."""
        yield from ()

    def searched(self, query: str) -> Iterator[Command]:
        """What a query finds beside the commands, such as places."""
        yield from ()

    def idle_words(self) -> str:
        """What is said while there is nothing else to say, such as a tip for a newcomer."""
        return ""

    def shows_chat(self) -> bool:
        """Whether the pane of the chat has room for what was just said."""
        return bool(self.query(ChatPane))

    # The state of the table

    @property
    def scene(self) -> SceneT:
        """What is shown now."""
        return self._scene

    @property
    def keymap(self) -> Keymap:
        """The keys that the person has chosen in place of the usual ones."""
        return self.preferences.now.keys

    def on_mount(self) -> None:
        """Show the first state and listen for more."""
        self._show(self.session.state, first=True)
        self.session.listen(self._heard)

    def on_unmount(self) -> None:
        """Hear no more."""
        self.session.unlisten(self._heard)

    async def until(self, holds: Callable[[TableState], bool]) -> None:
        """Wait for a state of which this holds, or for the link to go."""
        while not holds(self.session.state) and self.session.state.link == "live":
            self._news.clear()
            await self._news.wait()

    def _heard(self, _state: TableState) -> None:
        """Called by the session, maybe outside of this screen's own task."""
        self._news.set()
        if self.is_attached:
            self.post_message(self.Changed())

    def on_table_screen_changed(self) -> None:
        """Show the newest state. What all see and what each seat sees come one after the other: a moment
        of which there is but a part is not shown, as the rest is on its way.
        """
        state = self.session.state
        if state is not self._scene.state and (state.whole or state.link != "live"):
            self._show(state)

    async def on_event(self, event: Event) -> None:
        """When the table opens, its styles have just been worked out, and need not be once more."""
        if isinstance(event, ScreenResume) and not self.stack_updates:
            event.refresh_styles = False
        await super().on_event(event)

    def on_screen_resume(self) -> None:
        """Come back from a list, a form or the settings."""
        # Only other keys are no matter of the table's own.
        if self.is_mounted and self._keys_shown not in (None, self.keymap):
            self.paint()

    # Showing

    def _show(self, state: TableState, *, first: bool = False) -> None:
        before, self._scene = self._scene, self.make_scene(state, self._scene.seat)
        now = self._scene
        if now.view is None or now.seat is None:
            return
        self.scene_changed(before, first=first)
        if first or before.turn != now.turn:
            self.post_message(self.Turn(now.can_act, now.can_act and not first))
        said = () if self._talking else news(before.state.chat, state.chat)
        self._unread += len(said)
        self.paint(moved=True)
        words = self.banner()
        told = is_told(len(state.my_seats), self.preferences.now.chat)
        if said and told and not words and not self.shows_chat():
            heard = sentences.HEARD if state.may_talk else sentences.ONLY_HEARD
            self.say(self.spoken(heard).format(name=said[-1].name, text=said[-1].text), "text")
        if words and words != sentences.banner(before.state, self.spoken) and self.is_covered:
            # Under a form it would be seen too late.
            self.notify(words, severity="warning", timeout=NOTICE, markup=False)
        self._show_end()
        self.scene_shown(before)

    def paint(self, *, moved: bool = False) -> None:
        """Bring every pane up to date; each paints only what changed."""
        now = self._scene
        if now.view is None or now.seat is None:
            return
        self._keys_shown = self.keymap
        if moved:
            for log in self.query(LogPane):
                since = now.since if now.state.my_seats else 0
                lines = entries(self.face.log_line, now.state.log, now.view, last=RECENT_LINES)
                log.show(lines, since, count_from(self.face.log_line, now.state.log, since, now.view))
        for chat in self.query(ChatPane):
            key = self.key_words.key_of("chat", self.keymap)
            chat.show(now.state.chat, self._unread, key, answers=now.state.may_talk)
        self.show_hints()
        self.show_board(moved=moved)
        # Where the panes lie may hang on what they show.
        words = self.banner()
        if words:
            self.say(words, "loud")
        elif moved:
            self.say("")

    def banner(self) -> str:
        """What stays on the screen while the host is not there, with the person's own keys."""
        return sentences.banner(self._scene.state, self.spoken)

    def spoken(self, text: str) -> str:
        """A sentence with the keys that the person has chosen."""
        return self.key_words.sentence(text, self.keymap)

    def say(self, text: str, role: str = "warn") -> None:
        """Say something; with nothing to say, what stands there while nothing is said."""
        if not text:
            text, role = self.idle_words(), "tip"
        self.query_one("#message", MessageLine).say(text, role)

    @property
    def is_covered(self) -> bool:
        """Whether a form or a list lies over the table; one that has been left lies under nothing."""
        return not self.is_active and self in self.app.screen_stack

    # Asking the host

    def send(self, seat: int, action: Json) -> None:
        """Do an action."""
        self.ask_host(lambda: self.session.act(seat, action))

    def ask_host(self, do: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Ask for something; one thing at a time, and what is refused is told."""
        if self.session.state.cut_off:
            self.refused(NO_LINK)
            return
        if self._busy:
            return
        self._busy = True

        async def work() -> None:
            try:
                await do()
            except Rejected as no:
                self.refused(no.message)
            except ConnectionError as error:
                self.refused(str(error) or NO_LINK)
            finally:
                self._busy = False

        self.run_worker(while_shown(work), group="act", exit_on_error=True)

    def refused(self, message: str) -> None:
        """Tell why something was not done."""
        expected = message == NO_LINK and self.session.state.expects_host
        words = "" if expected else sentences.banner(self.session.state, self.spoken)
        self.say(words or message, "loud" if words else "warn")

    # Doing: every key, click and palette entry comes here with a word

    def action_do(self, word: str) -> None:
        """Do what a key, a click or the palette asks for."""
        kind, _, more = word.partition(":")
        if self.session.state.halted and self.plays(kind) and not self._scene.over:
            self.refused(NO_LINK)
            return
        if self._words is None:
            self._words = self.doings()
        do = self._words.get(kind)
        if do is not None:
            do(more)
        else:
            self.do_other(kind)

    def on_panel_chosen(self, event: Panel.Chosen) -> None:
        """A click on a line or a hint."""
        event.stop()
        self.action_do(event.do)

    def _undo(self, steps: int) -> None:
        seat = self._scene.seat
        if seat is None or not self._scene.state.undoable.get(seat):
            self.say(self.nothing_to_undo)
            return
        self.ask_host(lambda: self.session.undo(seat, steps))

    def _take_back(self) -> None:
        if self._scene.state.taken:
            self.ask_host(self.session.take_back)
        else:
            self.say(sentences.NOTHING_TAKEN)

    def _show_end(self) -> None:
        """The score sheet opens by itself, once."""
        now = self._scene
        if now.over and not self._scored:
            self._scored = True
            if now.state.my_seats:
                self.preferences.guide_ends(self.face.name)
            self.show_score()
        else:
            self.hear_score(now.state)

    def _chat(self) -> None:
        from client.tui.screens.chat import ChatScreen

        def read(_: None) -> None:
            self._unread, self._talking = 0, False
            self.paint()

        self._talking = True
        self.app.push_screen(ChatScreen(self.session, line=self._line), read)
