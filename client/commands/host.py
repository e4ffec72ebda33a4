"""The host as a command: the one place, with local games, where the client starts a server."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import attrs

from cave import lan
from cave.game import Json
from cave.keys import read_key
from cave.protocol import Absence
from client import folders
from client.address import Address, lan_addresses
from client.cli import fail
from client.keys import Keys
from client.launch import GAME, seat_json
from client.present import setup
from client.table_state import Rejected

BOT_PAUSE = 0.3  # seconds a bot takes at least, so that people can follow
EVERYWHERE = "*"
LOOPBACK = "127.0.0.1"


@attrs.frozen
class Wish:
    """What ``cave host`` was asked for. ``name`` is the host's, ``title`` the table's that is opened at
    once where there are ``seats`` or ``bots``; with ``code`` only those who know it sit there.
    """

    port: int
    bind: str = ""
    name: str = ""
    title: str = ""
    seats: int = 0
    bots: Sequence[str] = ()
    edition: str = "english"
    code: str = ""
    data: Path | None = None
    invited_only: bool = False
    invite: Sequence[str] = ()
    watchers_chat: bool = False
    encrypt: bool = True
    forced: bool = False
    stats: bool = False
    absence: str = ""
    limits: Sequence[str] = ()
    announce: bool = True


def run(wish: Wish) -> int:
    """Run until stopped; the exit status. With seats or bots a table is opened at once. Records of finished
    games are written to a folder beside the tables.
    """
    from server.host import Options
    from server.keys import BadKeys, host_pair
    from server.limits import Limits, chosen
    from server.main import GuestList, run_host
    from server.ports import listening_address

    plan = _plan(wish)
    bind = wish.bind or (EVERYWHERE if wish.encrypt else LOOPBACK)
    folder = wish.data or folders.data_folder()
    keys = Keys(folder)
    try:
        me = keys.identity()
        pair = host_pair(folder)
        announce = lan.read_where(os.environ.get(lan.WHERE, "")) if wish.announce else None
        invited = tuple(map(read_key, wish.invite))
    except (BadKeys, ConnectionError, lan.BadWhere) as error:
        fail(str(error))
    except ValueError:
        fail("what follows --invite is a client's key; to see one's own key type: cave key")
    tasks: set[asyncio.Task[None]] = set()

    def ready(door: dict[str, Json]) -> None:
        key = str(door["public_key"])
        places = _places(bind)
        say(
            "The host is ready. To play type one of these:"
            if places[1:]
            else "The host is ready. To play type:"
        )
        for place in places:
            say(f"  cave join {Address(place, door['port'], key).ticket}")
        if key:
            first = Address(places[0], door["port"])
            say(f"or without its key:  cave join {first}   (fingerprint {door['fingerprint']})")
        else:
            say("It does not encrypt: everybody who can reach it can read along.")
        listening = listening_address(bind, open_to_all=True)
        if announce is not None and lan.may_announce(listening, announce):
            say("It is in the list that cave join shows in this network.")
        if plan is not None:
            here = Address(_from_here(bind), door["port"], key).ticket
            tasks.add(asyncio.get_running_loop().create_task(_open(here, plan, wish, keys)))

    limits, options = Limits(watchers_chat=wish.watchers_chat), Options(
        port=wish.port, bind=bind, records=folder / folders.RECORDS, bot_pause=BOT_PAUSE,
        pair=pair if wish.encrypt else None, forced=wish.forced, stats=wish.stats,
    )  # fmt: skip
    if wish.absence:
        limits = attrs.evolve(limits, absence=_absence(wish.absence))
    try:
        limits = chosen(limits, wish.limits)
    except ValueError as error:
        fail(str(error))
    status = run_host(
        options,
        name=wish.name,
        limits=limits,
        guests=GuestList(folder, wish.invited_only or bool(invited), invited, owners=(me.public,)),
        ready=ready,
        data=folder,
        secret=pair.secret,
        announce=announce,
        log_level=logging.INFO,
    )
    if status == 0:
        say("The host has stopped.")
    return status


def _plan(wish: Wish) -> setup.GamePlan | None:
    """The table to open at once; ends with a sentence where there can be none such."""
    if not wish.seats and not wish.bots:
        return None
    plan = setup.plan((), wish.bots, wish.seats, {"edition": wish.edition})
    wrong = setup.problem(plan)
    if wrong:
        fail(wrong)
    return plan


def _absence(text: str) -> Absence:
    """What is done for who is away; ends with a sentence for what can not be."""
    try:
        return Absence(**setup.absence(text))
    except ValueError as error:
        fail(str(error))


def _places(bind: str) -> list[str]:
    """The addresses at which others reach a host that listens there."""
    if bind not in (EVERYWHERE, "0.0.0.0", "::"):
        return [bind]
    # Where a host listens to both kinds of addresses, those that are shorter to type are enough.
    found = lan_addresses()
    short = [place for place in found if ":" not in place]
    return found if bind == "::" or not short else short


def _from_here(bind: str) -> str:
    """The address at which this machine reaches its own host."""
    if bind in (EVERYWHERE, "0.0.0.0"):
        return LOOPBACK
    return "::1" if bind == "::" else bind


async def _open(address: str, plan: setup.GamePlan, wish: Wish, keys: Keys) -> None:
    from client.connection import connect

    try:
        connection = await connect(address, name="host", keys=keys)
        if any(_is_same(table, plan, wish) for table in await connection.tables()):
            say("The table of last time is still there.")
        else:
            await connection.open(
                GAME,
                seats=[seat_json(seat) for seat in plan.seats],
                settings=plan.settings,
                title=wish.title,
                code=wish.code or None,
            )
            free = plan.open_seats
            say(f"A table is open with {free} seat{'s' * (free != 1)} for people.")
        await connection.close()
    except (ConnectionError, Rejected) as error:
        print(f"cave: {error}", file=sys.stderr, flush=True)


def _is_same(table: Json, plan: setup.GamePlan, wish: Wish) -> bool:
    """Whether a table that came back after a restart is the one that was to be opened."""
    return bool(
        table["status"] != "over" and table["title"] == wish.title and len(table["seats"]) == len(plan.seats)
    )


def say(sentence: str) -> None:
    """Tell whoever started the host."""
    print(sentence, flush=True)
