"""The cave of the day: which attempt counts, par, streaks, the calendar, and the line to share."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from cave import bots, games, record
from cave.record import Header, Outline, SeatForm, SeatScore
from client.app.daily_flow import GO_ON_WITH_DAY, IS_OPEN
from client.app.line_mode import LineModeFlow
from client.lab import daily
from client.lab.daily import BELOW, BY_BOT, MISSED, PLAYED, REACHED
from client.lab.profile import make_profile
from client.launch.held_seats import SeatBook
from client.launch.new_game import GamePlan
from client.launch.opening import Today
from client.replay import Summary
from client.settings.schema import Day, Preferences, Settings
from client.tui.chooser import ChooserScreen
from tests.client.pilot import showing
from tests.client.plain_talk import Script
from tests.client.screens import show, text
from tests.client.sir_ocelots_cave import tables as ocelot
from tests.client.test_app import FakeLauncher, app_of
from tests.client.test_cli import cave

DAY = date(2026, 3, 5)
GAME = "sir-ocelots-cave"
GUIDE = SeatForm("Guide", "bot", "guide")
HEAD = Header("cave-record", 1, GAME, {}, (SeatForm("Ann"), GUIDE), f"{DAY}:0", f"{DAY}T21:00:00+00:00")
SCORES = (SeatScore(0, 74, False), SeatScore(1, 83, True))


def summary(name: str, head: Header = HEAD, scores: tuple[SeatScore, ...] = SCORES) -> Summary:
    return Summary(Path(name), "", Outline(head, 40, scores))


def test_the_first_try_of_a_day_counts() -> None:
    later = replace(HEAD, created=f"{DAY}T21:00:01+00:00")
    (found,) = daily.ranked_tries([summary("late", later, (replace(SCORES[0], total=99),)), summary("first")]).values()
    assert (found.path.name, found.points, found.day, found.game) == ("first", 74, DAY, GAME)


@pytest.mark.parametrize(
    "head",
    [
        replace(HEAD, created=f"{DAY + timedelta(1)}T00:00:00+00:00"),
        replace(HEAD, created="yesterday"),
        replace(HEAD, seed=f"{DAY}:1"),
        replace(HEAD, seed=None),
        replace(HEAD, game="go"),
        replace(HEAD, settings={"first": "seat_0"}),
        replace(HEAD, settings={"no": "such rule"}),
        replace(HEAD, start={"a": "position"}),
        replace(HEAD, seats=(SeatForm("Ann"), SeatForm("Bea"))),
        replace(HEAD, seats=(SeatForm("Ann"), replace(GUIDE, level="novice"))),
        replace(HEAD, seats=(GUIDE, SeatForm("Ann"))),
    ],
)
def test_other_games_are_not_counted_as_tries(head: Header) -> None:
    assert daily.ranked_tries([summary("other", head)]) == {}


def test_a_resigned_game_counts_as_a_try_and_an_unfinished_one_does_not() -> None:
    assert daily.ranked_tries([summary("left", scores=()), Summary(Path("damaged"), "")]) == {}
    (resigned,) = daily.ranked_tries([summary("given up", replace(HEAD, resigned=0), ())]).values()
    assert resigned.points is None


def test_the_day_is_that_of_utc() -> None:
    here = replace(HEAD, created=f"{DAY + timedelta(1)}T01:30:00+02:00")
    assert daily.ranked_tries([summary("at night", here)])


@pytest.mark.parametrize(("name", "par"), [(GAME, 74), ("caves-of-casadh", 166)])
def test_the_par_is_the_same_everywhere(name: str, par: float) -> None:
    assert daily.compute_par(name, DAY) == par


def test_the_par_is_the_guides_result_in_the_players_seat() -> None:
    plan = daily.daily_game(GAME, DAY, ranked=True).plan("Ann")
    assert [seat.kind for seat in plan.seats] == ["person", "bot"]
    assert not plan.hints
    assert daily.daily_game(GAME, DAY, ranked=False).hints
    game = games.get_game(GAME)
    state = game.new(2, plan.settings, plan.seed)
    actions = 0
    while seats := game.to_act(state):
        seat = min(seats)
        choices = [game.choice_json(choice) for choice in game.choices(state, seat)]
        view = game.view_json(game.view(state, seat))
        action = bots.choose(GAME, "guide", view, choices, f"{plan.seed}:{actions}")
        state = game.apply(state, seat, game.decode(state, seat, action)).state
        actions += 1
    assert game.standing(state)[0].total == daily.compute_par(GAME, DAY)


@given(st.sets(st.integers(0, 20)), st.integers(0, 20))
def test_a_streak_ends_today_or_yesterday(played: set[int], now: int) -> None:
    days, until = {DAY + timedelta(number) for number in played}, DAY + timedelta(now)
    run = daily.current_streak(days, until)
    last = now if now in played else now - 1
    assert all(last - back in played for back in range(run))
    assert last - run not in played
    assert daily.longest_streak(days) >= run


def test_the_calendar_has_a_sign_for_each_day() -> None:
    days = {1: 50.0, 3: 40.0, 4: None, 5: 41.0}
    tries = {
        daily.key(GAME, at): daily.DailyTry(GAME, at, points, Path())
        for at, points in ((DAY.replace(day=number), points) for number, points in days.items())
    }
    pars = {key: 41.0 for key in tries if not key.startswith("2026-03-01")}
    ruler, _, ocelot, *_, legend = daily.calendar_lines(tries, pars, DAY)
    assert f"  {PLAYED}{MISSED}{BELOW}{BELOW}{REACHED} " in ocelot
    assert ruler.endswith("  1   5")  # the last sign is today's
    assert ocelot.endswith("3 days in a row")
    assert all(sign in legend for sign in {*daily.SIGN_ROLES} - {MISSED})


def test_the_line_to_share() -> None:
    done = daily.DailyTry("the-cave", DAY, 54, Path())
    assert daily.result_line(done, 47, ["3 photos", "down to -75 m"]) == (
        "The Cave, 5 Mar: 54 points (par 47), 3 photos, down to -75 m"
    )
    ocelot = replace(done, game=GAME)
    assert daily.result_line(replace(ocelot, points=1), None) == "Sir Ocelot's Cave, 5 Mar: 1 point"
    assert daily.result_line(replace(ocelot, points=None), 95) == "Sir Ocelot's Cave, 5 Mar: resigned (par 95)"
    by_bot = daily.result_line(replace(done, by_bot=True), 47, ["3 photos"])
    assert by_bot == "The Cave, 5 Mar: 54 points (par 47), finished by a bot"


SCORE = {"the-cave": 54, GAME: 74, "caves-of-casadh": 140, "cave-vs-cave": 52}
PAR = {"the-cave": 47, GAME: 83, "caves-of-casadh": 140, "cave-vs-cave": 46}


class OneDay(LineModeFlow):
    """A user's day. A game ends at once, and its record is saved and counts."""

    def __init__(self, week: Week, day: date, script: Script, level: str) -> None:
        super().__init__(script, NoTables(), week.preferences, records=week.folder)  # type: ignore[arg-type]
        self.folder, self.now, self.level = week.folder, day, level

    def day_of_caves(self) -> date:
        return self.now

    async def play(self, played: Any, **_more: Any) -> None:
        plan: GamePlan = played.plan
        seats = (SeatForm("Ann", "person", self.level), *([GUIDE] * (len(plan.seats) - 1)))
        created = f"{self.now}T{len([*self.folder.iterdir()]):02}:00:00+00:00"
        head = replace(HEAD, game=plan.game, seed=plan.seed, seats=seats, created=created)
        totals = [SCORE[plan.game], *([83] * (len(seats) - 1))]
        standing = [{"seat": n, "total": total, "winner": False} for n, total in enumerate(totals)]
        lines = [msgspec.to_builtins(head), {"result": {"standing": standing}, "digest": "sha256:0"}]
        (self.folder / f"{created[:13]}.jsonl").write_bytes(record.write(lines))


