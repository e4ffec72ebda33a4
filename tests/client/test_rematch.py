"""A rematch: the first who asks opens a table, the others find it (README, Rematch)."""

from __future__ import annotations

from typing import Any

import pytest

from cave.game import Json
from client.launch import rematch
from client.table import Rejected, Seat
from tests.client.fake_session import FakeSession


def listed(number: str, title: str, *kinds: str, status: str = "waiting") -> dict[str, Json]:
    seats = [{"kind": kind, "name": "", "level": "rookie" if kind == "bot" else ""} for kind in kinds]
    return {
        "id": number,
        "title": title,
        "seats": seats,
        "status": status,
        "game": "the-cave",
        "settings": {},
    }


class Host:
    """A host with these tables; what is opened there is kept."""

    def __init__(self, *tables: dict[str, Json]) -> None:
        self._tables = list(tables)
        self.opened: list[dict[str, Any]] = []

    async def tables(self) -> list[Json]:
        return list(self._tables)

    async def open(self, game: str, **fields: Any) -> str:
        self.opened.append({"game": game, **fields})
        return "new"


def old_game() -> FakeSession:
    """A table at which Ann and Bea share a keyboard, and Cyd plays elsewhere."""
    session = FakeSession(("Ann", "Bea", "Cyd"), mine=(0, 1))
    people = (Seat("Ann", "person", mine=True), Seat("Bea", "person", mine=True), Seat("Cyd", "person"))
    session.evolve(seats=people)
    return session


@pytest.mark.parametrize(
    ("kinds", "status", "found"),
    [
        (("person", "open", "open"), "waiting", True),
        (("open", "open", "open"), "waiting", True),
        (("person", "person", "open"), "waiting", False),
        (("person", "open", "open"), "playing", False),
    ],
)
async def test_a_table_with_room_for_all_here_is_gone_to_and_else_one_is_opened(
    kinds: tuple[str, ...], status: str, found: bool
) -> None:
    session = old_game()
    number = session.state.table
    title = rematch.TITLE.format(table=number)
    host: Any = Host(
        listed(number, "", *["person"] * 3, status="over"), listed("a", title, *kinds, status=status)
    )
    assert await rematch.table_for(host, session, "slow") == ("a" if found else "new")
    if found:
        assert host.opened == []
    else:
        (opened,) = host.opened
        assert (opened["title"], opened["pace"]) == (title, "slow")
        assert [seat["kind"] for seat in opened["seats"]] == ["open"] * 3
        assert session.state.chat[-1].text == rematch.INVITATION


@pytest.mark.parametrize("status", ["waiting", "playing"])
async def test_who_watched_goes_to_the_table_of_the_rematch_and_never_opens_one(status: str) -> None:
    session = FakeSession(("Ann", "Bea"), mine=())
    number = session.state.table
    title = rematch.TITLE.format(table=number)
    old = listed(number, "", "person", "person", status="over")
    host: Any = Host(old, listed("a", title, "person", "person", status=status))
    assert await rematch.table_for(host, session, "usual") == "a"
    nobody: Any = Host(old)
    with pytest.raises(ConnectionError, match="The rematch is over"):
        await rematch.table_for(nobody, session, "usual")
    assert host.opened == nobody.opened == []


@pytest.mark.parametrize("watchers", [0, 1])
async def test_who_plays_alone_with_bots_tells_of_the_rematch_only_if_somebody_watches(watchers: int) -> None:
    session = FakeSession(("Ann", "Bea"), mine=(0,))
    session.evolve(seats=(Seat("Ann", "person", mine=True), Seat("Bea", "bot")), watchers=watchers)
    host: Any = Host(listed(session.state.table, "", "person", "bot", status="over"))
    assert await rematch.table_for(host, session, "usual") == "new"
    assert [line.text for line in session.state.chat] == [rematch.INVITATION] * watchers


async def test_a_host_that_has_cleared_the_old_table_away_cannot_give_a_rematch() -> None:
    host: Any = Host()
    with pytest.raises(ConnectionError, match="has closed that table"):
        await rematch.table_for(host, old_game(), "usual")


async def test_a_host_that_says_nothing_of_hints_allows_them_in_the_rematch() -> None:
    host: Any = Host(listed(old_game().state.table, "Old", "person", "person", "person", status="over"))
    await rematch.table_for(host, old_game(), "usual")
    assert [opened["hints"] for opened in host.opened] == [True]


class Chairs:
    """A host where only these seats are free: who sits down, and who watches."""

    def __init__(self, *free: int) -> None:
        self._free = free
        self.sat: list[tuple[str, int | None]] = []

    async def sit(self, _table: str, name: str, *, seat: int | None = None) -> str:
        if seat is not None and seat not in self._free:
            raise Rejected("seat_taken", "")
        self.sat.append((name, seat))
        return "seated"

    async def watch(self, _table: str) -> str:
        return "watching"


async def test_in_a_rematch_each_has_the_old_place_where_it_is_free_and_who_watched_watches() -> None:
    chairs: Any = Chairs(0, 2)
    assert await rematch.sit_down(chairs, "new", old_game()) == "seated"
    assert chairs.sat == [("Ann", 0), ("Bea", None)]
    watched = FakeSession(("Ann", "Bea"), mine=())
    assert await rematch.sit_down(chairs, "new", watched) == "watching"
    assert len(chairs.sat) == 2


@pytest.mark.parametrize(("status", "free"), [("waiting", 2), ("playing", 0), ("over", 0)])
def test_only_a_table_that_waits_has_seats_to_sit_down_at(status: str, free: int) -> None:
    assert rematch._free(listed("a", "A", "person", "open", "open", status=status)) == free


def test_who_asked_for_a_rematch_is_somebody_else() -> None:
    session = old_game()
    assert rematch.inviter(session.state) == ""
