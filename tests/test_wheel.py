"""The wheel, installed beside foreign packages with the names of our folders."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import venv
from importlib.metadata import Distribution
from pathlib import Path
from zipfile import ZipFile

import pytest

from cave import __version__, record
from client.adviser import HelperProcess
from client.lab import analysis
from client.lab.analysis import Job
from tests.client.test_analyse import short

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project's wheel; building it needs no network."""
    folder = tmp_path_factory.mktemp("wheel")
    argv = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(argv, cwd=ROOT, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def site(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site-packages of a fresh environment with the wheel, our libraries, and foreign packages."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, symlinks=True)
    installer = [sys.executable, "-m", "pip", "--python", str(folder / "bin" / "python")]
    # Imports compile their modules; most are never imported.
    words = ["install", "--quiet", "--no-deps", "--no-index", "--no-compile", str(wheel)]
    subprocess.run([*installer, *words], check=True, capture_output=True)
    (site,) = folder.glob("lib/python*/site-packages")
    (site / "libraries.pth").write_text(sysconfig.get_path("purelib"))
    for name in ("cave", "client", "server"):
        (site / f"{name}.py").write_text("raise ImportError('somebody else')")
    return site


def test_everything_is_in_one_package(wheel: Path) -> None:
    with ZipFile(wheel) as packed:
        tops = {name.partition("/")[0] for name in packed.namelist()}
    assert tops == {"cave_game", f"cave_game-{__version__}.dist-info"}


def test_other_installed_packages_do_not_interfere(site: Path, tmp_path: Path) -> None:
    """Neither in the command nor in its host, nor in the processes of its bots."""
    program = str(site.parents[2] / "bin" / "cave")
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment = kept | {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}

    def told(*words: str, typed: str = "") -> str:
        done = subprocess.run(
            [program, *words], input=typed, cwd=tmp_path, env=environment, capture_output=True, text=True
        )
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    assert told("--version").startswith(f"cave {__version__}\n")
    assert told("rules", "sir-ocelots-cave").startswith("Sir Ocelot's Cave")
    words = ("sir-ocelots-cave", "-p", "Ann", "--bot", "rookie", "--plain", "--seed", "k")
    assert "\nRookie (bot) lays " in told("play", *words, typed="1\n" * 3)


async def test_an_analysis_is_started(site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith("PYTHON")]:
        monkeypatch.delenv(name)
    file = site / "cave_game" / "client" / "lab" / "analysis.py"
    monkeypatch.setattr(sys, "executable", str(site.parents[2] / "bin" / "python"))
    lines = short()
    tasks = analysis.judging_tasks(analysis.stretches_to_judge(record.replay(lines.splitlines(keepends=True))))[:2]
    helper = HelperProcess(str(file))
    try:
        for task in tasks:
            job = Job(lines, 0.1, task)
            assert await helper.ask(job, analysis.Part) == analysis.judge_task(job)
    finally:
        await helper.close()


def test_a_new_game_passes_its_own_tests_and_is_played(site: Path, tmp_path: Path) -> None:
    """The wheel has everything it needs."""
    folder, program = tmp_path / "mine", site.parents[2] / "bin" / "cave"
    environment = os.environ | {"PYTHONPATH": str(folder), "XDG_DATA_HOME": str(tmp_path)}

    def told(*command: str | Path, typed: str = "") -> str:
        return subprocess.run(
            command, input=typed, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
        ).stdout

    assert "play deep-caves\n" in told(program, "new-game", "deep_caves", "mine")
    assert "30 passed" in told(program.with_name("python"), "-m", "pytest", "-p", "no:xdist", "mine")
    assert "Total: Ann " in told(program, "play", "deep-caves", "-p", "Ann", "--plain", typed="1\n" * 3)
    assert told(program, "rules", "deep-caves").startswith("Deep Caves\n\n1. Hands")
    copied = [file for kind in ("py", "md", "toml") for file in folder.rglob(f"*.{kind}")]
    assert [file for file in copied if re.search(r"(?i)\blanterns\b", file.read_text())] == []


def test_the_registry_page_needs_no_other_file(site: Path) -> None:
    (found,) = Distribution.discover(name="cave-game", path=[str(site)])
    told = found.metadata
    assert told["License-Expression"] == "MIT"
    assert told.get_all("License-File") == ["LICENSE"]
    assert told.get_all("Provides-Extra") == ["dask", "serve"], "what contributors need is no part of the package"
    assert not re.search(r"\]\(|<img", told.get_payload()), "links and pictures are of files that are not there"
    assert "Python :: {}.{}".format(*sys.version_info) in "".join(told.get_all("Classifier"))
