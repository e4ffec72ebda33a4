"""A client's state from messages alone (PROTOCOL.md: joining without a gap, sync, beats).

The messages are from a real service; here they are lost, duplicated and reordered.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from client.games.the_cave.face import FACE
from client.net.store import Store
from client.plain.table_news import SAVED_AGAIN, TableNews
from client.present.hosts import SET_ASIDE, UNSAVED, header_words_without_turn
from client.present.log import entries
from client.table import Closed, TableState
from client.tui.sentences import host_away_banner_words
from server.table_changes import TRY_EVERY
from server.tables.effects import Entry, NotKept, SavedReply
from tests.server.kit import ANN, BACK, BEA, EVE, NORTH, PACK, Desk, position, seated
from tests.server.memory import MemoryJournal

END = {"type": "end_turn"}


def snapshot(desk: Desk, table: str) -> Any:
    return desk.ask(EVE, "sync", table=table)


def beat(desk: Desk, table: str) -> Any:
    desk.take(desk.service.beat_at_table(table, desk.now))
    return desk.published[-1]


def following(desk: Desk, table: str) -> Store:
    store = Store(table)
    assert (store.wants_sync, store.choice_seq(0)) == (True, 0)
    store.fold_message(snapshot(desk, table))
    store.fold_message(beat(desk, table))
    assert store.is_complete
    return store


def holding(*seats: int, seen: bool = True) -> tuple[Desk, str, Store]:
    """A store in the middle of a game that holds these seats, and has seen their views."""
    desk, table = seated(start=position())
    store = following(desk, table)
    for seat in seats:
        store.hold(seat)
        if seen:
            store.fold_message(desk.view((ANN, BEA)[seat], seat))
    return desk, table, store


def played(actions: int = 12) -> tuple[Desk, str, Store, list[Any]]:
    """A store at the start of a game, and the updates that follow."""
    desk, table, store = holding()
    desk.published.clear()
    for number in range(actions):
        done = desk.act(ANN, table, 0, BACK if number % 2 else NORTH)
        if done["type"] == "error":
            desk.act(ANN, table, 0, END)
            break
    return desk, table, store, [m for m in desk.published if m["type"] == "update"]


def test_joining_is_complete_with_snapshot_and_gallery_in_either_order():
    desk, table = seated()
    told, heard = snapshot(desk, table), beat(desk, table)
    for first, second in ((told, heard), (heard, told)):
        store = Store(table)
        store.fold_message(first)
        assert not store.is_complete
        store.fold_message(second)
        assert store.is_complete
        assert store.state.link == "live"


def test_a_change_between_snapshot_and_first_gallery_message_is_not_missed():
    desk, table = seated(start=position())
    store = Store(table)
    store.fold_message(snapshot(desk, table))
    desk.act(ANN, table, 0, NORTH)  # Its update is sent before this client receives the gallery.
    store.fold_message(beat(desk, table))
    assert store.wants_sync
    store.fold_message(snapshot(desk, table))
    assert store.is_complete
    assert store.state.seq == 2


def test_updates_are_folded_in():
    desk, table, store, updates = played()
    for update in updates:
        store.fold_message(update)
    assert not store.wants_sync
    assert_same(store.state, following(desk, table).state)


def test_an_old_snapshot_is_no_answer_while_an_update_is_missing():
    desk, table, store = holding()
    old = snapshot(desk, table)
    desk.published.clear()
    for action in (NORTH, BACK, NORTH):
        desk.act(ANN, table, 0, action)
    first, missing, last = (message for message in desk.published if message["type"] == "update")
    for message in (first, last, old):
        store.fold_message(message)
    assert store.wants_sync
    store.fold_message(missing)
    assert_same(store.state, following(desk, table).state)


@pytest.mark.parametrize("seed", range(20))
def test_any_order_with_losses_and_duplicates_has_the_same_result(seed: int):
    desk, table, store, updates = played()
    rng = random.Random(seed)
    messages = [*updates, *rng.choices(updates, k=3)]
    rng.shuffle(messages)
    for message in messages:
        if rng.random() < 0.3:
            continue
        store.fold_message(message)
        if store.wants_sync and rng.random() < 0.5:
            store.fold_message(snapshot(desk, table))
    store.fold_message(beat(desk, table))
    if store.wants_sync:
        store.fold_message(snapshot(desk, table))
    assert store.is_complete
    assert_same(store.state, following(desk, table).state)


def assert_same(one: TableState, other: TableState) -> None:
    for field in ("seq", "status", "view", "seats", "log", "chat", "link"):
        assert getattr(one, field) == getattr(other, field), field


def test_a_matching_beat_notifies_no_listener():
    """A change would clear the message on a screen."""
    desk, table, store = holding()
    known = store.state
    store.fold_message(beat(desk, table))
    assert store.state is known


def test_an_outdated_beat_is_ignored():
    desk, table = seated(start=position())
    old = beat(desk, table)
    desk.act(ANN, table, 0, NORTH)
    store = following(desk, table)
    store.fold_message(old)
    assert not store.wants_sync


def test_undo_removes_the_line_from_the_log():
    desk, table, store = holding()
    desk.act(ANN, table, 0, NORTH)
    store.fold_message(desk.published[-1])
    assert len(store.state.log) == 1
    desk.ask(ANN, "undo", table=table, seat=0, seq=2)
    store.fold_message(desk.published[-1])
    assert store.state.log == ()
    assert store.state.view.cave.teams[0].at == (0, -1)


def test_views_are_kept_for_the_seats_held_only():
    desk, table, store = holding()
    store.fold_message(desk.view(ANN, 0))
    assert dict(store.state.views) == {}
    store.hold(0)
    store.fold_message(desk.view(ANN, 0))
    store.fold_message(desk.view(BEA, 1))
    state = store.state
    assert state.my_seats == (0,)
    assert set(state.views) == set(state.choices) == {0}
    assert state.views[0].viewer == 0
    assert state.choices[0] == desk.service.tables[table].choices_of_seat(0)
    assert {refusal.code for refusal in state.refusals[0]} >= {"no_token"}
    assert state.undoable[0] == 0


@pytest.mark.parametrize(("closed", "offered"), [("stopped", {0}), ("gone", set()), ("left", set())])
def test_a_closed_table_offers_no_actions(closed: Closed, offered: set[int]):
    _desk, _table, store = holding(0)
    store.note_lost_link("closed", closed)
    state = store.state
    assert set(state.choices) == set(state.undoable) == set(state.refusals) == offered
    assert set(state.views) == {0}


def test_an_action_refers_to_the_last_seen_choices():
    desk, table = seated()
    store = following(desk, table)
    store.hold(1)
    store.fold_message(desk.view(BEA, 1))
    desk.act(ANN, table, 0, PACK)
    store.fold_message(desk.published[-1])
    assert store.state.seq == 2
    assert store.choice_seq(1) == 1
    store.fold_message(desk.view(BEA, 1))
    assert store.choice_seq(1) == 2


def test_a_seat_taken_over_is_no_longer_held():
    _desk, table, store = holding(0)
    store.fold_message({"type": "taken_over", "table": table, "seat": 0})
    assert store.state.my_seats == ()
    assert dict(store.state.views) == {}
    store.hold(0)
    noted = [line.event for line in store.state.log if line.event["type"].startswith("taken_")]
    assert noted == [{"type": "taken_over", "seat": 0}, {"type": "taken_back", "seat": 0}]
    assert [made.text for made in entries(FACE.log_line, store.state.log, store.state.view)][-2:] == [
        "plays at another terminal now",
        "plays here again",
    ]


def present(table: str, *, bea: bool) -> Any:
    """The gallery's message when Bea comes or goes."""
    seats = [{"name": name, "kind": "person", "present": there} for name, there in (("Ann", True), ("Bea", bea))]
    return {"type": "presence", "table": table, "seats": seats, "watchers": 0}


