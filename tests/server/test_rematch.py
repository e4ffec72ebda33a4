"""A rematch at the host: the same code, options and seats, reserved for the players."""

from __future__ import annotations

from itertools import count
from random import Random
from typing import Any

import pytest

from cave import games
from server.clients.limits import Limits
from server.table_changes import KEPT_FOR
from tests.server.kit import ANN, BEA, EVE, Desk, come_back, few_tiles
from tests.server.memory import MemoryJournal

GAME = "the-cave"
LEVEL = next(iter(games.game_info(GAME).bots))
CODE = "ruby"
KEYS = {ANN: "ann's key", BEA: "bea's key", EVE: "eve's key"}


def over(*, keys: bool = True, seats: int = 2, desk: Desk | None = None, **fields: Any) -> tuple[Desk, str]:
    """A game of Ann, Bea and bots with a code, ended by Ann's resignation (of two), or with a bot on her seat
    (of more).
    """
    desk = desk or Desk()
    desk.peers = dict(KEYS) if keys else {}
    kinds = ["open", "open", *["bot"] * (seats - 2)]
    table = desk.open(*kinds, code=CODE, title="Friday", **fields)
    for link, name in ((ANN, "Ann"), (BEA, "Bea")):
        assert desk.ask(link, "sit", table=table, name=name, code=CODE)["type"] == "seated"
    number = desk.ask(ANN, "propose", table=table, seat=0, what="resign", level=LEVEL)["number"]
    desk.ask(BEA, "agree", table=table, seat=1, number=number)
    if seats > 2:
        # Bea resigns, too: the bots' actions do not matter here.
        desk.ask(BEA, "propose", table=table, seat=1, what="resign", level=LEVEL)
        desk.service.tables[table].resigned = 0
    return desk, table


def key_of(desk: Desk, link: bytes, table: str) -> str:
    return next(m["key"] for to, m in desk.sent if to == link and m["type"] == "seated" and m["table"] == table)


def facts(desk: Desk, table: str) -> Any:
    return next(each for each in desk.ask(EVE, "tables")["tables"] if each["id"] == table)


def test_a_rematch_has_the_same_code_and_options_and_a_stranger_cannot_sit_down() -> None:
    absence = {"then": "skip", "after": 7}
    settings = {"edition": "french"}
    desk, old = over(seats=3, settings=settings, absence=absence, pace="slow", hints=False, seed="one")
    asked = desk.ask(BEA, "rematch", table=old)
    assert (asked["type"], asked["seats"]) == ("rematch", [1])
    new = asked["table"]
    before, after = facts(desk, old), facts(desk, new)
    for same in ("game", "title", "settings", "absence", "hints", "code"):
        assert after[same] == before[same], same
    assert after["code"] is True
    assert (before["set_up"], after["set_up"]) == (True, False), "chance is new"
    assert desk.service.tables[new].setup.pace == "slow"
    assert [(seat["kind"], seat.get("kept")) for seat in after["seats"]] == [
        ("open", "Ann"), ("open", "Bea"), ("bot", None),
    ]  # fmt: skip
    assert before["rematch"] == {"next": new, "seat": 1}
    assert desk.published[-1] == {"type": "rematch", "table": old, "next": new, "seat": 1}
    stranger = {"table": new, "name": "Eve"}
    assert desk.ask(EVE, "sit", **stranger)["code"] == "wrong_code"
    assert desk.ask(EVE, "sit", code=CODE, **stranger)["code"] == "full"
    assert desk.ask(EVE, "sit", code=CODE, seat=0, **stranger)["code"] == "seat_taken"
    assert desk.ask(BEA, "sit", table=new, name="Bea", seat=1)["seat"] == 1
    assert desk.ask(ANN, "rematch", table=old) == {**asked, "re": desk.sent[-1][1]["re"], "seats": [0]}
    assert desk.ask(ANN, "sit", table=new, name="Ann")["seat"] == 0, "she has resigned, and is expected"
    assert facts(desk, new)["status"] == "playing"


