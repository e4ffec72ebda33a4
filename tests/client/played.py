"""Records of whole games, played by random explorers."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from msgspec.structs import replace

from cave import record
from cave.games import get_game
from cave.the_cave.actions import Pack
from client.games.the_cave.face import FACE
from client.replay import ReplaySession
from tests.cave.players import BOUND, explorer
from tests.client.game_app import KIT

GAME = get_game("the-cave")


@cache
def whole_game(names: tuple[str, ...] = ("Ann", "Bea"), seed: str = "whole", tiles: int = 4) -> bytes:
    """The record of a finished game with this many tiles in each stack."""
    full = GAME.new(len(names), {}, seed)
    start = replace(full, stacks=tuple(stack[:tiles] for stack in full.stacks))
    seats = [record.SeatForm(name) for name in names]
    lines = [record.header_line(GAME, {}, seats, seed=None, created="", start=GAME.position(start, names))]
    state: Any = start
    rng = Random(seed)
    for _ in range(BOUND):
        ready = GAME.to_act(state)
        if not ready:
            break
        seat = min(ready)
        action = Pack(KIT) if state.phase == "packing" else explorer(GAME, state, seat, rng)
        lines.append(record.action_line(seat, GAME.action_json(action)))
        state = GAME.apply(state, seat, action).state
    return record.write([*lines, record.result_line(GAME, state, names)])


def replay_of(data: bytes) -> record.Replay:
    return record.replay(data.splitlines(keepends=True))


def session_of(data: bytes) -> ReplaySession:
    return ReplaySession(replay_of(data), FACE)


def record_file(folder: Path, data: bytes) -> Path:
    file = folder / "game.jsonl"
    file.write_bytes(data)
    return file
