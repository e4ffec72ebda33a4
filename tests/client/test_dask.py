"""``cave simulate --dask`` on a local cluster: the same games, and one sentence on failure."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.client.test_cli import answer, assert_one_sentence, environment
from tests.client.test_simulate import OCELOT, untimed

GAMES = ("--games", "4", "--json")


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """The address of a scheduler with two workers that listens only on this machine."""
    import distributed  # Slow to import, and only the worker that runs these tests needs it.

    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=False, protocol="tcp", host="127.0.0.1", dashboard_address=None
    ) as found:
        yield found.scheduler_address


def simulate(folder: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "client.cli", *OCELOT, *arguments],
        capture_output=True,
        env=environment(folder),
        timeout=120,
        check=False,
    )


def test_a_cluster_plays_the_same_games(cluster: str, tmp_path: Path) -> None:
    told: list[Any] = []
    alone = answer(tmp_path, *OCELOT, *GAMES, "--jobs", "1")
    for done in (simulate(tmp_path, *GAMES, "--dask", cluster), alone):
        assert done.returncode == 0, done.stderr
        assert b"4 of 4 games" in done.stderr
        told.append(untimed(json.loads(done.stdout)))
    assert told[0] == told[1]


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nope"])
def test_a_missing_scheduler_is_reported_in_one_sentence(tmp_path: Path, address: str) -> None:
    words = (*GAMES, "--dask", address)
    done = answer(tmp_path, *OCELOT, *words) if address == "nope" else simulate(tmp_path, *words)
    assert_one_sentence(done, 1, f"There is no Dask scheduler at {address}")


def test_workers_of_another_version_are_reported(cluster: str, tmp_path: Path, monkeypatch: Any) -> None:
    from client.lab import series

    # The workers are threads of this process.
    monkeypatch.setattr(series, "__version__", "0.0.1")
    done = simulate(tmp_path, *GAMES, "--dask", cluster)
    assert_one_sentence(done, 1, "A worker has version 0.0.1")
