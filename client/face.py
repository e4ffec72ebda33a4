"""The words for a game, shared by screens and line mode.

Shared rooms of the client know games only through this class. It knows no terminal; a game's screens and
line mode are in ``client/games/face.py``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from importlib import import_module
from typing import Any, ClassVar, Literal

import msgspec

from cave import games
from cave.game import AnyGame, Idea, Json
from cave.score import Score
from client.table import TableState

Sound = Literal["die", "find", "end"]
LETTERS = "ABCDEF"
"""The letters of the seats, in order."""


KEYS = """\
  1 to 9   take the choice with this number, or click on it
  y        a hint: what to do now, and why
  u        undo a step
  o        the log
  ?        this help
  q        leave; the game is saved
"""
"""The keys of the plain screen."""


class LogEntry(msgspec.Struct, frozen=True):
    """A line of the log. ``index`` is the place of its event in the log, ``at`` its place on the board.

    ``actor`` caused it, ``gain`` is its result; a ``loud`` line matters to all players.
    """

    index: int
    seat: int | None
    actor: str
    text: str
    gain: str = ""
    at: Any = None
    loud: bool = False

    @property
    def sentence(self) -> str:
        return " ".join(part for part in (self.actor, self.text, self.gain) if part)


class Page(msgspec.Struct, frozen=True):
    """A help page: the label of its tab, and its text; ``drawn``: below the legend of the board."""

    title: str
    text: str
    drawn: bool = False


class SheetWords(msgspec.Struct, frozen=True):
    """The words of a score sheet.

    ``categories`` are the titles of its rows by their names in ``Score.points`` and ``Score.bonus``,
    ``notes`` the texts for ``Score.note``. ``legend`` explains the bonus, ``tie`` names the tie-breaker, such
    as ``more gems``, ``look`` labels the button back to the board, ``no_winner`` is for a game that nobody
    wins, and ``so_far`` precedes the points of a running game. ``tokens`` has each seat's number of tokens,
    for categories that count tokens.
    """

    categories: Mapping[str, str]
    notes: Mapping[str, str] = {}
    legend: str = ""
    tie: str = ""
    look: str = "Look at the board"
    no_winner: str = "Nobody wins."
    so_far: str = "If it ended now:"
    tokens: Mapping[str, Sequence[int]] = {}


def _plain_field(value: Json) -> str:
    """Return a field of an action as text: places and lists with commas."""
    return ",".join(map(_plain_field, value)) if isinstance(value, list) else str(value).replace("_", " ")


PLACES = ("gems", "between")  # the fields of actions that have several places
PIECES = {
    "room": "the room {}",
    "good": "your {}",
    "at": "the place {}",
    "to": "the place {}",
    "gems": "the gems at {}",
    "between": "the places {}",
    "passage": "the passages of your place",
}
"""The fields of actions that name a piece or a place, in words; the most precise first."""


class Face(ABC):
    """The words for a game and its events. Stateless; one instance per game."""

    name: ClassVar[str]
    """The name of the game in ``cave.games``."""
    blurb: ClassVar[str]
    """The kind of game, in one line for lists of games."""
    length: ClassVar[str]
    """How long a game takes, such as ``30 to 60 minutes``."""
    brief: ClassVar[str] = ""
    """The rules in a few sentences: the help of a game that does not override ``help``."""
    signs: ClassVar[str] = ""
    """The module with the ``legend`` of its board; loaded on demand."""
    poster: ClassVar[str] = ""
    """The module whose ``poster`` returns the whole board as a widget, and the rest of the game's poster."""
    sheet: ClassVar[SheetWords]
    """The words of its score sheet, with all categories."""

    ratings: ClassVar[Mapping[str, float]] = {}
    """The Elo of each level of its bots; the weakest has 1000. See ``tests/bench/LEVELS.md``."""
    pieces: ClassVar[Mapping[str, str]] = PIECES
    asks: ClassVar[Mapping[str, str]] = {"points": "have {n} points"}
    """Goals of puzzles, by the names of ``Game.facts``."""
    falling: ClassVar[Collection[str]] = ()
    """The types of events that even the player who caused them sees step by step."""
    sounds: ClassVar[Mapping[str, Sound]] = {}
    """The sounds of event types."""
    events: ClassVar[Mapping[str, str]] = {}
    """The words for the events that a judge counts in its playouts, by name: ``you are home in time``."""
    aims: ClassVar[Mapping[str, str]] = {}
    """The reason for a plan that leads to an action of this type: ``it is the way to a dive``."""
    never_second: ClassVar[Collection[str]] = ()
    """The types of actions that a hint does not name as its second choice."""

    @property
    def game(self) -> AnyGame:
        """Its rules."""
        return games.get_game(self.name)

    @abstractmethod
    def scene(self, state: TableState, last: int | None) -> Any:
        """Return everything shown for a state of a running game; ``last`` is the seat shown before."""

    # The log, and turns

    def board(self, scene: Any) -> Sequence[str]:
        """Return the board as a few lines of text, for a game without its own screen. The plain screen shows
        them, and line mode prints them when they change.
        """
        return ()

    @abstractmethod
    def log_line(self, index: int, event: Json, view: Any) -> LogEntry | None:
        """Return the sentence of an event, or None if it needs none.

        ``index`` is the event's place in the log, ``view`` a current view of the game. An event has only
        public information; the secrets of the user's own seat are in its ``view``.
        """

    def turn(self, event: Json) -> int | None:
        """Return the seat whose turn begins with this event, None for any other event. Each turn needs an
        event; the first turn may begin with the game. A game in which all players act at once has no turns.
        """
        return None

    def ends_turn(self, event: Json) -> bool:
        """Return whether a turn ends with this event, for a game in which a separate action begins the next
        turn.
        """
        return False

    def running_turn(self, view: Any) -> int | None:
        """Return the seat whose turn it is in a view; None if no turn runs: in a setup in which all act at
        once, between turns, after the end.
        """
        return None

    def turn_shown(self, number: int, start: Any) -> int:
        """Return the number that the game's screen shows for a turn. ``number``: from 1, over all seats, in a
        record with this view of its ``start``.
        """
        return number

    def round_began(self, event: Json, view: Any) -> bool:
        """Return whether a round begins with this event: with the first seat's turn."""
        return self.turn(event) == 0

    def before_turns(self, view: Any) -> str:
        """Return what happens while no turn runs, in a word, such as ``packing``."""
        return "the start"

    def round_number(self, view: Any) -> int | None:
        """Return the round in a game whose rules count rounds; None otherwise (``round_began`` decides)."""
        return None

    def round_runs(self, view: Any) -> bool:
        """Return whether a round runs in a view, for a game that does not count rounds."""
        return self.running_turn(view) is not None

    def round_after(self, before: int, events: Iterable[Json], view: Any) -> int:
        """Return the round after these events; for games that do not count rounds, the number of rounds that
        began. ``before`` is the result before the events, at first 0.
        """
        number = self.round_number(view)
        return before + sum(self.round_began(event, view) for event in events) if number is None else number

    def last_rounds(self, view: Any) -> bool:
        """Return whether the end of the game has been triggered."""
        return False

    def last_rounds_words(self) -> str:
        """Return the label of the end trigger in the plot of points."""
        return "the end is near"

    def aim(self, view: Any) -> tuple[float, str] | None:
        """Return the points needed to win, and the label of their line in the plot; mostly None."""
        return None

    # Words

    def sheet_of(self, view: Any) -> SheetWords:
        """Return the words of a game's score sheet, with only the categories that this game can score."""
        return self.sheet

    def help(self, glyphs: str) -> Mapping[str, Page]:
        """Return the help pages by name.

        Every game has ``brief`` (the rules in short), ``how`` (how to play, for newcomers) and ``keys`` (how
        to start on the screen). A game may have a ``legend`` and pages for its own screens. The title "Rules"
        is reserved for its ``RULES.md``.
        """
        text = f"{self.brief or self.blurb}\n"
        return {"brief": Page("In short", text), "how": Page("How to play", text), "keys": Page("Keys", KEYS)}

    def legend(
        self, page: Any = None, glyphs: str = "ascii", *, light: bool = False, zoom: str = ""
    ) -> Iterable[tuple[Any, str]]:
        """Return the signs of the board, each with a sentence: rows of segments that its painter drew for the
        widget ``page`` in the size ``zoom``; without a page, plain text.
        """
        found: Iterable[tuple[Any, str]] = ()
        if self.signs:
            found = import_module(self.signs).legend(page, glyphs, light=light, zoom=zoom)
        return found

    def commands_to_begin(self) -> str:
        """Return a line with the most useful commands of line mode."""
        return ""

    def goal(self, view: Any) -> Sequence[str]:
        """Return how to win and lose the game, in a line or two."""
        return ()

    def goal_line(self, view: Any) -> str:
        """Return the goal in at most 70 columns, for the line ``Goal:`` on the board."""
        return next(iter(self.goal(view)), "")

    def remark(self, scores: Sequence[Score], names: Sequence[str]) -> str:
        """Return a sentence to add to the result, or nothing; by default about the tie-breaker."""
        best = max((score.total or 0 for score in scores), default=0)
        tied = [score for score in scores if score.total == best]
        won = [score for score in tied if score.winner]
        if not self.sheet.tie or len(tied) < 2 or len(won) != 1:
            return ""
        return f"Equal points: {names[won[0].seat]} wins with {self.sheet.tie}."

    def feats(self, view: Any, seat: int) -> Sequence[str]:
        """Return the best achievements of a seat in a finished game, as two or three parts of a sentence."""
        points = view.standing[seat].points
        titles = self.sheet_of(view).categories
        best = sorted((name for name in titles if points.get(name)), key=lambda name: -points[name])
        return [f"{points[name]:g} from {titles[name].lower()}" for name in best[:2] if len(titles) > 1]

    def summary(self, view: Any) -> str:
        """Return a few words about a finished game, shown beside its number of rounds, or nothing."""
        return ""

    def action_words(self, scene: Any, action: Json) -> str:
        """Return an action as an instruction: ``move east (1 AP)``.

        ``scene`` is the game's own, of the active seat. By default it is the action's type and fields.
        """
        kind, *others = [str(action.get("type", "")), *(name for name in action if name != "type")]
        told = [f"{name.replace('_', ' ')} {_plain_field(action[name])}" for name in others]
        return " ".join([kind.replace("_", " "), *([f"({', '.join(told)})"] if told else [])])

    def piece_words(self, scene: Any, action: Json) -> str:
        """Return the piece or place that an action is about: ``the place 3,2``; empty if there is none."""
        field = next((name for name in self.pieces if name in action), None)
        if field is None:
            return ""
        value = action[field]
        parts = value if field in PLACES else [value]
        return self.pieces[field].format(" and ".join(map(_plain_field, parts)))

    def action_reason(self, scene: Any, action: Json, then: Sequence[Json] = ()) -> str:
        """Return the reason for an action, as the end of a sentence: ``it brings 2 points``; or nothing.

        ``then`` are the planned actions after it. A hint shows the reason beside the chance to win.
        """
        return ""

    def action_harm(self, scene: Any, action: Json) -> str:
        """Return what an action would spoil, as the end of a sentence, for the tutor's warning; or nothing."""
        return ""

    def turns_back(self, scene: Any, plan: Idea) -> bool:
        """Return whether a plan turns back. A hint never calls such a plan as good as one that goes on."""
        return False

    def sure_win(self, scene: Any) -> Json | None:
        """Return the action that wins for good, or almost surely, if there is one: a hint names only that, and no
        analysis calls it a mistake.
        """
        return None

    def tutor_accepts(self, scene: Any, action: Json) -> bool:
        """Return whether the tutor never warns of an action: it keeps a lead for good, is suggested
        elsewhere, or nothing else can be done. A hint names it before an idea that is only as good.
        """
        return False

    def gain_shown(self, scene: Any, action: Json) -> float:
        """Return the points that the screen shows for an action, less those that it lets a rival take."""
        return 0

    def opens_shown(self, scene: Any, action: Json) -> float:
        """Return the points that the screen shows an action to let a rival take: no hint says the contrary."""
        return 0

    def remembered(self, action: Json) -> Json | None:
        """Return the part of an action to offer again in the next game; None for most."""
        return None

    def recall(self, memory: Mapping[str, Json]) -> Json:
        """Return the part that ``remembered`` saved, from the memory of all games; None at first."""
        return memory.get(self.name)
