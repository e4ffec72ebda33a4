"""The mutation tests' own files: their references exist."""

from __future__ import annotations

import pytest

from tests.mutants.__main__ import GROUPS, equivalents, matching, outdated


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
