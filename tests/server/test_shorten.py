"""A journal keeps only the steps it shows and needs, without losing anything (PROTOCOL.md, promise 1)."""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from server.clients.limits import Limits
from server.journal import journal_survey
from server.journal.database import FILE
from server.journal.restore import REPLIED, SLACK, restore_all, shorten_story, unfold_lines
from server.journal.sqlite import SqliteJournal
from server.service import Service
from server.tables.effects import Entry, Line, SavedReply
from server.tables.table import CHAT_LENGTH, Table
from tests.effort import THOROUGH, effort
from tests.forked import instead_of_exec
from tests.server.kit import ANN, BEA, NORTH, Desk, journal_lines_of_tables, position, told, whole
from tests.server.memory import MemoryJournal
from tests.server.test_journal import Unsure
from tests.server.test_restart import by_key

MIB = 1 << 20
TWO = [{"kind": "open"}] * 2
RUN = "0123456789abcdef"


def hurried(folder: Path) -> SqliteJournal:
    """A journal that does not wait for the disk, which does not matter in these tests."""
    journal = SqliteJournal(folder)
    journal.db.execute("PRAGMA synchronous = OFF")
    return journal


def size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.iterdir())


def rows(folder: Path, table: str) -> list[str]:
    return [
        line.entry.kind for line in journal_survey.survey_folder(folder).readable_lines() if line.entry.table == table
    ]


def of_an_earlier_version(folder: Path) -> None:
    with contextlib.closing(sqlite3.connect(folder / FILE, isolation_level=None)) as db:
        db.execute("DROP TABLE snapshots")
        db.execute("PRAGMA user_version = 5")


def test_chatting_does_not_grow_the_journal(tmp_path: Path):
    journal = hurried(tmp_path)
    desk = Desk(journal=journal)
    table = by_key(desk, ANN, "open", f"{RUN}#1", game="the-cave", seats=TWO, start=position())["table"]
    here = {"table": table}
    by_key(desk, ANN, "sit", f"{RUN}#2", name="Ann", **here)
    desk.ask(BEA, "sit", name="Bea", **here)
    by_key(desk, ANN, "act", f"{RUN}#3", seat=0, seq=1, action=NORTH, **here)
    # More than twice the file's limit.
    end = effort(3_004, 20_004)
    for number in range(4, end):
        text = f"{number} ".ljust(480, "\N{BAT}")
        said = by_key(desk, ANN, "say", f"{RUN}#{number}", text=text, **here)
        assert said["type"] == "said"
        desk.sent.clear()
        desk.raw.clear()
        desk.published.clear()
        if not number % 1000:
            assert size(tmp_path) < 10 * MIB
    journal.close()
    found = journal_survey.survey_folder(tmp_path)
    assert found.is_undamaged
    assert len(found.lines) < CHAT_LENGTH + SLACK + 10
    assert (tmp_path / FILE).stat().st_size < 3 * MIB
    # Only old chat has gone, and none of it can be sent again.
    again = hurried(tmp_path)
    desk.service = service(again)
    restored = desk.service.tables[table]
    assert (restored.seq, restored.status) == (2, "playing")
    assert [int(each.text.split()[0]) for each in restored.chat] == list(range(end - 100, end))
    for number in (4, 5, end - 1004, end - 114, end - 2):
        late = by_key(desk, b"new", "say", f"{RUN}#{number}", text="again", **here)
        assert late["type"] == "said" if number > end - SLACK else late["code"] == "repeated"
    assert "again" not in [each.text for each in restored.chat]
    assert by_key(desk, b"new", "say", f"{RUN}#{end - 1}", text="again", **here)["type"] == "said"
    assert len(restored.chat) == CHAT_LENGTH
    again.close()


def service(journal: SqliteJournal) -> Service:
    made = Service(
        "test", random_text=lambda: "x", stamp=lambda: "", limits=Limits(rate=1e6, burst=1e6), journal=journal
    )
    assert made.restore() == []
    return made


def known(table: Table) -> Any:
    """Return everything that a client may learn of a table, and the table's data about its seats."""
    seats = [(seat.kind, seat.name, seat.owner, seat.run, seat.lock, seat.team) for seat in table.seats]
    if table.status == "waiting":
        return whole(table), seats
    seat_views = [(told(table, seat), table.count_undoable_steps(seat)) for seat in range(len(seats))]
    return whole(table), seats, table.record(whole=True), seat_views


