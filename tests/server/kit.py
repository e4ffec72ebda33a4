"""A service without a host: send requests, and inspect the replies."""

from __future__ import annotations

import itertools
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from cave import codec, games
from server.clients.limits import Limits
from server.journal.journal_survey import survey_folder
from server.journal.restore import unfold_lines
from server.service import OpenTableOptions, Service
from server.tables.effects import (
    AskBot,
    AskWhetherLost,
    Effect,
    Ended,
    Finished,
    Journal,
    Line,
    Publish,
    Send,
    SendView,
)
from server.tables.table import Table
from tests.server.memory import MemoryJournal

ANN, BEA, EVE = b"link-ann", b"link-bea", b"link-eve"
BEGUN = datetime.fromisoformat("2026-01-02T03:04:05+00:00")
SECRET = "what keys are made with"
PACK = {"type": "pack", "backpack": {"consumable": 5, "rope": 2}, "camp": None}
OTHER_PACK = {"type": "pack", "backpack": {"oxygen": 3, "raft": 1}, "camp": {"rope": 1}}
NORTH = {"type": "move", "to": [0, -2], "by": "foot"}
BACK = {"type": "move", "to": [0, -1], "by": "foot"}
"""Ana's way from ``position`` and back."""


def journal_lines_of_tables(folder: Path) -> list[Line]:
    """The tables' lines of a folder's journal, also while a host uses it."""
    return list(unfold_lines(line for line in survey_folder(folder).readable_lines() if line.entry.table))


def position(*, stack: tuple[str, ...] = ("NS", "NE", "NESW"), packing: bool = False) -> Any:
    """Two teams in a small cave; Ana is before a descent, three tiles are left."""
    at = [0, 0] if packing else [0, -1]
    turn: dict[str, Any] = {"seat": 0, "ap": 5, "phase": "packing" if packing else "actions"}
    return {
        "format": "cave-position",
        "version": 1,
        "game": "the-cave",
        "settings": {"edition": "english"},
        "teams": [
            {"name": "Ana", "at": at, "backpack": {} if packing else {"consumable": 3, "rope": 1}},
            {"name": "Bea", "at": [0, 0], "backpack": {} if packing else {"consumable": 4}},
        ],
        "turn": turn,
        "first_seat": 0,
        "turns_left": None,
        "board": [
            {"at": [0, 0], "kind": "base", "open": "NEW", "depth": 0, "start": True},
            {"at": [0, -1], "kind": "plain", "open": "NS", "depth": 0, "start": True},
            {"at": [1, 0], "kind": "plain", "open": "EW", "depth": 0, "start": True},
            {"at": [-1, 0], "kind": "plain", "open": "EW", "depth": 0, "start": True},
            {"at": [0, -2], "kind": "descent", "open": "NES", "depth": 25},
        ],
        "ropes": [{"between": [[0, -1], [0, -2]], "count": 1}],
        "stacks": [[{"kind": "plain", "open": open_sides} for open_sides in stack], [], [], []],
    }


def few_tiles(seats: int, seed: str = "few tiles") -> Any:
    """The start of a short game, with three tiles in each stack: it goes from packing to its end."""
    game = games.get_game("the-cave")
    start: Any = game.position(game.new(seats, {}, seed))
    return {**start, "stacks": [stack[:3] for stack in start["stacks"]]}


def code(reply: Any) -> str:
    assert reply["type"] == "error", reply
    return str(reply["code"])


