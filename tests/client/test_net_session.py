"""A table over the net: requests to the host, and how replies are handled."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from cave.game import Json
from client.net.session import NetSession
from client.table import Rejected, TableState
from tests.client.test_cli import PATIENCE
from tests.client.test_store import NORTH, beat, snapshot
from tests.server.kit import ANN, Desk, position, seated


class Host:
    """A host that records requests, and answers those for a snapshot."""

    address = "here:1"

    def __init__(self, look: Callable[[], Json]) -> None:
        self.asked: list[tuple[str, dict[str, Json]]] = []
        self.wrong: dict[str, Exception] = {}
        self.left: list[NetSession] = []
        self.seq = 1
        self.heard = asyncio.Event()
        self._look = look

    async def ask(self, kind: str, *, insist: bool = False, **fields: Json) -> Any:
        assert fields.pop("table") == "t"
        self.asked.append((f"{kind}, again and again" if insist else kind, fields))
        self.heard.set()
        if kind in self.wrong:
            raise self.wrong[kind]
        if kind in ("sync", "watch"):
            return dict(self._look())
        self.seq += 1
        return SimpleNamespace(seq=self.seq, done=fields.get("what") == "hurry", lines=["a", "b"])

    def leave(self, session: NetSession) -> None:
        self.left.append(session)

    @property
    def kinds(self) -> list[str]:
        return [kind for kind, _ in self.asked]


async def watching() -> tuple[NetSession, Host, Desk, str]:
    """A session with a complete table."""
    desk, table = seated(start=position())
    host = Host(lambda: snapshot(desk, table))
    session = NetSession(host, "t")
    await session.watch()
    session.fold_message(beat(desk, table))
    assert session.complete.is_set()
    host.asked.clear()
    return session, host, desk, table


async def test_listeners_are_notified_once_per_burst_until_removed() -> None:
    session, _, desk, table = await watching()
    heard: list[TableState] = []
    session.listen(heard.append)
    for text in ("one", "two"):
        desk.ask(ANN, "say", table=table, text=text)
        session.fold_message(desk.published[-1])
    assert heard == []
    await asyncio.sleep(0)
    assert [len(state.chat) for state in heard] == [2]
    for change in (
        lambda: session.note_lost_link("lost"), lambda: session.note_moved_host("there:2"),
        lambda: session.note_missing_host("nowhere"),
        lambda: session.leave_seats_to_terminal({1: "key"}),
    ):  # fmt: skip
        change()
        await asyncio.sleep(0)
    assert [state.link for state in heard[1:]] == ["lost"] * 4
    assert (heard[2].address, heard[3].missing, heard[4].taken) == ("there:2", "nowhere", (1,))
    session.note_missing_host("nowhere")
    await asyncio.sleep(0)
    assert len(heard) == 5, "that is known"
    session.unlisten(heard.append)
    session.note_lost_link("closed")
    await asyncio.sleep(0)
    assert len(heard) == 5


async def test_a_waiter_gets_a_state_after_the_listeners() -> None:
    session, _, desk, table = await watching()
    assert (await session.wait_for_state(lambda state: state.seq == 1)).seq == 1
    heard: list[int] = []
    session.listen(lambda state: heard.append(state.seq))
    waiting = asyncio.create_task(session.wait_for_state(lambda state: state.seq == 2))
    await asyncio.sleep(0)
    assert not waiting.done()
    desk.act(ANN, table, 0, NORTH)
    session.fold_message(desk.published[-1])
    async with asyncio.timeout(PATIENCE):
        assert (await waiting).seq == 2
    session.note_lost_link("lost")
    assert (await session.wait_for_state(lambda state: state.link == "lost")).link == "lost"
    assert heard == [2, 2], "at once, and only once"
    await asyncio.sleep(0)
    assert heard == [2, 2]


@pytest.mark.parametrize(
    ("code", "taken", "freed"), [("seat_taken", (0,), ()), ("wrong_key", (), (0,)), ("no_seat", (), (0,))]
)
async def test_a_seat_lost_while_offline_is_noticed_and_the_table_watched(
    code: str, taken: tuple[int, ...], freed: tuple[int, ...]
) -> None:
    session, host, _, _ = await watching()
    session.take(0, "key")
    session.note_lost_link("lost")
    host.wrong["resume"] = Rejected(code, "No.")
    await session.find_back()
    assert host.kinds == ["resume", "watch", "sync"]
    assert (session.keys, session.state.taken, session.state.freed) == ({}, taken, freed)


@pytest.mark.parametrize(
    ("at", "code", "closed"),
    [
        ("resume", "shelved", "shelved"),
        ("watch", "shelved", "shelved"),
        ("resume", "no_table", "gone"),
        ("watch", "no_table", "gone"),
        ("sync", "no_table", "gone"),
    ],
)
async def test_a_missing_table_is_closed(at: str, code: str, closed: str) -> None:
    session, host, _, _ = await watching()
    session.take(0, "key")
    session.note_lost_link("lost")
    host.wrong[at] = Rejected(code, "No.")
    await session.find_back()
    assert (session.state.link, session.state.closed) == ("closed", closed)
    assert host.kinds[-1] == at


async def test_missing_updates_are_requested_until_they_arrive() -> None:
    session, host, desk, table = await watching()
    session.note_lost_link("lost")
    session.store.note_found_link()
    for wrong in (ConnectionError(), Rejected("busy", "Not now.")):
        host.wrong["sync"] = wrong
        host.heard.clear()
        session.fold_message(beat(desk, table))
        task = session.syncing
        assert task is not None
        async with asyncio.timeout(PATIENCE):
            await host.heard.wait()
        session.fold_message(beat(desk, table))
        assert session.syncing is task, "one asks"
        host.wrong.clear()
        async with asyncio.timeout(PATIENCE):
            await task
        assert session.syncing is None
        assert session.state.link == "live"
        host.asked.clear()
        session.store.note_lost_link("lost")
        session.store.note_found_link()
    host.wrong["sync"] = Rejected("shelved", "It is shelved.")
    session.fold_message(beat(desk, table))
    assert session.syncing is not None
    async with asyncio.timeout(PATIENCE):
        await session.syncing
    assert (session.state.link, session.state.closed) == ("closed", "shelved")


async def test_news_during_a_lost_link_do_not_block_later_requests() -> None:
    session, host, desk, table = await watching()
    # As Textual configures its loop from Python 3.12 on: tasks start at once.
    asyncio.get_running_loop().set_task_factory(getattr(asyncio, "eager_task_factory", None))
    session.note_lost_link("lost")
    session.fold_message(beat(desk, table))
    assert host.kinds == []
    host.wrong["watch"] = ConnectionError()
    with pytest.raises(ConnectionError):
        await session.find_back()
    host.asked.clear()
    host.heard.clear()
    session.fold_message(beat(desk, table))
    async with asyncio.timeout(PATIENCE):
        await host.heard.wait()
    assert host.kinds == ["sync"]
    assert session.state.link == "live"


async def test_steps_are_undone_one_by_one_each_from_the_resulting_state() -> None:
    session, host, _, _ = await watching()
    await session.undo(0, 3)
    await session.undo(0)
    assert [fields["seq"] for _, fields in host.asked] == [1, 2, 3, 1]
