"""Any bytes yield a message, or one clean refusal (PROTOCOL.md, promise 4)."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cave import protocol, wire
from cave.strict_json import BadMessage

ACT = {"type": "act", "id": "a", "table": "t", "seat": 0, "seq": 1, "action": {"type": "end_turn"}}

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=20,
)


def refusal(raw: bytes) -> BadMessage:
    with pytest.raises(BadMessage) as caught:
        protocol.decode_message(raw)
    return caught.value


def outcome(raw: bytes) -> str:
    """The type of the message, or the code of the refusal; any other exception is a failure."""
    try:
        return protocol.decode_message(raw)[1].type
    except BadMessage as error:
        return error.code


def test_a_message_is_read():
    re, message = protocol.decode_message(json.dumps(ACT).encode())
    assert re == "a"
    assert message == protocol.Act(table="t", seat=0, seq=1, action={"type": "end_turn"})


def test_unknown_fields_are_ignored_also_inside():
    raw = {
        "type": "open", "id": "1", "game": "the-cave", "from": "the future",
        "seats": [{"kind": "open", "colour": "red"}],
    }  # fmt: skip
    _, message = protocol.decode_message(json.dumps(raw).encode())
    assert isinstance(message, protocol.Open)
    assert message.seats == (protocol.SeatSpec("open"),)


def test_an_unknown_type_is_reported_with_its_id():
    error = refusal(b'{"type": "dance", "id": "7"}')
    assert (error.code, error.re) == ("unknown_type", "7")


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\xff\xfe",
        b"not json",
        b"null",
        b"[]",
        b'"text"',
        b"{}",
        b'{"type": "ping"}',
        b'{"type": "ping", "id": 1}',
        b'{"type": "ping", "id": ""}',
        b'{"type": "ping", "id": "' + b"x" * 65 + b'"}',
        b'{"type": ["ping"], "id": "1"}',
        b'{"type": "ping", "id": "1", "id": "2"}',
        b'{"type": "ping", "id": "1", "x": NaN}',
        b'{"type": "ping", "id": "1", "x": Infinity}',
        b'{"type": "ping", "id": "1", "x": 1e999}',
        b'{"type": "ping", "id": "1", "x": ' + b"9" * 5000 + b"}",
        b'{"type": "ping", "id": "1", "x": "\\ud800"}',
        b'{"type": "ping", "id": "\\udfff"}',
        b'{"type": "ping", "id": "1", "x": ' + b"[" * 30000 + b"]" * 30000 + b"}",
        b'{"type": "ping", "id": "1", "x": ' + b"[" * 16 + b"]" * 16 + b"}",
        b'{"x":' * 12000,
        b'{"type": "ping", "id": "1"} trailing',
        b'\xef\xbb\xbf{"type": "ping", "id": "1"}',
    ],
)
def test_an_invalid_message_is_refused(raw: bytes):
    assert refusal(raw).code == "bad_message"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("seat", -1),
        ("seat", True),
        ("seat", "0"),
        ("seat", 0.0),
        ("seat", None),
        ("seq", 2**53),
        ("table", 1),
        ("table", None),
    ],
)
def test_a_field_of_the_wrong_form_is_named(field: str, value: object):
    error = refusal(json.dumps({**ACT, field: value}).encode())
    assert error.code == "bad_message"
    assert error.re == "a"
    assert field in error.message


def test_a_missing_field_is_named():
    without = {name: value for name, value in ACT.items() if name != "action"}
    assert '"action" is missing' in refusal(json.dumps(without).encode()).message


def test_the_size_limit_is_exact():
    body = json.dumps({"type": "ping", "id": "1", "x": ""}).encode()
    fits = body.replace(b'""', b'"' + b"x" * (wire.MAX_MESSAGE - len(body)) + b'"')
    assert len(fits) == wire.MAX_MESSAGE
    assert protocol.decode_message(fits)[0] == "1"
    assert refusal(fits.replace(b"xx", b"xxx", 1)).code == "too_large"


@given(st.binary(max_size=400))
def test_any_invalid_bytes_are_refused(raw: bytes):
    assert outcome(raw) in ("bad_message", "unknown_type")


@given(st.sampled_from(sorted(protocol.MESSAGES)), st.dictionaries(st.text(max_size=8), JSON))
def test_any_invalid_object_is_refused(kind: str, fields: dict[str, object]):
    raw = json.dumps({**fields, "type": kind, "id": "1"}).encode()
    assert outcome(raw) in (kind, "bad_message")


@given(st.dictionaries(st.sampled_from(["table", "seat", "seq", "action", "name", "key", "code"]), JSON))
def test_near_misses_are_refused_or_read(fields: dict[str, object]):
    for kind in protocol.MESSAGES:
        raw = json.dumps({**fields, "type": kind, "id": "1"}).encode()
        assert outcome(raw) in (kind, "bad_message")


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("Ann", "Ann"),
        ("  Ann \n Lee\t", "Ann Lee"),
        ("\x1b[31mRed\x1b[0m", "Red"),
        ("\x1b]0;title\x07Ann", "Ann"),
        ("A\u202enn\u2066\u200f", "Ann"),
        ("A\x00\x08\x7f\x9bnn", "Ann"),
        ("[bold]Ann[/]", "[bold]Ann[/]"),
        ("Zoë 🦇", "Zoë 🦇"),
    ],
)
def test_names_are_cleaned(typed: str, shown: str):
    assert protocol.clean_name(typed) == shown


@pytest.mark.parametrize("typed", ["", "  ", "\u200d", "\x1b[31m", "x" * 25])
def test_invalid_names_are_refused(typed: str):
    with pytest.raises(BadMessage, match=r"at most 24 characters|one visible character"):
        protocol.clean_name(typed)


def test_chat_has_a_limit():
    assert protocol.clean_chat("x" * 500) == "x" * 500
    with pytest.raises(BadMessage):
        protocol.clean_chat("x" * 501)


@given(st.text(max_size=80))
def test_clean_text_is_clean_and_stays_so(text: str):
    clean = wire.clean_text(text)
    assert wire.clean_text(clean) == clean
    assert not any(ord(character) < 32 or 0x7F <= ord(character) < 0xA0 for character in clean)
    assert not set(clean) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f")
