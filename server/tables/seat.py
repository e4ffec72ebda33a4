"""A seat at a table: who sits there, who plays for an absent player, and what a player asks of the others.

Questions and pauses of bots do not outlive the host.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import attrs
from msgspec import Struct

from cave import keys, protocol


class Claim(Struct, frozen=True):
    """A player's right to a seat of the rematch: the client's key, and the hash of the old seat's key."""

    name: str
    lock: str
    owner: str = ""

    def is_of(self, owner: str, given: Iterable[str]) -> bool:
        """Return whether a client is that player: by its own key, or by one of the seats' keys ``given``."""
        return (bool(owner) and owner == self.owner) or any(keys.opens(key, self.lock) for key in given)


@attrs.define
class Seat:
    """A seat: who sits there, and its holder's connection, key (with encryption) and run of the client's
    program (if message ids say). ``lock`` is what the seat's own key opens; the key itself is not kept.

    ``away_since`` is when the host noticed that the owner is away while others are present, or idle at the
    step ``idle_at``. ``stand_in`` is who plays for the seat since then, and ``bot`` the level of a bot that
    does. ``handed`` is the level of the bot that plays to the end for its owner, who wished it so.
    ``team`` is the name of a free seat in a running game: that of whoever sat there last. ``claim`` is the
    player for whom an open seat is kept, or who has resigned and left it to a bot.
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
    def player(self) -> Claim | None:
        """The person who plays or played here; None if nobody or only a bot did."""
        return Claim(self.name, self.lock, self.owner) if self.kind == "person" else self.claim

    @property
    def kept_for(self) -> Claim | None:
        """The player for whom an open seat is kept."""
        return self.claim if self.kind == "open" else None

    @property
    def plays_itself(self) -> bool:
        """Whether a bot chooses for the seat now."""
        return self.kind == "bot" or self.stand_in == "bot" or bool(self.handed)

    @property
    def is_asked(self) -> bool:
        """Whether its owner has to agree to proposals: not if a bot plays to the end, or while the owner is
        away.
        """
        return self.kind == "person" and not self.handed and (self.present or not self.plays_itself)

    @property
    def plays_at(self) -> str:
        """The level of the bot that chooses for the seat; empty where none does."""
        return self.level or self.handed or self.bot

    def is_anothers(self, link: bytes, owner: str, run: str) -> bool:
        """Return whether somebody other than the client with this connection, key and run of its program
        holds the seat.
        """
        if self.run and run:
            return self.run != run
        if self.owner and owner:
            return self.owner != owner
        return self.holder not in (None, link)

    def returned(self) -> None:
        """Stop the stand-in: the owner is back, or nobody else is present."""
        self.away_since, self.stand_in, self.bot = None, "", ""

    def public(self) -> protocol.SeatLine:
        """Return public facts about the seat."""
        return protocol.SeatLine(
            self.name,
            self.kind,
            self.present,
            self.plays_at,
            "bot" if self.handed else self.stand_in,
            bool(self.handed),
            self.team,
            self.kept_for.name if self.kept_for else "",
        )


def fresh_seats(specs: Sequence[protocol.SeatSpec], kept: Sequence[Claim | None] = ()) -> list[Seat]:
    """Return the seats of a new table; ``kept`` are the players for whom they are kept."""
    claims = [*kept] or [None] * len(specs)
    return [_seat(specs, number, claim) for number, claim in enumerate(claims)]


def _seat(specs: Sequence[protocol.SeatSpec], number: int, claim: Claim | None) -> Seat:
    spec = specs[number]
    if spec.kind == "open":
        return Seat("open", claim=claim)
    same = [other for other, each in enumerate(specs) if each == spec]
    name = spec.level.capitalize()
    if len(same) > 1:
        name += f" {same.index(number) + 1}"
    return Seat("bot", name, spec.level, present=True)


class Proposal(Struct, frozen=True):
    """A question of the player on ``seat`` to the others; ``waits_for``: who has not answered. ``at`` is when
    it was asked, and ``since`` when the player asked the first of several questions in a row.
    """

    number: int
    seat: int
    what: protocol.Wish
    level: str
    until: protocol.Until
    waits_for: frozenset[int]
    at: float = 0.0
    since: float = 0.0

    def public(self) -> protocol.ProposalLine:
        """Return what all may know of it."""
        return protocol.ProposalLine(
            self.number, self.seat, self.what, self.level, self.until, sorted(self.waits_for)
        )


class Hurry(Struct, frozen=True):
    """Bots do not pause ``until`` it is the turn of ``seat``, or until the end."""

    until: protocol.Until
    seat: int
