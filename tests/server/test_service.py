"""Permissions and effects of requests (PROTOCOL.md). No socket, no clock."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from cave import record, wire
from server.clients.limits import Limits
from server.tables.effects import Disconnect, Send
from tests.cave.players import explorer
from tests.server.kit import ANN, BACK, BEA, EVE, NORTH, PACK, Desk, code, come_back, position, seated
from tests.server.memory import MemoryJournal

# Saying hello and opening


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"game": "chess"}, "game"),
        ({"seats": [{"kind": "open"}]}, "seats"),
        ({"seats": [{"kind": "open"}] * 6}, "seats"),
        ({"seats": [{"kind": "open"}, {"kind": "bot", "level": "god"}]}, "seats[1]"),
        ({"seats": [{"kind": "open"}, {"kind": "king"}]}, "seats[1]"),
        ({"settings": {"edition": "klingon"}}, "settings.edition"),
        ({"settings": {"wings": True}}, "settings"),
        ({"start": {"format": "cave-position"}}, "start"),
        ({"start": position(), "seats": [{"kind": "open"}] * 3}, "seats"),
        ({"title": "x" * 100}, "title"),
        ({"seed": "a\x1b[2Jb"}, "seed"),
        ({"seed": "x" * 501}, "seed"),
    ],
)
def test_an_impossible_table_is_refused_by_name(change: Any, named: str):
    desk = Desk()
    wanted = {"game": "the-cave", "seats": [{"kind": "open"}, {"kind": "open"}], **change}
    reply = desk.ask(ANN, "open", **wanted)
    assert code(reply) == "bad_message"
    assert named in reply["message"]
    assert desk.service.tables == {}


def test_a_host_limits_its_tables_and_removes_unused_ones():
    desk = Desk(limits=Limits(rate=1e6, burst=1e6, tables=1))
    first = desk.open("open", "open")
    second = desk.open("open", "open")
    assert list(desk.service.tables) == [second] != [first]
    desk.ask(ANN, "sit", table=second, name="Ann")
    reply = desk.ask(BEA, "open", game="the-cave", seats=[{"kind": "open"}, {"kind": "open"}])
    assert code(reply) == "full"


# Seats


def test_a_refused_seat_has_a_reason():
    desk = Desk()
    table = desk.open("open", "bot", code="owl")
    assert code(desk.ask(ANN, "sit", table="nowhere", name="Ann")) == "no_table"
    assert code(desk.ask(ANN, "sit", table=table, name="Ann")) == "wrong_code"
    assert code(desk.ask(ANN, "sit", table=table, name="Ann", code="bat")) == "wrong_code"
    assert code(desk.ask(ANN, "sit", table=table, name="Ann", code="owl", seat=1)) == "seat_taken"
    assert code(desk.ask(ANN, "sit", table=table, name="Ann", code="owl", seat=2)) == "no_seat"
    assert code(desk.ask(ANN, "sit", table=table, name="\x1b", code="owl")) == "bad_message"
    assert desk.ask(ANN, "sit", table=table, name="Ann", code="owl")["type"] == "seated"
    assert code(desk.ask(BEA, "sit", table=table, name="Bea", code="owl")) == "full"


@pytest.mark.parametrize("name", ["Ann", "ANN", "A\u200dnn", "Ａｎｎ", "Novice", "nоvicе"])
def test_a_name_that_looks_like_anothers_is_refused(name: str):
    desk = Desk()
    table = desk.open("open", "open", "bot")
    desk.ask(ANN, "sit", table=table, name="Ann")
    refused = desk.ask(EVE, "sit", table=table, name=name)
    assert refused["type"] == "error"
    assert refused["code"] == ("bad_message" if name == "nоvicе" else "name_taken")
    assert len(desk.service.tables[table].held_by(EVE)) == 0
    assert desk.ask(EVE, "sit", table=table, name="Eve")["seat"] == 1


def test_a_new_player_may_use_only_the_name_of_the_own_team():
    desk, table = seated()
    desk.ask(ANN, "stand", table=table, seat=0)
    assert code(desk.ask(EVE, "sit", table=table, name="bea")) == "name_taken"
    assert desk.ask(EVE, "sit", table=table, name="Ann")["seat"] == 0


def test_resuming_a_seat_with_its_key_notifies_the_former_connection():
    desk = Desk()
    table = desk.open("open", "open")
    key = desk.ask(ANN, "sit", table=table, name="Ann")["key"]
    desk.ask(BEA, "sit", table=table, name="Bea")
    assert code(desk.ask(EVE, "resume", table=table, seat=0, key="guess")) == "wrong_key"
    assert code(desk.ask(EVE, "resume", table=table, seat=0, key="")) == "wrong_key"
    assert desk.ask(b"link-ann-2", "resume", table=table, seat=0, key=key)["type"] == "seated"
    assert (ANN, {"type": "taken_over", "table": table, "seat": 0}) in desk.sent
    assert code(desk.act(ANN, table, 0, PACK)) == "not_seated"
    assert desk.act(b"link-ann-2", table, 0, PACK)["type"] == "done"


def test_standing_up_frees_the_seat():
    desk, table = seated()
    assert code(desk.ask(BEA, "stand", table=table, seat=0)) == "not_seated"
    assert desk.ask(ANN, "stand", table=table, seat=0)["type"] == "stood"
    assert desk.published[-1]["seats"][0]["kind"] == "open"
    assert code(desk.act(ANN, table, 0, PACK)) == "not_seated"
    assert desk.ask(EVE, "sit", table=table, name="Eve")["seat"] == 0
    assert desk.act(EVE, table, 0, PACK)["type"] == "done"


def test_a_team_keeps_its_name_until_another_player_sits_there():
    """Names belong to seats: an open seat keeps its team's current name."""
    desk, table = seated()
    desk.ask(ANN, "stand", table=table, seat=0)
    assert desk.published[-1]["seats"][0] == {"name": "", "kind": "open", "present": False, "team": "Ann"}
    desk.ask(EVE, "sit", table=table, name="Eve")
    assert desk.published[-1]["seats"][0] == {"name": "Eve", "kind": "person", "present": True}
    desk.ask(EVE, "stand", table=table, seat=0)
    assert desk.published[-1]["seats"][0]["team"] == "Eve"
    assert desk.ask(BEA, "sync", table=table)["seats"][0]["team"] == "Eve"