DEEDS = st.lists(
    st.tuples(st.sampled_from(("sit", "stand", "resume", "talk", "act", "undo", "fro")), st.integers(0, 1)), max_size=30
)


def numbered(lines: Sequence[Line]) -> list[Line]:
    return [replace(line, at=float(number), number=number) for number, line in enumerate(lines, start=1)]


def fold(lines: list[Line], count: int) -> list[Line]:
    """Fold this many lines into one, like earlier versions."""
    first, rest = lines[:count], lines[count:]
    if len(first) < 2:
        return lines
    happened = [[line.entry.kind, line.entry.data] for line in first]
    last = first[-1].entry
    return [Line(Entry(last.table, "story", {"lines": happened}, last.seq), first[0].reply), *rest]


def shortened(story: Sequence[Line]) -> list[Line]:
    how = shorten_story(story)
    gone, changed = {line.number for line in how.gone}, {line.number: line for line in how.changed}
    assert not gone & changed.keys()
    return [changed.get(line.number, line) for line in story if line.number not in gone]


@settings(deadline=None, max_examples=40)
@given(DEEDS, st.integers(0, 60))
def test_shortened_lines_restore_the_same_table(deeds: list[tuple[str, int]], folded: int):
    """Also if an earlier version folded its first lines into one."""
    desk = Desk(journal=(journal := MemoryJournal()))
    table = by_key(desk, ANN, "open", f"{RUN}#1", game="the-cave", seats=TWO, start=position())["table"]
    here, keys = {"table": table}, ["", ""]
    count = itertools.count(1)

    def ask(kind: str, **fields: Any) -> Any:
        number = next(count)
        # Each time in another run, so that the return is written.
        return by_key(desk, ANN, kind, f"run{number:07d}#{number}", **here, **fields)

    for deed, seat in deeds:
        now = desk.service.tables[table]
        match deed:
            case "sit":
                keys[seat] = ask("sit", seat=seat, name=f"Ann {next(count)}").get("key", keys[seat])
            case "stand":
                ask("stand", seat=seat)
            case "resume":
                ask("resume", seat=seat, key=keys[seat])
            case "talk":
                for _ in range(60):
                    ask("say", text=f"{next(count)}")
            case "act" if now.status == "playing" and seat in now.to_act:
                ask("act", seat=seat, seq=now.seq, action=now.seat_view(seat).offered_choices()[-1])
            case "undo" if now.status == "playing":
                ask("undo", seat=seat, seq=now.seq)
            case "fro" if now.status == "playing" and seat in now.to_act:
                for number in range(20):
                    action = now.seat_view(seat).offered_choices()[0]
                    ask("act", seat=seat, seq=now.seq, action=action)
                    ask("undo", seat=seat, seq=now.seq)
                    if number == 9:
                        ask("say", text="still thinking")
    story = numbered(fold(list(journal.kept), folded))
    short = shortened(story)
    assert shortened(short) == short
    assert len(short) <= len(story)
    plain = [Line(line.entry) for line in short]
    flat = list(unfold_lines(plain))
    (before,) = restore_all(journal.kept).tables
    (after,) = restore_all(flat).tables
    assert known(after) == known(before)
    if folded < 2:
        needed = ("opened", "started", "acted", "retraced")
        loose = sum(line.entry.kind not in needed for line in flat)
        assert loose <= CHAT_LENGTH + 2 * 2 * 3 + REPLIED


def test_the_last_hand_over_of_each_seat_is_kept():
    """Those of one seat do not replace those of another, and the last of shelved and reopened counts."""
    changes = [(0, "rookie"), (1, "rookie"), (0, "expert")]
    entries = [Entry("a", "handed", {"seat": seat, "level": level}) for seat, level in changes]
    entries += [Entry("a", kind, {}) for kind in ("shelved", "reopened")]
    story = numbered([Line(each) for each in (Entry("a", "opened", {}), *entries)])
    kept = [(line.entry.kind, *line.entry.data.values()) for line in shortened(story)]
    assert kept == [("opened",), ("handed", 1, "rookie"), ("handed", 0, "expert"), ("reopened",)]


