"""Snapshots of a game's events, refusals and bot decisions: ``kept.txt`` of each game.

The file has a line for each kind: their number in some games and positions, a digest of all, and the first.
To renew it after an intended change, run ``python -m tests.cave.test_kept`` or ``python -m
tests.cave.GAME.test_kept``, and read the diff.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from random import Random
from typing import Any

from cave import bots, codec
from cave.game import Json, Refused
from tests.cave import conformance as kit
from tests.tools import names_to_renew


@dataclass(frozen=True)
class Kept:
    """The games of the subject's player, and crowded positions."""

    subject: kit.Subject
    test: str
    """The file beside ``kept.txt``."""
    games: Sequence[tuple[int, Json]]
    """Seats and settings."""
    _: KW_ONLY
    every: int = 1
    """Number of steps between the states used."""
    crowds: Callable[[], Iterable[Any]] = tuple
    levels: Sequence[str] = ()
    """Bots that decide in the crowds."""
    wild: Callable[[Any, Random], Json] | None = None
    """(state, rng): an action to try for the first seat to act. By default the kit's."""

    @property
    def _file(self) -> Path:
        return Path(self.test).with_name("kept.txt")

    def lines(self) -> list[str]:
        found: dict[str, list[bytes]] = defaultdict(list)
        for kind, told in self._told():
            found[kind].append(told)
        digests = {kind: hashlib.sha256(b"\n".join(told)).hexdigest()[:16] for kind, told in found.items()}
        return [f"{kind}: {len(told)} {digests[kind]} {told[0].decode()}" for kind, told in sorted(found.items())]

    def check(self) -> None:
        """Check that the file has these lines."""
        assert self.lines() == self._file.read_text("utf-8").splitlines()

    def write(self) -> None:
        names_to_renew(__doc__)
        self._file.write_text("".join(f"{line}\n" for line in self.lines()), "utf-8")

    def _told(self) -> Iterator[tuple[str, bytes]]:
        game = self.subject.game
        for number, state in enumerate(self._states()):
            yield from self._of(state, Random(number))
        for number, state in enumerate(self.crowds()):
            yield from self._of(state, Random(number))
            for seat in sorted(game.to_act(state))[:1]:
                for level in self.levels:
                    action = bots.decide(game, state, seat, level, "seed")
                    yield f"{level} in {state.phase}", codec.canonical_json(action)

    def _states(self) -> Iterator[Any]:
        game = self.subject.game
        for number, (seats, settings) in enumerate(self.games):
            rng, state, steps = Random(number), game.new(seats, settings, f"kept {number}"), 0
            while ready := sorted(game.to_act(state)):
                if steps % self.every == 0:
                    yield state
                seat, steps = rng.choice(ready), steps + 1
                state = game.apply(state, seat, self.subject.player(game, state, seat, rng)).state

    def _of(self, state: Any, rng: Random) -> Iterator[tuple[str, bytes]]:
        game = self.subject.game
        for seat in sorted(game.to_act(state)):
            for choice in game.choices(state, seat):
                for event in game.apply(state, seat, game.sample(choice, rng)).events:
                    said = [game.event_json(event), game.event_json(game.public_event(event))]
                    barrier = ["barrier"] if game.is_barrier(event) else []
                    yield f"event {event.type}", codec.canonical_json(said[: 1 + (said[0] != said[1])] + barrier)
            for why in game.why_not(state, seat):
                yield f"listed {why.action['type']} {why.code}", why.message.encode()
        for seat, action in self._tries(state, rng):
            step = kit.attempt(game, state, seat, kit.through_text(action))
            if isinstance(step, Refused):
                yield f"tried {step.code}", step.message.encode()

    def _tries(self, state: Any, rng: Random) -> Iterator[tuple[int, Json]]:
        if self.wild is None:
            yield from kit.attempts(self.subject, state, rng, 12)
        elif ready := self.subject.game.to_act(state):
            for _ in range(20):
                yield min(ready), self.wild(state, rng)
