"""Edge cases: options of the command line, saved seats, output of line mode."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from cave import games
from cave.protocol import SeriesLine
from client.launch import opening
from client.launch.held_seats import HeldSeats, SeatBook, load_held_seats
from client.launch.host_tables import TableLine
from client.launch.new_game import NameProblem
from client.launch.opening import NewTable, QuickGame, ResumedGame, Visit
from client.settings.schema import Settings
from client.table import LogLine, Rejected, Seat
from tests.client.fake_session import FakeSession

# Wishes


def test_a_quick_game_has_bots_of_the_chosen_level() -> None:
    quick = QuickGame(game="the-cave")
    weakest, *_, strongest = games.game_info("the-cave").bots
    assert quick.needs_level
    assert quick.with_bots_of_level(strongest).bots == (strongest,)
    assert not quick.with_bots_of_level(strongest).needs_level
    remembering = quick.with_remembered_level(Settings(levels={"the-cave": strongest}))
    assert remembering.bots == (strongest,)
    assert quick.with_remembered_level(Settings()).bots == (weakest,)
    chosen = QuickGame(game="the-cave", bots=(weakest, weakest))
    assert chosen.with_remembered_level(Settings(levels={"the-cave": strongest})) == chosen
    assert chosen.with_bots_of_level(strongest).bots == (strongest, strongest)
    # With a seat for another player no bot had to be chosen.
    shared = QuickGame(game="the-cave", open_seats=1)
    assert not shared.needs_level
    assert shared.with_bots_of_level(strongest).bots == (strongest,)


@pytest.mark.parametrize(
    ("table", "names", "kinds"),
    [
        (NewTable(game="the-cave"), ["Ann"], ["person", "open"]),
        (NewTable(game="the-cave"), ["Ann", "Bea"], ["person", "person"]),
        (NewTable(game="the-cave"), ["Ann", "Bea", "Cyd"], ["person"] * 3),
        (NewTable(game="the-cave", bots=("rookie",)), ["Ann"], ["person", "bot"]),
        (NewTable(game="the-cave", seats=3), ["Ann"], ["person", "open", "open"]),
        (NewTable(game="the-cave", seats=1, bots=("rookie",)), ["Ann"], ["person", "bot"]),
        (NewTable(game="sir-ocelots-cave", bots=("rookie",), round_robin=3), ["Ann"], ["person", "open", "bot"]),
    ],
)
def test_a_local_table_has_its_seats(table: NewTable, names: list[str], kinds: list[str]) -> None:
    assert [seat.kind for seat in table.plan(names).seats] == kinds
    assert table.why_not_opened(names) == ""


def test_too_many_players_are_refused() -> None:
    assert NewTable(seats=1).why_not_opened(["Ann", "Bea"]) == "2 people need 2 seats, but you asked for 1."
    assert NewTable(seats=2).why_not_opened(["Ann", "Bea"]) == ""
    four = NewTable(round_robin=3).why_not_opened(["Ann", "Bea", "Cyd", "Dan"])
    assert four == "A round robin of 3 players has no room for 4."
    assert "leave out --best-of" in NewTable(round_robin=3, best_of=3).why_not_opened(["Ann"])


def test_leaving_a_game_prints_how_to_resume() -> None:
    playing = FakeSession(("Ann", "Bea"), mine=(0,), seed="begun").state
    over = structs.replace(playing, status="over")

    def told(state: Any, record: str = "", **more: bool) -> str:
        return opening.farewell_sentence(state, record, **{"held": True, "saved": True, **more})

    assert told(over, "a record").endswith("replay 'a record'")
    assert told(over, "x", to_menu=True).endswith("choose Replay.")
    series = structs.replace(over, series=SeriesLine(3, 1, (1, 0), (20.0, 10.0)))
    assert told(series, "x", local=True, to_menu=True) == "The series is not over. To continue, choose Go on."
    assert "series" not in told(series, "x") + told(over, "x", local=True)
    assert told(playing).endswith(f"resume {playing.table}")
    assert told(playing, to_menu=True).endswith("choose Go on.")
    assert told(playing, held=False) == told(over) == told(playing, held=False, here=True) == ""
    bots = structs.replace(playing, seats=(Seat("One", "bot"), Seat("Two", "bot")))
    begun = structs.replace(bots, log=(LogLine(2, {"type": "packed", "seat": 0}),))
    assert told(bots, held=False, here=True) == told(begun, held=False) == "", "nothing is kept of it here"
    for menu in (False, True):
        assert told(begun, held=False, here=True, to_menu=menu).endswith(f"resume {playing.table}")
    assert told(structs.replace(playing, resigned=True, set_aside="It is over.")) == ""
    assert [opening.back_to_menu(words).wrong for words in ("", opening.NOT_SAVED)] == [False, True]
    touched = structs.replace(playing, log=(LogLine(2, {"type": "packed", "seat": 0}),))
    assert touched.touched
    assert told(touched, saved=False) == opening.NOT_SAVED
    assert told(over, "x", saved=False) == told(playing, saved=False) == ""
    assert told(structs.replace(touched, status="over"), saved=False) == ""


def test_invalid_input_is_asked_for_again() -> None:
    errors = (NameProblem(""), Rejected("name_taken", ""), Rejected("wrong_code", ""), Rejected("full", ""))
    assert [opening.field_to_retype(each) for each in errors] == ["names", "names", "code", None]
    assert opening.field_to_retype(ConnectionError()) is None


def held(table: str, *people: str, first: int = 0, **more: Any) -> HeldSeats:
    seats = range(first, first + len(people))
    keys = {seat: f"key {table} {seat}" for seat in seats}
    return HeldSeats(table, "192.0.2.1:4000", keys, 1.0, dict(zip(seats, people, strict=True)), **more)


def line(each: HeldSeats | None) -> TableLine:
    return TableLine("x", "X", "", held=each)


def test_own_seats_are_resumed_without_asking_if_unambiguous() -> None:
    ann, bea, other = held("a", "Ann"), held("a", "Bea", first=1), held("b", "Ann")
    back = Visit("host", resume=True)
    assert opening.own_seats(back, [line(None), line(ann), line(other)]) == ann
    assert opening.own_seats(back, [line(ann), line(bea)]) is None, "two terminals left seats there"
    with pytest.raises(ConnectionError, match="You have no seat"):
        opening.own_seats(back, [line(None)])
    again = Visit("host", ("Bea",))
    assert opening.own_seats(again, [line(ann), line(bea)]) == bea
    assert opening.own_seats(again, [line(ann)]) is None
    assert opening.own_seats(Visit("host", ("Ann",)), [line(ann), line(other)]) is None
    assert opening.own_seats(Visit("host", ("Ann",), watching=True), [line(ann)]) is None
    both = held("c", "Ann", "Bea")
    assert opening.own_seats(Visit("host", ("Bea", "Ann")), [line(both)]) == both


def test_chosen_seats_are_taken_without_asking_again() -> None:
    one, other = held("a", "Ann"), held("a", "Bea", first=1)
    chosen = ResumedGame("a", {}, free=(one, other)).with_seats(other)
    assert (chosen.keys, chosen.free) == (other.keys, ())


# Saved seats


def test_seats_are_saved_by_table_with_the_last_one_first(tmp_path: Path) -> None:
    book = SeatBook(tmp_path)
    for each in (held("a", "Ann"), held("b", "Cyd"), held("a", "Bea", first=1)):
        book.remember(each)
    assert [[each.players_here for each in game] for game in book.games_with_free_seats()] == [
        [("Bea",), ("Ann",)],
        [("Cyd",)],
    ]
    assert [each.table for each in book.last_game()] == ["a", "a"]
    # The same seat again replaces its old entry.
    book.remember(held("a", "Al", "Bo", round=3))
    assert [each.players_here for each in book.last_game()] == [("Al", "Bo")]
    assert load_held_seats(tmp_path)[-1] == held("a", "Al", "Bo", round=3)
    book.drop("a", [0])
    assert [each.players_here for each in book.last_game()] == [("Bo",)]
    book.drop("a", [7])
    book.drop("b", [1])
    book.forget("none")
    assert [each.table for each in book.free()] == ["b", "a"]
    book.forget("a")
    assert [each.table for each in book.free()] == ["b"]
    book.drop("b", [0])
    assert (book.free(), book.games_with_free_seats(), book.last_game()) == ([], [], ())


def test_seats_that_another_terminal_holds_are_not_free(tmp_path: Path) -> None:
    here, there = SeatBook(tmp_path), SeatBook(tmp_path)
    both = held("a", "Ann", "Bea")
    here.remember(both)
    there.live.hold([both.keys[1]])
    (free,) = here.free()
    assert (free.keys, free.names) == ({0: both.keys[0]}, {0: "Ann"})
    assert here.names_elsewhere() == ("Bea",)
    assert there.names_elsewhere() == ()
    assert here.seats_at_host("", both.address) == [free]
    there.live.hold(both.keys.values())
    assert here.free() == here.seats_at_host("", both.address) == []
    assert here.seats_at_host("", both.address, live=True) == [both]
    assert here.seats_at_host("", "elsewhere:4000", live=True) == []
    there.live.hold([])
