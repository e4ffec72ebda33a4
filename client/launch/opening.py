"""Openings: the requests of the command line and the menu."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal

import msgspec
from msgspec.structs import replace

from cave import games
from cave.keys import KeyHolder
from client.launch import new_game
from client.launch.held_seats import HeldSeats
from client.launch.host_tables import TableLine
from client.launch.new_game import GameOptions, GamePlan, NameProblem
from client.settings.schema import Settings
from client.system import command_as_typed
from client.table import Rejected, TableState


def farewell_sentence(
    state: TableState,
    record: str,
    *,
    held: bool,
    saved: bool,
    here: bool = False,
    local: bool = False,
    to_menu: bool = False,
) -> str:
    """Return the sentence about a game that the user left: how to see it again by its ``record``, or how to
    resume it with the seats ``held``, unless nothing can be ``saved``. Before the menu it names menu entries.
    A game of bots that is saved ``here`` is not in the menu: it names the command. A series on a ``local``
    host can be resumed between two games, too.
    """
    if not saved:
        return NOT_SAVED if state.status == "playing" and not state.ended and state.touched else ""
    between = local and held and state.series_goes_on
    if record and not between:
        if to_menu:
            return "The game is saved. To see it again, choose Replay."
        return f"The game is saved. To see it again, type: {command_as_typed(f'replay {shlex.quote(record)}')}"
    playing = state.status == "playing" and not state.ended
    if between or (playing and (held or (here and state.touched))):
        what = "series" if state.series else "game"
        if to_menu and held:
            return f"The {what} is not over. To continue, choose Go on."
        return f"The {what} is not over. To continue, type: {command_as_typed(f'resume {state.table}')}"
    return ""


WHOSE = "Continue as whom?"
NOT_SAVED = "The game is not saved: nothing can be saved on this machine."
NO_SEATS = "You have no seat at the host at {address}. To sit down, type: {join}"


def own_seats(visit: Visit, lines: Sequence[TableLine]) -> HeldSeats | None:
    """Return the seats to resume without asking: with ``resume`` those of the latest table, unless several
    terminals left seats there, and those of users who return with the same names.

    Raises ConnectionError with a sentence if there is no seat to resume.
    """
    mine = [] if visit.watching else [line.held for line in lines if line.held is not None]
    if visit.resume and not mine:
        raise ConnectionError(NO_SEATS.format(address=visit.address, join=command_as_typed(f"join {visit.address}")))
    meant = [
        held
        for held in mine
        if (held.table == mine[0].table if visit.resume else {*held.players_here} == {*visit.names})
    ]
    return meant[0] if len(meant) == 1 else None


class Menu(msgspec.Struct, frozen=True):
    """The start menu, with a message, and whether it is an error."""

    message: str = ""
    wrong: bool = False


def back_to_menu(words: str) -> Menu:
    return Menu(words, words == NOT_SAVED)


class ChooseSettings(msgspec.Struct, frozen=True): ...


class HowToPlay(msgspec.Struct, frozen=True): ...


class Learn(msgspec.Struct, frozen=True):
    """The lesson of a game; no game: ask for it."""

    game: str = ""


class Today(msgspec.Struct, frozen=True):
    """The caves of the day; with a game, that one at once."""

    game: str = ""


class Puzzles(msgspec.Struct, frozen=True):
    """The puzzles of a game; no game: ask for it. With a ``number`` that one at once."""

    game: str = ""
    number: int = 0


class Mistakes(msgspec.Struct, frozen=True):
    """The mistakes of the user's last games as puzzles. With a ``number`` there is no new search: that one at
    once, or with 0 the list.
    """

    number: int | None = None


class ShowProfile(msgspec.Struct, frozen=True):
    """The user's results in each game."""


class NewGame(msgspec.Struct, frozen=True): ...


class QuickGame(GameOptions, frozen=True):
    """A game against a bot, or alone if possible; no game: ask for it. Asks for a name if it is unknown."""

    bots: tuple[str, ...] = ()
    open_seats: int = 0
    game: str = ""

    @property
    def needs_level(self) -> bool:
        """Whether it has bots without a chosen level."""
        game = games.game_info(self.game or games.default_game())
        return not self.bots and self._count_bots > 0 and len(game.bots) > 1

    @property
    def _count_bots(self) -> int:
        return sum(seat.kind == "bot" for seat in self.plan(new_game.NAMELESS).seats)

    def with_bots_of_level(self, level: str) -> QuickGame:
        """Return it with bots of this level: the same number, or one if it had none."""
        return replace(self, bots=(level,) * max(1, self._count_bots))

    def with_remembered_level(self, settings: Settings) -> QuickGame:
        """Return it with bots of the user's last level, unless it names one."""
        if not self.needs_level:
            return self
        return self.with_bots_of_level(new_game.level_to_play(games.game_info(self.game), settings.levels))

    def plan(self, *names: str) -> GamePlan:
        return new_game.make_plan(names, self.bots, self.open_seats, game=self.game, options=self)


