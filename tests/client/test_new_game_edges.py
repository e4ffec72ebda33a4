"""Edge cases of a game about to be opened, and of a host's tables: one and none, the last one."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
from msgspec.structs import replace

from cave.game import GameInfo
from cave.protocol import SeatLine
from cave.wire import MAX_NAME
from client.face import LETTERS
from client.launch import host_tables, new_game
from client.launch.held_seats import HeldSeats, takeover_words
from client.launch.host_tables import TableLine
from client.launch.new_game import GameOptions, GamePlan, SeatPlan
from client.wording import name_problem
from tests.client.listed import table_line


class Small(GameInfo):
    """A game for one to four players, with bots of three levels."""

    name, title, seats, side = "small", "Small", range(1, 5), "Team"
    bots = dict.fromkeys(("weak", "fair", "good"), None)  # type: ignore[assignment]


class Lonely(Small):
    """A game without solo play and bots."""

    seats, bots = range(3, 4), {}


def test_the_default_number_of_seats_is_two_or_the_nearest_allowed() -> None:
    def usual(*seats: int) -> int:
        return new_game.usual_seats(type("Made", (Small,), {"seats": seats})())

    assert [usual(1), usual(1, 2), usual(1, 2, 3), usual(2, 3), usual(3, 4), usual(5)] == [1, 2, 2, 2, 3, 5]
    assert (new_game.can_be_played_alone(Small()), new_game.can_be_played_alone(Lonely())) == (True, False)


def test_levels_are_listed_from_the_weakest_to_the_strongest() -> None:
    assert new_game.level_choices(Small()) == (
        ("weak", "for a first game"), ("fair", "makes mistakes"), ("good", "the strongest")
    )  # fmt: skip
    assert new_game.level_choices(Lonely()) == ()
    for levels, last in ((("weak",), "for a first game"), (("weak", "good"), "the strongest")):
        made = type("Made", (Small,), {"bots": dict.fromkeys(levels)})()
        assert new_game.level_choices(made)[-1][1] == last
    assert (new_game.weakest_level(Small()), new_game.weakest_level(Lonely())) == (["weak"], [])
    assert [new_game.level_to_play(Small(), {"small": last}) for last in ("fair", "gone", "")] == [
        "fair",
        "weak",
        "weak",
    ]
    assert new_game.level_to_play(Small(), {"other": "fair"}) == "weak"
    assert new_game.level_to_play(Lonely(), {}) == ""
    bots = [("bot", f"bot ({level})") for level in ("weak", "fair", "good")]
    assert [(seat.kind, words) for seat, words in new_game.seat_choices(Small())] == [
        ("person", "person here"), *bots, ("open", "open for others"), ("none", "no team")
    ]  # fmt: skip
    assert new_game.absence_choices(Small())[2] == (
        {"then": "bot", "after": 60, "level": "fair"}, "a bot (fair) in 1 min"
    )  # fmt: skip
    assert new_game.absence_choices(Lonely()) == (
        (None, "the game waits"), ({"then": "skip", "after": 60}, "is skipped after 1 min"),
        ({"then": "skip", "after": 60, "idle": True}, "is skipped after 1 min, or idle"),
        ({"then": "skip", "after": 3 * 86400, "always": True}, "is skipped after 3 days"),
    )  # fmt: skip


def test_the_number_of_players_in_words() -> None:
    assert [new_game.player_counts(game()) for game in (Small, Lonely)] == ["1 to 4 teams", "3 teams"]
    assert new_game.player_counts(type("One", (Small,), {"seats": range(1, 2)})()) == "1 team"


def test_a_single_player_gets_a_bot_in_a_game_for_more() -> None:
    assert [seat.kind for seat in new_game.make_plan(["Ann"]).seats] == ["person", "bot"]
    assert [seat.kind for seat in new_game.make_plan(["Ann"], open_seats=1).seats] == ["person", "open"]
    assert [seat.kind for seat in new_game.make_plan(["Ann", "Bea"]).seats] == ["person", "person"]
    many = new_game.make_plan(["Ann"], ["rookie", "guide"], 1)
    assert [(seat.kind, seat.level) for seat in many.seats] == [
        ("person", ""), ("open", ""), ("bot", "rookie"), ("bot", "guide")
    ]  # fmt: skip
    assert (many.people_here, many.open_seats, many.settings, many.hints) == (("Ann",), 1, {}, True)
    assert new_game.make_plan(["Player", "Ann"]).named_people == ("Ann",)
    options = GameOptions(position={"ap": 5}, absence={"then": "wait"}, seed="k", hints=False)
    begun = new_game.make_plan(["Ann"], options=options)
    assert (begun.position, begun.absence, begun.seed, begun.hints) == ({"ap": 5}, {"then": "wait"}, "k", False)


def test_a_game_that_cannot_be_opened_is_explained() -> None:
    def told(*seats: SeatPlan, **more: Any) -> str:
        return new_game.plan_problem(GamePlan(seats, game="the-cave", **more))

    ann, bea, bot = SeatPlan("person", "Ann"), SeatPlan("person", "Bea"), SeatPlan("bot", level="guide")
    assert told(ann, bea) == told(ann, bot, SeatPlan("none"), SeatPlan("none")) == ""
    assert told(ann).endswith("this one has 1.")
    assert told(*[bot] * 6).endswith("this one has 6.")
    assert told(ann, bea, absence={"then": "bot", "after": 60, "level": "guide"}) == ""
    assert told(ann, bea, absence={"then": "skip", "after": 60}) == ""
    assert "has no bot of the level wizard" in told(ann, bea, absence={"then": "bot", "level": "wizard"})
    assert told(ann, bea, settings={"no such": 1}).startswith("These rules are not possible: ")
    assert told(ann, SeatPlan("person", "ann")).startswith("Two people have the same name")


def test_impossible_names_are_reported() -> None:
    problem = name_problem
    assert [problem(name) for name in ("Ann", "x" * MAX_NAME)] == ["", ""]
    assert problem(" ") == "Everybody needs a name."
    assert problem("x" * (MAX_NAME + 1)).endswith(f"'{'x' * (MAX_NAME + 1)}' has {MAX_NAME + 1}.")
    assert repr("x" * 2 * MAX_NAME) in problem("x" * 2 * MAX_NAME)
    assert f"'{'x' * MAX_NAME}...' has" in problem("x" * (2 * MAX_NAME + 1))
    assert "(bot)" in problem("Ann (bot)")
    assert "invisible" in problem("A\u200bnn")
    assert new_game.names_problem(["Ann", "Bea"], ["Cyd"]) == ""
    assert "called Bea" in new_game.names_problem(["Ann", "Bea"], ["Cyd", "bea"])
    assert new_game.split_names(" Ann ,, Bea, ") == ("Ann", "Bea")


# Tables of a host


def table(name: str, *seats: str, status: str = "waiting", **more: Any) -> Any:
    people = [{"name": seat, "kind": "person" if seat else "open"} for seat in seats]
    told = {"id": name, "title": name.title(), "game": "the-cave", "status": status, "seats": people, **more}
    return table_line(told)


def test_the_line_of_a_table_has_its_players_and_requirements() -> None:
    lines = {
        line.table: line
        for line in host_tables.table_lines(
            [
                table("a", "Ann", ""),
                table("b", "Bea", "", code=True, status="playing"),
                table("c", "Cyd", "", status="over"),
                table("d", "Dan", "", status="playing", resigned=True),
                *host_tables.shelved_tables([held("e", "Eve")]),
                replace(table("f", "Fay"), title="", game="chess"),
            ]
        )
    }
    assert {name: line.text for name, line in lines.items()} == {
        "a": "waiting   The Cave, Ann, open seat",
        "b": "playing   The Cave, with a code, Bea, open seat",
        "c": "finished  The Cave, Cyd, open seat",
        "d": "finished  The Cave, Dan, open seat",
        "f": "waiting   chess, Fay",
    }
    assert {name: (line.open_seats, line.code, line.playing) for name, line in lines.items()} == {
        "a": (1, False, False), "b": (1, True, True), "c": (0, False, False), "d": (0, False, False),
        "f": (0, False, False),
    }  # fmt: skip
    assert (lines["a"].names, lines["f"].title, lines["a"].title) == (("Ann",), "f", "A")


def test_equal_titles_are_distinguished_and_reserved_seats_not_open() -> None:
    kept = SeatLine("", "open", False, kept="Cyd")
    rematch = replace(table("c", "Ann"), title="Ann's", seats=[*table("c", "Ann").seats, kept])
    tables = [replace(table(name, "Ann", ""), title="Ann's") for name in "ab"]
    lines = host_tables.table_lines([*tables, rematch, table("d", "Ann", "")])
    assert [line.text for line in lines] == [
        "waiting   The Cave, Ann, open seat, table a",
        "waiting   The Cave, Ann, open seat, table b",
        "waiting   The Cave, Ann, open seat",
        "waiting   The Cave, Ann, Cyd (expected), table c",
    ]
    assert lines[-1].seats_words == "1 expected"
    assert host_tables.too_few_seats(lines[-1], ["Dan"]) == "This table has no open seat; it expects Cyd"
    only = host_tables.only_fitting_table(lines, 1, watching=False, people=["Cyd"])
    assert only.table == "c", "who is expected goes there, whatever else is open"
    assert host_tables.only_fitting_table(lines, 1, watching=False, people=["Dan"]) is None


def test_seats_beyond_the_letters_are_not_offered() -> None:
    (line,) = host_tables.table_lines([table("a", "", "Bea", "Cyd", "Dan", "Eve", "Fay", "", "")])
    assert (line.free, line.free_letters, line.open_seats) == ((0,), "A", 1)


def test_tables_with_open_seats_come_first_or_running_games_for_watchers() -> None:
    tables = [table("a", "Ann"), table("b", "Bea", "", ""), table("c", "Cyd", "", status="playing")]
    assert [line.table for line in host_tables.table_lines(tables)] == ["b", "c", "a"]
    assert [line.table for line in host_tables.table_lines(tables, watching=True)] == ["c", "a", "b"]
    lines = host_tables.table_lines(tables)

    def fitting(seats: int, **more: bool) -> str:
        return "".join(
            line.table
            for line in host_tables.tables_with_open_seats(lines, seats, watching=more.get("watching", False))
        )

    assert [fitting(1), fitting(2), fitting(3), fitting(1, watching=True)] == ["bc", "b", "", "c"]
    idle = host_tables.table_lines(tables[:2])
    assert [line.table for line in host_tables.tables_with_open_seats(idle, 1, watching=True)] == ["b", "a"]
    only = host_tables.only_fitting_table(lines, 2, watching=False)
    assert only.table == "b"
    assert host_tables.only_fitting_table(lines, 1, watching=False) is None
    assert host_tables.only_fitting_table(lines, 3, watching=False) is None


def held(name: str, *people: str, first: int = 0, **more: Any) -> HeldSeats:
    keys = {seat: f"key {seat}" for seat in range(first, first + len(people))}
    return HeldSeats(name, "192.0.2.1:4000", keys, 0.0, dict(zip(keys, people, strict=True)), **more)


def test_own_seats_come_first_while_still_held() -> None:
    tables = [table("a", "Ann", "Al", "Bea", status="playing"), table("b", "Cyd", "", status="playing")]
    mine = [held("a", "Ann", "Al"), held("b", "Cyd"), held("gone", "Ann")]
    lines = host_tables.table_lines(tables, mine)
    assert [(line.table, line.owners_of_own_seats, line.seats_words) for line in lines] == [
        ("b", "Cyd", "your seat"), ("a", "Ann and Al", "your seats"), ("b", "", "1 open seat")
    ]  # fmt: skip
    assert lines[1].text == "playing   The Cave, Ann (you), Al (you), Bea"
    assert [line.is_of("ann") for line in lines] == [False, True, False]
    assert [line.table for line in host_tables.table_lines(tables, mine, people=["al"])] == ["a", "b"]
    # A seat that another player took is not ours, nor is one in a finished game.
    (line, *_) = host_tables.table_lines([table("a", "Eve", "Al", "Bea")], mine)
    assert line.owners_of_own_seats == "Al"
    for later in (table("a", "Eve", "Eva", "Bea"), table("a", "Ann", "Al", status="over")):
        (line,) = host_tables.table_lines([later], mine)
        assert line.held is None
    assert host_tables.only_fitting_table(lines, 1, watching=False) is None
    assert takeover_words(held("a", "Ann", "Al", first=1)) == ("a.2.key 1", "a.3.key 2")


def test_joining_a_table_needs_free_seats_and_unused_names() -> None:
    tables = [table("a", "Ann", ""), table("b", "", ""), table("c", "Cyd")]
    host_tables.check_sitting(tables, "a", ["Bea"])
    host_tables.check_sitting(tables, "b", ["Ann", "Bea"])
    host_tables.check_sitting(tables, "gone", ["Ann"])
    with pytest.raises(new_game.NameProblem, match="already called ann"):
        host_tables.check_sitting(tables, "a", ["ann"])
    for name, people, words in (
        ("a", ["Bea", "Cyd"], "has 1 open seat, too few for 2 people. You can watch it."),
        ("b", ["x", "y", "z"], "has 2 open seats, too few for 3 people. You can watch it."),
        ("c", ["Bea"], "has no open seat. You can watch it."),
    ):
        with pytest.raises(ValueError, match=words):
            host_tables.check_sitting(tables, name, people)
    line = TableLine("a", "A", "", (0,), ("Ann",))
    assert [line.has_player(name, ["Bea"]) for name in ("", "ANN", "bea", "Cyd")] == [False, True, True, False]


def test_shelved_games_have_the_lines_of_a_host() -> None:
    mine = [held("a", "Ann", title="A", game="the-cave"), held("a", "Cyd", first=2), held("b", "Ann", title="B")]
    tables = host_tables.shelved_tables([*mine, held("c")])
    assert [table.id for table in tables] == ["a", "b"]
    assert [[seat.name for seat in table.seats] for table in tables] == [["Ann", "?", "Cyd"], ["Ann"]]
    (lie,) = host_tables.shelved_tables([held("d", "Ann", first=2**53)])
    assert len(lie.seats) == len(LETTERS)


def test_the_last_game_has_its_players_time_and_place() -> None:
    now = datetime(2026, 3, 2, 12, 0)

    def told(*hours: int, **more: Any) -> str:
        at = datetime(2026, 3, *hours, 30).timestamp()
        return host_tables.game_words([HeldSeats("a", "192.0.2.1:4000", {0: "key"}, at, {0: "Ann"}, **more)], now)

    facts = {"title": "A Table", "game": "the-cave"}
    assert told(2, 10, **facts) == "The Cave, today 10:30, A Table at 192.0.2.1:4000, seat Ann"
    assert told(1, 9, others=("Bea", "Ann", "Cyd"), round=3, local=True, **facts) == (
        "The Cave against Bea and Cyd, yesterday 09:30, round 3, on this machine, seat Ann"
    )
    assert told(1, 9).startswith("a game, yesterday 09:30, a table at")
    assert f", {'x' * 20} at 192.0.2.1:4000," in told(1, 9, title="x" * 30)
    for at in (1e300, -1e18, float("-inf")):
        strange = HeldSeats("a", "192.0.2.1:4000", {0: "key"}, at)
        assert "a table at" in host_tables.game_words([strange], now)
    earlier = HeldSeats("a", "192.0.2.1:4000", {0: "key", 1: "key"}, datetime(2026, 2, 28, 9, 5).timestamp())
    other = held("a", "Cyd", first=2)
    assert host_tables.game_words([earlier, other], now) == (
        "a game, 2026-02-28 09:05, a table at 192.0.2.1:4000, seats seat 1 and seat 2 or Cyd"
    )


def test_a_records_file_name_has_time_players_and_place() -> None:
    now = datetime(2026, 3, 2, 4, 5, 6)
    assert new_game.record_name(["Ann", "Bob/é"], now, "t-1") == "2026-03-02-040506-Ann-Bob_é-t-1.jsonl"
    assert new_game.record_name([], now, "x" * 30) == f"2026-03-02-040506-game-{'x' * 20}.jsonl"
    assert new_game.record_name(["n" * 61], now, "t") == f"2026-03-02-040506-{'n' * 60}-t.jsonl"
