"""The options of a host, as a command line for programs: ``--port 0 --stats --limit rate=20``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from cave import keys
from cave.wire import DEFAULT_PORT
from server.clients.limits import Limits, with_settings

SEVERAL = ("invite", "owner", "limit")


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """The options of a host. ``port`` 0 picks three free ports. ``bot_pause`` is the minimum time of a bot's
    action, in seconds. Finished games are written to the folder ``records``.

    Tables are saved in the folder ``data``; without it they are lost when the host stops. ``tidy`` deletes
    that folder when the host stops, unless it has an unfinished game. The folder ``keys``, or else ``data``,
    has the host's key and its lists. ``with_parent`` stops the host when its standard input closes.
    ``only_parent`` reads a client's key from its first line, and lets only that client connect.
    """

    port: int = DEFAULT_PORT
    bind: str = "127.0.0.1"
    name: str = ""
    records: Path | None = None
    data: Path | None = None
    keys: Path | None = None
    tidy: bool = False
    bot_pause: float = 0.0
    no_encryption: bool = False
    forced: bool = msgspec.field(default=False, name="force-no-encryption")
    invited_only: bool = False
    invite: tuple[str, ...] = ()
    owner: tuple[str, ...] = ()
    limit: tuple[str, ...] = ()
    guests_open: Literal["yes", "no"] = "yes"
    watchers_chat: bool = False
    announce: bool = False
    stats: bool = False
    with_parent: bool = False
    only_parent: bool = False

    @property
    def encrypts(self) -> bool:
        return not (self.no_encryption or self.forced)

    @property
    def key_folder(self) -> Path | None:
        return self.keys or self.data

    def limits(self) -> Limits:
        """Return the limits with the owner's settings; raises ValueError with one sentence."""
        usual = Limits(watchers_chat=self.watchers_chat, guests_open=self.guests_open == "yes")
        return with_settings(usual, self.limit)


def parse_options(words: Sequence[str]) -> Options:
    """Parse a command line; raises ValueError. A word without dashes is a value."""
    given: dict[str, Any] = {}
    name = ""
    for word in words:
        if word.startswith("--"):
            name, is_set, value = word.removeprefix("--").partition("=")
            if not is_set:
                given.setdefault(name, [] if name in SEVERAL else True)
                continue
        else:
            value = word
        if name in SEVERAL:
            given.setdefault(name, []).append(value)
        else:
            given[name] = value
    for clients in ("invite", "owner"):
        try:
            given[clients] = [*map(keys.read_key, given.get(clients, ()))]
        except ValueError:
            raise ValueError(f"--{clients} needs a client's key.") from None
    try:
        return msgspec.convert(given, Options, strict=False, dec_hook=lambda kind, value: kind(value))
    except msgspec.ValidationError as error:
        raise ValueError(f"These options cannot be read: {error}.") from None