def test_the_code_opens_a_rematch_of_a_rematch() -> None:
    desk, table = over()
    for _ in range(2):
        desk.now += 60
        table = desk.ask(ANN, "rematch", table=table)["table"]
        assert desk.ask(EVE, "sit", table=table, name="Eve")["code"] == "wrong_code"
        assert desk.ask(EVE, "sit", table=table, name="Eve", code=CODE)["code"] == "full"
        for link, name in ((ANN, "Ann"), (BEA, "Bea")):
            seat = desk.ask(link, "sit", table=table, name=name, code=CODE)["seat"]
        number = desk.ask(BEA, "propose", table=table, seat=seat, what="resign", level=LEVEL)["number"]
        desk.ask(ANN, "agree", table=table, seat=1 - seat, number=number)


def test_a_player_without_a_key_joins_with_the_old_seats_key() -> None:
    desk, old = over(keys=False, seats=3)
    for link in (ANN, BEA):
        assert desk.ask(link, "rematch", table=old)["code"] == "not_seated", "a bot has the seat"
    key = key_of(desk, ANN, old)
    asked = desk.ask(ANN, "rematch", table=old, keys=[key])
    assert asked["seats"] == [0]
    new = asked["table"]
    assert desk.ask(EVE, "sit", table=new, name="Eve", key="wrong", code=CODE)["code"] == "full"
    assert desk.ask(ANN, "sit", table=new, name="Ann", key=key)["seat"] == 0


def test_only_players_ask_and_only_when_the_game_is_over() -> None:
    desk = Desk()
    table = desk.open("open", "bot")
    desk.ask(ANN, "sit", table=table, name="Ann")
    assert desk.ask(ANN, "rematch", table=table)["code"] == "not_over"
    assert desk.ask(EVE, "rematch", table=table)["code"] == "not_seated"
    assert desk.ask(ANN, "rematch", table=table, keys=["a", "b", "c"])["code"] == "bad_message"
    desk.ask(ANN, "propose", table=table, seat=0, what="resign")
    assert desk.ask(EVE, "rematch", table=table)["code"] == "not_seated"
    new = desk.ask(ANN, "rematch", table=table)["table"]
    watching = desk.ask(EVE, "rematch", table=table)
    assert (watching["table"], watching["seats"]) == (new, []), "who watched watches again"


def test_a_rematch_needs_no_right_to_open_tables_but_one_at_a_time_per_address() -> None:
    desk, old = over(desk=Desk(limits=Limits(rate=1e6, burst=1e6, tables_address=1, seats_each=1)))
    desk.service.guests_open = False
    desk.addresses = dict.fromkeys((ANN, BEA), "192.0.2.1")
    new = desk.ask(BEA, "rematch", table=old)["table"]
    assert desk.ask(BEA, "sit", table=new, name="Bea")["type"] == "seated"
    assert desk.ask(ANN, "sit", table=new, name="Ann")["type"] == "seated"
    number = desk.ask(ANN, "propose", table=new, seat=0, what="resign")["number"]
    desk.ask(BEA, "agree", table=new, seat=1, number=number)
    third = desk.ask(ANN, "rematch", table=new)["table"]
    assert desk.ask(BEA, "rematch", table=old)["code"] == "full", "one at a time from this address"
    assert desk.ask(ANN, "sit", table=third, name="Ann")["type"] == "seated"


def test_on_a_full_host_a_rematch_replaces_its_finished_game() -> None:
    desk, old = over(desk=Desk(limits=Limits(rate=1e6, burst=1e6, tables=1)))
    new = desk.ask(BEA, "rematch", table=old)["table"]
    assert {*desk.service.tables} == {old, new}
    desk.service.tables[new].resigned = 0
    newer = desk.ask(BEA, "rematch", table=new)["table"]
    assert {*desk.service.tables} == {new, newer}


