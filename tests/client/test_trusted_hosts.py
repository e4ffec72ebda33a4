"""Recognising a known host, and finding it after it has moved."""

from __future__ import annotations

import asyncio
import stat
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cave import keys
from client.net import discovery
from client.net.known_hosts import KNOWN_FILE, Address, Keys, WrongKey, is_this_machine, parse_address
from client.net.messages import Door, NobodyThere
from tests.client.test_cli import PATIENCE

KEY = "rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7"
OTHER = "JTKVSB%%)wK0E.X)V>+}o?pNmC{O&4W4b!Ni{Lh6"
HERE, THERE = Address("Ann.local", 7412), Address("10.0.0.7", 7500)
FAR = "10.0.0.9"


# Keys of hosts


def test_the_first_key_at_an_address_is_remembered_for_its_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "keys"
    mine = Keys(folder)
    assert mine.standing(HERE, KEY) == "new"
    assert mine.trusted_key(HERE, FAR, KEY) == KEY
    assert mine.standing(HERE, KEY) == mine.standing(THERE, KEY) == "known"
    assert mine.standing(HERE, OTHER) == "changed"
    assert mine.standing(THERE, OTHER) == "new"
    assert mine.trusted_key(THERE, FAR, OTHER) == OTHER
    known = folder / KNOWN_FILE
    assert known.read_text() == (
        f"10.0.0.7:7500 {keys.key_for_ticket(OTHER)}\nann.local:7412 {keys.key_for_ticket(KEY)}\n"
    )
    assert [each.name for each in folder.iterdir()] == [KNOWN_FILE], "nothing else is left"
    assert [stat.S_IMODE(path.stat().st_mode) for path in (folder, known)] == [0o700, 0o600]
    assert Keys(folder).trusted_key(Address("ANN.local", 7412), FAR, KEY) == KEY
    assert Keys(folder).standing(Address("ann.local", 7413), OTHER) == "known"


def test_a_changed_key_at_an_address_is_trusted_only_after_confirmation(tmp_path: Path) -> None:
    mine = Keys(tmp_path)
    mine.trusted_key(HERE, FAR, KEY)
    with pytest.raises(WrongKey, match="has a new key") as caught:
        mine.trusted_key(HERE, FAR, OTHER)
    for words in (keys.fingerprint(KEY), keys.fingerprint(OTHER), "--accept-new-key"):
        assert words in str(caught.value)
    assert mine.standing(HERE, KEY) == "known", "nothing has been changed"
    assert Keys(tmp_path, accept_new=True).trusted_key(HERE, FAR, OTHER) == OTHER
    assert mine.trusted_key(HERE, FAR, OTHER) == OTHER


def test_only_the_key_of_a_ticket_is_trusted_and_it_is_not_saved(tmp_path: Path) -> None:
    ticket = Address("ann.local", 7412, KEY)
    for accept_new in (False, True):
        mine = Keys(tmp_path, accept_new=accept_new)
        assert mine.trusted_key(ticket, FAR, KEY) == KEY
        with pytest.raises(WrongKey, match="is not the one in the ticket"):
            mine.trusted_key(ticket, FAR, OTHER)
    assert mine.standing(HERE, KEY) == "new"


def test_an_unencrypted_host_must_be_local_or_confirmed(tmp_path: Path) -> None:
    for ip, plain, trusts in (
        ("127.0.0.1", False, True), ("::1", False, True), (FAR, False, False), (FAR, True, True),
    ):  # fmt: skip
        mine = Keys(tmp_path, plain=plain)
        if trusts:
            assert mine.trusted_key(HERE, ip, "") == ""
        else:
            with pytest.raises(ConnectionError, match="does not encrypt: anybody"):
                mine.trusted_key(HERE, ip, "")
    assert mine.standing(HERE, "") == "plain"
    mine.trusted_key(HERE, FAR, KEY)
    assert mine.standing(HERE, "") == "changed"
    for at in (HERE, Address("10.0.0.8", 7412, KEY)):
        with pytest.raises(WrongKey, match="does not encrypt, but should have the key"):
            mine.trusted_key(at, "127.0.0.1", "")


def test_without_a_folder_nothing_is_saved_and_bad_lines_are_skipped(tmp_path: Path) -> None:
    nowhere = Keys()
    assert nowhere.trusted_key(HERE, FAR, KEY) == KEY
    assert nowhere.standing(HERE, KEY) == "new"
    assert nowhere.trusted_key(HERE, FAR, OTHER) == OTHER
    (tmp_path / KNOWN_FILE).write_text(f"nonsense\nb:1 x\nann.local:7412  {keys.key_for_ticket(KEY)} \n")
    assert Keys(tmp_path).standing(HERE, KEY) == "known"
    assert Keys(tmp_path / "file").standing(HERE, KEY) == "new"
    (tmp_path / KNOWN_FILE).write_bytes(b"\xff\xfe")
    assert Keys(tmp_path).standing(HERE, KEY) == "new"
    with pytest.raises(ConnectionError, match="cannot be read \\(not text\\)"):
        Keys(tmp_path).trusted_key(HERE, FAR, KEY)


