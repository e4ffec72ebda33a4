"""A bug at one table: that table is set aside, and all others continue."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cave import codec, protocol
from cave.games import get_game
from server.clients.limits import Limits
from server.service import OpenTableOptions, Service
from server.tables.effects import Effect, Mistake, SendView, SetAside
from tests.server.kit import ANN, BACK, BEA, EVE, NORTH, SECRET, Desk, position
from tests.server.memory import MemoryJournal

BOSS = b"link-boss"
SKIP = {"then": "skip", "after": 0}


class Broken(type(get_game("the-cave"))):  # type: ignore[misc]
    """The game with an error in the methods of these names."""

    def __init__(self, *names: str) -> None:
        for name in names:
            setattr(self, name, self.fail)

    def fail(self, *_: Any) -> Any:
        raise ZeroDivisionError("a mistake of the game's")


class Watched(Desk):
    """Records the tables set aside, and makes the views to send, like a host."""

    def __init__(self, **fields: Any) -> None:
        super().__init__(**fields)
        self.set_aside: list[SetAside] = []

    def take(self, effects: list[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, SendView):
                try:
                    _ = effect.frames
                except ZeroDivisionError as mistake:
                    self.take(self.service.set_failed_table_aside(effect.seat_view.table, mistake, self.now))
                    continue
            self.set_aside += [effect] if isinstance(effect, SetAside) else []
            super().take([effect])


def two_tables() -> tuple[Watched, MemoryJournal, str, str]:
    """Two equal tables with Ann and Bea; Eve watches both."""
    journal = MemoryJournal()
    desk = Watched(journal=journal, owners=("boss",))
    desk.peers[BOSS] = "boss"
    names = []
    for _ in range(2):
        name = desk.seated(start=position(), absence=SKIP)
        desk.ask(EVE, "watch", table=name)
        names.append(name)
    return desk, journal, *names


def leave_and_tick(desk: Watched, table: str) -> None:
    desk.take(desk.service.clients.connection_lost(ANN, desk.now))
    desk.take(desk.service.do_timed_work(desk.now))
    desk.take(desk.service.do_timed_work(desk.now))


def beat_in_time(desk: Watched, table: str) -> None:
    desk.now += 5
    desk.service.tables[table].cached_view = None
    desk.take(desk.service.do_timed_work(desk.now))


def beat_for_a_newcomer(desk: Watched, table: str) -> None:
    desk.service.tables[table].cached_view = None
    desk.take(desk.service.beat_at_table(table, desk.now))


def wake(desk: Watched, table: str) -> None:
    desk.service.tables[table].seats[0].kind = "bot"
    desk.take(desk.service.wake_tables(desk.now))


def bot(desk: Watched, table: str) -> None:
    desk.service.tables[table].seats[0].kind = "bot"
    desk.take(desk.service.changes.play_bot(table, 0, 1, NORTH, desk.now))


def try_a_silent_link(desk: Watched, table: str) -> None:
    desk.now += 20
    desk.service.tables[table].cached_view = None
    desk.take(desk.service.do_timed_work(desk.now))


def act(desk: Watched, table: str) -> None:
    assert desk.act(ANN, table, 0, NORTH)["type"] == "done"


def asked(kind: str, **fields: Any) -> Callable[[Watched, str], None]:
    """A request of Ann's on which the game fails."""

    def ask(desk: Watched, table: str) -> None:
        desk.service.tables[table].cached_view = None
        reply = desk.ask(ANN, kind, table=table, **fields)
        assert (reply["type"], reply["code"]) == ("error", "set_aside")
        assert reply["message"] == desk.service.tables[table].aside

    return ask


MISTAKES: list[tuple[str, Callable[[Watched, str], None]]] = [
    ("idle", leave_and_tick),
    ("view", beat_in_time),
    ("view", beat_for_a_newcomer),
    ("choice_json", wake),
    ("apply", bot),
    ("choices", bot),
    ("view", try_a_silent_link),
    ("choice_json", try_a_silent_link),
    ("event_json", act),
    ("choices", act),
    ("why_not", act),
    ("to_act", asked("act", seat=0, seq=1, action=NORTH)),
    ("decode", asked("act", seat=0, seq=1, action=NORTH)),
    ("apply", asked("act", seat=0, seq=1, action=NORTH)),
    ("action_json", asked("act", seat=0, seq=1, action=NORTH)),
    ("view", asked("watch")),
    ("view", asked("sync")),
]


@pytest.mark.parametrize(("where", "do"), MISTAKES)
def test_an_error_at_one_table_does_not_affect_others(where: str, do: Callable[[Watched, str], None]):
    desk, journal, bad, good = two_tables()
    desk.service.tables[bad].game = Broken(where)
    do(desk, bad)
    assert [each.table for each in desk.set_aside] == [bad]
    assert isinstance(desk.set_aside[0].mistake, ZeroDivisionError)
    (told,) = [each for each in desk.published if each["type"] == "set_aside"]
    assert told["table"] == bad
    assert told["message"].count(".") == 1
    assert journal.entries[-1].kind == "set_aside" or where == "idle"
    assert {entry.table for entry in journal.entries if entry.kind == "set_aside"} == {bad}
    facts = {each["id"]: each.get("set_aside", "") for each in desk.ask(EVE, "tables")["tables"]}
    assert facts == {bad: told["message"], good: ""}
    # Nobody can act there; elsewhere everything continues, however often the clock ticks.
    for kind, fields in (("act", {"seat": 1, "action": NORTH}), ("undo", {"seat": 1})):
        refused = desk.ask(BEA, kind, table=bad, seq=desk.service.tables[bad].seq, **fields)
        assert (refused["code"], refused["message"]) == ("set_aside", told["message"])
    for _ in range(3):
        desk.now += 5
        desk.take(desk.service.do_timed_work(desk.now))
    assert len(desk.set_aside) == 1
    desk.service.tables[good].seats[0].present = True
    if desk.service.tables[good].seq == 1:
        assert desk.ask(ANN, "act", table=good, seat=0, seq=1, action=NORTH)["type"] == "done"
    assert desk.service.tables[good].seq >= 2


