"""Requests to the other players: resign, hand over to a bot, bots without pause; and their consent."""

from __future__ import annotations

from typing import Any

import pytest

from cave import games, record
from server.tables.effects import Ended, Entry, NotKept, SavedReply
from tests.server.kit import ANN, BEA, EVE, PACK, Desk, come_back
from tests.server.memory import MemoryJournal

GAME = "the-cave"
LEVEL = next(reversed(list(games.game_info(GAME).bots)))


def table_of(desk: Desk, people: int, bots: int, game: str = GAME) -> str:
    """A running game with this many people (Ann, Bea, Eve) and bots."""
    table = desk.open(*["open"] * people, *["bot"] * bots, game=game)
    for link, name in ((ANN, "Ann"), (BEA, "Bea"), (EVE, "Eve"))[:people]:
        desk.ask(link, "sit", table=table, name=name)
    return table


def propose(desk: Desk, link: bytes, table: str, seat: int, what: str, **more: Any) -> Any:
    return desk.ask(link, "propose", table=table, seat=seat, what=what, **more)


def agreement(desk: Desk) -> Any:
    return next(each for each in reversed(desk.published) if each["type"] == "agreement")


def seat_of(desk: Desk, table: str, seat: int) -> Any:
    return desk.ask(EVE, "watch", table=table)["seats"][seat]


def test_resigning_in_a_game_for_two_ends_it_and_the_record_replays() -> None:
    desk = Desk(journal=(journal := MemoryJournal()))
    table = table_of(desk, 1, 1)
    assert desk.act(ANN, table, 0, PACK)["type"] == "done"
    assert propose(desk, ANN, table, 0, "resign")["done"] is True
    shown = desk.ask(EVE, "watch", table=table)
    assert shown["set_aside"] == "Ann resigns, and Novice (bot) wins."
    assert "set_aside" in [each["type"] for each in desk.published]
    view = desk.view(ANN, 0)
    assert desk.ask(ANN, "act", table=table, seat=0, seq=view["seq"], action={})["code"] == "set_aside"
    assert propose(desk, ANN, table, 0, "resign")["code"] == "set_aside"
    (finished,) = desk.finished
    assert desk.ended == [Ended(table, GAME, ("Novice",), "Ann")]
    replayed = record.replay(record.write(finished.record).splitlines(keepends=True))
    assert replayed.game.name == GAME
    come_back(desk, journal)
    assert desk.ask(EVE, "watch", table=table)["set_aside"] == "Ann resigns, and Novice (bot) wins."
    assert len(desk.ended) == 1
    assert not desk.service.has_unfinished_games


def test_resigning_among_more_players_hands_the_seat_to_a_bot() -> None:
    desk = Desk(journal=(journal := MemoryJournal()))
    table = table_of(desk, 1, 2)
    desk.bot_requests.clear()
    key = next(sent["key"] for to, sent in desk.sent if to == ANN and sent["type"] == "seated")
    assert propose(desk, ANN, table, 0, "resign", level=LEVEL)["done"] is True
    hurry = desk.service.tables[table].hurry
    assert hurry is not None, "only bots are left, and nobody waits for a pause"
    assert hurry.until == "end"
    for _ in range(2):
        seat = seat_of(desk, table, 0)
        assert (seat["name"], seat["kind"], seat["level"], seat["present"]) == ("Ann", "bot", LEVEL, True)
        assert desk.ask(ANN, "resume", table=table, seat=0, key=key)["code"] == "wrong_key"
        assert [(each.seat, each.level) for each in desk.bot_requests if each.seat == 0] == [(0, LEVEL)]
        desk.bot_requests.clear()
        come_back(desk, journal)
    lines = desk.ask(EVE, "record", table=table)["lines"]
    assert lines[0]["seats"][0] == {"name": "Ann", "kind": "bot", "level": LEVEL}


