"""The messages of the wire protocol, version 1, of both directions, and the limits.

A message is its own JSON. A host decodes strictly: bytes become a message of one of these classes, or a
``BadMessage`` with a code and a sentence. Both sides ignore unknown fields, as later versions may add some.
``server/PROTOCOL.md`` is the contract.
"""

# No ``from __future__ import annotations``: msgspec would have to evaluate annotations at every start.
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal, get_args

import msgspec
from msgspec import UNSET, UnsetType

from cave import codec, names
from cave.codec import Count, default_in_json
from cave.game import BadData, Json, Refusal
from cave.strict_json import BadMessage, decode_object
from cave.wire import MAX_CHAT, MAX_MESSAGE, MAX_TITLE, VERSION, clean_text

MAX_ID = 64
MAX_CODE = 64
MAX_AFTER = 24 * 60 * 60
"""Seconds. Limit for ``Absence.after``; with ``always`` it is ``MAX_ALWAYS``."""
MAX_ALWAYS = 14 * 24 * 60 * 60
MAX_BEST_OF = 15
"""Games of a series. Odd, so that two players cannot tie on wins."""
ROUND_ROBIN = range(3, 9)
"""Numbers of players of a round robin."""
PAIR = 2
"""Players of each game of a round robin."""
MAX_BAN = 10 * 365 * 24 * 60 * 60
"""Seconds. Limit for the ban of an address, unless it lasts until a pardon."""
CODES = (
    "bad_message", "unknown_type", "too_large", "too_fast", "version", "no_table", "no_seat",
    "seat_taken", "name_taken", "wrong_code", "wrong_key", "not_seated", "not_started", "stale", "full",
    "nothing_to_undo", "not_saved", "not_owner", "set_aside", "shelved", "repeated", "no_address",
    "pending", "not_over",
)  # fmt: skip
"""The host's own refusals; a game adds its own."""


class Part(msgspec.Struct, frozen=True, omit_defaults=True):
    """A part of a message. Its JSON has no defaults except those of ``codec.default_in_json``."""


class Message(codec.Typed, Part, frozen=True, tag_field="type", tag=codec.snake_case):
    """A message: a part with its ``type``."""


Pace = Literal["slow", "usual", "none"]
"""How long bots wait before they act, so that people can follow."""
Status = Literal["waiting", "playing", "over"]
SeatKind = Literal["person", "bot", "open"]
StandIn = Literal["", "bot", "skip"]
Wish = Literal["resign", "hand_over", "hurry"]
"""Requests that the other players must agree to: resign, let a bot play to the end, speed bots up."""
Until = Literal["", "turn", "end"]
"""Bots do not pause until the player's next turn, or until the end; empty: they pause."""
Port = Annotated[int, msgspec.Meta(ge=1, le=65535)]


# Messages of a host


class Versions(msgspec.Struct, frozen=True):
    """The oldest and the newest protocol version of the host behind a door."""

    protocol: tuple[Count, Count]


class DoorLine(Versions, frozen=True, kw_only=True):
    name: str
    desk: Port
    gallery: Port
    public_key: str = ""
    encrypted: bool = False


class SeatLine(Part, frozen=True):
    name: str
    kind: SeatKind
    present: bool
    level: str = ""
    stand_in: StandIn = ""
    handed: bool = False
    team: str = ""
    kept: str = ""


class RematchLine(Part, frozen=True):
    next: str
    seat: Count


class PlayerLine(Part, frozen=True):
    """A player of a round robin, the ``games`` that are over, and whether they have ``won`` it. A free place
    has no name.
    """

    name: str
    bot: bool = False
    games: Count = default_in_json(0)
    wins: Count = default_in_json(0)
    points: int | float = default_in_json(0)
    won: bool = False


