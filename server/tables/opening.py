"""Opening a table: its setup, and the checks of the request."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import attrs
from msgspec import Struct
from msgspec.structs import replace

from cave import bots, games, keys, protocol, wire
from cave.codec import reject_field_if, within
from cave.game import AnyGame, BadData, GameInfo, Json
from server.tables.series import round_robin_score, series_before_first_game


class Setup(Struct, frozen=True):
    """The setup of a table. ``start`` is a checked position or None. ``set_up``: the opener chose the seed or
    the position, and so may know secrets. ``lock`` is the hash of the code needed to sit. ``opener`` is the
    address it was opened from ("": unknown); ``by_owner``: the host's owner opened it. ``pace`` is for its
    bots. ``hints``: clients may suggest moves to their players. A rematch has the code of the previous game,
    hashed with its ``salt`` ("": ``created``), and its seats are ``kept`` for that game's players and bots,
    which have no lock. ``series`` is the score of a series before this game. A round robin has ``places`` for
    all players, and its ``players`` so far.
    """

    game: str
    settings: Json
    seats: tuple[protocol.SeatSpec, ...]
    seed: str
    created: str
    title: str = ""
    lock: str | None = None
    start: Json = None
    set_up: bool = False
    absence: protocol.Absence = protocol.Absence()
    opener: str = ""
    by_owner: bool = False
    pace: protocol.Pace = "usual"
    hints: bool = True
    salt: str = ""
    kept: tuple[Claim | None, ...] = ()
    series: protocol.SeriesLine | None = None
    places: tuple[protocol.SeatSpec, ...] = ()
    players: tuple[Claim | None, ...] = ()

    @property
    def opened_by_guest(self) -> str:
        """The address of the guest who opened the table; "" for the owner, or if unknown."""
        return "" if self.by_owner else self.opener

    @property
    def players_at_seats(self) -> Sequence[int]:
        """The players at the seats: by the schedule in a round robin, else one for each seat."""
        score = self.series
        return score.sits if score is not None and score.players else range(len(self.seats))

    def is_right_code(self, code: str) -> bool:
        return self.lock is None or keys.opens_lock(code, self.lock, self.salt or self.created)

    def start_state(self) -> Any:
        game = games.get_game(self.game)
        if self.start is None:
            return game.new(len(self.seats), self.settings, self.seed)
        return game.from_position(self.start)


def read_setup(message: protocol.Open, random_text: Callable[[], str], stamp: str, usual: protocol.Absence) -> Setup:
    """Return the setup; raises BadData or BadMessage. ``usual`` is the default rule for absent players."""
    game = games.get_game(message.game)
    many = protocol.ROUND_ROBIN if message.round_robin else game.seats
    reject_field_if(len(message.seats) not in many, "seats", f"must be {many[0]} to {many[-1]}")
    seats = protocol.PAIR if message.round_robin else len(message.seats)
    reject_field_if(seats not in game.seats, "round_robin", "is for games for two")
    for number, spec in enumerate(message.seats):
        if spec.kind == "bot":
            with within(f"seats[{number}]"):
                bots.check_bot_level(game.name, spec.level)
    if message.code is not None and len(message.code) > protocol.MAX_CODE:
        raise BadData("code", f"can have at most {protocol.MAX_CODE} characters")
    absence = message.absence or usual
    if message.absence is not None and absence.level:
        with within("absence"):
            bots.check_bot_level(game.name, absence.level)
    if absence.level not in game.bots:
        # For the host's own rule, which applies to all games.
        absence = replace(absence, level="")
    if absence.after > absence.limit:
        raise BadData("absence.after", f"can be at most {absence.limit} seconds")
    if message.seed is not None and len(message.seed) > wire.MAX_CHAT:
        raise BadData("seed", f"can have at most {wire.MAX_CHAT} characters")
    if message.seed is not None and wire.one_line(message.seed) != message.seed:
        # Clients clean received text, and would get another seed from the record.
        raise BadData("seed", "must not hold control characters")
    odd = range(1, protocol.MAX_BEST_OF + 1, 2)
    reject_field_if(message.best_of not in odd, "best_of", f"must be an odd number up to {odd[-1]}")
    reject_field_if(message.best_of > 1 and seats == 1, "best_of", "must be 1 in a game for one player")
    reject_field_if(message.best_of > 1 and message.round_robin, "best_of", "must be 1 in a round robin")
    with within("settings"):
        settings = game.settings({} if message.settings is None else message.settings, seats)
    if message.start is not None:
        settings = check_start(game, message.start, seats)
    setup = Setup(
        game.name,
        settings,
        tuple(message.seats),
        random_text() if message.seed is None else message.seed,
        stamp,
        protocol.clean_title(message.title),
        keys.lock_secret(message.code, stamp) if message.code else None,
        message.start,
        message.start is not None or message.seed is not None,
        absence,
        pace=message.pace,
        hints=message.hints,
        series=series_before_first_game(message.best_of, seats) if message.best_of > 1 else None,
    )
    return _first_pair(setup) if message.round_robin else setup


def _first_pair(setup: Setup) -> Setup:
    """Return the setup of the first game of a round robin of all its seats."""
    there = make_seats(setup.seats)
    players = tuple(Claim(seat.name, "") if seat.kind == "bot" else None for seat in there)
    lines = [protocol.PlayerLine(seat.name, seat.kind == "bot") for seat in there]
    return with_players(replace(setup, places=setup.seats), players, round_robin_score(lines, 1))


def with_players(setup: Setup, players: Sequence[Claim | None], series: protocol.SeriesLine) -> Setup:
    """Return the setup of a game of a round robin, with seats for its two players."""
    return replace(
        setup,
        seats=tuple(setup.places[number] for number in series.sits),
        kept=tuple(players[number] for number in series.sits),
        players=tuple(players),
        series=series,
    )


def check_start(game: AnyGame, start: Json, seats: int) -> Json:
    """Check a start position and return its settings; raises BadData."""
    with within("start"):
        state = game.from_position(start)
    sides = len(game.standing(state))
    reject_field_if(sides != seats, "seats", f"must be {sides}, as many as the position has")
    return game.settings(start.get("settings", {}), seats)


def game_list() -> list[Json]:
    """Return the games of this host, without loading their rules."""
    return [
        {
            "name": game.name,
            "title": game.title,
            "seats": [game.seats[0], game.seats[-1]],
            "editions": _edition_list(game),
        }
        for game in map(games.game_info, games.game_names())
    ]


def protocol_versions(wanted: Json) -> tuple[int, int]:
    """Return a client's oldest and newest protocol version; raises BadData."""
    if type(wanted) is int:
        return wanted, wanted
    if isinstance(wanted, list) and len(wanted) == 2 and all(type(each) is int for each in wanted):
        return wanted[0], wanted[1]
    raise BadData("protocol", "must be a version or a range of versions")


