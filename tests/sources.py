"""The imports of modules, found by a text search: parsing the program takes twenty times as long.

Each import begins its own line, which the linter ensures.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

STATEMENT = re.compile(r"^[ \t]*((?:from [\w.]+ )?import (?:\([^)]*\)|[^\n(#]+))", re.M)


@cache
def imports(path: Path) -> tuple[ast.Import | ast.ImportFrom, ...]:
    """Return the imports of a file, including those in functions and for type checkers."""
    found = ast.parse("\n".join(STATEMENT.findall(path.read_text(encoding="utf-8")))).body
    return tuple(node for node in found if isinstance(node, ast.Import | ast.ImportFrom))


@cache
def packages(path: Path) -> frozenset[str]:
    """Return the top-level names of a file's imports."""
    found = set()
    for node in imports(path):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        else:
            assert not node.level, f"{path}: imports are written in full"
            found.add((node.module or "").partition(".")[0])
    return frozenset(found)