def test_unfolded_lines_have_their_own_replies():
    """PROTOCOL.md, promise 4: a request that is sent again gets the reply that it got."""
    acted = [Line(Entry("a", "acted", {"number": n}, n), SavedReply(str(n), b"{}", "key")) for n in range(1, 900)]
    flat = list(unfold_lines(shortened(numbered([Line(Entry("a", "opened", {})), *acted]))))
    replied = [line for line in flat if line.reply]
    assert [line.entry.seq for line in flat] == [0, *range(1, 900)]
    assert [line.reply.re for line in replied] == [str(line.entry.data["number"]) for line in replied]
    assert replied[-REPLIED:] == flat[-REPLIED:]
    assert len(replied) == REPLIED + 1, "and the last of those that were folded"


class Dying(SqliteJournal):
    """Its process is killed around one of its commits."""

    at = 0
    moment = ""
    commits = 0

    def commit(self, db: sqlite3.Connection) -> None:
        self.commits += 1
        if self.commits == self.at and self.moment == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        super().commit(db)
        if self.commits == self.at:
            os.kill(os.getpid(), signal.SIGKILL)


def write_and_die(arguments: Sequence[str]) -> None:
    """Write a story in this folder until this commit, and return its position."""
    folder, at, moment = arguments
    journal = Dying(Path(folder))
    journal.at, journal.moment = int(at), moment
    journal.append_entries(Entry("a", "opened", {}))
    for number in range(1, 600):
        reply = SavedReply(f"runrunru#{number}", b"{}", "key")
        journal.append_entries(Entry("a", "acted", {"number": number}, number), reply=reply)
        journal.append_entries(Entry("a", "said", {"number": number}, number))
        print(number, flush=True)


@pytest.mark.parametrize("moment", ["before", "after"])
@pytest.mark.parametrize("at", [202, 203, 204, 205, *((404, 405, 406) if THOROUGH else [405])])
def test_killed_while_shortening_nothing_acknowledged_is_lost(tmp_path: Path, at: int, moment: str):
    program = instead_of_exec(write_and_die, (str(tmp_path), str(at), moment))
    done = subprocess.run([sys.executable], capture_output=True, timeout=60, preexec_fn=program)
    assert done.returncode == -signal.SIGKILL, done.stderr
    acknowledged = int(done.stdout.split()[-1])
    journal = SqliteJournal(tmp_path)
    assert journal.problems == []
    entries = [line.entry for line in unfold_lines(journal.read_lines()) if line.entry.table]
    journal.close()
    for kind, most in (("acted", 10**9), ("said", CHAT_LENGTH)):
        numbers = [entry.data["number"] for entry in entries if entry.kind == kind]
        assert numbers == list(range(numbers[0], numbers[-1] + 1))
        assert numbers[-1] >= acknowledged
        assert len(numbers) >= min(acknowledged, most)


def test_an_unconfirmed_shortening_leaves_the_lines_complete(tmp_path: Path):
    class UnsureShortening(Unsure):
        def shorten_table(self, table: str) -> None:
            self.unsure = True
            try:
                super().shorten_table(table)
            finally:
                self.unsure = False

    journal = UnsureShortening(tmp_path)
    journal.append_entries(Entry("a", "opened", {}))
    for number in range(3 * SLACK):
        journal.append_entries(Entry("a", "said", {"number": number}))
    journal.close()
    (opened, *said) = journal_lines_of_tables(tmp_path)
    assert opened.entry.kind == "opened"
    assert [each.entry.data["number"] for each in said][-CHAT_LENGTH:] == list(
        range(3 * SLACK - CHAT_LENGTH, 3 * SLACK)
    )
    assert len(said) <= CHAT_LENGTH + SLACK + 1


def test_a_journal_that_has_grown_is_shortened_at_the_next_start(tmp_path: Path):
    class Earlier(SqliteJournal):
        def shorten_table(self, table: str) -> None: ...

    journal = Earlier(tmp_path)
    desk = Desk(journal=journal)
    talk = desk.open("open", "open")
    desk.ask(ANN, "sit", table=talk, name="Ann")
    for number in range(3 * SLACK):
        desk.ask(ANN, "say", table=talk, text=str(number))
    journal.close()
    of_an_earlier_version(tmp_path)
    for _ in range(2):
        again = SqliteJournal(tmp_path)
        assert again.problems == []
        found = service(again)
        again.close()
        assert [each.text for each in found.tables[talk].chat][-1] == str(3 * SLACK - 1)
        assert rows(tmp_path, talk) == ["opened", "sat", *["said"] * CHAT_LENGTH]


