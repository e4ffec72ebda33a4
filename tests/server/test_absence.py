"""An absent player: a stand-in plays, and the seat is taken back. The test has its own clock."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from cave import games
from cave.codec import BadData
from cave.protocol import MAX_AFTER, MAX_ALWAYS, MAX_CODE, Absence, Open, SeatSpec
from cave.wire import MAX_CHAT
from server.clients.limits import Limits
from server.service import Service
from server.tables.effects import AskBot
from server.tables.opening import read_setup
from tests.server.kit import ANN, BEA, EVE, NORTH, PACK, Desk, come_back, position, seated
from tests.server.memory import MemoryJournal

BOT = {"then": "bot", "after": 60}
SKIP = {"then": "skip", "after": 60}
SUGGESTED = {"consumable": 4, "rope": 1, "oxygen": 1, "camera": 1, "raft": 1}


def tick(desk: Desk, seconds: float) -> None:
    """Let time pass, with heartbeats of those who are still present."""
    end = desk.now + seconds
    while desk.now < end:
        desk.now = min(end, desk.now + 5.0)
        for link in desk.alive:
            desk.ask(link, "ping")
        desk.take(desk.service.do_timed_work(desk.now))


@pytest.fixture
def alive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Desk, "alive", (BEA, EVE), raising=False)


pytestmark = pytest.mark.usefixtures("alive")


def leave(desk: Desk, link: bytes = ANN) -> None:
    """The host finds a link cut."""
    desk.take(desk.service.clients.connection_lost(link, desk.now))
    desk.take(desk.service.do_timed_work(desk.now))


def presence(desk: Desk) -> Any:
    return next(each for each in reversed(desk.published) if each["type"] == "presence")


def seat_of(desk: Desk, number: int = 0) -> Any:
    return presence(desk)["seats"][number]


def turn(desk: Desk, table: str) -> Any:
    return desk.ask(EVE, "sync", table=table)["view"]["position"]["turn"]["seat"]


def key_of(desk: Desk, link: bytes = ANN) -> str:
    return next(sent["key"] for to, sent in desk.sent if to == link and sent["type"] == "seated")


def test_an_absent_player_is_shown_as_away_and_the_game_waits():
    desk, table = seated(start=position())
    leave(desk)
    assert seat_of(desk) == {"name": "Ann", "kind": "person", "present": False}
    tick(desk, 5_000)
    assert desk.service.tables[table].seq == 1
    assert desk.bot_requests == []


def test_after_the_limit_a_bot_plays_and_all_are_notified():
    desk, table = seated(start=position(), absence=BOT)
    leave(desk)
    tick(desk, 59)
    assert desk.bot_requests == []
    assert "stand_in" not in seat_of(desk)
    tick(desk, 1)
    assert [(request.seat, request.level) for request in desk.bot_requests] == [(0, "novice")]
    assert seat_of(desk)["stand_in"] == "bot"
    desk.take(desk.service.changes.play_bot(table, 0, 1, NORTH, desk.now))
    assert desk.service.tables[table].seq == 2
    # It continues until the turn is over, and is asked again at the next one.
    assert [request.seq for request in desk.bot_requests] == [1, 2]
    desk.take(desk.service.changes.play_bot(table, 0, 2, {"type": "end_turn"}, desk.now))
    assert turn(desk, table) == 1
    assert len(desk.bot_requests) == 2
    assert desk.act(BEA, table, 1, {"type": "end_turn"})["type"] == "done"
    assert desk.bot_requests[-1].seat == 0
    assert len(desk.bot_requests) == 3


@pytest.mark.parametrize("back", ["resume", "sign of life"])
def test_the_seat_returns_to_its_owner_at_once(back: str):
    desk, table = seated(start=position(), absence=BOT)
    key = key_of(desk)
    if back == "resume":
        leave(desk)
        tick(desk, 60)
        again = b"link-ann-again"
        assert desk.ask(again, "resume", table=table, seat=0, key=key)["type"] == "seated"
    else:
        # The views sent to probe the link mean nothing here: the service alone cannot see that it is gone.
        again = ANN
        desk.service.clients.set_present(ANN, False)
        desk.service.clients.guests[ANN].quiet = True
        tick(desk, 65)
        desk.published.clear()
        assert desk.ask(again, "ping")["type"] == "pong"
        shown = [each["seats"][0] for each in desk.published if each["type"] == "presence"]
        assert not any(seat["present"] and "stand_in" in seat for seat in shown)
    assert desk.bot_requests
    assert seat_of(desk) == {"name": "Ann", "kind": "person", "present": True}
    # The bot's choice is too late.
    assert desk.service.changes.play_bot(table, 0, 1, NORTH, desk.now) == []
    assert desk.act(again, table, 0, NORTH)["type"] == "done"
    assert len(desk.bot_requests) == 1


def test_the_owner_may_take_back_what_the_bot_did_in_this_turn():
    desk, table = seated(start=position(), absence=BOT)
    key = key_of(desk)
    leave(desk)
    tick(desk, 60)
    desk.take(desk.service.changes.play_bot(table, 0, 1, NORTH, desk.now))
    desk.ask(ANN, "resume", table=table, seat=0, key=key)
    assert desk.view(ANN, 0)["undo"] == 1
    assert desk.ask(ANN, "undo", table=table, seat=0, seq=2)["type"] == "done"


def test_skipping_ends_the_turn_each_time():
    desk, table = seated(start=position(), absence=SKIP)
    leave(desk)
    tick(desk, 55)
    assert turn(desk, table) == 0
    tick(desk, 5)
    assert turn(desk, table) == 1
    assert seat_of(desk)["stand_in"] == "skip"
    desk.act(BEA, table, 1, {"type": "end_turn"})
    assert turn(desk, table) == 0
    tick(desk, 1)
    assert turn(desk, table) == 1
    assert desk.bot_requests == []


def test_an_absent_players_tile_is_placed_before_the_turn_ends():
    desk, table = seated(start=position(), absence=SKIP)
    assert desk.act(ANN, table, 0, NORTH)["type"] == "done"
    assert desk.act(ANN, table, 0, {"type": "discover"})["type"] == "done"
    leave(desk)
    tick(desk, 60)
    tick(desk, 1)
    assert turn(desk, table) == 1
    played = [line["action"]["type"] for line in desk.service.tables[table].record() if "action" in line]
    assert played == ["move", "discover", "place", "end_turn"]


@pytest.mark.parametrize("absence", [BOT, SKIP])
def test_an_absent_player_packs_the_suggested_kit_at_the_start(absence: Any):
    desk, table = seated(absence=absence)
    desk.act(BEA, table, 1, PACK)
    leave(desk)
    tick(desk, 60)
    backpack = desk.view(BEA, 1)["view"]["position"]["teams"][0]["backpack"]
    assert {name: count for name, count in backpack.items() if count} == SUGGESTED


def test_no_stand_in_acts_while_all_players_are_away():
    desk, table = seated(start=position(), absence=SKIP)
    keys = key_of(desk), key_of(desk, BEA)
    Desk.alive = (EVE,)
    leave(desk)
    tick(desk, 30)
    leave(desk, BEA)
    tick(desk, 10_000)
    assert desk.service.tables[table].seq == 1
    # One is back: from now on the other one keeps a player waiting.
    desk.ask(BEA, "resume", table=table, seat=1, key=keys[1])
    Desk.alive = (BEA, EVE)
    tick(desk, 55)
    assert turn(desk, table) == 0
    tick(desk, 10)
    assert turn(desk, table) == 1


def test_an_empty_seat_of_a_running_game_is_away_too():
    desk, table = seated(start=position(), absence=SKIP)
    desk.ask(ANN, "stand", table=table, seat=0)
    tick(desk, 65)
    assert turn(desk, table) == 1
    assert desk.ask(EVE, "sit", table=table, name="Eve")["type"] == "seated"
    assert "stand_in" not in seat_of(desk)


def test_after_a_restart_bots_stand_in_for_missing_players():
    desk = Desk(journal=(journal := MemoryJournal()))
    table = desk.open("open", "open", start=position(), absence=BOT)
    desk.ask(ANN, "sit", table=table, name="Ann")
    key = desk.ask(BEA, "sit", table=table, name="Bea")["key"]
    desk.service = Service(
        "later", random_text=lambda: "x", stamp=lambda: "y", journal=journal, limits=Limits(1e6, 1e6)
    )
    assert desk.service.restore() == []
    desk.take(desk.service.wake_tables(desk.now))
    Desk.alive = ()
    tick(desk, 200)
    assert desk.bot_requests == []
    desk.ask(BEA, "resume", table=table, seat=1, key=key)
    Desk.alive = (BEA,)
    tick(desk, 65)
    assert [type(each) for each in desk.bot_requests] == [AskBot]
    assert desk.bot_requests[0].seat == 0


@pytest.mark.parametrize(
    "absence", [{"then": "nap"}, {"after": -1}, {"after": 1e9}, {"after": 10**6}, {"then": "bot", "more": 1}, "bot"]
)
def test_an_invalid_absence_is_refused_by_name(absence: Any):
    desk = Desk()
    seats = [{"kind": "open"}, {"kind": "open"}]
    reply = desk.ask(ANN, "open", game="the-cave", seats=seats, absence=absence)
    if absence == {"then": "bot", "more": 1}:
        assert reply["type"] == "opened"  # Unknown fields are for later versions.
    else:
        assert reply["code"] == "bad_message"
        assert "absence" in reply["message"]


@pytest.mark.parametrize(
    ("field", "most", "over"),
    [
        ("absence", {"then": "bot", "after": MAX_AFTER}, {"then": "bot", "after": MAX_AFTER + 1}),
        ("absence", {"after": MAX_ALWAYS, "always": True}, {"after": MAX_ALWAYS + 1, "always": True}),
        ("code", "x" * MAX_CODE, "x" * (MAX_CODE + 1)),
        ("seed", "x" * MAX_CHAT, "x" * (MAX_CHAT + 1)),
    ],
)
def test_options_of_a_table_have_the_documented_limits(field: str, most: Any, over: Any):
    desk, seats = Desk(), [{"kind": "open"}] * 2
    assert desk.ask(ANN, "open", game="the-cave", seats=seats, **{field: most})["type"] == "opened"
    refused = desk.ask(ANN, "open", game="the-cave", seats=seats, **{field: over})
    assert refused["code"] == "bad_message"
    assert field in refused["message"]


def test_a_host_can_set_the_default_absence_rule():
    desk = Desk(limits=Limits(rate=1e6, burst=1e6, absence=Absence("skip", 5)))
    first, second = desk.open("open", "open"), desk.open("open", "open", absence=BOT)
    facts = {each["id"]: each["absence"] for each in desk.ask(EVE, "tables")["tables"]}
    assert facts == {first: {"then": "skip", "after": 5}, second: BOT}


def test_a_stand_in_plays_at_the_requested_level_and_all_see_it():
    """The weakest level plays if none was requested."""
    game = "sir-ocelots-cave"  # only one seat is to act at its start
    weakest, *_, strongest = games.game_info(game).bots
    for asked, level in (({"level": strongest}, strongest), ({}, weakest)):
        desk = Desk()
        table = desk.open("open", "open", game=game, absence={**BOT, **asked})
        desk.ask(ANN, "sit", table=table, name="Ann", seat=0)
        desk.ask(BEA, "sit", table=table, name="Bea", seat=1)
        away = next(iter(desk.service.tables[table].to_act))
        Desk.alive = (BEA,) if away == 0 else (ANN,)
        desk.ask((ANN, BEA)[away], "stand", table=table, seat=away)
        tick(desk, 65)
        assert [request.level for request in desk.bot_requests][:1] == [level]
        seat = desk.ask(EVE, "tables")["tables"][0]["seats"][away]
        assert (seat["stand_in"], seat["level"]) == ("bot", level)


def test_an_unknown_level_of_a_stand_in_is_refused_by_name():
    desk = Desk()
    seats = [{"kind": "open"}, {"kind": "open"}]
    reply = desk.ask(ANN, "open", game="the-cave", seats=seats, absence={**BOT, "level": "sage"})
    assert reply["code"] == "bad_message"
    assert "absence.level" in reply["message"]


def test_an_unknown_level_in_the_hosts_rule_means_the_weakest():
    """The host's rule is for all games; a requested level must exist."""
    seats = (SeatSpec("open"), SeatSpec("open"))
    asked = Open(game="the-cave", seats=seats)
    usual = Absence(then="bot", after=5, level="sage")
    assert read_setup(asked, lambda: "x", "2026-01-02", usual).absence == Absence(then="bot", after=5)
    with pytest.raises(BadData, match="absence"):
        read_setup(replace(asked, absence=usual), lambda: "x", "2026-01-02", usual)