def events(store: Store) -> list[tuple[str, int | None]]:
    return [(line.event["type"], line.event.get("seat")) for line in store.state.log]


def test_a_snapshot_keeps_the_position_of_notes():
    desk, table, store, updates = played(3)
    before = events(store)
    store.fold_message(present(table, bea=False))
    store.fold_message(updates[0])
    store.fold_message(present(table, bea=True))
    told = events(store)
    store.fold_message(updates[2])
    store.fold_message(snapshot(desk, table))
    assert events(store)[: len(told)] == told
    assert told[len(before)] == ("away", 1)
    assert told[-1] == ("back", 1)
    assert [line for line in store.state.log if line.seq] == list(following(desk, table).state.log)


@pytest.mark.parametrize("link", ["live", "lost"])
def test_a_snapshot_shows_players_who_returned_meanwhile(link: str):
    desk, table, store, _ = played(1)
    store.fold_message(present(table, bea=False))
    if link == "lost":
        store.note_lost_link("lost")
        store.note_found_link()
    store.fold_message(snapshot(desk, table))
    assert events(store)[-1] == ("back", 1)
    assert store.state.log[-1].seq == 0, "it is no line of the host's"


def test_a_returning_host_does_not_report_others_as_away_at_once():
    desk, table, store, _ = played(1)
    lines = len(store.state.log)
    late = snapshot(desk, table)
    late["seats"][1]["present"] = False
    store.note_lost_link("lost")
    store.note_found_link()
    store.fold_message(late)
    assert ("away", 1) not in events(store)[lines:]
    store.fold_message(present(table, bea=True))
    assert ("back", 1) not in events(store), "nor that they are back"
    for there in (False, True):
        store.fold_message(present(table, bea=there))
    assert events(store)[-2:] == [("away", 1), ("back", 1)]
    store.hold(1)
    assert events(store)[-1] == ("away", 1), "nobody reads that they are back themselves"


