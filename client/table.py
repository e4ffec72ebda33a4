"""The state of a table as a client knows it: one frozen value, of a live table or a replay."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Protocol

import msgspec

from cave import protocol
from cave.game import AnyGame, Json, Refusal
from client.wording import a_bot, told_apart, without_rule

Link = Literal["live", "syncing", "lost", "closed"]
Missing = Literal["", "nowhere", "unproven", "refused"]
Closed = Literal["", "stopped", "ended", "shelved", "gone", "died", "left", "unclear"]
"""Why a table is closed: the host went down; its owner ended the game; it shelved an unplayed game; it no
longer has the game; our own host died; the terminal of our host has left; or its messages about the game are
invalid.
"""

Lost = Literal["", "taken", "freed", "resigned"]
"""A seat was given up before the start, taken by another terminal, freed by the owner, or left to a bot."""


Until = protocol.Until

TURN_BEGAN = "turn_began"  # the event of a turn that begins: not an action of the seat


class Rejected(Exception):
    """The host refused; show ``message`` as it is."""

    def __init__(self, code: str, message: str) -> None:
        message = without_rule(message)
        super().__init__(message)
        self.code = code
        self.message = message


class Seat(msgspec.Struct, frozen=True):
    """A seat of the table. ``kind`` is ``person``, ``bot`` or ``open`` (nobody sits there yet).

    ``stand_in`` is the substitute while its owner is away or idle: none, a ``bot``, or the host, which makes
    it ``skip`` its turns. ``level`` is that of the bot that plays the seat now, ``handed`` whether its owner
    wanted that. ``team`` is the name of an open seat's team in a running game, ``kept`` the player for whom
    an open seat of a rematch is reserved.
    """

    name: str
    kind: Literal["person", "bot", "open"]
    present: bool = True
    mine: bool = False
    stand_in: Literal["", "bot", "skip"] = ""
    team: str = ""
    level: str = ""
    handed: bool = False
    kept: str = ""

    @property
    def known_name(self) -> str:
        """The name of the seat's team; empty for an open seat before the game."""
        return self.name or self.team

    @property
    def must_agree(self) -> bool:
        """Whether its owner has to agree to requests: not if a bot plays the seat."""
        return self.kind == "person" and not self.handed and (self.present or not self.level)

    @property
    def name_as_shown(self) -> str:
        return told_apart(self.known_name, self.kind)

    @property
    def absence_words(self) -> str:
        """Why its owner is not playing, and the substitute, in words; empty while the owner plays."""
        if self.present and (self.handed or not self.stand_in):
            return ""
        then = {"": "", "bot": f": {a_bot(self.level)} plays", "skip": ": skipped"}[self.stand_in]
        return f"{'free seat' if self.kind == 'open' else 'idle' if self.present else 'away'}{then}"


Proposal = protocol.ProposalLine
LogLine = protocol.LogLine  # ``seq`` is 0 for this client's own note about a player who comes or goes
ChatLine = protocol.ChatLine


class LessonLines(msgspec.Struct, frozen=True, kw_only=True):
    """The current lines of a lesson: step ``number`` (from 1) of ``of``, with a heading ``head``. Keys are in
    braces.

    ``done``: the step waits for the user to continue; ``answer`` is the lesson's answer to a mistake;
    ``shows``: the board shows its result; ``plays``: the lesson plays on. ``lit`` has places, as in the
    game's actions, and ids of panes, like ``hidden``; ``codes`` are codes on the screen with their words.
    ``there`` is the place of the last wanted action; ``now`` replaces ``lines`` while the player points
    there, or after the ``first`` action.
    """

    number: int
    of: int
    lines: tuple[str, ...]
    head: str = ""
    done: bool = False
    answer: str = ""
    shows: bool = False
    plays: bool = False
    lit: tuple[Json, ...] = ()
    hidden: tuple[str, ...] = ()
    codes: tuple[tuple[str, str], ...] = ()
    there: Json = None
    now: str = ""
    first: bool = True


