"""Forms of the messages from a host. Fields of later versions are ignored."""

# Types stand here as types and not as texts: msgspec would have to compile each text at every start.
from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec

from cave import codec
from cave.codec import Count
from cave.game import BadData, Json

Status = Literal["waiting", "playing", "over"]
Port = Annotated[int, msgspec.Meta(ge=1, le=65535)]


class Form(msgspec.Struct, frozen=True):
    """A message, or a part of one."""


class Versions(Form, frozen=True):
    """Which versions of the protocol a door's host speaks, the first and the last."""

    protocol: tuple[Count, Count]


class DoorLine(Versions, frozen=True, kw_only=True):
    """The line of a door."""

    name: str
    desk: Port
    gallery: Port
    public_key: str = ""
    encrypted: bool = False


class SeatLine(Form, frozen=True):
    """A seat of a table."""

    name: str
    kind: Literal["person", "bot", "open"]
    present: bool
    level: str = ""
    stand_in: Literal["", "bot", "skip"] = ""
    handed: bool = False
    team: str = ""
    kept: str = ""


class TableLine(Form, frozen=True, kw_only=True):
    """A line of a list of tables."""

    id: str
    game: str
    title: str
    settings: dict[str, Json]
    seats: list[SeatLine]
    status: Status
    absence: Json = None
    code: bool = False
    hints: bool = True


class LogLine(Form, frozen=True):
    """A line of a snapshot's log."""

    seq: Count
    event: Json
    stand_in: bool = False


class ChatLine(Form, frozen=True):
    """Somebody's words."""

    name: str
    text: str
    watcher: bool = False


class ProposalLine(Form, frozen=True):
    """A player's question to the others."""

    number: Count
    seat: Count
    what: Literal["resign", "hand_over", "hurry"]
    level: str = ""
    until: Literal["", "turn", "end"] = ""
    waits_for: list[Count] = []


class Agreement(Form, frozen=True):
    """What the players are asked to agree to, and how long bots do not pause."""

    proposal: ProposalLine | None = None
    hurry: Literal["", "turn", "end"] = ""


class Rematch(Form, frozen=True):
    """The table of a rematch, and the seat that asked for it."""

    next: str
    seat: Count


class Snapshot(Form, frozen=True, kw_only=True):
    """All that a watcher needs to begin."""

    seq: Count
    game: str
    title: str
    status: Status
    seats: list[SeatLine]
    watchers: Count
    view: Json
    log: list[LogLine]
    chat: list[ChatLine]
    set_aside: str = ""
    watchers_chat: bool = True
    resigned: bool = False
    code: bool = False
    hints: bool = True
    unsaved: str = ""
    agreement: Agreement = Agreement()
    rematch: Rematch | None = None


class Update(Form, frozen=True, kw_only=True):
    """A change of the table."""

    seq: Count
    status: Status
    events: list[Json]
    view: Json
    undid: Count | None = None
    stand_in: bool = False


class Beat(Form, frozen=True):
    """Where the table stands."""

    seq: Count
    digest: str


class Presence(Form, frozen=True):
    """Who is there."""

    seats: list[SeatLine]
    watchers: Count
    unsaved: str = ""


class RefusalLine(Form, frozen=True):
    """An action that is not possible now, and why."""

    action: Json
    code: str
    message: str


class View(Form, frozen=True, kw_only=True):
    """The view of a seat."""

    seat: Count
    seq: Count
    view: Json
    choices: list[Json]
    refused: list[RefusalLine]
    undo: Count = 0


class TakenOver(Form, frozen=True):
    """Somebody else has the seat now, or nobody where it was ``freed``."""

    seat: Count
    freed: bool = False


class Closing(Form, frozen=True):
    """The host goes down, or closes one table."""

    ended: bool = False


class SetAside(Form, frozen=True):
    """Nobody can act at the table any more."""

    message: str
    resigned: bool = False


class Shelved(Form, frozen=True):
    """The host has saved the game and closed its table."""


class Error(Form, frozen=True):
    """A refusal."""

    code: str
    message: str


class Welcome(Form, frozen=True):
    """The first reply of a host."""

    may_open: bool = True


class Tables(Form, frozen=True):
    """The tables of a host, and whether one may open another."""

    tables: list[TableLine]
    may_open: bool = True
    shelved: list[str] = []


class Opened(Form, frozen=True):
    """The table that was opened."""

    table: str


class Seated(Form, frozen=True):
    """The seat that was taken."""

    seat: Count
    key: str


class Rematched(Form, frozen=True):
    """The table of a rematch, and the seats kept there for this client."""

    table: str
    seats: list[Count]


class Done(Form, frozen=True):
    """The change that was made."""

    seq: Count


class Proposed(Form, frozen=True):
    """A question was asked, and whether it took place at once."""

    done: bool


class Record(Form, frozen=True):
    """The lines of a record."""

    lines: list[Json]


class Stats(Form, frozen=True):
    """Counts of a host."""

    counts: dict[str, int | float]


class Guest(Form, frozen=True):
    """Somebody who is connected."""

    name: str
    key: str
    seats: list[tuple[str, Count]]
    watching: list[str]
    address: str = ""


class Guests(Form, frozen=True):
    """Who is connected."""

    guests: list[Guest]


class Allowed(Form, frozen=True):
    """The rights of guests from now on."""

    guests_open: bool


class Banned(Form, frozen=True):
    """A new ban, and the names of the players at the same address who can stay."""

    key: str
    address: str = ""
    seconds: Count | None = None
    staying: list[str] = []


class BannedAddress(Form, frozen=True):
    """A banned address, the key it was banned with, and the seconds that are left."""

    address: str
    key: str
    seconds: Count | None = None


class Bans(Form, frozen=True):
    """All bans."""

    keys: list[str]
    addresses: list[BannedAddress]


_REPLIES: Mapping[str, tuple[str, type[Form]]] = {
    "hello": ("welcome", Welcome),
    "tables": ("tables", Tables),
    "open": ("opened", Opened),
    "sit": ("seated", Seated),
    "rematch": ("rematch", Rematched),
    "resume": ("seated", Seated),
    "reopen": ("reopened", Form),
    "stand": ("stood", Form),
    "watch": ("snapshot", Snapshot),
    "sync": ("snapshot", Snapshot),
    "act": ("done", Done),
    "undo": ("done", Done),
    "propose": ("proposed", Proposed),
    "agree": ("agreed", Form),
    "say": ("said", Form),
    "record": ("record", Record),
    "ping": ("pong", Form),
    "stats": ("stats", Stats),
    "guests": ("guests", Guests),
    "close": ("closed", Form),
    "free": ("freed", Form),
    "ban": ("banned", Banned),
    "pardon": ("pardoned", Form),
    "bans": ("bans", Bans),
    "allow": ("allowed", Allowed),
}
"""The type and the form of the reply to each request, unless it is refused."""


def check_reply(asked: str, reply: Json) -> None:
    """Raises BadData for what is no reply to a request of the type ``asked``."""
    wanted, form = _REPLIES[asked]
    if reply.get("type") == "error":
        form = Error
    elif reply.get("type") != wanted:
        raise BadData("type", f"must be {wanted!r}")
    codec.structure(reply, form)
