"""Who may connect: key files, the owner's bans, and replies to ZeroMQ's ZAP requests (RFC 27)."""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import math
import secrets
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import zmq
from msgspec import Struct

from cave import files, keys, protocol
from cave.files import KIB, make_private, read_regular
from cave.keys import KeyHolder
from server.clients.limits import Recent, TokenBuckets, address_key, parse_network, site_of
from server.logs import LogCounts
from server.system import OTHER_FOLDER
from server.tables.effects import FOR_EVER

DOMAIN = b"cave"
LET_IN, LATER, KEPT_OUT = b"200", b"300", b"400"
"""ZAP status codes. After 300 the client's libzmq silently retries; after 400 the client learns of it."""
VERSION = b"1.0"
OFFENCES = (0.1, 8.0)
"""Connections of an address that may be closed for abuse, per second and at once, before the address is
refused for a while. A household has only a few bad programs.
"""
TRYING = 2.0
"""Seconds a newcomer must keep trying while its address is held off. New keys are free, but time is not."""
NEWCOMERS = (1.0, 4.0)  # such newcomers let in from one address: per second, and in a burst
WELCOME = 60.0  # seconds to reconnect without waiting
RETURN = 1.0  # seconds a seat's holder is refused: as short as a reconnect


class Access:
    """Decides who may connect: ``invited`` clients (None: all), except ``bans``. Clients accepted by
    ``keeps`` are never refused for their address. Others must keep trying if it is held off.
    """

    def __init__(
        self,
        *,
        invited: Iterable[str] | None = None,
        bans: Bans | None = None,
        keeps: Callable[[str], bool] = lambda _key: False,
        counts: LogCounts | None = None,
    ) -> None:
        self._invited = None if invited is None else frozenset(invited)
        self._bans = bans or Bans()
        self._keeps = keeps
        self._counts = counts or LogCounts()
        self.ids = RoutingIds()
        self._out_until: Recent[str, float] = Recent()
        self._offences = TokenBuckets(*OFFENCES)
        self._trying_since: Recent[str, float] = Recent()
        self._welcome_until: Recent[str, float] = Recent()
        self._newcomers = TokenBuckets(*NEWCOMERS)

    def allows(self, key: str, now: float, address: str = "") -> bool:
        return self.zap_status(key, now, address) == LET_IN

    def zap_status(self, key: str, now: float, address: str = "") -> bytes:
        if key in self._bans.keys or self._out_until.get(key, now) > now:
            self._counts.add("zap_banned")
            return KEPT_OUT
        if self._invited is not None and key not in self._invited:
            self._counts.add("zap_uninvited")
            return KEPT_OUT
        if not self._keeps(key):
            if self._bans.is_banned(address, now):
                self._counts.add("zap_address")
                return KEPT_OUT
            if self._out_until.get(site_of(address), now) > now and not self._lets_in(key, address, now):
                self._counts.add("zap_address")
                return LATER
        self._counts.add("zap_allowed")
        return LET_IN

    def _lets_in(self, key: str, address: str, now: float) -> bool:
        """Return whether to let a newcomer in while its address is held off: a household shares one."""
        self._trying_since[key] = since = self._trying_since.get(key, now)
        if self._welcome_until.get(key, now) <= now and (
            now - since < TRYING or not self._newcomers.take(address, now)
        ):
            return False
        self._welcome_until[key] = now + WELCOME
        return True

    def is_held_off(self, address: str, now: float) -> bool:
        return self._bans.is_banned(address, now) or self._out_until.get(site_of(address), now) > now

    def hold_off(self, who: str, until: float) -> None:
        self._out_until[who] = until

    def punish_offender(self, key: str, address: str, now: float, seconds: float) -> None:
        """Refuse a client for a while, and its address if it has too many offenders: new keys are free."""
        if key:
            self._trying_since.pop(key, None)
            self._welcome_until.pop(key, None)
            self.hold_off(key, now + (min(RETURN, seconds) if self._keeps(key) else seconds))
        if address and not self._offences.take(address, now):
            self._counts.add("addresses_held_off")
            self.hold_off(site_of(address), now + seconds)

    def ban(self, key: str, address: str, until: float, now: float) -> None:
        """Ban a client's key, and an address (if any) for a time; raises OSError."""
        self._bans.ban(key, now, address, until)

    def lift_ban(self, key: str, address: str) -> None:
        for each in (key, site_of(address)):
            self._out_until.pop(each, None)
        self._bans.lift(key, address)

    def answer_zap(self, request: Sequence[bytes], now: float) -> list[bytes]:
        number = request[1] if len(request) > 1 else b""
        if len(request) != 7 or request[0] != VERSION or request[2] != DOMAIN:
            return [VERSION, number, b"500", b"unknown request", b"", b""]
        mechanism, key = request[5:]
        if mechanism != b"CURVE" or len(key) != keys.SIZE:
            self._counts.add("zap_unencrypted")
            return [VERSION, number, KEPT_OUT, b"no access", b"", b""]
        client, address = keys.to_z85(key), address_key(request[3].decode("ascii", "replace"))
        status = self.zap_status(client, now, address)
        if status != LET_IN:
            return [VERSION, number, status, b"no access", b"", b""]
        return [VERSION, number, status, b"OK", client.encode(), self.ids.zap_metadata(client)]


