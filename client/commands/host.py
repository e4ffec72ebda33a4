"""``cave host``: with local games, the only place where the client starts a server. Help works without it."""

from __future__ import annotations

import contextlib
import logging
import os
import sys
from collections.abc import Iterator, Sequence
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import replace

from cave import lan
from cave.bots import all_bot_levels
from cave.game import GameInfo, Json
from cave.keys import read_key
from cave.protocol import MAX_CODE, Absence, Open, SeatSpec
from cave.wire import DEFAULT_PORT, MAX_TITLE, clean_text
from client import system
from client.commands import terminal
from client.commands.options import (
    GameCommand,
    Whole,
    absence_option,
    bot_option,
    command_class_with_rows,
    game_argument,
    house_rule_options,
    items,
    seats_option,
    table_code_option,
    table_options,
)
from client.commands.play import chosen_settings
from client.commands.terminal import FAILED, exit_on_error, fail, warn
from client.launch import new_game
from client.launch.held_seats import Running, note_host
from client.launch.new_game import GamePlan
from client.launch.own_host import BOT_PAUSE
from client.net.known_hosts import Address, Keys, lan_addresses
from client.system import command_as_typed
from client.wording import count

if TYPE_CHECKING:
    from server.service import OpenTableOptions
    from server.supervisor import HostStart

EVERYWHERE = "*"
LOOPBACK = "127.0.0.1"
NO_TABLES = "There are no tables."
NO_TABLE = "There is no table yet. Guests may open one; with --seats {seats} the host always keeps one open."
NO_TABLE_FOR_GUESTS = (
    "There is no table, and guests may not open one: start the host with --seats {seats} to keep one open."
)
LIMITS = (
    ("rate=20", "messages a second from a client"),
    ("burst=60", "messages in a burst from a client"),
    ("message=64", "KiB in a message"),
    ("flow=1024", "KiB a second on a connection"),
    ("ban=30", "seconds a client that exceeds them is kept out"),
    ("silence=10", "seconds of silence before a client is checked"),
    ("links=512", "clients at once"),
    ("links-each=64", "connections from an address to a port"),
    ("tables=64", "tables at once"),
    ("tables-each=16", "tables opened by a client"),
    ("seats-each=32", "seats held by a client"),
    ("tables-address=8", "open tables from an address"),
    ("seats-address=40", "seats held from an address"),
    ("bots-address=16", "bots at the tables of an address"),
    ("memory=512", "MiB of memory"),
    ("replies-each=64", "KiB of replies kept for a client"),
    ("replies-address=1024", "KiB of replies kept for an address"),
    ("replies=8192", "KiB of replies kept in all"),
    ("expire=24", "hours until a game that nobody plays is saved and closed; 0: never"),
    ("shelved=256", "games kept that were saved and closed in this way"),
    ("shelved-address=32", "of these games, those opened from an address"),
    ("actions=5000", "actions until a game is ended without a result"),
    ("records=256", "MiB of records of guests' games"),
    ("records-address=16", "MiB of records of games opened from an address"),
)
"""The default of each limit, and its description."""


