"""``cave owner`` and ``cave key``: inspect a running host, close tables, free seats, ban clients."""

from __future__ import annotations

import contextlib
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click
from msgspec import Struct
from msgspec.structs import asdict

from cave import protocol, wire
from cave.game import Json
from cave.keys import fingerprint, key_for_ticket, read_key
from cave.processes import run_loop
from client import system
from client.commands.options import Items, Whole, Word, items
from client.commands.saved import unfinished_tables
from client.commands.terminal import BAD_INPUT, FAILED, exit_on_error, fail
from client.launch import host_tables
from client.launch.held_seats import running_hosts
from client.net.connection import Connection, connect
from client.net.known_hosts import Keys, parse_address
from client.system import command_as_typed
from client.table import Rejected
from client.wording import a_bot, told_apart
from server.clients.access import BadKeys, load_bans
from server.clients.limits import parse_network

_UNITS = {"s": 1, "m": 60, "h": 60 * 60, "d": 24 * 60 * 60}


def _complete_hosts(_context: click.Context, _parameter: click.Parameter, begun: str) -> Items:
    found = running_hosts(system.data_folder())
    return items(begun, ((str(parse_address(host.address)), host.name) for host in found))


def _data_folders(context: click.Context) -> list[Path]:
    folder = context.params.get("data")
    return [folder] if folder else [Path(host.data) for host in running_hosts(system.data_folder())]


def _complete_hosted_tables(context: click.Context, _parameter: click.Parameter, begun: str) -> Items:
    return items(begun, (kept for each in _data_folders(context) for kept in unfinished_tables(each, at_work=True)))


def _complete_bans(context: click.Context, _parameter: click.Parameter, begun: str) -> Items:
    found: list[tuple[str, str]] = []
    for each in _data_folders(context):
        with contextlib.suppress(BadKeys):
            bans = load_bans(each, (), lambda: 0.0)
            found += [(address, "address") for address in bans.addresses]
            found += [(key_for_ticket(key), "client") for key in bans.keys]
    return items(begun, found)


@click.command()
@click.option("--data", type=click.Path(path_type=Path), metavar="DIR", help="Folder for keys.")
def key(data: Path | None) -> None:
    """Show your own key, for hosts that let in only invited clients."""
    folder = data or system.data_folder()
    with exit_on_error(ConnectionError):
        mine = Keys(folder).identity()
    if not mine.kept:
        fail(f"Your key cannot be kept in {folder} ({system.why_unwritable(folder)}).", FAILED)
    click.echo(key_for_ticket(mine.public))


SEAT = (Word(), Whole(1))  # a table, and one of its seats, counted from 1


