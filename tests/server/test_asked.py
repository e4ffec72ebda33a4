"""A repeated request is not executed again, however late it comes (PROTOCOL.md, promise 8)."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given

from server.clients.limits import Limits
from server.clients.replies import RUNS, WINDOW, UsedMessageIds
from tests.server.kit import ANN, Desk, come_back
from tests.server.memory import MemoryJournal
from tests.server.test_restart import by_key

RUN = "0123456789abcdef"
FREE = {"rate": 1e6, "burst": 1e6, "replies_each": 4096}
OPEN = {"game": "the-cave", "seats": [{"kind": "open"}] * 3}
NUMBERS = st.lists(st.integers(1, 400) | st.sampled_from((10**15 - 1, 10**14)), max_size=40)


@given(NUMBERS, NUMBERS)
def test_a_number_is_known_as_used_or_out_of_date_and_no_other(first: list[int], second: list[int]):
    here, there = UsedMessageIds(), UsedMessageIds()
    for number in first:
        here.add(f"{RUN}#{number}")
    for number in second:
        there.add(f"{RUN}#{number}")
    here.inherit(there)
    used = {*first, *second}
    for number in {*range(1, 420), *used}:
        out_of_date = bool(used) and number <= max(used) - WINDOW
        assert (f"{RUN}#{number}" in here) == (number in used or out_of_date)


def test_the_runs_used_last_are_known():
    asked = UsedMessageIds()
    for number in range(RUNS + 1):
        asked.add(f"run{number:05d}#1")
        asked.add("the-first#1")
        asked.add("thefirst#1")
    assert "thefirst#1" in asked
    assert "run00000#1" not in asked
    assert f"run{RUNS:05d}#1" in asked


@pytest.mark.parametrize(
    "other", ["1", "q17", "act#5", f"{RUN}-5", f"{RUN}#05", f"{RUN}#0", f"{RUN}#-1", f"{RUN}#", "é" * 8 + "#1"]
)
def test_other_ids_are_as_before_any_text(other: str):
    asked = UsedMessageIds()
    asked.add(f"{RUN}#400")
    asked.add(other)
    assert other not in asked


def everything(desk: Desk) -> tuple[str, dict[str, Any]]:
    """One of each message that changes something, then so much chat that none of their replies is kept."""
    asked: dict[str, Any] = {}

    def ask(number: int, kind: str, **fields: Any) -> Any:
        asked[f"{RUN}#{number}"] = (kind, fields)
        return by_key(desk, ANN, kind, f"{RUN}#{number}", **fields)

    table = ask(1, "open", **OPEN)["table"]
    assert ask(2, "sit", table=table, name="Ann")["seat"] == 0
    assert ask(3, "stand", table=table, seat=0)["type"] == "stood"
    assert by_key(desk, ANN, "sit", f"{RUN}#4", table=table, name="Ann")["seat"] == 0
    assert ask(5, "say", table=table, text="once")["type"] == "said"
    for number in range(6, 300):
        by_key(desk, ANN, "say", f"{RUN}#{number}", table=table, text="hm")
    return table, asked


@pytest.mark.parametrize("restarted", [False, True])
def test_a_message_is_not_done_again_when_its_reply_is_long_forgotten(restarted: bool):
    desk = Desk(limits=Limits(**FREE), journal=(journal := MemoryJournal()))
    table, asked = everything(desk)
    if restarted:
        come_back(desk, journal, replies_each=4096)
    kept = list(journal.kept)
    for number, (kind, fields) in asked.items():
        refused = by_key(desk, b"new", kind, number, **fields)
        assert (refused["type"], refused["code"]) == ("error", "repeated"), kind
        assert refused["message"].endswith(".")
    assert journal.kept == kept
    assert list(desk.service.tables) == [table]
    # A new request is executed, and the same key may also use another run.
    assert by_key(desk, b"new", "say", f"{RUN}#300", table=table, text="hm")["code"] == "not_seated"
    assert by_key(desk, b"new", "open", "ffffffff#1", **OPEN)["type"] == "opened"


def test_messages_out_of_order_are_all_processed():
    desk = Desk(limits=Limits(**FREE))
    table = desk.open("open", "open")
    by_key(desk, ANN, "sit", f"{RUN}#1", table=table, name="Ann")
    for number in (7, 3, 100, 5, 2):
        said = by_key(desk, ANN, "say", f"{RUN}#{number}", table=table, text=str(number))
        assert said["type"] == "said"
    assert [line.text for line in desk.service.tables[table].chat] == ["7", "3", "100", "5", "2"]


def test_refused_and_unsaved_messages_can_be_sent_again():
    desk = Desk(limits=Limits(**FREE))
    table = desk.open("open", "open")
    refused = by_key(desk, ANN, "stand", f"{RUN}#1", table=table, seat=0)
    assert refused["code"] == "not_seated"
    assert by_key(desk, ANN, "stand", f"{RUN}#1", table=table, seat=0) == refused
    assert desk.service.counts["refused_repeated"] == 0
