"""Completion in the shells: each installed one sources its script and completes as with a user's tab."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from tests.client.test_cli import answer, cave, environment
from tests.effort import THOROUGH

HERE = Path(sys.executable).parent


def shell(name: str) -> object:
    return pytest.param(name, marks=pytest.mark.needs(name))


SHELLS = [shell("bash"), shell("zsh"), shell("fish")]

# The completing functions are called as by the shells; their results go to standard output.
BASH = """
source "$1"
shift
compopt() { :; }
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_cave_completion cave
printf '%s\\n' "${COMPREPLY[@]}"
"""
ZSH = """
compdef() { completer=$1 }
_describe() { local -a all; all=("${(@P)3}"); print -l -- "${(@)all%%:*}" }
compadd() { local -a all; all=("${(@P)@[-1]}"); print -l -- "${(@)all}" }
_path_files() { }
source "$1"
shift
words=("$@")
CURRENT=$#
$completer
"""
FISH = "source $argv[1]; complete --do-complete (string join -- ' ' $argv[2..])"


@cache
def sourced(name: str) -> bytes:
    """The script for the shell to source; the same in every folder."""
    return answer(Path.home(), "completion", name).stdout


def completed(home: Path, name: str, *words: str) -> set[str]:
    """Return the shell's completions of the last of these words of a command line."""
    typed = [word.replace(" ", r"\ ") for word in words]
    script = home / f"cave.{name}"
    script.write_bytes(sourced(name))
    code = {"bash": BASH, "zsh": ZSH, "fish": FISH}[name]
    argv = {
        "bash": ["bash", "--norc", "-c", code, "bash"],
        "zsh": ["zsh", "-f", "-c", code, "zsh"],
        "fish": ["fish", "--no-config", "-c", code, "--"],
    }[name]
    done = subprocess.run(
        [*argv, str(script), *typed],
        env={**environment(home), "PATH": f"{HERE}{os.pathsep}{os.environ['PATH']}", "HOME": str(home)},
        cwd=home,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.stderr == b"", done.stderr
    return {line.split("\t")[0].strip() for line in done.stdout.decode().splitlines()} - {""}


def offered(home: Path, *words: str) -> set[str]:
    """Return the program's completions for any shell, for words without shell metacharacters."""
    asked = {"_CAVE_COMPLETE": "bash_complete", "COMP_WORDS": shlex.join(words)}
    done = answer(home, **asked, COMP_CWORD=str(len(words) - 1))
    assert done.stderr == b"", done.stderr
    return {line.partition(",")[2] for line in done.stdout.decode().splitlines()} - {""}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
@pytest.mark.parametrize("given", [{}, {"COMP_WORDS": "cave"}, {"COMP_WORDS": "cave", "COMP_CWORD": "x"}])
def test_wrong_variables_of_a_shell_complete_nothing(tmp_path: Path, shell: str, given: dict[str, str]) -> None:
    done = answer(tmp_path, _CAVE_COMPLETE=f"{shell}_complete", **given)
    assert done.stderr == b""


@pytest.mark.parametrize("name", SHELLS)
def test_commands(tmp_path: Path, name: str) -> None:
    assert completed(tmp_path, name, "cave", "re") == {"referee", "replay", "resume"}


@pytest.mark.parametrize("name", SHELLS)
def test_options(tmp_path: Path, name: str) -> None:
    assert {"--person", "--plain", "--position"} <= completed(tmp_path, name, "cave", "play", "--p")
    assert completed(tmp_path, name, "cave", "replay", "--p") == {"--plain", "--plot"}


@pytest.mark.parametrize(
    ("option", "values"),
    [
        ("--edition", {"english", "french"}),
        ("--bot", {"novice", "rookie", "guide", "expert"}),
        ("--glyphs", {"auto", "fine", "unicode", "ascii"}),
    ],
)
def test_values(tmp_path: Path, option: str, values: set[str]) -> None:
    assert offered(tmp_path, "cave", "play", option, "") == values


@pytest.mark.parametrize("name", SHELLS)
def test_kept_records(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "data" / "cave-game" / "records"
    folder.mkdir(parents=True)
    for record in ("2026-01-01-a.jsonl", "2026-02-02-b.jsonl"):
        (folder / record).touch()
    found = completed(tmp_path, name, "cave", "replay", f"{folder}/2026-0")
    assert {Path(line).name for line in found} >= {"2026-01-01-a.jsonl", "2026-02-02-b.jsonl"}


VALUES: list[tuple[tuple[str, ...], set[str]]] = [
    (("play", "--rule", "choke"), {"choke_cost=1", "choke_cost=2"}),
    (("host", "--rule", "final_phase=o"), {"final_phase=one_turn"}),
    (("host", "--limit", "ra"), {"rate=20"}),
    (("simulate", "--seats", "r"), {"rookie"}),
    (("simulate", "sir-ocelots-cave", "--seats", "rookie,n"), {"rookie,novice"}),
    (("settings", "the-cave.confirm_p"), {"the-cave.confirm_place"}),
    (("settings", "the-cave.confirm_place", ""), {"on", "off"}),
    (("settings", "glyphs", "u"), {"unicode"}),
    (("settings", "name", ""), set()),
    (("settings", "nonsense", ""), set()),
]
"""Input and completions. All shells ask one program, but each parses these signs itself."""
SIGNS = "=,"


def has_a_sign(words: tuple[str, ...], found: set[str]) -> bool:
    return bool(set(SIGNS) & set("".join((*words, *found))))


@pytest.mark.parametrize("name", SHELLS)
def test_names_with_their_values(tmp_path: Path, name: str) -> None:
    for words, found in VALUES:
        if THOROUGH or has_a_sign(words, found):
            assert completed(tmp_path, name, "cave", *words) == found, words


def test_names_and_values_without_an_equals_sign(tmp_path: Path) -> None:
    for words, found in VALUES:
        if not has_a_sign(words, found):
            assert offered(tmp_path, "cave", *words) == found, words


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (("choke_cost", "="), {"1", "2"}),
        (("choke_cost", "=", "2"), {"2"}),
        (("choke_cost", "=", "2", "--rule", "final_phase", "=", "t"), {"three_rounds"}),
        (("choke_cost=1", "--rule", "choke_cost=2"), {"choke_cost=2"}),
        (("choke_cost=1", "--absence", "skip", ":"), {"60", "60:idle", "3d", "3d:idle"}),
    ],
)
@pytest.mark.parametrize("name", [shell("bash")])
def test_bash_splits_a_rule(tmp_path: Path, name: str, words: tuple[str, ...], found: set[str]) -> None:
    assert completed(tmp_path, name, "cave", "play", "--rule", *words) == found