@click.command(cls=command_class_with_rows("Limits", lambda: LIMITS, GameCommand))
@game_argument
@click.option(
    "--port",
    type=Whole(0, 65533),
    default=DEFAULT_PORT,
    show_default=True,
    help="The first of three ports; 0 picks free ones.",
)
@click.option(
    "--bind", default="", metavar="ADDRESS", help="Address to listen on: usually all; without encryption 127.0.0.1."
)
@click.option("--name", default="", metavar="NAME", help="Name of the host.")
@seats_option("--seats", least=0, default=0, help="Keep a table with this many seats open.")
@click.option("--title", default="", help="Title of that table.")
@bot_option("--bot", "bots", help="A bot at that table.")
@bot_option("--bots", "more_bots", hidden=True)
@house_rule_options
@table_options
@table_code_option
@click.option("--data", type=click.Path(path_type=Path), metavar="DIR", help="Folder for keys and tables.")
@absence_option
@click.option("--invited-only", is_flag=True, help="Let in only invited clients.")
@click.option("--invite", multiple=True, metavar="KEY", help="Let in only clients with these keys.")
@click.option("--once", is_flag=True, help="Open no other table when that one is full.")
@click.option(
    "--guests-open",
    type=click.Choice(["yes", "no"]),
    default="yes",
    show_default=True,
    help="Whether guests may open tables of their own.",
)
@click.option("--watchers-chat", is_flag=True, help="Let watchers chat.")
@click.option("--no-encryption", is_flag=True, help="No encryption; on this machine only.")
@click.option("--force-no-encryption", is_flag=True, help="No encryption; others can read everything.")
@click.option(
    "--no-announce", "announce", flag_value=False, default=True, help="Do not announce the host on the network."
)
@click.option("--stats", is_flag=True, help="Log counts when they change.")
@click.option(
    "--backup",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Copy the saved games to FILE, also while the host runs, and run no host.",
)
@click.option(
    "--limit",
    "limits",
    multiple=True,
    metavar="NAME=NUMBER",
    shell_complete=lambda _context, _parameter, begun: items(begun, LIMITS),
    help="Change one of the limits below.",
)
def host(
    game: GameInfo,
    bots: tuple[str, ...],
    more_bots: tuple[str, ...],
    rules: tuple[str, ...],
    code: str | None,
    code_file: Path | None,
    title: str,
    seats: int,
    absence: str,
    best_of: int,
    round_robin: int,
    hints: bool,
    once: bool,
    announce: bool,
    limits: tuple[str, ...],
    invite: tuple[str, ...],
    data: Path | None,
    backup: Path | None,
    no_encryption: bool,
    force_no_encryption: bool,
    bind: str,
    invited_only: bool,
    preset: str = "",
    **others: Any,
) -> None:
    """Run a host that others can join; it has no screen.

    With --seats or --bot it keeps a table open for GAME, or for the first game if none is named. Every game
    can be played at it.
    """
    from server.clients.access import BadKeys, load_host_keys
    from server.host_news import Window
    from server.logs import never_blocking
    from server.main import run_host
    from server.options import Options
    from server.supervisor import run_supervised

    folder = data or system.data_folder()
    if backup is not None:
        _back_up(folder, backup)
        return
    encrypts = not (no_encryption or force_no_encryption)
    settings = chosen_settings(game, preset, rules)
    terms = new_game.GameOptions(settings=settings, hints=hints, best_of=best_of, round_robin=round_robin)
    plan = new_game.make_plan((), (*bots, *more_bots), seats, game=game.name, options=terms)
    word = terminal.read_table_code(code, code_file)
    open_table = _open_table(plan, title, word, once=once) if plan.seats else None
    with exit_on_error(BadKeys, ConnectionError, lan.BadWhere):
        me = Keys(folder).identity()
        pair = load_host_keys(folder)
        places = lan.parse_mdns_addresses(os.environ.get(lan.WHERE, "")) if announce else None
    try:
        invited = tuple(map(read_key, invite))
    except ValueError:
        fail("--invite needs a client's key. To see your own key, type: " + command_as_typed("key"))
    options = Options(
        bind=bind or (EVERYWHERE if encrypts else LOOPBACK), data=folder, records=folder / system.RECORDS,
        bot_pause=BOT_PAUSE, no_encryption=not encrypts, forced=force_no_encryption, invite=invited,
        invited_only=invited_only or bool(invited), owner=(me.public,), limit=limits, **others,
    )  # fmt: skip
    with exit_on_error(ValueError):
        allowed = options.limits()
        if absence:
            allowed = replace(allowed, absence=Absence(**new_game.parse_absence(absence)))
    level = allowed.absence.level if absence else ""
    if level and level not in all_bot_levels():
        fail(f"No game has a bot of the level {level}; the levels are {', '.join(all_bot_levels())}.")
    if open_table is not None:
        no_table = "" if open_table.opens_another else NO_TABLES
    else:
        sentence = NO_TABLE if options.guests_open == "yes" else NO_TABLE_FOR_GUESTS
        no_table = sentence.format(seats=new_game.usual_seats(game))

    def serve(start: HostStart) -> int:
        notes = contextlib.ExitStack()

        def ready(door: dict[str, Json]) -> None:
            key = str(door["public_key"])
            here = Address(_address_from_here(options.bind), door["port"], key).ticket
            # Lets cave owner find it.
            notes.enter_context(
                note_host(system.data_folder(), Running(str(door["name"]), here, str(folder.resolve())))
            )
            if not start.port:
                for line in _welcome_lines(options.bind, door, places):
                    lines.queue_line(line)

        left_out = "({} lines were left out because nobody read them.)"
        with notes, never_blocking(sys.stdout.fileno(), left_out) as lines:
            status = run_host(
                options,
                pair,
                allowed,
                ready=ready,
                announce=places,
                open_table=open_table,
                window=Window(lines.queue_line, no_table, folder),
                log_level=logging.INFO,
                start=start,
                complain=warn,
            )
            if status == 0:
                lines.queue_line("The host has stopped.")
            return status

    sys.exit(run_supervised(serve))