@pytest.mark.parametrize(
    ("ip", "here"),
    [("127.0.0.1", True), ("127.9.9.9", True), ("::1", True), ("::1%lo", True), (FAR, False), ("ann", False)],
)
def test_local_addresses_are_recognized(ip: str, here: bool) -> None:
    assert is_this_machine(ip) is here


def test_a_ticket_is_an_address_with_a_key() -> None:
    with_key = Address("::1", 7500, KEY)
    assert str(with_key) == "[::1]:7500"
    assert with_key.ticket == f"cave://[::1]:7500/#{keys.key_for_ticket(KEY)}"
    assert parse_address(with_key.ticket) == with_key
    assert THERE.ticket == "10.0.0.7:7500"


# Where it has moved to


WAS = Door("Ann's", FAR, 1, 2, KEY)


@pytest.fixture
def doors(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[Any]]:
    """The answers of each address in order; the last one repeats."""
    told: dict[str, list[Any]] = {}

    async def read(address: Address) -> Door:
        await asyncio.sleep(0)
        answers = told.get(str(address)) or [NobodyThere("Nobody.")]
        answer = answers.pop(0) if answers[1:] else answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(discovery, "read_door", read)
    monkeypatch.setattr(discovery, "KNOCK_EVERY", 0)
    monkeypatch.setattr(discovery, "LOOK_AGAIN", 0)
    return told


def announced(monkeypatch: pytest.MonkeyPatch, *looks: Any) -> None:
    """Results of searches in the network, in order: lists of hosts, and errors."""
    left = [*looks]

    async def browse(_keys: Any) -> AsyncIterator[tuple[Any, ...]]:
        await asyncio.sleep(0)
        found = left.pop(0) if left else ()
        if isinstance(found, Exception):
            raise found
        yield ()
        yield found

    monkeypatch.setattr("client.net.discovery.browse_hosts", browse)


def host(address: Address, key: str) -> Any:
    return SimpleNamespace(address=address, key=key)


async def test_new_ports_mean_it_moved(doors: dict[str, list[Any]], monkeypatch: pytest.MonkeyPatch) -> None:
    announced(monkeypatch)
    for now in (
        Door("Ann's", FAR, 3, 2, KEY), Door("Ann's", FAR, 1, 3, KEY), Door("Ann's", "10.0.0.8", 1, 2, KEY),
    ):  # fmt: skip
        doors[str(HERE)] = [
            WAS, NobodyThere("Nobody."), Door("Eve's", FAR, 5, 6, OTHER), Door("Eve's", FAR, 5, 6, "?"),
            Door("Eve's", FAR, 5, 6), now,
        ]  # fmt: skip
        async with asyncio.timeout(PATIENCE):
            assert await discovery.find_moved_host(HERE, WAS, KEY) == (HERE, now)
    plain, now = Door("Ann's", FAR, 1, 2), Door("Ann's", FAR, 3, 4)
    doors[str(HERE)] = [plain, now]
    async with asyncio.timeout(PATIENCE):
        assert await discovery.find_moved_host(HERE, plain, "") == (HERE, now)


async def test_a_host_is_known_by_key(doors: dict[str, list[Any]], monkeypatch: pytest.MonkeyPatch) -> None:
    now = Door("Ann's", "10.0.0.7", 3, 4, KEY)
    doors[str(THERE)] = [now]
    doors["10.0.0.5:1"] = [Door("Eve's", "10.0.0.5", 1, 2, OTHER)]
    others = host(Address("10.0.0.5", 1), OTHER), host(HERE, KEY)
    announced(monkeypatch, ConnectionError("No network."), others, (*others, host(THERE, KEY)))
    async with asyncio.timeout(PATIENCE):
        assert await discovery.find_moved_host(HERE, WAS, KEY) == (THERE, now)


async def test_a_ticket_search_is_short(doors: dict[str, list[Any]], monkeypatch: pytest.MonkeyPatch) -> None:
    doors[str(THERE)] = [Door("Ann's", "10.0.0.7", 3, 4, KEY)]
    announced(monkeypatch, (host(THERE, KEY),))
    ticket = Address("ann.local", 7412, KEY)
    assert await discovery.find_elsewhere(ticket) == Address("10.0.0.7", 7500, KEY)
    assert await discovery.find_elsewhere(HERE) is None, "without a key any host could be it"
    announced(monkeypatch)
    monkeypatch.setattr(discovery, "SOON", 0)
    assert await discovery.find_elsewhere(ticket) is None
