"""Opening a table at another host: by the launcher, in line mode, by options."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from client.app.line_mode import NO_TABLE, LineModeFlow
from client.cli import cli
from client.launch import new_game
from client.launch.launcher import Launcher
from client.launch.opening import NewTable, Visit
from client.net.connection import connect
from client.settings.schema import Preferences, Settings
from client.table import Rejected
from tests.client.plain_talk import Script
from tests.client.test_cli import assert_one_sentence, cave
from tests.client.test_seats import launcher
from tests.server.running import GUARD, Running, running


@pytest.fixture
async def host() -> AsyncIterator[Running]:
    async with asyncio.timeout(GUARD), running() as started:
        yield started


async def tables(host: Running) -> list[Any]:
    looking = await connect(host.address)
    found = await looking.ask_for_tables()
    await looking.close()
    return found


async def test_a_table_is_opened_with_its_opener_seated_and_others_join(home: Path, host: Running):
    one, other = launcher(home), launcher(home.parent / "other")
    plan = NewTable(3, ("rookie",), settings={"edition": "french"}).plan(["Ann", "Bea"])
    played = await one.open(host.address, plan)
    assert played.address == host.address
    assert played.session.state.my_seats == (0, 1)
    (table,) = await tables(host)
    assert (table.title, table.settings) == ("Ann's table", {"edition": "french"})
    assert [seat.name for seat in table.seats] == ["Ann", "Bea", "", "Rookie"]
    cyd: Any = (await other.join(host.address, table.id, ["Cyd"])).session
    await cyd.wait_for_state(lambda state: state.status == "playing")
    for each in (one, other):
        await each.leave()


async def test_a_host_closed_to_new_tables_says_so(home: Path):
    async with asyncio.timeout(GUARD), running("--guests-open", "no") as host:
        one = launcher(home)
        assert await one.tables(host.address) == []
        assert not one.may_open
        with pytest.raises(Rejected, match="Only the owner opens tables on this host"):
            await one.open(host.address, NewTable().plan(["Ann"]))
        await one.leave()


async def talked(one: Launcher, visit: Visit, *lines: str) -> list[str]:
    """Return line mode's output of a visit, for these typed lines."""
    script = Script(*lines, live=True)
    await LineModeFlow(script, one, Preferences(Settings(name="Ann"))).run(visit)
    return script.said


async def test_in_line_mode_an_empty_host_is_no_dead_end(home: Path, host: Running):
    said = await talked(launcher(home), Visit(host.address), "1", "1", "nine", "2", "1", "quit")
    assert NO_TABLE in said
    assert "Type a number from 1 to 5, or quit." in said
    assert "Waiting for 1 more player." in said
    await talked(launcher(home), Visit(host.address), "2")
    one = launcher(home)
    opened = await one.open(host.address, NewTable(2).plan(["Bea"]))
    said = await talked(launcher(home.parent / "cyd"), Visit(host.address), "2", "", "", "quit")
    assert "2 a new table of your own" not in said, "where there is but one seat to take it is taken"
    assert opened.session.state.table
    await one.leave()


async def test_line_mode_asks_again_after_a_full_table(home: Path, host: Running):
    opener = await connect(host.address)
    bots = [{"kind": "bot", "level": "novice"}] * 2
    for seats in (bots, [{"kind": "open"}] * 2, [{"kind": "open"}] * 2):
        await opener.open("the-cave", seats)
    # Tables with an open seat come first.
    said = await talked(launcher(home), Visit(host.address, ("Ann",)), "3", "2", "", "who", "quit")
    again = next(line for line in said if line.startswith("This table has no open seat. Choose another"))
    assert again.endswith(f"cave watch {host.address}")
    assert "A Ann: you." in said
    await opener.close()


