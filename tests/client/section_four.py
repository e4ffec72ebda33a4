"""The cave drawn in the interface design, section 4: five teams, ropes, a choke, open exits."""

from __future__ import annotations

from typing import Any

from cave.games import get_game
from cave.the_cave.game import View
from client.games.the_cave.picture import Ghost


def _tile(at: tuple[int, int], kind: str, open_sides: str, depth: int = 0, **more: Any) -> dict[str, Any]:
    return {"at": list(at), "kind": kind, "open": open_sides, "depth": depth, **more}


def position(**turn: Any) -> dict[str, Any]:
    """The cave as a position; B has 3 AP left and no rope. The picture's column 2, row 1 is the base."""
    names = ("Ana", "Bea", "Cyd", "Dan", "Eve")
    places = ((-1, 1), (1, -1), (-2, 0), (0, 0), (-1, 0))
    teams: list[dict[str, Any]] = [
        {"name": name, "at": list(at), "backpack": {"consumable": 2}} for name, at in zip(names, places, strict=True)
    ]
    teams[0]["camp"] = {"state": "pitched", "at": [-1, 1]}
    teams[1]["backpack"] = {"consumable": 2, "rope": 1, "oxygen": 1, "camera": 1, "raft": 1}
    teams[1]["camp"] = {"state": "packed", "items": {"consumable": 1, "rope": 2}}
    teams[2]["camp"] = {"state": "pitched", "at": [-2, 0]}
    return {
        "format": "cave-position",
        "version": 1,
        "game": "the-cave",
        "teams": teams,
        "turn": {"seat": 1, "ap": 3, "phase": "actions", **turn},
        "board": [
            _tile((-2, -1), "descent", "ES", 25),
            _tile((-1, -1), "plain", "ESW"),
            _tile((0, -1), "squeeze", "EW", level=2, token=True),
            _tile((1, -1), "plain", "NEW"),
            _tile((-2, 0), "water", "NS", 25, token=True),
            _tile((-1, 0), "plain", "NE", start=True),
            _tile((0, 0), "base", "ESW", start=True),
            _tile((1, 0), "plain", "ESW", start=True),
            {"at": [2, 0], "kind": "choke", "depth": 0},
            _tile((-2, 1), "descent", "NE", 50),
            _tile((-1, 1), "wonder", "SW", 50, token=True),
            _tile((0, 1), "plain", "NE", start=True),
            _tile((1, 1), "descent", "NSW", 25),
            _tile((-1, 2), "descent", "NES", 75),
        ],
        "ropes": [
            {"between": [[-2, -1], [-1, -1]], "count": 1},
            {"between": [[1, 0], [1, 1]], "count": 1},
            {"between": [[-1, 1], [-1, 2]], "count": 1},
        ],
        "stacks": [[], [{"kind": "plain", "open": "NS"}] * 13, [], []],
    }


def view(**turn: Any) -> View:
    game, data = get_game("the-cave"), position(**turn)
    seen: View = game.view(game.from_position(data), None, game.names_in(data))
    return seen


def choices() -> tuple[Any, ...]:
    game = get_game("the-cave")
    return game.choices(game.from_position(position()), 1)


GHOST = Ghost((2, -1), rotation=1)


def placing() -> View:
    """The same cave; B holds a drawn descent over the place east of it."""
    return view(phase="placing", ap=2, drawn={"kind": "descent", "open": "ES"})