@pytest.mark.parametrize("seed", [None, "x"])
@pytest.mark.parametrize("others", [(), ("Cyd",), ("Cyd", "Dan")])
@pytest.mark.parametrize("free", [False, True])
def test_a_record_has_the_last_names_and_checks(seed: str | None, others: tuple[str, ...], free: bool):
    """Even if the seat was free at the end: a record whose digest does not match would be worthless."""
    desk, table = seated(**({"seed": seed} if seed else {"start": {**position(), "turns_left": 1}}))
    for name in others:
        desk.ask(ANN, "stand", table=table, seat=0)
        desk.ask(ANN, "sit", table=table, name=name)
    if free:
        desk.ask(ANN, "stand", table=table, seat=0)
    here, rng = desk.service.tables[table], Random(1)
    while here.to_act:
        seat = min(here.to_act)
        action = explorer(here.game, here.state, seat, rng)
        here.commit(here.change_by_action(seat, here.seq, here.game.action_json(action)))
    lines = here.record()
    assert [seat["name"] for seat in lines[0]["seats"]] == [["Ann", *others][-1], "Bea"]
    assert record.check_record(record.write(lines).splitlines(keepends=True)).matches is True


def test_an_invalid_name_is_refused_in_mid_game_too():
    """A record with it could not be read again."""
    desk, table = seated()
    desk.ask(ANN, "stand", table=table, seat=0)
    assert code(desk.ask(EVE, "sit", table=table, name="\u0301Eve")) == "bad_message"
    assert desk.service.tables[table].seats[0].kind == "open"


