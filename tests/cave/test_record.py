"""Records (FORMATS.md): written, replayed to the same digest, truncated anywhere, damaged."""

from __future__ import annotations

import hashlib
import json
from random import Random
from typing import Any

import pytest

from cave import codec, record
from cave.game import BadData
from tests.cave.builders import GAME, pack
from tests.cave.players import explorer

NAMES = ["Ana", "Bea"]
SETTINGS = {"edition": "french"}
SEATS = [record.SeatForm("Ana"), record.SeatForm("Bea", "bot", "rookie")]


def played(steps: int | None = None) -> tuple[list[Any], Any]:
    """The lines of a game of a seed, and its last state."""
    lines = [record.header_line(GAME, SETTINGS, SEATS, seed="a record", created="2026-01-01T00:00:00Z")]
    rng = Random(5)
    state = GAME.new(len(NAMES), SETTINGS, "a record")
    while not GAME.over(state) and (steps is None or len(lines) <= steps):
        seat = rng.choice(sorted(GAME.to_act(state)))
        action = explorer(GAME, state, seat, rng)
        lines.append(record.action_line(seat, GAME.action_json(action)))
        state = GAME.apply(state, seat, action).state
    return lines, state


LINES, END = played()
WHOLE = record.write([*LINES, record.result_line(GAME, END, NAMES)])


def split(data: bytes) -> list[bytes]:
    return data.splitlines(keepends=True)


def test_the_header_of_the_format() -> None:
    assert json.loads(split(WHOLE)[0]) == {
        "format": "cave-record",
        "version": 1,
        "game": "the-cave",
        "settings": SETTINGS,
        "seats": [{"name": "Ana", "kind": "person"}, {"name": "Bea", "kind": "bot", "level": "rookie"}],
        "seed": "a record",
        "created": "2026-01-01T00:00:00Z",
    }
    assert set(json.loads(split(WHOLE)[-1])) == {"result", "digest"}


def test_a_record_replays_to_the_same_digest() -> None:
    replay = record.replay(split(WHOLE))
    assert replay.final_state == END
    assert len(replay.steps) == len(LINES) - 1
    checked = record.check_record(split(WHOLE))
    assert checked.matches is True
    assert checked.digest == replay.digest == record.position_digest(GAME, END, NAMES)