class LocalGame(msgspec.Struct, frozen=True):
    plan: GamePlan


class Rematch(msgspec.Struct, frozen=True):
    """A rematch of the game that has just ended, or the next one of its series, on the same host."""


class NewTable(GameOptions, frozen=True):
    """A table to open at a host: ``seats`` for people, the opener included; None for the default number."""

    seats: int | None = None
    bots: tuple[str, ...] = ()
    game: str = msgspec.field(default_factory=games.default_game)

    def plan(self, names: Sequence[str]) -> GamePlan:
        usual = new_game.usual_seats(games.game_info(self.game))
        seats = self.seats or max(len(names), usual - len(self.bots))
        free = max(0, seats - len(names))
        return new_game.make_plan(names, self.bots, free, game=self.game, options=self)

    def why_not_opened(self, names: Sequence[str]) -> str:
        """Return a sentence why these people cannot open it and sit down, or nothing."""
        if self.seats is not None and self.seats < len(names):
            return f"{len(names)} people need {len(names)} seats, but you asked for {self.seats}."
        return new_game.plan_problem(self.plan(names))


class Visit(msgspec.Struct, frozen=True):
    """Go to a host: to sit down with these names, or to watch. No address: ask for it.

    With ``table`` a new table is opened there; ``code`` is for a table that needs one; ``accept_new``: also
    accept a new host key; ``plain``: also without encryption; ``resume``: back to the seats held there;
    ``follow``: the map scrolls to the active player; ``seats`` are the wanted seats, any if empty; ``only``:
    nothing else can be opened, before or after.
    """

    address: str = ""
    names: tuple[str, ...] = ()
    watching: bool = False
    accept_new: bool = False
    plain: bool = False
    resume: bool = False
    follow: bool = False
    table: NewTable | None = None
    code: str = ""
    seats: tuple[int, ...] = ()
    only: bool = False


class ResumedGame(KeyHolder, frozen=True):
    """Resume an unfinished game, with the seats whose keys are here, else to watch: with the ``command`` of a
    local host, or on the host at ``address``.

    A ``local`` game has its own folder on this machine. With ``over`` the seats of another terminal of this
    machine are taken over, too. ``shared`` is the address for others of the ``command``'s host. ``again``
    searches again for a game of this machine, which other programs here may open and leave. ``free`` are the
    seats of each terminal that left the game: if there are several, the player chooses. With ``reopen`` a
    shelved game is reopened. ``places`` are the keys of players of a round robin.
    """

    table: str
    keys: Mapping[int, str]
    command: tuple[str, ...] = ()
    address: str = ""
    accept_new: bool = False
    plain: bool = False
    local: bool = False
    over: bool = False
    shared: str = ""
    again: Callable[[], ResumedGame] | None = None
    free: tuple[HeldSeats, ...] = ()
    reopen: bool = False
    places: Mapping[str, str] = msgspec.field(default_factory=dict)

    def with_seats(self, held: HeldSeats) -> ResumedGame:
        return replace(self, keys=held.keys, places=held.places, free=())


class GoOn(msgspec.Struct, frozen=True):
    """Continue a game in which this user has seats, on any host."""

    table: str


class ReplayFile(msgspec.Struct, frozen=True):
    """Show a record; no path: choose one."""

    path: Path | None = None


class TableChoice(msgspec.Struct, frozen=True):
    """A table to sit down at with these names, else to watch or to resume seats; ``seats`` are chosen."""

    address: str
    table: str
    names: tuple[str, ...]
    held: HeldSeats | None = None
    code: str = ""
    seats: tuple[int, ...] = ()


Typed = Literal["names", "code"]
_WRONG: Mapping[str, Typed] = {"name_taken": "names", "wrong_code": "code"}


def field_to_retype(error: Exception) -> Typed | None:
    """Return the field to retype in order to sit down; None if no typed field is the reason."""
    if isinstance(error, NameProblem):
        return "names"
    return _WRONG.get(error.code) if isinstance(error, Rejected) else None


class TableWish(msgspec.Struct, frozen=True):
    """A new table at the host at this address; its kind is not chosen yet."""

    address: str
    names: tuple[str, ...]


Opening = (
    Menu
    | HowToPlay
    | Learn
    | Today
    | Puzzles
    | Mistakes
    | ShowProfile
    | ChooseSettings
    | NewGame
    | QuickGame
    | LocalGame
    | Visit
    | ReplayFile
    | ResumedGame
    | GoOn
    | Rematch
)
