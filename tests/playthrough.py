"""A whole game of each game, played by bots and kept as a record, and as a text with every step.

Tests of records, logs, replays, goldens and pictures share the record. The text has for each step the action,
the log lines, and a digest of each view. A change in a game's public forms, choices or sentences appears
there, at its first step.

Run: ``python -m tests.playthrough [GAME ...]`` (or ``make playthroughs``) to play them anew; see the diff.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from cave import codec, games, record
from cave.game import AnyGame, Json
from client import games as faces
from client.face import LETTERS
from client.plain.shared_sentences import log_line_words
from client.present import log
from client.table import LogLine
from tests.bench.frozen import FROZEN
from tests.tools import names_to_renew

FOLDER = Path(__file__).with_name("playthroughs")
INSTALLED = Path(__file__).parent / "toy" / "installed"
NAMES = ("Ann", "Bea", "Rook")
SEED = "screenshots"
DIGITS = 12
"""Enough digits of a digest to distinguish texts."""


def record_file(game: str) -> Path:
    return FOLDER / f"{game}.jsonl"


def text_file(game: str) -> Path:
    return FOLDER / f"{game}.txt"


@cache
def playthrough(game: str) -> record.Replay:
    """The kept game, played through."""
    return record.replay(record_file(game).read_bytes().splitlines(keepends=True))


def play(game: AnyGame) -> bytes:
    """The record of a game as its weakest bot plays it: the frozen one, so that it stays the same."""
    chooser = next(iter(FROZEN.get(game.name, game.bots).values()))
    names = NAMES[: game.seats[-1]]
    state = game.new(len(names), {}, SEED)
    seats = [record.SeatForm(name) for name in names]
    lines = [record.header_line(game, {}, seats, seed=SEED, created="")]
    while ready := game.to_act(state):
        seat = min(ready)
        choices = [game.choice_json(choice) for choice in game.choices(state, seat)]
        view = game.view_json(game.view(state, seat, names))
        action = chooser(view, choices, f"{SEED} {len(lines) - 1}")
        lines.append(record.action_line(seat, action))
        state = game.apply(state, seat, game.decode(state, seat, action)).state
    return record.write([*lines, record.result_line(game, state, names)])


def text(played: record.Replay) -> str:
    """Return everything about a game, step by step."""
    game, face = played.game, faces.get_face(played.game.name)
    final = game.view(played.final_state, None, played.names)
    lines = ["0", _seen(played, played.start)]
    for number, step in enumerate(played.steps, 1):
        lines.append(f"{number} {LETTERS[step.seat]} {codec.encode(step.action).decode()}")
        for event in step.events:
            form = game.event_json(game.public_event(event))
            entry = log.log_entry(face.log_line, number, LogLine(number, form), final)
            lines.append(f"  {form['type']}: {log_line_words(entry) if entry is not None else '-'}")
        lines.append(_seen(played, step.state))
    return "\n".join((*lines, ""))


def _seen(played: record.Replay, state: Any) -> str:
    return "  " + "  ".join(_viewers(played, state))


def _viewers(played: record.Replay, state: Any) -> Iterator[str]:
    game, names = played.game, played.names
    yield f"- {_digest(game.view_json(game.view(state, None, names)))}"
    for seat, _ in enumerate(names):
        choices = [game.choice_json(choice) for choice in game.choices(state, seat)]
        refusals = [codec.to_json(refusal) for refusal in game.why_not(state, seat)]
        view = game.view_json(game.view(state, seat, names))
        yield f"{LETTERS[seat]} {len(choices)}+{len(refusals)} {_digest([view, choices, refusals])}"


def _digest(form: Json) -> str:
    return hashlib.sha256(codec.canonical_json(form)).hexdigest()[:DIGITS]


def renew(name: str) -> None:
    """Play a game again and save it."""
    FOLDER.mkdir(exist_ok=True)
    data = play(games.get_game(name))
    record_file(name).write_bytes(data)
    played = record.replay(data.splitlines(keepends=True))
    text_file(name).write_text(text(played), encoding="utf-8")
    print(f"{name}: {len(played.steps)} steps")


if __name__ == "__main__":
    sys.path.insert(0, str(INSTALLED))
    for each in names_to_renew(__doc__, games.game_names()) or games.game_names():
        renew(each)