def test_the_digest_is_the_hash_of_sorted_json_without_spaces() -> None:
    """So that other programs can compute it."""
    text = json.dumps(GAME.position(END, NAMES), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert record.position_digest(GAME, END, NAMES) == "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def test_a_wrong_digest_is_found() -> None:
    wrong = WHOLE.replace(b'"digest":"sha256:', b'"digest":"sha256:0')
    assert record.check_record(split(wrong)).matches is False


def test_a_record_cut_off_anywhere_replays_up_to_there() -> None:
    head = len(split(WHOLE)[0])
    ends = []
    total = head
    for line in split(WHOLE)[1:]:
        total += len(line)
        ends.append(total)
    rng = Random(9)
    for _ in range(40):
        cut = rng.randrange(head, len(WHOLE))
        replay = record.replay(split(WHOLE[:cut]))
        # A line that lacks only its line end is complete.
        assert len(replay.steps) == min(sum(end - 1 <= cut for end in ends), len(LINES) - 1)
    assert record.check_record(split(WHOLE[: head + 5])).matches is None


def test_a_truncated_record_differs_from_that_of_a_running_game() -> None:
    head, *steps, _ = split(WHOLE)
    under_way = record.check_record([head, *steps[:5]])
    assert (under_way.cut, under_way.over, under_way.matches) == (0, False, None)
    broken = record.check_record([head, *steps[:5], steps[5][:9]])
    assert (broken.cut, broken.steps) == (7, 5)
    assert record.check_record([head, *steps]).over, "the game is over, but the result is missing"


def test_a_replay_can_return_to_every_state() -> None:
    replay = record.replay(split(WHOLE))
    state = replay.start
    for step in replay.steps:
        state = GAME.apply(state, step.seat, GAME.decode(state, step.seat, step.action)).state
        assert state == step.state


def test_a_game_that_began_from_a_position() -> None:
    _, state = played(20)
    start = GAME.position(state)
    rng = Random(1)
    lines = [record.header_line(GAME, {}, SEATS, seed=None, created="", start=start)]
    for _ in range(10):
        seat = min(GAME.to_act(state))
        action = explorer(GAME, state, seat, rng)
        lines.append(record.action_line(seat, GAME.action_json(action)))
        state = GAME.apply(state, seat, action).state
    replay = record.replay(split(record.write(lines)))
    assert replay.final_state == state
    assert replay.digest is None


def test_a_record_without_a_seed_cannot_be_replayed() -> None:
    head = record.header_line(GAME, {}, SEATS, seed=None, created="")
    assert "seed" not in head
    with pytest.raises(BadData) as caught:
        record.replay(split(record.write([head])))
    assert caught.value.field == "line 1: seed"


HEAD = LINES[0]
START = GAME.position(GAME.new(2, {}, "start"))


@pytest.mark.parametrize(
    ("lines", "field"),
    [
        ([], ""),
        ([{}], "line 1: format"),
        ([{**HEAD, "format": "pgn"}], "line 1: format"),
        ([{**HEAD, "version": 2}], "line 1: version"),
        ([{**HEAD, "game": "chess"}], "line 1: game"),
        ([{**HEAD, "mood": "good"}], "line 1: mood"),
        ([{**HEAD, "settings": {"edition": "x"}}], "line 1: settings.edition"),
        ([{**HEAD, "seats": HEAD["seats"][:1]}], "line 1: seats"),
        ([{**HEAD, "seats": [{"name": "Ana", "kind": "cat"}] * 2}], "line 1: seats[0].kind"),
        ([{**HEAD, "seats": [{"name": "Ana"}, {"name": "\x1b[31mBea"}]}], "line 1: seats[1].name"),
        ([{**HEAD, "seats": [{"name": "Ana"}, {"name": "\u202eaeB"}]}], "line 1: seats[1].name"),
        ([{**HEAD, "seats": [{"name": "Ana"}, {"name": "x" * 25}]}], "line 1: seats[1].name"),
        ([{**HEAD, "seats": [*HEAD["seats"], {"name": "Eve"}], "start": START}], "line 1: seats"),
        ([{**HEAD, "seats": [{"name": "\x1bcAna"}, {"name": "Bea"}], "start": START}], "line 1: seats[0].name"),
        ([{"format": "cave-position", "game": "the-cave", "board": []}], "line 1: format"),
        ([HEAD, {"seat": 0}], "line 2: action"),
        ([HEAD, {"seat": 0, "action": {}, "x": 1}], "line 2: x"),
        ([HEAD, {"seat": "0", "action": {}}], "line 2: seat"),
        ([HEAD, {"seat": 0, "action": {"type": "fly"}}], "line 2: action"),
        ([HEAD, {"seat": 0, "action": {"type": "end_turn"}}], "line 2: action"),
        ([HEAD, {"seat": 0, "action": pack()}, {"seat": 0, "action": pack()}], "line 3: action"),
        ([HEAD, {"result": {}}], "line 2: digest"),
        ([HEAD, {"result": {}, "digest": "sha256:0"}, {"seat": 0, "action": pack()}], "line 3"),
        ([HEAD, {"result": {}, "digest": 5}], "line 2: digest"),
    ],
)
def test_a_damaged_record_names_its_line(lines: list[Any], field: str) -> None:
    with pytest.raises(BadData) as caught:
        record.replay(split(record.write(lines)))
    assert caught.value.field == field
    assert "\n" not in str(caught.value)


def test_damage_in_the_middle_is_not_mistaken_for_the_end() -> None:
    lines = split(WHOLE)
    lines[5] = b'{"seat": 0, "act\n'
    with pytest.raises(BadData) as caught:
        record.replay(lines)
    assert caught.value.field == "line 6"


def test_names_of_any_script_survive() -> None:
    seats = [record.SeatForm("Žofie 🧗"), record.SeatForm("李")]
    state = GAME.new(len(seats), {}, "ünï")
    result = record.result_line(GAME, state, [seat.name for seat in seats])
    data = record.write([record.header_line(GAME, {}, seats, seed="ünï", created=""), result])
    assert record.check_record(split(data)).matches is True
    assert codec.decode(split(data)[0])["seats"][0]["name"] == "Žofie 🧗"


def test_a_byte_order_mark_is_ignored() -> None:
    marked = split(b"\xef\xbb\xbf" + WHOLE)
    assert record.check_record(marked).matches
    assert record.read_outline(marked) == record.read_outline(split(WHOLE))


@pytest.mark.parametrize("first", [1, -1])
def test_a_record_without_its_first_line_says_so(first: int) -> None:
    for read in (record.replay, record.read_outline):
        with pytest.raises(BadData, match="the first line is missing") as caught:
            read(split(WHOLE)[first:])
        assert caught.value.field == "line 1"