class TableState(msgspec.Struct, frozen=True, kw_only=True):
    """Everything this client knows of one table.

    ``view`` is a watcher's view, None until the game starts; ``views``, ``choices`` (the game's values,
    decoded), ``refusals``, ``undoable`` (number of steps that can be undone) and their sequence number
    ``seen`` are by seat, for the seats this client holds. ``closed`` is the reason, if the link is
    ``closed``; ``missing`` says why an expected host does not return: it was found ``nowhere`` for a while,
    another host answers (``unproven``), or this client is ``refused``. ``taken`` are this client's former
    seats that another terminal took, ``freed`` those freed by the host's owner, ``left_to_bots`` those played
    by bots since this client resigned. ``rematch_by`` is the seat that asked for a rematch, if any;
    ``plays_later``: players of this client sit out this game of a round robin; ``watchers_chat``: watchers
    may chat. ``set_aside`` is the host's sentence about a game that nobody can continue, ``resigned``:
    because of a resignation; ``unsaved`` is the host's sentence while it cannot save and the game waits.
    ``series`` is the score of a series; ``proposal`` a player's request to the others, ``hurry`` how long
    bots do not pause; ``hints``: the table allows hints; ``code``: sitting down needs one; ``lesson`` has the
    lines of a lesson. Teams in views have the names of the seats' current owners.
    """

    table: str
    title: str
    game: AnyGame
    seq: int = 0
    status: Literal["waiting", "playing", "over"] = "waiting"
    seats: tuple[Seat, ...] = ()
    view: Any = None
    views: Mapping[int, Any] = msgspec.field(default_factory=dict)
    choices: Mapping[int, tuple[Any, ...]] = msgspec.field(default_factory=dict)
    refusals: Mapping[int, tuple[Refusal, ...]] = msgspec.field(default_factory=dict)
    undoable: Mapping[int, int] = msgspec.field(default_factory=dict)
    seen: Mapping[int, int] = msgspec.field(default_factory=dict)
    log: tuple[LogLine, ...] = ()
    chat: tuple[ChatLine, ...] = ()
    watchers: int = 0
    watchers_chat: bool = True
    link: Link = "live"
    closed: Closed = ""
    missing: Missing = ""
    taken: tuple[int, ...] = ()
    freed: tuple[int, ...] = ()
    left_to_bots: tuple[int, ...] = ()
    rematch_by: int | None = None
    plays_later: bool = False
    series: protocol.SeriesLine | None = None
    set_aside: str = ""
    unsaved: str = ""
    resigned: bool = False
    proposal: Proposal | None = None
    hurry: Until = ""
    hints: bool = True
    code: bool = False
    address: str = ""
    lesson: LessonLines | None = None

    @property
    def ended(self) -> bool:
        return self.status == "over" or self.resigned

    @property
    def resignation(self) -> str:
        """The sentence about a game that ended by resignation; empty for any other."""
        return self.set_aside if self.resigned else ""

    @property
    def my_seats(self) -> tuple[int, ...]:
        return tuple(number for number, seat in enumerate(self.seats) if seat.mine)

    @property
    def may_rematch(self) -> bool:
        """Whether this client can go to a rematch: as a player, or to watch after a player asked for it."""
        played = self.my_seats or self.left_to_bots or self.plays_later
        return self.ended and not self.cut_off and (bool(played) or self.rematch_by is not None)

    @property
    def series_goes_on(self) -> bool:
        """Whether another game of the series follows."""
        return self.series is not None and not self.series.over

    @property
    def rematch_inviter(self) -> str:
        """The name of another player who has asked for a rematch, or empty."""
        seat = self.rematch_by
        mine = seat is None or self.seats[seat].mine or seat in self.left_to_bots
        return "" if seat is None or mine else self.seats[seat].known_name

    @property
    def rematch_is_open(self) -> bool:
        """Whether somebody else has opened the next table; in a round robin perhaps a player who sits out."""
        robin = self.series is not None and bool(self.series.players)
        return bool(self.rematch_inviter) or (robin and self.rematch_by is not None)

    @property
    def hot_seat(self) -> bool:
        return len(self.my_seats) > 1

    @property
    def seats_handed_over(self) -> tuple[int, ...]:
        return tuple(seat for seat in self.my_seats if self.seats[seat].handed)

    def plays(self, seat: int) -> bool:
        """Return whether the users of this keyboard play a seat: it is theirs, and no bot has it."""
        return self.seats[seat].mine and not self.seats[seat].handed

    @property
    def may_talk(self) -> bool:
        return self.watchers_chat or bool(self.my_seats)

    @property
    def waits_for(self) -> int:
        """How many players the game waits for; 0 after its start."""
        return sum(seat.kind == "open" for seat in self.seats) if self.status == "waiting" else 0

    @property
    def cut_off(self) -> bool:
        """Whether the host is unreachable, for now or for good."""
        return self.link in ("lost", "closed")

    @property
    def halted(self) -> bool:
        return self.cut_off or bool(self.set_aside)

    @property
    def ended_early(self) -> bool:
        """Whether the game can never continue here, though it is not over."""
        return (bool(self.set_aside) or self.host_gone) and self.status != "over"

    @property
    def host_gone(self) -> bool:
        """Whether the host no longer has this table, or will not return."""
        return self.link == "closed" and not self.expects_host

    @property
    def expects_host(self) -> bool:
        """Whether the host is unreachable, but expected to return."""
        return self.link == "lost" or (self.link == "closed" and self.closed == "stopped")

    @property
    def touched(self) -> bool:
        """Whether a person (at a table of bots, a bot) has acted, or it is a later game of a series. If not,
        a local host does not keep the game.
        """
        if self.series is not None and self.series.game > 1:
            return True
        people = {number for number, seat in enumerate(self.seats) if seat.kind != "bot"}
        return any(
            line.seq > 1 and (not people or line.event.get("seat") in people) and line.event["type"] != TURN_BEGAN
            for line in self.log
        )

    @property
    def is_of_one_moment(self) -> bool:
        """Whether all parts have the same sequence number: public and private parts arrive separately."""
        return all(seq == self.seq for seq in self.seen.values())


class Session(Protocol):
    """A table to watch and, with seats, to play at.

    ``listen`` registers a function called with each new state, on the event loop that runs the session. All
    calls raise Rejected if the host refuses and ConnectionError if it is gone.
    """

    @property
    def state(self) -> TableState: ...

    def listen(self, listener: Any) -> None:
        """Call ``listener(state)`` after every change."""

    def unlisten(self, listener: Any) -> None: ...

    async def act(self, seat: int, action: Json) -> None:
        """Do the action; returns when the host has accepted it."""

    async def undo(self, seat: int, steps: int = 1) -> None:
        """Undo steps of the seat's own turn."""

    async def propose(self, seat: int, what: str, *, level: str = "", until: str = "") -> bool:
        """Ask the other players; return whether it took effect at once, without anybody's consent."""

    async def agree(self, seat: int, number: int, *, agree: bool) -> None: ...

    async def take_back(self) -> None: ...

    async def say(self, text: str) -> None: ...

    async def record(self) -> list[Json]: ...

    async def close(self) -> None:
        """Leave; the client keeps its seats until it stands up."""
