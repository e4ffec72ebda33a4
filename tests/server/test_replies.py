"""The bounds of stored replies, for any requests (PROTOCOL.md, promise 4)."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import example, given

from cave import codec
from server.clients.limits import Limits
from server.clients.replies import OVERHEAD, Replies
from tests.server.kit import Desk, position

FREE = {"rate": 1e6, "burst": 1e6, "patience": 1e6}
TWO = [{"kind": "open"}] * 2
LONG = 400
"""More bytes than any refusal needs."""

WHO, WHERE = st.sampled_from("abcd"), st.sampled_from(("", "home", "away"))
DEEDS = st.lists(
    st.one_of(
        st.tuples(st.just("note"), WHO, st.integers(0, 20)),
        st.tuples(st.just("remember"), WHO, st.integers(0, 20), st.integers(0, 900)),
        st.tuples(st.just("come"), WHO, WHERE),
        st.tuples(st.just("inherit"), WHO, WHO),
        st.tuples(st.just("forget"), WHO),
    ),
    max_size=60,
)

MUCH = [*(("remember", number, 700) for number in range(3)), ("come", "home")]
"""Requests of a client before it moves to an address that others share."""


def rising(number: int) -> str:
    """A message id of a kind that is known to rise."""
    return f"run00000#{number + 1}"


@given(DEEDS)
@example([(deed, who, *more) for who in "ab" for deed, *more in MUCH])
def test_the_kept_bytes_stay_within_their_bounds(deeds: list[Any]):
    limits = Limits(replies_each=3000, replies_address=5000, replies=8000)
    replies = Replies(limits)
    model: dict[str, dict[str, bytes]] = {who: {} for who in "abcd"}
    done: dict[str, set[str]] = {who: set() for who in "abcd"}
    places = dict.fromkeys("abcd", "")
    for deed, who, *more in deeds:
        match deed, more:
            case "remember", (re, size):
                model[who][str(re)] = bytes(size)
                replies.store_reply(who, str(re), bytes(size))
            case "note", (re,):
                done[who].add(rising(re))
                replies.mark_done(who, rising(re))
            case "come", (place,):
                places[who] = place
                replies.set_address(who, place)
            case "inherit", (former,):
                model[who].update(model[former])
                done[who] |= done[former]
                replies.inherit(who, former)
            case "forget", _:
                model[who], places[who], done[who] = {}, "", set()
                replies.forget_client(who)
        cost = {
            who: sum(
                OVERHEAD + len(re) + len(reply)
                for re in map(str, range(21))
                if (reply := replies.stored_reply(who, re)) is not None
            )
            for who in "abcd"
        }
        assert sum(cost.values()) == replies.size <= limits.replies
        assert max(cost.values()) <= limits.replies_each
        for place in ("home", "away"):
            there = sum(cost[who] for who in "abcd" if places[who] == place)
            assert there <= limits.replies_address
        for who in "abcd":
            for re in map(str, range(21)):
                # A dropped request never gets the reply of another one.
                assert replies.stored_reply(who, re) in (None, model[who].get(re))
            # A request is never executed again, whichever of a client's connections sent it.
            assert {each for each in map(rising, range(21)) if replies.is_done(who, each)} == done[who]


def test_a_repeated_reply_replaces_the_first_and_is_the_newest():
    cost = OVERHEAD + 1
    replies = Replies(Limits(replies_each=2 * cost + 4))
    for re, reply in (("1", b"xx"), ("2", b"xx"), ("1", b"yyyy")):
        replies.store_reply("a", re, reply)
        assert replies.stored_reply("a", re) == reply
    # The first reply no longer counts. The older one of the two is dropped, not the one repeated.
    assert replies.size == cost + 4
    assert replies.stored_reply("a", "2") is None
    replies.store_reply("a", "1", b"")
    assert replies.size == cost


def test_the_largest_holder_makes_room_and_the_others_keep_theirs():
    limits = Limits(replies_address=10 * (OVERHEAD + 1))
    replies = Replies(limits)
    for who in ("greedy", "modest", "elsewhere"):
        replies.set_address(who, "away" if who == "elsewhere" else "home")
    replies.store_reply("modest", "0", b"")
    replies.store_reply("elsewhere", "0", b"")
    for number in range(50):
        replies.store_reply("greedy", str(number % 10), b"")
    replies.store_reply("greedy", "x", b"")
    assert replies.stored_reply("modest", "0") == replies.stored_reply("elsewhere", "0") == b""
    assert replies.stored_reply("greedy", "x") == b""
    assert replies.stored_reply("greedy", "0") is None


@pytest.mark.parametrize("keyed", [False, True])
def test_departed_clients_get_kept_replies_only_if_recognizable(keyed: bool):
    desk = Desk(limits=Limits(**FREE))
    peer = "eve's key" if keyed else None
    opened = codec.encode({"type": "open", "id": "1", "game": "the-cave", "seats": TWO})
    desk.service.handle_message(b"eve", [opened], 0.0, peer)
    kept = desk.service.clients.guests.replies.size
    assert kept > 0
    desk.service.clients.connection_lost(b"eve", 0.0)
    assert desk.service.clients.guests.replies.size == (kept if keyed else 0)


def huge() -> list[tuple[str, dict[str, Any]]]:
    """Requests that quote as much foreign text as possible."""
    asked: list[tuple[str, dict[str, Any]]] = []
    for text in ("x" * 30_000, "\N{GRINNING FACE}\x1b" * 5000, "é - at `$.\x1b[2J" * 1500):
        odd = {text: 1}
        asked += [(text, {}), ("hello", {"protocol": text})]
        asked.append(("open", {"game": text, "seats": TWO}))
        seats = [{"kind": text}], [{"kind": "bot", "level": text}]
        asked += [("open", {"game": "the-cave", "seats": each}) for each in seats]
        asked += [
            ("open", {"game": "the-cave", "seats": TWO, field: value})
            for field in ("settings", "start", "absence", "title", "seed", "code")
            for value in (text, odd, {"edition": text}, {"format": text}, {"then": text})
        ]
        for path in (("teams", 0, "backpack"), ("teams", 0), ("turn",), ("board", 0), ("settings",)):
            start = place = position()
            for step in path:
                place = place[step]
            place[text] = 1
            asked.append(("open", {"game": "the-cave", "seats": TWO, "start": start}))
        here = {"table": "TABLE", "seat": 0}
        actions = (text, odd, {"type": text}, {"type": "pack", text: 1}, {"type": "pack", "backpack": odd})
        asked += [("act", {**here, "seq": 1, "action": action}) for action in actions]
        asked += [("sit", {"table": "TABLE", "name": text}), ("sit", {"table": text, "name": "x"})]
        asked += [("say", {"table": "TABLE", "text": text}), ("resume", {**here, "key": text})]
    return asked


def test_refusals_quote_only_the_beginning_of_foreign_text():
    desk = Desk(limits=Limits(**FREE))
    table = desk.seated()
    quoted = 0
    for kind, fields in huge():
        raw = codec.encode({"type": kind, "id": "q", **fields}).replace(b"TABLE", table.encode())
        sent = desk.service.handle_message(b"eve", [raw], 0.0)[-1]
        reply = codec.decode(sent.frames[-1])
        if kind == "open" and reply["type"] == "opened":
            desk.service.changes.remove_table(reply["table"])
        else:
            assert reply["type"] == "error"
            assert len(sent.frames[-1]) < LONG, reply
            quoted += "…" in reply["message"]
        desk.service.clients.connection_lost(b"eve", 0.0)
    assert quoted > 20
