"""The connection with a real host process: whole games, lost links, unreachable hosts."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cave import bots, record, wire
from client.games.the_cave.face import FACE
from client.net.connection import Connection, NetSession, connect
from client.net.discovery import FoundHost, find_moved_host
from client.net.known_hosts import Address, parse_address
from client.net.messages import Door, read_door
from client.plain.table_news import TableNews
from client.table import Rejected, Session, TableState
from client.tui.sentences import host_away_banner_words
from tests.client.cutting import Cutting, cutting
from tests.server.kit import BACK, NORTH, OTHER_PACK, PACK, few_tiles, position
from tests.server.running import Running, running


@pytest.fixture
async def way(host: Running) -> AsyncIterator[Cutting]:
    async with cutting(host) as made:
        yield made


@contextlib.asynccontextmanager
async def connected(address: str, count: int = 1) -> AsyncIterator[list[Connection]]:
    made = [await connect(address) for _ in range(count)]
    try:
        yield made
    finally:
        for connection in made:
            await connection.close()


async def two_seats(connection: Connection, **fields: Any) -> NetSession:
    """A table with both seats held by one connection."""
    table = await connection.open("the-cave", [{"kind": "open"}, {"kind": "open"}], **fields)
    await connection.sit(table, "Ann")
    return await connection.sit(table, "Bea")


def sees(seq: int) -> Any:
    def condition(state: TableState) -> bool:
        return state.link == "live" and state.seq >= seq

    return condition


async def play(session: NetSession, seat: int) -> None:
    """Play the seat to the end of the game."""
    while True:
        state = await session.wait_for_state(lambda state: state.status == "over" or bool(state.choices.get(seat)))
        if state.status == "over":
            return
        view = state.game.view_json(state.views[seat])
        choices = [state.game.choice_json(choice) for choice in state.choices[seat]]
        await session.act(seat, bots.choose(state.game.name, "rookie", view, choices, str(state.seq)))


# A game


async def test_a_whole_game_of_two_clients_a_bot_and_a_watcher(host: Running):
    async with connected(host.address, 3) as (ann, bea, eve):
        seats = [{"kind": "open"}, {"kind": "open"}, {"kind": "bot", "level": "rookie"}]
        table = await ann.open("the-cave", seats, start=few_tiles(3), title="Friday")
        watching = await eve.watch(table)
        assert watching.state.status == "waiting"
        assert watching.state.view is None
        first, second = await ann.sit(table, "Ann"), await bea.sit(table, "Bea")
        session: Session = first
        assert session.state.my_seats == (0,)
        await asyncio.gather(play(first, 0), play(second, 1))
        end = await watching.wait_for_state(lambda state: state.status == "over")
        for session in (first, second):
            state = await session.wait_for_state(lambda state: state.seq == end.seq)
            assert state.view == end.view
            assert state.log == end.log
            assert [seat.name for seat in state.seats] == ["Ann", "Bea", "Rookie"]
            assert not any(state.choices.values())
        lines = await watching.record()
        assert lines[0]["start"]["stacks"] == few_tiles(3)["stacks"]
        assert record.check_record(record.write(lines).splitlines(keepends=True)).matches is True


async def test_the_pack_does_not_change_the_size_of_a_message(host: Running, monkeypatch: pytest.MonkeyPatch):
    sent: list[bytes] = []
    send = Connection.send

    def noted(connection: Connection, request: Any) -> None:
        sent.append(request.message)
        send(connection, request)

    monkeypatch.setattr(Connection, "send", noted)
    async with connected(host.address) as (one,):
        for pack in (PACK, {"type": "pack", "backpack": {}}, OTHER_PACK):
            session = await two_seats(one, start=position(packing=True))
            await session.act(0, pack)
    sizes = [len(message) for message in sent if json.loads(message)["type"] == "act"]
    assert sizes == [wire.STEP] * 3


async def test_a_refusal_is_shown_in_the_hosts_words(host: Running):
    async with connected(host.address) as (one,):
        session = await two_seats(one, start=position())
        with pytest.raises(Rejected) as caught:
            await session.act(0, {"type": "dive"})
        assert caught.value.code == "no_token"
        assert caught.value.message == "You can dive only on a water tile."
        with pytest.raises(Rejected) as caught:
            await session.act(1, NORTH)
        assert caught.value.code == "not_your_turn"
        with pytest.raises(Rejected, match="seat is taken"):
            await one.sit(session.table, "Al", seat=0)
        with pytest.raises(Rejected, match="no such table"):
            await one.watch("nowhere")
        with pytest.raises(Rejected, match="too long"):
            await session.say("x" * 70_000)


@pytest.mark.parametrize("agreed", [True, False])
async def test_a_request_of_one_player_is_answered_by_the_other(host: Running, agreed: bool):
    async with connected(host.address, 2) as (one, two):
        table = await one.open("the-cave", [{"kind": "open"}, {"kind": "open"}])
        ann = await one.sit(table, "Ann")
        bea = await two.sit(table, "Bea")
        await ann.wait_for_state(lambda state: state.status == "playing")
        assert not await ann.propose(0, "resign"), "it has not taken place yet"
        asked = await bea.wait_for_state(lambda state: state.proposal is not None)
        assert (asked.proposal.seat, asked.proposal.what, asked.proposal.waits_for) == (0, "resign", (1,))
        with pytest.raises(Rejected):
            await bea.agree(1, asked.proposal.number + 1, agree=True)
        await bea.agree(1, asked.proposal.number, agree=agreed)
        for session in (ann, bea):
            after = await session.wait_for_state(lambda state: state.proposal is None)
            assert after.resigned == agreed


async def test_talking_standing_and_listing(host: Running):
    async with connected(host.address, 2) as (one, other):
        session = await two_seats(one, title="Friday")
        watching = await other.watch(session.table)
        await session.say("hello")
        assert [line.text for line in (await watching.wait_for_state(lambda s: bool(s.chat))).chat] == ["hello"]
        await session.stand_up(1)
        assert session.state.my_seats == (0,)
        await watching.wait_for_state(lambda state: state.seats[1].kind == "open")
        again = await other.sit(session.table, "Cal")
        assert again is watching
        assert again.state.views[1].viewer == 1
        listed = await one.ask_for_tables()
        assert [(each.title, each.seats[1].name) for each in listed] == [("Friday", "Cal")]


async def test_traffic_is_encrypted(way: Cutting):
    async with connected(way.address) as (one,):
        session = await two_seats(one, title="Friday", start=position())
        await session.say("hello")
        await session.wait_for_state(lambda state: bool(state.chat))
        await session.act(0, NORTH)
    for relay in (way.desk, way.gallery):
        assert len(relay.passed) > 1000
        for word in (b"Friday", b"Ann", b"hello", b"the-cave", b'"type"', b"table."):
            assert word not in relay.passed


# Lost links


async def test_a_lost_link_is_noticed_and_everything_restored(way: Cutting):
    async with connected(way.address) as (one,):
        session = await two_seats(one, start=position())
        links: list[str] = []
        session.listen(lambda state: links.append(state.link))
        way.cut()
        await session.wait_for_state(lambda state: state.link == "lost")
        await session.wait_for_state(lambda state: state.link == "live")
        # News from before the cut may come first.
        assert list(dict.fromkeys(links[links.index("lost") :])) == ["lost", "syncing", "live"]
        await session.act(0, NORTH)
        assert session.state.views[0].cave.teams[0].at == (0, -2)


async def test_actions_during_a_lost_link_are_refused_and_not_queued(way: Cutting):
    async with connected(way.address) as (one,):
        session = await two_seats(one, start=position())
        before = session.state.seq
        way.block()
        await session.wait_for_state(lambda state: state.link == "lost")
        for asked in (session.act(0, NORTH), session.undo(0), session.say("hello")):
            with pytest.raises(ConnectionError, match="you cannot play until it is back"):
                await asked
        way.unblock()
        state = await session.wait_for_state(lambda state: state.link == "live")
        assert (state.seq, state.chat) == (before, ())
        await session.act(0, NORTH)
        assert (await session.wait_for_state(sees(before + 1))).seq == before + 1


async def test_requests_pending_at_a_lost_link_are_resent_and_done_once(way: Cutting):
    """PROTOCOL.md, Sending again: a client resends after a lost link."""
    async with connected(way.address) as (one,):
        session = await two_seats(one, start=position())
        acting = asyncio.create_task(session.act(0, NORTH))
        await asyncio.sleep(0)
        way.block()
        await session.wait_for_state(lambda state: state.link == "lost")
        way.unblock()
        await acting
        assert (await session.wait_for_state(sees(2))).seq == 2


@pytest.mark.parametrize("turns", range(0, 12, 4))
async def test_a_link_cut_during_an_action_does_it_once(way: Cutting, turns: int):
    async with connected(way.address) as (one,):
        session = await two_seats(one, start=position())
        acting = asyncio.create_task(session.act(0, NORTH))
        for _ in range(turns):
            await asyncio.sleep(0)
        way.cut()
        await acting
        state = await session.wait_for_state(sees(2))
        assert state.seq == 2
        assert state.views[0].cave.teams[0].at == (0, -2)


async def test_a_cut_gallery_is_noticed_by_the_next_beat(host: Running, way: Cutting):
    async with connected(way.address) as (one,), connected(host.address) as (other,):
        table = await other.open("the-cave", [{"kind": "open"}, {"kind": "open"}], start=position())
        await other.sit(table, "Ann")
        session = await other.sit(table, "Bea")
        watching = await one.watch(table)
        way.gallery.open = False
        way.gallery.cut()
        await session.act(0, NORTH)
        way.gallery.open = True
        state = await watching.wait_for_state(sees(2))
        assert [line.event["type"] for line in state.log] == ["moved"]


async def test_a_stopping_host_is_reported_and_requests_fail(host: Running, monkeypatch: pytest.MonkeyPatch):
    async with connected(host.address) as (one,):
        session = await two_seats(one)
        await host.stop()
        await session.wait_for_state(lambda state: state.link == "closed")
        assert session.state.closed == "stopped"
        # Not earlier: a busy machine may take longer to sit down.
        monkeypatch.setattr("client.net.connection.PATIENCE", 0.2)
        with pytest.raises(ConnectionError, match="you cannot play"):
            await session.act(0, PACK)
        # Asking fails; a pending request waits for the host, until the user leaves.
        acting = asyncio.create_task(one.ask("act", insist=True, table=session.table, seat=0, seq=0, action=PACK))
        with pytest.raises(ConnectionError, match="does not answer"):
            await session.record()
        assert not acting.done()
        await one.close()
        with pytest.raises(ConnectionError, match="closed"):
            await acting


async def test_a_killed_supervisor_is_not_a_stopping_host(monkeypatch: pytest.MonkeyPatch):
    """Even if the system does not end the host's process with it: no goodbye closes the table."""
    monkeypatch.setattr("server.system.die_with_parent", lambda _parent: None)
    async with running() as host, connected(host.address) as (one,):
        session = await two_seats(one)
        host.process.kill()
        state = await session.wait_for_state(lambda state: state.link != "live")
        assert (state.link, state.closed) == ("lost", "")