class Week:
    """A user's week."""

    def __init__(self, folder: Path) -> None:
        self.days = {daily.key(game, DAY + timedelta(n)): Day(par=par) for n in range(7) for game, par in PAR.items()}
        self.folder, self.now = folder, DAY
        self.preferences = Preferences(Settings(name="Ann", days=self.days))

    async def on(self, day: int, *typed: str, level: str = "") -> list[str]:
        """Return the output on a day for these typed lines."""
        script = Script(*typed, "quit", live=True)
        self.now = DAY + timedelta(day)
        await OneDay(self, self.now, script, level).run(Today())
        return script.said

    async def summaries(self) -> list[Summary]:
        return await OneDay(self, self.now, Script(live=True), "").record_summaries()


class NoTables:
    """A launcher whose games end at once."""

    seats = SimpleNamespace(free=tuple, known=tuple)

    async def play(self, plan: GamePlan) -> Any:
        return SimpleNamespace(plan=plan, session=SimpleNamespace(state=SimpleNamespace(table="t")))


async def test_a_week_of_one_person(tmp_path: Path) -> None:
    week = Week(tmp_path)
    first = await week.on(0)
    assert "1 The Cave, not played yet, against the guide" in first
    assert "4 Cave vs Cave, not played yet, alone" in first
    assert "Cave of the day, Thursday 5 March (UTC)" in " ".join(first)
    for day, game in enumerate("123"):
        said = await week.on(day, game)
    shown = "\n".join(said)
    assert "3 days in a row" in shown
    assert f"The Cave {' ' * 12}{MISSED * 4}{REACHED}{MISSED * 2}" in shown
    assert f"Sir Ocelot's Cave    {MISSED * 5}{BELOW}{MISSED}" in shown
    assert f"The Caves of Casadh  {MISSED * 6}{REACHED}" in shown
    assert "3 The Caves of Casadh, 140 points (par 140)" in said
    # Sunday is skipped, so the streak is broken: Monday starts a new one.
    shown = "\n".join(await week.on(4, "4"))
    assert "in a row" not in shown
    # A bot finishes Tuesday's game: it is marked, and the day does not count.
    shown = "\n".join(await week.on(5, "1", level="rookie"))
    assert f"{REACHED}{MISSED * 4}{BY_BOT}" in shown
    assert "1 The Cave, 54 points (par 47), finished by a bot" in shown
    assert "in a row" not in "\n".join(await week.on(6))
    # On Wednesday the first of two tries counts, and its line can be copied.
    shown = "\n".join(await week.on(6, "2", "2", "1", "2", "3"))
    assert "Sir Ocelot's Cave, 11 Mar: 74 points (par 83)" in shown.splitlines()
    found = await week.summaries()
    assert (len(found), len(daily.ranked_tries(found))) == (7, 6)
    made = make_profile(found, Settings(name="Ann", days=week.days), week.now)
    of = {each.game: each for each in made.games}
    assert (of["the-cave"].games, of["the-cave"].dailies, of["the-cave"].by_bot) == (1, 2, 1)
    assert (of[GAME].dailies, of[GAME].reached) == (2, 0)


