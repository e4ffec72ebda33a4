"""Decisions of the bots in some games, compared with the ``decisions.json`` of each game.

The strength of the levels is measured in thousands of games, too many for a test. So a test pins the measured
bots: with the same view and seed each level decides as it did then. If you change a bot's judgement on
purpose, measure it (``python -m tests.bench ladder``) and renew the files: ``python -m tests.cave.decisions
[GAME ...]``.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

from cave import bots, games
from cave.game import AnyGame, Json
from tests.effort import effort
from tests.tools import names_to_renew

GAMES: dict[str, list[tuple[int, Json, int]]] = {
    "the-cave": [(2, {}, 400), (3, {"edition": "french"}, 500), (5, {}, 700)],
    "sir-ocelots-cave": [(2, {}, 60), (2, {"companion_sight": "cave"}, 60)],
    "caves-of-casadh": [(2, {}, 400), (4, {}, 700), (6, {"round_limit": 8}, 300)],
    "cave-vs-cave": [(2, {}, 200), (1, {}, 200), (2, {"edition": "era-2"}, 80), (2, {"edition": "era-1-2"}, 80)],
}
"""The games: number of seats, settings, and the most decisions. Most are played to their end.

The last of each is compared with ``make test-thorough`` only.
"""
LEFT_OUT = effort(1, 0)
ASKED: dict[str, tuple[int, int]] = {
    "the-cave": (10, 200),
    "sir-ocelots-cave": (2, 4),
    "caves-of-casadh": (10, 40),
    "cave-vs-cave": (10, 30),
}
"""Every how many decisions to ask the cheap levels, and the expert."""
SEARCHES = effort(3, 1)
"""Every how many of the expert's kept decisions to compare: each takes as long as hundreds of others."""
EFFORT = 0.25
"""Of the judge's usual search: fewer worlds run the same code."""
RARE = 3
"""All levels are asked the first times that the guide does an action of a type: some types are rare."""


def folder(name: str) -> Path:
    """Return the folder of a game's tests."""
    here = Path(__file__).parent
    return here if name == "the-cave" else here / name.replace("-", "_")


def decided(name: str, one_search_in: int = 1, left_out: int = 0) -> Iterator[Json]:
    """Yield decisions of all levels in games of guides, and digests of games of the cheap levels."""
    searches = count()
    game = games.get_game(name)
    every, every_search = ASKED[name]
    done: Counter[str] = Counter()
    for seats, settings, most in _games(name, left_out):
        about = _about(seats, settings)
        for level in (level for level in game.bots if level not in ("guide", "expert")):
            actions = [action for _, _, action in _game(game, level, seats, settings, most)]
            digest = hashlib.sha256(json.dumps(actions).encode()).hexdigest()[:16]
            yield {"game": about, "level": level, "decisions": len(actions), "digest": digest}
        for number, (view, choices, action) in enumerate(_game(game, "guide", seats, settings, most)):
            done[action["type"]] += 1
            rare = done[action["type"]] <= RARE
            if rare or number % every == 0:
                searched = (rare or number % every_search == 0) and next(searches) % one_search_in == 0
                asked = [level for level in game.bots if level != "expert" or searched]
                levels = {level: bots.choose(name, level, view, choices, _seed(number)) for level in asked}
                found: Any = {"game": about, "decision": number, "levels": levels}
                if "expert" in levels and number % 2 == 0:  # It takes as long as many decisions.
                    ideas = game.advise(view, choices, also=[action], effort=EFFORT)
                    found["ideas"] = [[each.action, _rounded(each.chance)] for each in ideas]
                yield json.loads(json.dumps(found))


def _games(name: str, left_out: int) -> list[tuple[int, Json, int]]:
    return GAMES[name][: len(GAMES[name]) - left_out]


def _about(seats: int, settings: Json) -> str:
    return f"{seats} {json.dumps(settings)}"


def _game(game: AnyGame, level: str, seats: int, settings: Json, most: int) -> Iterator[tuple[Json, ...]]:
    """Play a game of one level; yield the view, the choices and the action of each decision."""
    state = game.new(seats, settings, "decisions")
    for number in range(most):
        if not game.to_act(state):
            break
        seat = min(game.to_act(state))
        view = game.view_json(game.view(state, seat))
        choices = [game.choice_json(choice) for choice in game.choices(state, seat)]
        action = bots.choose(game.name, level, view, choices, _seed(number))
        yield view, choices, action
        state = game.apply(state, seat, game.decode(state, seat, action)).state


def _seed(number: int) -> str:
    return f"decision {number}"


def _rounded(worth: float | None) -> float | None:
    """The chance, rounded to be the same on every machine."""
    return None if worth is None else float(f"{worth:.4g}")


def changed(name: str) -> list[str]:
    """Return the decisions that differ from the file, as lines."""
    now = list(decided(name, SEARCHES, LEFT_OUT))
    compared = {_about(seats, settings) for seats, settings, _ in _games(name, LEFT_OUT)}
    kept = map(json.loads, (folder(name) / "decisions.json").read_text().splitlines())
    written = [each for each in kept if each["game"] in compared]
    lines = [f"{len(now)} decisions instead of {len(written)}"] if len(now) != len(written) else []
    return lines + [
        f"now {json.dumps(each)}\nwas {json.dumps(before)}"
        for each, before in zip(now, written, strict=False)
        if each != _without_search(before, each)
    ]


def _without_search(kept: Json, now: Json) -> Json:
    """Leave out the expert's part of a kept decision if it was not asked now."""
    if "levels" not in kept or "expert" in now["levels"]:
        return kept
    levels = {level: action for level, action in kept["levels"].items() if level != "expert"}
    return {key: value for key, value in kept.items() if key != "ideas"} | {"levels": levels}


def main() -> None:
    """Rewrite the files."""
    for name in names_to_renew(__doc__, GAMES) or GAMES:
        lines = [json.dumps(each) + "\n" for each in decided(name)]
        (folder(name) / "decisions.json").write_text("".join(lines))


if __name__ == "__main__":
    main()
