"""Run mutmut in a copy of the project, for a sample of the mutants of one group.

``python -m tests.mutants.worker SAMPLE SEED [CHANGED]`` is started by the command in the copy, whose
``pyproject.toml`` says which modules and tests. CHANGED is a JSON file with the lines of each module that may
be mutated. mutmut is used as it is except for four things: which mutations there are; only a sample of them
is planted; code that runs in a forked host or while modules load counts for tests; and the check that all
tests pass runs once.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import libcst as cst
import libcst.matchers as m
import mutmut.__main__ as program
import pytest
from libcst.metadata import MetadataWrapper, ParentNodeProvider, PositionProvider
from mutmut.mutation import file_mutation, mutators
from mutmut.runners.harness import PytestRunner
from mutmut.state import state
from mutmut.utils.file_utils import walk_mutatable_files
from mutmut.workers import isolation
from mutmut.workers.isolation import ForkServerRunner

WORKERS = 2
FEW = 5
"""This many tests may fail without a mutant: on a busy machine some hit a timeout."""
HITS = Path("hits")
"""Where forked processes write the functions they run, while that is collected for each test."""


def left_out(statement: cst.Expr) -> Iterable[cst.BaseSmallStatement]:
    """Remove a call whose result is not used. Log calls may be wrong."""
    if m.matches(statement.value, m.Call()) and not m.matches(
        statement.value, m.Call(func=m.Attribute(value=m.Name("LOG")))
    ):
        yield cst.Pass()


def by_default(call: cst.Call) -> Iterable[cst.Call]:
    """Remove a keyword argument, as most have a default. ``strict`` of zip is a check."""
    for number, argument in enumerate(call.args):
        if argument.keyword is not None and argument.keyword.value != "strict":
            yield call.with_changes(args=[*call.args[:number], *call.args[number + 1 :]])


# Excluded: strings, as nothing depends on a message and a wrong key fails at once; None instead of a value or
# an argument, which fails at once, too; and `dict(aXX=1)`.
OPERATORS: list[Any] = [
    (cst.BaseNumber, mutators.operator_number),
    (cst.Name, mutators.operator_name),
    (cst.AugAssign, mutators.operator_augmented_assignment),
    (cst.UnaryOperation, mutators.operator_remove_unary_ops),
    (cst.Call, mutators.operator_symmetric_string_methods_swap),
    (cst.Call, mutators.operator_unsymmetrical_string_methods_swap),
    (cst.Call, by_default),
    (cst.CSTNode, mutators.operator_keywords),
    (cst.CSTNode, mutators.operator_swap_op),
    (cst.Expr, left_out),
    (cst.Match, mutators.operator_match),
    (cst.IfExp, mutators.operator_if_exp),
]


class Hits(set[str]):
    """The functions that a test runs, in the test's process and in forks of it."""

    def __init__(self) -> None:
        super().__init__()
        self._owner = os.getpid()
        self._told: set[str] = set()

    def add(self, name: str) -> None:
        if os.getpid() == self._owner:
            super().add(name)
        elif name not in self._told:
            self._told.add(name)
            # The test may be of a host that can no longer write.
            with contextlib.suppress(OSError), HITS.open("a", encoding="utf-8") as file:
                file.write(f"{name}\n")

    def __iter__(self) -> Iterator[str]:
        told = HITS.read_text(encoding="utf-8").split() if HITS.exists() else []
        HITS.unlink(missing_ok=True)
        return iter({*super().__iter__(), *told})


class Runner(PytestRunner):
    """Runs pytest. Code that runs while modules are loaded concerns every test."""

    def __init__(self) -> None:
        super().__init__()
        self._loading: set[str] = set()
        self._failed: set[str] = set()

    def pytest_collection_finish(self) -> None:
        """Record the functions that have run by now."""
        self._loading = {*state()._stats}
        state()._stats.clear()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Record the tests that fail."""
        if report.failed:
            self._failed.add(report.nodeid)

    def run_stats(self, *, tests: Iterable[str]) -> int:
        """Collect the functions that each test runs. A test that fails here is left out."""
        self._pytest_add_cli_args = [*self._pytest_add_cli_args, f"--maxfail={FEW + 1}"]
        state()._stats = Hits()
        with contextlib.redirect_stdout(sys.__stdout__):  # names the failing test
            code = super().run_stats(tests=tests)
        for name in self._loading:
            state().tests_by_mangled_function_name[name].update(state().duration_by_test)
        for found in state().tests_by_mangled_function_name.values():
            found -= self._failed
        return 0 if 0 < len(self._failed) <= FEW else code

    def run_tests(self, *, mutant_name: str | None, tests: Iterable[str]) -> int:
        """Run these tests, quick ones first, until one fails."""
        lasts = state().duration_by_test
        return super().run_tests(mutant_name=mutant_name, tests=sorted(tests, key=lambda test: lasts[test]))

    def execute_pytest(self, params: list[str], **more: Any) -> int:
        """Run pytest with these arguments."""
        plugins = [*more.pop("plugins", ())]
        return super().execute_pytest(params, plugins=[*plugins, self] if plugins else plugins, **more)


def choose(sample: int, seed: int, changed: dict[str, list[int]] | None) -> dict[str, set[int]]:
    """Choose mutations at random, at most one per line; return their numbers in each module."""
    lines: dict[tuple[str, int], list[int]] = {}
    for path in sorted(map(str, walk_mutatable_files())):
        code = Path(path).read_text(encoding="utf-8")
        module, mutations, *_ = every_mutation(path, code)
        told = MetadataWrapper(module, unsafe_skip_copy=True)
        where, parents = told.resolve(PositionProvider), told.resolve(ParentNodeProvider)
        for number, mutation in enumerate(mutations):
            if not isinstance(mutation.contained_by_top_level_function, cst.FunctionDef):
                continue
            if m.matches(parents[mutation.original_node], m.Arg(keyword=m.Name("strict"))):
                continue
            line = where[mutation.original_node].start.line
            if changed is None or line in changed.get(path, ()):
                lines.setdefault((path, line), []).append(number)
    dice = random.Random(seed)
    chosen: dict[str, set[int]] = {}
    for path, line in dice.sample(sorted(lines), min(sample, len(lines))):
        chosen.setdefault(path, set()).add(dice.choice(lines[path, line]))
    return chosen


every_mutation = file_mutation.create_mutations


def main(sample: int, seed: int, changed: str | None = None) -> None:
    """Plant the sample, and let mutmut run the tests."""
    mutators.mutation_operators[:] = OPERATORS
    lines = json.loads(Path(changed).read_text(encoding="utf-8")) if changed else None
    chosen = choose(sample, seed, lines)
    if not chosen:
        return

    def planted(filename: str, *arguments: Any) -> Any:
        module, mutations, *ignored = every_mutation(filename, *arguments)
        kept = chosen.get(filename, set())
        return module, [each for number, each in enumerate(mutations) if number in kept], *ignored

    file_mutation.create_mutations = planted
    global HITS
    HITS = HITS.absolute()
    isolation.PytestRunner = Runner  # type: ignore[misc]
    ForkServerRunner.run_clean_tests = lambda self, tests: 0  # type: ignore[method-assign]
    program._run((), WORKERS)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:])
