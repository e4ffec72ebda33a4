"""A player on another machine: ``python -m tests.lan.player ADDRESS``.

A line of JSON on standard input is a call of the connection or its table (``{"do": "sit", "table": ...}``),
and its answer is a line; every change of the table is a line with the player's whole state.
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

from cave import codec
from client.net.connection import Connection, NetSession, connect
from client.table import Rejected, TableState


def tell(**facts: Any) -> None:
    print(json.dumps(facts), flush=True)


def tell_state(state: TableState) -> None:
    known = {
        "link": state.link,
        "seq": state.seq,
        "status": state.status,
        "mine": list(state.my_seats),
        "taken": list(state.taken),
        "present": [seat.present for seat in state.seats],
        "free": sum(seat.kind == "open" for seat in state.seats),
    }
    tell(state=known)


class Player:
    """A connection and the one table it follows."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._session: NetSession | None = None

    async def do(self, what: str, **fields: Any) -> Any:
        match what:
            case "tables":
                return [codec.to_json(table) for table in await self._connection.ask_for_tables()]
            case "open":
                return await self._connection.open(**fields)
            case "sit" | "resume" | "watch":
                session = await getattr(self._connection, what)(**fields)
                if self._session is None:
                    self._session = session
                    session.listen(tell_state)
                tell_state(session.state)
                return {str(seat): key for seat, key in session.keys.items()}
        return await getattr(self._session, what)(**fields)


async def main(address: str) -> None:
    connection = await connect(address)
    player = Player(connection)
    tell(answer="here")
    lines = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    while line := await lines.readline():
        call = json.loads(line)
        try:
            tell(answer=await player.do(call.pop("do"), **call))
        except (ConnectionError, Rejected) as error:
            tell(error=str(error))
    await connection.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
