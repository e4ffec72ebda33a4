"""A record as a session: any step, forwards and backwards, and nothing can be changed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cave import record
from cave.game import BadData
from cave.games import get_game
from client import replay
from client.games.the_cave.face import FACE
from client.replay import Playback, ReplaySession, read_record
from client.table import Rejected, TableState
from tests.client.caves_of_casadh import tables as casadh

GAME = get_game("the-cave")
PACK = {"type": "pack", "backpack": {"consumable": 4}, "camp": None}


def lines(*, end_turns: int = 3) -> bytes:
    seats = [record.SeatForm("Ann"), record.SeatForm("Rook", "bot", "rookie")]
    state = GAME.new(2, {}, "k")
    out = [record.header_line(GAME, {"edition": "english"}, seats, seed="k", created="now")]
    todo = [(0, PACK), (1, PACK)] + [(None, {"type": "end_turn"})] * end_turns
    for seat, action in todo:
        number = state.seat if seat is None else seat
        state = GAME.apply(state, number, GAME.decode(state, number, action)).state
        out.append(record.action_line(number, action))
    return record.write(out)


@pytest.fixture
def session(tmp_path: Path) -> ReplaySession:
    file = tmp_path / "game.jsonl"
    file.write_bytes(lines())
    return ReplaySession(read_record(file), FACE, "Replay")


def test_a_replay_starts_at_the_first_step(session: ReplaySession) -> None:
    state = session.state
    assert (session.step, session.last) == (0, 5)
    assert state.view.cave.phase == "packing"
    assert state.log == ()
    assert state.status == "playing"
    assert [(seat.name, seat.kind, seat.mine) for seat in state.seats] == [
        ("Ann", "person", False),
        ("Rook", "bot", False),
    ]


def test_steps_go_forward_and_back_within_the_ends(session: ReplaySession) -> None:
    heard: list[TableState] = []
    session.listen(heard.append)
    session.go_to_step(2)
    assert session.state.view.cave.phase == "actions"
    assert session.state.log[-1].event["type"] in ("began", "turn_began")
    first = session.state.view.cave.seat
    session.go_to_step(3)
    assert session.state.view.cave.seat != first
    session.go_to_step(99)
    assert session.step == 5
    session.go_to_step(-99)
    assert session.step == 0
    assert session.state.log == ()
    assert [state.seq for state in heard] == [2, 3, 5, 0]
    session.unlisten(heard.append)
    session.unlisten(heard.append)
    session.go_to_step(1)
    assert len(heard) == 4


@pytest.mark.parametrize("lost", [0, 9])
def test_the_last_step_says_that_a_record_is_truncated(tmp_path: Path, lost: int) -> None:
    file = tmp_path / "game.jsonl"
    whole = lines()
    file.write_bytes(whole[: len(whole) - lost])
    session = ReplaySession(read_record(file), FACE, "Replay")
    assert replay.BREAKS_OFF not in replay.replay_place(session, Playback()).words
    session.go_to_step(session.last)
    assert (replay.BREAKS_OFF in replay.replay_place(session, Playback()).words) == bool(lost)


def test_packs_stay_secret_until_all_have_packed(session: ReplaySession) -> None:
    """Rule 2.3, also in a replay."""
    session.go_to_step(1)
    assert session.state.log[0].event["backpack"] is None
    assert session.state.view.cave.teams[0].backpack.slots_filled == 0
    session.go_to_step(2)
    assert session.state.view.cave.teams[0].backpack.consumable == 4


async def test_nothing_can_be_changed(session: ReplaySession) -> None:
    for attempt in (session.act(0, PACK), session.undo(0), session.say("hello")):
        with pytest.raises(Rejected) as refused:
            await attempt
        assert refused.value.code == "replay"
    assert await session.record() == []
    await session.close()


def test_an_invalid_record_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadData, match=r"missing\.jsonl: no such file or directory\.$"):
        read_record(tmp_path / "missing.jsonl")
    with pytest.raises(BadData, match=r"null: it is not a regular file\.$"):
        read_record(Path(os.devnull))
    bad = tmp_path / "bad.jsonl"
    bad.write_text("no json\n")
    with pytest.raises(BadData, match=r"bad\.jsonl: line 1"):
        read_record(bad)


def test_a_replay_shows_all_secrets() -> None:
    """The game is over: everything may be shown, at every step."""
    session = casadh.replayed()
    held = 0
    for step in range(session.last + 1):
        session.go_to_step(step)
        treasures = [value for player in session.state.view.cave.players for value in player.treasures]
        assert None not in treasures
        held = max(held, len(treasures))
    assert held > 2
