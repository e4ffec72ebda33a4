"""The client's own key pair, and the keys that hosts had when they were first seen, as ssh remembers them.
Another key there later is refused until the person agrees. A ticket brings the key along.
"""

from __future__ import annotations

import contextlib
import functools
import ipaddress
from pathlib import Path
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from cave import files, keys
from cave.files import KIB, Unfit, make_private, read_small
from cave.keys import KeyHolder
from client.net.address import Address
from client.program import typed

Standing = Literal["known", "new", "changed", "plain"]
"""The standing of a host: its key is known, new, or another than before; or it does not encrypt."""

IDENTITY_FILE = "client.key"
KNOWN_FILE = "known_hosts"
MOST = 4 * KIB  # bytes of the file of a pair
MOST_KNOWN = 1024 * KIB


class WrongKey(ConnectionError):
    """The host is not the one it should be; one message that shows both fingerprints."""


class Identity(KeyHolder, frozen=True):
    """A client's CURVE pair in Z85; one that is not ``kept`` lasts as long as the program."""

    public: str
    secret: str
    kept: bool = True


class Keys(Struct, frozen=True):
    """Keys kept in a folder, if any. ``accept_new``: the person agrees to a host's new key; ``plain``: to
    talk without encryption to a host that is not this machine.
    """

    folder: Path | None = None
    accept_new: bool = False
    plain: bool = False

    def identity(self) -> Identity:
        """Return the client's own pair, made at the first time; one for this run where none can be kept."""
        if self.folder is None:
            return _fresh()
        path = self.folder / IDENTITY_FILE
        try:
            make_private(self.folder)
            if not path.exists():
                fresh = _fresh()
                # Two programs may start at once: the first one's pair stays.
                files.create(path, f"{fresh.public}\n{fresh.secret}\n".encode())
            with contextlib.suppress(OSError):  # It can be read all the same.
                files.make_file_private(path)
            public, secret = map(keys.read_key, read_small(path, MOST).decode("ascii").split())
        except (Unfit, ValueError):
            raise ConnectionError(
                f"Your key {path} is damaged. Put a copy of it back, or move it away to get a new one."
            ) from None
        except OSError:
            return _for_this_run(self.folder)
        return Identity(public, secret)

    def standing(self, address: Address, shown: str) -> Standing:
        """Return the standing of the host whose door shows this key. Asking does not remember it."""
        try:
            known = self._known()
        except ConnectionError:
            known = {}
        there = known.get(_place(address), shown)
        if there != shown:
            return "changed"
        if not shown:
            return "plain"
        return "known" if shown in known.values() else "new"

    def trusted(self, address: Address, ip: str, shown: str) -> str:
        """Return the key to trust at an address whose door shows ``shown`` (nothing: no encryption).

        Raises WrongKey, and ConnectionError for a host that should encrypt and does not.
        """
        place = _place(address)
        known = address.key or self._known().get(place, "")
        if not shown:
            return self._plain(address, ip, known)
        try:
            shown = keys.read_key(shown)
        except ValueError:
            raise ConnectionError(f"What answers at {address} is not a host of cave games.") from None
        if shown == known:
            return shown
        if address.key:
            raise WrongKey(
                f"The host at {address} is not the one in the ticket: the ticket says "
                f"{keys.fingerprint(known)}, the host {keys.fingerprint(shown)}. Ask for a new ticket."
            )
        if known and not self.accept_new:
            raise WrongKey(
                f"The host at {address} has a new key: it was {keys.fingerprint(known)}, "
                f"now it is {keys.fingerprint(shown)}. Somebody may be pretending to be that host. Ask its "
                f"owner; if the new key is right, type: {typed(f'join {address} --accept-new-key')}"
            )
        self._remember(place, shown)
        return shown

    def _plain(self, address: Address, ip: str, known: str) -> str:
        if known:
            raise WrongKey(
                f"The host at {address} does not encrypt, but should have the key "
                f"{keys.fingerprint(known)}. Somebody may be pretending to be that host. Ask its owner."
            )
        if not self.plain and not is_this_machine(ip):
            raise ConnectionError(
                f"The host at {address} does not encrypt: anybody on the network could read along "
                "and interfere. To connect anyway, add --no-encryption."
            )
        return ""

    def _known(self) -> dict[str, str]:
        """Return keys by place; a line that cannot be read is passed over."""
        if self.folder is None:
            return {}
        known = {}
        try:
            lines = read_small(self.folder / KNOWN_FILE, MOST_KNOWN).decode().splitlines()
        except (FileNotFoundError, NotADirectoryError):
            return {}
        except (OSError, UnicodeError) as error:
            reason = files.reason(error, "not text")
            raise ConnectionError(
                f"The keys of known hosts cannot be read ({reason}): check {self.folder / KNOWN_FILE}."
            ) from None
        for line in lines:
            place, _, key = line.partition(" ")
            with contextlib.suppress(ValueError):
                known[place] = keys.read_key(key.strip())
        return known

    def _remember(self, place: str, key: str) -> None:
        """Keep a host's key; where that is not possible it is asked for again next time."""
        if self.folder is None:
            return
        known = {**self._known(), place: key}
        text = "".join(f"{place} {keys.ticket_form(key)}\n" for place, key in sorted(known.items()))
        path = self.folder / KNOWN_FILE
        with contextlib.suppress(OSError):
            make_private(self.folder)
            files.replace(path, text.encode(), sync=True)


def _place(address: Address) -> str:
    return f"{address.host.lower()}:{address.port}"


def is_this_machine(ip: str) -> bool:
    try:
        return ipaddress.ip_address(ip.partition("%")[0]).is_loopback
    except ValueError:
        return False


@functools.cache
def _for_this_run(_folder: Path) -> Identity:
    return replace(_fresh(), kept=False)


def _fresh() -> Identity:
    import zmq

    public, secret = zmq.curve_keypair()
    return Identity(public.decode(), secret.decode())
