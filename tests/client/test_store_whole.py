"""Everything that a store knows of a table is in its state, within the limits."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from cave import protocol
from cave.games import get_game
from client.net.store import CHAT_LENGTH, LOG_LENGTH, MAX_AHEAD_BYTES, Store, check_event
from client.table import ChatLine, Proposal
from tests.client.test_store import BACK, NORTH, beat, following, holding, snapshot
from tests.playthrough import playthrough
from tests.server.kit import ANN, BEA, Desk, position, seated

GAME = get_game("the-cave")
PROPOSAL = {"number": 3, "seat": 1, "what": "hand_over", "level": "rookie", "until": "end", "waits_for": [0]}


def told(**change: Any) -> tuple[Desk, str, Any]:
    """A host's snapshot with changes."""
    desk, table = seated(start=position())
    return desk, table, {**snapshot(desk, table), **change}


def knowing(**change: Any) -> Store:
    """A store that has got such a snapshot."""
    desk, table, message = told(**change)
    store = Store(table, address="here:1")
    store.fold_message(message)
    store.fold_message(beat(desk, table))
    return store


def test_all_fields_of_a_snapshot_are_in_the_state():
    state = knowing(
        title="Fri\x07day",
        watchers=4,
        watchers_chat=False,
        hints=False,
        set_aside="Ann re\x07signs.",
        unsaved="The disk is\x1b full.",
        resigned=True,
        agreement={"proposal": PROPOSAL, "hurry": "turn"},
        chat=[{"name": "Eve", "text": "hi", "watcher": True}],
        status="over",
    ).state
    assert (state.title, state.address, state.game.name) == ("Friday", "here:1", "the-cave")
    assert (state.watchers, state.watchers_chat, state.hints) == (4, False, False)
    assert (state.set_aside, state.resigned, state.status) == ("Ann resigns.", True, "over")
    assert state.unsaved == "The disk is full."
    assert (state.hurry, state.proposal) == ("turn", Proposal(3, 1, "hand_over", "rookie", "end", (0,)))
    assert state.chat == (ChatLine("Eve", "hi", True),)
    usual = knowing().state
    assert (usual.hints, usual.resigned, usual.set_aside) == (True, False, "")
    assert knowing(watchers_chat=True).state.watchers_chat
    assert (usual.hurry, usual.proposal, usual.missing, usual.closed) == ("", None, "", "")
    assert not knowing(resigned=True).state.resigned, "a game that nobody has set aside goes on"


def test_a_seat_that_a_bot_plays_to_the_end_offers_nothing():
    desk, table, store = holding(0)
    assert store.state.choices
    message = snapshot(desk, table)
    seats = [{**message["seats"][0], "handed": True, "level": "rookie"}, message["seats"][1]]
    store.fold_message({**message, "seats": seats})
    assert (store.state.choices, store.state.refusals, store.state.undoable) == ({}, {}, {})
    assert set(store.state.views) == {0}


def test_only_the_newest_messages_and_events_are_kept():
    line = {"name": "Eve", "text": "", "watcher": False}
    moved = {"seq": 1, "event": {"type": "turn_ended", "seat": 0, "ap": 0}}
    store = knowing(
        chat=[{**line, "text": str(number)} for number in range(CHAT_LENGTH + 3)],
        log=[{**moved, "seq": 1 + number} for number in range(LOG_LENGTH + 3)],
    )
    state = store.state
    assert (len(state.chat), state.chat[-1].text) == (CHAT_LENGTH, str(CHAT_LENGTH + 2))
    assert (len(state.log), state.log[-1].seq) == (LOG_LENGTH, LOG_LENGTH + 3)
    store.fold_message({"type": "chat", "table": "t", **line, "text": "new"})
    store.hold(0)
    store.release(0, "taken")
    state = store.state
    assert (len(state.chat), state.chat[-1].text) == (CHAT_LENGTH, "new")
    assert (len(state.log), state.log[-1].event["type"]) == (LOG_LENGTH, "taken_over")


@pytest.mark.parametrize(("size", "waits"), [(MAX_AHEAD_BYTES, True), (MAX_AHEAD_BYTES + 1, False)])
def test_updates_waiting_for_a_missing_one_use_bounded_memory(size: int, waits: bool):
    desk, table, store = holding()
    for action in (NORTH, BACK):
        desk.act(ANN, table, 0, action)
    first, second = (each for each in desk.published if each["type"] == "update" and each["seq"] > 1)
    store.fold_message(second, size)
    assert store.wants_sync
    store.fold_message(first, 1)
    assert store.state.seq == (3 if waits else 2)


