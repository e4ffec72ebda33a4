"""The host as a command: the one place, with local games, where the client starts a server."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence

from cave.game import Json
from client.cli import fail
from client.launch import GAME, lan_address, seat_json
from client.present import setup
from client.table_state import Rejected

BOT_PAUSE = 0.3  # seconds a bot takes at least, so that people can follow
EVERYWHERE = ("0.0.0.0", "::", "*")


def run(port: int, bind: str, title: str, seats: int, bots: Sequence[str], edition: str) -> int:
    """Run until stopped; the exit status. With seats or bots a table is opened at once."""
    from server.host import Options
    from server.main import run_host

    table = None
    if seats or bots:
        plan = setup.plan((), bots, seats, {"edition": edition})
        wrong = setup.problem(plan)
        if wrong:
            fail(wrong)
        table = plan
    tasks: set[asyncio.Task[None]] = set()

    def ready(door: dict[str, Json]) -> None:
        where = lan_address(door["port"]) if bind in EVERYWHERE else f"{bind}:{door['port']}"
        say(f"The host is ready. To play type:  cave join {where}")
        if table is not None:
            address = f"{'127.0.0.1' if bind in EVERYWHERE else bind}:{door['port']}"
            tasks.add(asyncio.get_running_loop().create_task(_open(address, table, title)))

    status = run_host(Options(port=port, bind=bind, bot_pause=BOT_PAUSE), name=title, ready=ready)
    if status == 0:
        say("The host has stopped.")
    return status


async def _open(address: str, plan: setup.GamePlan, title: str) -> None:
    from client.connection import connect

    try:
        connection = await connect(address, name="host")
        await connection.open(
            GAME,
            seats=[seat_json(seat) for seat in plan.seats],
            settings=plan.settings,
            title=title,
        )
        await connection.close()
    except (ConnectionError, Rejected) as error:
        print(f"cave: {error}", file=sys.stderr, flush=True)
    else:
        free = plan.open_seats
        say(f"A table is open with {free} seat{'s' * (free != 1)} for people.")


def say(sentence: str) -> None:
    """Tell whoever started the host."""
    print(sentence, flush=True)
