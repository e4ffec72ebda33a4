"""Seats, stand-ins, offers and openings at their edges: who counts as whom, and how much is just enough."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from cave import codec, protocol
from cave.game import BadData
from server.tables import opening
from server.tables.seat import Seat
from server.tables.setup import Setup
from server.tables.table import Table
from tests.server.kit import ANN, BEA, position

HERE, THERE = b"here", b"there"
NORTH = {"type": "move", "to": [0, -2], "by": "foot"}
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


# Those who are away


# Offers of bots


# Openings


def opened(**more: Any) -> Any:
    form = {"id": "1", "game": "the-cave", "seats": [{"kind": "open"}] * 2, **more}
    message = msgspec.convert(form, protocol.Open)
    return opening.read(message, lambda: "any", "now", protocol.Absence())


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


def test_who_has_nothing_to_choose_is_never_too_late():
    """What a seat without a turn asks is refused by the rules, whenever it looked last."""
    table = started(position())
    assert table.current(1, 0)
    assert not table.current(0, 0)
    assert not table.current(1, table.seq + 1)