PAIR_FILE = "host.key"
INVITED_FILE = "invited.keys"
BANNED_FILE = "banned.keys"
MOST_OF_PAIR = 4 * KIB  # bytes of the file of a pair
MOST_LISTED = 4096 * KIB  # bytes of a list


class BadKeys(Exception):
    """Keys that cannot be read or written; the message is a sentence with the remedy."""


class KeyPair(KeyHolder, frozen=True):
    public: str
    secret: str


def make_key_pair() -> KeyPair:
    public, secret = zmq.curve_keypair()
    return KeyPair(public.decode(), secret.decode())


def load_host_keys(folder: Path) -> KeyPair:
    """Load the key pair in the folder, or create it; raises BadKeys. Clients remember it, so an existing file
    is never replaced, even if unreadable.
    """
    path = folder / PAIR_FILE
    try:
        make_private(folder)
        if not path.exists():
            pair = make_key_pair()
            # Two hosts may start at the same time: the first pair stays.
            files.create_private(path, f"{pair.public}\n{pair.secret}\n".encode())
    except OSError as error:
        why = files.error_reason(error, "it cannot be written")
        raise BadKeys(
            f"The host's key cannot be saved in {folder} ({why}): choose another folder {OTHER_FOLDER}."
        ) from None
    try:
        text = read_regular(path, MOST_OF_PAIR).decode("ascii")
        files.make_file_private(path)
    except (OSError, UnicodeError) as error:
        reason = files.error_reason(error, "not text")
        raise BadKeys(f"The host's key {path} cannot be used ({reason}): repair or move it.") from None
    try:
        public, secret = map(keys.read_key, text.split())
        if zmq.curve_public(secret.encode()).decode() != public:
            raise ValueError("the halves do not match")
    except ValueError:
        raise BadKeys(
            f"The host's key {path} is damaged. Restore a copy of it, or move it away: "
            "the host then makes a new one, and clients ask before they trust it."
        ) from None
    return KeyPair(public, secret)


def read_key_list(path: Path) -> frozenset[str]:
    """Read the keys in a file, one per line, comments after a space; empty if missing. Raises BadKeys."""
    found = set()
    for number, line in read_list_lines(path):
        try:
            found.add(keys.read_key(line.split()[0]))
        except ValueError:
            raise BadKeys(f"Line {number} of {path} does not begin with a client's key.") from None
    return frozenset(found)


def read_list_lines(path: Path) -> list[tuple[int, str]]:
    """Read the lines of a list with their numbers, without comments; raises BadKeys."""
    try:
        lines = read_regular(path, MOST_LISTED).decode().splitlines()
    except FileNotFoundError:
        return []
    except (OSError, UnicodeError) as error:
        reason = files.error_reason(error, "not text")
        raise BadKeys(f"The list {path} cannot be read ({reason}).") from None
    return [(number, line) for number, line in enumerate(lines, 1) if line.strip() and not line.startswith("# ")]


def write_key_list(path: Path, listed: Iterable[str]) -> None:
    write_list_lines(path, map(keys.key_for_ticket, sorted(listed)))


def write_list_lines(path: Path, lines: Iterable[str]) -> None:
    """Write a list atomically; raises OSError."""
    files.replace_file(path, "".join(f"{line}\n" for line in lines).encode(), sync=True)


ADDRESSES_FILE = "banned.addresses"
KEY_FILES = (PAIR_FILE, BANNED_FILE, ADDRESSES_FILE)
"""The files of keys and bans in a local game's folder; deleted with it."""


class AddressBan(Struct, frozen=True):
    """A ban on an address: its end, and the key banned with it."""

    until: float
    key: str


