"""The screen of Sir Ocelot's Cave: every key, click and palette entry, and what it does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType

from cave.codec import Place, typed_json
from cave.sir_ocelots_cave import checks
from cave.sir_ocelots_cave.actions import Action, Advance, Collect, PlaceCompanion
from cave.sir_ocelots_cave.board import BIT, RAYS, RIM
from cave.sir_ocelots_cave.components import TOOLS, Tool
from cave.sir_ocelots_cave.refusals import sentence
from client.face import Face
from client.games.sir_ocelots_cave import hand, picture, settings, telling, terms, words
from client.games.sir_ocelots_cave.aiming import around, beside
from client.games.sir_ocelots_cave.guide import guide
from client.games.sir_ocelots_cave.hand import Hand
from client.games.sir_ocelots_cave.previews import bringing
from client.games.sir_ocelots_cave.scene import OcelotScene, scene
from client.games.sir_ocelots_cave.screen import keys, sentences
from client.games.sir_ocelots_cave.screen.arrangement import LEAST, arrange
from client.games.sir_ocelots_cave.screen.board import BoardPane
from client.games.sir_ocelots_cave.screen.here import HerePane
from client.games.sir_ocelots_cave.screen.panes import GemPane, Header, Players, Worth
from client.games.sir_ocelots_cave.slips import slip
from client.present.cells import Box
from client.table import Session, TableState
from client.tui.commands import Command
from client.tui.key_words import KeyWords
from client.tui.paned_table import PanedTable
from client.tui.sentences import ENDED_EARLY, GUIDE_OFF, NOT_NOW
from client.tui.table import Do
from client.tui.widgets.hints import Hints
from client.tui.widgets.log import LogPane
from client.tui.widgets.message import MessageLine

PLAYING = frozenset({"enter", "undo", "reset"})
OF_A_TURN = frozenset({"tool", "turn_over", "bringing", "way", "toggle", "all", "cover", "undo", "reset"})
"""What has no sense any more when the game is over."""
START: Place = (9, 4)
"""Where the cursor is at first: the rim space that looks everywhere."""
WORDS = (
    ("Place", "what enter does at the cursor", "enter"),
    ("Compass", "take it in hand; again: the other kind", "tool:compass"),
    ("Lamp", "take it in hand; again: the other kind", "tool:lamp"),
    ("Pickaxe", "take it in hand; again: the other kind", "tool:pickaxe"),
    ("Turn the tool over", "its other side up", "turn_over"),
    ("Next place", "the cursor to the next free rim space, or the next gem", "next:1"),
    ("What collects something", "the cursor to a rim space where a tool of yours does", "bringing"),
    ("Companion", "the cursor to a square where it can go", "way"),
    ("All gems or none", "while you collect", "all"),
    ("Amethysts", "show or cover yours, where two share a keyboard", "cover"),
    ("Undo", "take back one step of this turn", "undo"),
    ("Reset the turn", "take back all that can be taken back", "reset"),
    ("Log", "everything that has happened", "log"),
    ("Chat", "talk to the others", "chat"),
    ("Take a seat back", "play again for the seat that another terminal took over", "take_back"),
    ("Guide", "tips for a first game, on or off", "guide"),
    ("Help", "rules in brief, the board's signs, keys", "help"),
    ("Leave the table", "to the menu, or out of the program", "quit"),
)
"""The lines of the palette: name, what it is for, and the word of the key that does it."""


class OcelotScreen(PanedTable[OcelotScene]):
    """A table that one plays at or watches."""

    BINDINGS: ClassVar[list[BindingType]] = keys.BINDINGS
    LEAST: ClassVar[tuple[int, int]] = LEAST
    COVERED: ClassVar[frozenset[str]] = frozenset({"log", "here", "controls"})
    key_words: ClassVar[KeyWords] = keys.KEY_WORDS
    nothing_to_undo: ClassVar[str] = sentences.NOTHING_TO_UNDO

    def __init__(self, face: Face, session: Session, **options: Any) -> None:
        super().__init__(face, session, **options)
        self._cursor: Place = START
        self._hands: dict[int, Hand] = {}
        """The tool in hand of each seat here."""
        self._left_out: frozenset[Place] = frozenset()
        self._covered = True
        self._guide = guide()
        self._warned: Action | None = None
        """The placement that was warned of: to ask for it again is to want it."""

    def make_scene(self, state: TableState, last: int | None) -> OcelotScene:
        """The table as the shown seat sees it."""
        return scene(state, last)

    # What the screen is made of

    def compose(self) -> ComposeResult:
        """All panes; where they lie is a matter of the size."""
        glyphs, line, light = self._glyphs, self._line, self.preferences.now.light
        yield Header(id="header")
        yield BoardPane(glyphs=glyphs, light=light, id="board")
        yield Worth(glyphs=glyphs, light=light, id="worth")
        yield Players(glyphs=glyphs, light=light, id="players")
        yield HerePane(line=line, id="here")
        yield LogPane(line=line, id="log")
        yield Hints(id="hints")
        yield MessageLine(id="message")

    def arranged(self, width: int, height: int) -> Mapping[str, Box]:
        """Where the panes lie."""
        return arrange(width, height, replay=self.replays)

    @property
    def board(self) -> BoardPane:
        """The board."""
        return self.query_one("#board", BoardPane)

    @property
    def cursor(self) -> Place:
        """The place pointed at."""
        return self._cursor

    @property
    def hand(self) -> Hand | None:
        """The tool in hand of the shown seat."""
        seat = self.scene.seat or 0
        return hand.kept(self.scene.cave, seat, self._hands.get(seat))

    @property
    def left_out(self) -> frozenset[Place]:
        """The gems that are not taken."""
        return self._left_out

    # Showing

    def scene_changed(self, before: OcelotScene, *, first: bool) -> None:
        """Cover what is secret when the keyboard is passed, and begin to collect with all gems."""
        now = self.scene
        if first or before.seat != now.seat:
            self._covered = now.shares_keyboard
        if now.collectable != before.collectable:
            self._left_out = frozenset()
        self._guide.follow(now, wanted=self.preferences.now.guides(self.face.name))

    def show_board(self, *, moved: bool) -> None:
        """Bring the panes up to date; each paints only what changed."""
        now = self.scene
        held = self.hand
        self.board.show(picture.board(now, self._cursor, held, self._left_out))
        self.query_one("#here", HerePane).show(telling.here(now, self._cursor, held, self._left_out))
        self.query_one("#header", Header).show(now, self._address or now.state.address)
        note = f"({self.key_words.key_of('cover', self.keymap)})" if now.shares_keyboard else ""
        self.query_one("#players", Players).show(words.players(now, covered=self._covered), note)

    def show_hints(self) -> None:
        """The keys of the moment."""
        found = keys.hints(self.scene, unread=self._unread)
        self.query_one("#hints", Hints).show(self.key_words.hints(found, self.keymap))

    def idle_words(self) -> str:
        """The one thing that is left to be done, or what the guide explains."""
        if self.scene.companion_must_come:
            return self._must_come()
        return self.spoken(self._guide.text)

    def _must_come(self) -> str:
        name = terms.companion(self.scene.seat or 0)
        return self.spoken(sentences.COMPANION_MUST_COME.format(name=name))

    def shows_chat(self) -> bool:
        """There is no pane for it: what is said is told."""
        return False

    def on_screen_resume(self) -> None:
        """Come back from the settings, maybe with other ones."""
        if self.is_mounted:
            light = self.preferences.now.light
            if light != self.board.light:
                self.board.light = light
                self.board.refill()
                for pane in self.query(GemPane):
                    pane.set_light(light)

    # Doing

    def doings(self) -> Mapping[str, Do]:
        """What one does at this table."""
        found: dict[str, Do] = {
            **super().doings(),
            "enter": lambda _: self._enter(),
            "tool": self._take,
            "turn_over": lambda _: self._turn_over(),
            "next": lambda by: self._next(int(by or 1)),
            "bringing": lambda _: self._bringing(),
            "way": lambda _: self._way(),
            "toggle": self._toggle,
            "all": lambda _: self._all(),
            "cover": lambda _: self._show_or_cover(),
            "go": self._go,
            "guide": lambda _: self._toggle_guide(),
        }
        return found | {word: self._in_game(word, found[word]) for word in OF_A_TURN}

    def plays(self, word: str) -> bool:
        """Whether it asks the host for something."""
        return word in PLAYING

    def why(self, word: str) -> str:
        """Why nothing can be done now."""
        now = self.scene
        if now.state.ended_early:
            return ENDED_EARLY
        if now.mode == "over":
            return self.spoken(sentences.OVER)
        if now.mode == "waiting":
            return sentences.OTHERS_PLAY.format(name=now.view.names[now.cave.seat or 0])
        return self.spoken(sentences.WATCHING) if now.mode == "watching" else NOT_NOW

    def _in_game(self, word: str, do: Do) -> Do:
        """What a word of a turn does until the game is over."""
        return lambda more: self.say(self.why(word)) if self.scene.mode == "over" else do(more)

    def _enter(self) -> None:
        now = self.scene
        if now.mode == "over":
            self.show_score()
        elif now.mode == "collecting":
            self._act(Collect(tuple(at for at in now.collectable if at not in self._left_out)))
        elif now.mode != "acting":
            self.say(self.why("enter"))
        elif self._cursor in RAYS:
            held = self.hand
            if held is None:
                self.say(self._must_come())  # Without tools nothing else is left to place (rule 3.4).
            else:
                self._place(held.at(self._cursor))
        elif now.me.companion is None:
            self._place(PlaceCompanion(self._cursor))
        else:
            self._place(Advance(self._cursor))

    def _place(self, action: Action) -> None:
        """Place a piece, or say why not."""
        now = self.scene
        seat = now.seat or 0
        code = checks.check(now.cave, seat, action)
        wanted = self.preferences.now
        warned = action == self._warned or not wanted.value(settings.SLIP)
        found = None if code or warned else slip(now.cave, seat, action)
        if code:
            self.say(sentence(now.cave, seat, action, code))
        elif found is not None:
            self.say(self.spoken(sentences.slip(found)))
            self._warned = action
        elif wanted.value(settings.PLACE):
            self.confirm(*sentences.CONFIRM_PLACE, lambda: self._act(action), sure=True)
        else:
            self._act(action)

    def say(self, text: str, role: str = "warn") -> None:
        """Say something. A warning about a slip holds as long as it is there to be read."""
        self._warned = None
        super().say(text, role)

    def _act(self, action: Action) -> None:
        self.send(self.scene.seat or 0, typed_json(action))

    # The tool in hand

    def _take(self, tool: str) -> None:
        now = self.scene
        seat = now.seat or 0
        name: Tool = next(each for each in TOOLS if each == tool)
        found = hand.take(now.cave, seat, name, self.hand)
        if found is None:
            self.say(sentences.NO_TOOL.format(tool=name))
        else:
            self._hold(found)

    def _turn_over(self) -> None:
        held = self.hand
        if held is not None:
            self._hold(hand.turned(held))

    def _hold(self, held: Hand) -> None:
        self._hands[self.scene.seat or 0] = held
        self.say("")
        self.paint()

    # Gems to be collected

    def _toggle(self, place: str) -> None:
        now = self.scene
        at = self._cursor
        if place:
            x, _, y = place.partition(",")
            at = (int(x), int(y))
        if at not in now.collectable:
            self.say(self.spoken(sentences.NO_GEM) if now.mode == "collecting" else self.why("toggle"))
            return
        self._left_out = self._left_out ^ {at}
        self.point_at(at)

    def _all(self) -> None:
        now = self.scene
        if now.mode == "collecting":
            self._left_out = frozenset() if self._left_out else frozenset(now.collectable)
            self.paint()
        else:
            self.say(self.why("all"))

    def _show_or_cover(self) -> None:
        now = self.scene
        if not now.shares_keyboard:
            self.say(sentences.YOURS_ARE_SEEN if now.state.my_seats else self.why("cover"), "text")
        elif not now.me.amethysts:
            self.say(sentences.NONE_THERE, "text")
        else:
            self._covered = not self._covered
            self.paint()

    # Looking around

    def point_at(self, at: Any) -> None:
        """Put the cursor on a place."""
        self._cursor = at
        self.say("")
        self.paint()

    def _go(self, by: str) -> None:
        x, y = (int(each) for each in by.split(","))
        self.point_at(beside(self._cursor, (x, y)))

    def _next(self, by: int) -> None:
        now = self.scene
        self._cycle(now.collectable if now.mode == "collecting" else now.free or RIM, by)

    def _bringing(self) -> None:
        now = self.scene
        seat = now.seat or 0
        found = bringing(now.cave, seat)
        if not found:
            self.say(sentences.NONE_BRINGS, "text")
            return
        best: dict[Place, Hand] = {}
        for trial in found:
            best.setdefault(trial.at, Hand(trial.tool, trial.kinds[0]))
        spaces = tuple(best)
        at = spaces[(spaces.index(self._cursor) + 1) % len(spaces)] if self._cursor in best else spaces[0]
        self._hands[seat] = best[at]
        self.point_at(at)

    def _way(self) -> None:
        if self.scene.ways:
            self._cycle(tuple(self.scene.ways), 1)
        else:
            self.say(sentences.NO_WAY)

    def _cycle(self, places: Sequence[Place], by: int) -> None:
        if places:
            self.point_at(around(places, self._cursor, by))

    def _toggle_guide(self) -> None:
        wanted = not self.preferences.now.guides(self.face.name)
        self.preferences.guide(self.face.name, wanted=wanted)
        self._guide.follow(self.scene, wanted=wanted)
        self.say("" if wanted else self.spoken(GUIDE_OFF), "text")

    def on_board_pane_clicked(self, event: BoardPane.Clicked) -> None:
        """The first click points, the second does; while collecting a click takes or leaves a gem."""
        event.stop()
        if event.at in self.scene.collectable:
            self._toggle(terms.place(event.at))
        elif event.at == self._cursor and self.scene.mode == "acting":
            self.action_do("enter")
        else:
            self.point_at(event.at)

    # The palette and the help

    def commands(self) -> Iterator[Command]:
        """What can be done, for the palette."""
        for text, help_, word in WORDS:
            yield Command(text, help_, partial(self.action_do, word))
        yield from self.players()

    def players(self) -> Iterator[Command]:
        """The companions, to be found on the board."""
        for player in self.scene.cave.players:
            if player.companion is not None:
                label = f"Show the companion of {player.name}"
                yield Command(label, "move the cursor there", partial(self.point_at, player.companion))

    def searched(self, query: str) -> Iterator[Command]:
        """A place by its numbers."""
        x, _, y = query.casefold().removeprefix("go to ").partition(",")
        if x.strip().isdecimal() and y.strip().isdecimal():
            at = (int(x[:4]), int(y[:4]))
            if at in BIT or at in RAYS:
                yield Command(f"Go to {terms.place(at)}", terms.where(at), partial(self.point_at, at))

    def about(self) -> Sequence[str]:
        """The rules that matter where one points."""
        if self.scene.mode == "collecting":
            return ("3.5", "4.1", "5.1", "5.2")
        if self._cursor in RAYS:
            return ("3.3", "1.2", "4.1")
        return ("3.2" if self.scene.me.companion else "3.4", "4.3", "4.1")
