"""What the owner of a running host may do there: look, close tables, free seats, keep people out."""

from __future__ import annotations

import asyncio
from pathlib import Path

import attrs
import click

from cave import protocol
from cave.game import Json
from cave.keys import read_key, ticket_form
from client import folders
from client.cli import FAILED, fail
from client.connection import Connection, connect
from client.keys import Keys
from client.table_state import Rejected

HERE = "127.0.0.1"


@attrs.frozen
class Order:
    """What ``cave owner`` was asked for; at most one of them. Seats count from 1, as people do."""

    close: str = ""
    free: tuple[str, int] | None = None
    ban: tuple[str, int] | None = None
    ban_key: str = ""
    pardon: str = ""
    stats: bool = False
    guests: bool = False


def run(address: str, order: Order, *, folder: Path | None) -> int:
    """Do it at the host at ``address``; the exit status. Without an order the tables are listed."""
    if sum(map(bool, attrs.astuple(order))) > 1:
        fail("give one order at a time.")
    keys = Keys(folder or folders.data_folder())
    try:
        lines = asyncio.run(_ask(address or f"{HERE}:{protocol.DEFAULT_PORT}", order, keys))
    except (ConnectionError, ValueError) as error:
        fail(str(error), FAILED)
    except Rejected as error:
        fail(_reason(error), FAILED)
    for line in lines:
        click.echo(line)
    return 0


async def _ask(address: str, order: Order, keys: Keys) -> list[str]:
    connection = await connect(address, keys=keys)
    try:
        return await _carry_out(connection, order)
    finally:
        await connection.close()


async def _carry_out(connection: Connection, order: Order) -> list[str]:
    if order.stats:
        counts = (await connection.ask("stats"))["counts"]
        return [f"{name:<28}{number:>10}" for name, number in counts.items()]
    if order.close:
        await connection.ask("close", table=order.close)
        return [f"The table {order.close} is closed."]
    if order.free is not None:
        table, seat = order.free
        await connection.ask("free", table=table, seat=seat - 1)
        return [f"Seat {seat} at table {table} is free."]
    if order.guests:
        guests = (await connection.ask("guests"))["guests"]
        return [line for guest in guests for line in _guest(guest)]
    if order.ban is not None:
        table, seat = order.ban
        banned = await connection.ask("ban", table=table, seat=seat - 1)
        return _banned(f"Whoever sat on seat {seat} at table {table}", banned)
    if order.ban_key:
        return _banned("That client", await connection.ask("ban", key=order.ban_key))
    if order.pardon:
        await connection.ask("pardon", key=order.pardon)
        return ["That client may come in again."]
    tables = await connection.tables()
    return [_line(table) for table in tables] or ["There are no tables there."]


def _banned(who: str, reply: Json) -> list[str]:
    key = ticket_form(read_key(str(reply["key"])))
    return [f"{who} is kept out. To let them in again:", f"  cave owner --pardon={key}"]


def _guest(guest: Json) -> list[str]:
    """Who it is and where, and the key on a line of its own."""
    places = [f"seat {seat + 1} at {protocol.clean_text(table)}" for table, seat in guest["seats"]]
    watched = set(guest["watching"]) - {table for table, _ in guest["seats"]}
    places += [f"watching {protocol.clean_text(table)}" for table in sorted(watched)]
    name = protocol.clean_text(str(guest["name"])) or "(no name)"
    key = ticket_form(read_key(str(guest["key"]))) if guest["key"] else "(no key: not encrypted)"
    return [f"{name}: {', '.join(places) or 'at no table'}", f"  {key}"]


def _line(table: Json) -> str:
    names = [protocol.clean_text(seat["name"]) or "(free seat)" for seat in table["seats"]]
    seats = ", ".join(f"{number} {name}" for number, name in enumerate(names, start=1))
    title = f"  {protocol.clean_text(table['title'])}" if table.get("title") else ""
    table_id, status = (protocol.clean_text(str(table[field])) for field in ("id", "status"))
    return f"{table_id}  {status:<8} step {table['seq']:<4} {seats}{title}"


def _reason(error: Rejected) -> str:
    if error.code == "not_owner":
        return f"{error} The owner is who started it; --data tells the folder of their keys."
    return str(error)