def _order_option(
    name: str, kind: Any, metavar: str, offered: Callable[..., Items], about: str
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    return click.option(name, type=kind, metavar=metavar, shell_complete=offered, help=about)


@click.command()
@click.argument("address", required=False, default="", shell_complete=_complete_hosts)
@_order_option("--close", Word(), "TABLE", _complete_hosted_tables, "End the game at this table and close the table.")
@_order_option("--free", SEAT, "TABLE SEAT", _complete_hosted_tables, "Free a seat.")
@_order_option("--ban", SEAT, "TABLE SEAT", _complete_hosted_tables, "Ban the player in this seat.")
@click.option("--ban-key", type=Word(), metavar="KEY", help="Ban the client with this key.")
@click.option(
    "--ban-address",
    is_flag=True,
    help="With --ban or --ban-key: ban that client's address too. Players with a seat can stay.",
)
@click.option("--for", "lasting", metavar="TIME", help="How long to ban the address, such as 90m, 12h or 7d.")
@_order_option("--pardon", Word(), "KEY|ADDRESS", _complete_bans, "Lift the ban on this key or address.")
@click.option("--guests-open", type=click.Choice(["yes", "no"]), help="Whether guests may open tables.")
@click.option("--guests", is_flag=True, help="List the connected clients, with keys and addresses.")
@click.option("--stats", is_flag=True, help="Show the host's counts.")
@click.option("--data", type=click.Path(path_type=Path), metavar="DIR", help="The folder of the host.")
def owner(address: str, data: Path | None, **order: Any) -> None:
    """Manage your own host: at ADDRESS, or on this machine.

    Seats count from 1. Without an option, list its tables and its bans.
    """
    run_owner_order(address, Order(**order), folder=data)


class Order(Struct, frozen=True):
    """What ``cave owner`` does, at most one thing. ``ban_address`` needs a ban, ``lasting`` needs that."""

    close: str | None = None
    free: tuple[str, int] | None = None
    ban: tuple[str, int] | None = None
    ban_key: str | None = None
    ban_address: bool = False
    lasting: str | None = None
    pardon: str | None = None
    stats: bool = False
    guests: bool = False
    guests_open: str | None = None

    def check(self) -> None:
        """Raise ValueError, one sentence, for options that exclude each other."""
        orders = asdict(self)
        with_address, lasting = orders.pop("ban_address"), orders.pop("lasting")
        if sum(map(bool, orders.values())) > 1:
            raise ValueError("use one option at a time.")
        if with_address and not (self.ban or self.ban_key):
            raise ValueError("use --ban-address together with --ban or --ban-key.")
        if lasting is not None and not with_address:
            raise ValueError("use --for together with --ban-address: a ban on a key lasts until you lift it.")
        parse_ban_time(lasting)
        if self.ban_key and not _is_key(self.ban_key):
            raise ValueError(f"--ban-key takes a client's key; {command_as_typed('owner --guests')} lists them.")
        if self.pardon and not (parse_network(self.pardon) or _is_key(self.pardon)):
            raise ValueError(f"--pardon takes a key or an address; {command_as_typed('owner')} lists all bans.")


def _is_key(text: str) -> bool:
    try:
        read_key(text)
    except ValueError:
        return False
    return True


def parse_ban_time(lasting: str | None) -> int | None:
    """Return the duration, such as ``90m``, in seconds; None for ever. Raises ValueError, one sentence."""
    if lasting is None:
        return None
    number, unit = lasting[:-1], lasting[-1:]
    told = int(number) * _UNITS.get(unit, 0) if re.fullmatch("[0-9]{1,12}", number) else 0
    if not 0 < told <= protocol.MAX_BAN:
        most = protocol.MAX_BAN // _UNITS["d"]
        raise ValueError(f"--for takes a time such as 90m, 12h or 7d; {most}d at most.")
    return told


def run_owner_order(address: str, order: Order, *, folder: Path | None) -> None:
    """Run the order at the host at ``address``. Without an order, list tables and bans."""
    with exit_on_error(ValueError):
        order.check()
    try:
        address, folder = _find_host(address, folder)
        lines = run_loop(_ask_host(address, order, Keys(folder)))
    except (ConnectionError, ValueError) as error:
        fail(str(error), FAILED)
    except Rejected as error:
        fail(_reason_words(error), FAILED)
    for line in lines:
        click.echo(line)


def _find_host(address: str, folder: Path | None) -> tuple[str, Path]:
    """Return the address of the host and its owner's folder; exits unless exactly one matches."""
    home = system.data_folder()
    known = [host for host in running_hosts(home) if folder is None or Path(host.data) == folder.resolve()]
    if address:
        wanted = str(parse_address(address))
        there = (Path(host.data) for host in known if str(parse_address(host.address)) == wanted)
        return address, folder or next(there, home)
    if len(known) == 1:
        return known[0].address, Path(known[0].data)
    if not known:
        where = "on this machine" if folder is None else f"with the folder {folder}"
        fail(f"none of your hosts is running {where}. To start one, type: {command_as_typed('host')}", FAILED)
    click.echo("cave: several of your hosts are running on this machine. Type one of:", err=True)
    for host in known:
        place = parse_address(host.address)
        click.echo(f"  {command_as_typed('owner')} {place}   {wire.clean_text(host.name)}, {host.data}", err=True)
    sys.exit(BAD_INPUT)


async def _ask_host(address: str, order: Order, keys: Keys) -> list[str]:
    connection = await connect(address, keys=keys)
    try:
        return await _carry_out_order(connection, order)
    finally:
        await connection.close()


async def _carry_out_order(connection: Connection, order: Order) -> list[str]:
    if order.stats:
        counts = (await connection.ask("stats")).counts
        return [f"{name:<28}{number:>10}" for name, number in counts.items()]
    if order.close:
        await connection.ask("close", table=order.close)
        return [f"The table {order.close} is closed."]
    if order.free is not None:
        table, seat = order.free
        await connection.ask("free", table=table, seat=seat - 1)
        return [f"Seat {seat} at table {table} is free now."]
    if order.guests:
        guests = (await connection.ask("guests")).guests
        names = {
            (table.id, seat): wire.clean_text(each.name)
            for table in await connection.ask_for_tables()
            for seat, each in enumerate(table.seats)
        }
        return [line for guest in guests for line in _guest_lines(guest, names)]
    if order.ban is not None:
        table, seat = order.ban
        banned = await _send_ban(connection, order, table=table, seat=seat - 1)
        return _ban_lines(f"The player in seat {seat} at table {table}", banned)
    if order.ban_key:
        return _ban_lines("That client", await _send_ban(connection, order, key=order.ban_key))
    if order.pardon:
        return await _lift_ban(connection, order.pardon)
    if order.guests_open:
        reply = await connection.ask("allow", guests_open=order.guests_open == "yes")
        may = "may open tables" if reply.guests_open else "may not open tables"
        return [f"Guests {may} until this host stops."]
    holders = {}
    with contextlib.suppress(Rejected):  # only the owner gets this reply
        reply = await connection.ask("guests")
        holders = {(table, seat): key for table, seat, key in reply.holders}
    tables = [line for table in await connection.ask_for_tables() for line in _table_lines(table, holders)]
    tables = tables or ["That host has no tables."]
    with contextlib.suppress(Rejected):  # a host of an earlier version lists no bans
        tables += _bans_lines(await connection.ask("bans"))
    return tables


async def _send_ban(connection: Connection, order: Order, **whom: Json) -> protocol.Banned:
    if order.ban_address:
        whom |= {"address": True, "seconds": parse_ban_time(order.lasting)}
    banned: protocol.Banned = await connection.ask("ban", **whom)
    return banned


async def _lift_ban(connection: Connection, whom: str) -> list[str]:
    bans = await connection.ask("bans")
    place = parse_network(whom)
    banned = {each.address for each in bans.addresses} if place else {*bans.keys}
    if (place or read_key(whom)) not in banned:
        return [f"{place or 'That client'} is not banned; {command_as_typed('owner')} lists all bans."]
    if place:
        await connection.ask("pardon", address=whom)
        return [f"Clients from {place} can connect again, except those whose keys are banned."]
    await connection.ask("pardon", key=whom)
    return ["That client can connect again."]


def _ban_lines(who: str, reply: protocol.Banned) -> list[str]:
    key = key_for_ticket(read_key(reply.key))
    lines = [f"{who} is banned."]
    if reply.address:
        address, lasting = wire.clean_text(reply.address), _time_left_words(reply.seconds or None)
        lines.append(f"The address {address} is banned too, {lasting}.")
        names = ", ".join(map(wire.clean_text, reply.staying or ()))
        if names:
            lines.append(f"Players from there who have a seat can stay: {names}.")
    return [*lines, "To lift the ban, type:", f"  {command_as_typed(f'owner --pardon={key}')}"]


def _bans_lines(reply: protocol.BansReply) -> list[str]:
    addresses = [
        f"Banned: {wire.clean_text(banned.address)}, {_time_left_words(banned.seconds)}" for banned in reply.addresses
    ]
    keys = map(read_key, reply.keys)
    return [*(f"Banned: {key_for_ticket(key)} ({fingerprint(key)})" for key in keys), *addresses]


def _time_left_words(left: int | None) -> str:
    if left is None:
        return "until you lift the ban"
    for unit, name in ((86400, "days"), (3600, "hours"), (60, "minutes")):
        if left >= 2 * unit:
            return f"for {round(left / unit)} {name}"
    return f"for {left} seconds"


def _guest_lines(guest: protocol.Guest, names: Mapping[tuple[str, int], str]) -> list[str]:
    """Return name and places, then key, fingerprint and address, each on its own line."""
    name = wire.clean_text(guest.name) or "(no name)"
    places = []
    for table, seat in guest.seats:
        known = names.get((table, seat), name)
        called = "" if known == name else f" ({known})"
        places.append(f"seat {seat + 1}{called} at {wire.clean_text(table)}")
    watched = set(guest.watching) - {table for table, _ in guest.seats}
    places += [f"watching {wire.clean_text(table)}" for table in sorted(watched)]
    key = read_key(guest.key) if guest.key else ""
    address = wire.clean_text(guest.address)
    return [
        f"{name}: {', '.join(places) or 'at no table'}",
        f"  {key_for_ticket(key) if key else '(no key: not encrypted)'}",
        *([f"  {fingerprint(key)}"] if key else []),
        *([f"  {address}"] if address else []),
    ]


def _table_lines(table: protocol.TableLine, holders: Mapping[tuple[str, int], str]) -> list[str]:
    names = [
        told_apart(wire.clean_text(seat.name), seat.kind) or host_tables.free_seat_words(seat) for seat in table.seats
    ]
    seats = ", ".join(
        f"{number} {name}{_absence_words(seat)}"
        for number, (name, seat) in enumerate(zip(names, table.seats, strict=True), start=1)
    )
    title = f"  {wire.clean_text(table.title)}" if table.title else ""
    if table.rematch is not None:
        title += f"  (rematch: {wire.clean_text(table.rematch.next)})"
    known = (
        f"  {seat + 1} {name}  {fingerprint(read_key(holders[table.id, seat]))}"
        for seat, name in enumerate(names)
        if (table.id, seat) in holders
    )
    status = host_tables.status_of(table)
    return [f"{wire.clean_text(table.id)}  {status:<8} step {table.seq:<4} {seats}{title}", *known]


def _absence_words(seat: protocol.SeatLine) -> str:
    words = ["away"] if seat.kind == "person" and not seat.present else []
    if seat.stand_in == "bot":
        level = wire.clean_text(seat.level)
        words.append(f"{a_bot(level)} plays{' to the end' if seat.handed else ''}")
    elif seat.stand_in:
        words.append("turns are skipped")
    return f" ({', '.join(words)})" if words else ""


def _reason_words(error: Rejected) -> str:
    if error.code == "not_owner":
        return f"{error} The owner is the user who started it; --data names the folder with their keys."
    return str(error)
