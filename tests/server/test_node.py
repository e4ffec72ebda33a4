"""A client in another language, with nothing of ours but PROTOCOL.md, plays a whole game at a real host.

It is in tests/node: two players and a watcher, who write down every message that they receive.
"""

from __future__ import annotations

import asyncio
import fcntl
import json
import subprocess
from pathlib import Path
from typing import Any

import attrs
import pytest

from tests.server.running import GUARD, running
from tests.tools import found

pytestmark = pytest.mark.needs("node", "npm")

FOLDER = Path(__file__).parents[1] / "node"
PLAYERS = ("Zoë", "Łukasz")


@attrs.frozen
class Heard:
    """A message, its receiver, and whether it came from the desk or the gallery."""

    name: str
    source: str
    message: dict[str, Any]

    @property
    def seq(self) -> int:
        return int(self.message["seq"])


@attrs.frozen
class Game:
    """The end of the game as each client sees it, and all messages received, in order."""

    outcomes: list[dict[str, Any]]
    heard: list[Heard]

    def views(self, name: str) -> list[Heard]:
        return [each for each in self.heard if each.name == name and each.message["type"] == "view"]


@pytest.fixture(scope="module")
def node() -> str:
    """The command of Node.js, with the client's dependencies installed."""
    install()
    return str(found("node"))


def install() -> None:
    """Install exactly what package-lock.json names, unless installed; packages run no scripts."""
    with (FOLDER / "package-lock.json").open("rb") as lock:
        # several processes may run tests
        fcntl.flock(lock, fcntl.LOCK_EX)
        wanted = lock.read()
        done = FOLDER / "node_modules" / ".installed"
        if not done.exists() or done.read_bytes() != wanted:
            ran = npm("ci", "--ignore-scripts", "--no-audit", "--no-fund")
            if ran.returncode and npm("ping").returncode:
                pytest.skip("npm's registry does not answer")
            assert ran.returncode == 0, ran.stderr
            done.write_bytes(wanted)


def npm(*words: str) -> subprocess.CompletedProcess[str]:
    """The output of npm; it gives up soon if nobody answers."""
    soon = ("--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--fetch-timeout=30000")
    return subprocess.run(["npm", *words, *soon], cwd=FOLDER, capture_output=True, text=True)


@pytest.fixture(scope="module")
def game(node: str, tmp_path_factory: pytest.TempPathFactory) -> Game:
    file = tmp_path_factory.mktemp("node") / "heard.jsonl"
    outcomes = asyncio.run(_play(node, file))
    lines = map(json.loads, file.read_text("utf-8").splitlines())
    return Game(outcomes, [Heard(line["name"], line["from"], line["message"]) for line in lines])


async def _play(node: str, file: Path) -> list[dict[str, Any]]:
    pipe = asyncio.subprocess.PIPE
    async with running() as host:
        port = str(host.door["port"])
        program = await asyncio.create_subprocess_exec(
            node, str(FOLDER / "game.js"), port, str(file), stdout=pipe, stderr=pipe
        )
        try:
            async with asyncio.timeout(GUARD):
                told, problem = await program.communicate()
        finally:
            if program.returncode is None:
                program.kill()
    assert program.returncode == 0, problem.decode()
    outcomes: list[dict[str, Any]] = json.loads(told)
    return outcomes


def test_the_game_ends_with_the_same_standing_and_record_for_all(game: Game):
    """A player's standing is from the own view, the watcher's from the public one."""
    first, second, watcher = game.outcomes
    assert first == second == watcher
    assert watcher["record"][-1]["result"]["standing"] == watcher["standing"]
    assert [seat["name"] for seat in watcher["record"][0]["seats"]] == list(PLAYERS)


def test_no_request_is_refused(game: Game):
    """Forms filled in by the page's rules are legal; only a choice may be out of date."""
    refused = [each.message for each in game.heard if each.message["type"] == "error"]
    assert {message["code"] for message in refused} <= {"stale"}


def test_players_receive_views_of_one_seat_and_watchers_none(game: Game):
    for seat, name in enumerate(PLAYERS):
        views = game.views(name)
        assert {each.message["seat"] for each in views} == {seat}
        assert {each.message["view"]["viewer"] for each in views} == {seat}
    assert not game.views("watcher")
    public = [each for each in game.heard if each.source == "gallery" and each.message["type"] == "update"]
    assert {each.name for each in public} == {*PLAYERS, "watcher"}
    assert all(each.message["view"]["viewer"] is None for each in public)


def test_the_first_pack_is_visible_only_to_its_player_until_all_have_packed(game: Game):
    first = next(each for each in game.heard if each.message["type"] == "update" and each.seq == 2)
    packer = first.message["seat"]
    of_all = [each for each in game.heard if "view" in each.message and each.message.get("seq") == 2]
    packs = {
        (each.name, each.message["type"]): each.message["view"]["position"]["teams"][packer]["backpack"]
        for each in of_all
    }
    own = packs.pop((PLAYERS[packer], "view"))
    assert own["consumable"] in (5, 6)
    assert len(packs) >= 4
    assert all(pack == {} for pack in packs.values())
    [hidden] = {tuple(each.message["view"]["hidden"]) for each in of_all if each.message["type"] != "view"}
    assert packer in hidden


def test_stacks_and_seed_are_sent_only_at_the_end(game: Game):
    ended = next(at for at, each in enumerate(game.heard) if each.message.get("status") == "over")
    before, after = game.heard[:ended], game.heard[ended:]
    assert len(before) > 1000
    for word in ('"seed"', '"stacks"', "a whole game"):
        assert not any(word in json.dumps(each.message) for each in before)
    assert any('"seed": "a whole game"' in json.dumps(each.message) for each in after)