async def test_the_score_sheet_of_the_attempt_has_the_line_to_paste(tmp_path: Path) -> None:
    week, session = Week(tmp_path), ocelot.played(ocelot.over)
    flow = OneDay(week, DAY, Script(), "")
    assert not flow.line_to_paste(session.state)
    week.preferences.keep_daily_cave(daily.key(GAME, DAY), table=session.state.table)
    total = session.state.view.standing[0].total
    async with show(ocelot.table(session, line_to_paste=flow.line_to_paste)) as (app, _):
        assert f"To paste: Sir Ocelot's Cave, 5 Mar: {total} points (par 83)" in text(app.screen)


def test_a_left_game_is_resumed_and_a_finished_one_listed(tmp_path: Path) -> None:
    left = cave(tmp_path, "daily", GAME, "--plain", stdin=b"hint\n1\nquit\n")
    assert (left.returncode, left.stderr) == (0, b"")
    assert b"opened without hints" in left.stdout.lower()
    entries = _entries(tmp_path)
    assert entries[1:] == [f"2 Sir Ocelot's Cave, {GO_ON_WITH_DAY}", *entries[2:]]
    assert "alone" in entries[3]
    day = daily.today_in_utc()
    head = replace(HEAD, seed=f"{day}:0", created=f"{day}T00:00:00+00:00")
    folder = tmp_path / "data" / "cave-game" / "records"
    folder.mkdir(parents=True, exist_ok=True)
    result = {"standing": [{"seat": 0, "total": 74, "winner": False}, {"seat": 1, "total": 83, "winner": True}]}
    lines = [msgspec.to_builtins(head), {"result": result, "digest": "sha256:0"}]
    (folder / "today.jsonl").write_bytes(record.write(lines))
    assert _entries(tmp_path)[1] == f"2 Sir Ocelot's Cave, 74 points (par {daily.compute_par(GAME, day):g})"


def test_an_open_or_lost_try_is_not_restarted(tmp_path: Path) -> None:
    cave(tmp_path, "daily", GAME, "--plain", stdin=b"quit\n")
    assert "not played yet" in _entries(tmp_path)[1]  # nothing was done there
    cave(tmp_path, "daily", GAME, "--plain", stdin=b"1\nquit\n")
    (held,) = SeatBook(tmp_path / "data" / "cave-game").known()
    elsewhere = SeatBook(tmp_path / "data" / "cave-game")
    assert elsewhere.live.hold(held.keys.values())
    assert _entries(tmp_path)[1] == f"2 Sir Ocelot's Cave, {IS_OPEN}"
    said = cave(tmp_path, "daily", GAME, "--plain", stdin=b"quit\n").stdout.decode()
    assert f"Sir Ocelot's Cave: {IS_OPEN}." in said
    assert elsewhere.known() == [held]
    elsewhere.forget(held.table)
    assert "another try does not count" in _entries(tmp_path)[1]


async def test_a_key_copies_the_line(tmp_path: Path) -> None:
    week = Week(tmp_path)
    await week.on((daily.today_in_utc() - DAY).days, "2")
    settings = Settings(name="Ann", days={daily.key(GAME, week.now): Day(par=83)})
    app, _ = app_of(FakeLauncher(tmp_path / "none"), Today(GAME), settings)
    async with showing(app, ChooserScreen) as pilot:
        line = f"Sir Ocelot's Cave, {week.now.day} {week.now:%b}: 74 points (par 83)"
        assert line in text(app.screen)
        await pilot.press("c")
        await pilot.until(lambda: "Copied." in text(app.screen))
        assert app.clipboard == line
        assert line in text(app.screen)


def _entries(home: Path) -> list[str]:
    listed = cave(home, "daily", "--plain")
    return [line for line in listed.stdout.decode().splitlines() if line[:2] in ("1 ", "2 ", "3 ", "4 ")]