class SeriesLine(Part, frozen=True):
    """Game number ``game`` in a series of at most ``of``. By seat: finished games won (not shared), and the
    points in them. ``winners`` are the winners of the series once it is over.

    A round robin has ``players``: ``sits`` are the ones at this table, by seat, ``next`` those in the next
    game.
    """

    of: Count
    game: Count
    wins: tuple[Count, ...]
    points: tuple[int | float, ...]
    winners: tuple[Count, ...] = ()
    players: tuple[PlayerLine, ...] = ()
    sits: tuple[Count, ...] = ()
    next: tuple[Count, ...] = ()

    @property
    def over(self) -> bool:
        return bool(self.winners) or any(player.won for player in self.players)


class ProposalLine(Part, frozen=True):
    number: Count
    seat: Count
    what: Wish
    level: str = default_in_json("")
    until: Until = default_in_json("")
    waits_for: Sequence[Count] = default_in_json(())


class AgreementLine(Part, frozen=True):
    """The open request that players must agree to, and until when bots do not pause."""

    proposal: ProposalLine | None = default_in_json(None)
    hurry: Until = default_in_json("")


class LogLine(Part, frozen=True):
    """An event, and the change that contains it. ``stand_in``: a bot or the host acted for a person."""

    seq: Count
    event: Json
    stand_in: bool = False


class ChatLine(Part, frozen=True):
    name: str
    text: str
    watcher: bool = False


class TableFacts(Part, frozen=True, kw_only=True):
    game: str
    title: str
    seats: Sequence[SeatLine]
    status: Status
    watchers: Count = default_in_json(0)
    watchers_chat: bool = default_in_json(True)
    settings: dict[str, Json] = default_in_json({})
    seq: Count = default_in_json(0)
    code: bool = default_in_json(False)
    set_up: bool = default_in_json(False)
    absence: Json = default_in_json(None)
    hints: bool = True
    set_aside: str = ""
    resigned: bool = False
    unsaved: str = ""
    rematch: RematchLine | None = None
    series: SeriesLine | None = None


class TableLine(TableFacts, frozen=True, kw_only=True):
    """A table in a list. ``to_act`` are the seats that the game waits for."""

    id: str
    settings: dict[str, Json]
    to_act: Sequence[Count] = ()


class Reply(Message, frozen=True, kw_only=True):
    """A reply to the message with the id ``re``."""

    re: str | None = default_in_json(None)


class Error(Reply, frozen=True):
    code: str
    message: str


class Welcome(Reply, frozen=True, kw_only=True):
    protocol: Json = default_in_json(VERSION)
    host: str = default_in_json("")
    session: str = default_in_json("")
    games: Sequence[Json] = default_in_json(())
    bots: Sequence[str] = default_in_json(())
    tables: Sequence[Json] = default_in_json(())
    may_open: bool = default_in_json(True)


class TablesReply(Reply, frozen=True, tag="tables"):
    """The tables of a host, the ids of shelved ones, and whether this client may open another."""

    tables: Sequence[TableLine]
    shelved: Sequence[str] = default_in_json(())
    may_open: bool = default_in_json(True)


class OfTable(Reply, frozen=True, kw_only=True):
    table: str = default_in_json("")


class Opened(OfTable, frozen=True):
    table: str


class Seated(OfTable, frozen=True, kw_only=True):
    """A seat was taken; without ``seat`` it is a place for later games of a round robin."""

    seat: Count | None = None
    key: str


class RematchReply(OfTable, frozen=True, tag="rematch"):
    """The table of a rematch, and the seats kept there for this client."""

    table: str
    seats: Sequence[Count]


class Reopened(OfTable, frozen=True):
    """A shelved game is open again."""


class Stood(OfTable, frozen=True):
    seat: Count = default_in_json(0)


class Snapshot(TableFacts, frozen=True, kw_only=True, tag_field="type", tag="snapshot"):
    """All that a new watcher needs."""

    re: str | None = default_in_json(None)
    id: str = default_in_json("")
    table: str = default_in_json("")
    seq: Count
    watchers: Count
    view: Json
    log: Sequence[LogLine]
    chat: Sequence[ChatLine]
    agreement: AgreementLine = default_in_json(AgreementLine())


