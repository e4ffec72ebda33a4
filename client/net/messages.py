"""Untrusted data from a host: its door's line, messages, replies. All pass ``read_object``: JSON of bounded
depth whose texts are safe for a terminal. ``protocol`` checks their form later.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Collection, Sequence

from msgspec import Struct
from msgspec.structs import replace

from cave import codec, protocol, wire
from cave.game import BadData, Json
from cave.strict_json import MAX_DEPTH, is_too_deep
from client.net.known_hosts import Address
from client.system import command_as_typed
from client.table import ChatLine, Proposal, Seat

_LONG = re.compile(rb'"[^"]{%d}' % (wire.MAX_TEXT + 1))


def read_object(frame: bytes) -> dict[str, Json]:
    """Parse the object in a frame, or in the line of a door; raises BadData if it is not one."""
    message = codec.decode(frame)
    if not isinstance(message, dict):
        raise BadData("", "is not an object")
    # The bytes of most messages show that they need no cleaning: JSON has control characters only as escapes.
    plain = frame.isascii() and b"\\" not in frame and b"\x7f" not in frame and not _LONG.search(frame)
    return message if plain and not is_too_deep(message) else _check_fits(message, MAX_DEPTH)


def _check_fits(data: Json, depth: int) -> Json:
    kind = type(data)
    if kind is str:
        plain = data.isascii() and data.isprintable() and len(data) <= wire.MAX_TEXT
        return data if plain else wire.one_line(data[: wire.MAX_TEXT])
    if kind is not dict and kind is not list:
        return data
    if not depth:
        raise BadData("", "is nested too deeply")
    if kind is list:
        return [_check_fits(each, depth - 1) for each in data]
    return {_check_fits(name, depth): _check_fits(each, depth - 1) for name, each in data.items()}


def read_seats(lines: Sequence[protocol.SeatLine]) -> list[Seat]:
    return [
        Seat(
            wire.clean_text(line.name)[: wire.MAX_NAME],
            line.kind,
            line.present,
            stand_in=line.stand_in,
            team=wire.clean_text(line.team)[: wire.MAX_NAME],
            level=wire.clean_text(line.level)[: wire.MAX_NAME],
            handed=line.handed,
            kept=wire.clean_text(line.kept)[: wire.MAX_NAME],
        )
        for line in lines
    ]


def read_chat_line(line: protocol.ChatLine) -> ChatLine:
    name, text = (wire.clean_text(words) for words in (line.name, line.text))
    return ChatLine(name[: wire.MAX_NAME], text[: wire.MAX_CHAT], line.watcher)


def read_proposal(line: protocol.ProposalLine | None, seats: int) -> Proposal | None:
    """Read a player's request; raises BadData for a seat that does not exist."""
    if line is None:
        return None
    if any(seat >= seats for seat in (line.seat, *line.waits_for)):
        raise BadData("seat", f"must be 0 to {seats - 1}")
    level = wire.clean_text(line.level)[: wire.MAX_NAME]
    return replace(line, level=level, waits_for=tuple(line.waits_for))


def comings_and_goings(before: list[Seat], after: list[Seat], mine: Collection[int] = ()) -> list[Json]:
    """Return the log's events about people at a running game: seats left and taken, players away and back,
    stand-ins. Excludes the presence of players on seats that are ``mine``.
    """
    notes: list[Json] = []
    for number, (old, new) in enumerate(zip(before, after, strict=True)):
        if old.kind == "person" and new.kind == "bot":
            notes.append({"type": "resigned", "seat": number, "level": new.level})
        if old.name and old.name != new.name:
            notes.append({"type": "left", "seat": number, "name": old.name})
        if new.kind != "person":
            continue
        if new.name != old.name:
            notes.append({"type": "sat", "seat": number, "name": new.name, "former": old.known_name})
        elif old.present != new.present and number not in mine:
            notes.append({"type": "back" if new.present else "away", "seat": number})
        if new.handed != old.handed:
            kind = "handed_over" if new.handed else "plays_again"
            notes.append({"type": kind, "seat": number, "level": new.level})
        elif new.stand_in and new.stand_in != old.stand_in:
            idle = {"idle": True} if new.present else {}
            notes.append({"type": f"stand_in_{new.stand_in}", "seat": number, "level": new.level, **idle})
    return notes


DOOR_PATIENCE = 3.0  # seconds to wait for a host that does not answer
UNCLEAR = "The host at {address} answered in a way this version does not understand."
LONGEST_LINE = 64 * 1024  # bytes of the longest line that a door may send


class NobodyThere(ConnectionError):
    """No host answers at the address; the message is one sentence."""


class Door(Struct, frozen=True):
    """The facts from a door: the host's name, number, two ports, and key in Z85 (empty: no encryption)."""

    name: str
    ip: str
    desk: int
    gallery: int
    key: str = ""


async def read_door(address: Address) -> Door:
    """Read the facts from a host's door; raises ConnectionError with one sentence."""
    try:
        async with asyncio.timeout(DOOR_PATIENCE):
            reader, writer = await asyncio.open_connection(address.host, address.port, limit=LONGEST_LINE)
            try:
                peer = writer.get_extra_info("peername")
                if peer is None:
                    # The connection was reset before the peer's address was read.
                    raise ConnectionResetError
                line = await reader.readline()
            finally:
                writer.close()
    except (OSError, TimeoutError, UnicodeError):
        raise NobodyThere(
            f"No host answers at {address}. Check the address, or start a host with: {command_as_typed('host')}"
        ) from None
    except ValueError:
        line = b""
    told = _parse_door_line(address, line)
    key = told.public_key or "?" if told.encrypted else ""
    name = wire.clean_text(told.name)[: wire.MAX_TITLE]
    return Door(name, numeric_address(*peer), told.desk, told.gallery, key)


def _parse_door_line(address: Address, line: bytes) -> protocol.DoorLine:
    try:
        door = read_object(line)
    except BadData:
        door = {}
    if door.get("type") != "host":
        raise ConnectionError(f"The program at {address} is not a host of cave games.")
    try:
        # The line of another version may have another form; only these fields are common to all.
        first, last = codec.parse(door, protocol.Versions).protocol
        if not first <= wire.VERSION <= last:
            raise ConnectionError(
                f"The host at {address} speaks another version of the protocol. Update the older one."
            )
        return codec.parse(door, protocol.DoorLine)
    except BadData:
        raise ConnectionError(UNCLEAR.format(address=address)) from None


def numeric_address(ip: str, _port: int, _flow: int | None = None, scope: int = 0) -> str:
    """Return an address from a socket's tuple, with its interface if it is link-local."""
    return f"{ip}%{scope}" if scope and "%" not in ip else ip