def test_teams_have_the_names_of_the_seat_holders():
    """On every screen, whose views name the players at the start of the game."""
    desk, table, store = holding(1)
    assert store.state.view.names == ("Ann", "Bea")
    for kind, fields in (("stand", {"seat": 0}), ("sit", {"name": "Cyd"}), ("stand", {"seat": 0})):
        desk.ask(ANN, kind, table=table, **fields)
        store.fold_message(desk.published[-1])
        name = "Ann" if kind == "stand" and "Cyd" not in str(store.state.seats) else "Cyd"
        for view in (store.state.view, store.state.views[1]):
            assert view.names == (name, "Bea")
    late = following(desk, table)
    assert late.state.view.names == ("Cyd", "Bea")
    assert store.is_complete, "the beat's digest is that of the view as it came"
    notes = [line.event for line in store.state.log if not line.seq]
    assert notes == [
        {"type": "left", "seat": 0, "name": "Ann"},
        {"type": "sat", "seat": 0, "name": "Cyd", "former": "Ann"},
        {"type": "left", "seat": 0, "name": "Cyd"},
    ]


def test_a_taken_over_seat_differs_from_a_freed_one():
    _desk, table, store = holding()
    for seat in (0, 1):
        store.hold(seat)
    store.fold_message({"type": "taken_over", "table": table, "seat": 0})
    store.fold_message({"type": "taken_over", "table": table, "seat": 1, "freed": True})
    assert (store.state.my_seats, store.state.taken, store.state.freed) == ((), (0,), (1,))
    store.hold(1)
    assert (store.state.my_seats, store.state.freed) == ((1,), ())


def test_a_lost_link_is_shown_until_the_state_is_complete_again():
    desk, table, store = holding()
    store.note_lost_link("lost")
    assert store.state.link == "lost"
    desk.act(ANN, table, 0, NORTH)
    store.note_found_link()
    assert store.state.link == "syncing"
    store.fold_message(snapshot(desk, table))
    assert store.state.link == "syncing"
    store.fold_message(beat(desk, table))
    assert store.state.link == "live"
    assert store.state.seq == 2


@pytest.mark.parametrize(
    "message",
    [
        {},
        {"type": "dance"},
        {"type": None},
        {"type": ["update"]},
        {"type": "update"},
        {"type": "update", "seq": "2"},
        {"type": "update", "seq": 2, "events": 1, "view": None, "status": "playing"},
        {"type": "update", "seq": 2, "events": [], "view": None, "status": "asleep"},
        {"type": "snapshot", "seq": 1},
        {"type": "snapshot", "seq": -1, "game": "chess"},
        {"type": "presence", "seats": [{}], "watchers": 0},
        {"type": "presence", "seats": None},
        {"type": "presence", "seats": [{"name": "", "kind": "open", "present": False}], "watchers": 0},
        {"type": "presence", "seats": [{"name": "", "kind": "open", "present": False, "team": 7}], "watchers": 0},
        {"type": "beat"},
        {"type": "chat", "name": "Ann"},
        {"type": "view", "seat": 0},
        {"type": "taken_over"},
        {"type": "view", "seat": 0, "seq": 2},
        {"type": "view", "seat": 0, "seq": 2, "view": {}, "choices": {}, "refused": []},
    ],
)
def test_messages_of_the_wrong_form_change_nothing(message: Any):
    _desk, _table, store = holding(0)
    before = store.state
    store.fold_message(message)
    assert store.state == before


