"""A bot that can no longer win offers to resign to the only other player, who may play on."""

from __future__ import annotations

from typing import Any

import pytest

from cave import codec, games
from cave.game import Json
from tests.cave.builders import position, team
from tests.server.kit import ANN, BEA, Desk
from tests.server.memory import MemoryJournal

LEVEL = next(iter(games.game_info("the-cave").bots))
RICH = {"photo": 5, "water": 4, "traverse": 4, "depth": [25, 50]}
BEHIND = games.game_info("the-cave").resigns_behind


def far_behind(*others: Json, tokens: Json = None) -> Json:
    """A position in which Ana is far ahead, and the bot Bea ends its turn at the base."""
    poor = [team(name="Bea", consumable=4), *others]
    return position(ana=team(tokens=RICH if tokens is None else tokens), others=poor, seat=1)


def playing(start: Json, *kinds: str, people: int = 1) -> tuple[Desk, str]:
    """A game that continues from there, with Ann on the first seat."""
    desk = Desk(journal=MemoryJournal())
    table = desk.open(*kinds, start=start)
    for link, name in ((ANN, "Ann"), (BEA, "Bea"))[:people]:
        desk.ask(link, "sit", table=table, name=name)
    return desk, table


def bot_ends_turn(desk: Desk, table: str, seat: int = 1) -> None:
    here = desk.service.tables[table]
    desk.take(desk.service.changes.play_bot(table, seat, here.seq, {"type": "end_turn"}, desk.now))


def offer(desk: Desk, table: str, seat: int = 1) -> Any:
    """Return the request to Ann once the bot knows that it is lost; None if there is none."""
    desk.take(desk.service.changes.offer_to_resign(table, seat, desk.now))
    proposal = desk.service.tables[table].proposal
    return None if proposal is None else codec.to_json(proposal.as_line())


def test_the_bot_is_asked_as_its_turn_ends_and_gets_its_own_view() -> None:
    desk, table = playing(far_behind(), "open", "bot")
    assert not desk.asked_whether_lost
    bot_ends_turn(desk, table)
    (asked,) = desk.asked_whether_lost
    assert (asked.seat, asked.game, asked.view["viewer"]) == (1, "the-cave", 1)
    assert "stacks" not in asked.view


@pytest.mark.parametrize("photos", range(1, 7))
def test_no_offer_without_a_large_lead(photos: int) -> None:
    desk, table = playing(far_behind(tokens={"photo": photos, "water": 3}), "open", "bot")
    ahead, behind = desk.service.tables[table].standing
    bot_ends_turn(desk, table)
    assert bool(desk.asked_whether_lost) == ((ahead.total or 0) - (behind.total or 0) >= BEHIND)


def test_accepting_the_offer_wins_and_ends_the_game() -> None:
    desk, table = playing(far_behind(), "open", "bot")
    asked = offer(desk, table)
    assert (asked["seat"], asked["what"], asked["waits_for"]) == (1, "resign", [0])
    assert desk.ask(ANN, "agree", table=table, seat=0, number=asked["number"])["done"] is True
    assert desk.service.tables[table].resigned
    assert desk.service.tables[table].aside == f"{LEVEL.capitalize()} (bot) resigns, and Ann wins."


def test_a_declined_offer_is_not_repeated() -> None:
    desk, table = playing(far_behind(), "open", "bot")
    number = offer(desk, table)["number"]
    assert desk.ask(ANN, "agree", table=table, seat=0, number=number, agree=False)["done"] is False
    bot_ends_turn(desk, table)
    assert not desk.asked_whether_lost
    assert offer(desk, table) is None
    assert not desk.service.tables[table].ended


def test_an_offer_does_not_block_other_requests() -> None:
    desk, table = playing(far_behind(), "open", "bot")
    number = offer(desk, table)["number"]
    hurry = desk.ask(ANN, "propose", table=table, seat=0, what="hurry", until="end")
    assert hurry["done"] is True
    assert desk.ask(ANN, "agree", table=table, seat=0, number=number)["code"] == "stale"


@pytest.mark.parametrize("more", ["open", "bot"])
def test_among_more_than_two_no_bot_offers_to_resign(more: str) -> None:
    start = far_behind(team(name="Cid", consumable=4))
    desk, table = playing(start, "open", "bot", more, people=2 if more == "open" else 1)
    bot_ends_turn(desk, table)
    assert not desk.asked_whether_lost
    assert offer(desk, table) is None


def test_no_offer_between_two_bots_or_two_people() -> None:
    desk, table = playing(far_behind(), "bot", "bot", people=0)
    bot_ends_turn(desk, table)
    assert not desk.asked_whether_lost
    assert offer(desk, table) is None
    desk, table = playing(far_behind(), "open", "open", people=2)
    assert offer(desk, table) is None


def test_no_offer_to_absent_players_or_handed_over_seats() -> None:
    desk, table = playing(far_behind(), "open", "bot")
    desk.ask(ANN, "propose", table=table, seat=0, what="hand_over", level=LEVEL)
    assert offer(desk, table) is None
    desk, table = playing(far_behind(), "open", "bot")
    desk.take(desk.service.clients.connection_lost(ANN, desk.now))
    assert offer(desk, table) is None


def test_an_answer_after_the_end_changes_nothing() -> None:
    desk, table = playing({**far_behind(), "turns_left": 2, "stacks": [[], [], [], []]}, "open", "bot")
    number = offer(desk, table)["number"]
    here = desk.service.tables[table]
    bot_ends_turn(desk, table)
    desk.act(ANN, table, 0, {"type": "end_turn"})
    assert here.status == "over"
    assert desk.ask(ANN, "agree", table=table, seat=0, number=number)["code"] == "game_over"
    assert not here.resigned


def test_a_closed_table_makes_no_offer() -> None:
    desk, _ = playing(far_behind(), "open", "bot")
    assert desk.service.changes.offer_to_resign("no-table", 1, desk.now) == []