def test_an_error_while_shortening_loses_no_change(tmp_path: Path):
    class Mistaken(SqliteJournal):
        def shorten_table(self, table: str) -> None:
            raise ZeroDivisionError

    for _ in range(2):
        journal = Mistaken(tmp_path)
        journal.append_entries(Entry("a", "opened", {})) if not journal.read_table_lines() else None
        for number in range(2 * SLACK):
            journal.append_entries(Entry("a", "said", {"number": number}))
        journal.close()
    assert len(rows(tmp_path, "a")) == 1 + 4 * SLACK


@pytest.mark.parametrize("newer", range(REPLIED - 2, REPLIED + 3))
def test_recent_undone_steps_are_kept_for_pending_replies(newer: int):
    to_and_fro = [Entry("a", "acted", {"seat": 0, "action": NORTH}, 2), Entry("a", "undid", {"seat": 0}, 3)]
    later = [Entry("a", "said", {"text": f"{number}"}) for number in range(newer)]
    story = numbered([Line(entry) for entry in (*to_and_fro, *later)])
    kinds = [line.entry.kind for line in shortened(story)]
    assert kinds == (["retraced"] if newer >= REPLIED else ["acted", "undid"]) + ["said"] * newer


def sat(seat: int, name: str) -> Entry:
    return Entry("a", "sat", {"seat": seat, "name": name})


def resumed(seat: int, owner: str) -> Entry:
    return Entry("a", "resumed", {"seat": seat, "owner": owner})


OPENED, STARTED, STOOD = (Entry("a", kind, {"seat": 0}) for kind in ("opened", "started", "stood"))
ACTED, UNDID = (Entry("a", kind, {"seat": 0, "action": {}}) for kind in ("acted", "undid"))
SAID = [Entry("a", "said", {"text": str(number)}) for number in range(REPLIED + 1)]


@pytest.mark.parametrize(
    ("story", "kept"),
    [
        # The last return to a seat, and standing up.
        (
            [OPENED, sat(0, "Ann"), resumed(0, "1"), resumed(1, "2"), resumed(0, "3"), resumed(0, "4"), STOOD],
            ["opened", "sat Ann", "resumed 2", "resumed 4", "stood"],
        ),
        # The first player there gave the seat its name.
        (
            [OPENED, sat(0, "Eve"), sat(0, "Ann"), sat(1, "Bea"), STARTED, STOOD, sat(0, "Cyd")],
            ["opened", "sat Ann", "sat Bea", "started", "sat Cyd"],
        ),
        # Each undo reverts the last action, whatever was said meanwhile.
        (
            [OPENED, STARTED, ACTED, SAID[0], ACTED, UNDID, ACTED, UNDID, *SAID[1:]],
            ["opened", "started", "acted", "said", "retraced", *["said"] * REPLIED],
        ),
    ],
)
def test_the_needed_lines_are_kept(story: list[Entry], kept: list[str]):
    entries = [line.entry for line in shortened(numbered([Line(entry) for entry in story]))]
    told = [(entry.kind, entry.data.get("name") or entry.data.get("owner")) for entry in entries]
    assert [" ".join(filter(None, each)) for each in told] == kept


def test_ids_of_all_deleted_tables_of_a_client_survive_a_restart(tmp_path: Path):
    """Two runs of its program opened a table each, and both tables are gone."""
    ids = [f"{run * 8}#1" for run in "ab"]
    journal = SqliteJournal(tmp_path)
    desk = Desk(journal=journal)
    for each in ids:
        table = by_key(desk, ANN, "open", each, game="the-cave", seats=TWO)["table"]
        desk.service.changes.remove_table(table)
    journal.close()
    again = SqliteJournal(tmp_path)
    desk.service = service(again)
    late = [by_key(desk, b"new", "open", each, game="the-cave", seats=TWO) for each in ids]
    assert [reply["code"] for reply in late] == ["repeated", "repeated"]
    again.close()


