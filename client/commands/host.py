"""The host as a command: the one place, with local games, where the client starts a server."""

from __future__ import annotations

import contextlib
import logging
import os
import sys
from collections.abc import Iterator, Sequence
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from cave import games, lan
from cave.game import Json
from cave.keys import read_key
from cave.protocol import MAX_CODE, Absence, Open, SeatSpec
from cave.wire import MAX_TITLE, clean_text
from client.commands.terminal import FAILED, fail, warn
from client.launch import new_game
from client.launch.own_host import BOT_PAUSE
from client.launch.running_hosts import Running, noted
from client.launch.sitting import seat_json
from client.net.address import Address, lan_addresses
from client.net.known_hosts import Keys
from client.program import typed
from client.settings import folders

if TYPE_CHECKING:
    from server.open_table import OpenTableOptions
    from server.supervisor import Start

EVERYWHERE = "*"
LOOPBACK = "127.0.0.1"
NO_TABLES = "There are no tables."
NO_TABLE = "There is no table yet. Guests may open one; with --seats {seats} the host always keeps one open."
NO_TABLE_FOR_GUESTS = (
    "There is no table, and guests may not open one: start the host with --seats {seats} to keep one open."
)


class HostOptions(Struct, frozen=True):
    """The wishes of ``cave host``. ``name`` is the host's, ``game`` and ``title`` are those of the
    table that is kept open where there are ``seats`` or ``bots``; with ``code`` only those who know it sit
    there, with ``once`` no other is opened when it is full.
    """

    port: int
    game: str
    bind: str = ""
    name: str = ""
    title: str = ""
    seats: int = 0
    bots: Sequence[str] = ()
    settings: Json = None
    code: str = ""
    data: Path | None = None
    invited_only: bool = False
    invite: Sequence[str] = ()
    once: bool = False
    guests_open: bool = True
    watchers_chat: bool = False
    encrypt: bool = True
    forced: bool = False
    stats: bool = False
    absence: str = ""
    hints: bool = True
    limits: Sequence[str] = ()
    announce: bool = True


def run(wanted: HostOptions) -> int:
    """Run until stopped; the exit status. With seats or bots a table is kept open. Records of finished
    games are written to a folder beside the tables.
    """
    from server.keys import BadKeys, host_pair
    from server.logs import unhurried
    from server.main import run_host
    from server.news import Window
    from server.options import Options
    from server.supervisor import supervise

    open_table = _open_table(wanted)
    bind = wanted.bind or (EVERYWHERE if wanted.encrypt else LOOPBACK)
    folder = wanted.data or folders.data_folder()
    keys = Keys(folder)
    try:
        me = keys.identity()
        pair = host_pair(folder)
        announce = lan.read_where(os.environ.get(lan.WHERE, "")) if wanted.announce else None
        invited = tuple(map(read_key, wanted.invite))
    except (BadKeys, ConnectionError, lan.BadWhere) as error:
        fail(str(error))
    except ValueError:
        fail("--invite needs a client's key. To see your own key, type: " + typed("key"))
    options = Options(
        port=wanted.port, bind=bind, name=wanted.name, data=folder, records=folder / folders.RECORDS,
        bot_pause=BOT_PAUSE, no_encryption=not wanted.encrypt, forced=wanted.forced,
        invited_only=wanted.invited_only or bool(invited), invite=invited, owner=(me.public,),
        limit=tuple(wanted.limits), guests_open="yes" if wanted.guests_open else "no",
        watchers_chat=wanted.watchers_chat, stats=wanted.stats,
    )  # fmt: skip
    try:
        limits = options.limits()
    except ValueError as error:
        fail(str(error))
    if wanted.absence:
        limits = replace(limits, absence=_absence(wanted.absence))
    no_table = _without_tables(wanted, open_table)

    def serve(start: Start) -> int:
        notes = contextlib.ExitStack()

        def ready(door: dict[str, Json]) -> None:
            key = str(door["public_key"])
            here = Address(_from_here(bind), door["port"], key).ticket
            # So that cave owner finds it.
            notes.enter_context(
                noted(folders.data_folder(), Running(str(door["name"]), here, str(folder.resolve())))
            )
            if not start.port:
                for line in _welcome(bind, door, announce):
                    lines.put(line)

        left_out = "({} lines were left out because nobody read them.)"
        with notes, unhurried(sys.stdout.fileno(), left_out) as lines:
            status = run_host(
                options,
                pair,
                limits,
                ready=ready,
                announce=announce,
                open_table=open_table,
                window=Window(lines.put, no_table, folder),
                log_level=logging.INFO,
                start=start,
                complain=warn,
            )
            if status == 0:
                lines.put("The host has stopped.")
            return status

    return supervise(serve)