def test_a_finished_game_has_no_free_seats():
    desk, table = seated(start={**position(), "turns_left": 1})
    desk.act(ANN, table, 0, {"type": "end_turn"})
    desk.ask(ANN, "stand", table=table, seat=0)
    assert code(desk.ask(EVE, "sit", table=table, name="Eve")) == "full"


# Acting


def test_only_the_holder_acts_and_watchers_cannot():
    desk, table = seated(start=position())
    before = desk.ask(EVE, "watch", table=table)
    for link, seat in ((EVE, 0), (BEA, 0), (EVE, 1)):
        for kind, fields in (("act", {"action": NORTH}), ("undo", {}), ("stand", {})):
            extra = {} if kind == "stand" else {"seq": 1}
            reply = desk.ask(link, kind, table=table, seat=seat, **fields, **extra)
            assert code(reply) == "not_seated"
    assert code(desk.ask(EVE, "say", table=table, text="hi")) == "not_seated"
    assert {**desk.ask(EVE, "watch", table=table), "re": ""} == {**before, "re": ""}


def test_every_refusal_of_the_game_comes_with_its_code_and_sentence():
    desk, table = seated(start=position())
    listed = desk.view(ANN, 0)["refused"]
    assert {"no_exit", "no_token"} & {refused["code"] for refused in listed}
    for refused in listed:
        reply = desk.act(ANN, table, 0, refused["action"])
        assert (reply["code"], reply["message"]) == (refused["code"], refused["message"])


def test_a_change_is_sent_to_all_with_the_same_seq():
    desk, table = seated(start=position())
    reply = desk.act(ANN, table, 0, NORTH)
    assert reply["seq"] == desk.view(ANN, 0)["seq"] == desk.view(BEA, 1)["seq"] == 2
    update = desk.published[-1]
    assert (update["type"], update["seq"], update["seat"]) == ("update", 2, 0)
    assert [event["type"] for event in update["events"]] == ["moved"]
    snapshot = desk.ask(EVE, "sync", table=table)
    assert snapshot["view"] == update["view"]
    assert snapshot["log"][-1] == {"seq": 2, "event": update["events"][0]}


def test_sync_sends_the_views_of_the_seats_held_and_no_others():
    desk, table = seated()
    desk.sent.clear()
    desk.ask(ANN, "sync", table=table)
    desk.ask(EVE, "sync", table=table)
    assert [(to, sent["seat"]) for to, sent in desk.sent if sent["type"] == "view"] == [(ANN, 0)]


# The same id


def test_a_repeated_id_gets_the_same_reply_and_is_applied_once():
    desk, table = seated(start=position())
    fields = {"table": table, "seat": 0, "seq": 1, "action": NORTH}
    first = desk.ask(ANN, "act", id="same", **fields)
    published = len(desk.published)
    assert desk.ask(ANN, "act", id="same", **fields) == first
    assert desk.ask(ANN, "act", id="same", **{**fields, "action": BACK, "seq": 2}) == first
    assert len(desk.published) == published
    assert desk.service.tables[table].seq == 2


def test_a_repeated_refused_message_gets_the_same_reply():
    desk, table = seated(start=position())
    fields = {"table": table, "seat": 0, "seq": 1}
    first = desk.ask(ANN, "act", id="same", action={"type": "dive"}, **fields)
    assert desk.ask(ANN, "act", id="same", action=NORTH, **fields) == first


def test_ids_of_different_clients_do_not_collide():
    desk, table = seated()
    first = desk.ask(ANN, "act", id="1", table=table, seat=0, seq=1, action=PACK)
    second = desk.ask(BEA, "act", id="1", table=table, seat=1, seq=1, action=PACK)
    assert (first["type"], second["type"]) == ("done", "done")
    assert desk.service.tables[table].seq == 3


# Chat, records, presence


