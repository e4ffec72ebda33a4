"""Tables, seats, bots and wrong codes are counted by address: keys are free (PROTOCOL.md, promise 4)."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from cave import codec
from server.clients.limits import FREE_GUESSES, LONGEST_WAIT, CodeGuesses, Limits
from server.journal.restore import restore_all
from server.tables.effects import Entry, Line
from tests.server.kit import Desk

BOSS = "owner's key"
SEATS = [{"kind": "open"}] * 2
HOME, AWAY = "192.0.2.1", "198.51.100.7"


def desk(**limits: Any) -> Desk:
    return Desk(limits=Limits(rate=1e6, burst=1e6, links=10**6, **limits), owners=(BOSS,))


def newcomer(where: Desk, address: str, key: str = "") -> bytes:
    """A connection from there, with a fresh key or this one."""
    link = f"link {len(where.addresses)}".encode()
    where.addresses[link] = address
    where.peers[link] = key or f"key {len(where.peers)}"
    return link


def open_table(where: Desk, address: str, key: str = "", seats: Any = SEATS) -> Any:
    return where.ask(newcomer(where, address, key), "open", game="the-cave", seats=seats)


def test_new_keys_share_the_table_limit_of_their_address():
    where = desk(tables_address=3)
    for _ in range(3):
        assert open_table(where, HOME)["type"] == "opened"
    assert open_table(where, HOME)["code"] == "full"
    assert open_table(where, AWAY)["type"] == "opened"
    assert open_table(where, HOME, BOSS)["type"] == "opened"


def test_networks_of_one_customer_share_limits_of_tables_and_seats():
    where = desk(tables_address=3, seats_address=2)
    networks = [f"2001:db8:0:12{digit:02x}::/64" for digit in range(4)]
    tables = [open_table(where, each)["table"] for each in networks[:3]]
    assert open_table(where, networks[3])["code"] == "full"
    sat = [
        where.ask(newcomer(where, each), "sit", table=table, name="Ann")
        for each, table in zip(networks, tables, strict=False)
    ]
    assert [each.get("code", "seated") for each in sat] == ["seated", "seated", "full"]


def test_the_table_of_the_owner_is_never_driven_out():
    where = desk(tables=4)
    owned = open_table(where, HOME, BOSS)["table"]
    for number in range(80):
        assert open_table(where, f"203.0.113.{number}")["type"] == "opened"
    assert owned in where.service.tables
    assert len(where.service.tables) == 4


def test_a_seat_at_each_table_does_not_fill_a_host_for_others():
    where = desk(tables=8)
    for _ in range(8):
        greedy = newcomer(where, HOME)
        table = where.ask(greedy, "open", game="the-cave", seats=SEATS)["table"]
        assert where.ask(greedy, "sit", table=table, name="Me")["type"] == "seated"
    # The share of the greedy one once the others have theirs.
    for _ in range(4):
        honest = newcomer(where, AWAY)
        table = where.ask(honest, "open", game="the-cave", seats=SEATS)["table"]
        assert where.ask(honest, "sit", table=table, name="Ann")["type"] == "seated"
    shares = [table.setup.opener for table in where.service.tables.values()]
    assert shares.count(HOME) == shares.count(AWAY) == 4


def test_a_game_begun_by_people_is_kept():
    where = desk(tables=2)
    ann, bea = newcomer(where, HOME), newcomer(where, AWAY)
    table = where.ask(ann, "open", game="the-cave", seats=SEATS)["table"]
    where.ask(ann, "sit", table=table, name="Ann")
    where.ask(bea, "sit", table=table, name="Bea")
    for _ in range(20):
        open_table(where, "203.0.113.9")
    assert table in where.service.tables


def bots(number: int) -> Any:
    """Return this many bots, and a seat for another player."""
    return [*[{"kind": "bot", "level": "rookie"}] * number, {"kind": "open"}]


def test_an_address_may_have_sixteen_bots_or_as_many_as_configured():
    """PROTOCOL.md, promise 4: the limit itself is allowed."""
    where = desk()
    for number in (4, 4, 4, 4):
        assert open_table(where, HOME, seats=bots(number))["type"] == "opened"
    assert open_table(where, HOME, seats=bots(1))["code"] == "full"
    assert open_table(where, HOME)["type"] == "opened", "a table without bots adds none"
    none = desk(bots_address=0)
    assert open_table(none, HOME, seats=bots(1))["code"] == "full"
    assert open_table(none, HOME)["type"] == "opened"


def test_bots_and_seats_are_counted_by_address():
    where = desk(bots_address=3, seats_address=3)
    assert open_table(where, HOME, seats=bots(2))["type"] == "opened"
    assert open_table(where, HOME, seats=bots(2))["code"] == "full"
    assert open_table(where, HOME, seats=bots(1))["type"] == "opened", "as many as it may, and not one fewer"
    assert open_table(where, HOME, seats=bots(1))["code"] == "full"
    tables = [open_table(where, HOME)["table"] for _ in range(2)]
    for number, table in enumerate([tables[0], tables[0], tables[1]]):
        sat = where.ask(newcomer(where, HOME), "sit", table=table, name=f"P{number}")
        assert sat["type"] == "seated"
    assert where.ask(newcomer(where, HOME), "sit", table=tables[1], name="Q")["code"] == "full"
    assert where.ask(newcomer(where, AWAY), "sit", table=tables[1], name="Q")["type"] == "seated"


def test_shares_are_the_same_after_a_restart():
    where = desk(tables_address=2)
    open_table(where, HOME)
    open_table(where, AWAY, BOSS)
    lines = [
        Line(Entry(table.id, "opened", codec.to_json(table.setup), 0), None) for table in where.service.tables.values()
    ]
    again = restore_all(lines)
    assert [(each.setup.opener, each.setup.by_owner) for each in again.tables] == [(HOME, False), (AWAY, True)]


def guess(where: Desk, table: str, code: str, address: str = HOME) -> Any:
    name = "Eve" if address == HOME else "Gus"
    return where.ask(newcomer(where, address), "sit", table=table, name=name, code=code)


def test_new_keys_guess_codes_no_faster():
    where = desk()
    table = where.ask(newcomer(where, AWAY), "open", game="the-cave", seats=SEATS, code="owl")["table"]
    tried = 0
    for _ in range(720):
        where.now += 5
        for number in range(2):
            tried += guess(where, table, str(number))["code"] == "wrong_code"
    # In an hour ten doublings, and then one each five minutes.
    assert FREE_GUESSES < tried < FREE_GUESSES + 10 + 3600 / LONGEST_WAIT + 1
    refused = guess(where, table, "owl")
    assert refused["code"] == "too_fast"
    assert "seconds" in refused["message"]
    assert guess(where, table, "owl", AWAY)["type"] == "seated"
    where.now += LONGEST_WAIT
    assert guess(where, table, "owl")["type"] == "seated"


@given(st.lists(st.integers(0, 1000), max_size=60))
def test_waiting_times_grow_up_to_a_limit(pauses: list[int]):
    guesses, now, before = CodeGuesses(), 0.0, 0.0
    for number, pause in enumerate(pauses, 1):
        now += guesses.wait_for_guess("table", HOME, now)
        assert guesses.wait_for_guess("table", HOME, now) == 0
        guesses.note_wrong_code("table", HOME, now)
        wait = guesses.wait_for_guess("table", HOME, now)
        assert before <= wait <= LONGEST_WAIT
        assert (wait > 0) == (number > FREE_GUESSES)
        before = wait
        now += pause
    assert guesses.wait_for_guess("other table", HOME, now) == guesses.wait_for_guess("table", AWAY, now) == 0
