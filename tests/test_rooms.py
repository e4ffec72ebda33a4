"""The dependencies between the rooms of the program: imports go only downwards, and have no cycles.

All imports count, also those within functions and those for type checkers.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests import sources

ROOT = Path(__file__).resolve().parents[1]

FLOORS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("the program begins here, and ends in a sentence if it is stopped", ("client.start",)),
    ("the command line only chooses a command", ("client.cli",)),
    ("a command opens something: a screen, a line mode, a host", ("client.commands",)),
    ("the program round a table knows games by their faces", ("client.app",)),
    ("bots play and games are judged without a table", ("client.lab",)),
    ("a game is made from the shared parts; it may know its own rules, and no other game", ("client.games",)),
    ("parts of screens and of line modes know no game, nor each other", ("client.tui", "client.plain")),
    ("words for both of them know no terminal", ("client.present",)),
    ("a process thinks of what there is to do at a table", ("client.adviser",)),
    ("what comes to a table, and what is left of one", ("client.launch", "client.replay", "client.lesson")),
    ("a game that was played has turns and points", ("client.game_history",)),
    ("the network knows what is known of a table, and nothing of who looks at it", ("client.net",)),
    ("a face puts events of a table into words", ("client.face",)),
    ("what all of the client knows", ("client.table", "client.settings")),
    ("names, errors and numbers have the same words everywhere", ("client.wording",)),
    ("what systems have in different ways", ("client.system",)),
    ("the host begins here, and decides what happens at its tables", ("server",)),
    ("the journal brings tables back, and the replies that their people have", ("server.journal",)),
    ("clients hold seats at tables", ("server.clients",)),
    ("a table knows neither who is connected nor what is kept", ("server.tables",)),
    ("what all of the host uses", ("server.logs",)),
    ("what hosts' systems have in different ways", ("server.system",)),
    ("the rules know nobody", ("cave",)),
)
"""From the top floor down, each with its reason. Rooms on the same floor do not import each other."""

GAMES = {path.parent.name for path in (ROOT / "cave").glob("*/game.py")}
"""The folders of the games."""

HOSTING = "client.commands"
"""The only room of the client that starts a host, and so may import it."""


@cache
def files() -> dict[str, Path]:
    found = {}
    for package in ("cave", "server", "client"):
        for path in sorted((ROOT / package).rglob("*.py")):
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            found[name.removesuffix(".__init__")] = path
    return found


def imports(name: str) -> Iterator[str]:
    """The modules of the program that a module imports."""
    for node in sources.imports(files()[name]):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in files())
        elif node.module in files():
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if inner in files() else node.module


@cache
def room(name: str) -> tuple[int, str]:
    """Return the floor and the room of a module; the higher the number, the lower it lies."""
    rooms = [(floor, each) for floor, (_, rooms) in enumerate(FLOORS) for each in rooms]
    holding = [(floor, each) for floor, each in rooms if f"{name}.".startswith(f"{each}.")]
    return max(holding, key=lambda found: len(found[1]), default=(-1, name))


@pytest.mark.parametrize("name", sorted({room(name)[1] for name in files()} - {"client"}))
def test_imports_only_go_down(name: str) -> None:
    wrong = []
    for module in files():
        floor, here = room(module)
        if here != name:
            continue
        for other in imports(module):
            below, there = room(other)
            if here != there and below <= floor:
                wrong.append(f"{module} -> {other}")
            if there.startswith("server") and not here.startswith(("server", HOSTING)):
                wrong.append(f"{module} -> {other}")
    assert wrong == []


def game(name: str) -> str:
    """Return the folder of the game that a module belongs to; empty for a shared one."""
    parts = name.split(".")
    inner = parts[2:] if parts[:2] == ["client", "games"] else parts[1:]
    return inner[0] if inner and inner[0] in GAMES else ""


def test_a_game_knows_no_other_game() -> None:
    """Neither the face of one nor its rules."""
    assert len(GAMES) > 1
    assert {f"client.games.{name}" for name in GAMES} <= files().keys()
    across = [
        f"{module} -> {other}"
        for module in files()
        for other in imports(module)
        if game(module) and game(other) not in ("", game(module))
    ]
    assert across == []


def test_there_are_no_import_cycles() -> None:
    graph = {name: set(imports(name)) - {name} for name in files()}
    # Modules without remaining imports in one direction are in no cycle.
    while True:
        ends = {name for name, others in graph.items() if not others & graph.keys()}
        ends |= graph.keys() - set().union(*graph.values()) if graph else set()
        if not ends:
            break
        graph = {name: others - ends for name, others in graph.items() if name not in ends}
    assert sorted(graph) == []