class Done(OfTable, frozen=True):
    seq: Count


class Proposed(OfTable, frozen=True, kw_only=True):
    """A request was made; ``done``: it took effect at once."""

    number: Count = default_in_json(0)
    done: bool


class Agreed(OfTable, frozen=True):
    """A request was answered; ``done``: it took effect."""

    done: bool = default_in_json(False)


class Said(Reply, frozen=True):
    """The chat message was sent."""


class RecordReply(OfTable, frozen=True, tag="record"):
    lines: Sequence[Json]


class Pong(Reply, frozen=True):
    """The reply to a ping: the steps of the tables that the client follows."""

    seq: Json = default_in_json(None)


class StatsReply(Reply, frozen=True, tag="stats"):
    counts: Mapping[str, int | float]


class Guest(Part, frozen=True, kw_only=True):
    name: str
    key: str
    address: str = default_in_json("")
    seats: Sequence[tuple[str, Count]]
    watching: Sequence[str]


class GuestsReply(Reply, frozen=True, kw_only=True, tag="guests"):
    """The clients that are connected; table, seat and key of all who hold seats."""

    guests: Sequence[Guest]
    holders: Sequence[tuple[str, Count, str]] = default_in_json(())


class Closed(OfTable, frozen=True):
    """The game was ended and its table closed."""


class Freed(OfTable, frozen=True):
    seat: Count = default_in_json(0)


class Banned(Reply, frozen=True):
    """A new ban. For an ``address``: its duration in seconds, and the players there who can stay."""

    key: str
    address: str = ""
    seconds: Count | UnsetType | None = UNSET
    staying: Sequence[str] | UnsetType = UNSET


class Pardoned(Reply, frozen=True):
    key: str | UnsetType = UNSET
    address: str | UnsetType = UNSET


class BannedAddress(Part, frozen=True):
    """A banned address, the key it was banned with, and the remaining seconds."""

    address: str
    key: str
    seconds: Count | None = default_in_json(None)


class BansReply(Reply, frozen=True, tag="bans"):
    keys: Sequence[str]
    addresses: Sequence[BannedAddress]


class Allowed(Reply, frozen=True):
    """Whether guests may open tables now."""

    guests_open: bool


class News(Message, frozen=True, kw_only=True):
    """A message that a host sends without a request, about a table or itself."""

    table: str = ""


class View(News, frozen=True):
    seat: Count
    seq: Count
    view: Json
    choices: Sequence[Json]
    refused: Sequence[Refusal]
    undo: Count = default_in_json(0)


class TakenOver(News, frozen=True):
    """The client has lost the seat: to another client, or the owner has ``freed`` it."""

    seat: Count
    freed: bool = False


class Closing(News, frozen=True):
    """The host stops; ``ended``: its owner has closed this table only."""

    ended: bool = False


class Update(News, frozen=True, kw_only=True):
    """A change of the table; ``undid`` is the number of the change that it undoes. The last one of a game in
    a ``series`` has the new score.
    """

    seq: Count
    seat: Count | None = default_in_json(None)
    status: Status
    events: Sequence[Json]
    view: Json
    undid: Count | None = None
    stand_in: bool = False
    series: SeriesLine | None = None


class Beat(News, frozen=True):
    """The step of the table and the digest of its view, so that clients notice missed updates."""

    seq: Count
    digest: str


class Presence(News, frozen=True):
    seats: Sequence[SeatLine]
    watchers: Count
    unsaved: str = ""
    series: SeriesLine | None = None


class Chat(ChatLine, frozen=True, tag_field="type", tag="chat"):
    table: str = ""


class Agreement(AgreementLine, frozen=True, tag_field="type", tag="agreement"):
    table: str = ""


class RematchNews(RematchLine, frozen=True, tag_field="type", tag="rematch"):
    table: str = ""


class SetAside(News, frozen=True):
    message: str
    resigned: bool = False
    series: SeriesLine | None = None