def test_a_bot_plays_to_the_end_and_the_owner_can_take_the_game_back() -> None:
    """If no remaining player waits for them, bots do not pause."""
    desk = Desk(journal=(journal := MemoryJournal()))
    table = table_of(desk, 1, 1)
    desk.bot_requests.clear()
    assert propose(desk, ANN, table, 0, "hand_over", level=LEVEL)["done"] is True
    (request,) = desk.bot_requests
    assert (request.seat, request.level, request.pace) == (0, LEVEL, 0.0)
    seat = seat_of(desk, table, 0)
    assert (seat["kind"], seat["stand_in"], seat["level"], seat["handed"]) == ("person", "bot", LEVEL, True)
    key = next(sent["key"] for to, sent in desk.sent if to == ANN and sent["type"] == "seated")
    come_back(desk, journal)
    assert seat_of(desk, table, 0)["level"] == LEVEL
    lines = desk.ask(EVE, "record", table=table)["lines"]
    assert lines[0]["seats"][0] == {"name": "Ann", "kind": "person", "level": LEVEL}
    desk.ask(ANN, "resume", table=table, seat=0, key=key)
    assert propose(desk, ANN, table, 0, "hand_over")["done"] is True
    assert "level" not in seat_of(desk, table, 0)
    lines = desk.ask(EVE, "record", table=table)["lines"]
    assert lines[0]["seats"][0] == {"name": "Ann", "kind": "person"}
    before = desk.service.tables[table].seq
    desk.take(desk.service.changes.play_bot(table, 0, request.seq, {}, desk.now))
    assert desk.service.tables[table].seq == before


def test_bots_do_not_pause_until_the_users_turn_or_the_end() -> None:
    desk = Desk()
    table = table_of(desk, 1, 1)
    here = desk.service.tables[table]
    assert propose(desk, ANN, table, 0, "hurry", until="turn")["done"] is True
    assert (agreement(desk)["hurry"], here.bots_hurry) == ("turn", True)
    choice = here.choices_of_seat(0)[0]
    action = here.game.action_json(here.game.idle(here.state, 0))
    assert choice
    desk.act(ANN, table, 0, action)
    assert (agreement(desk)["hurry"], here.bots_hurry) == ("turn", True) or 0 in here.to_act
    while 0 not in here.to_act:
        request = desk.bot_requests.pop()
        desk.take(desk.service.changes.play_bot(table, request.seat, here.seq, None, desk.now))
    assert (agreement(desk)["hurry"], here.bots_hurry) == ("", False)
    propose(desk, ANN, table, 0, "hurry", until="end")
    desk.act(ANN, table, 0, here.game.action_json(here.game.idle(here.state, 0)))
    assert here.bots_hurry
    propose(desk, ANN, table, 0, "hurry")
    assert not here.bots_hurry


@pytest.mark.parametrize(
    ("what", "more"), [("resign", {}), ("hand_over", {"level": LEVEL}), ("hurry", {"until": "end"})]
)
def test_with_other_people_a_request_waits_for_their_consent(what: str, more: dict[str, Any]) -> None:
    desk = Desk()
    table = table_of(desk, 2, 1)
    here = desk.service.tables[table]
    before = (seat_of(desk, table, 0), here.bots_hurry)
    asked = propose(desk, ANN, table, 0, what, **more)
    assert asked["done"] is False
    assert (seat_of(desk, table, 0), here.bots_hurry) == before
    told = agreement(desk)["proposal"]
    assert (told["what"], told["seat"], told["waits_for"]) == (what, 0, [1])
    assert desk.ask(EVE, "watch", table=table)["agreement"]["proposal"] == told
    refused = desk.ask(BEA, "agree", table=table, seat=1, number=asked["number"], agree=False)
    assert refused["done"] is False
    assert agreement(desk)["proposal"] is None
    assert (seat_of(desk, table, 0), here.bots_hurry) == before
    again = propose(desk, ANN, table, 0, what, **more)
    assert desk.ask(BEA, "agree", table=table, seat=1, number=again["number"])["done"] is True
    assert (seat_of(desk, table, 0), here.bots_hurry) != before