def test_chat_is_cleaned_and_kept():
    desk, table = seated()
    assert desk.ask(ANN, "say", table=table, text="\x1b[2J hi \u202e[b]all[/b]")["type"] == "said"
    said = {"name": "Ann", "text": "hi [b]all[/b]"}
    assert desk.published[-1] == {"type": "chat", "table": table, **said}
    assert desk.ask(EVE, "watch", table=table)["chat"] == [said]
    assert code(desk.ask(ANN, "say", table=table, text="x" * 501)) == "bad_message"


def test_chat_from_a_shared_keyboard_has_the_name_of_the_player_to_act():
    desk = Desk()
    table = desk.open("open", "open", game="sir-ocelots-cave", seed="chat")
    desk.ask(ANN, "sit", table=table, name="Ann")
    desk.ask(ANN, "sit", table=table, name="Bea")
    game = desk.service.tables[table]
    told = []
    for _ in range(2):
        desk.ask(ANN, "say", table=table, text="hm")
        (seat,) = game.to_act
        told.append((desk.published[-1]["name"], game.seats[seat].name))
        tool = {"type": "tool", "kind": "A", "side": "compass", "at": [8, 3]}
        desk.ask(ANN, "act", table=table, seat=seat, seq=game.seq, action=tool)
    assert [name for name, _ in told] == [name for _, name in told]
    assert {name for name, _ in told} == {"Ann", "Bea"}


def test_watchers_are_counted_and_players_are_not():
    desk, table = seated()
    desk.ask(ANN, "watch", table=table)
    assert desk.ask(EVE, "tables")["tables"][0]["watchers"] == 1
    desk.take(desk.service.clients.connection_lost(EVE, desk.now))
    assert desk.published[-1]["watchers"] == 0


def test_a_lost_player_keeps_the_seat_and_is_shown_as_away():
    desk, _ = seated()
    desk.take(desk.service.clients.connection_lost(ANN, desk.now))
    assert [seat["present"] for seat in desk.published[-1]["seats"]] == [False, True]
    assert desk.published[-1]["seats"][0]["name"] == "Ann"
    desk.ask(ANN, "ping")
    assert [seat["present"] for seat in desk.published[-1]["seats"]] == [True, True]


def test_a_silent_player_is_probed_with_the_view_and_a_silent_watcher_not_counted():
    desk, table = seated()
    desk.now = 100.0
    desk.ask(BEA, "ping")
    desk.sent.clear()
    desk.take(desk.service.do_timed_work(desk.now))
    desk.take(desk.service.do_timed_work(desk.now + 1))
    assert [(to, sent["type"]) for to, sent in desk.sent] == [(ANN, "view")]
    assert [m for m in desk.published if m["type"] == "presence"][-1]["watchers"] == 0
    assert desk.ask(EVE, "ping")["seq"] == {table: 1}
    assert [m for m in desk.published if m["type"] == "presence"][-1]["watchers"] == 1
    desk.now = 200.0
    desk.take(desk.service.do_timed_work(desk.now))
    assert [m for m in desk.published if m["type"] == "presence"][-1]["watchers"] == 0


def test_the_owner_sees_all_connections_and_seat_holders():
    desk = Desk(owners=("boss",))
    desk.peers |= {ANN: "ann's key", b"boss": "boss"}
    desk.addresses[ANN] = "192.0.2.1"
    first, second = (desk.open("open", "open") for _ in range(2))
    desk.ask(ANN, "sit", table=second, name="Ann", seat=1)
    desk.ask(BEA, "sit", table=second, name="Bea")
    desk.ask(EVE, "hello", protocol=1, name="Eve")
    for table in (second, first):
        desk.ask(EVE, "watch", table=table)
    told = desk.ask(b"boss", "guests")
    ann, bea, eve, boss = told["guests"]
    assert ann == {
        "name": "Ann", "key": "ann's key", "address": "192.0.2.1", "seats": [[second, 1]], "watching": [],
    }  # fmt: skip
    assert (bea["name"], bea["key"], bea["seats"]) == ("Bea", "", [[second, 0]])
    assert (eve["name"], eve["seats"], eve["watching"]) == ("Eve", [], sorted((first, second)))
    assert boss["key"] == "boss"
    assert told["holders"] == [[second, 1, "ann's key"]], "a seat without a key is held by its connection"
    desk.take(desk.service.clients.connection_lost(ANN, desk.now))
    gone = desk.ask(b"boss", "guests")
    assert (len(gone["guests"]), gone["holders"]) == (3, told["holders"])


