"""The messages of the wire protocol, version 1: what clients may send, and the limits.

Decoding is strict: whatever bytes come in, the outcome is a message of one of these classes or a
``BadMessage`` with a code and a sentence. The contract is described in ``server/PROTOCOL.md``.
"""

# Types stand here as types and not as texts: msgspec would have to compile each text at every start.
import json
import math
from collections.abc import Mapping
from typing import ClassVar, Literal

import msgspec

from cave import codec, names
from cave.codec import Count
from cave.game import BadData, Json
from cave.wire import DEFAULT_PORT as DEFAULT_PORT
from cave.wire import MAX_CHAT as MAX_CHAT
from cave.wire import MAX_MESSAGE as MAX_MESSAGE
from cave.wire import MAX_NAME as MAX_NAME
from cave.wire import MAX_TITLE as MAX_TITLE
from cave.wire import VERSION as VERSION
from cave.wire import VERSIONS as VERSIONS
from cave.wire import clean_text as clean_text
from cave.wire import digest as digest
from cave.wire import harmless as harmless
from cave.wire import topic as topic

MAX_DEPTH = 16
"""Objects and lists within each other."""
MAX_ID = 64
MAX_CODE = 64
MAX_AFTER = 24 * 60 * 60
"""Seconds that somebody may be away at most before somebody else plays for the seat."""
MAX_BAN = 10 * 365 * 24 * 60 * 60
"""Seconds for which an address may be banned, unless it is until a pardon."""
MAX_DIGITS = 16
"""Digits of a number; more than any number of a game has."""

CODES = (
    "bad_message",
    "unknown_type",
    "too_large",
    "too_fast",
    "version",
    "no_table",
    "no_seat",
    "seat_taken",
    "name_taken",
    "wrong_code",
    "wrong_key",
    "not_seated",
    "not_started",
    "stale",
    "full",
    "nothing_to_undo",
    "not_saved",
    "not_owner",
    "set_aside",
    "shelved",
    "repeated",
    "no_address",
    "pending",
    "not_over",
)
"""The host's own refusals; a game adds its own."""


