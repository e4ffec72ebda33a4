"""Edge cases of addresses, keys, requests and the commands of line mode."""

from __future__ import annotations

import socket
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cave import protocol, wire
from client.net.known_hosts import IDENTITY_FILE, Keys, lan_addresses
from client.net.session import Requests
from client.plain.line_commands import LineCommand, LineCommands
from client.present import scene
from client.table import Rejected, Seat
from tests.client.fake_session import FakeSession
from tests.client.plain_talk import Script, table

# Addresses and keys


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o610, 0o601, 0o600])
def test_a_key_that_others_may_read_is_made_private_again(tmp_path: Path, mode: int) -> None:
    mine = Keys(tmp_path).identity()
    (tmp_path / IDENTITY_FILE).chmod(mode)
    assert Keys(tmp_path).identity() == mine
    assert (tmp_path / IDENTITY_FILE).stat().st_mode & 0o777 == 0o600
    assert [file.name for file in tmp_path.iterdir()] == [IDENTITY_FILE]


def test_stricter_permissions_of_a_key_are_kept(tmp_path: Path) -> None:
    mine = Keys(tmp_path).identity()
    (tmp_path / IDENTITY_FILE).chmod(0o400)
    assert Keys(tmp_path).identity() == mine
    assert (tmp_path / IDENTITY_FILE).stat().st_mode & 0o777 == 0o400


# Asking again; players coming and going


async def test_a_reply_only_answers_the_request_it_names() -> None:
    requests = Requests()
    first, second = (requests.new(protocol.Ping()) for _ in range(2))
    assert requests.answer({"type": "pong", "re": second.number})
    assert requests.answer({"type": "late", "re": second.number}), "it is no news of a table"
    assert second.reply.result()["type"] == "pong"
    assert not first.reply.done()
    requests.forget(second)
    assert not requests.answer({"type": "pong", "re": second.number})
    requests.fail("That was all.")
    with pytest.raises(ConnectionError, match=r"^That was all\.$"):
        first.reply.result()
    requests.fail("Once more.")
    assert [request.number for request in requests] == [first.number]


async def test_a_message_at_the_size_limit_is_sent_and_ids_rise(monkeypatch: pytest.MonkeyPatch) -> None:
    requests = Requests()
    ids = [requests.new(protocol.Ping()).number.partition("#") for _ in range(11)]
    assert [int(count) for *_, count in ids] == list(range(11))
    assert len({run for run, *_ in ids}) == 1
    size = len(requests.new(protocol.Say(table="t", text="x" * 500)).message)
    monkeypatch.setattr(wire, "MAX_MESSAGE", size)
    requests.new(protocol.Say(table="t", text="x" * 500))
    monkeypatch.setattr(wire, "MAX_MESSAGE", size - 1)
    with pytest.raises(Rejected, match="too long to send"):
        requests.new(protocol.Say(table="t", text="x" * 500))