def test_a_silent_waiting_player_is_shown_as_away_and_gets_the_start():
    desk = Desk()
    table = desk.open("open", "open")
    desk.ask(ANN, "sit", table=table, name="Ann")
    desk.now = 1000.0
    desk.take(desk.service.do_timed_work(desk.now))
    assert desk.ask(BEA, "tables")["tables"][0]["seats"][0]["present"] is False
    desk.ask(BEA, "sit", table=table, name="Bea")
    assert desk.view(ANN, 0)["choices"]


def test_silent_clients_without_a_seat_are_dropped():
    desk = Desk()
    desk.ask(EVE, "ping")
    desk.take(desk.service.do_timed_work(290.0))
    assert EVE in desk.service.clients.guests
    desk.take(desk.service.do_timed_work(300.0))
    assert EVE not in desk.service.clients.guests


def test_beats_are_sent_when_nothing_else_is():
    desk, table = seated()
    desk.published.clear()
    desk.now = 1.0
    desk.take(desk.service.do_timed_work(desk.now))
    assert desk.published == []
    desk.now = 2.0
    desk.take(desk.service.do_timed_work(desk.now))
    desk.take(desk.service.do_timed_work(desk.now))
    view = desk.ask(EVE, "watch", table=table)["view"]
    assert desk.published == [{"type": "beat", "table": table, "seq": 1, "digest": wire.view_digest(view)}]


# Bad input


def test_frames_are_counted_and_an_envelope_is_mirrored():
    desk = Desk()
    ping = b'{"type": "ping", "id": "1"}'
    plain = desk.service.handle_message(EVE, [ping], 0.0)[0].frames
    assert len(plain) == 1
    assert desk.service.handle_message(EVE, [b"", ping], 0.0)[0].frames == (b"", plain[0])
    for frames in ([ping, ping], [b"", ping, ping], [b""], [b"", b"", ping], [], [ping] * 500):
        reply = json.loads(desk.service.handle_message(EVE, frames, 0.0)[0].frames[-1])
        assert reply["code"] == "bad_message"


def test_too_frequent_messages_are_refused_and_may_be_repeated():
    desk = Desk(limits=Limits(rate=20, burst=60))
    replies = [desk.ask(EVE, "ping", id=f"p{number}") for number in range(61)]
    assert [reply["type"] for reply in replies[:60]] == ["pong"] * 60
    assert code(replies[60]) == "too_fast"
    assert desk.ask(ANN, "ping")["type"] == "pong"
    desk.now = 0.05
    assert desk.ask(EVE, "ping", id="p60")["type"] == "pong"


def test_a_client_that_ignores_refusals_is_muted_for_a_while():
    desk = Desk(limits=Limits(rate=20, burst=60, patience=10, ban=30))
    answers = [desk.service.handle_message(EVE, [b"garbage"], 0.0) for _ in range(20)]
    assert [type(effect) for (effect,) in answers] == [Send] * 11 + [Disconnect] * 9
    assert desk.service.handle_message(EVE, [b'{"type": "ping", "id": "1"}'], 29.0) == [Disconnect(EVE, EVE.hex(), 1.0)]
    desk.now = 31.0
    assert desk.ask(EVE, "ping")["type"] == "pong"


# The journal


def test_an_action_is_saved_before_it_is_sent():
    desk = Desk(journal=(journal := MemoryJournal()))
    table = desk.seated(start=position())
    desk.act(ANN, table, 0, NORTH)
    desk.act(ANN, table, 0, {"type": "dive"})
    kinds = [entry.kind for entry in journal.entries]
    assert kinds == ["opened", "sat", "sat", "started", "acted"]


