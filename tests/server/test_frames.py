"""No message of a host exceeds PROTOCOL.md's limits, for any game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cave.games import get_game
from cave.wire import MAX_NEWS, MAX_REPLY
from server.tables.effects import Publish, Send, TooLarge
from tests.server.kit import ANN, EVE, NORTH, Desk, position


class Verbose(type(get_game("the-cave"))):  # type: ignore[misc]
    """The game, with this many more bytes in the JSON of the method with this name."""

    def __init__(self, name: str, size: int) -> None:
        make = getattr(super(), name)
        setattr(self, name, lambda value: {**make(value), "more": "x" * size})


def playing(name: str, size: int) -> tuple[Desk, str]:
    """Ann and Bea play this verbose game, and Eve watches."""
    desk = Desk()
    table = desk.seated(start=position())
    desk.ask(EVE, "watch", table=table)
    desk.published.clear()
    desk.service.tables[table].game = Verbose(name, size)
    return desk, table


@pytest.mark.parametrize(("size", "kind"), [(MAX_NEWS // 2, "update"), (MAX_NEWS, "beat")])
def test_an_update_that_is_too_large_is_a_hint_to_sync(size: int, kind: str):
    desk, table = playing("event_json", size)
    assert desk.act(ANN, table, 0, NORTH)["type"] == "done"
    (told,) = desk.published
    assert (told["type"], told["table"], told["seq"]) == (kind, table, 2)
    here = desk.service.tables[table]
    assert kind == "update" or told["digest"] == here.digest()
    assert all(len(frame) <= MAX_NEWS for link, frame in desk.raw if link is None)
    snapshot = desk.ask(EVE, "sync", table=table)
    assert snapshot["seq"] == 2
    assert [len(line["event"]["more"]) for line in snapshot["log"]] == [size]


def test_a_reply_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch):
    # A game of such actions is ended otherwise.
    monkeypatch.setattr("server.tables.table.ACTION_SIZE", MAX_REPLY)
    desk, table = playing("action_json", MAX_REPLY)
    assert desk.act(ANN, table, 0, NORTH)["type"] == "done"
    refused = desk.ask(EVE, "record", table=table)
    assert (refused["type"], refused["code"]) == ("error", "too_large")
    assert not desk.service.tables[table].aside


def test_a_view_that_is_too_large_is_an_error_at_the_table():
    """The host sets it aside (see ``test_set_aside``): nobody could play there."""
    desk, table = playing("choice_json", MAX_REPLY)
    view = desk.service.clients.send_view(desk.service.tables[table], 0)
    with pytest.raises(TooLarge):
        _ = view.frames


@pytest.mark.parametrize(
    ("make", "most"),
    [(lambda frame: Send(b"link", (b"", frame)), MAX_REPLY), (lambda frame: Publish("t", frame), MAX_NEWS)],
)
def test_no_frame_is_larger_than_the_protocol_allows(make: Callable[[bytes], Any], most: int):
    assert make(b" " * most)
    with pytest.raises(TooLarge):
        make(b" " * (most + 1))
