"""The messages in a host's window: people who come and go, games that begin and end, and no secrets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from server import host_news
from server.host_news import BURST, RATE, HostNews
from tests.server.kit import ANN, BEA, EVE, Desk, position
from tests.server.memory import MemoryJournal

EMPTY = "Nothing is open."
FOLDER = Path("games")


class Window:
    """A host and the sentences about it."""

    def __init__(self, desk: Desk | None = None, empty: str = EMPTY) -> None:
        self.desk = desk or Desk()
        self.news = HostNews(self.desk.service.clients, host_news.Window(print, empty, FOLDER))
        self.now = 0.0

    def look(self) -> list[str]:
        """Return the sentences about events since the last look."""
        self.now += 60.0
        return self.news.news_lines(self.now)


def test_the_owner_is_notified_of_a_full_disk_and_of_its_end():
    window = Window()
    window.look()
    window.desk.service.clients.unsaved = "The disk is full."
    assert window.look() == [f"The disk is full. The games are in {FOLDER}."]
    assert window.look() == []
    window.desk.service.clients.unsaved = ""
    assert window.look() == ["The host can save the games again, and they continue."]


def seated() -> tuple[Window, str]:
    """A table called Evening at which Ann and Bea play; all of that is in the window."""
    window = Window()
    desk = window.desk
    table = desk.seated(title="Evening", start={**position(), "turns_left": 1})
    window.look()
    return window, table


def test_an_evening_at_a_host():
    window = Window()
    desk = window.desk
    assert window.look() == [EMPTY]
    assert window.look() == []
    desk.ask(ANN, "hello", protocol=1, name="Ann")
    assert window.look() == ["Ann comes in."]
    table = desk.open("open", "open", title="Evening", start={**position(), "turns_left": 1})
    where = f"table {table} (Evening)"
    assert window.look() == [f"T{where[1:]} is open: 2 free seats."]
    desk.ask(ANN, "sit", table=table, name="Ann")
    assert window.look() == [f"Ann takes seat 1 at {where}."]
    desk.ask(BEA, "sit", table=table, name="Bea")
    assert window.look() == [f"Bea takes seat 2 at {where}.", f"The game at {where} begins: Ann and Bea."]
    desk.take(desk.service.clients.connection_lost(BEA, 0.0))
    assert window.look() == [f"Bea is away at {where}."]
    desk.ask(ANN, "stand", table=table, seat=0)
    assert window.look() == [f"Seat 1 at {where} is free again: Ann no longer holds it."]
    desk.ask(EVE, "sit", table=table, name="Eve")
    assert window.look() == [f"Eve takes seat 1 at {where}."]
    desk.act(EVE, table, 0, {"type": "end_turn"})
    (told,) = window.look()
    assert told.startswith(f"The game at {where} is over: ")
    desk.take(desk.service.changes.close_table(desk.service.tables[table]))
    assert window.look() == [f"T{where[1:]} is closed.", EMPTY]
    desk.take(desk.service.clients.connection_lost(ANN, 0.0))
    assert "Ann leaves." in window.look()


def test_the_winner_is_announced():
    window, table = seated()
    here = window.desk.service.tables[table]
    window.desk.act(ANN, table, 0, {"type": "end_turn"})
    (told,) = window.look()
    winners = [here.names[line.seat] for line in here.standing if line.winner]
    assert winners
    assert all(name in told for name in winners)


def test_a_resignation_that_ends_a_game_is_announced():
    window, table = seated()
    window.desk.ask(ANN, "propose", table=table, seat=0, what="resign")
    number = window.desk.service.tables[table].asked
    window.desk.ask(BEA, "agree", table=table, seat=1, number=number)
    assert window.look() == [f"The game at table {table} (Evening) is over: Ann resigns, and Bea wins."]
    assert window.look() == []


def test_a_game_stopped_by_an_error_is_announced():
    window, table = seated()
    window.desk.take(window.desk.service.changes.set_aside(window.desk.service.tables[table], ValueError(), 0.0))
    (told,) = window.look()
    assert told.startswith(f"The game at table {table} (Evening) is stopped: An error")


def test_games_of_an_earlier_run_are_listed_but_not_as_new():
    desk = Desk(journal=(journal := MemoryJournal()))
    table = desk.open("open", "open", title="Evening", seed="x")
    desk.ask(ANN, "sit", table=table, name="Ann")
    again = Desk(journal=journal)
    again.service.restore()
    window = Window(again)
    assert window.news.restored == [f"Table {table} (Evening) is back: Ann and 1 free seat."]
    assert window.look() == []


def test_a_crowd_is_counted():
    window = Window()
    for number in range(40):
        window.desk.ask(b"guest %d" % number, "hello", protocol=1, name=f"G{number}")
    assert window.look()[0] == "40 guests come in."
    for number in range(40):
        window.desk.take(window.desk.service.clients.connection_lost(b"guest %d" % number, 0.0))
    assert window.look() == ["40 guests leave."]


def test_repeated_sitting_and_standing_does_not_fill_the_window():
    window, table = seated()
    told: list[str] = []
    for step in range(1000):
        window.desk.ask(ANN, *("stand",) if step % 2 else ("sit",), table=table, **_fields(step))
        told += window.news.news_lines(window.now + step / 10)
    assert BURST < len(told) <= BURST + RATE * 100
    told += window.look()
    window.desk.ask(ANN, "say", table=table, text="hm")
    assert any("lines were left out" in line for line in told)


def _fields(step: int) -> dict[str, Any]:
    return {"seat": 0} if step % 2 else {"seat": 0, "name": "Ann"}


def test_names_are_cleaned_in_the_window_and_secrets_left_out():
    window = Window()
    desk = window.desk
    desk.ask(EVE, "hello", protocol=1, name="E\x1b[2J\nve")
    table = desk.open("open", "open", title="T\x07\u202eable", code="Quokka7", seed="Wombat5")
    seat = desk.ask(ANN, "sit", table=table, name="An\x9b\rn", code="Quokka7")
    desk.ask(ANN, "say", table=table, text="Bilby9")
    told = "".join(window.look())
    assert told.isprintable()
    for hidden in ("Quokka7", "Wombat5", "Bilby9", seat["key"]):
        assert hidden not in told
