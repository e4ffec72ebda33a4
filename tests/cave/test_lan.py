"""A host's announcements on the local network (PROTOCOL.md), and forged ones."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cave import keys, lan, protocol
from cave.game import BadData
from cave.lan import Notice
from cave.wire import clean_text

KEY = keys.to_z85(bytes(range(32)))
NUMBERS = st.integers(0, lan.MOST)
NOTICES = st.builds(
    Notice,
    st.text(min_size=1).map(clean_text).filter(bool).map(lambda text: lan.cut_to_bytes(text, lan.NAME_BYTES)),
    st.sampled_from(["", KEY]),
    st.tuples(NUMBERS, NUMBERS),
    st.sampled_from([(), ("the-cave",)]),
    NUMBERS,
    NUMBERS,
    NUMBERS,
).filter(lambda notice: notice.name == clean_text(notice.name))


def wire(notice: Notice, **changes: Any) -> dict[bytes, bytes | None]:
    """The strings as received from the network, some of them changed."""
    strings: dict[bytes, bytes | None] = {k.encode(): v.encode() for k, v in notice.to_txt().items()}
    return {**strings, **{name.encode(): value for name, value in changes.items()}}


@given(NOTICES)
def test_a_notice_survives_a_round_trip(notice: Notice) -> None:
    assert lan.read_txt(wire(notice)) == notice


@given(NOTICES)
def test_each_string_fits_a_txt_record(notice: Notice) -> None:
    """RFC 6763, section 6.1: a string has 255 bytes at most; 6.4: keys are printable ASCII without =."""
    for name, value in notice.to_txt().items():
        assert len(f"{name}={value}".encode()) <= 255
        assert name.isascii()
        assert "=" not in name


def test_a_notice_has_the_hosts_facts() -> None:
    told = Notice("Ann's host", KEY, games=("the-cave",), tables=2, free=3, watchers=4).to_txt()
    assert told == {
        "txtvers": "1",
        "protocol": "1-1",
        "name": "Ann's host",
        "games": "the-cave",
        "tables": "2",
        "free": "3",
        "watchers": "4",
        "key": keys.key_for_ticket(KEY),
        "fingerprint": keys.fingerprint(KEY),
    }
    plain = Notice("Ann's host").to_txt()
    assert "key" not in plain
    assert "fingerprint" not in plain


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        (b"\x1b[2J\x1b]0;owned\x07Ann", "Ann"),
        ("Ann\u202egnp".encode(), "Anngnp"),
        (b"Ann\r\nBea\x00\x9b", "Ann Bea\ufffd"),
        (b"\xff\xfeAnn", "\ufffd\ufffdAnn"),
        ("\ud800Ann".encode("utf-8", "surrogatepass"), "\ufffd\ufffd\ufffdAnn"),
        (b"[bold red]Ann[/]", "[bold red]Ann[/]"),  # shown literally, never as markup
    ],
)
def test_names_are_cleaned_for_display(name: bytes, shown: str) -> None:
    read = lan.read_txt(wire(Notice("x"), name=name)).name
    assert clean_text(read) == read
    assert read == shown


def test_a_long_name_is_cut_between_characters() -> None:
    read = lan.read_txt(wire(Notice("x"), name=("\N{MOUNTAIN}" * 500).encode())).name
    assert set(read) == {"\N{MOUNTAIN}"}
    assert len(read.encode()) <= lan.NAME_BYTES


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"txtvers": b"2"}, "txtvers"),
        ({"txtvers": None}, "txtvers"),
        ({"name": b""}, "name"),
        ({"name": b"\x1b[31m\x07"}, "name"),
        ({"name": None}, "name"),
        ({"key": b"not a key"}, "key"),
        ({"key": b"\xff" * 43}, "key"),
        ({"key": b"A" * 200}, "key"),
        ({"free": b"-1"}, "free"),
        ({"free": b"10000"}, "free"),
        ({"free": b"9" * 250}, "free"),
        ({"free": "٣".encode()}, "free"),
        ({"free": b"1e3"}, "free"),
        ({"free": None}, "free"),
        ({"watchers": b" 1"}, "watchers"),
        ({"tables": b"nan"}, "tables"),
        ({"protocol": b"1"}, "protocol"),
        ({"protocol": b"1-2-3"}, "protocol"),
        ({"protocol": None}, "protocol"),
    ],
)
def test_an_unreadable_notice_is_refused(changes: dict[str, bytes | None], field: str) -> None:
    with pytest.raises(BadData) as caught:
        lan.read_txt(wire(Notice("Ann", KEY), **changes))
    assert caught.value.field == field


@given(st.dictionaries(st.binary(max_size=20), st.none() | st.binary(max_size=255)))
def test_reading_arbitrary_strings_never_fails(strings: dict[bytes, bytes | None]) -> None:
    try:
        read = lan.read_txt({b"txtvers": b"1", b"name": b"x", b"protocol": b"1-1", **strings})
    except BadData:
        return
    assert read.name


def test_unknown_games_are_left_out() -> None:
    assert lan.read_txt(wire(Notice("x"), games=b"chess,the-cave,<script>,the-cave")).games == ("the-cave",)


def test_only_games_not_over_count() -> None:
    def table(status: Any, kinds: str, watchers: int) -> protocol.TableLine:
        kind: dict[str, Any] = {"o": "open", "p": "person", "b": "bot"}
        seats = [protocol.SeatLine("", kind[letter], present=True) for letter in kinds]
        return protocol.TableLine(
            id="", title="", settings={}, game="the-cave", status=status, seats=seats, watchers=watchers
        )

    tables = [table("waiting", "poo", 1), table("playing", "pob", 2), table("over", "ooo", 4)]
    assert lan.make_notice("A\x1b[0mnn", KEY, tables) == Notice("Ann", KEY, (1, 1), ("the-cave",), 2, 3, 3)
    assert lan.make_notice("\x00", "", []) == Notice("Cave host")
    many = [table("playing", "p", 9000), table("playing", "p", 9000)]
    assert lan.read_txt(wire(lan.make_notice("Ann", "", many))).watchers == lan.MOST


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("", ()),
        (" off ", None),
        ("OFF", None),
        ("127.0.0.1", ("127.0.0.1",)),
        (" 10.0.0.7 , FE80::1,", ("10.0.0.7", "fe80::1")),
    ],
)
def test_mdns_addresses_are_parsed(text: str, where: tuple[str, ...] | None) -> None:
    assert lan.parse_mdns_addresses(text) == where


@pytest.mark.parametrize("text", ["eth0", "on", "10.0.0", "10.0.0.7;10.0.0.8"])
def test_invalid_mdns_addresses_are_refused(text: str) -> None:
    with pytest.raises(lan.BadWhere, match="CAVE_MDNS must be"):
        lan.parse_mdns_addresses(text)


@pytest.mark.parametrize(
    ("listening", "only", "may"),
    [
        ("::", (), True),
        ("0.0.0.0", (), True),
        ("192.168.1.7", (), True),
        ("127.0.0.1", (), False),
        ("127.0.0.2", (), False),
        ("::1", (), False),
        ("127.0.0.2", ("127.0.0.1",), False),
        ("127.0.0.2", ("127.0.0.2",), True),
    ],
)
def test_a_host_for_this_machine_is_not_announced(listening: str, only: tuple[str, ...], may: bool) -> None:
    assert lan.may_announce(listening, only) is may