@pytest.mark.parametrize(
    ("own", "told"),
    [
        (["10.0.0.7", "fe80::7"], ["10.0.0.7", "fe80::7"]),
        (["127.0.0.1", "fe80::7"], ["fe80::7"]),
        (["127.0.0.1", None], ["my-machine"]),
    ],
)
def test_the_addresses_of_this_machine_are_reachable_for_others(
    own: list[str | None], told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or its name, if it has no addresses."""

    class Probe:
        """A socket with a route, or without one."""

        def __init__(self, family: int, _kind: int) -> None:
            self._own = own[[socket.AF_INET, socket.AF_INET6].index(family)]
            self._connected = False

        def __enter__(self) -> Any:
            return self

        def __exit__(self, *_: object) -> None: ...

        def connect(self, _where: Any) -> None:
            if self._own is None:
                raise OSError("Network is unreachable")
            self._connected = True

        def getsockname(self) -> Any:
            return (self._own if self._connected else "0.0.0.0", 1)

    monkeypatch.setattr(socket, "socket", Probe)
    monkeypatch.setattr(socket, "gethostname", lambda: "my-machine")
    assert lan_addresses() == told


# Output


def shown(mine: tuple[int, ...], ready: tuple[int, ...], last: int | None, turn: int | None) -> int:
    state: Any = SimpleNamespace(my_seats=mine, choices=dict.fromkeys(ready, ("something",)))
    return scene.shown_seat(state, last, turn)


def test_the_shown_seat_is_the_one_to_act_or_the_last_shown() -> None:
    assert [shown((1, 2), (1, 2), last, 0) for last in (None, 0, 1, 2)] == [1, 1, 1, 2]
    assert [shown((1, 2), (2,), last, 0) for last in (None, 0, 1, 2)] == [2, 2, 2, 2]
    assert [shown((1, 2), (), last, 0) for last in (None, 0, 1, 2)] == [1, 1, 1, 2]
    assert [shown((), (), last, turn) for last in (None, 1) for turn in (None, 2)] == [0, 2, 1, 2]


# A rematch


def test_a_rematch_request_is_reported_to_the_others_only() -> None:
    seats = (Seat("Ann", "person", mine=True), Seat("Bea", "person"), Seat("Cyd", "bot"))

    def inviter(seat: int | None) -> str:
        session = FakeSession(("Ann", "Bea", "Cyd"), mine=(0,))
        session.evolve(seats=seats, rematch_by=seat, left_to_bots=(2,))
        return session.state.rematch_inviter

    assert [inviter(seat) for seat in (None, 0, 1, 2)] == ["", "", "Bea", ""]


# Line mode


async def nothing(_rest: str = "") -> None: ...


def test_a_name_shared_by_two_commands_means_the_first() -> None:
    made = LineCommands(
        [
            LineCommand("first", "one", nothing, also=("both", "mine")),
            LineCommand("second", "two", nothing, also=("both", "first", "theirs"), old=("once",)),
            LineCommand("first", "three", nothing, also=("more",)),
            LineCommand("sure", "four", nothing, spelled_out=True),
        ],
        order=("second",),
    )
    assert [(command.name, command.does, command.also) for command in made] == [
        ("second", "two", ("theirs",)), ("first", "one", ("both", "mine")), ("sure", "four", ())
    ]  # fmt: skip
    typed = ("both", "th", "f", "s", "su", "sure", "once", "x")
    found = {word: command and command.name for word in typed for command in [made.find(word)]}
    assert found == {
        "both": "first", "th": "second", "f": "first", "s": "second", "su": None, "sure": "sure",
        "once": "second", "x": None,
    }  # fmt: skip
    assert (
        made.unknown_command_words("onc") == "There is no command onc. Did you mean second? Type help for all commands."
    )


def test_an_unknown_command_gets_a_suggestion() -> None:
    made = LineCommands(
        [
            LineCommand("walk", "one", nothing, also=("stroll",), old=("march",)),
            LineCommand("wait", "two", nothing),
            LineCommand("give-up", "three", nothing, spelled_out=True),
        ]
    )
    assert made.unknown_command_words("wa") == "wa could be walk or wait."
    for typed, meant in (("give", "give-up"), ("strol", "stroll"), ("marc", "walk"), ("wald", "walk")):
        assert made.unknown_command_words(typed).startswith(f"There is no command {typed}. Did you mean {meant}?")
    assert made.unknown_command_words("x" * 50) == f"There is no command {'x' * 40}. Type help for all commands."


def test_watchers_and_replays_have_only_useful_commands() -> None:
    lines = table(FakeSession(("Ann", "Bea"), mine=(0,), seed="begun"), Script())
    commands = {command.name: command for command in lines.vocabulary}
    of_use = {name for name, command in commands.items() if command.for_watchers}
    assert {*("turn", "goal", "score", "log", "who", "watchers", "rules", "chat", "rematch", "takeover")} <= of_use
    assert {"save", "quit", "help"} <= of_use
    assert not {"moves", "since", "undo", "reset", "hint", "autoplay", "agree", "decline", "resign"} & of_use
    replayed = {name for name, command in commands.items() if command.in_replay}
    assert {"turn", "goal", "score", "log", "rules"} <= replayed
    assert not {"moves", "since", "who", "watchers", "save", "quit", "help", "chat", "hint"} & replayed
    assert commands["help"].also == ("commands",)
