"""Saving a table in play, and how players return to it."""

from __future__ import annotations

import stat
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from client.launch.held_seats import HeldSeats
from client.launch.join_table import (
    HOST_HAS_NOT,
    NOT_YOURS,
    JoinedTable,
    follow_way,
    open_and_sit,
    resume_seats,
    seat_json,
)
from client.launch.new_game import GamePlan, SeatPlan
from client.launch.opening import ResumedGame
from client.net.known_hosts import Address
from client.system import command_as_typed
from client.table import LogLine, Rejected, Seat
from tests.client.fake_session import FakeSession

RECORD = [{"format": "cave-record"}, {"seat": 0}]


class Book:
    """A book of seats that records its calls."""

    def __init__(self, *elsewhere: str) -> None:
        self.forgotten: list[str] = []
        self.dropped: list[tuple[str, list[int]]] = []
        self.held: list[HeldSeats] = []
        self.live = SimpleNamespace(hold_seat_too=lambda key: key not in elsewhere)

    def forget(self, table: str) -> None:
        self.forgotten.append(table)

    def drop(self, table: str, seats: Any) -> None:
        self.dropped.append((table, [*seats]))

    def remember(self, held: HeldSeats) -> None:
        self.held.append(held)


class Kept(FakeSession):
    """A session with keys, and a host that may refuse."""

    keys: Any = None
    wrong: Exception | None = None
    stood: tuple[int, ...] = ()

    async def record(self) -> list[Any]:
        if self.wrong:
            raise self.wrong
        return RECORD

    async def stand_up(self, seat: int) -> None:
        if self.wrong:
            raise self.wrong
        self.stood = (*self.stood, seat)


def session(touched: bool = True, **change: Any) -> Kept:
    made = Kept(("Ann", "Bea"), mine=(0,), seed="kept")
    log = (LogLine(2, {"type": "packed", "seat": 0}),) if touched else ()
    made.keys = {0: "key"}
    made.evolve(**{"status": "playing", "log": log, **change})
    return made


def table(made: Any, path: Path | None = None, **more: Any) -> JoinedTable:
    return JoinedTable(made, "", "here:1", path, **more)


# Its record


async def test_the_record_of_a_game_that_is_over_is_kept_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "records" / "game.jsonl"
    assert await table(session(status="over"), path).keep_record() == str(path)
    assert path.read_bytes() == b'{"format":"cave-record"}\n{"seat":0}\n'
    assert [each.name for each in path.parent.iterdir()] == ["game.jsonl"], "nothing else is left"
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