class BadMessage(Exception):
    """A message that cannot be understood; nothing has changed.

    ``re`` is the message's id where it could be read, else None.
    """

    def __init__(self, code: str, message: str, re: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.re = re


class Message(msgspec.Struct, frozen=True):
    """A client's message. Later versions may add fields: a host of this version passes over them."""

    type: ClassVar[str] = ""


Pace = Literal["slow", "usual", "none"]
"""How long bots wait before they act, so that people can follow."""


class SeatSpec(msgspec.Struct, frozen=True):
    """A seat asked for in ``open``: free for a person, or a bot's."""

    kind: Literal["open", "bot"]
    level: str = ""


class Absence(msgspec.Struct, frozen=True):
    """The rule for a seat that somebody has left alone for ``after`` seconds while others are
    there: the table waits, a bot of this ``level`` plays (none: the weakest), or the host skips its turns.
    Owners who return get the seat back at once. With ``idle`` the same applies to present players who do not
    act in their turn for that long, until the turn ends or they act.
    """

    then: Literal["wait", "bot", "skip"] = "wait"
    after: Count = 60
    level: str = ""
    idle: bool = False

    @property
    def hurries(self) -> bool:
        """Whether there is a time limit for present players, too."""
        return self.idle and self.then != "wait"

    def form(self) -> Json:
        """Return its public form, without optional fields that have their defaults."""
        form = msgspec.structs.asdict(self)
        return {name: value for name, value in form.items() if value or name in ("then", "after")}


class Hello(Message, frozen=True, kw_only=True):
    """Who connects, and the protocol version (or range of versions) it speaks."""

    type: ClassVar[str] = "hello"
    protocol: Json
    client: str = ""
    name: str = ""


class Tables(Message, frozen=True, kw_only=True):
    """Asks for the list of tables."""

    type: ClassVar[str] = "tables"


class Open(Message, frozen=True, kw_only=True):
    """Opens a table; ``start`` a position, ``seed`` a text that all chance follows from. ``hints`` is whether
    clients may tell their people what to do.
    """

    type: ClassVar[str] = "open"
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


class Sit(Message, frozen=True, kw_only=True):
    """Takes a free seat, any if none is named. ``key`` is the seat key of the game before a rematch."""

    type: ClassVar[str] = "sit"
    table: str
    name: str
    seat: Count | None = None
    code: str | None = None
    key: str | None = None


class Rematch(Message, frozen=True, kw_only=True):
    """Asks for a rematch of the game at a table. ``keys`` are the client's seat keys there."""

    type: ClassVar[str] = "rematch"
    table: str
    keys: tuple[str, ...] = ()


class Resume(Message, frozen=True, kw_only=True):
    """Takes a held seat up again with its key; ``again`` only if no other client took it over since."""

    type: ClassVar[str] = "resume"
    table: str
    seat: Count
    key: str
    again: bool = False


class Reopen(Message, frozen=True, kw_only=True):
    """Opens a shelved game again; ``key`` is that of the seat."""

    type: ClassVar[str] = "reopen"
    table: str
    seat: Count
    key: str


class Stand(Message, frozen=True, kw_only=True):
    """Gives a seat up."""

    type: ClassVar[str] = "stand"
    table: str
    seat: Count


class Watch(Message, frozen=True, kw_only=True):
    """Asks for a snapshot and counts as a watcher from then on."""

    type: ClassVar[str] = "watch"
    table: str


class Sync(Message, frozen=True, kw_only=True):
    """Asks for a snapshot and the views of the seats held."""

    type: ClassVar[str] = "sync"
    table: str


class Act(Message, frozen=True, kw_only=True):
    """An action, chosen at ``seq``."""

    type: ClassVar[str] = "act"
    table: str
    seat: Count
    seq: Count
    action: Json


class Undo(Message, frozen=True, kw_only=True):
    """Takes the last step of the own turn back."""

    type: ClassVar[str] = "undo"
    table: str
    seat: Count
    seq: Count


Wish = Literal["resign", "hand_over", "hurry"]
"""What concerns the others: to resign, to let a bot play to the end, bots that do not pause."""
Until = Literal["", "turn", "end"]
"""How long bots do not pause: until one's own next turn, or until the end; empty: they pause."""


class Propose(Message, frozen=True, kw_only=True):
    """Asks for what concerns the others. It takes place when all of them have agreed, at once where nobody
    else plays. ``level`` is that of the bot.
    """

    type: ClassVar[str] = "propose"
    table: str
    seat: Count
    what: Wish
    level: str = ""
    until: Until = ""


class Agree(Message, frozen=True, kw_only=True):
    """Answers the question with this number."""

    type: ClassVar[str] = "agree"
    table: str
    seat: Count
    number: Count
    agree: bool = True


class Say(Message, frozen=True, kw_only=True):
    """Says something to the table."""

    type: ClassVar[str] = "say"
    table: str
    text: str


class Record(Message, frozen=True, kw_only=True):
    """Asks for the record so far."""

    type: ClassVar[str] = "record"
    table: str


class Ping(Message, frozen=True, kw_only=True):
    """Asks for a sign of life."""

    type: ClassVar[str] = "ping"


class Stats(Message, frozen=True, kw_only=True):
    """Asks what the host has counted; for its owner."""

    type: ClassVar[str] = "stats"


class Guests(Message, frozen=True, kw_only=True):
    """Asks who is connected; for the host's owner."""

    type: ClassVar[str] = "guests"


class Close(Message, frozen=True, kw_only=True):
    """Ends the game at a table and clears the table away; for the host's owner."""

    type: ClassVar[str] = "close"
    table: str


class Free(Message, frozen=True, kw_only=True):
    """Frees a seat that somebody holds; for the host's owner."""

    type: ClassVar[str] = "free"
    table: str
    seat: Count


class Ban(Message, frozen=True, kw_only=True):
    """Bans a client by its key, or by the seat it holds. ``address`` bans its address too, for this number
    of ``seconds`` or until a pardon. For the host's owner.
    """

    type: ClassVar[str] = "ban"
    key: str | None = None
    table: str | None = None
    seat: Count | None = None
    address: bool = False
    seconds: Count | None = None


class Allow(Message, frozen=True, kw_only=True):
    """Lets guests open tables, or not, from now on; for the host's owner."""

    type: ClassVar[str] = "allow"
    guests_open: bool


class Pardon(Message, frozen=True, kw_only=True):
    """Lifts the ban on a key or on an address; for the host's owner."""

    type: ClassVar[str] = "pardon"
    key: str | None = None
    address: str | None = None


class Bans(Message, frozen=True, kw_only=True):
    """Asks for all bans; for the host's owner."""

    type: ClassVar[str] = "bans"


ClientMessage = (
    Hello | Tables | Open | Sit | Rematch | Resume | Reopen | Stand | Watch | Sync | Act | Undo | Propose
    | Agree | Say | Record | Ping | Stats | Guests | Close | Free | Ban | Pardon | Bans | Allow
)  # fmt: skip

MESSAGES: Mapping[str, type[ClientMessage]] = {
    kind.type: kind
    for kind in (
        Hello,
        Tables,
        Open,
        Sit,
        Rematch,
        Resume,
        Reopen,
        Stand,
        Watch,
        Sync,
        Act,
        Undo,
        Propose,
        Agree,
        Say,
        Record,
        Ping,
        Stats,
        Guests,
        Close,
        Free,
        Ban,
        Pardon,
        Bans,
        Allow,
    )
}


def decode(raw: bytes, most: int = MAX_MESSAGE) -> tuple[str, ClientMessage]:
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
        return re, codec.structure(data, MESSAGES[kind])
    except BadData as error:
        raise BadMessage("bad_message", f"The message cannot be read: {error.sentence}.", re) from None


def decode_object(raw: bytes, most: int = MAX_MESSAGE) -> dict[str, Json]:
    """Return the JSON object of one frame, decoded strictly; raises BadMessage and nothing else.

    Refused are frames of more bytes than ``most``, text that is not UTF-8 or not JSON, NaN and infinities,
    a name given twice, half characters, numbers of too many digits, and deep nesting.
    """
    if len(raw) > most:
        raise BadMessage("too_large", f"A message can have at most {most} bytes.")
    try:
        text = raw.decode("utf-8")
        data = _DECODER.decode(text)
    except RecursionError:
        raise BadMessage("bad_message", "The message is nested too deeply.") from None
    except (ValueError, UnicodeError) as error:
        problem = error.args[0] if isinstance(error, _Unsound) else "it is not JSON"
        raise BadMessage("bad_message", f"The message cannot be read: {problem}.") from None
    if not isinstance(data, dict):
        raise BadMessage("bad_message", "A message must be a JSON object.")
    if _too_deep(data):
        raise BadMessage("bad_message", "The message is nested too deeply.")
    # Half a surrogate pair, written as an escape, is the one thing JSON text can say and UTF-8 not.
    if "\\u" in text:
        try:
            json.dumps(data, ensure_ascii=False).encode("utf-8")
        except UnicodeError:
            raise BadMessage(
                "bad_message", "The message cannot be read: it contains half a character."
            ) from None
    return data


class _Unsound(ValueError):
    """JSON that the standard allows, or a library, but not this protocol."""


def _no_repeats(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise _Unsound("an object has the same name twice")
    return found


def _small_int(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise _Unsound("a number has too many digits")
    return int(digits)


def _small_float(digits: str) -> float:
    number = float(digits)
    if len(digits) > 2 * MAX_DIGITS or not math.isfinite(number):
        raise _Unsound("a number has too many digits")
    return number


def _no_constant(name: str) -> Json:
    raise _Unsound(f"{name} is not a number")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_no_repeats,
    parse_int=_small_int,
    parse_float=_small_float,
    parse_constant=_no_constant,
)


def _too_deep(data: Json) -> bool:
    level: list[Json] = [data]
    for _ in range(MAX_DEPTH):
        level = [
            inner
            for value in level
            for inner in (value.values() if isinstance(value, dict) else value)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return False
    return True


def clean_name(text: str) -> str:
    """Return a person's name as it may be shown; raises BadMessage for what can be no name (see
    ``names``).
    """
    name = names.clean(text)
    wrong = names.problem(name)
    if wrong:
        raise BadMessage("bad_message", wrong)
    return name


def clean_chat(text: str) -> str:
    """Return somebody's words as they may be shown; raises BadMessage when empty or too long."""
    words = clean_text(text)
    if not 1 <= len(words) <= MAX_CHAT:
        raise BadMessage("bad_message", f"A chat message must have 1 to {MAX_CHAT} characters.")
    return words


def clean_title(text: str) -> str:
    """Return a table's title as it may be shown, perhaps empty; raises BadMessage when it is too long."""
    title = clean_text(text)
    if len(title) > MAX_TITLE:
        raise BadMessage("bad_message", f"A title can have at most {MAX_TITLE} characters.")
    return title