class Bans:
    """All bans; ``keep`` saves them, or raises OSError. Times are monotonic in memory, calendar in files."""

    def __init__(
        self,
        banned: Iterable[str] = (),
        addresses: Mapping[str, AddressBan] | None = None,
        keep: Callable[[Bans], None] = lambda _bans: None,
    ) -> None:
        self.keys = frozenset(banned)
        self.addresses: Mapping[str, AddressBan] = dict(addresses or {})
        self._keep = keep

    def is_banned(self, address: str, now: float) -> bool:
        return address in self.addresses and self.addresses[address].until > now

    def ban(self, key: str, now: float, address: str = "", until: float = FOR_EVER) -> None:
        """Ban a client's key, and an ``address`` until then; raises OSError if the bans cannot be saved."""
        self.keys |= {key}
        if address:
            lasting = {each: out for each, out in self.addresses.items() if out.until > now}
            self.addresses = {**lasting, address: AddressBan(until, key)}
        self._keep(self)

    def lift(self, key: str = "", address: str = "") -> None:
        """Lift the ban on a key and the address banned with it, or on an address; raises OSError."""
        self.keys -= {key}
        left = {each: out for each, out in self.addresses.items() if each != address and out.key != key}
        self.addresses = left
        self._keep(self)

    def as_reply(self, now: float) -> protocol.BansReply:
        addresses = [
            protocol.BannedAddress(address, out.key, None if out.until == FOR_EVER else math.ceil(out.until - now))
            for address, out in sorted(self.addresses.items())
            if out.until > now
        ]
        return protocol.BansReply(sorted(self.keys), addresses)


def load_bans(folder: Path, owners: Iterable[str], calendar: Callable[[], float]) -> Bans:
    """Load a folder's bans, without owners; ``calendar`` returns calendar minus monotonic time. Raises
    BadKeys.
    """

    def keep(bans: Bans) -> None:
        ahead = calendar()
        write_key_list(folder / BANNED_FILE, bans.keys)
        lines = (_address_ban_line(address, out, ahead) for address, out in sorted(bans.addresses.items()))
        write_list_lines(folder / ADDRESSES_FILE, lines)

    banned = read_key_list(folder / BANNED_FILE) - {*owners}
    file = folder / ADDRESSES_FILE
    addresses = {}
    for number, line in read_list_lines(file):
        try:
            address, out = _parse_address_ban(line, calendar())
        except ValueError:
            raise BadKeys(
                f"Line {number} of {file} is not an address, a key and a time: correct or delete it."
            ) from None
        addresses[address] = out
    return Bans(banned, addresses, keep)


def _address_ban_line(address: str, out: AddressBan, ahead: float) -> str:
    until = "-" if out.until == FOR_EVER else str(math.ceil(out.until + ahead))
    return f"{address} {keys.key_for_ticket(out.key)} {until}"


def _parse_address_ban(line: str, ahead: float) -> tuple[str, AddressBan]:
    address, key, until = line.split()
    if parse_network(address) != address:
        raise ValueError
    return address, AddressBan(FOR_EVER if until == "-" else int(until) - ahead, keys.read_key(key))


ZAP_PAUSE = 0.003
"""Seconds before the ZAP reply, so that libzmq reads the client's own choice first."""
_MARK = b"c"  # the first byte of an issued id; libzmq's own ids begin with a zero
_HALF = 8  # random bytes, and bytes of the hash, in an issued id


class RoutingIds:
    """Issues routing ids to clients, and recognises them without storing any.

    The desk's ROUTER socket identifies connections by these ids. libzmq 4.3.5 aborts the process if the id
    that it generates for a new connection is taken, and a client may choose an id that looks like one of
    libzmq's. Two measures prevent that:

    - On an encrypted host the reply of the ZAP handler names the connection, and libzmq then ignores what the
      client chose. Such an id is derived from the client's key, so that none need be stored.
    - libzmq counts its own ids up from a random number of the C library, which is the same in every process.
      The host seeds it first (``seed_routing_ids``).

    libzmq reads the client's choice just after it has asked the ZAP handler, and the later id wins. So the
    reply is delayed (``ZAP_PAUSE``). A connection that still has its own id is closed.
    """

    def __init__(self) -> None:
        self._secret = secrets.token_bytes(32)

    def issue(self, key: str) -> bytes:
        chance = secrets.token_bytes(_HALF)
        return _MARK + chance + self._hash(chance, key)

    def is_genuine(self, routing_id: bytes, key: str | None) -> bool:
        """Return whether the host or libzmq issued this id for the key (None without encryption)."""
        if len(routing_id) == 5 and routing_id[0] == 0:
            return True
        chance = routing_id[1 : 1 + _HALF]
        return key is not None and routing_id == _MARK + chance + self._hash(chance, key)

    def zap_metadata(self, key: str) -> bytes:
        """Return a new routing id in the form of a ZAP reply's metadata (RFC 27 and RFC 23)."""
        name, routing_id = b"Identity", self.issue(key)
        return bytes([len(name)]) + name + len(routing_id).to_bytes(4, "big") + routing_id

    def _hash(self, chance: bytes, key: str) -> bytes:
        return hashlib.blake2b(chance + key.encode(), key=self._secret, digest_size=_HALF).digest()


def seed_routing_ids() -> None:
    """Seed the C library's random numbers, which libzmq starts from. Call this before creating sockets."""
    with contextlib.suppress(OSError, AttributeError):
        library = ctypes.CDLL("ucrtbase" if sys.platform == "win32" else None)
        library.srand(ctypes.c_uint(secrets.randbits(32)))
