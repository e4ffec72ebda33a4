"""A restarted host is the same host (PROTOCOL.md, promise 8)."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from cave import codec, record
from client.net.connection import connect
from server.clients.limits import Limits
from server.tables.effects import AskBot, Ended, Entry, Finished, Line, NotKept, SavedReply
from server.tables.opening import Seat
from tests import processes
from tests.server.kit import ANN, BEA, EVE, NORTH, OTHER_PACK, PACK, Desk, come_back, few_tiles, position
from tests.server.memory import MemoryJournal
from tests.server.running import running

TWO = [{"kind": "open"}, {"kind": "open"}]
KEY = "the key of a client"


def by_key(desk: Desk, link: bytes, kind: str, number: str, **fields: Any) -> Any:
    """Return the reply to a client with its own key."""
    message = codec.encode({"type": kind, "id": number, **fields})
    desk.take(desk.service.handle_message(link, [message], desk.now, KEY))
    return next(sent for to, sent in reversed(desk.sent) if to == link and sent.get("re") == number)


def test_a_client_known_by_its_key_is_answered_as_before_by_the_next_host():
    desk = Desk(journal=(journal := MemoryJournal()))
    opened = by_key(desk, ANN, "open", "1", game="the-cave", seats=TWO, start=position())
    here = {"table": opened["table"]}
    seated = by_key(desk, ANN, "sit", "2", name="Ann", **here)
    desk.ask(BEA, "sit", name="Bea", **here)
    done = by_key(desk, ANN, "act", "3", seat=0, seq=1, action=NORTH, **here)
    come_back(desk, journal)
    assert by_key(desk, b"new", "open", "1", game="the-cave", seats=TWO) == opened
    assert by_key(desk, b"new", "sit", "2", name="Ann", **here) == seated
    assert by_key(desk, b"new", "act", "3", seat=0, seq=1, action=NORTH, **here) == done
    assert len(desk.service.tables) == 1
    assert desk.service.tables[opened["table"]].seq == 2


def test_the_journal_has_no_key_of_a_seat_and_another_hosts_secret_makes_none():
    """Secrets are kept as a hash."""
    desk = Desk(journal=(journal := MemoryJournal()))
    table = desk.open("open", "open")
    seated = by_key(desk, b"old", "sit", "1", name="Ann", table=table)
    assert seated["key"]
    assert seated["key"] not in repr(journal.kept)
    # The next host of the same folder recomputes the key; one that lost its secret has only the hash.
    come_back(desk, journal)
    assert by_key(desk, b"new", "sit", "1", name="Ann", table=table) == seated
    come_back(desk, journal, secret="another")
    assert by_key(desk, b"newer", "sit", "1", name="Bea", table=table)["seat"] == 1
    assert desk.ask(b"newest", "resume", table=table, seat=0, key=seated["key"])["type"] == "seated"


def test_a_journal_of_the_version_before_answers_as_before():
    """It has the keys in its replies, and no salt."""
    desk = Desk(journal=(journal := MemoryJournal()))
    table = desk.open("open", "open")
    seated = by_key(desk, b"old", "sit", "1", name="Ann", table=table)
    line = journal.kept[-1]
    assert line.reply is not None
    data = {name: value for name, value in line.entry.data.items() if name != "salt"}
    reply = codec.encode(seated)
    journal.kept[-1] = Line(replace(line.entry, data=data), replace(line.reply, body=reply))
    come_back(desk, journal)
    assert by_key(desk, b"new", "sit", "1", name="Ann", table=table) == seated


def test_a_seat_that_the_owner_freed_is_free_at_the_next_host():
    desk = Desk(journal=(journal := MemoryJournal()))
    table = desk.seated(start=position())
    assert desk.act(ANN, table, 0, NORTH)["seq"] == 2
    desk.take(desk.service.changes.free_seat(desk.service.tables[table], 1, desk.now))
    come_back(desk, journal)
    assert desk.service.tables[table].seq == 2
    assert [seat.kind for seat in desk.service.tables[table].seats] == ["person", "open"]


def test_a_client_without_a_key_is_answered_as_before_once_it_has_its_seat():
    desk = Desk(journal=(journal := MemoryJournal()))
    table = desk.open("open", "open", start=position())
    key = desk.ask(ANN, "sit", table=table, name="Ann")["key"]
    desk.ask(BEA, "sit", table=table, name="Bea")
    fields = {"table": table, "seat": 0, "seq": 1, "action": NORTH}
    done = desk.ask(ANN, "act", id="same", **fields)
    come_back(desk, journal)
    assert desk.ask(EVE, "act", id="same", **fields)["code"] == "not_seated"
    assert desk.ask(b"new", "resume", table=table, seat=0, key="guess")["code"] == "wrong_key"
    assert desk.ask(b"new", "resume", table=table, seat=0, key=key, again=True)["type"] == "seated"
    assert desk.ask(b"new", "act", id="same", **fields) == done
    assert desk.service.tables[table].seq == 2


class Terminal:
    """A client that reconnects by itself. ``key`` None: without encryption; ``run`` empty: no rising ids."""

    def __init__(self, desk: Desk, name: str, key: str | None, run: str) -> None:
        self.desk, self.name, self.key, self.run = desk, name, key, run
        self.asked = 0

    def ask(self, kind: str, **fields: Any) -> Any:
        self.asked += 1
        number = f"{self.run}#{self.asked}" if self.run else f"{self.name}{self.asked}"
        # Each time on another connection.
        link = f"{self.name} {self.asked}".encode()
        message = codec.encode({"type": kind, "id": number, **fields})
        self.desk.take(self.desk.service.handle_message(link, [message], 0.0, self.key))
        return next(sent for to, sent in reversed(self.desk.sent) if to == link and sent.get("re") == number)


@pytest.mark.parametrize("times", range(3))
@pytest.mark.parametrize(
    ("keys", "runs"),
    [
        (("first key", "second key"), ("", "")),
        (("first key", "second key"), ("firstrun", "secondrun")),
        (("one key", "one key"), ("firstrun", "secondrun")),
        ((None, None), ("firstrun", "secondrun")),
    ],
)
def test_a_taken_over_seat_survives_a_restart(keys: tuple[str | None, str | None], runs: tuple[str, str], times: int):
    desk = Desk(journal=(journal := MemoryJournal()))
    first, second = (Terminal(desk, name, key, run) for name, key, run in zip(("one", "two"), keys, runs, strict=True))
    table = first.ask("open", game="the-cave", seats=TWO)["table"]
    here = {"table": table, "seat": 0, "key": first.ask("sit", table=table, name="Ann")["key"]}
    assert second.ask("resume", **here)["type"] == "seated"
    for _ in range(times):
        come_back(desk, journal)
    for _ in range(2):
        assert first.ask("resume", again=True, **here)["code"] == "seat_taken"
        assert second.ask("resume", again=True, **here)["type"] == "seated"
    # The taker gets it.
    assert first.ask("resume", **here)["type"] == "seated"
    come_back(desk, journal)
    assert second.ask("resume", again=True, **here)["code"] == "seat_taken"
    assert first.ask("resume", again=True, **here)["type"] == "seated"
    assert here["key"] not in repr(journal.kept)


@pytest.mark.parametrize(
    ("run", "owner", "link", "anothers"),
    [
        ("run", "other", b"other", False),
        ("other", "owner", b"link", True),
        ("", "owner", b"other", False),
        ("", "other", b"link", True),
        ("", "", b"link", False),
        ("", "", b"other", True),
    ],
)
def test_a_seat_is_known_by_run_key_and_link(run: str, owner: str, link: bytes, anothers: bool):
    """Parts that a client leaves out do not count."""
    seat = Seat("person", owner="owner", run="run", holder=b"link")
    assert seat.is_anothers(link, owner, run) is anothers


def test_returning_to_the_own_seat_is_not_journaled():
    desk = Desk(journal=(journal := MemoryJournal()))
    ann = Terminal(desk, "ann", "key", "firstrun")
    table = ann.ask("open", game="the-cave", seats=TWO)["table"]
    here = {"table": table, "seat": 0, "key": ann.ask("sit", table=table, name="Ann")["key"]}
    written = len(journal.kept)
    for _ in range(3):
        assert ann.ask("resume", again=True, **here)["type"] == "seated"
    assert len(journal.kept) == written


def test_undo_log_and_chat_continue_after_a_restart():
    desk = Desk(journal=(journal := MemoryJournal()))
    table = desk.open("open", "open", start=position(), code="owl", title="Friday")
    key = desk.ask(ANN, "sit", table=table, name="Ann", code="owl")["key"]
    desk.ask(BEA, "sit", table=table, name="Bea", code="owl")
    desk.ask(ANN, "act", table=table, seat=0, seq=1, action=NORTH)
    desk.ask(ANN, "say", table=table, text="Down we go")
    before = desk.ask(EVE, "watch", table=table)
    come_back(desk, journal)
    after = desk.ask(EVE, "watch", table=table)
    for seat in after["seats"]:
        assert seat["present"] is False
    for field in ("seq", "view", "log", "chat", "title", "status", "code", "settings"):
        assert after[field] == before[field]
    desk.ask(b"new", "resume", table=table, seat=0, key=key)
    assert desk.view(b"new", 0)["undo"] == 1
    assert desk.ask(b"new", "undo", table=table, seat=0, seq=2)["seq"] == 3
    assert desk.ask(EVE, "hello", protocol=1)["session"] == "session-2-random"


def test_a_free_seat_is_still_free_and_needs_the_code():
    desk = Desk(journal=(journal := MemoryJournal()))
    table = desk.open("open", "open", code="owl")
    key = desk.ask(ANN, "sit", table=table, name="Ann", code="owl")["key"]
    desk.ask(ANN, "stand", table=table, seat=0)
    come_back(desk, journal)
    assert desk.ask(ANN, "resume", table=table, seat=0, key=key)["code"] == "wrong_key"
    assert desk.ask(ANN, "sit", table=table, name="Ann", code="bat")["code"] == "wrong_code"
    assert desk.ask(ANN, "sit", table=table, name="Ann", code="owl")["seat"] == 0


def test_bots_that_were_thinking_think_again():
    desk = Desk(journal=(journal := MemoryJournal()))
    table = desk.open("open", "bot")
    key = desk.ask(ANN, "sit", table=table, name="Ann")["key"]
    (before,) = desk.bot_requests
    desk.bot_requests.clear()
    come_back(desk, journal)
    assert desk.bot_requests == [], "nobody is there yet"
    desk.ask(ANN, "resume", table=table, seat=0, key=key)
    assert desk.bot_requests == [before]
    desk.take(desk.service.changes.play_bot(before.table, before.seat, before.seq, None, 0.0))
    assert desk.service.tables[table].seq == 2


def test_a_full_table_whose_start_was_not_written_starts():
    desk = Desk(journal=(journal := MemoryJournal()))
    table = desk.seated()
    journal.kept = [line for line in journal.kept if line.entry.kind != "started"]
    come_back(desk, journal)
    assert desk.service.tables[table].status == "playing"
    assert journal.entries[-1].kind == "started"


def test_the_record_of_a_game_that_just_ended_is_written_again():
    desk = Desk(journal=(journal := MemoryJournal()))
    table = desk.open("bot", "bot", seed="quick")
    desk.ask(EVE, "watch", table=table)
    while not desk.finished:
        request: AskBot = desk.bot_requests.pop()
        desk.take(desk.service.changes.play_bot(table, request.seat, request.seq, _rookie(request), 0.0))
    (before,) = desk.finished
    standing = before.record[-1]["result"]["standing"]
    assert before.record[0]["seed"] == "quick"
    won = tuple(before.record[0]["seats"][each["seat"]]["name"] for each in standing if each["winner"])
    assert won
    assert desk.ended == [Ended(table, "the-cave", won)]
    desk.finished.clear()
    come_back(desk, journal)
    assert desk.finished == [Finished(table, before.record)]
    assert len(desk.ended) == 1, "a restart does not end it again"
    assert journal.entries[-1].kind == "ended"


def _rookie(request: AskBot) -> Any:
    from cave import bots

    return bots.choose(request.game, request.level, request.view, request.choices, request.seed)


def test_a_game_of_absent_players_is_not_removed_for_room():
    desk = Desk(journal=(journal := MemoryJournal()))
    table = desk.seated()
    come_back(desk, journal, tables=1)
    assert desk.ask(EVE, "open", game="the-cave", seats=TWO)["code"] == "full"
    assert list(desk.service.tables) == [table]


def test_a_removed_table_is_not_restored():
    desk = Desk(limits=Limits(rate=1e6, burst=1e6, tables=1), journal=(journal := MemoryJournal()))
    first = desk.open("open", "open")
    second = desk.open("open", "open")
    come_back(desk, journal)
    assert list(desk.service.tables) == [second] != [first]


class Moody(MemoryJournal):
    full = False

    def append_entries(self, *entries: Entry, reply: SavedReply | None = None) -> None:
        if self.full:
            raise NotKept("The disk is full.")
        super().append_entries(*entries, reply=reply)


def test_nothing_changes_while_saving_fails_and_play_continues_later():
    journal = Moody()
    desk = Desk(journal=journal)
    table = desk.open("open", "open", "bot")
    desk.ask(ANN, "sit", table=table, name="Ann")
    journal.full = True
    assert desk.ask(BEA, "sit", id="sit", table=table, name="Bea")["code"] == "not_saved"
    assert desk.ask(BEA, "open", game="the-cave", seats=TWO)["code"] == "not_saved"
    assert desk.ask(ANN, "stand", table=table, seat=0)["code"] == "not_saved"
    assert desk.ask(ANN, "say", table=table, text="hm")["code"] == "not_saved"
    assert desk.ask(EVE, "watch", table=table)["chat"] == []
    assert [seat["kind"] for seat in desk.ask(EVE, "watch", table=table)["seats"]] == ["person", "open", "bot"]
    assert desk.service.changes.trouble == "The disk is full."
    journal.full = False
    assert desk.ask(BEA, "sit", id="sit", table=table, name="Bea")["type"] == "seated"
    (request,) = desk.bot_requests
    journal.full = True
    desk.take(desk.service.changes.play_bot(table, request.seat, request.seq, OTHER_PACK, 0.0))
    desk.take(desk.service.do_timed_work(1.0))
    assert desk.service.tables[table].seq == 1
    journal.full = False
    desk.take(desk.service.do_timed_work(2.0))
    journal.full = True
    assert desk.act(ANN, table, 0, PACK)["code"] == "not_saved"
    assert desk.service.tables[table].seq == 2
    journal.full = False
    assert desk.act(ANN, table, 0, PACK)["type"] == "done"


# With a real host


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
async def test_bots_play_on_after_a_restart_and_the_record_replays(tmp_path: Path, number: signal.Signals):
    options = ("--no-encryption", "--data", str(tmp_path / "data"))
    async with running(*options) as host:
        watcher = await connect(host.address)
        table = await watcher.open("the-cave", [{"kind": "bot", "level": "rookie"}] * 3, start=few_tiles(3))
        session = await watcher.watch(table)
        await session.wait_for_state(lambda state: state.seq >= 20)
        inside = host.pid
        host.process.send_signal(number)
        await host.process.wait()
        await processes.until_gone(inside)
        async with running(*options, "--port", str(host.door["port"]), records=tmp_path) as second:
            await session.wait_for_state(lambda state: state.status == "over")
            lines = await session.record()
            assert record.check_record(record.write(lines).splitlines(keepends=True)).matches is True
            await watcher.close()
            await second.stop()
    (file,) = await asyncio.to_thread(lambda: list(tmp_path.glob("*.jsonl")))
    assert await asyncio.to_thread(file.read_bytes) == record.write(lines)


CYD = b"link-cyd"


def free(desk: Desk, table: str) -> None:
    desk.take(desk.service.changes.free_seat(desk.service.tables[table], 0, desk.now))


@pytest.mark.parametrize("freed", ["before the restart", "and taken after it", "after it", "and left by another"])
def test_the_next_holder_of_a_seat_gets_no_replies_of_the_former_one(freed: str):
    """PROTOCOL.md, promise 8: replies of an earlier run are for the player who returns to the seat."""
    desk = Desk(journal=(journal := MemoryJournal()))
    table = desk.seated(start=position())
    act: dict[str, Any] = {"id": "same", "table": table, "seat": 0, "action": NORTH}
    assert desk.ask(ANN, "act", seq=1, **act)["seq"] == 2
    if freed == "after it":
        come_back(desk, journal)
    free(desk, table)
    if freed == "and taken after it":
        come_back(desk, journal)
    key = desk.ask(CYD, "sit", table=table, name="Cyd")["key"]
    if freed == "before the restart":
        come_back(desk, journal)
    if freed == "and left by another":
        desk.ask(CYD, "stand", table=table, seat=0)
        key = desk.ask(b"link-dov", "sit", table=table, name="Dov")["key"]
        come_back(desk, journal)
    assert desk.ask(b"new", "resume", table=table, seat=0, key=key)["type"] == "seated"
    reply = desk.ask(b"new", "act", seq=2, **act)
    assert reply.get("code") == "no_passage", "it is read, and not answered as Ann was"