# Bots


def test_a_bot_is_asked_with_its_own_view_and_acts():
    desk = Desk()
    table = desk.open("open", "bot")
    desk.ask(ANN, "sit", table=table, name="Ann")
    assert [(request.seat, request.view["viewer"]) for request in desk.bot_requests] == [(1, 1)]
    request = desk.bot_requests[0]
    desk.take(desk.service.changes.play_bot(table, 1, request.seq, PACK, desk.now))
    assert desk.view(ANN, 0)["seq"] == 2
    # The same request again is too late.
    desk.take(desk.service.changes.play_bot(table, 1, request.seq, PACK, desk.now))
    assert desk.service.tables[table].seq == 2


@pytest.mark.parametrize("nonsense", [None, {"type": "fly"}, {"type": "end_turn"}, 7])
def test_an_invalid_choice_of_a_bot_is_replaced_by_a_legal_one(nonsense: Any):
    desk = Desk()
    table = desk.open("open", "bot")
    desk.ask(ANN, "sit", table=table, name="Ann")
    desk.take(desk.service.changes.play_bot(table, 1, desk.bot_requests[0].seq, nonsense, desk.now))
    assert desk.view(ANN, 0)["view"]["position"]["turn"]["packed"] == [1]


# Secrets: hidden information changes no byte that a viewer gets (promise 2)


def everything(desk: Desk, table: str, pack: Any) -> None:
    """Everything that a watcher and Bea can try, after Ann has packed in secret."""
    desk.act(ANN, table, 0, pack)
    for link in (EVE, BEA):
        for kind in ("watch", "sync", "record"):
            desk.ask(link, kind, table=table)
        for kind in ("tables", "ping"):
            desk.ask(link, kind)
        desk.ask(link, "act", table=table, seat=0, seq=2, action=pack)
        desk.ask(link, "undo", table=table, seat=0, seq=2)
        desk.ask(link, "resume", table=table, seat=0, key="guess")
    desk.take(desk.service.beat_at_table(table, 0.0))
    desk.act(BEA, table, 1, {"type": "discover"})


def test_seat_keys_are_sent_only_to_the_seat_holders():
    desk, table = seated()
    everything(desk, table, PACK)
    keys = [sent["key"].encode() for _, sent in desk.sent if sent["type"] == "seated"]
    assert len(keys) == 2
    assert not any(key in message for key in keys for message in desk.to_viewer(EVE))
    assert not any(keys[0] in message for message in desk.to_viewer(BEA))


@pytest.mark.parametrize(("pace", "times"), [("slow", 3.0), ("usual", 1.0), ("none", 0.0), (None, 1.0)])
def test_bots_play_at_the_requested_pace(pace: str | None, times: float):
    desk = Desk(journal=(journal := MemoryJournal()))
    table = desk.open("bot", "bot", **({} if pace is None else {"pace": pace}))
    desk.ask(EVE, "watch", table=table)
    assert {request.pace for request in desk.bot_requests} == {times}
    desk.bot_requests.clear()
    come_back(desk, journal)
    desk.ask(EVE, "watch", table=table)
    assert {request.pace for request in desk.bot_requests} == {times}


def test_a_table_without_hints_says_so_to_all_and_after_a_restart_too():
    """PROTOCOL.md: ``hints`` is false in the line and the snapshot, and left out if they are allowed."""
    desk = Desk(journal=(journal := MemoryJournal()))
    forbids, allows = desk.open("open", "open", hints=False), desk.open("open", "open")
    for asked in (desk, come_back(desk, journal) or desk):
        lines = {line["id"]: line for line in asked.ask(EVE, "tables")["tables"]}
        assert lines[forbids]["hints"] is False
        assert "hints" not in lines[allows]
        assert asked.ask(EVE, "watch", table=forbids)["hints"] is False
        assert "hints" not in asked.ask(EVE, "watch", table=allows)
