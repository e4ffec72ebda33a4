"""The mutation tests' own files: their references exist."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.mutants.__main__ import GROUPS, Equivalent, equivalents, is_listed, matching, outdated

ONE = Equivalent("cave/chance.py", "a = 1", "a = 2", "It is not read.")
DIFF = "--- cave/chance.py\n+++ cave/chance.py\n@@ -1,2 +1,2 @@\n def f():\n-    a = 1\n+    a = 2\n"


@pytest.mark.parametrize("name", GROUPS)
def test_every_group_has_modules_and_tests(name: str) -> None:
    group = GROUPS[name]
    for patterns in (group["modules"], group["tests"]):
        kept = [pattern for pattern in patterns if pattern[0] != "!"]
        assert all(matching([pattern]) for pattern in kept)
        assert matching(patterns)
        left_out = [pattern[1:] for pattern in patterns if pattern[0] == "!"]
        assert not {*matching(left_out)} & {*matching(patterns)}


def test_every_mutant_that_is_named_as_equivalent_could_still_be_planted() -> None:
    assert outdated(equivalents()) == []


def test_a_mutant_is_equivalent_if_its_file_and_both_lines_are_named(tmp_path: Path) -> None:
    assert is_listed(DIFF, [ONE])
    for other in ({"file": "cave/keys.py"}, {"old": "a = 3"}, {"new": "a = 3"}):
        assert not is_listed(DIFF, [replace(ONE, **other)])
    (tmp_path / "cave").mkdir()
    module = tmp_path / "cave" / "chance.py"
    module.write_text("def f():\n    a = 1\n")
    assert outdated([ONE], tmp_path) == []
    assert outdated([replace(ONE, why="")], tmp_path)
    module.write_text("def f():\n    a = 10\n")
    assert outdated([ONE], tmp_path) == [ONE]