def test_a_rematch_survives_a_restart() -> None:
    desk, old = over(desk=Desk(journal=(journal := MemoryJournal())))
    new = desk.ask(BEA, "rematch", table=old)["table"]
    come_back(desk, journal)
    assert facts(desk, old)["rematch"] == {"next": new, "seat": 1}
    assert desk.ask(EVE, "sit", table=new, name="Eve", code=CODE)["code"] == "full"
    assert desk.ask(ANN, "rematch", table=old)["table"] == new
    for link, name in ((ANN, "Ann"), (BEA, "Bea")):
        assert desk.ask(link, "sit", table=new, name=name)["type"] == "seated"
    come_back(desk, journal)
    assert [seat["name"] for seat in facts(desk, new)["seats"]] == ["Ann", "Bea"]


def test_seats_of_a_rematch_are_reserved_for_some_minutes() -> None:
    desk, old = over()
    new = desk.ask(BEA, "rematch", table=old)["table"]
    desk.ask(BEA, "sit", table=new, name="Bea")
    desk.now += KEPT_FOR - 1
    desk.take(desk.service.do_timed_work(desk.now))
    assert facts(desk, new)["seats"][0]["kept"] == "Ann"
    desk.now += 1
    desk.take(desk.service.do_timed_work(desk.now))
    assert desk.published[-1]["seats"][0] == {"name": "", "kind": "open", "present": False}
    assert desk.ask(ANN, "sit", table=new, name="Ann")["code"] == "wrong_code"
    assert desk.ask(ANN, "rematch", table=old)["seats"] == [0]
    desk.ask(ANN, "sit", table=new, name="Ann")
    desk.ask(ANN, "stand", table=new, seat=0)
    assert desk.ask(EVE, "sit", table=new, name="Eve", code=CODE)["seat"] == 0, "left is left"
    assert desk.ask(ANN, "rematch", table=old)["seats"] == []


@pytest.mark.parametrize("gone", ["closed", "over"])
def test_after_a_lost_or_finished_rematch_another_can_be_opened(gone: str) -> None:
    desk, old = over(desk=Desk(owners=(KEYS[ANN],)))
    new = desk.ask(BEA, "rematch", table=old)["table"]
    if gone == "closed":
        desk.ask(ANN, "close", table=new)
        assert "rematch" not in facts(desk, old)
    else:
        desk.service.tables[new].resigned = 0
    assert desk.ask(BEA, "rematch", table=old)["table"] not in (old, new)


def test_the_owner_can_free_a_seat_that_is_kept() -> None:
    desk, old = over(desk=Desk(owners=(KEYS[ANN],)))
    new = desk.ask(BEA, "rematch", table=old)["table"]
    assert desk.ask(ANN, "free", table=new, seat=1)["type"] == "freed"
    assert desk.ask(EVE, "sit", table=new, name="Eve", code=CODE)["seat"] == 1


def test_the_name_of_an_expected_player_is_reserved() -> None:
    desk, old = over(seats=2)
    new = desk.ask(BEA, "rematch", table=old)["table"]
    desk.service.tables[new].seats[1].claim = None
    assert desk.ask(EVE, "sit", table=new, name="Ann", code=CODE)["code"] == "name_taken"


def resign(desk: Desk, table: str, link: bytes) -> None:
    """End a game for two by this player's resignation; the other agrees, unless it is a bot."""
    here = desk.service.tables[table]
    (seat,) = here.held_by(link)
    asked = desk.ask(link, "propose", table=table, seat=seat, what="resign", level=LEVEL)
    if other := here.seats[1 - seat].holder:
        desk.ask(other, "agree", table=table, seat=1 - seat, number=asked["number"])


def restart(desk: Desk, journal: MemoryJournal) -> None:
    come_back(desk, journal)
    numbers = count(1 + len(journal.kept))
    desk.service.random_text = lambda: f"{next(numbers):08d}-later"