def test_only_the_holder_of_a_seat_can_request_or_answer() -> None:
    desk = Desk()
    table = table_of(desk, 2, 1)
    before = seat_of(desk, table, 0)
    for link, seat in ((BEA, 0), (EVE, 0), (EVE, 1), (ANN, 2)):
        assert propose(desk, link, table, seat, "resign")["code"] == "not_seated"
    assert propose(desk, ANN, table, 9, "resign")["code"] == "no_seat"
    number = propose(desk, ANN, table, 0, "resign")["number"]
    assert desk.ask(ANN, "agree", table=table, seat=1, number=number)["code"] == "not_seated"
    assert desk.ask(EVE, "agree", table=table, seat=1, number=number)["code"] == "not_seated"
    assert desk.ask(ANN, "agree", table=table, seat=0, number=number)["code"] == "stale"
    assert desk.ask(BEA, "agree", table=table, seat=1, number=number + 1)["code"] == "stale"
    assert propose(desk, BEA, table, 1, "resign")["code"] == "pending"
    assert seat_of(desk, table, 0) == before


def test_a_request_lapses_when_its_player_leaves_the_seat() -> None:
    desk = Desk()
    table = table_of(desk, 2, 1)
    number = propose(desk, ANN, table, 0, "resign")["number"]
    desk.ask(ANN, "stand", table=table, seat=0)
    assert agreement(desk)["proposal"] is None, "nobody is shown a question that cannot be answered"
    assert desk.ask(BEA, "agree", table=table, seat=1, number=number)["code"] == "stale"
    assert seat_of(desk, table, 0)["kind"] == "open"
    assert propose(desk, BEA, table, 1, "hurry", until="end")["done"] is True


def test_a_request_does_not_wait_for_a_seat_that_was_left() -> None:
    desk = Desk()
    table = table_of(desk, 3, 0)
    number = propose(desk, ANN, table, 0, "hurry", until="end")["number"]
    assert desk.ask(BEA, "agree", table=table, seat=1, number=number)["done"] is False
    desk.take(desk.service.changes.free_seat(desk.service.tables[table], 2, desk.now))
    assert agreement(desk)["proposal"] is None
    assert propose(desk, BEA, table, 1, "hurry", until="end")["done"] is False


def test_a_request_survives_a_newcomer_whose_seat_cannot_be_saved() -> None:
    class Full(MemoryJournal):
        full = False

        def append_entries(self, *entries: Entry, reply: SavedReply | None = None) -> None:
            if self.full:
                raise NotKept("The disk is full.")

    desk = Desk(journal=(journal := Full()))
    table = table_of(desk, 3, 0)
    desk.ask(EVE, "stand", table=table, seat=2)
    number = propose(desk, ANN, table, 0, "hurry", until="end")["number"]
    journal.full = True
    assert desk.ask(EVE, "sit", table=table, name="Eve")["code"] == "not_saved"
    assert desk.ask(BEA, "agree", table=table, seat=1, number=number)["done"] is True


def test_an_absent_player_must_also_agree() -> None:
    """Otherwise a player who cuts a rival's link could end the game."""
    desk = Desk()
    table = table_of(desk, 2, 0)
    desk.take(desk.service.clients.connection_lost(BEA, desk.now))
    assert propose(desk, ANN, table, 0, "resign")["done"] is False


def test_a_player_who_handed_over_to_a_bot_is_not_asked() -> None:
    """Otherwise the remaining players could neither resign nor let bots play."""
    desk = Desk()
    table = table_of(desk, 2, 0)
    number = propose(desk, BEA, table, 1, "hand_over", level=LEVEL)["number"]
    desk.ask(ANN, "agree", table=table, seat=0, number=number)
    assert propose(desk, ANN, table, 0, "hurry", until="end")["done"] is True
    assert propose(desk, ANN, table, 0, "resign")["done"] is True