async def test_a_restarted_host_that_forgot_the_table_closes_it(tmp_path: Path):
    keys = ("--keys", str(tmp_path))
    async with running(*keys) as host, connected(host.address) as (one,):
        session = await two_seats(one)
        await host.stop()
        async with running("--port", str(host.door["port"]), *keys):
            await session.wait_for_state(lambda state: state.closed == "gone")
            assert await one.ask_for_tables() == []


# A host that returns elsewhere


def here(tmp_path: Path) -> tuple[str, ...]:
    """Options to restart as the same host."""
    return ("--keys", str(tmp_path), "--data", str(tmp_path / "games"))


async def test_other_ports_are_found_by_the_door(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("client.net.connection.SEARCH_AFTER", 0.01)
    monkeypatch.setattr("client.net.discovery.KNOCK_EVERY", 0.05)
    async with running(*here(tmp_path)) as host, cutting(host) as way, connected(way.address) as (one,):
        session = await two_seats(one)
        await session.act(0, PACK)
        # The door keeps its address and names other ports; the old ones are closed.
        way.door.update(desk=host.door["desk"], gallery=host.door["gallery"])
        way.block()
        await session.wait_for_state(lambda state: state.link == "lost")
        await session.wait_for_state(lambda state: state.link == "live")
        await session.act(1, OTHER_PACK)
        assert one.address == way.address


async def test_a_host_on_another_port_is_found_by_browsing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("client.net.connection.SEARCH_AFTER", 0.01)
    lists: asyncio.Queue[tuple[FoundHost, ...]] = asyncio.Queue()

    async def browse(_keys: Any) -> AsyncIterator[tuple[FoundHost, ...]]:
        while True:
            yield await lists.get()

    monkeypatch.setattr("client.net.discovery.browse_hosts", browse)
    async with running(*here(tmp_path)) as host, connected(host.address) as (one,):
        session = await two_seats(one)
        await session.act(0, PACK)
        old = one.ticket
        await host.stop()
        await session.wait_for_state(lambda state: state.closed == "stopped")
        async with running(*here(tmp_path)) as again, running() as other:
            assert again.address != host.address
            for each in (other, again):  # one with another key is skipped
                key = str(each.door["public_key"])
                await lists.put((FoundHost("Host", parse_address(each.address), key, "known"),))
            state = await session.wait_for_state(lambda state: state.link == "live")
            assert state.my_seats == (0, 1)
            assert state.address == one.address == again.address
            assert one.ticket != old
            await session.act(1, OTHER_PACK)
            await session.wait_for_state(sees(3))


async def test_a_long_wait_shows_what_to_do(host: Running, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("client.net.connection.MISSING_AFTER", 0.05)
    async with connected(host.address) as (one,):
        session = await two_seats(one)
        host.process.kill()
        missing = await session.wait_for_state(lambda state: state.missing)
        assert "cave join ADDRESS" in host_away_banner_words(missing, str)
        assert TableNews(FACE.log_line).news_of_state(missing)[-1].endswith("cave join ADDRESS")
        stopped = msgspec.structs.replace(missing, link="closed", closed="ended")
        assert "cave join" not in host_away_banner_words(stopped, str), "that game is over"


async def test_another_host_at_the_old_address_is_not_used(host: Running, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("client.net.discovery.KNOCK_EVERY", 0.0)
    knocks = asyncio.Queue[Address]()

    async def knock(address: Address) -> Door:
        knocks.put_nowait(address)
        return await read_door(address)

    monkeypatch.setattr("client.net.discovery.read_door", knock)
    async with running() as other:
        before = await read_door(parse_address(host.address))
        place = parse_address(other.address)
        looking = asyncio.create_task(find_moved_host(place, before, str(host.door["public_key"])))
        for _ in range(3):
            assert await knocks.get() == place
        assert not looking.done()
        looking.cancel()


async def test_several_people_sit_down_together(host: Running):
    async with connected(host.address) as (connection,):
        table = await connection.open("the-cave", [{"kind": "open"}] * 3)
        session = await connection.sit_together(table, [("Cyd", 2), ("Ann", 0), ("Bea", None)])
        assert session.state.status == "playing"
        assert session.state.my_seats == (0, 1, 2)
        assert [seat.name for seat in session.state.seats] == ["Ann", "Bea", "Cyd"]
        assert set(session.state.views) == set(session.keys) == {0, 1, 2}


async def test_a_refused_seat_does_not_cost_the_others_theirs(host: Running):
    async with connected(host.address) as (connection,):
        table = await connection.open("the-cave", [{"kind": "open"}] * 3)
        with pytest.raises(Rejected) as refused:
            await connection.sit_together(table, [("Ann", 1), ("Bea", 1), ("Cyd", 2)])
        assert refused.value.code == "seat_taken"
        session = await connection.sit(table, "Bea")
        assert session.state.my_seats == (0, 1, 2)
        assert [seat.name for seat in session.state.seats] == ["Bea", "Ann", "Cyd"]


async def test_a_seat_is_resumed_by_another_connection(host: Running):
    async with connected(host.address, 2) as (one, other):
        session = await two_seats(one, start=position())
        key = session.keys[0]
        resumed = await other.resume(session.table, 0, key)
        state = await session.wait_for_state(lambda state: state.my_seats == (1,))
        assert set(state.views) == {1}
        assert state.taken == (0,)
        await resumed.act(0, NORTH)
        with pytest.raises(Rejected, match="is not your seat"):
            await session.act(0, BACK)
        assert resumed.state.my_seats == (0,)


async def test_a_seat_that_was_taken_over_is_taken_back(host: Running):
    async with connected(host.address, 2) as (one, other):
        session = await two_seats(one, start=position())
        resumed = await other.resume(session.table, 0, session.keys[0])
        await session.wait_for_state(lambda state: state.my_seats == (1,))
        await session.take_back()
        assert session.state.my_seats == (0, 1)
        assert session.state.taken == ()
        state = await resumed.wait_for_state(lambda state: state.my_seats == ())
        assert state.taken == (0,)
        await session.act(0, NORTH)


@pytest.mark.parametrize("seats", [2, 3])
async def test_a_disconnected_player_is_shown_as_away_without_any_action(seats: int):
    """Promise 7. In a running game and in a waiting one; silence would not be noticed here."""
    async with running("--limit", "silence=1000000") as host, connected(host.address) as (one,):
        other, third = await connect(host.address), await connect(host.address)
        table = await one.open("the-cave", [{"kind": "open"}] * seats)
        session = await one.sit(table, "Ann")
        await other.sit(table, "Bea")
        await third.watch(table)
        await session.wait_for_state(lambda state: (state.seats[1].present, state.watchers) == (True, 1))
        await other.close()
        await third.close()
        await session.wait_for_state(lambda state: (state.seats[1].present, state.watchers) == (False, 0))
        assert session.state.seats[0].present


async def test_a_table_that_was_left_sends_nothing_more(host: Running, monkeypatch: pytest.MonkeyPatch):
    async with connected(host.address, 2) as (one, two):
        left, kept = [await two_seats(one, start=position()) for _ in range(2)]
        await (await two.watch(left.table)).close()
        watching = await two.watch(kept.table)
        heard: list[str] = []
        fold = two.fold_message
        monkeypatch.setattr(two, "fold_message", lambda table, *more: (heard.append(table), fold(table, *more)))
        await left.act(0, NORTH)
        await kept.act(0, NORTH)
        # The gallery's messages arrive in order.
        await watching.wait_for_state(sees(2))
        assert set(heard) == {kept.table}


# Unreachable hosts


async def test_an_unreachable_host_is_reported_in_a_sentence():
    server = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    server.close()
    await server.wait_closed()
    with pytest.raises(ConnectionError, match=f"No host answers at 127.0.0.1:{port}"):
        await connect(f"127.0.0.1:{port}")


@pytest.mark.parametrize("told", [b"", b"SSH-2.0-OpenSSH\r\n", b"{}\n", b"[]\n", b"x" * 100_000, b'{"type":' * 10_000])
async def test_another_service_is_reported_in_one_sentence(told: bytes):
    async with answering(told) as port:
        with pytest.raises(ConnectionError, match="is not a host of cave games"):
            await connect(f"127.0.0.1:{port}")


DOOR = {"type": "host", "protocol": [1, 1], "name": "x", "desk": 1, "gallery": 2, "encrypted": False}


@pytest.mark.parametrize(
    "change",
    [
        {"protocol": 1},
        {"protocol": []},
        {"protocol": [1, "2"]},
        {"name": 7},
        *({port: wrong} for port in ("desk", "gallery") for wrong in (0, -1, 65_536, 2**63, "7", 1.0, None)),
        {"desk": True},
        {"encrypted": "yes"},
        {"public_key": []},
    ],
)
async def test_an_invalid_door_message_is_reported_in_one_sentence(change: Any):
    async with answering(json.dumps({**DOOR, **change}).encode() + b"\n") as port:
        where = f"127.0.0.1:{port}"
        with pytest.raises(ConnectionError, match=f"{where} answered in a way this version does not underst"):
            await connect(where)


async def test_another_version_is_reported_in_one_sentence():
    door = {"type": "host", "protocol": [2, 3], "name": "x", "desk": 1, "gallery": 2}
    async with answering(json.dumps(door).encode() + b"\n") as port:
        with pytest.raises(ConnectionError, match="another version"):
            await connect(f"127.0.0.1:{port}")


async def test_a_silent_host_is_reported_in_one_sentence(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("client.net.messages.DOOR_PATIENCE", 0.05)
    kept = []  # since Python 3.13 an unreferenced connection is closed
    silent = await asyncio.start_server(lambda *ends: kept.append(ends), "127.0.0.1", 0)
    port = silent.sockets[0].getsockname()[1]
    with pytest.raises(ConnectionError, match="No host answers"):
        await connect(f"127.0.0.1:{port}")
    silent.close()


async def test_a_door_without_a_desk_is_reported_in_one_sentence(host: Running, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("client.net.connection.GREETING", 0.05)
    door = {**host.door, "desk": host.door["port"]}
    async with answering(json.dumps(door).encode() + b"\n") as port:
        with pytest.raises(ConnectionError, match="cannot be reached"):
            await connect(f"127.0.0.1:{port}")


@contextlib.asynccontextmanager
async def answering(told: bytes) -> AsyncIterator[int]:
    server = await asyncio.start_server(lambda _, writer: (writer.write(told), writer.close()), "127.0.0.1", 0)
    yield server.sockets[0].getsockname()[1]
    server.close()


KEY = "rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7"
TICKET_KEY = "VPy6JOkySZaTFvthfIcrsMHR_xSABCfFlMv6zxvC1lI"


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("ann.local", Address("ann.local", 7412)),
        (" ann.local:80 ", Address("ann.local", 80)),
        (f"cave://10.0.0.7:7500/#{TICKET_KEY}", Address("10.0.0.7", 7500, KEY)),
        (f"cave://[::1]:7500/#{KEY}", Address("::1", 7500, KEY)),
        ("cave://ann/", Address("ann", 7412)),
        ("::1", Address("::1", 7412)),
        ("[::1]:99", Address("::1", 99)),
    ],
)
def test_addresses(text: str, address: Address):
    assert parse_address(text) == address
    assert parse_address(str(address)) == Address(address.host, address.port)


@pytest.mark.parametrize("cut", ["", TICKET_KEY[:-1], TICKET_KEY[:5]])
def test_a_truncated_ticket_is_not_read_as_one_without_a_key(cut: str):
    with pytest.raises(ValueError, match="copy the whole ticket"):
        parse_address(f"cave://10.0.0.7:7500/#{cut}")


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", ":80", "ann:", "ann:x", "ann:0", "ann:65536", "a b", "http://x", "127.0.0.1:7412:9"),
        *("[ann:1]:2", "[a]b]", "[::1]x]", "host:000080"),
    ],
)
def test_an_invalid_address_is_reported_in_one_sentence(text: str):
    with pytest.raises(ValueError, match="is not an address"):
        parse_address(text)
