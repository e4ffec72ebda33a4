"""Input validation of the client: the parsed data of any bytes from a host is displayable."""

from __future__ import annotations

import contextlib
import json
import unicodedata
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cave import codec, wire
from cave.game import BadData
from client.net import messages
from tests.server.kit import ANN, EVE, PACK, seated

HARMFUL = {"Cc", "Cf", "Cs", "Cn", "Co", "Zl", "Zp"}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=30,
)


def texts(data: Any) -> Iterator[str]:
    """Yield every text in the data, including names of fields."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict):
        for name, value in data.items():
            yield name
            yield from texts(value)
    elif isinstance(data, list):
        for value in data:
            yield from texts(value)


@given(st.dictionaries(st.text(), JSON))
def test_incoming_text_is_safe_for_a_terminal(message: dict[str, Any]):
    try:
        told = messages.read_object(json.dumps(message).encode())
    except BadData:
        return
    for text in texts(told):
        assert not {unicodedata.category(letter) for letter in text if letter not in wire.JOINERS} & HARMFUL
        assert len(text) <= wire.MAX_TEXT
    assert messages.read_object(codec.encode(told)) == told


@given(st.binary(max_size=300))
def test_any_bytes_are_either_read_or_refused(raw: bytes):
    with contextlib.suppress(BadData):
        assert isinstance(messages.read_object(raw), dict)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"[]",
        b"7",
        b'"text"',
        b'{"a": "\\ud800"}',
        b'{"a": 1e999}',
        b'{"a": ' + b"9" * 5000 + b"}",
        b'{"a": ' + b"[" * messages.MAX_DEPTH + b"]" * messages.MAX_DEPTH + b"}",
        b'{"a":' * 100_000,
        b"\xff",
    ],
)
def test_an_invalid_message_is_refused(raw: bytes):
    with pytest.raises(BadData):
        messages.read_object(raw)


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        ("\x1b]0;owned\x07Eve", "Eve"),
        ("\x1b]52;c;aGk=\x1b\\Eve", "Eve"),
        ("\x1bcE\x9b31mve", "cE31mve"),
        ("\u202eevE\u2066\u200f\u200b\ufeff", "evE"),
        ("two  words\nand\ta third", "two  words and a third"),
        ("Zoë 🦇", "Zoë 🦇"),
        ("x" * 5000, "x" * wire.MAX_TEXT),
    ],
)
def test_texts_are_cleaned_at_any_depth_and_names_of_fields_too(told: str, shown: str):
    message = {told: [{"a": [told]}]}
    assert messages.read_object(codec.encode(message)) == {shown: [{"a": [shown]}]}


@pytest.mark.parametrize("more", ["x", "é"])
def test_objects_are_read_as_deep_as_messages_may_be(more: str):
    message: Any = more
    for _ in range(messages.MAX_DEPTH):
        message = {"a": message}
    assert messages.read_object(codec.encode(message)) == message
    with pytest.raises(BadData):
        messages.read_object(codec.encode({"a": message}))
    assert messages.read_object(b"{}") == {}


def test_messages_of_an_honest_host_are_unchanged():
    desk, table = seated(title="Zoë's  table", seed="any  text\u200d")
    desk.act(ANN, table, 0, PACK)
    desk.ask(ANN, "say", table=table, text="¡hola! <b>[red]")
    for kind in ("watch", "record"):
        desk.ask(EVE, kind, table=table)
    desk.ask(EVE, "hello", protocol=1)
    for _, frame in desk.raw:
        assert codec.encode(messages.read_object(frame)) == frame.rstrip(b" ")
