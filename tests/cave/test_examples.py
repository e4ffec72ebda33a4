"""The examples in the docstrings of the contract, run as doctests."""

from __future__ import annotations

import doctest
from importlib import import_module

import pytest

CAVES = ("the_cave", "caves_of_casadh", "cave_vs_cave", "sir_ocelots_cave")
MODULES = (
    *("cave.game", "cave.score", "cave.chance", "cave.codec", "cave.record"),
    *(f"cave.{each}.game" for each in CAVES),
)


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_are_right(name: str) -> None:
    failed, tried = doctest.testmod(import_module(name))
    assert tried, f"{name} has no example"
    assert not failed