def test_actions_by_stand_ins_are_marked_even_after_a_restart() -> None:
    desk = Desk(journal=(journal := MemoryJournal()))
    table = desk.seated(absence=SKIP, start=position())
    desk.act(ANN, table, 0, NORTH)
    leave(desk)
    tick(desk, 65)
    assert [each.get("stand_in") for each in desk.published if each["type"] == "update"][-1] is True
    for _ in range(2):
        marks = [(line["event"]["seat"], "stand_in" in line) for line in desk.ask(EVE, "sync", table=table)["log"]]
        assert (marks[0], marks[-2]) == ((0, False), (0, True))
        come_back(desk, journal)


# Idle


@pytest.fixture
def all_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody answers heartbeats."""
    monkeypatch.setattr(Desk, "alive", (ANN, BEA, EVE), raising=False)


idle = pytest.mark.usefixtures("all_alive")


@idle
def test_a_player_who_only_answers_heartbeats_is_idle_if_configured():
    """PROTOCOL.md: ``idle`` in ``absence``. Without it the others wait for ever."""
    for absence, played in ((BOT, []), ({**BOT, "idle": True}, [0])):
        desk, _ = seated(start=position(), absence=absence)
        tick(desk, 59)
        assert desk.bot_requests == []
        tick(desk, 10)
        assert [request.seat for request in desk.bot_requests] == played
    shown = seat_of(desk)
    assert (shown["present"], shown["stand_in"], shown["level"]) == (True, "bot", "novice")


@idle
def test_the_stand_in_of_an_idle_player_plays_to_the_end_of_the_turn_and_no_further():
    desk, table = seated(start=position(), absence={**BOT, "idle": True})
    tick(desk, 65)
    for seq, action in ((1, NORTH), (2, {"type": "end_turn"})):
        tick(desk, 30)
        assert desk.bot_requests[-1].seq == seq
        desk.take(desk.service.changes.play_bot(table, 0, seq, action, desk.now))
    assert turn(desk, table) == 1
    desk.act(BEA, table, 1, {"type": "end_turn"})
    tick(desk, 5)
    assert "stand_in" not in seat_of(desk)
    assert len(desk.bot_requests) == 2
    tick(desk, 60)
    assert len(desk.bot_requests) == 3


@idle
def test_an_action_ends_idleness_and_restarts_the_limit():
    desk, table = seated(start=position(), absence={**BOT, "idle": True})
    tick(desk, 55)
    assert desk.act(ANN, table, 0, NORTH)["type"] == "done"
    tick(desk, 55)
    assert desk.bot_requests == []
    tick(desk, 10)
    assert len(desk.bot_requests) == 1
    assert desk.ask(ANN, "undo", table=table, seat=0, seq=2)["type"] == "done"
    assert "stand_in" not in seat_of(desk)
    assert len(desk.bot_requests) == 1
    # The bot's choice is too late.
    assert desk.service.changes.play_bot(table, 0, 3, NORTH, desk.now) == []


@idle
@pytest.mark.parametrize("kind", ["say", "sync", "stale act", "bad act", "propose"])
def test_only_an_action_ends_idleness(kind: str):
    desk, table = seated(start=position(), absence={**SKIP, "idle": True})
    for _ in range(4):
        tick(desk, 15)
        if kind == "say":
            assert desk.ask(ANN, "say", table=table, text="Wait!")["type"] == "said"
        elif kind == "sync":
            assert desk.ask(ANN, "sync", table=table)["type"] == "snapshot"
        elif kind == "propose":
            asked = desk.ask(ANN, "propose", table=table, seat=0, what="hurry", until="turn")
            assert asked["type"] == "proposed"
        else:
            action = NORTH if kind == "stale act" else {"type": "dive"}
            seq = 0 if kind == "stale act" else 1
            assert desk.ask(ANN, "act", table=table, seat=0, seq=seq, action=action)["type"] == "error"
    tick(desk, 6)
    assert turn(desk, table) == 1


@idle
def test_there_is_no_idle_limit_alone_with_bots():
    desk = Desk()
    table = desk.open("open", "bot", start=position(), absence={**SKIP, "idle": True})
    desk.ask(ANN, "sit", table=table, name="Ann")
    tick(desk, 1000)
    assert desk.service.tables[table].seq == 1


@idle
def test_idle_is_shown_and_survives_the_host():
    desk = Desk(journal=(journal := MemoryJournal()))
    table = desk.open("open", "open", absence={**BOT, "idle": True})
    assert desk.ask(EVE, "tables")["tables"][0]["absence"] == {**BOT, "idle": True}
    later = Service("later", random_text=lambda: "x", stamp=lambda: "y", journal=journal)
    assert later.restore() == []
    assert later.tables[table].setup.absence == Absence(**BOT, idle=True)


# Questions


@idle
@pytest.mark.parametrize("absence", [BOT, {**BOT, "idle": True}])
def test_an_unanswered_request_counts_as_agreed_under_an_idle_limit(absence: Any):
    desk, table = seated(start=position(), absence=absence)
    assert desk.ask(ANN, "propose", table=table, seat=0, what="resign")["done"] is False
    tick(desk, 55)
    assert not desk.service.tables[table].ended
    tick(desk, 10)
    assert desk.service.tables[table].ended is ("idle" in absence)
    told = [each for each in desk.published if each["type"] == "agreement"]
    assert (told[-1]["proposal"] is None) is ("idle" in absence)


@idle
def test_a_second_request_of_the_same_player_has_its_own_limit():
    desk, table = seated(start=position(), absence={**BOT, "idle": True})
    desk.ask(ANN, "propose", table=table, seat=0, what="hurry", until="end")
    tick(desk, 55)
    desk.ask(ANN, "propose", table=table, seat=0, what="resign")
    tick(desk, 55)
    assert not desk.service.tables[table].ended


@idle
def test_repeated_requests_cannot_block_those_of_others():
    desk, table = seated(start=position())
    for _ in range(6):
        desk.ask(ANN, "propose", table=table, seat=0, what="resign")
        refused = desk.ask(BEA, "propose", table=table, seat=1, what="resign")
        assert refused["code"] == "pending"
        tick(desk, 10)
    assert desk.ask(BEA, "propose", table=table, seat=1, what="resign")["type"] == "proposed"
    assert desk.ask(ANN, "propose", table=table, seat=0, what="resign")["code"] == "pending"


DAY = 24 * 60 * 60


def pass_by(desk: Desk, seconds: float) -> None:
    """Time passes while nobody is there."""
    desk.now += seconds
    desk.take(desk.service.do_timed_work(desk.now))


@pytest.mark.parametrize("restarts", [False, True])
def test_a_limit_in_days_runs_without_players_and_without_a_host(restarts: bool) -> None:
    desk = Desk(journal=(journal := MemoryJournal()))
    table = desk.seated(start=position(), absence={"then": "skip", "after": 3 * DAY, "always": True})
    leave(desk, ANN)
    leave(desk, BEA)
    pass_by(desk, 2 * DAY)
    if restarts:
        journal.seconds_since = lambda what: {table: 2.0 * DAY} if what == "changed" else {}  # type: ignore[method-assign]
        come_back(desk, journal)
    assert desk.service.tables[table].seq == 1
    assert table not in desk.service.clients.shelved, "it is played by days"
    pass_by(desk, DAY - 1)
    assert desk.service.tables[table].seq == 1
    pass_by(desk, 1)
    here = desk.service.tables[table]
    assert here.to_act == {1}, "Ann's turn was skipped"
    assert [seat.stand_in for seat in here.seats] == ["skip", ""]
    pass_by(desk, 3 * DAY - 1)
    assert here.to_act == {1}, "Bea has three days of her own"


def test_a_limit_in_days_restarts_after_each_action() -> None:
    desk = Desk()
    table = desk.seated(start=position(), absence={"then": "bot", "after": 2 * DAY, "always": True})
    key = key_of(desk)
    leave(desk, BEA)
    leave(desk)
    pass_by(desk, 2 * DAY - 1)
    assert desk.ask(ANN, "resume", table=table, seat=0, key=key)["type"] == "seated"
    assert desk.act(ANN, table, 0, NORTH)["type"] == "done"
    leave(desk)
    pass_by(desk, 2 * DAY - 1)
    assert desk.bot_requests == []
    pass_by(desk, 1)
    assert desk.service.tables[table].seats[0].stand_in == "bot"
    assert desk.bot_requests == [], "bots rest while nobody follows the game"
    desk.ask(EVE, "watch", table=table)
    assert [request.seat for request in desk.bot_requests] == [0]