class Shelved(News, frozen=True):
    message: str = default_in_json("")


NEWS: Mapping[str, type[Any]] = {
    str(kind.__struct_config__.tag): kind
    for kind in (
        Snapshot, View, TakenOver, Closing, Update, Beat, Presence, Chat, Agreement, RematchNews, SetAside,
        Shelved,
    )
}  # fmt: skip
"""The messages about a table, by their types."""


# Messages of a client


class Request(Message, frozen=True):
    """A client's message; ``answer`` is the class of its reply, unless it is refused."""

    answer: ClassVar[type[Message | TableFacts]]


class SeatSpec(msgspec.Struct, frozen=True, omit_defaults=True):
    """A requested seat in ``open``: free for a person, or a bot's."""

    kind: Literal["open", "bot"]
    level: str = ""


class Absence(Part, frozen=True):
    """The rule for a seat whose player has been away for ``after`` seconds while others are present: the
    table waits, a bot of this ``level`` plays (none: the weakest), or the host skips its turns. Owners who
    return get the seat back at once. With ``idle`` the same applies to present players who do not act in
    their turn for that long, until the turn ends or they act. With ``always`` the time runs even if no others
    are present: from the last change of the game, while the seat is to act.
    """

    then: Literal["wait", "bot", "skip"] = default_in_json("wait")
    after: Count = default_in_json(60)
    level: str = ""
    idle: bool = False
    always: bool = False

    @property
    def limit(self) -> int:
        """The most seconds that ``after`` may be."""
        return MAX_ALWAYS if self.always else MAX_AFTER

    @property
    def limits_present_players(self) -> bool:
        """Whether there is a time limit for present players, too."""
        return self.idle and self.then != "wait"


class Hello(Request, frozen=True):
    """The client's identity and its protocol version, or range of versions."""

    answer = Welcome
    protocol: Json
    client: str = ""
    name: str = ""


class Tables(Request, frozen=True):
    answer = TablesReply


class Open(Request, frozen=True):
    """Opens a table; ``start`` is a position, ``seed`` determines all random events. ``hints``: clients may
    suggest moves to their players. ``best_of`` above 1 begins a series of at most that many games; in a
    ``round_robin`` each two of the ``seats`` play a game.
    """

    answer = Opened
    game: str
    seats: tuple[SeatSpec, ...]
    settings: Json = None
    title: str = ""
    code: str | None = None
    start: Json = None
    seed: str | None = None
    absence: Absence | None = None
    pace: Pace = "usual"
    hints: bool = True
    best_of: Count = 1
    round_robin: bool = False


class AtTable(Request, frozen=True):
    table: str


class AtSeat(AtTable, frozen=True):
    seat: Count


class Sit(AtTable, frozen=True):
    """Takes a free seat, any if none is named. ``key`` is the seat key of the game before a rematch.
    ``later``: if no seat is free, take a place for later games of a round robin.
    """

    answer = Seated
    name: str
    seat: Count | None = None
    code: str | None = None
    key: str | None = None
    later: bool = False


class Rematch(AtTable, frozen=True):
    """Asks for a rematch of the game at a table. ``keys`` are the client's seat keys there."""

    answer = RematchReply
    keys: tuple[str, ...] = ()


class Resume(AtSeat, frozen=True):
    """Resumes a held seat with its key; with ``again`` only if no other client has taken it over since."""

    answer = Seated
    key: str
    again: bool = False


class Reopen(AtSeat, frozen=True):
    """Reopens a shelved game; ``key`` is the seat key."""

    answer = Reopened
    key: str


class Stand(AtSeat, frozen=True):
    answer = Stood


class Watch(AtTable, frozen=True):
    """Asks for a snapshot; the client counts as a watcher from then on."""

    answer = Snapshot


class Sync(AtTable, frozen=True):
    """Asks for a snapshot and the views of the seats held."""

    answer = Snapshot


class Act(AtSeat, frozen=True):
    """An action, chosen at ``seq``."""

    answer = Done
    seq: Count
    action: Json


