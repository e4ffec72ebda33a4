"""A restart repeats few steps: a snapshot replaces those before it, and nothing is lost."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cave import codec, games
from cave.game import Refused
from server.journal import journal_survey, restore
from server.journal.restore import SLACK
from server.journal.sqlite import SqliteJournal
from server.tables.effects import Entry, SavedReply, Snapshot
from server.tables.table import SNAPSHOT_EVERY, Table
from tests.effort import effort
from tests.server.kit import ANN, BEA, Desk, come_back, told, whole
from tests.server.memory import MemoryJournal
from tests.server.test_shorten import of_an_earlier_version


def facts(table: Table) -> Any:
    """Return everything that anybody can learn from a table."""
    seats = range(len(table.seats))
    return (
        codec.encode(whole(table)), table.seq, table.touched, table.record(), table.record(whole=True),
        [table.record([seat]) for seat in seats], [told(table, seat) for seat in seats],
        [table.count_undoable_steps(seat) for seat in seats],
        [[table.is_current(seat, seq) for seq in range(table.seq)] for seat in seats],
    )  # fmt: skip


def play(desk: Desk, table: str, rng: Random, most: int) -> None:
    here = desk.service.tables[table]
    for _ in range(most):
        if here.status != "playing":
            return
        seat = rng.choice(sorted(here.to_act))
        if here.count_undoable_steps(seat) and rng.random() < 0.3:
            change = here.change_by_undo(seat, here.seq)
        else:
            choice = rng.choice(here.choices_of_seat(seat))
            try:
                action = here.game.sample(choice, rng)
                change = here.change_by_action(seat, here.seq, here.game.action_json(action))
            except (ValueError, Refused):
                continue
        desk.take(desk.service.changes.make_change(here, change, desk.now))


def begun(game: str, journal: Any, seed: str = "seed") -> tuple[Desk, str]:
    desk = Desk(journal=journal)
    table = desk.open("open", "open", game=game, seed=seed)
    desk.ask(ANN, "sit", table=table, name="Ann", seat=0)
    desk.ask(BEA, "sit", table=table, name="Bea", seat=1)
    return desk, table


@pytest.mark.parametrize("game", games.game_names())
def test_a_table_is_restored_from_its_snapshot(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.tables.table.SNAPSHOT_EVERY", 7)
    taken = 0
    for number in range(effort(6, 60)):
        rng, journal = Random(f"{game} {number}"), MemoryJournal()
        desk, table = begun(game, journal, str(number))
        for _ in range(4):
            play(desk, table, rng, 20)
            desk.ask(ANN, "say", table=table, text="Well")
            desk.ask(BEA, "stand", table=table, seat=1)
            desk.ask(BEA, "sit", table=table, seat=1, name="Bea")
            snapshot = journal.read_snapshot(table)
            whole = restore.restore_table(table, journal.read_story(table))
            short = restore.restore_table(table, journal.read_story(table), snapshot)
            assert facts(short) == facts(whole)
        taken += len(journal.snapshots)
    assert taken


def test_a_restart_repeats_a_bounded_number_of_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    journal, rng = MemoryJournal(), Random(1)
    desk, table = begun("the-cave", journal)
    game = desk.service.tables[table].game
    while desk.service.tables[table].actions < 5 * SNAPSHOT_EVERY:
        here = desk.service.tables[table]
        play(desk, table, rng, 1)
        (seat, *_) = sorted(here.to_act)
        desk.take(desk.service.changes.make_change(here, here.idle_change(seat), desk.now))
    applied = []
    real = type(game).apply
    monkeypatch.setattr(type(game), "apply", lambda *given, **more: applied.append(1) or real(*given, **more))
    story = journal.read_story(table)
    assert {"acted", "undid"} <= {line.entry.kind for line in story}
    assert restore.restore_table(table, story, journal.read_snapshot(table)).seq == story[-1].entry.seq
    assert len(applied) <= SNAPSHOT_EVERY + 5


@pytest.mark.parametrize(
    "data", [None, {}, [], {"position": {}}, {"position": None, "names": [], "secret": [], "log": []}]
)
def test_an_invalid_snapshot_is_ignored(data: Any) -> None:
    journal = MemoryJournal()
    desk, table = begun("the-cave", journal)
    play(desk, table, Random(1), 30)
    story = journal.read_story(table)
    acted = [line.entry.seq for line in story if line.entry.kind == "acted"]
    whole = facts(restore.restore_table(table, story))
    for seq in (acted[0], acted[-1], 10**6):
        assert facts(restore.restore_table(table, story, Snapshot(seq, data))) == whole


def test_snapshots_are_on_disk_and_go_with_their_game(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path)
    _, table = begun("sir-ocelots-cave", journal)
    journal.write_snapshot(table, Snapshot(1, {"a": 1}))
    journal.write_snapshot(table, Snapshot(2, {"a": 2}))
    journal.close()
    journal = SqliteJournal(tmp_path)
    assert journal.problems == []
    assert journal.read_snapshot(table) == Snapshot(2, {"a": 2})
    assert journal.read_snapshot("another") is None
    journal.forget_table(table)
    assert journal.read_snapshot(table) is None
    journal.close()


def test_a_damaged_snapshot_is_ignored(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path)
    journal.write_snapshot("table", Snapshot(1, {"a": 1}))
    journal.close()
    with sqlite3.connect(tmp_path / "journal.sqlite") as db:
        db.execute("UPDATE snapshots SET data = replace(data, '1', '2')")
    db.close()
    journal = SqliteJournal(tmp_path)
    assert journal.read_snapshot("table") is None
    journal.close()


class Unfolded(SqliteJournal):
    """Keeps every line, like earlier versions."""

    def shorten_table(self, table: str) -> None: ...


def long_game(journal: SqliteJournal, actions: int = 3 * SLACK) -> tuple[Desk, str]:
    journal.db.execute("PRAGMA synchronous = OFF")  # the disk does not matter here
    desk, table = begun("the-cave", journal)
    here = desk.service.tables[table]
    while here.actions < actions:
        if not here.actions % 50:
            desk.ask(ANN, "say", table=table, text=f"{here.actions}")
        desk.take(desk.service.changes.make_change(here, here.idle_change(min(here.to_act)), desk.now))
    for link in (ANN, BEA):
        desk.service.clients.connection_lost(link, desk.now)
    return desk, table


def rows(folder: Path) -> int:
    return len(journal_survey.survey_folder(folder).lines)


def restarted(desk: Desk, folder: Path) -> SqliteJournal:
    journal = SqliteJournal(folder)
    assert journal.problems == []
    come_back(desk, journal)
    return journal


def test_a_start_reads_few_lines_of_a_long_game_and_of_one_that_was_shelved(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path)
    desk, table = long_game(journal, 10 * SLACK)
    before = facts(desk.service.tables[table])
    assert rows(tmp_path) < 2 * SLACK
    journal.close()
    journal = restarted(desk, tmp_path)
    assert facts(desk.service.tables[table]) == before
    desk.take(desk.service.changes.shelve_game(desk.service.tables[table], desk.now))
    assert rows(tmp_path) < SLACK
    journal.close()
    journal = restarted(desk, tmp_path)
    assert desk.service.clients.shelved.keys() == {table}
    again = restore.restore_table(table, journal.read_story(table), journal.read_snapshot(table))
    assert facts(again)[2:] == before[2:]
    journal.close()


def test_a_journal_of_an_earlier_version_is_folded_at_the_next_start(tmp_path: Path) -> None:
    journal = Unfolded(tmp_path)
    desk, table = long_game(journal)
    before = facts(desk.service.tables[table])
    journal.close()
    assert rows(tmp_path) > 3 * SLACK
    of_an_earlier_version(tmp_path)
    for _ in range(2):
        journal = restarted(desk, tmp_path)
        assert facts(desk.service.tables[table]) == before
        assert rows(tmp_path) < SLACK
        assert journal.read_snapshot(table) is not None, "the next start is short"
        journal.close()


def test_folded_lines_keep_the_time_of_the_last_human_action(tmp_path: Path) -> None:
    now = 10.0
    journal = SqliteJournal(tmp_path, clock=lambda: now)
    journal.append_entries(Entry("a", "opened", {}))
    journal.append_entries(Entry("a", "started", {}, 1))
    for number in range(2, 2 * SLACK):
        now = 10.0 if number < SLACK // 2 else 20.0
        reply = SavedReply(f"{number}", b"{}") if now == 10.0 else None
        journal.append_entries(Entry("a", "acted", {"seat": 0, "action": {}}, number), reply=reply)
    journal.close()
    now = 100.0
    for _ in range(2):
        journal = SqliteJournal(tmp_path, clock=lambda: now)
        assert journal.seconds_since("touched") == {"a": 90.0}
        journal.shorten_table("a")
        journal.close()