def _back_up(folder: Path, file: Path) -> None:
    from server.clients.access import PAIR_FILE
    from server.journal.database import DataFolderError
    from server.journal.saved_games import BackupError, back_up

    with exit_on_error(BackupError, DataFolderError, status=FAILED):
        tables = back_up(folder, file)
    click.echo(f"{count(tables, 'table')} saved in {file}.")
    click.echo(f"Keep {folder / PAIR_FILE} too: with another key, clients do not trust the restored host.")


def _open_table(plan: GamePlan, title: str, code: str, *, once: bool) -> OpenTableOptions:
    """Return the table to keep open; exits with a sentence if that is impossible."""
    from client.launch.join_table import seat_json
    from server.service import OpenTableOptions

    title = clean_text(title)
    wrong = new_game.plan_problem(plan)
    if len(title) > MAX_TITLE:
        wrong = f"A title can have at most {MAX_TITLE} characters; this one has {len(title)}."
    elif len(code) > MAX_CODE:
        wrong = f"A code can have at most {MAX_CODE} characters; this one has {len(code)}."
    if wrong:
        fail(wrong)
    seats = tuple(SeatSpec(**seat_json(seat)) for seat in plan.seats)
    table = Open(
        plan.game, seats, plan.settings, title, code or None, hints=plan.hints,
        best_of=plan.best_of, round_robin=bool(plan.round_robin),
    )  # fmt: skip
    return OpenTableOptions(table, once=once)


def _welcome_lines(bind: str, door: dict[str, Json], announce: Sequence[str] | None) -> Iterator[str]:
    from server.ports import listening_address

    key = str(door["public_key"])
    places, listening = _addresses_to_join(bind), listening_address(bind, open_to_all=True)
    yield f"The host is ready. To play, type{' one of these' if places[1:] else ''}:"
    for place in places:
        yield f"  {command_as_typed('join')} {Address(place, door['port'], key).ticket}"
    if key:
        first = Address(places[0], door["port"])
        yield f"or, without its key:  {command_as_typed('join')} {first}   (fingerprint {door['fingerprint']})"
    elif ip_address(listening).is_loopback:
        yield "It does not encrypt, and listens on this machine only."
    else:
        yield "It does not encrypt: anybody on the network can read along."
    if announce is not None and lan.may_announce(listening, announce):
        yield f"On this network, {command_as_typed('join')} lists it too."


def _addresses_to_join(bind: str) -> list[str]:
    if bind not in (EVERYWHERE, "0.0.0.0", "::"):
        return [bind]
    # If a host listens on both kinds of addresses, the shorter kind is enough.
    found = lan_addresses()
    short = [place for place in found if ":" not in place]
    return found if bind == "::" or not short else short


def _address_from_here(bind: str) -> str:
    if bind in (EVERYWHERE, "0.0.0.0"):
        return LOOPBACK
    return "::1" if bind == "::" else bind
