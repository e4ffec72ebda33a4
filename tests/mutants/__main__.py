"""Plant mistakes in the program, one at a time, and check whether the tests find each: ``make mutants``.

    make mutants                          35 mutants in each group
    make mutants SAMPLE=10 SEED=3         others, and fewer
    make mutants GROUPS="rules limits"    in these groups only
    make mutants CHANGE=HEAD~3            in lines that have changed since then

mutmut does the work, in a copy of the project. The output has the diff of each mutant that no test finds.
Mutants without an observable effect are listed in ``equivalent.toml``, with the reason.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

from msgspec import Struct

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
GROUPS: dict[str, Any] = tomllib.loads((HERE / "groups.toml").read_text(encoding="utf-8"))
ENOUGH = 0.9
"""The share of the mutants of a group that the tests have to find."""
FOUND = {"killed", "timeout", "segfault", "suspicious"}
# Each mutant has a fresh process without imports: cached state would hide it.
SETTINGS = """
[tool.mutmut]
source_paths = {modules}
also_copy = {copied}
pytest_add_cli_args = ["--timeout=120", "-p", "no:cacheprovider", "-W", "ignore::UserWarning:mutmut"]
pytest_add_cli_args_test_selection = {tests}
timeout_multiplier = 2.0
timeout_constant = 120.0
process_isolation = "forkserver"
forkserver_warmup = "none"
track_dependencies = false
use_git_change_detection = false
"""


class Equivalent(Struct, frozen=True):
    """A mutant without effect: the lines that it removes and adds, and why it has none."""

    file: str
    old: str
    new: str
    why: str


def equivalents() -> list[Equivalent]:
    """Return the mutants listed as equivalent."""
    listed = tomllib.loads((HERE / "equivalent.toml").read_text(encoding="utf-8"))
    return [Equivalent(**each) for each in listed.get("mutant", [])]


def outdated(listed: list[Equivalent], root: Path = ROOT) -> list[Equivalent]:
    """Return those whose line is no longer in its file, or that give no reason."""
    return [
        each
        for each in listed
        if not each.why or each.old not in map(str.strip, (root / each.file).read_text(encoding="utf-8").splitlines())
    ]


def matching(patterns: list[str]) -> list[str]:
    """Return the files that match a pattern, except those that match one with a ``!``."""
    out = [pattern[1:] for pattern in patterns if pattern.startswith("!")]
    names = {
        path.relative_to(ROOT).as_posix() for pattern in patterns if pattern[0] != "!" for path in ROOT.glob(pattern)
    }
    return sorted(name for name in names if not any(fnmatch.fnmatch(name, pattern) for pattern in out))


def git(*words: str) -> str:
    """Return git's output about the work tree."""
    return subprocess.run(("git", *words), cwd=ROOT, check=True, capture_output=True, text=True).stdout