def test_unreadable_entries_are_left_out():
    desk, _table, store = holding(0, seen=False)
    view = desk.view(ANN, 0)
    store.fold_message({**view, "view": {"viewer": 0}, "choices": [{"action": {"type": "fly"}, "ap": 1}, 7]})
    assert 0 not in store.state.views
    assert store.state.choices[0] == ()


def test_a_table_with_an_unreadable_view_is_closed_with_a_reason():
    """The host may be newer. The last view stays on the screen."""
    desk, table, store = holding()
    assert store.state.link == "live"
    desk.act(ANN, table, 0, NORTH)
    store.fold_message({**snapshot(desk, table), "view": {"viewer": "nobody"}})
    state = store.state
    assert (state.link, state.closed) == ("closed", "unclear")
    assert state.view.cave.teams[0].at == (0, -1)
    store.fold_message(snapshot(desk, table))
    desk.act(ANN, table, 0, BACK)
    store.fold_message(snapshot(desk, table))
    assert store.state.link == "live"


@pytest.mark.parametrize(("code", "needed"), [({"code": "owl"}, True), ({}, False)])
def test_the_state_says_whether_a_table_needs_a_code(code: dict[str, str], needed: bool) -> None:
    desk = Desk()
    store = following(desk, desk.open("open", "open", **code))
    assert store.state.code is needed


class Disk(MemoryJournal):
    full = False

    def append_entries(self, *entries: Entry, reply: SavedReply | None = None) -> None:
        self.check_writable()
        super().append_entries(*entries, reply=reply)

    def check_writable(self) -> None:
        if self.full:
            raise NotKept("The disk is full.")


def test_a_saving_problem_of_the_host_is_shown_until_it_ends():
    desk = Desk(journal=(disk := Disk()))
    table = desk.open("open", "open", start=position())
    for who, name in ((ANN, "Ann"), (BEA, "Bea")):
        desk.ask(who, "sit", table=table, name=name)
    store, news = following(desk, table), TableNews(FACE.log_line)
    news.skip_news(store.state)
    disk.full = True
    assert desk.ask(ANN, "say", table=table, text="hm")["code"] == "not_saved"

    def tick() -> list[str]:
        desk.published.clear()
        desk.now += TRY_EVERY
        desk.take(desk.service.do_timed_work(desk.now))
        for message in desk.published:
            store.fold_message(message)
        return news.news_of_state(store.state)

    assert tick() == ["The disk is full."]
    assert header_words_without_turn(store.state) == UNSAVED
    assert host_away_banner_words(store.state, str) == "The disk is full."
    assert following(desk, table).state.unsaved == "The disk is full."
    assert tick() == []
    disk.full = False
    assert tick() == [SAVED_AGAIN]
    assert header_words_without_turn(store.state) == host_away_banner_words(store.state, str) == ""
    assert desk.ask(ANN, "say", table=table, text="hm")["type"] == "said"


@pytest.mark.parametrize("joined", ["before", "after"])
def test_a_game_that_is_set_aside_offers_no_actions(joined: str):
    desk, table, store = holding(0)
    assert store.state.choices[0]
    desk.published.clear()
    desk.take(desk.service.set_failed_table_aside(table, ZeroDivisionError(), desk.now))
    if joined == "before":
        store.fold_message(desk.published[0])
    else:
        store.fold_message(snapshot(desk, table))
    state = store.state
    assert state.set_aside == desk.service.tables[table].aside
    assert state.choices == state.refusals == state.undoable == {}
    assert state.halted
    assert not state.cut_off
    assert header_words_without_turn(state) == SET_ASIDE
    news = TableNews(FACE.log_line)
    assert news.news_of_state(state)[-1] == state.set_aside
    assert news.news_of_state(state) == []
    assert host_away_banner_words(state, str) == state.set_aside


def test_a_refusal_of_an_unknown_action_is_left_out():
    desk, _table, store = holding(0, seen=False)
    view = desk.view(ANN, 0)
    flight = {"action": {"type": "fly"}, "code": "no_token", "message": "Nobody flies."}
    store.fold_message({**view, "refused": [flight, *view["refused"]]})
    assert store.state.refusals[0]
    assert all(refusal.action["type"] != "fly" for refusal in store.state.refusals[0])


