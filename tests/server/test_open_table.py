"""A host keeps a table open for the next guests, and its owner decides who else may open tables."""

from __future__ import annotations

from typing import Any

import pytest

from cave import protocol
from cave.game import BadData
from server.clients.limits import Limits
from server.service import OpenTableOptions
from tests.server.kit import ANN, BEA, EVE, Desk, code, position
from tests.server.memory import MemoryJournal

OPEN = protocol.SeatSpec("open")
BOT = protocol.SeatSpec("bot", "rookie")


def offer(*seats: protocol.SeatSpec, once: bool = False, **more: Any) -> OpenTableOptions:
    return OpenTableOptions(protocol.Open(game="the-cave", seats=seats or (OPEN, OPEN), **more), once)


def desk(wanted: OpenTableOptions | None = None, **more: Any) -> Desk:
    """A host just started with this option."""
    made = Desk(open_table=wanted or offer(), **more)
    made.take(made.service.wake_tables(0.0))
    return made


def started_again(wanted: OpenTableOptions, journal: MemoryJournal) -> Desk:
    """The host's next run, with this option."""
    made = Desk(open_table=wanted, journal=journal)
    for _ in range(9):
        made.service.random_text()  # Separate ids.
    made.service.restore()
    made.take(made.service.wake_tables(0.0))
    return made


def tick(host: Desk) -> None:
    host.now += 0.5
    host.take(host.service.do_timed_work(host.now))


def tables(host: Desk, status: str) -> list[str]:
    return [name for name, table in host.service.tables.items() if table.status == status]


def fill(host: Desk, table: str, link: bytes = ANN) -> None:
    for number, _ in enumerate(host.service.tables[table].seats):
        assert host.ask(link, "sit", table=table, name=f"P{number}")["type"] == "seated"


def test_there_is_always_an_open_table():
    host = desk(offer(title="Evening", settings={"edition": "french"}))
    for played in range(3):
        tick(host)
        assert len(tables(host, "playing")) == played
        (waiting,) = tables(host, "waiting")
        facts = host.service.tables[waiting].public_facts()
        assert (facts["title"], facts["settings"]) == ("Evening", {"edition": "french"})
        host.ask(ANN, "sit", table=waiting, name="Ann")
        tick(host)
        assert tables(host, "waiting") == [waiting], "one with a seat left is enough"
        host.ask(BEA, "sit", table=waiting, name="Bea")


@pytest.mark.parametrize(
    "more", [{"code": ""}, {"start": {**position(), "settings": {"edition": "french"}}}], ids=["code", "start"]
)
def test_there_is_an_open_table_for_any_form_of_the_request(more: dict[str, Any]) -> None:
    """An empty code is none, and a position has its own settings."""
    host = desk(offer(**more))
    for _ in range(3):
        tick(host)
    assert len(host.service.tables) == 1


def test_with_once_no_other_table_follows():
    host = desk(offer(once=True))
    (table,) = host.service.tables
    fill(host, table)
    tick(host)
    assert list(host.service.tables) == [table]


def test_a_closed_table_of_bots_alone_is_not_replaced():
    host = desk(offer(BOT, BOT))
    (table,) = host.service.tables
    assert host.service.tables[table].status == "playing"
    host.take(host.service.changes.close_table(host.service.tables[table]))
    tick(host)
    assert not host.service.tables


@pytest.mark.parametrize("sits", [False, True])
def test_an_unused_table_is_removed_if_the_host_now_offers_another_game(sits: bool):
    journal = MemoryJournal()
    first = desk(offer(title="Last time"), journal=journal)
    (old,) = first.service.tables
    if sits:
        first.ask(ANN, "sit", table=old, name="Ann")
    for _ in range(2):
        again = started_again(offer(title="This time"), journal)
        titles = sorted(table.setup.title for table in again.service.tables.values())
        assert titles == (["Last time", "This time"] if sits else ["This time"])


@pytest.mark.parametrize("secret", [None, "owl"])
def test_after_a_restart_the_earlier_open_table_is_used(secret: str | None):
    """Unless it has another code: the earlier code no longer works."""
    journal = MemoryJournal()
    (table,) = desk(offer(code=secret, best_of=3), journal=journal).service.tables
    for wanted, same in ((secret, True), ("bat", False)):
        again = started_again(offer(code=wanted, best_of=3), journal)
        assert len(again.service.tables) == 1
        assert (table in again.service.tables) == same


def test_the_number_of_open_tables_is_bounded():
    host = desk(limits=Limits(rate=1e6, burst=1e6, tables=2))
    for _ in range(3):
        tick(host)
        for table in tables(host, "waiting"):
            fill(host, table)
    tick(host)
    assert (len(tables(host, "playing")), tables(host, "waiting")) == (2, [])
    host.take(host.service.clients.connection_lost(ANN, host.now))
    tick(host)
    assert len(tables(host, "waiting")) == 1, "games that all have left do not count"


def test_a_full_host_opens_another_as_soon_as_there_is_room():
    host = desk(limits=Limits(rate=1e6, burst=1e6, tables=1))
    (table,) = host.service.tables
    fill(host, table)
    tick(host)
    assert list(host.service.tables) == [table]
    host.take(host.service.changes.close_table(host.service.tables[table]))
    tick(host)
    assert len(tables(host, "waiting")) == 1


def test_finished_games_are_removed_when_all_clients_have_left():
    host = desk(offer(start={**position(), "turns_left": 1}))
    (first,) = host.service.tables
    fill(host, first)
    host.ask(EVE, "watch", table=first)
    host.act(ANN, first, 0, {"type": "end_turn"})
    assert tables(host, "over") == [first]
    for link, left in ((ANN, True), (EVE, False)):
        host.take(host.service.clients.connection_lost(link, host.now))
        tick(host)
        (waiting,) = tables(host, "waiting")
        fill(host, waiting, BEA)
        tick(host)
        assert (first in host.service.tables) is left


def test_an_impossible_table_is_reported_at_the_start():
    with pytest.raises(BadData):
        Desk(open_table=offer(OPEN, OPEN, settings={"edition": "latin"}))


# Who may open


def test_guests_open_tables_only_if_allowed():
    host = Desk(owners=("key of ann",))
    assert host.ask(EVE, "hello", protocol=1)["may_open"] is True
    seats = [{"kind": "open"}] * 2
    assert host.ask(EVE, "open", game="the-cave", seats=seats)["type"] == "opened"
    assert code(host.ask(EVE, "allow", guests_open=False)) == "not_owner"
    boss = b"link-boss"
    host.peers[boss] = "key of ann"
    assert host.ask(boss, "allow", guests_open=False)["guests_open"] is False
    assert host.ask(EVE, "tables")["may_open"] is False
    refused = host.ask(EVE, "open", game="the-cave", seats=seats)
    assert code(refused) == "not_owner"
    assert refused["message"] == "Only the owner opens tables on this host. Sit down at one, or watch."
    assert host.ask(boss, "tables")["may_open"] is True
    assert host.ask(boss, "open", game="the-cave", seats=seats)["type"] == "opened"
    host.ask(boss, "allow", guests_open=True)
    assert host.ask(EVE, "open", game="the-cave", seats=seats)["type"] == "opened"


def test_a_host_can_forbid_new_tables_from_the_start():
    host = desk(limits=Limits(rate=1e6, burst=1e6, guests_open=False))
    welcome = host.ask(EVE, "hello", protocol=1)
    assert welcome["may_open"] is False
    assert len(welcome["tables"]) == 1, "its own table is there all the same"