def test_a_second_request_is_refused_naming_whose_answer_is_missing() -> None:
    desk = Desk()
    table = table_of(desk, 3, 0)
    number = propose(desk, ANN, table, 0, "hurry", until="end")["number"]
    assert "Answer that one first" in propose(desk, BEA, table, 1, "resign")["message"]
    desk.ask(BEA, "agree", table=table, seat=1, number=number)
    asked = propose(desk, BEA, table, 1, "resign")
    assert (asked["code"], "Answer" in asked["message"]) == ("pending", False)


def test_a_request_lapses_when_a_player_sits_down() -> None:
    desk = Desk()
    table = table_of(desk, 2, 1)
    desk.ask(BEA, "stand", table=table, seat=1)
    desk.ask(BEA, "sit", table=table, name="Bea", seat=1)
    number = propose(desk, ANN, table, 0, "resign")["number"]
    desk.ask(BEA, "stand", table=table, seat=1)
    desk.ask(EVE, "sit", table=table, name="Eve", seat=1)
    assert agreement(desk)["proposal"] is None
    assert desk.ask(EVE, "agree", table=table, seat=1, number=number)["code"] == "stale"


@pytest.mark.parametrize(
    "wrong", [{"what": "win"}, {"what": "resign", "level": "sage"}, {"what": "hurry", "until": "noon"}, {"what": 3}]
)
def test_an_invalid_request_is_refused_by_name(wrong: dict[str, Any]) -> None:
    desk = Desk()
    table = table_of(desk, 1, 1)
    assert desk.ask(ANN, "propose", table=table, seat=0, **wrong)["code"] == "bad_message"


def test_no_request_is_possible_before_the_start_or_after_the_end() -> None:
    desk = Desk()
    table = desk.open("open", "open")
    desk.ask(ANN, "sit", table=table, name="Ann")
    assert propose(desk, ANN, table, 0, "resign")["code"] == "not_started"


@pytest.mark.parametrize("name", games.game_names())
def test_a_game_with_actions_of_bots_only_is_not_resumable(name: str) -> None:
    """The start of a person's turn is not an action of that person."""
    desk, acted = Desk(), 0
    for _ in range(4):
        table = desk.service.tables[table_of(desk, 1, 1, name)]
        while bots := table.to_act - {0}:
            action = table.game.action_json(table.game.idle(table.state, min(bots)))
            desk.take(desk.service.changes.play_bot(table.id, min(bots), table.seq, action, desk.now))
            acted += 1
    assert acted
    assert not desk.service.has_unfinished_games
    desk.act(ANN, table.id, 0, table.game.action_json(table.game.idle(table.state, 0)))
    assert desk.service.has_unfinished_games


def test_two_players_refusing_each_other_cannot_block_a_third() -> None:
    desk = Desk()
    table = table_of(desk, 3, 0)

    def refuse(link: bytes, seat: int) -> None:
        number = agreement(desk)["proposal"]["number"]
        refused = desk.ask(link, "agree", table=table, seat=seat, number=number, agree=False)
        assert refused["type"] == "agreed"

    def ask(link: bytes, seat: int) -> str:
        reply = propose(desk, link, table, seat, "resign")
        return str(reply.get("code", reply["type"]))

    assert [ask(ANN, 0), ask(EVE, 2)] == ["proposed", "pending"]
    refuse(BEA, 1)
    assert [ask(ANN, 0), ask(BEA, 1)] == ["pending", "pending"]
    assert ask(EVE, 2) == "proposed"
    refuse(BEA, 1)
    # In the order of their refusals.
    assert [ask(EVE, 2), ask(BEA, 1), ask(ANN, 0)] == ["pending", "pending", "proposed"]
    refuse(EVE, 2)
    # It is Bea's turn to ask, but not for long. Requests that concern nobody else need not wait.
    for passed, answer in ((0.0, "pending"), (19.0, "pending"), (1.0, "proposed")):
        desk.now += passed
        desk.take(desk.service.do_timed_work(desk.now))
        assert propose(desk, EVE, table, 2, "hurry", until="")["done"]
        assert ask(EVE, 2) == answer