def again(desk: Desk, old: str) -> str:
    """Both join the next game, on their reserved seats."""
    new: str = desk.ask(BEA, "rematch", table=old)["table"]
    for link, name in ((BEA, "Bea"), (ANN, "Ann")):
        (seat,) = desk.ask(link, "rematch", table=old)["seats"]
        assert desk.ask(link, "sit", table=new, name=name, seat=seat)["type"] == "seated"
    return new


def test_a_series_keeps_its_score_through_restarts_and_players_change_seats() -> None:
    desk, first = over(desk=Desk(journal=(journal := MemoryJournal())), best_of=3)
    told = facts(desk, first)["series"]
    assert (told["of"], told["game"], told["wins"]) == (3, 1, [0, 1]), "Ann resigned"
    assert next(m for m in desk.published if m["type"] == "set_aside")["series"] == told
    restart(desk, journal)
    second = again(desk, first)
    assert [seat["name"] for seat in facts(desk, second)["seats"]] == ["Bea", "Ann"]
    assert facts(desk, second)["series"] == {
        "of": 3, "game": 2, "wins": [1, 0], "points": [*reversed(told["points"])],
    }  # fmt: skip
    resign(desk, second, BEA)
    restart(desk, journal)
    third = again(desk, second)
    assert [seat["name"] for seat in facts(desk, third)["seats"]] == ["Ann", "Bea"]
    assert (facts(desk, third)["series"]["game"], facts(desk, third)["series"]["wins"]) == (3, [1, 1])
    resign(desk, third, ANN)
    restart(desk, journal)
    assert facts(desk, third)["series"]["winners"] == [1], "Bea has won two of three"
    fresh = facts(desk, again(desk, third))["series"]
    assert (fresh["game"], fresh["wins"], fresh["points"]) == (1, [0, 0], [0, 0]), "another series"


@pytest.mark.parametrize("game", games.game_names())
def test_the_players_of_a_series_begin_in_turn(game: str) -> None:
    desk = Desk()
    desk.peers = dict(KEYS)
    table = desk.seated(game=game, best_of=7)
    first = []
    for link in (ANN, BEA) * 3:
        here = desk.service.tables[table]
        first.append(here.names[here.save_game()["position"]["turn"]["seat"]])
        resign(desk, table, link)
        table = again(desk, table)
    assert first in (["Ann", "Bea"] * 3, ["Bea", "Ann"] * 3)


def test_more_than_half_of_the_wins_end_a_series_at_once() -> None:
    desk, first = over(best_of=3)
    second = again(desk, first)
    resign(desk, second, ANN)
    told = facts(desk, second)["series"]
    assert (told["game"], told["wins"], told["winners"]) == (2, [2, 0], [0])


def test_the_last_update_of_a_game_has_its_wins_and_points() -> None:
    desk = Desk()
    table = desk.service.tables[desk.open("bot", "bot", best_of=3, start=few_tiles(2))]
    rng = Random(1)
    while table.to_act:
        assert "series" not in desk.published[-1], "the score changes at the end"
        desk.take(desk.service.changes.make_change(table, table.random_change(min(table.to_act), rng), desk.now))
    told = next(m for m in reversed(desk.published) if m["type"] == "update")["series"]
    won = [line.winner for line in table.standing]
    assert told["points"] == [line.total for line in table.standing]
    assert told["wins"] == (won if sum(won) == 1 else [0, 0])
    assert "winners" not in told


@pytest.mark.parametrize("best_of", [0, 2, 17, 10**9, "3"])
def test_a_series_has_an_odd_number_of_games_up_to_a_limit(best_of: Any) -> None:
    seats = [{"kind": "open"}, {"kind": "open"}]
    refused = Desk().ask(ANN, "open", game=GAME, seats=seats, best_of=best_of)
    assert (refused["code"], "best_of" in refused["message"]) == ("bad_message", True)
    assert Desk().ask(ANN, "open", game=GAME, seats=seats, best_of=15)["type"] == "opened"