async def test_no_record_is_saved_of_a_running_game_or_without_a_folder(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    assert await table(session(), path).keep_record() == ""
    assert await table(session(status="over")).keep_record() == ""
    assert not path.exists()
    resigned = session(set_aside="Ann resigns.", resigned=True)
    assert await table(resigned, path).keep_record() == str(path)
    (tmp_path / "file").write_text("")
    assert await table(session(status="over"), tmp_path / "file" / "game.jsonl").keep_record() == ""


@pytest.mark.parametrize("wrong", [ConnectionError(), Rejected("no_table", ""), TimeoutError()])
async def test_a_host_that_sends_no_record_keeps_ours(tmp_path: Path, wrong: Exception) -> None:
    path = tmp_path / "game.jsonl"
    made = session(status="over")
    made.wrong = wrong
    assert await table(made, path).keep_record() == ""
    path.write_text("kept before")
    assert await table(made, path).keep_record() == str(path)
    assert path.read_text() == "kept before"


# The keys of its seats


def test_seat_keys_are_saved_with_the_facts_of_the_game() -> None:
    book: Any = Book()
    seats = (Seat("Ann", "person", mine=True), Seat("Rookie", "bot"), Seat("", "open"))
    made = session(seats=seats, title="Friday")
    connection: Any = SimpleNamespace(ticket="there:2")
    assert table(made, round=3).remember_seats(book, connection, saving=True)
    (held,) = book.held
    assert replace(held, at=0.0) == HeldSeats(
        "K7QF", "there:2", {0: "key"}, 0.0, {0: "Ann"}, title="Friday", game="the-cave",
        others=("Rookie (bot)",), round=3,
    )  # fmt: skip
    assert (book.forgotten, book.dropped) == ([], [])


@pytest.mark.parametrize(
    ("local", "connected", "address"), [(False, True, "there:2"), (False, False, "here:1"), (True, True, "here:1")]
)
def test_a_game_is_found_at_its_hosts_current_address(local: bool, connected: bool, address: str) -> None:
    book: Any = Book()
    connection: Any = SimpleNamespace(ticket="there:2") if connected else None
    assert table(session(), local=local).remember_seats(book, connection, saving=True)
    assert [(held.address, held.local) for held in book.held] == [(address, local)]


@pytest.mark.parametrize(
    ("touched", "saving", "local", "keys", "kept"),
    [
        (True, True, True, {0: "key"}, True),
        (False, True, True, {0: "key"}, False),
        (True, False, True, {0: "key"}, False),
        (False, False, False, {0: "key"}, True),
        (True, True, False, {}, False),
    ],
)
def test_a_local_game_is_kept_once_played_if_it_is_saved(
    touched: bool, saving: bool, local: bool, keys: Any, kept: bool
) -> None:
    book: Any = Book()
    made = session(touched)
    made.keys = keys
    assert table(made, local=local).remember_seats(book, None, saving=saving) is kept
    assert bool(book.held) is kept
    assert book.forgotten == []
    # Everything may have been undone after the seat was saved.
    table(made, local=local, remembered=True).remember_seats(book, None, saving=saving)
    assert bool(book.forgotten) is (local and not touched)


@pytest.mark.parametrize(
    "change",
    [
        {"status": "over"},
        {"link": "closed", "closed": "ended"},
        {"link": "closed", "closed": "gone"},
        {"set_aside": "Ann resigns.", "resigned": True},
    ],
)
def test_the_seats_of_a_game_that_is_over_are_forgotten(change: Any) -> None:
    book: Any = Book()
    connection: Any = SimpleNamespace(ticket=Address("there", 2, "k" * 40).ticket)
    assert not table(session(**change)).remember_seats(book, connection, saving=True)
    assert (book.forgotten, book.held) == (["K7QF"], [])


async def test_seats_at_a_host_without_a_key_are_kept_as_another_host_may_have_its_address() -> None:
    book: Any = Book()
    assert table(session(link="closed", closed="gone")).remember_seats(book, None, saving=True)
    with pytest.raises(Rejected, match="Your seat is kept"):
        await up(Host({0: "no_table"}, key=""), book, {0: "a"})
    assert (book.forgotten, book.dropped, book.held) == ([], [], [])


def test_a_seat_that_the_owner_of_the_host_has_freed_is_dropped() -> None:
    book: Any = Book()
    assert table(session(freed=(1,))).remember_seats(book, None, saving=True)
    assert book.dropped == [("K7QF", [1])]


async def test_leaving_frees_the_seat_only_before_the_start() -> None:
    for status, stood in (("waiting", (0,)), ("playing", ())):
        made, book = session(status=status), Book()
        await table(made).stand_up(book)  # type: ignore[arg-type]
        assert made.stood == stood
        assert book.dropped == [("K7QF", [seat]) for seat in stood]
    made, book = session(status="waiting"), Book()
    made.wrong = ConnectionError()
    await table(made).stand_up(book)  # type: ignore[arg-type]
    assert book.dropped == [], "a seat that could not be given up is still one's own"
    await table(FakeSession()).stand_up(book)  # type: ignore[arg-type]


def test_rounds_are_counted_from_new_log_entries() -> None:
    asked: list[tuple[int, int]] = []

    def after(before: int, _state: Any, events: Any) -> int:
        asked.append((before, len(events)))
        return before + len(events)

    made, played = session(), table(session())
    line = LogLine(2, {"type": "packed", "seat": 0})
    for log, more in (((line,) * 2, True), ((line,) * 2, False), ((line,), False), ((line,) * 3, True)):
        made.evolve(log=log)
        assert played.count_rounds(made.state, after) is more
    assert asked == [(0, 2), (2, 0), (2, 0), (2, 2)]
    made.evolve(view=None)
    assert not played.count_rounds(made.state, after)
    assert len(asked) == 4
    made = session()
    assert played.count_rounds(made.state, after), "the log is read anew"
    assert asked[-1] == (4, 1)


# Returning


class Host:
    """A connection that records requests."""

    address = "there:2"

    def __init__(self, wrong: dict[int, str] | None = None, key: str = "its key") -> None:
        self.key = key
        self.wrong = wrong or {}
        self.asked: list[Any] = []
        self.left: dict[int, str] = {}

    async def resume(self, table: str, seat: int, key: str) -> Any:
        self.asked.append(("resume", table, seat, key))
        if seat in self.wrong:
            raise Rejected(self.wrong[seat], "No.")
        return SimpleNamespace(seat=seat, leave_seats_to_terminal=self.left.update)

    async def reopen_table(self, table: str, seat: int, key: str) -> None:
        self.asked.append(("reopen", table, seat, key))

    async def watch(self, table: str) -> Any:
        self.asked.append(("watch", table))
        return SimpleNamespace(seat=None, leave_seats_to_terminal=self.left.update)

    async def open(self, game: str, **more: Any) -> str:
        self.asked.append(("open", game, more))
        return "t"

    async def sit_together(self, table: str, people: Any) -> Any:
        self.asked.append(("sit", table, people))
        return SimpleNamespace()


async def up(host: Host, book: Book, keys: dict[int, str] | None = None, **more: Any) -> Any:
    wanted = ResumedGame("t", keys or {0: "a", 1: "b"}, **more)
    return await resume_seats(host, wanted, book)  # type: ignore[arg-type]


async def test_only_own_seats_are_resumed() -> None:
    host, book = Host(), Book()
    await up(host, book, {1: "b", 0: "a"})
    assert host.asked == [("resume", "t", 0, "a"), ("resume", "t", 1, "b")]
    assert host.left == {}
    host, book = Host({0: "wrong_key"}), Book()
    assert (await up(host, book)).seat == 1
    assert book.dropped == [("t", [0])]
    host = Host()
    await up(host, Book(), {0: "a"}, reopen=True)
    assert host.asked == [("reopen", "t", 0, "a"), ("resume", "t", 0, "a")]


async def test_seats_of_another_terminal_are_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("client.launch.join_table.MOMENT", 0)
    host = Host()
    await up(host, Book("a"))
    assert host.asked == [("resume", "t", 1, "b")]
    assert host.left == {0: "a"}
    host = Host()
    assert (await up(host, Book("a", "b"))).seat is None
    assert host.asked == [("watch", "t")]
    host = Host()
    await up(host, Book("a", "b"), over=True)
    assert [asked[0] for asked in host.asked] == ["resume", "resume"]
    assert host.left == {}


@pytest.mark.parametrize(
    ("code", "words"), [("no_table", HOST_HAS_NOT), ("wrong_key", NOT_YOURS), ("no_seat", NOT_YOURS)]
)
async def test_a_player_without_any_seat_learns_why(code: str, words: str) -> None:
    with pytest.raises(Rejected) as refused:
        await up(Host({0: code, 1: code}), Book())
    assert refused.value.code == code
    assert refused.value.message == words.format(address="there:2", watch=command_as_typed("watch there:2"))


def plan(*seats: SeatPlan, **more: Any) -> GamePlan:
    return GamePlan(seats, settings={"edition": "english"}, game="the-cave", **more)


async def test_a_table_is_opened_as_planned_with_its_players_seated() -> None:
    seats = (SeatPlan("bot", level="guide"), SeatPlan("person", "Ann"), SeatPlan("open"), SeatPlan("person", "Bea"))
    host: Any = Host()
    await open_and_sit(host, plan(*seats), "Friday", "a seed", "fast")
    (_, game, told), sat = host.asked
    assert (game, sat) == ("the-cave", ("sit", "t", [("Ann", 1), ("Bea", 3)]))
    assert told["seats"] == [{"kind": "bot", "level": "guide"}, *[{"kind": "open"}] * 3]
    assert (told["title"], told["seed"], told["pace"]) == ("Friday", "a seed", "fast")
    assert (told["settings"], told["start"], told["hints"]) == ({"edition": "english"}, None, True)
    assert seat_json(seats[0]) == {"kind": "bot", "level": "guide"}
    for position, seed, sent in ((None, "", None), ({"a": "position"}, "a seed", None)):
        host = Host()
        await open_and_sit(host, plan(seats[0], position=position, hints=False), "", seed, "usual")
        assert host.asked[0][2]["seed"] is sent
        assert host.asked[0][2]["hints"] is False
        assert host.asked[1] == ("watch", "t"), "nobody sits down"


async def test_a_game_that_was_just_left_is_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("client.launch.join_table.AGAIN", 0)
    looks: list[int] = []

    def look() -> ResumedGame:
        looks.append(1)
        return resumed(command=("host",))

    def resumed(command: tuple[str, ...] = (), again: Any = look) -> ResumedGame:
        return ResumedGame("t", {0: "key"}, command, "here:1", again=again)

    tried: list[Any] = []

    async def way(wanted: ResumedGame) -> str:
        tried.append((bool(wanted.command), wanted.reopen))
        if not wanted.command:
            raise ConnectionError("It is gone.")
        return "there"

    assert await follow_way(replace(resumed(), reopen=True), way) == "there"
    assert tried == [(False, True), (True, True)]
    assert len(looks) == 1

    async def barred(_wanted: ResumedGame) -> str:
        raise ConnectionError("It is broken.")

    with pytest.raises(ConnectionError, match="broken"):
        await follow_way(resumed(command=("host",)), barred)
    with pytest.raises(ConnectionError, match="broken"):
        await follow_way(resumed(again=None), barred)
    assert len(looks) == 2


async def test_other_refusals_are_reported_and_cost_no_seat() -> None:
    book = Book()
    with pytest.raises(Rejected) as refused:
        await up(Host({0: "full", 1: "full"}), book)
    assert refused.value.code == "full"
    assert book.dropped == []