def test_each_kind_of_message_is_processed_and_confirms_the_gallery():
    _desk, table, message = told()
    asked = {"type": "agreement", "table": table, "proposal": PROPOSAL, "hurry": "end"}
    people = {"type": "presence", "table": table, "seats": message["seats"], "watchers": 5}
    series: Any = {"of": 3, "game": 1, "wins": [0, 0], "points": [0, 0], "sits": [0, 1]}
    sent, shown = ({**series, "players": [{"name": name} for name in ("A", each, "C")]} for each in ("B\x07", "B"))
    news: list[tuple[Any, str, Any]] = [
        (asked, "hurry", "end"),
        ({"type": "set_aside", "table": table, "message": "It was set aside."}, "set_aside", "It was set aside."),
        ({"type": "chat", "table": table, "name": "Bea", "text": "hi"}, "chat", (ChatLine("Bea", "hi"),)),
        (people, "watchers", 5),
        ({**people, "series": sent}, "series", msgspec.convert(shown, protocol.SeriesLine)),
    ]
    for each, field, value in news:
        store = Store(table)
        store.fold_message(message)
        assert not store.is_complete, "nothing was heard"
        store.fold_message(each)
        assert store.is_complete
        assert getattr(store.state, field) == value
    wrong = {**asked, "proposal": {**PROPOSAL, "seat": 2}}
    store = knowing()
    store.fold_message(wrong)
    assert store.wants_sync, "there is no such seat"
    for each, closed in (
        ({"type": "shelved", "table": table}, "shelved"),
        ({"type": "closing"}, "stopped"),
        ({"type": "closing", "ended": True}, "ended"),
    ):
        store = knowing()
        store.fold_message(each)
        assert (store.state.link, store.state.closed) == ("closed", closed)


def test_a_running_game_without_a_view_is_unreadable():
    state = knowing(view=None).state
    assert (state.status, state.link, state.closed) == ("waiting", "closed", "unclear")
    waiting = knowing(view=None, status="waiting").state
    assert (waiting.status, waiting.closed) == ("waiting", "")
    assert waiting.link != "closed"


def test_a_view_is_that_of_its_seat_and_of_as_many_seats_as_the_table_has():
    desk, table = seated(start=position())
    public = snapshot(desk, table)["view"]
    own, others = desk.view(ANN, 0), desk.view(BEA, 1)
    three = GAME.view_json(GAME.view(GAME.new(3, {}, "three"), None))
    store = following(desk, table)
    store.hold(0)
    for wrong in (public, others["view"], {**three, "viewer": 0}):
        store.fold_message({**own, "view": wrong})
        assert store.state.views == {}
    store.fold_message(own)
    assert store.state.views[0].viewer == 0
    for wrong in (own["view"], three):
        assert knowing(view=wrong).state.closed == "unclear"


def test_the_later_of_two_views_of_one_step_is_used():
    desk, _table, store = holding(0, seen=False)
    view = desk.view(ANN, 0)
    for undo in (0, 2):
        store.fold_message({**view, "undo": undo})
        assert store.state.undoable == {0: undo}


def test_a_wrong_digest_triggers_one_sync():
    desk, table, store = holding()
    told = beat(desk, table)
    for digest, asks in (("other", True), ("other", False), ("another", True), (told["digest"], False)):
        store.fold_message({**told, "digest": digest})
        assert store.wants_sync is asks, digest
        store.fold_message(snapshot(desk, table))
        assert not store.wants_sync
    early = Store(table)
    early.wants_sync = False
    early.fold_message({**told, "digest": "other"})
    assert not early.wants_sync, "nothing is known that could differ"


def test_a_choice_that_the_view_rules_out_is_left_out():
    """SECURITY.md: the client validates messages."""
    desk, _table, store = holding(0, seen=False)
    view = desk.view(ANN, 0)
    move = next(each for each in view["choices"] if each["action"]["type"] == "move")
    far = {**move, "action": {**move["action"], "to": [9, 9]}}
    store.fold_message({**view, "choices": [far, move]})
    assert [GAME.choice_json(each) for each in store.state.choices[0]] == [move]


def test_an_update_confirms_the_gallery_but_answers_no_request():
    desk, table, message = told()
    desk.act(ANN, table, 0, NORTH)
    update = desk.published[-1]
    store = Store(table)
    store.fold_message(message)
    assert not store.is_complete
    store.fold_message(update)
    assert store.is_complete
    store = knowing()
    store.wants_sync = True
    store.fold_message(update)
    assert store.state.seq == 2
    assert store.wants_sync, "something else may be missing"


def test_a_solo_player_gets_events_without_a_seat():
    game = get_game("cave-vs-cave")
    played = playthrough("cave-vs-cave")
    events = [game.event_json(event) for step in played.steps for event in step.events]
    of_none = [event for event in events if event.get("seat") is None]
    assert of_none
    for event in of_none:
        assert check_event(game, event, 1) == event