def _edition_list(game: GameInfo) -> list[Json]:
    return [value for option in game.options if option.name == "edition" for value, _ in option.values]


class Claim(Struct, frozen=True):
    """A player's right to a seat of the rematch: the client's key, and the hash of the old seat's key."""

    name: str
    lock: str
    owner: str = ""

    def is_by(self, owner: str, given: Iterable[str]) -> bool:
        """Return whether a client is that player, by its own key or one of the ``given`` seat keys."""
        return (bool(owner) and owner == self.owner) or any(keys.opens_lock(key, self.lock) for key in given)


@attrs.define
class Seat:
    """A seat: its player, and the holder's connection, key (with encryption) and run of the client's program
    (if known). ``lock`` is the hash of the seat's key, which is not stored.

    ``away_since`` is when the host noticed that the owner is away while others are present, or idle at the
    step ``idle_at``. ``stand_in`` plays for an absent owner, and ``bot`` is its level if it is a bot.
    ``handed`` is the level of the bot that plays to the end at its owner's request. A free seat in a running
    game has the last player's name as ``team``. ``claim`` is the player for whom an open seat is kept, or who
    resigned and left it to a bot.
    """

    kind: protocol.SeatKind
    name: str = ""
    level: str = ""
    lock: str = ""
    owner: str = ""
    run: str = ""
    holder: bytes | None = None
    present: bool = False
    away_since: float | None = None
    idle_at: int | None = None
    stand_in: protocol.StandIn = ""
    bot: str = ""
    handed: str = ""
    team: str = ""
    claim: Claim | None = None

    @property
    def claimant(self) -> Claim | None:
        """The person who plays or played here; None for a bot, or if nobody did."""
        return Claim(self.name, self.lock, self.owner) if self.kind == "person" else self.claim

    @property
    def kept_for(self) -> Claim | None:
        return self.claim if self.kind == "open" else None

    @property
    def plays_itself(self) -> bool:
        """Whether a bot chooses for the seat now."""
        return self.kind == "bot" or self.stand_in == "bot" or bool(self.handed)

    @property
    def must_agree(self) -> bool:
        """Whether the owner must agree to requests: not while away, or if a bot plays to the end."""
        return self.kind == "person" and not self.handed and (self.present or not self.plays_itself)

    @property
    def level_in_play(self) -> str:
        """The level of the bot that chooses for the seat, or ""."""
        return self.level or self.handed or self.bot

    def is_anothers(self, link: bytes, owner: str, run: str) -> bool:
        """Return whether another client (by run, key or connection) holds the seat."""
        if self.run and run:
            return self.run != run
        if self.owner and owner:
            return self.owner != owner
        return self.holder not in (None, link)

    def end_stand_in(self) -> None:
        """End the stand-in: the owner is back, or nobody else is present."""
        self.away_since, self.stand_in, self.bot = None, "", ""

    def as_line(self) -> protocol.SeatLine:
        return protocol.SeatLine(
            self.name,
            self.kind,
            self.present,
            self.level_in_play,
            "bot" if self.handed else self.stand_in,
            bool(self.handed),
            self.team,
            self.kept_for.name if self.kept_for else "",
        )


def make_seats(specs: Sequence[protocol.SeatSpec], kept: Sequence[Claim | None] = ()) -> list[Seat]:
    claims = kept or [None] * len(specs)
    return [_make_seat(specs, number, claim) for number, claim in enumerate(claims)]


def _make_seat(specs: Sequence[protocol.SeatSpec], number: int, claim: Claim | None) -> Seat:
    spec = specs[number]
    if spec.kind == "open":
        return Seat("open", claim=claim)
    same = [other for other, each in enumerate(specs) if each == spec]
    name = spec.level.capitalize()
    if claim is not None and not claim.lock:
        name = claim.name
    elif len(same) > 1:
        name += f" {same.index(number) + 1}"
    return Seat("bot", name, spec.level, present=True)


class Proposal(Struct, frozen=True):
    """A player's request to the others; ``at`` is its time, ``since`` that of the first one in a row."""

    number: int
    seat: int
    what: protocol.Wish
    level: str
    until: protocol.Until
    waits_for: frozenset[int]
    at: float = 0.0
    since: float = 0.0

    def as_line(self) -> protocol.ProposalLine:
        return protocol.ProposalLine(self.number, self.seat, self.what, self.level, self.until, sorted(self.waits_for))


class Hurry(Struct, frozen=True):
    """Bots do not pause ``until`` it is the turn of ``seat``, or until the end."""

    until: protocol.Until
    seat: int
