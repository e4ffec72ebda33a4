"""Requests to a host that have no reply yet."""

from __future__ import annotations

import asyncio
import itertools
import os
from collections.abc import Iterator

from msgspec import Struct

from cave import codec, protocol, wire
from cave.game import Json
from client.table import Rejected


class Request(Struct):
    """A request, its future reply, and when it was sent last."""

    number: str
    message: bytes
    reply: asyncio.Future[dict[str, Json]]
    sent_at: float


class Requests:
    """The requests of one connection. Their ids rise: what is done once is then never done again."""

    def __init__(self) -> None:
        self._run = os.urandom(8).hex()
        self._count = itertools.count()
        self._open: dict[str, Request] = {}

    def __iter__(self) -> Iterator[Request]:
        """Return those that are open now."""
        return iter(list(self._open.values()))

    def new(self, asked: protocol.Request) -> Request:
        """Return a request that is to be sent; raises Rejected where it is too long for that."""
        number = f"{self._run}#{next(self._count)}"
        message = wire.padded(codec.encode({**codec.as_json(asked), "id": number}))
        if len(message) > wire.MAX_MESSAGE:
            raise Rejected("too_large", "That is too long to send.")
        loop = asyncio.get_running_loop()
        request = self._open[number] = Request(number, message, loop.create_future(), loop.time())
        return request

    def forget(self, request: Request) -> None:
        """Forget a reply that nobody waits for any more."""
        self._open.pop(request.number, None)

    def answer(self, message: dict[str, Json]) -> bool:
        """Return whether the message is a reply to one of them, which then has it."""
        number = message.get("re")
        request = self._open.get(number) if isinstance(number, str) else None
        if request is None:
            return False
        if not request.reply.done():
            request.reply.set_result(message)
        return True

    def fail(self, why: str) -> None:
        """Fail all of them: none will be answered."""
        for request in self:
            if not request.reply.done():
                request.reply.set_exception(ConnectionError(why))
                # Who asked may have been cancelled and not look any more.
                request.reply.exception()