def changed_lines(since: str) -> dict[str, list[int]]:
    """Return the numbers of the lines of each module that have changed since a commit."""
    changed: dict[str, list[int]] = {}
    name = ""
    for line in git("diff", "--unified=0", since, "--", "*.py").splitlines():
        if line.startswith("+++ "):
            name = line.removeprefix("+++ b/")
        elif found := re.match(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@", line):
            first, count = int(found[1]), int(found[2] or 1)
            changed.setdefault(name, []).extend(range(first, first + count))
    return changed


def copy(to: Path, group: dict[str, Any]) -> None:
    """Copy git's files of the work tree, as they are now, and configure what to mutate there."""
    names = [name for name in git("ls-files", "-co", "--exclude-standard", "-z").split("\0") if name]
    for name in names:
        if (ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, to / name)
    copied = sorted({name.partition("/")[0] for name in names})
    with (to / "pyproject.toml").open("a", encoding="utf-8") as file:
        file.write(
            SETTINGS.format(
                modules=json.dumps(matching(group["modules"])),
                tests=json.dumps(matching(group["tests"])),
                copied=json.dumps(copied),
            )
        )


def results(folder: Path) -> dict[str, str]:
    """Return the status of each planted mutant."""
    from mutmut.stats import status_by_exit_code

    # mutmut takes it for a timeout if pytest cannot load the tests.
    told = {**status_by_exit_code, 255: "killed"}
    found = {}
    for path in sorted((folder / "mutants").rglob("*.py.meta")):
        codes = json.loads(path.read_text(encoding="utf-8"))["exit_code_by_key"]
        found |= {name: told.get(code, "suspicious") for name, code in codes.items()}
    return found


def difference(folder: Path, name: str) -> str:
    """Return a mutant as a diff of its function."""
    words = (sys.executable, "-m", "mutmut", "show", name)
    return subprocess.run(words, cwd=folder, capture_output=True, text=True).stdout


def is_listed(diff: str, listed: list[Equivalent]) -> bool:
    """Return whether a mutant, given as a diff, is listed as equivalent."""
    lines = diff.splitlines()
    old = [line[1:].strip() for line in lines if line.startswith("-") and not line.startswith("---")]
    new = [line[1:].strip() for line in lines if line.startswith("+") and not line.startswith("+++")]
    return any(
        f"--- {each.file}" in lines and [each.old] == old and ([each.new] if each.new else []) == new for each in listed
    )


def run(name: str, options: argparse.Namespace, folder: Path) -> Counter[str]:
    """Test a sample of a group's mutants; print the survivors; return the number of each kind."""
    copy(folder, GROUPS[name])
    words = [sys.executable, "-m", "tests.mutants.worker", str(options.sample), str(options.seed)]
    if options.change:
        (folder / "changed.json").write_text(json.dumps(changed_lines(options.change)), encoding="utf-8")
        words.append("changed.json")
    with (folder / "log").open("w", encoding="utf-8") as log:
        ended = subprocess.run(words, cwd=folder, stdout=log, stderr=subprocess.STDOUT).returncode
    if ended:
        raise SystemExit((folder / "log").read_text(encoding="utf-8")[-4000:])
    counts: Counter[str] = Counter()
    listed = equivalents()
    for mutant, status in results(folder).items():
        counts["planted"] += 1
        if status in FOUND:
            counts["found"] += 1
            counts["timeout"] += status == "timeout"
        elif is_listed(diff := difference(folder, mutant), listed):
            counts["equivalent"] += 1
        else:
            print(f"{status}: {mutant}\n{diff}", flush=True)
    return counts


def main() -> int:
    """Run each group, and print how many were found; return 1 if there are too few."""
    parser = argparse.ArgumentParser(prog="make mutants", description=__doc__)
    parser.add_argument("groups", nargs="*", default=list(GROUPS), help=", ".join(GROUPS))
    parser.add_argument("--sample", type=int, default=35, help="mutants of each group")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--change", default="", help="the commit since which lines have changed")
    parser.add_argument("--keep", type=Path, help="a folder for the copies, which are then kept")
    options = parser.parse_args()
    if wrong := outdated(equivalents()):
        raise SystemExit(f"equivalent.toml names what is no longer there: {wrong}")
    status = 0
    for name in options.groups:
        with tempfile.TemporaryDirectory() as made:
            folder = options.keep / name if options.keep else Path(made)
            folder.mkdir(parents=True, exist_ok=True)
            counts = run(name, options, folder)
        real = counts["planted"] - counts["equivalent"]
        enough = counts["found"] >= ENOUGH * real
        status |= not enough
        print(
            f"{GROUPS[name]['about']}: {counts['planted']} planted, {counts['equivalent']} equivalent, "
            f"{counts['found']} of {real} found ({counts['timeout']} by the limit of time)"
            f"{'' if enough else ', which is too few'}",
            flush=True,
        )
    return status


if __name__ == "__main__":
    sys.exit(main())
