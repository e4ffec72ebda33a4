"""The dependency rules of the architecture, for ``cave``: imports that the rules core must not have."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import cave
from tests.sources import imports, packages

ROOT = Path(cave.__file__).parent
FILES = sorted(path for path in ROOT.rglob("*.py"))
MODULES = [".".join(path.relative_to(ROOT.parent).with_suffix("").parts).removesuffix(".__init__") for path in FILES]

OTHERS = {"server", "client", "textual", "rich", "zmq", "click", "platformdirs"}
WORLD = {"time", "socket", "asyncio", "threading", "subprocess", "secrets", "uuid", "tempfile", "os", "sys"}
"""Clock, network, files and randomness outside the seed."""
FOR_THE_OTHERS = {
    "files.py": {"os"},
    "processes.py": {"asyncio", "os", "subprocess", "sys", "threading"},
    "tcp.py": {"asyncio", "os", "socket"},
}
"""Modules for host and client, which the rules do not use, and their imports."""


def run(code: str) -> str:
    """The output of a fresh interpreter."""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT.parent, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_file_of_the_core_imports_neither_the_others_nor_the_world(path: Path) -> None:
    world = WORLD - FOR_THE_OTHERS.get(path.name, set())
    assert not packages(path) & (OTHERS | world)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_randomness_comes_only_from_a_passed_generator(path: Path) -> None:
    """``Random`` may be named (the caller passes a generator); the module's functions may not."""
    for node in imports(path):
        if isinstance(node, ast.Import):
            assert "random" not in {alias.name for alias in node.names}
        elif node.module == "random":
            assert {alias.name for alias in node.names} == {"Random"}


def test_the_whole_core_loads_without_the_others() -> None:
    """In a fresh process: every module of ``cave`` is loaded, and nothing else."""
    code = f"import sys, importlib\nfor m in {MODULES!r}: importlib.import_module(m)\nprint(*sys.modules)"
    loaded = {name.partition(".")[0] for name in run(code).split()}
    assert "cave" in loaded
    assert not loaded & (OTHERS | {"asyncio", "sqlite3"})