class Desk:
    """A service, and everything it has sent, by receiver."""

    def __init__(
        self,
        *,
        limits: Limits | None = None,
        journal: Journal | None = None,
        owners: tuple[str, ...] = (),
        open_table: OpenTableOptions | None = None,
    ) -> None:
        numbers = itertools.count(1)
        self.now = 0.0
        self.service = Service(
            "test",
            random_text=lambda: f"{next(numbers):08d}-random",
            stamp=lambda: (BEGUN + timedelta(seconds=int(self.now))).isoformat(),
            limits=limits or Limits(rate=1e6, burst=1e6),
            journal=journal,
            secret=SECRET,
            owners=owners,
        )
        if open_table is not None:
            self.service.keep_table_open(open_table)
        self.addresses: dict[bytes, str] = {}
        """The addresses of connections, by link."""
        self.peers: dict[bytes, str] = {}
        """The keys of clients that have one, by link."""
        self.sent: list[tuple[bytes, Any]] = []
        self.raw: list[tuple[bytes | None, bytes]] = []
        self.published: list[Any] = []
        self.bot_requests: list[AskBot] = []
        self.asked_whether_lost: list[AskWhetherLost] = []
        self.finished: list[Finished] = []
        self.ended: list[Ended] = []
        self._ids = itertools.count(1)

    def take(self, effects: list[Effect]) -> None:
        for effect in effects:
            match effect:
                case Send(link, frames) | SendView(link=link, frames=frames):
                    self.sent.append((link, codec.decode(frames[-1])))
                    self.raw.append((link, frames[-1]))
                case Publish(_, message):
                    self.published.append(codec.decode(message))
                    self.raw.append((None, message))
                case AskBot():
                    self.bot_requests.append(effect)
                case AskWhetherLost():
                    self.asked_whether_lost.append(effect)
                case Finished():
                    self.finished.append(effect)
                case Ended():
                    self.ended.append(effect)

    def ask(self, link: bytes, kind: str, *, id: str | None = None, **fields: Any) -> Any:  # noqa: A002
        """Send a message and return its reply."""
        number = id or f"q{next(self._ids)}"
        message = codec.encode({"type": kind, "id": number, **fields})
        address = self.addresses.get(link, "")
        self.take(self.service.handle_message(link, [message], self.now, self.peers.get(link), address))
        return next(sent for to, sent in reversed(self.sent) if to == link and sent.get("re") == number)

    def open(self, *kinds: str, game: str = "the-cave", **fields: Any) -> str:
        level = next(iter(games.get_game(game).bots))
        seats = [{"kind": "bot", "level": level} if kind == "bot" else {"kind": kind} for kind in kinds]
        opened = self.ask(ANN, "open", game=game, seats=seats, **fields)
        assert opened["type"] == "opened", opened
        return str(opened["table"])

    def seated(self, *others: str, **fields: Any) -> str:
        """A table where Ann and Bea sit, with or without others."""
        table = self.open("open", "open", *others, **fields)
        for link, name in ((ANN, "Ann"), (BEA, "Bea")):
            self.ask(link, "sit", table=table, name=name)
        return table

    def view(self, link: bytes, seat: int) -> Any:
        """The latest view that was sent for a seat."""
        return next(
            sent for to, sent in reversed(self.sent) if to == link and sent["type"] == "view" and sent["seat"] == seat
        )

    def act(self, link: bytes, table: str, seat: int, action: Any) -> Any:
        """Do an action, chosen from the latest view."""
        seq = self.view(link, seat)["seq"]
        return self.ask(link, "act", table=table, seat=seat, seq=seq, action=action)

    def to_viewer(self, link: bytes | None) -> list[bytes]:
        """Return all bytes that this link has received, including the gallery's."""
        return [message for to, message in self.raw if to in (link, None)]


def come_back(desk: Desk, journal: MemoryJournal, secret: str = SECRET, **limits: Any) -> None:
    """Replace the service by a new one that restores the journal."""
    desk.service = Service(
        "test",
        random_text=lambda: "session-2-random",
        stamp=lambda: "",
        limits=Limits(rate=1e6, burst=1e6, **limits),
        journal=journal,
        secret=secret,
    )
    assert desk.service.restore() == []
    desk.take(desk.service.wake_tables(desk.now))


def seated(**fields: Any) -> tuple[Desk, str]:
    """A table for two where Ann and Bea sit and Eve watches."""
    desk = Desk()
    table = desk.open("open", "open", **fields)
    desk.ask(EVE, "watch", table=table)
    desk.ask(ANN, "sit", table=table, name="Ann")
    desk.ask(BEA, "sit", table=table, name="Bea")
    return desk, table


def told(table: Table, seat: int) -> Any:
    """Return the message with the seat's view, as it is sent."""
    return codec.decode(table.seat_view(seat).padded_frame())


def whole(table: Table) -> Any:
    """Return all public data of a table."""
    known = [
        table.public_facts(),
        codec.decode(table.public_view()),
        table.log(),
        [*table.chat],
        table.agreement_line(),
    ]
    return codec.decode(codec.encode(known))
