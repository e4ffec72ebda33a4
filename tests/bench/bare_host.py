"""The minimal work of a host for an action, as the reference for the real one.

asyncio, ROUTER and XPUB with CURVE; a message is decoded from JSON, written to SQLite with
``synchronous=FULL`` if a folder is given, answered, sent to both players and published. No rules and no
limits: it trusts its input. Its messages are as long as a view and an update of The Cave. Run: ``python -m
tests.bench.bare_host [FOLDER]``.
"""

from __future__ import annotations

import asyncio
import sqlite3
import sys
from pathlib import Path
from typing import Any

import zmq
import zmq.asyncio

from cave import codec

VIEW, UPDATE = 4608, 3072
"""Bytes of a view and of an update in the middle of a game for two."""


class Bare:
    """Its sockets, its database, and the connections at each table."""

    def __init__(self, folder: Path | None) -> None:
        context = zmq.asyncio.Context()
        public, secret = zmq.curve_keypair()
        self.desk, self.gallery = context.socket(zmq.ROUTER), context.socket(zmq.XPUB)
        for socket in (self.desk, self.gallery):
            socket.curve_server, socket.curve_secretkey = True, secret
        self.gallery.xpub_verbose = True
        ports = [each.bind_to_random_port("tcp://127.0.0.1") for each in (self.desk, self.gallery)]
        self.door = {"desk": ports[0], "gallery": ports[1], "public_key": public.decode(), "encrypted": True}
        self.players: dict[str, list[bytes]] = {}
        self.db: sqlite3.Connection | None = None
        if folder is not None:
            self.db = sqlite3.connect(folder / "bare.sqlite", isolation_level=None)
            self.db.execute("PRAGMA journal_mode = WAL")
            self.db.execute("PRAGMA synchronous = FULL")
            self.db.execute("CREATE TABLE entries (number INTEGER PRIMARY KEY, tbl TEXT, seq INTEGER, data TEXT)")

    async def hear(self) -> None:
        """Greet new subscribers, as a host does."""
        while True:
            heard = await self.gallery.recv()
            for table in self.players if heard[:1] == b"\1" else ():
                await self.publish({"type": "beat", "table": table})

    async def publish(self, message: dict[str, Any]) -> None:
        """Send to all subscribers of the table."""
        await self.gallery.send_multipart([f"table.{message['table']}".encode(), codec.encode(message)])

    async def serve(self) -> None:
        view, board = "v" * VIEW, "u" * UPDATE
        while True:
            link, frame = await self.desk.recv_multipart()
            asked = codec.decode(frame)
            table = asked.get("table", "")
            reply = {"re": asked["id"], "table": table, "type": "done"}
            match asked["type"]:
                case "open":
                    reply["table"] = table = str(len(self.players))
                    self.players[table] = []
                case "sit":
                    self.players[table].append(link)
                case "act":
                    seq = reply["seq"] = asked["seq"] + 1
                    if self.db is not None:
                        kept = codec.encode(asked["action"]).decode()
                        self.db.execute("INSERT INTO entries VALUES (NULL, ?, ?, ?)", (table, seq, kept))
                    update = {"type": "update", "table": table, "seq": seq, "view": board}
                    await self.publish(update)
                    for seat, player in enumerate(self.players[table]):
                        own = {"type": "view", "table": table, "seq": seq, "seat": seat, "view": view}
                        await self.desk.send_multipart([player, codec.encode(own)])
            await self.desk.send_multipart([link, codec.encode(reply)])


async def main() -> None:
    """Serve until it is killed."""
    bare = Bare(Path(sys.argv[1]) if sys.argv[1:] else None)
    print(codec.encode(bare.door).decode(), flush=True)
    await asyncio.gather(bare.hear(), bare.serve())


if __name__ == "__main__":
    asyncio.run(main())