class Undo(AtSeat, frozen=True):
    answer = Done
    seq: Count


class Propose(AtSeat, frozen=True):
    """Makes a request to the other players. It takes effect when all of them have agreed, or at once without
    other players. ``level`` is that of the bot.
    """

    answer = Proposed
    what: Wish
    level: str = ""
    until: Until = ""


class Agree(AtSeat, frozen=True):
    answer = Agreed
    number: Count
    agree: bool = True


class Say(AtTable, frozen=True):
    answer = Said
    text: str


class Record(AtTable, frozen=True):
    answer = RecordReply


class Ping(Request, frozen=True):
    answer = Pong


class Stats(Request, frozen=True):
    """Asks for the host's counts. This and the following requests are for its owner."""

    answer = StatsReply


class Guests(Request, frozen=True):
    answer = GuestsReply


class Close(AtTable, frozen=True):
    answer = Closed


class Free(AtSeat, frozen=True):
    answer = Freed


class Ban(Request, frozen=True):
    """Bans a client by its key or its seat. ``address`` bans its address, too, for ``seconds`` or until a
    pardon.
    """

    answer = Banned
    key: str | None = None
    table: str | None = None
    seat: Count | None = None
    address: bool = False
    seconds: Count | None = None


class Pardon(Request, frozen=True):
    answer = Pardoned
    key: str | None = None
    address: str | None = None


class Bans(Request, frozen=True):
    answer = BansReply


class Allow(Request, frozen=True):
    answer = Allowed
    guests_open: bool


ClientMessage = (
    Hello | Tables | Open | Sit | Rematch | Resume | Reopen | Stand | Watch | Sync | Act | Undo | Propose
    | Agree | Say | Record | Ping | Stats | Guests | Close | Free | Ban | Pardon | Bans | Allow
)  # fmt: skip

MESSAGES: Mapping[str, type[ClientMessage]] = {kind.type: kind for kind in get_args(ClientMessage)}


def read_reply(kind: type[Request], data: dict[str, Json]) -> Any:
    """Return the reply to a request of this class, or the Error; raises BadData if it is neither."""
    return codec.parse(data, Error if data.get("type") == "error" else kind.answer)


def decode_message(raw: bytes, most: int = MAX_MESSAGE) -> tuple[str, ClientMessage]:
    """Return the id and the message of one frame from a client; raises BadMessage and nothing else."""
    data = decode_object(raw, most)
    re = data.get("id")
    if not isinstance(re, str) or not 1 <= len(re) <= MAX_ID:
        raise BadMessage("bad_message", f"A message needs an id of 1 to {MAX_ID} characters.")
    kind = data.get("type")
    if not isinstance(kind, str):
        raise BadMessage("bad_message", "A message needs a type.", re)
    if kind not in MESSAGES:
        raise BadMessage("unknown_type", "This host does not know messages of that type.", re)
    try:
        return re, codec.parse(data, MESSAGES[kind])
    except BadData as error:
        raise BadMessage("bad_message", f"The message cannot be read: {error.sentence}.", re) from None


def clean_name(text: str) -> str:
    """Return a person's name, safe to display; raises BadMessage if it is not a name (see ``names``)."""
    name = names.clean_name(text)
    wrong = names.name_problem(name)
    if wrong:
        raise BadMessage("bad_message", wrong)
    return name


def clean_chat(text: str) -> str:
    """Return a chat message, safe to display; raises BadMessage if it is empty or too long."""
    words = clean_text(text)
    if not 1 <= len(words) <= MAX_CHAT:
        raise BadMessage("bad_message", f"A chat message must have 1 to {MAX_CHAT} characters.")
    return words


def clean_title(text: str) -> str:
    """Return a table's title, safe to display and perhaps empty; raises BadMessage if it is too long."""
    title = clean_text(text)
    if len(title) > MAX_TITLE:
        raise BadMessage("bad_message", f"A title can have at most {MAX_TITLE} characters.")
    return title
