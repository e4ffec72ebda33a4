"""Untouched games are shelved: saved and closed, until a player with a seat reopens them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cave import protocol
from server.absence import LEFT_FOR
from server.clients.limits import HOUR, Limits
from server.journal import journal_survey, saved_games
from server.journal.sqlite import SqliteJournal
from server.service import OpenTableOptions, Service
from tests.server.kit import OTHER_PACK, PACK, SECRET, Desk, position
from tests.server.memory import MemoryJournal
from tests.server.test_room import AWAY, BOSS, HOME, SEATS, newcomer, open_table
from tests.server.test_shorten import known

FREE = {"rate": 1e6, "burst": 1e6, "links": 10**6}
DAY = 24 * HOUR
OPEN = protocol.SeatSpec("open")


class Calendar:
    """A clock that only moves when a test moves it."""

    now = 1e9

    def __call__(self) -> float:
        return self.now


class Evening:
    """A host with a folder, and a clock and a calendar in step."""

    def __init__(self, folder: Path, **limits: Any) -> None:
        self.folder, self.limits, self.calendar = folder, Limits(**FREE, **limits), Calendar()
        self.journal = SqliteJournal(folder, self.calendar)
        self.desk = Desk(limits=self.limits, journal=self.journal, owners=(BOSS,))

    def wait(self, seconds: float) -> None:
        self.calendar.now += seconds
        self.desk.now += seconds
        self.desk.take(self.desk.service.do_timed_work(self.desk.now))

    def restart(self, after: float = 0.0) -> None:
        self.journal.close()
        self.calendar.now += after
        self.journal = SqliteJournal(self.folder, self.calendar)
        service = Service(
            "test",
            random_text=self.desk.service.random_text,
            stamp=lambda: "",
            limits=self.limits,
            owners=(BOSS,),
            secret=SECRET,
            journal=self.journal,
        )
        assert service.restore() == []
        self.desk.service, self.desk.now = service, 0.0
        self.desk.take(service.wake_tables(0.0))

    def begin(self, *names: str, address: str = HOME, **more: Any) -> tuple[str, list[bytes], list[str]]:
        """A started game: its table, its players and the keys of their seats."""
        people = [newcomer(self.desk, address) for _ in names]
        seats = [{"kind": "open"} for _ in names] + more.pop("bots", [])
        table = self.desk.ask(people[0], "open", game="the-cave", seats=seats, **more)["table"]
        sat = [self.desk.ask(link, "sit", table=table, name=name) for link, name in zip(people, names, strict=True)]
        return table, people, [each["key"] for each in sat]

    def ask(self, kind: str, **fields: Any) -> Any:
        """Send a request from a newly connected client."""
        return self.desk.ask(newcomer(self.desk, HOME), kind, **fields)


def filled(where: Desk, addresses: int, each: int) -> None:
    """Let each of these addresses start and leave this many games."""
    for number in range(addresses):
        for _ in range(each):
            link = newcomer(where, f"203.0.113.{number}")
            table = where.ask(link, "open", game="the-cave", seats=SEATS)["table"]
            for name in ("Ann", "Bea"):
                where.ask(link, "sit", table=table, name=name)
            where.take(where.service.clients.connection_lost(link, where.now))


def test_a_few_addresses_do_not_fill_a_host():
    own = OpenTableOptions(protocol.Open(game="the-cave", seats=(OPEN, OPEN), title="Welcome"))
    limits = Limits(**FREE, tables=9, tables_address=2)
    where = Desk(limits=limits, owners=(BOSS,), open_table=own, journal=(journal := MemoryJournal()))
    where.take(where.service.wake_tables(0.0))
    filled(where, 4, 2)

    def tick(seconds: float = 0.5) -> None:
        where.now += seconds
        where.take(where.service.do_timed_work(where.now))

    def own_table() -> str:
        (waiting,) = [t.id for t in where.service.tables.values() if t.setup.title and t.status == "waiting"]
        return waiting

    # Guests keep filling the host and leaving; it stays within bounds.
    for _ in range(30):
        link, table = newcomer(where, AWAY), own_table()
        for name in ("Ann", "Bea"):
            where.ask(link, "sit", table=table, name=name)
        where.take(where.service.clients.connection_lost(link, where.now))
        tick()
        assert own_table() != table
        assert len(where.service.tables) <= 2 * limits.tables
    assert open_table(where, HOME)["code"] == "full"
    assert open_table(where, AWAY, BOSS)["type"] == "opened"
    tick(LEFT_FOR)
    assert open_table(where, HOME)["type"] == "opened"
    for _ in range(20):
        tick()
    assert len(where.service.tables) <= limits.tables
    where.service = Service(
        "test", random_text=lambda: "after-restart", stamp=lambda: "", limits=limits, journal=journal
    )
    assert where.service.restore() == []
    assert len(where.service.tables) <= limits.tables
    assert len(where.service.clients.shelved) > 20, "nothing is lost"


def test_a_game_with_connected_players_is_not_shelved():
    where = Desk(limits=Limits(**FREE, tables=2), journal=MemoryJournal())
    filled(where, 1, 1)
    ann = newcomer(where, HOME)
    table = where.ask(ann, "open", game="the-cave", seats=SEATS)["table"]
    for name in ("Ann", "Bea"):
        where.ask(ann, "sit", table=table, name=name)
    where.now += 2 * LEFT_FOR
    assert open_table(where, AWAY)["type"] == "opened"
    assert table in where.service.tables
    assert where.service.clients.get_table(table).status == "playing"


@pytest.mark.parametrize("how", ["running", "restarted", "killed"])
def test_an_unused_game_is_saved_and_can_be_reopened(tmp_path: Path, how: str):
    evening = Evening(tmp_path)
    table, (ann, bea), keys = evening.begin("Ann", "Bea", seed="two")
    evening.desk.act(ann, table, 0, PACK)
    evening.wait(DAY - 1)
    assert evening.desk.act(bea, table, 1, OTHER_PACK)["type"] == "done"
    for link in (ann, bea):
        evening.desk.service.clients.connection_lost(link, evening.desk.now)
    before = known(evening.desk.service.tables[table])
    if how == "restarted":
        evening.restart(DAY - 1)
        assert table in evening.desk.service.tables, "the time before counts, and is not over"
        evening.wait(1)
    else:
        evening.wait(DAY)
        assert {"type": "shelved", "table": table} == {
            name: evening.desk.published[-1][name] for name in ("type", "table")
        }
    if how == "killed":
        evening.restart()
    here = {"table": table, "seat": 0}
    assert table not in evening.desk.service.tables
    for kind, more in (("watch", {}), ("resume", {"seat": 0, "key": keys[0]})):
        refused = evening.ask(kind, table=table, **more)
        assert refused["code"] == "shelved"
        assert "saved" in refused["message"]
        assert "open it again" in refused["message"]
    assert journal_survey.survey_folder(tmp_path).is_undamaged
    ((game,), _) = saved_games.unfinished_games(tmp_path)
    assert game.played_at == 1e9 + DAY - 1, "not when it was saved"
    # Only with the key of a seat, and it is the same game.
    assert evening.ask("reopen", **here, key="guess")["code"] == "wrong_key"
    assert evening.ask("reopen", table=table, seat=7, key=keys[0])["code"] == "wrong_key"
    for _ in range(2):
        assert evening.ask("reopen", **here, key=keys[0])["type"] == "reopened"
    assert known(evening.desk.service.tables[table]) == before
    assert evening.ask("resume", **here, key=keys[0])["type"] == "seated"
    # Reopening counts as touching.
    for _ in range(2):
        evening.restart(DAY / 3)
        assert known(evening.desk.service.tables[table])[2] == before[2]
    evening.restart(DAY)
    assert table not in evening.desk.service.tables
    evening.journal.close()


def test_actions_of_bots_do_not_count_as_use_and_the_owner_sets_the_limit(tmp_path: Path):
    evening = Evening(tmp_path, expire=2.0 * HOUR)
    table, (ann,), _ = evening.begin("Ann", bots=[{"kind": "bot", "level": "rookie"}])
    evening.desk.act(ann, table, 0, PACK)
    evening.wait(HOUR)
    (asked,) = evening.desk.bot_requests[-1:]
    now = evening.desk.now
    evening.desk.take(evening.desk.service.changes.play_bot(table, 1, asked.seq, OTHER_PACK, now))
    assert evening.desk.service.tables[table].seq == 3
    evening.wait(HOUR)
    assert evening.desk.service.tables == {}
    evening.journal.close()


def test_with_zero_nothing_expires_nor_without_a_journal(tmp_path: Path):
    evening = Evening(tmp_path, expire=0.0)
    table, *_ = evening.begin("Ann", "Bea")
    evening.wait(1000 * DAY)
    evening.restart(1000 * DAY)
    assert [*evening.desk.service.tables] == [table]
    evening.journal.close()
    plain = Service("test", random_text=lambda: "x", stamp=lambda: "")
    made = plain.make_table(protocol.Open(game="the-cave", seats=(OPEN, OPEN)))
    plain.take = plain.changes.open_table(made, 0.0)  # type: ignore[attr-defined]
    made.seat_player(0, "Ann", "lock", None)
    plain.do_timed_work(1000 * DAY)
    assert made.id in plain.tables


def test_the_shelf_is_bounded_and_records_of_evicted_games_are_kept(tmp_path: Path):
    evening = Evening(tmp_path, shelved=2)
    games = [evening.begin("Ann", "Bea", address=address) for address in (AWAY, HOME, HOME)]
    tables = [table for table, _, _ in games]
    assert evening.desk.act(games[1][1][0], tables[1], 0, PACK)["type"] == "done"
    evening.wait(DAY)
    assert [*evening.desk.service.clients.shelved] == [tables[0], tables[2]], "of the address with the most"
    (finished,) = evening.desk.finished
    assert finished.table == tables[1]
    assert finished.record[0]["seed"]
    evening.restart()
    assert [*evening.desk.service.clients.shelved] == [tables[0], tables[2]]
    assert evening.ask("watch", table=tables[1])["code"] == "no_table"
    evening.journal.close()


def test_opening_again_keeps_to_the_limits(tmp_path: Path):
    evening = Evening(tmp_path, tables=2, tables_address=1)
    table, _, keys = evening.begin("Ann", "Bea")
    evening.wait(DAY)
    here = {"table": table, "seat": 0, "key": keys[0]}
    evening.begin("Cyd", "Dan")
    assert evening.ask("reopen", **here)["code"] == "full", "of that address"
    boss = newcomer(evening.desk, HOME, BOSS)
    assert evening.desk.ask(boss, "reopen", **here)["type"] == "reopened"
    evening.wait(DAY)
    for address in (AWAY, "203.0.113.9"):
        evening.begin("Eve", "Fay", address=address)
    assert evening.ask("reopen", **here)["code"] == "full", "all tables are in use"
    evening.journal.close()


def test_a_game_by_days_survives_restarts_until_a_day_after_its_limit(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    absence = {"then": "skip", "after": 3 * DAY, "always": True}
    table, people, _ = evening.begin("Ann", "Bea", absence=absence, start=position())
    for link in people:
        evening.desk.take(evening.desk.service.clients.connection_lost(link, evening.desk.now))

    def turn() -> list[int]:
        (line,) = evening.ask("tables")["tables"]
        return list(line["to_act"])

    evening.restart(after=DAY)
    evening.wait(DAY)
    assert turn() == [0], "two of three days have passed, one of them without a host"
    evening.restart(after=DAY - 1)
    assert turn() == [0]
    evening.wait(1)
    assert turn() == [1]
    evening.wait(DAY - 1)
    assert table not in evening.desk.service.clients.shelved
    evening.wait(1)
    assert table in evening.desk.service.clients.shelved