def test_a_limited_number_of_clients_without_lines_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("server.journal.sqlite.CLIENTS", 5)
    journal = hurried(tmp_path)
    desk = Desk(journal=journal)
    for number in range(20):
        link = b"%d" % number
        desk.peers[link] = f"key {number}"
        table = desk.ask(link, "open", id=f"{RUN}#1", game="the-cave", seats=TWO)["table"]
        desk.service.changes.remove_table(table)
    journal.close()
    kept = [line.entry.data["who"] for line in journal_survey.survey_folder(tmp_path).lines.values()]
    assert kept == [f"key {number}" for number in range(15, 20)]
    assert journal_survey.survey_folder(tmp_path).is_undamaged


def test_repeated_shortening_keeps_old_steps_in_one_line(tmp_path: Path):
    journal = hurried(tmp_path)
    journal.append_entries(Entry("a", "opened", {}))
    for number in range(1, 301):
        journal.append_entries(Entry("a", "acted", {"seat": 0}, number))
        if number % 100 == 0:
            journal.shorten_table("a")
    journal.close()
    assert sorted(rows(tmp_path, "a")) == ["acted"] * REPLIED + ["folded", "opened"]
    # After a restart all its lines count as new, and one more than allowed is too many.
    journal = hurried(tmp_path)
    for number in range(301, 300 + SLACK - REPLIED):
        journal.append_entries(Entry("a", "acted", {"seat": 0}, number))
    assert rows(tmp_path, "a").count("acted") == SLACK - 1
    journal.append_entries(Entry("a", "acted", {"seat": 0}, 300 + SLACK - REPLIED))
    assert rows(tmp_path, "a").count("acted") == REPLIED
    journal.close()


def test_undone_steps_do_not_grow_the_journal(tmp_path: Path):
    journal = hurried(tmp_path)
    desk = Desk(journal=journal)
    table = by_key(desk, ANN, "open", f"{RUN}#1", game="the-cave", seats=TWO, start=position())["table"]
    here = {"table": table}
    key = by_key(desk, ANN, "sit", f"{RUN}#2", name="Ann", **here)["key"]
    desk.ask(BEA, "sit", name="Bea", **here)
    made = desk.service.tables[table]
    end = effort(1_003, 7_723)
    replies = {}
    for number in range(3, end, 2):
        seq = made.seq
        act = by_key(desk, ANN, "act", f"{RUN}#{number}", seat=0, seq=seq, action=NORTH, **here)
        undo = by_key(desk, ANN, "undo", f"{RUN}#{number + 1}", seat=0, seq=seq + 1, **here)
        replies |= {number: act, number + 1: undo}
    asked = {"seat": 0, "seq": made.seq, "action": NORTH, **here}
    assert by_key(desk, ANN, "act", f"{RUN}#{end}", **asked)["type"] == "done"
    journal.close()
    assert journal_survey.survey_folder(tmp_path).is_undamaged
    assert len(rows(tmp_path, table)) < 2 * SLACK + REPLIED + 10
    for link in (ANN, BEA):
        desk.service.clients.connection_lost(link, desk.now)
    again = hurried(tmp_path)
    desk.service = service(again)
    restored = desk.service.tables[table]
    assert known(restored) == known(made)
    # Nothing is done twice, and the newest replies are known.
    for number in (3, 4, end - 500, end - 20, end - 1):
        late = by_key(desk, b"new", "act", f"{RUN}#{number}", seat=0, seq=restored.seq, action=NORTH, **here)
        assert late == replies[number] if number > end - REPLIED + 1 else late["code"] == "repeated"
    assert restored.seq == made.seq
    # The same steps can be undone, and no more.
    ann = by_key(desk, b"new", "resume", f"{RUN}#{end + 1}", seat=0, key=key, **here)
    assert ann["type"] == "seated"
    undo = {"seat": 0, "seq": restored.seq, **here}
    assert by_key(desk, b"new", "undo", f"{RUN}#{end + 2}", **undo)["type"] == "done"
    undo["seq"] = restored.seq
    assert by_key(desk, b"new", "undo", f"{RUN}#{end + 3}", **undo)["code"] == "nothing_to_undo"
    again.close()