def test_a_series_needs_more_than_one_player() -> None:
    refused = Desk().ask(ANN, "open", game="cave-vs-cave", seats=[{"kind": "open"}], best_of=3)
    assert refused["code"] == "bad_message"


def test_bots_of_one_level_keep_their_names_in_a_series() -> None:
    desk = Desk()
    desk.peers = dict(KEYS)
    table = desk.open("open", "bot", "bot", best_of=3)
    desk.ask(ANN, "sit", table=table, name="Ann")
    before = [seat["name"] for seat in facts(desk, table)["seats"]]
    for _ in range(2):
        desk.service.tables[table].resigned = 0
        table = desk.ask(ANN, "rematch", table=table)["table"]
        desk.ask(ANN, "sit", table=table, name="Ann")
    seats = [seat["name"] for seat in facts(desk, table)["seats"]]
    assert seats == [before[2], before[0], before[1]]


def test_in_a_round_robin_all_meet_once_even_after_restarts() -> None:
    desk = Desk(journal=(journal := MemoryJournal()))
    desk.peers, names = dict(KEYS), {ANN: "Ann", BEA: "Bea", EVE: "Eve"}
    table = desk.open("open", "open", "bot", "open", code=CODE, round_robin=True)
    for link, seat in ((ANN, 0), (BEA, 1), (EVE, None)):
        wanted = {"table": table, "name": names[link], "later": True}
        assert desk.ask(link, "sit", code="no", **wanted)["code"] == "wrong_code"
        assert desk.ask(link, "sit", code=CODE, **wanted).get("seat") == seat
        assert desk.ask(BEA, "sit", code=CODE, **wanted)["code"] in ("name_taken", "full")
    told = facts(desk, table)["series"]
    assert [player["name"] for player in told["players"]] == ["Ann", "Bea", LEVEL.capitalize(), "Eve"]
    assert next(m for m in reversed(desk.published) if m["type"] == "presence")["series"] == told
    assert desk.ask(EVE, "rematch", table=table)["code"] == "not_over"
    restart(desk, journal)
    for link, seat in ((ANN, 0), (BEA, 1)):
        desk.ask(link, "resume", table=table, seat=seat, key=key_of(desk, link, table))
    met = []
    for game in range(1, 7):
        met.append(here := facts(desk, table)["series"])
        assert (here["of"], here["game"]) == (6, game)
        pair = [told["players"][number]["name"] for number in here["sits"]]
        there = [link for link in names if names[link] in pair]
        for link in there if game > 1 else ():
            assert desk.ask(link, "sit", table=table, name=names[link])["seat"] == pair.index(names[link])
        resign(desk, table, there[0])
        told = facts(desk, table)["series"]
        out = next(link for link in names if link not in there)
        old, table = table, desk.ask(out, "rematch", table=table)["table"]
        assert desk.ask(there[0], "rematch", table=old)["table"] == table
        restart(desk, journal)
    assert len({frozenset(each["sits"]) for each in met}) == 6
    assert {sum(each["sits"][0] == number for each in met) for number in range(4)} == {1, 2}, "sides change"
    players = told["players"]
    assert [player["games"] for player in players] == [3] * 4
    assert sum(player["wins"] for player in players) == 6
    most = max((player["wins"], player["points"]) for player in players)
    assert all(("won" in player) == ((player["wins"], player["points"]) == most) for player in players)
    assert facts(desk, table)["series"] == {**met[0], "players": facts(desk, table)["series"]["players"]}


@pytest.mark.parametrize(
    "wrong", [{"seats": [{"kind": "open"}] * 2}, {"seats": [{"kind": "open"}] * 9}, {"best_of": 3}]
)
def test_a_round_robin_is_of_three_to_eight_players_and_a_series_already(wrong: Any) -> None:
    fields = {"game": GAME, "seats": [{"kind": "open"}] * 3, "round_robin": True, **wrong}
    assert Desk().ask(ANN, "open", **fields)["code"] == "bad_message"
