"""One game in play: commands in, changes out. No sockets, no clock, no randomness. A change is computed,
saved by the caller, and only then committed: nothing published can be lost.
"""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Collection, Iterable, Iterator
from math import inf
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from cave import codec, games, names, protocol, record, wire
from cave.game import Json, Refused
from cave.score import Score
from server.tables.effects import Entry, SeatView
from server.tables.opening import Claim, Hurry, Proposal, Seat, Setup, make_seats
from server.tables.series import series_after_game

LOG_LENGTH = 200
CHAT_LENGTH = 100
KEPT = "That seat is kept for a player of the previous game. Try again in a few minutes, or watch."
ACTION_SIZE = 512
"""Bytes of JSON. A game is cut short if its actions are longer on average; usual ones have about 60."""
SNAPSHOT_EVERY = 100  # actions between two snapshots; a restart replays up to about that many


class Change(msgspec.Struct, frozen=True):
    """An accepted change, not yet committed. ``undid`` is the number of the undone step, else None;
    ``stand_in``: a bot or the host acted for a person.
    """

    seq: int
    seat: int | None
    state: Any
    entry: Entry
    action: Any = None
    events: tuple[Any, ...] = ()
    undid: int | None = None
    stand_in: bool = False


class _Step(msgspec.Struct, frozen=True):
    seq: int
    seat: int
    before: Any


