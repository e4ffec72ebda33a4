"""Seats, stand-ins, offers and openings at their edges: who counts as whom, and how much is just enough."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from cave import codec, games, protocol
from cave.game import BadData, Refused
from cave.protocol import MAX_AFTER
from server.tables import offers, opening, stand_ins
from server.tables.agreement import Hurry
from server.tables.seat import Seat, fresh_seats
from server.tables.setup import Setup
from server.tables.table import Table
from tests.server.kit import ANN, BEA, EVE, PACK, Desk, position, seated

HERE, THERE = b"here", b"there"
NORTH = {"type": "move", "to": [0, -2], "by": "foot"}
BACK = {"type": "move", "to": [0, -1], "by": "foot"}
SETUP = Setup("the-cave", {"edition": "english"}, (protocol.SeatSpec("open"),) * 2, "a seed", "now")


def started(start: Any = None) -> Table:
    """A table where Ann and Bea play."""
    table = Table("t", msgspec.structs.replace(SETUP, start=start))
    for seat, (name, link) in enumerate((("Ann", ANN), ("Bea", BEA))):
        table.sit(seat, name, f"key {name}", link)
    table.commit(table.start())
    return table


# Seats


@pytest.mark.parametrize(
    ("run", "owner", "holder", "asks", "is_anothers"),
    [
        ("r1", "ann", HERE, (HERE, "ann", "r1"), False),
        ("r1", "ann", HERE, (THERE, "ann", "r1"), False),
        ("r1", "ann", HERE, (HERE, "ann", "r2"), True),
        ("", "ann", HERE, (THERE, "ann", "r2"), False),
        ("r1", "ann", HERE, (THERE, "ann", ""), False),
        ("", "ann", HERE, (HERE, "bea", "r2"), True),
        ("", "", HERE, (HERE, "", ""), False),
        ("", "", HERE, (THERE, "", ""), True),
        ("", "", None, (THERE, "", ""), False),
        ("", "ann", HERE, (THERE, "", ""), True),
        ("", "ann", HERE, (HERE, "", ""), False),
    ],
)
def test_a_seat_is_somebody_elses_by_run_or_else_by_key_or_else_by_connection(
    run: str, owner: str, holder: bytes | None, asks: tuple[bytes, str, str], is_anothers: bool
):
    seat = Seat("person", "Ann", owner=owner, run=run, holder=holder)
    assert seat.is_anothers(*asks) is is_anothers


def test_who_plays_for_a_seat_and_whether_its_owner_is_asked():
    person = {"name": "Ann", "present": True}
    told = {
        "plain": Seat("person", **person),
        "away": Seat("person", "Ann"),
        "replaced": Seat("person", "Ann", stand_in="bot", bot="rookie"),
        "skipped": Seat("person", "Ann", stand_in="skip"),
        "handed": Seat("person", **person, handed="guide"),
        "left": Seat("person", "Ann", handed="guide"),
        "bot": Seat("bot", "Guide", "guide", present=True),
        "open": Seat("open"),
    }
    assert {name: (seat.plays_itself, seat.is_asked, seat.plays_at) for name, seat in told.items()} == {
        "plain": (False, True, ""),
        "away": (False, True, ""),
        "replaced": (True, False, "rookie"),
        "skipped": (False, True, ""),
        "handed": (True, False, "guide"),
        "left": (True, False, "guide"),
        "bot": (True, False, "guide"),
        "open": (False, False, ""),
    }
    assert codec.as_json(told["handed"].public()) == {
        "name": "Ann", "kind": "person", "present": True, "level": "guide", "stand_in": "bot",
        "handed": True,
    }  # fmt: skip
    assert told["skipped"].public().stand_in == "skip"
    assert codec.as_json(told["plain"].public()) == {"name": "Ann", "kind": "person", "present": True}


def test_bots_of_one_level_are_told_apart_by_number():
    specs = [
        protocol.SeatSpec("bot", "rookie"), protocol.SeatSpec("open"), protocol.SeatSpec("bot", "guide"),
        protocol.SeatSpec("bot", "rookie"),
    ]  # fmt: skip
    assert [seat.name for seat in fresh_seats(specs)] == ["Rookie 1", "", "Guide", "Rookie 2"]


# Those who are away


def table_of(*seats: Seat, then: str = "bot", status: str = "playing", level: str = "") -> Any:
    absence = protocol.Absence(then=then, after=60, level=level)  # type: ignore[arg-type]
    game = games.get("the-cave")
    return SimpleNamespace(
        setup=SimpleNamespace(absence=absence), status=status, seats=list(seats), game=game
    )


def test_a_stand_in_plays_when_somebody_has_been_away_for_as_long_as_is_said():
    away, here, free = Seat("person", "Ann"), Seat("person", "Bea", present=True), Seat("open")
    table = table_of(away, here, free, Seat("bot", "Guide", "guide", present=True))
    told = []
    for now in (100.0, 159.9, 160.0):
        stand_ins.look(table, now)
        told.append([seat.stand_in for seat in table.seats])
    assert told == [["", "", "", ""], ["", "", "", ""], ["bot", "", "bot", ""]]
    assert away.bot == next(iter(table.game.bots))
    # Nobody plays for those who are away where nobody waits for them.
    here.present = False
    stand_ins.look(table, 170.0)
    assert [seat.stand_in for seat in table.seats] == ["", "", "", ""]
    assert (away.away_since, away.bot) == (None, "")


def test_how_those_are_replaced_who_are_away_is_up_to_the_table():
    for then, level, status, told in (
        ("wait", "", "playing", ("", "")),
        ("skip", "", "playing", ("skip", "")),
        ("bot", "guide", "playing", ("bot", "guide")),
        ("bot", "guide", "over", ("", "")),
        ("bot", "guide", "waiting", ("", "")),
    ):
        away = Seat("person", "Ann")
        table = table_of(away, Seat("person", "Bea", present=True), then=then, level=level, status=status)
        for now in (0.0, 60.0):
            stand_ins.look(table, now)
        assert (away.stand_in, away.bot) == told


# Offers of bots


def test_a_bot_offers_to_resign_only_to_the_one_person_who_is_there_and_plays():
    def may(**more: Any) -> bool:
        desk = Desk()
        name = desk.open("open", "bot", game="the-cave")
        desk.ask(ANN, "sit", table=name, name="Ann")
        table = desk.service.tables[name]
        for field, value in more.items():
            where = table.seats[0] if hasattr(table.seats[0], field) else table
            setattr(where, field, value)
        return offers.may_offer(table, 1)

    assert may()
    assert not may(present=False)
    assert not may(handed="guide")
    assert not may(stand_in="bot")
    assert not may(kind="bot")
    assert not may(aside="It was set aside.")
    desk = Desk()
    name = desk.open("open", "bot", game="the-cave")
    table = desk.service.tables[name]
    assert not offers.may_offer(table, 1), "it has not begun"
    desk.ask(ANN, "sit", table=name, name="Ann")
    assert not offers.may_offer(table, 0), "no bot"
    offers.offer(table, 1)
    proposal = table.proposal
    assert proposal is not None
    assert (proposal.seat, proposal.what, proposal.waits_for, proposal.number) == (1, "resign", {0}, 1)
    assert not offers.may_offer(table, 1), "it is asked already"
    table.proposal = None
    assert not offers.may_offer(table, 1), "each offers it once"


@pytest.mark.parametrize(
    ("game", "kinds"), [("the-cave", ("open", "bot", "bot")), ("sir-ocelots-cave", ("open", "bot"))]
)
def test_a_bot_offers_nothing_where_others_play_on_or_no_lead_decides(game: str, kinds: tuple[str, ...]):
    desk = Desk()
    name = desk.open(*kinds, game=game)
    desk.ask(ANN, "sit", table=name, name="Ann")
    table = desk.service.tables[name]
    assert table.status == "playing"
    assert not offers.may_offer(table, 1)


# Openings


def opened(**more: Any) -> Any:
    form = {"id": "1", "game": "the-cave", "seats": [{"kind": "open"}] * 2, **more}
    message = msgspec.convert(form, protocol.Open)
    return opening.read(message, lambda: "any", "now", protocol.Absence())


@pytest.mark.parametrize(
    ("field", "most", "wrong"),
    [
        ("code", "x" * protocol.MAX_CODE, "x" * (protocol.MAX_CODE + 1)),
        ("seed", "x" * protocol.MAX_CHAT, "x" * (protocol.MAX_CHAT + 1)),
        ("absence", {"then": "skip", "after": MAX_AFTER}, {"then": "skip", "after": MAX_AFTER + 1}),
    ],
)
def test_as_much_as_may_be_is_not_too_much(field: str, most: Any, wrong: Any):
    opened(**{field: most})
    with pytest.raises(BadData, match=r"can .* at most"):
        opened(**{field: wrong})


def test_who_chose_seed_or_position_may_know_what_is_hidden():
    assert (opened().set_up, opened().seed, opened().lock) == (False, "any", None)
    assert (opened(seed="mine").set_up, opened(seed="mine").seed) == (True, "mine")
    assert opened(code="owl").lock
    assert opened(code="").lock is None
    for seats in (1, 6):
        with pytest.raises(BadData, match="must be 2 to 5"):
            opened(seats=[{"kind": "open"}] * seats)


def test_what_an_earlier_version_did_not_write_of_an_opening_is_as_it_was_then():
    """Nobody was known as its owner, and bots had one pace."""
    data: Any = codec.as_json(opened(absence={"then": "skip", "after": 7}))
    assert codec.structure(data, Setup) == opened(absence={"then": "skip", "after": 7})
    for name in ("opener", "by_owner", "pace", "hints", "absence"):
        del data[name]
    setup = codec.structure(data, Setup)
    assert (setup.opener, setup.by_owner, setup.pace, setup.hints) == ("", False, "usual", True)
    assert setup.absence == protocol.Absence()
    del data["seed"]
    with pytest.raises(BadData, match="seed: is missing"):
        codec.structure(data, Setup)
    assert [opening.game_of(each) for each in (data, {}, {"game": 1}, None)] == ["the-cave", "", "", ""]


def test_versions_are_a_number_or_a_range_of_two():
    assert [opening.versions(wanted) for wanted in (1, [1, 3])] == [(1, 1), (1, 3)]
    for wrong in (True, "1", None, [], [1], [1, 2, 3], [1, "2"], [True, 2], 1.0):
        with pytest.raises(BadData, match="version"):
            opening.versions(wrong)


# The table


def test_seats_are_found_by_number_and_else_the_first_that_is_free():
    desk = Desk()
    name = desk.open("open", "open", "open")
    table = desk.service.tables[name]
    assert [table.find_seat(wanted) for wanted in (None, 0, 2)] == [0, 0, 2]
    assert desk.ask(ANN, "sit", table=name, name="Ann", seat=1)["seat"] == 1
    assert desk.ask(BEA, "sit", table=name, name="Bea")["seat"] == 0
    assert table.find_seat(None) == 2
    assert desk.ask(EVE, "sit", table=name, name="Eve", seat=1)["code"] == "seat_taken"
    refused = desk.ask(EVE, "sit", table=name, name="Eve", seat=3)
    assert (refused["code"], refused["message"]) == (
        "no_seat", "This table has no seat 4; its seats are 1 to 3."
    )  # fmt: skip
    assert table.held_by(ANN) == [1]
    assert table.others(ANN) == {0}
    assert table.others(EVE) == {0, 1}


def test_a_game_for_two_ends_when_one_resigns_and_one_for_more_goes_on():
    for kinds, words in ((("open", "open"), "Ann resigns, and Bea wins."), (("open", "open", "bot"), "")):
        desk = Desk()
        name = desk.open(*kinds)
        for link, called in ((ANN, "Ann"), (BEA, "Bea")):
            desk.ask(link, "sit", table=name, name=called)
        table = desk.service.tables[name]
        assert table.words_of_resignation(0) == words
        assert table.outlasts_a_resignation == (not words)
        table.resign(0, "rookie", words)
        found = (table.ended, table.resigned, bool(table.aside))
        assert found == ((True, 0, True) if words else (False, None, False))
        assert table.seats[0].kind == ("person" if words else "bot")
        assert table.company[0] == ("Ann" if words else "Ann (bot)")
        assert table.seats[0].present, "a bot is always there"


def test_bots_hurry_where_it_was_agreed_or_nobody_is_left_to_play_itself():
    desk = Desk()
    name = desk.open("open", "bot")
    desk.ask(ANN, "sit", table=name, name="Ann")
    table = desk.service.tables[name]
    assert not table.hurries
    table.hurry = Hurry("turn", 0)
    assert table.hurries
    table.hurry = None
    table.hand_over(0, "guide")
    assert table.hurries
    table.hand_over(0, "")
    assert not table.hurries
    alone = Desk()
    assert not alone.service.tables[alone.open("bot", "bot")].hurries, "a game of bots alone"


def test_a_table_with_a_code_says_so_and_opens_to_it_alone():
    desk = Desk()
    locked, free = (desk.open("open", "open", **more) for more in ({"code": "owl"}, {}))
    facts = [desk.service.tables[name].facts()["code"] for name in (locked, free)]
    assert facts == [True, False]
    table = desk.service.tables[locked]
    table.check_code("owl")
    for wrong in (None, "", "cat"):
        with pytest.raises(Refused, match="wrong code"):
            table.check_code(wrong)
    for code in (None, "", "owl"):
        desk.service.tables[free].check_code(code)


def test_an_update_tells_what_was_undone_and_no_other_one_does():
    desk, name = seated(start=position())
    for action in (NORTH, BACK):
        assert desk.act(ANN, name, 0, action)["type"] == "done"
    assert "undid" not in desk.published[-1]
    done = desk.service.tables[name].seq
    for number in (1, 2):
        assert desk.ask(ANN, "undo", table=name, seat=0, seq=done + number - 1)["type"] == "done"
        update = next(each for each in reversed(desk.published) if each["type"] == "update")
        assert (update["seq"], update["undid"]) == (done + number, done + 1 - number)


def test_an_entry_of_the_journal_has_the_step_after_it():
    table = started(position())
    acted = table.act(0, table.seq, NORTH)
    table.commit(acted)
    undid = table.undo(0, table.seq)
    assert [(each.seq, each.entry.seq) for each in (acted, undid)] == [(2, 2), (3, 3)]
    table.commit(undid)
    table.retrace(0, 4)
    assert table.seq == 7
    assert not table.current(0, 6)
    assert table.current(0, 7)
    assert table.current(1, 1), "the other seat has nothing to choose anew"


def test_who_plays_is_in_the_record_as_a_person_or_as_a_bot_of_its_level():
    desk = Desk()
    name = desk.open("open", "bot")
    desk.ask(ANN, "sit", table=name, name="Ann")
    seats = desk.service.tables[name].record()[0]["seats"]
    assert [(seat["kind"], seat.get("level", "")) for seat in seats] == [
        ("person", ""),
        ("bot", next(iter(games.get("the-cave").bots))),
    ]


def test_questions_are_numbered_one_after_the_other():
    table = started()
    assert [table.next_proposal() for _ in range(3)] == [1, 2, 3]


def test_nobody_sits_down_where_the_game_was_set_aside_or_is_over():
    table = started()
    table.stand(0)
    assert table.find_seat(None) == 0
    table.set_aside("It was set aside.")
    assert not table.to_act
    assert table.options(1) == ()
    with pytest.raises(Refused, match=r"^It was set aside\.$"):
        table.find_seat(0)
    with pytest.raises(Refused, match=r"^It was set aside\.$"):
        table.act(1, table.seq, PACK)


def test_a_seat_that_becomes_free_keeps_its_name_only_in_a_running_game():
    running, waiting = started(), Table("t", SETUP)
    waiting.sit(0, "Ann", "key-a", ANN)
    for table, team in ((running, "Ann"), (waiting, "")):
        table.stand(0)
        assert (table.seats[0].kind, table.seats[0].name, table.seats[0].team) == ("open", "", team)
        assert table.names[0] == team


def test_what_is_undone_was_chosen_now_and_by_a_seat_that_plays():
    table = started(position())
    chosen = table.seq
    table.commit(table.act(0, chosen, NORTH))
    for seat, seq, code in (
        (0, chosen, "stale"),
        (2, table.seq, "no_seat"),
        (1, table.seq, "nothing_to_undo"),
    ):
        with pytest.raises(Refused) as refused:
            table.undo(seat, seq)
        assert refused.value.code == code
    with pytest.raises(Refused) as refused:
        Table("t", SETUP).undo(0, 0)
    assert refused.value.code == "not_started"


def test_who_has_nothing_to_choose_is_never_too_late():
    """What a seat without a turn asks is refused by the rules, whenever it looked last."""
    table = started(position())
    assert table.current(1, 0)
    assert not table.current(0, 0)
    assert not table.current(1, table.seq + 1)