def test_a_snapshot_with_a_request_of_an_unknown_seat_is_rejected():
    desk, table, store = holding()
    desk.act(ANN, table, 0, NORTH)
    told = snapshot(desk, table)
    asks = {"number": 1, "seat": 7, "what": "hurry", "level": "", "until": "end", "waits_for": [0]}
    score = {"of": 3, "game": 1, "wins": [0, 0], "points": [0, 0]}
    ann = {"name": "Ann"}
    for more in (
        {"agreement": {**told["agreement"], "proposal": asks}},
        {"rematch": {"next": "t2", "seat": 2}},
        {"series": {**score, "wins": [0]}},
        {"series": {**score, "winners": [2]}},
        {"series": {**score, "players": [ann] * 3}},
        {"series": {**score, "players": [ann] * 3, "sits": [0, 3]}},
        {"series": {**score, "players": [ann] * 9, "sits": [0, 1]}},
    ):
        store.fold_message({**told, **more})
        assert (store.state.seq, store.state.proposal) == (1, None)
    all_sit = {**score, "players": [ann] * 3, "sits": [0, 1], "next": [2, 0]}
    right = {"agreement": {**told["agreement"], "proposal": {**asks, "seat": 1}}, "series": all_sit}
    store.fold_message({**told, **right})
    assert store.state.seq == 2
    assert store.state.proposal is not None


def test_a_snapshot_with_too_many_seats_is_rejected():
    """A host that claims this is not believed."""
    desk, table = seated()
    told = snapshot(desk, table)
    store = Store(table)
    store.fold_message({**told, "seats": told["seats"] * 3})
    assert not store.has_snapshot
    assert store.wants_sync


@pytest.mark.parametrize(
    "event", [{"type": "fell_down", "seat": 0}, {"type": "turn_began"}, {"type": "turn_began", "seat": 2}]
)
def test_an_update_with_an_unknown_event_is_rejected(event: Any):
    """A host that claims this is not believed."""
    _, _, store, updates = played()
    before = store.state
    store.fold_message({**updates[0], "events": [event]})
    assert (store.state.seq, store.state.log) == (before.seq, before.log)
    store.fold_message(updates[0])
    assert store.state.seq == before.seq + 1


def test_a_seat_handed_to_a_bot_is_no_longer_held():
    """Its owner has resigned."""
    desk, table, store = holding(0)
    assert store.state.my_seats == (0,)
    told = snapshot(desk, table)
    seats = [{**told["seats"][0], "kind": "bot", "level": "rookie"}, told["seats"][1]]
    store.fold_message({**told, "seats": seats})
    assert store.state.my_seats == ()
    assert not store.state.choices


def test_a_rematch_is_known_from_the_gallery_or_the_snapshot() -> None:
    desk, table = seated(start=position())
    store, told = following(desk, table), snapshot(desk, table)
    assert store.state.rematch_by is None
    store.fold_message({"type": "rematch", "table": table, "next": "n", "seat": 1})
    assert store.state.rematch_by == 1
    late = Store(table)
    late.fold_message({**told, "rematch": {"next": "n", "seat": 0}})
    assert late.state.rematch_by == 0
    late.fold_message({"type": "rematch", "table": table, "next": "n", "seat": 7})
    assert late.wants_sync, "there is no such seat"


def test_a_player_who_has_resigned_can_have_a_rematch() -> None:
    desk, table = seated(start=position())
    store, told = following(desk, table), snapshot(desk, table)
    store.hold(0)
    seats = [{**told["seats"][0], "kind": "bot", "level": "rookie"}, told["seats"][1]]
    store.fold_message({"type": "presence", "seats": seats, "watchers": 0})
    assert (store.state.my_seats, store.state.left_to_bots) == ((), (0,))
    assert not store.state.may_rematch, "the others still play"
    store.fold_message({"type": "set_aside", "message": "Bea resigns.", "resigned": True})
    assert store.state.may_rematch


def test_updates_waiting_for_a_missing_one_are_dropped_with_the_link() -> None:
    """The host may have undone it meanwhile, in a lost message."""
    desk, table, store = holding()
    desk.act(ANN, table, 0, NORTH)
    one_step_on = snapshot(desk, table)
    desk.act(ANN, table, 0, BACK)
    store.fold_message(desk.published[-1])
    assert store.state.seq == 1, "the update before it is missing"
    store.note_lost_link("lost")
    store.note_found_link()
    store.fold_message(one_step_on)
    assert store.state.seq == 2
    assert store.state.view.cave.teams[0].at == (0, -2)