class Table:
    """A table, from opening to score. If a method raises Refused, nothing has changed."""

    def __init__(self, name: str, setup: Setup) -> None:
        self.id = name
        self.setup = setup
        self.game = games.get_game(setup.game)
        self.seats = make_seats(setup.seats, setup.kept)
        self.absent = {
            number: each for number, each in enumerate(setup.players) if number not in self.setup.players_at_seats
        }
        """Players of a round robin who sit out this game; None for a free place."""
        self.seq = 0
        self.chat: deque[protocol.ChatLine] = deque(maxlen=CHAT_LENGTH)
        self.aside = ""  # why the table was stopped, as one sentence, or ""
        self.idle_since = 0.0
        self.changed_since = 0.0  # time of the game's last change
        self.told_at = -inf
        self.state: Any = None
        self._start: Any = None
        self._acting: frozenset[int] = frozenset()
        self._names: tuple[str, ...] = ()  # the names in views: those at the start
        self._played: list[tuple[int, bytes]] = []
        """The seat and the encoded action of each step. Bytes take little memory; the record decodes them."""
        self._size = 0  # the bytes of these actions
        self._secret: dict[int, Any] = {}
        """Actions hidden from some viewers, by index. An action that everybody knows stays known."""
        self._undoable: list[_Step] = []
        self._log: deque[protocol.LogLine] = deque()
        """The newest events, and those of steps that can be undone."""
        self.resigned: int | None = None
        self.rematch: protocol.RematchLine | None = None
        self.stopped = False
        self.rests = False  # whether bots wait until somebody plays or watches
        self.proposal: Proposal | None = None
        self.askers: list[int] = []
        """The queue of seats whose request was refused while another one was open."""
        self.first_until = 0.0
        """When the queue is cleared unless its first player asks; 0 while a request is open."""
        self.hurry: Hurry | None = None
        self.asked = 0
        self.offered: set[int] = set()
        """The bot seats that have offered to resign; each does so once."""
        self._news: list[Json] = []
        self._choices: dict[int, tuple[Any, ...]] = {}
        self._changed_at = [0] * len(self.seats)
        self._saved_at = 0
        self.cached_view: bytes | None = None

    # Facts

    @property
    def status(self) -> protocol.Status:
        if self.state is None:
            return "waiting"
        return "playing" if self._acting else "over"

    @property
    def ended(self) -> bool:
        """Whether the game is over: by the rules, a resignation, or the host's limit."""
        return self.status == "over" or self.resigned is not None or self.stopped

    @property
    def to_act(self) -> frozenset[int]:
        return frozenset() if self.aside else self._acting

    @property
    def full(self) -> bool:
        return all(seat.kind != "open" for seat in self.seats)

    @property
    def free(self) -> list[int]:
        return [n for n, seat in enumerate(self.seats) if seat.kind == "open" and seat.claim is None]

    @property
    def names(self) -> list[str]:
        """The seats' names. They belong to the table, not the game, as players may change."""
        return [seat.name or seat.team or (seat.claim.name if seat.claim else "") for seat in self.seats]

    @property
    def marked_names(self) -> list[str]:
        """The seats' names for display: a bot's has a mark."""
        return [
            f"{name} (bot)" if seat.kind == "bot" else name for seat, name in zip(self.seats, self.names, strict=True)
        ]

    @property
    def actions(self) -> int:
        """The number of actions so far, without undone ones."""
        return len(self._played)

    @property
    def length_in_actions(self) -> int:
        """The number of actions so far, weighted by size. The host limits it."""
        return max(self.actions, self._size // ACTION_SIZE)

    @property
    def touched(self) -> bool:
        """Whether a person (or any bot, if only bots play) has acted since the start."""
        people = {number for number, seat in enumerate(self.seats) if seat.kind != "bot"}
        return any(not people or seat in people for seat, _ in self._played)

    @property
    def follows_a_game(self) -> bool:
        """Whether this is a later game of a series, which players may want to continue."""
        return self.setup.series is not None and self.setup.series.game > 1

    @property
    def waits_for_next_game(self) -> bool:
        """Whether the game is over, but not its series."""
        return self.ended and self.series is not None and not self.series.over and self.rematch is None

    @property
    def standing(self) -> tuple[Score, ...]:
        """The score if the game ended now; the result at the end, empty before the start."""
        return () if self.state is None else self.game.standing(self.state)

    def held_by(self, holder: bytes) -> list[int]:
        return [number for number, seat in enumerate(self.seats) if seat.holder == holder]

    def count_undoable_steps(self, seat: int) -> int:
        return len(self._undoable) if self._undoable and self._undoable[-1].seat == seat else 0

    def is_current(self, seat: int, seq: int) -> bool:
        """Return whether the seat's choices at step ``seq`` are still valid."""
        return self._changed_at[seat] <= seq <= self.seq

    def changed_at(self, seat: int) -> int:
        return self._changed_at[seat]

    def public_facts(self) -> dict[str, Any]:
        """Return the fields of ``protocol.TableFacts``, and the ``id``."""
        return {
            "id": self.id,
            "game": self.game.name,
            "title": self.setup.title,
            "settings": self.setup.settings,
            "seats": [seat.as_line() for seat in self.seats],
            "status": self.status,
            "seq": self.seq,
            "code": self.setup.lock is not None,
            "set_up": self.setup.set_up,
            "absence": self.setup.absence,
            "hints": self.setup.hints,
            "set_aside": self.aside,
            "resigned": self.resigned is not None,
            "series": self.series,
        }

    def public_view(self) -> bytes:
        """Return the watcher's view as JSON; ``null`` before the start."""
        if self.cached_view is None:
            if self.state is None:
                return b"null"
            self.cached_view = self.game.view_bytes(self.game.view(self.state, None, self._names))
        return self.cached_view

    def digest(self) -> str:
        return wire.view_digest(codec.decode(self.public_view()))

    def seat_view(self, seat: int) -> SeatView:
        return SeatView(
            self.id, self.game, self.state, self._names, self.seq, seat,
            self.public_view(), self.choices_of_seat(seat), self.count_undoable_steps(seat),
        )  # fmt: skip

    def choices_of_seat(self, seat: int) -> tuple[Any, ...]:
        return self._choices.get(seat, ())

    def log(self) -> list[protocol.LogLine]:
        return list(self._log)[-LOG_LENGTH:]

    def update_message(self, change: Change) -> protocol.Update:
        return protocol.Update(
            table=self.id,
            seq=change.seq,
            seat=change.seat,
            events=self._news,
            view=msgspec.Raw(self.public_view()),
            status=self.status,
            undid=change.undid,
            stand_in=change.stand_in,
            series=self.series if self.ended else None,
        )

    def record(self, viewers: Collection[int] = (), *, whole: bool = False) -> list[Json]:
        """Return the record as these seats, or a watcher, may see it. Seed and start position reveal secrets:
        they are included when the game is over, or with ``whole``.
        """
        over = self.status == "over"
        whole = whole or self.ended
        start = self.setup.start is not None and whole
        names = self.names
        lines = [
            record.header_line(
                self.game,
                self.setup.settings,
                [
                    record.SeatForm(name, "bot" if seat.kind == "bot" else "person", seat.level_in_play)
                    for name, seat in zip(names, self.seats, strict=True)
                ],
                seed=self.setup.seed if whole and self.setup.start is None else None,
                created=self.setup.created,
                start=self.game.position(self._start, names) if start else None,
                resigned=self.resigned,
            )
        ]
        for number, (seat, action) in enumerate(self._played):
            if whole or number not in self._secret or any(self._viewers_know(number, (None, *viewers))):
                lines.append(record.action_line(seat, codec.decode(action)))
        if over:
            # A replay takes the names from the header.
            lines.append(record.result_line(self.game, self.state, names))
        return lines

    # Agreements

    @property
    def bots_hurry(self) -> bool:
        """Whether bots do not pause: by agreement, or as all people have handed over, or as the players of a
        round robin wait for a game of bots.
        """
        handed = any(seat.handed or (self.absent and seat.kind == "bot") for seat in self.seats)
        return self.hurry is not None or (handed and all(seat.plays_itself for seat in self.seats))

    def next_proposal(self) -> int:
        self.asked += 1
        return self.asked

    def agreement_line(self) -> protocol.AgreementLine:
        return protocol.AgreementLine(
            None if self.proposal is None else self.proposal.as_line(), "" if self.hurry is None else self.hurry.until
        )

    def other_people(self, link: bytes) -> frozenset[int]:
        """Return the seats of people who must agree, except those of this connection."""
        return frozenset(number for number, seat in enumerate(self.seats) if seat.must_agree and seat.holder != link)

    @property
    def continues_after_resignation(self) -> bool:
        """Whether a bot takes over when a player resigns; a game for two ends."""
        return len(self.seats) > 2

    def resign(self, seat: int, level: str, ends: str) -> None:
        """Hand the seat to a bot of this level, or end the game with the sentence ``ends``."""
        if ends:
            self.resigned = seat
            self.set_aside(ends)
        else:
            player = self.seats[seat].claimant
            self.seats[seat] = Seat("bot", self.names[seat], level, present=True, claim=player)

    # Seats

    def check_seat(self, seat: int) -> Seat:
        if seat >= len(self.seats):
            # Shown seat numbers start at 1.
            raise Refused("no_seat", f"This table has no seat {seat + 1}; its seats are 1 to {len(self.seats)}.")
        return self.seats[seat]

    def check_code(self, code: str | None) -> None:
        if not self.setup.is_right_code(code or ""):
            raise Refused("wrong_code", "That is the wrong code. Ask the player who opened this table.")

    def find_seat(self, wanted: int | None) -> int:
        self.check_open()
        if self.status == "over":
            raise Refused("full", "The game at this table is over. Sit down at another one.")
        if wanted is not None:
            seat = self.check_seat(wanted)
            if seat.kind != "open":
                raise Refused("seat_taken", "That seat is taken. Choose another one.")
            if seat.kept_for:
                raise Refused("seat_taken", KEPT)
            return wanted
        if self.full:
            raise Refused("full", "No seat is free at this table. You can watch it.")
        if not self.free:
            raise Refused("full", KEPT)
        return self.free[0]

    def check_name(self, seat: int, name: str) -> None:
        """Raise Refused if somebody else at the table has a name that looks alike."""
        absent = [each.name for each in self.absent.values() if each]
        for number, other in enumerate([*self.names, *absent]):
            if number != seat and names.names_look_alike(name, other):
                raise Refused(
                    "name_taken",
                    f"Somebody at this table is called {other}, which looks the same. Choose another name.",
                )

    def seat_player(
        self, seat: int, name: str, lock: str, holder: bytes | None, owner: str = "", run: str = ""
    ) -> None:
        """Seat a player on a free seat; ``lock``: the hash of its key. Raises BadData for an invalid name."""
        names.check_name(name, f"seats[{seat}]")
        self.proposal = None  # The new player would have to agree, too.
        self.seats[seat] = Seat("person", name, "", lock, owner, run, holder, holder is not None)

    def give_robin_place(self, player: int, name: str, lock: str, owner: str = "") -> None:
        """Add a player to a round robin. Raises BadData for an invalid name."""
        names.check_name(name, "name")
        self.absent[player] = Claim(name, lock, owner)

    def free_seat(self, seat: int) -> None:
        """Free a seat. Its side keeps its name, and waits for the next player."""
        name = "" if self.status == "waiting" else self.names[seat]
        self.seats[seat] = Seat("open", team=name)
        asked = self.proposal
        if asked and (seat == asked.seat or not any(self.seats[each].must_agree for each in asked.waits_for)):
            self.proposal = None  # The asker has left, or nobody is left to answer.

    @property
    def series(self) -> protocol.SeriesLine | None:
        """The score of the series, including this game once it is over. Who resigns loses."""
        score = self.setup.series
        if score is not None and score.players:
            named = zip(score.players, self.players, strict=True)
            called = (replace(line, name=each.name if each else "") for line, each in named)
            score = replace(score, players=tuple(called))
        if score is None or not self.ended:
            return score
        standing = self.standing
        if self.resigned is not None:
            won = [seat for seat in range(len(self.seats)) if seat != self.resigned]
        else:
            won = [] if self.stopped else [line.seat for line in standing if line.winner]
        return series_after_game(score, won, [line.total or 0 for line in standing])

    @property
    def players(self) -> list[Claim | None]:
        here = {
            number: seat.claimant or (Claim(seat.name, "") if seat.kind == "bot" else None)
            for number, seat in zip(self.setup.players_at_seats, self.seats, strict=True)
        }
        return [each for _, each in sorted((here | self.absent).items())]

    # Changes

    def change_by_start(self) -> Change:
        state = self.setup.start_state()
        return Change(self.seq + 1, None, state, Entry(self.id, "started", {}, self.seq + 1))

    def change_by_action(self, seat: int, seq: int, data: Json, *, stand_in: bool = False) -> Change:
        """Return the change of an action; ``stand_in``: a substitute acts for the player."""
        self._check_playing(seat, seq)
        action = self.game.decode(self.state, seat, data)
        step = self.game.apply(self.state, seat, action)
        stand_in = stand_in and self.seats[seat].kind == "person"
        kept = {**record.action_line(seat, self.game.action_json(action)), **({"stand_in": True} if stand_in else {})}
        entry = Entry(self.id, "acted", kept, self.seq + 1)
        return Change(self.seq + 1, seat, step.state, entry, action, step.events, stand_in=stand_in)

    def random_change(self, seat: int, rng: Random) -> Change:
        choices = self.choices_of_seat(seat)
        for choice in rng.sample(choices, len(choices)):
            # Skip a form that cannot be filled legally.
            with contextlib.suppress(ValueError, Refused):
                action = self.game.sample(choice, rng)
                return self.change_by_action(seat, self.seq, self.game.action_json(action), stand_in=True)
        raise ValueError(f"no choice of seat {seat} can be made")

    def idle_change(self, seat: int) -> Change:
        """Return a legal change that alters as little as possible, for an absent player."""
        action = self.game.idle(self.state, seat)
        return self.change_by_action(seat, self.seq, self.game.action_json(action), stand_in=True)

    def change_by_undo(self, seat: int, seq: int) -> Change:
        self._check_playing(seat, seq)
        if not self.count_undoable_steps(seat):
            raise Refused(
                "nothing_to_undo",
                "There is nothing to undo: you can undo only your own steps in this turn, "
                f"back to {self.game.undo_stops_at}.",
            )
        last = self._undoable[-1]
        entry = Entry(self.id, "undid", {"seat": seat}, self.seq + 1)
        return Change(self.seq + 1, seat, last.before, entry, undid=last.seq)

    def commit(self, change: Change) -> None:
        before = self.state
        self.state = change.state
        self._acting = self.game.to_act(change.state)
        self.seq = change.seq
        self.cached_view = None
        self._news = [self.game.event_json(self.game.public_event(event)) for event in change.events]
        if change.seat is None:
            self._start = change.state
            self._names = tuple(self.names)
        elif change.undid is not None:
            self._undoable.pop()
            self._undo_last_step()
            self._secret.pop(len(self._played), None)
            self._log = deque(line for line in self._log if line.seq != change.undid)
        else:
            self._secret[len(self._played)] = change.action
            self._note_action(change.seat, change.entry.data["action"])
            everybody = (None, *range(len(self.seats)))
            for number in [number for number in self._secret if all(self._viewers_know(number, everybody))]:
                del self._secret[number]
            self._log.extend(protocol.LogLine(change.seq, event, change.stand_in) for event in self._news)
            self._remember_for_undo(change, change.seat, before)
            self._shorten_log()
        self._renew_choice_steps(change)

    @property
    def snapshot_is_due(self) -> bool:
        """Whether a snapshot is due: many actions since the last one, and nothing can be undone."""
        return self.actions >= self._saved_at + SNAPSHOT_EVERY and not self._undoable

    def save_game(self) -> Json:
        self._saved_at = self.actions
        return {
            "position": self.game.position(self.state, self._names),
            "secret": sorted(self._secret),
            "log": [codec.to_json(line) for line in self._log],
            "changed_at": self._changed_at,
        }

    def load_game(self, data: Json) -> None:
        """Restore the game from a snapshot, after its actions were skipped."""
        self.state = self.game.from_position(data["position"])
        self._acting = self.game.to_act(self.state)
        secret = {number: codec.decode(self._played[number][1]) for number in data["secret"]}
        self._secret = {number: self.game.action_from_json(action) for number, action in secret.items()}
        self._log = deque(codec.parse(data["log"], list[protocol.LogLine]))
        self._choices = {seat: self.game.choices(self.state, seat) for seat in self._acting}
        self._changed_at = [*data["changed_at"]]
        self._saved_at = self.actions
        self.cached_view = None

    def record_action_only(self, seat: int, action: Json) -> None:
        self._note_action(seat, action)
        self.seq += 1

    def record_undo_only(self) -> None:
        self._undo_last_step()
        self.seq += 1

    def count_retraced_steps(self, seat: int, steps: int) -> None:
        """Count steps and their undos, which leave the game unchanged."""
        self.seq += steps
        self._changed_at[seat] = self.seq

    def _note_action(self, seat: int, action: Json) -> None:
        self._played.append((seat, codec.encode(action)))
        self._size += len(self._played[-1][1])

    def _undo_last_step(self) -> None:
        self._size -= len(self._played.pop()[1])

    def _shorten_log(self) -> None:
        """Drop old events, except those that an undo needs."""
        while len(self._log) > LOG_LENGTH and not self._undoable:
            self._log.popleft()

    def _viewers_know(self, number: int, viewers: Iterable[int | None]) -> Iterator[bool]:
        seat, _ = self._played[number]
        action = self._secret[number]
        return (self.game.may_know(self.state, seat, action, viewer) for viewer in viewers)

    def _remember_for_undo(self, change: Change, seat: int, before: Any) -> None:
        """Keep the step for undo, or drop all steps if it is a barrier."""
        own = frozenset((seat,))
        crosses = any(self.game.is_barrier(event) for event in change.events)
        if crosses or self.game.to_act(before) != own or self.game.to_act(change.state) != own:
            self._undoable.clear()
        else:
            self._undoable.append(_Step(change.seq, seat, before))

    def _renew_choice_steps(self, change: Change) -> None:
        choices = {seat: self.game.choices(self.state, seat) for seat in self.to_act}
        for seat in range(len(self.seats)):
            if seat == change.seat or choices.get(seat, ()) != self._choices.get(seat, ()):
                self._changed_at[seat] = change.seq
        self._choices = choices

    def set_aside(self, why: str, *, ends: bool = False) -> None:
        """Stop the game forever; ``why`` is one sentence. ``ends``: by the host's limit, not an error."""
        self.aside = why
        self.stopped = ends
        self._choices = {}

    def check_open(self) -> None:
        if self.aside:
            raise Refused("set_aside", self.aside)

    def _check_playing(self, seat: int, seq: int) -> None:
        self.check_seat(seat)
        self.check_open()
        if self.state is None:
            raise Refused("not_started", "The game starts when every seat is taken.")
        if not self.is_current(seat, seq):
            raise Refused("stale", "The game has changed since you chose. Look at it, then choose again.")