async def test_line_mode_asks_for_a_seat_if_several_are_free(home: Path, host: Running):
    opener = await connect(host.address)
    await opener.open("the-cave", [{"kind": "open"}] * 3)
    said = await talked(launcher(home), Visit(host.address), "q5", "D", "b", "who", "quit")
    assert "Which seat? Free: A, B, C. Enter alone is any of them. q5" in said
    assert "Q5 is not a seat. Seats are letters, such as A." in said
    assert "Seat D is not free. Free: A, B, C." in said
    assert "B Ann: you." in said
    await opener.close()


async def test_seats_can_be_chosen_on_the_command_line(tmp_path: Path, host: Running):
    opener = await connect(host.address)
    await opener.open("the-cave", [{"kind": "open"}] * 2)
    words = ("join", host.address, "--plain", "-p", "Ann", "-p", "Bea", "--seat")
    refused = await asyncio.to_thread(cave, tmp_path, *words, "B,C", stdin=b"who\n")
    assert_one_sentence(refused, 1, "Seat C is not free. Free: A, B.")
    taken = await asyncio.to_thread(cave, tmp_path, *words, "B,A", stdin=b"who\n")
    assert "A Bea: you.\nB Ann: you." in taken.stdout.decode()
    await opener.close()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--open",), "needs the address of a host"),
        (("here", "--seat", "B"), "--seat goes with --person"),
        (("here", "--seat", "B", "-p", "Ann", "--open"), "not with --open"),
        (("here", "--seat", "2", "-p", "Ann"), "2 is not a seat"),
        (("here", "--seats", "3"), "need --open"),
        (("here", "--bot", "rookie"), "need --open"),
        (("here", "--edition", "french"), "need --open"),
        (("here", "--open", "--resume"), "--open opens a new table"),
        (("here", "--open", "--seats", "1", "-p", "Ann", "-p", "Bea"), "2 people need 2 seats"),
        (("here", "--open", "--seats", "5", "--bot", "rookie"), "2 to 5 teams"),
    ],
)
def test_conflicting_options_are_reported_in_one_sentence(words: tuple[str, ...], told: str):
    done = CliRunner().invoke(cli, ["join", *words])
    assert done.exit_code == 2
    assert told in done.output
    assert len(done.output.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("wait", {"then": "wait", "after": 60}),
        ("bot", {"then": "bot", "after": 60}),
        ("bot:5", {"then": "bot", "after": 5}),
        ("bot:5:rookie", {"then": "bot", "after": 5, "level": "rookie"}),
        ("skip:86400", {"then": "skip", "after": 86400}),
        ("skip:5:idle", {"then": "skip", "after": 5, "idle": True}),
        ("bot:idle", {"then": "bot", "after": 60, "idle": True}),
        ("bot:36h", {"then": "bot", "after": 36 * 3600, "always": True}),
        ("skip:14d:idle", {"then": "skip", "after": 14 * 86400, "idle": True, "always": True}),
        ("bot:2d:rookie", {"then": "bot", "after": 2 * 86400, "level": "rookie", "always": True}),
        ("bot:5:rookie:idle", {"then": "bot", "after": 5, "level": "rookie", "idle": True}),
    ],
)
def test_absence_options_are_parsed(text: str, form: Any):
    assert new_game.parse_absence(text) == form


@pytest.mark.parametrize(
    "text",
    [
        *("", "wait:5", "nap", "bot:", "bot:x", "bot:5:", "skip:5:rookie", "bot:-1", "skip:86401"),
        *("skip:15d", "skip:0d", "bot:0h", "skip:d", "skip:3dd", "skip:3w", "bot:h:rookie", "wait:idle"),
        "idle",
    ],
)
def test_invalid_absence_options_are_refused(text: str):
    with pytest.raises(ValueError, match=r"\.$|: "):
        new_game.parse_absence(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [("skip:15d", "too long: wait for 1 hour to 14 days"), ("bot:86401", "too long: wait at most a day")],
)
def test_a_too_long_limit_is_refused_with_the_maximum_in_its_unit(text: str, words: str):
    with pytest.raises(ValueError, match=words):
        new_game.parse_absence(text)