def unfinished(home: Path) -> str:
    """Start a local game; return its table."""
    played = cave(home, "play", "-p", "Ann", "--plain", "--seed", "k", stdin=b"1\n")
    assert played.returncode == 0
    _head, game = cave(home, "tables").stdout.decode().splitlines()
    return game.split()[0]


def test_unfinished_games(tmp_path: Path) -> None:
    table = unfinished(tmp_path)
    for words in (("resume", ""), ("resume", table[:2]), ("tables", "--delete", "")):
        assert offered(tmp_path, "cave", *words) == {table}
    assert offered(tmp_path, "cave", "resume", f"{table}0") == set()
    assert offered(tmp_path, "cave", "owner", "--close", "") == set(), "no host runs"


def test_banned_clients(tmp_path: Path) -> None:
    data, key = tmp_path / "data", "A" * 43
    data.mkdir()
    (data / "banned.keys").write_text(f"{key}\n")
    (data / "banned.addresses").write_text(f"192.0.2.7 {key} -\n")
    words = ("cave", "owner", "--data", str(data), "--pardon")
    assert offered(tmp_path, *words, "") == {key, "192.0.2.7"}
    assert offered(tmp_path, *words, "192") == {"192.0.2.7"}
    (data / "banned.addresses").write_text("damaged\n")
    assert offered(tmp_path, *words, "") == set()


def test_unsupported_shells_are_refused(tmp_path: Path) -> None:
    done = answer(tmp_path, "completion", "csh")
    assert done.returncode == 2
    assert b"bash" in done.stderr
    assert len(done.stderr.splitlines()) == 1