@pytest.mark.parametrize("kind", protocol.MESSAGES)
@pytest.mark.parametrize("who", [ANN, EVE, BOSS])
def test_every_request_is_answered_even_if_the_game_always_fails(kind: str, who: bytes):
    desk, _journal, bad, good = two_tables()
    methods = [name for name in dir(get_game("the-cave")) if not name.startswith("_")]
    desk.service.tables[bad].game = Broken(*(name for name in methods if callable(getattr(Broken, name))))
    desk.service.tables[bad].cached_view = None
    where: Any = {"table": bad, "seat": 0, "seq": 1, "number": 1, "key": "k", "protocol": 1}
    what: Any = {"name": "Cy", "action": NORTH, "what": "resign", "text": "hi", "guests_open": True}
    reply = desk.ask(who, kind, game="the-cave", seats=[{"kind": "open"}] * 2, **where, **what)
    assert reply["type"] != "error" or reply["code"] in protocol.CODES
    assert not desk.service.tables[good].aside
    assert desk.ask(BEA, "watch", table=good)["type"] == "snapshot"


def test_a_request_that_concerns_no_table_is_answered_too(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(type(get_game("the-cave")), "new", Broken.fail)
    desk = Watched()
    seats = [{"kind": "bot", "level": "rookie"}] * 2
    message = codec.encode({"type": "open", "id": "1", "game": "the-cave", "seats": seats})
    *effects, reply = desk.service.handle_message(ANN, [message], desk.now)
    assert [type(effect.mistake) for effect in effects if isinstance(effect, Mistake)] == [ZeroDivisionError]
    answer = codec.decode(reply.frames[-1])
    assert (answer["type"], answer["re"], answer["code"]) == ("error", "1", "bad_message")
    assert desk.ask(ANN, "tables")["tables"] == []


def test_a_table_that_cannot_be_kept_open_does_not_block_others(monkeypatch: pytest.MonkeyPatch):
    seats = (protocol.SeatSpec("bot", "rookie"),) * 2
    desk = Watched(open_table=OpenTableOptions(protocol.Open(game="the-cave", seats=seats)))
    table = desk.seated(start=position(), absence=SKIP)
    monkeypatch.setattr(type(get_game("the-cave")), "new", Broken.fail)
    leave_and_tick(desk, table)
    assert desk.service.tables[table].seq == 2


def test_a_free_seat_of_a_table_set_aside_cannot_be_taken():
    desk = Watched()
    table = desk.open("open", "open")
    desk.take(desk.service.set_failed_table_aside(table, ZeroDivisionError(), desk.now))
    assert desk.ask(ANN, "sit", table=table, name="Ann")["code"] == "set_aside"


@pytest.mark.parametrize("where", ["idle", "choices"])
def test_it_is_still_set_aside_after_a_restart(where: str, monkeypatch: pytest.MonkeyPatch):
    desk, journal, bad, good = two_tables()
    for table in (bad, good):
        assert desk.ask(ANN, "act", table=table, seat=0, seq=1, action=NORTH)["type"] == "done"
    desk.service.tables[bad].game = Broken(where)
    if where == "idle":
        desk.service.tables[good].seats[0].present = True
        leave_and_tick(desk, bad)
    else:
        desk.ask(ANN, "act", table=bad, seat=0, seq=2, action=BACK)
    assert desk.service.tables[bad].aside
    sentence = desk.service.tables[bad].aside
    # The next host fails in the same way, at any place in the story.
    real = get_game("the-cave").choices
    monkeypatch.setattr(
        type(get_game("the-cave")),
        "choices",
        lambda self, state, seat: real(state, seat) if state.ap == 5 or where == "idle" else 1 // 0,
    )
    desk.service = Service(
        "test", random_text=lambda: "session-2-random", stamp=str, limits=Limits(), journal=journal,
        secret=SECRET,
    )  # fmt: skip
    problems = desk.service.restore()
    assert len(problems) == (where == "choices")
    assert all(good in problem for problem in problems)
    desk.take(desk.service.wake_tables(desk.now))
    snapshot = desk.ask(EVE, "watch", table=bad)
    assert (snapshot["type"], snapshot["set_aside"]) == ("snapshot", sentence)
    assert desk.ask(EVE, "record", table=bad)["lines"][0]["format"] == "cave-record"


def test_the_record_of_a_game_that_is_set_aside_is_written_whole():
    desk, _journal, bad, _good = two_tables()
    desk.act(ANN, bad, 0, NORTH)
    desk.take(desk.service.set_failed_table_aside(bad, ZeroDivisionError(), desk.now))
    (finished,) = desk.finished
    assert finished.table == bad
    assert "start" in finished.record[0]
