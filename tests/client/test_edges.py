"""A client's state and seats when only a part returns."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from cave import protocol
from client.net import connection
from client.net.session import NetSession
from client.table import Rejected
from tests.client.cutting import cutting
from tests.server.kit import ANN, NORTH, Desk, position
from tests.server.running import running


class Wire:
    """A connection to a service, where Ann has two seats. It may refuse to return seats."""

    def __init__(self, desk: Desk, table: str, refused: dict[int, str]) -> None:
        self.desk, self.refused = desk, refused
        self.address = "127.0.0.1:1"
        self.asked: list[str] = []
        self.session = NetSession(self, table)
        self.link = ANN

    async def ask(self, kind: str, *, insist: bool = False, **fields: Any) -> Any:
        self.asked.append(f"{kind} {fields.get('seat', '')}".strip())
        if kind == "resume" and fields["seat"] in self.refused:
            raise Rejected(self.refused[fields["seat"]], "No.")
        reply = self.desk.ask(self.link, kind, **fields)
        if reply["type"] == "seated":
            self.session.take(reply["seat"], reply["key"])
        self.hear()
        return reply

    def leave(self, session: NetSession) -> None: ...

    def hear(self) -> None:
        """Deliver the pending messages."""
        for to, message in self.desk.sent:
            if to == self.link and message["type"] == "view":
                self.session.fold_message(message)
        for message in self.desk.published:
            self.session.fold_message(message)
        self.desk.sent[:] = [each for each in self.desk.sent if each[1]["type"] != "view"]
        self.desk.published.clear()


async def sat_twice(**refused: str) -> Wire:
    desk = Desk()
    table = desk.open("open", "open", start=position())
    wire = Wire(desk, table, {int(seat.removeprefix("seat")): code for seat, code in refused.items()})
    for name in ("Ann", "Bea"):
        await wire.ask("sit", table=table, name=name)
    await wire.session.watch()
    wire.desk.take(wire.desk.service.beat_at_table(table, 0.0))
    wire.hear()
    assert wire.session.state.my_seats == (0, 1)
    return wire


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(("code", "lost"), [("seat_taken", "taken"), ("wrong_key", "freed")])
async def test_a_refused_seat_is_lost_and_the_other_one_kept(seat: int, code: str, lost: str):
    """PROTOCOL.md, coming back: each seat is requested separately, and the table can still be watched."""
    wire = await sat_twice(**{f"seat{seat}": code})
    session = wire.session
    session.note_lost_link("lost")
    wire.desk.take(wire.desk.service.clients.connection_lost(ANN, 0.0))
    wire.link = b"ann again"
    wire.asked.clear()
    await session.find_back()
    assert wire.asked == ["resume 0", "resume 1", "watch", "sync"]
    assert session.state.my_seats == (1 - seat,)
    assert set(session.keys) == {1 - seat}
    assert (session.state.taken, session.state.freed) == (((seat,), ()) if lost == "taken" else ((), (seat,)))
    assert session.state.link == "live"
    # A seat that was only taken over can be taken back.
    wire.refused.clear()
    await session.take_back()
    assert session.state.my_seats == ((0, 1) if lost == "taken" else (1 - seat,))


async def test_a_seat_holder_accepts_the_state_of_a_host_that_lost_steps():
    """It restarted from an older copy of its journal: its newest view is older than ours."""
    wire = await sat_twice()
    session = wire.session
    await session.act(0, NORTH)
    wire.hear()
    newest = session.state
    assert (newest.seq, newest.seen[0]) == (2, 2)
    older = Desk()
    older.open("open", "open", start=position())
    older.ask(ANN, "sit", table=session.table, name="Ann")
    older.ask(ANN, "sit", table=session.table, name="Bea")
    session.note_lost_link("lost")
    wire.desk, wire.link = older, ANN
    session.store.note_found_link()
    older.take(older.service.beat_at_table(session.table, 0.0))
    await session.watch()
    wire.hear()
    state = session.state
    assert (state.seq, state.seen) == (1, {0: 1, 1: 1})
    assert state.views[0].cave.teams[0].at == state.view.cave.teams[0].at == (0, -1)
    assert state.choices[0][0].action.type == "move"


async def test_without_may_open_everybody_may_open_tables():
    """Earlier versions do not send ``may_open``."""

    class Earlier:
        may_open = False

        async def ask(self, _kind: str, **_fields: Any) -> Any:
            return protocol.read_reply(protocol.Hello, {"type": "welcome"})

    guest: Any = Earlier()
    await connection.Connection.greet(guest, "Ann")
    assert guest.may_open


async def test_a_table_shows_its_hosts_current_address():
    session = (await sat_twice()).session
    moved = asyncio.create_task(session.wait_for_state(lambda state: state.address == "192.0.2.7:24113"))
    await asyncio.sleep(0)
    session.note_moved_host("192.0.2.7:24113")
    assert (await moved).address == "192.0.2.7:24113"


async def test_a_players_request_survives_a_long_lost_link(monkeypatch: pytest.MonkeyPatch):
    """A link may be lost for longer than a host's reply may take."""
    monkeypatch.setattr(connection, "PING_EVERY", 1e9)
    async with running("--no-encryption") as host, cutting(host) as way:
        one = await connection.connect(way.address)
        session = await one.sit(await one.open("the-cave", [{"kind": "open"}] * 2), "Ann")
        way.block()
        await session.wait_for_state(lambda state: state.link == "lost")
        with monkeypatch.context() as impatient:
            impatient.setattr(connection, "PATIENCE", 0)
            asked = asyncio.create_task(one.ask("ping", insist=True))
            for _ in range(20):
                await asyncio.sleep(0)
            assert not asked.done()
        way.unblock()
        assert isinstance(await asked, protocol.Pong)
        # From now on requests are sent at once, not only with the next check of the link.
        await session.wait_for_state(lambda state: state.link == "live")
        assert isinstance(await one.ask("ping"), protocol.Pong)
        await one.close()


async def test_a_request_is_resent_only_after_a_long_wait(monkeypatch: pytest.MonkeyPatch):
    """PROTOCOL.md, Sending again."""
    monkeypatch.setattr(connection, "PING_EVERY", 0.05)
    async with running("--no-encryption") as host:
        one = await connection.connect(host.address)
        going: asyncio.Queue[bytes] = asyncio.Queue()
        send = one.sockets.send

        def lossy(message: bytes) -> bool:
            """Everything but pings is lost."""
            going.put_nowait(message)
            return send(message) if b'"ping"' in message else True

        async def kinds(number: int) -> list[bool]:
            """Return which of the next messages are not pings."""
            return [b'"tables"' in await going.get() for _ in range(number)]

        monkeypatch.setattr(one.sockets, "send", lossy)
        asked = asyncio.create_task(one.ask("tables"))
        while not (await kinds(1))[0]:
            pass
        assert not any(await kinds(4))
        monkeypatch.setattr(connection, "RESEND_AFTER", 0.0)
        assert any(await kinds(4))
        await one.close()
        with pytest.raises(ConnectionError):
            await asked