def back_up(data: Path | None, file: Path) -> int:
    """Copy the games of a host's folder to a file; the exit status."""
    from server.journal.backup import BackupError, back_up
    from server.journal.data_folder import DataFolderError
    from server.keys import PAIR_FILE

    folder = data or folders.data_folder()
    try:
        tables = back_up(folder, file)
    except (BackupError, DataFolderError) as error:
        fail(str(error), FAILED)
    say(f"{tables} table{'s' * (tables != 1)} saved in {file}.")
    say(f"Keep {folder / PAIR_FILE} too: with another key, clients do not trust the restored host.")
    return 0


def _welcome(bind: str, door: dict[str, Json], announce: Sequence[str] | None) -> Iterator[str]:
    """Yield lines that say how others come to the host."""
    from server.ports import listening_address

    key = str(door["public_key"])
    places, listening = _places(bind), listening_address(bind, open_to_all=True)
    yield f"The host is ready. To play, type{' one of these' if places[1:] else ''}:"
    for place in places:
        yield f"  {typed('join')} {Address(place, door['port'], key).ticket}"
    if key:
        first = Address(places[0], door["port"])
        yield f"or, without its key:  {typed('join')} {first}   (fingerprint {door['fingerprint']})"
    elif ip_address(listening).is_loopback:
        yield "It does not encrypt, and listens on this machine only."
    else:
        yield "It does not encrypt: anybody on the network can read along."
    if announce is not None and lan.may_announce(listening, announce):
        yield f"On this network, {typed('join')} lists it too."


def _open_table(wanted: HostOptions) -> OpenTableOptions | None:
    """Return the table to keep open; ends with a sentence where there can be none such."""
    from server.open_table import OpenTableOptions

    if not wanted.seats and not wanted.bots:
        return None
    plan = new_game.plan((), wanted.bots, wanted.seats, wanted.settings, game=wanted.game)
    title = clean_text(wanted.title)
    wrong = new_game.problem(plan)
    if len(title) > MAX_TITLE:
        wrong = f"A title can have at most {MAX_TITLE} characters; this one has {len(title)}."
    elif len(wanted.code) > MAX_CODE:
        wrong = f"A code can have at most {MAX_CODE} characters; this one has {len(wanted.code)}."
    if wrong:
        fail(wrong)
    seats = tuple(SeatSpec(**seat_json(seat)) for seat in plan.seats)
    table = Open(
        game=plan.game,
        seats=seats,
        settings=plan.settings,
        title=title,
        code=wanted.code or None,
        hints=wanted.hints,
    )
    return OpenTableOptions(table, once=wanted.once)


def _without_tables(wanted: HostOptions, open_table: OpenTableOptions | None) -> str:
    """Return what the window says of a host without tables: nothing where another one follows."""
    if open_table is not None:
        return "" if open_table.another else NO_TABLES
    sentence = NO_TABLE if wanted.guests_open else NO_TABLE_FOR_GUESTS
    return sentence.format(seats=new_game.usual_seats(games.info(wanted.game)))


def _absence(text: str) -> Absence:
    """Read how to treat players who are away; ends with a sentence for a wrong word."""
    try:
        wanted = Absence(**new_game.absence(text))
    except ValueError as error:
        fail(str(error))
    from cave.bots import levels

    if wanted.level and wanted.level not in levels():
        fail(f"No game has a bot of the level {wanted.level}; the levels are {', '.join(levels())}.")
    return wanted


def _places(bind: str) -> list[str]:
    """Return the addresses at which others reach a host that listens there."""
    if bind not in (EVERYWHERE, "0.0.0.0", "::"):
        return [bind]
    # Where a host listens to both kinds of addresses, those that are shorter to type are enough.
    found = lan_addresses()
    short = [place for place in found if ":" not in place]
    return found if bind == "::" or not short else short


def _from_here(bind: str) -> str:
    """Return the address at which this machine reaches its own host."""
    if bind in (EVERYWHERE, "0.0.0.0"):
        return LOOPBACK
    return "::1" if bind == "::" else bind


def say(sentence: str) -> None:
    """Tell whoever started the host."""
    print(sentence, flush=True)
