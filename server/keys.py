"""Keys on disk: the host's own pair, and lists of clients' keys.

The host's pair is created once. Clients remember it, so it is never replaced while its file exists, even if
the file cannot be read.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import zmq

from cave import files, keys
from cave.files import KIB, make_private, read_small
from cave.key_holder import KeyHolder

PAIR_FILE = "host.key"
INVITED_FILE = "invited.keys"
BANNED_FILE = "banned.keys"
MOST = 4 * KIB
"""Bytes of the file of a pair."""
MOST_LISTED = 4096 * KIB
"""Bytes of a list."""


class BadKeys(Exception):
    """Keys that cannot be read or kept; the text is one sentence that says what to do."""


class KeyPair(KeyHolder, frozen=True):
    """A CURVE pair in Z85."""

    public: str
    secret: str


def fresh_pair() -> KeyPair:
    """Return a new pair that is not saved."""
    public, secret = zmq.curve_keypair()
    return KeyPair(public.decode(), secret.decode())


def host_pair(folder: Path) -> KeyPair:
    """Return the pair in the folder, created the first time; raises BadKeys."""
    path = folder / PAIR_FILE
    try:
        make_private(folder)
        if not path.exists():
            pair = fresh_pair()
            # Two hosts may start at once: the pair of the first stays.
            files.create(path, f"{pair.public}\n{pair.secret}\n".encode())
    except OSError as error:
        why = files.reason(error, "it cannot be written")
        raise BadKeys(
            f"The host's key cannot be kept in {folder} ({why}): choose another folder with --data."
        ) from None
    try:
        text = read_small(path, MOST).decode("ascii")
        files.make_file_private(path)
    except (OSError, UnicodeError) as error:
        reason = files.reason(error, "not text")
        raise BadKeys(f"The host's key {path} cannot be used ({reason}): mend or move it.") from None
    try:
        public, secret = map(keys.read_key, text.split())
        if zmq.curve_public(secret.encode()).decode() != public:
            raise ValueError("the halves do not match")
    except ValueError:
        raise BadKeys(
            f"The host's key {path} is damaged. Put a copy of it back, or move it away: "
            "the host then makes a new one, and clients ask before they trust it."
        ) from None
    return KeyPair(public, secret)


def read_list(path: Path) -> frozenset[str]:
    """Return the clients' keys in a file, one a line. Text after a space is a comment. No file means no keys.

    Raises BadKeys for a line that is not a key.
    """
    found = set()
    for number, line in read_lines(path):
        try:
            found.add(keys.read_key(line.split()[0]))
        except ValueError:
            raise BadKeys(f"Line {number} of {path} does not begin with a client's key.") from None
    return frozenset(found)


def read_lines(path: Path) -> list[tuple[int, str]]:
    """Return the lines of a list with their numbers, without empty lines and comments (``# ``); none if there
    is no file. Raises BadKeys.
    """
    try:
        lines = read_small(path, MOST_LISTED).decode().splitlines()
    except FileNotFoundError:
        return []
    except (OSError, UnicodeError) as error:
        reason = files.reason(error, "not text")
        raise BadKeys(f"The list {path} cannot be read ({reason}).") from None
    return [
        (number, line) for number, line in enumerate(lines, 1) if line.strip() and not line.startswith("# ")
    ]


def write_list(path: Path, listed: Iterable[str]) -> None:
    """Write a list of keys atomically; raises OSError."""
    write_lines(path, map(keys.ticket_form, sorted(listed)))


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """Write a list atomically; raises OSError."""
    files.replace(path, "".join(f"{line}\n" for line in lines).encode(), sync=True)
