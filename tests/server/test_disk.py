"""Limits on the disk space that guests use, by address and in all."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from server.clients.limits import Limits
from server.journal.saved_games import BLOCK, RecordFolder
from server.journal.sqlite import SqliteJournal
from tests.server.kit import ANN, BEA, EVE, PACK, Desk
from tests.server.memory import MemoryJournal

HOME, AWAY, BOSS = "192.0.2.1", "198.51.100.7", "boss's key"
FREE: Any = {"rate": 1e6, "burst": 1e6}


def lines(size: int) -> list[Any]:
    return [{"created": "2026-01-02T03:04:05", "text": "x" * size}]


def taken(folder: Path, kind: str = "*.guest-*") -> int:
    return sum(-(-file.stat().st_size // BLOCK) * BLOCK for file in folder.glob(kind))


def test_records_of_guests_are_bounded_and_the_largest_share_shrinks(tmp_path: Path) -> None:
    most, each = 40 * BLOCK, 10 * BLOCK
    records, rng = RecordFolder(tmp_path, most, each, "secret"), Random(1)
    records.write("own", lines(5 * BLOCK))
    for number in range(300):
        site = rng.choice(["a", "a", "a", "b", "c", "d", "e", "f"])
        records.write(f"table{number}", lines(rng.randrange(3 * BLOCK)), site)
        assert taken(tmp_path) <= most
        assert (tmp_path / f"2026-01-02-table{number}.guest-{mark(tmp_path, number)}.jsonl").exists()
        if number % 50 == 0:  # The host starts again.
            records = RecordFolder(tmp_path, most, each, "secret")
    assert taken(tmp_path, "*own*") == 6 * BLOCK
    marks = {file.suffixes[-2] for file in tmp_path.glob("*.guest-*")}
    assert len(marks) == 6, "one address does not push out the others"
    assert all(taken(tmp_path, f"*{each_mark}.jsonl") <= each for each_mark in marks)


def mark(folder: Path, number: int) -> str:
    (file,) = folder.glob(f"*-table{number}.guest-*")
    return file.suffixes[-2].removeprefix(".guest-")


def test_a_rewritten_record_counts_once(tmp_path: Path) -> None:
    records = RecordFolder(tmp_path, 10 * BLOCK, 2 * BLOCK, "secret")
    records.write("other", lines(10), "a")
    for _ in range(20):
        records.write("table", lines(10), "a")
    assert len([*tmp_path.iterdir()]) == 2


def test_records_of_one_address_use_at_most_its_share(tmp_path: Path) -> None:
    records = RecordFolder(tmp_path, 99 * BLOCK, 10 * BLOCK, "secret")
    for number, blocks in enumerate((5, 5, 3, 7, 1), start=1):
        records.write(f"table{number}", lines(blocks * BLOCK - 100), "a")
        assert taken(tmp_path) == (0, 5, 10, 8, 10, 8)[number] * BLOCK


def ends(desk: Desk, how: str, *, acted: bool) -> None:
    """A game of Ann and Bea that ends this way."""
    table = desk.open("open", "open")
    desk.ask(ANN, "sit", table=table, name="Ann", seat=0)
    desk.ask(ANN, "sit", table=table, name="Bea", seat=1)
    if acted:
        assert desk.act(ANN, table, 0, PACK)["type"] == "done"
    if how == "resign":
        assert desk.ask(ANN, "propose", table=table, seat=0, what="resign")["done"]
    else:
        assert desk.ask(EVE, "close", table=table)["type"] == "closed"


@pytest.mark.parametrize("how", ["resign", "close"])
def test_a_game_without_actions_leaves_no_record(how: str) -> None:
    desk = Desk(owners=(BOSS,))
    desk.peers[EVE], desk.addresses[ANN] = BOSS, HOME
    ends(desk, how, acted=False)
    assert desk.finished == []
    ends(desk, how, acted=True)
    (finished,) = desk.finished
    assert finished.guest == HOME


def test_the_records_of_the_owners_tables_are_not_a_guests() -> None:
    desk = Desk(owners=(BOSS,))
    desk.peers |= {ANN: BOSS, EVE: BOSS}
    desk.addresses[ANN] = HOME
    ends(desk, "close", acted=True)
    assert desk.finished[0].guest == ""


def test_few_finished_games_of_one_address_are_kept() -> None:
    desk = Desk(limits=Limits(**FREE, tables_address=2, tables_each=1000), journal=(journal := MemoryJournal()))
    desk.addresses |= {ANN: HOME, BEA: AWAY}
    seats = [{"kind": "open"}] * 2
    other = desk.ask(BEA, "open", game="the-cave", seats=seats)["table"]
    for _ in range(10):
        ends(desk, "resign", acted=True)
        assert len(desk.service.tables) <= 4
    assert other in desk.service.tables
    assert {entry.table for entry in journal.entries if entry.table} == {*desk.service.tables}


def test_few_games_of_one_address_are_shelved_not_counting_the_owners() -> None:
    desk = Desk(limits=Limits(**FREE, shelved_address=2, expire=100), owners=(BOSS,), journal=MemoryJournal())
    desk.addresses |= {ANN: HOME, BEA: HOME, EVE: AWAY}
    desk.peers[BEA] = BOSS

    def begin(link: bytes) -> str:
        seats = [{"kind": "open"}] * 2
        table = str(desk.ask(link, "open", game="the-cave", seats=seats)["table"])
        desk.ask(link, "sit", table=table, name="Ann")
        desk.ask(link, "sit", table=table, name="Bea")
        return table

    mine = [begin(ANN) for _ in range(4)]
    others = [begin(EVE), *(begin(BEA) for _ in range(3))]
    desk.now += 200
    desk.take(desk.service.do_timed_work(desk.now))
    assert {*desk.service.clients.shelved} == {*mine[2:], *others}


def test_endless_handovers_of_a_seat_do_not_fill_the_journal(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path)
    desk = Desk(journal=journal)
    table = desk.open("open", "bot", "bot")
    key = desk.ask(ANN, "sit", table=table, name="Ann")["key"]
    for number in range(1001):
        level = "" if number % 2 else "novice"
        assert desk.ask(ANN, "propose", table=table, seat=0, what="hand_over", level=level)["done"]
    assert len(journal.read_story(table)) < 300
    journal.close()
    journal = SqliteJournal(tmp_path)
    assert journal.problems == []
    back = Desk(journal=journal)
    assert back.service.restore() == []
    assert back.ask(BEA, "resume", table=table, seat=0, key=key)["type"] == "seated"
    assert back.service.tables[table].seats[0].handed == "novice"
    journal.close()
