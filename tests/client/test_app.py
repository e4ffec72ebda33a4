"""The app: one opening after the other, the notice in a small terminal, saved values."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from cave import games, record
from cave.game import Json
from cave.games import get_game
from cave.lesson import load_lesson
from client.app.app import CaveApp
from client.app.program_flow import BEGIN_LESSON, LESSON_FIRST
from client.app.screens.games import GamesScreen
from client.app.screens.join import JoinScreen
from client.app.screens.menu import MenuScreen, NameScreen
from client.app.screens.new_game import NewGameScreen
from client.games.the_cave.face import FACE
from client.games.the_cave.screen import GameScreen
from client.launch import new_game
from client.launch.held_seats import HeldSeats
from client.launch.host_tables import OwnTable
from client.launch.launcher import JoinedTable
from client.launch.opening import (
    HowToPlay,
    Learn,
    LocalGame,
    Menu,
    NewTable,
    Opening,
    Puzzles,
    QuickGame,
    ReplayFile,
    ResumedGame,
    Visit,
)
from client.replay import ReplaySession
from client.settings.schema import Preferences, Settings
from client.table import Rejected
from client.tui.chooser import ChooserScreen
from client.tui.table import TableScreen
from tests.client.game_app import ReplayScreen
from tests.client.listed import table_line
from tests.client.pilot import play_now, run, showing, until
from tests.client.screens import text
from tests.client.test_replay import lines

GAME = get_game("the-cave")


class FakeLauncher:
    """Opens the same replayed table for everybody, or fails."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.plans: list[Any] = []
        self.joined: list[Any] = []
        self.left = 0
        self.waited = 0
        self.rematches = 0
        self.problem: Exception | None = None
        self.last: tuple[HeldSeats, ...] = ()
        self.older: list[tuple[HeldSeats, ...]] = []
        self.states: list[OwnTable] = []
        self.may_open = True

    def _played(self) -> JoinedTable:
        if self.problem is not None:
            raise self.problem
        return JoinedTable(ReplaySession(record.replay(self.path.read_bytes().splitlines(keepends=True)), FACE))

    async def play(self, plan: Any) -> JoinedTable:
        self.plans.append(plan)
        return self._played()

    async def tables(self, address: str) -> list[Json]:
        if self.problem is not None:
            raise self.problem
        return [table_line({"id": "t", "title": "T", "status": "waiting", "seats": [{"name": "", "kind": "open"}]})]

    async def join(self, address: str, table: str, names: Any, code: str = "", seats: Any = ()) -> JoinedTable:
        self.joined.append((address, table, tuple(names)))
        return self._played()

    async def open(self, address: str, plan: new_game.GamePlan) -> JoinedTable:
        self.joined.append((address, plan))
        return self._played()

    async def rematch(self) -> JoinedTable:
        self.rematches += 1
        return self._played()

    async def record_kept(self) -> None:
        self.waited += 1

    async def leave(self, *, to_menu: bool = False) -> str:
        self.left += 1
        return "The game is not over." if self.plans else ""

    @property
    def seats(self) -> Any:
        left = [each for each in (self.last, *self.older) if each]
        return SimpleNamespace(
            games_with_free_seats=lambda: left, last_game=lambda: self.last, names_elsewhere=lambda: ()
        )

    async def own_tables(self) -> list[OwnTable]:
        return self.states

    def own_held_seats(self, *, live: bool = False) -> list[HeldSeats]:
        return [*self.last]

    async def find(self, table: str) -> ResumedGame:
        return ResumedGame(table, self.last[0].keys, free=self.last)

    async def resume(self, wanted: ResumedGame) -> JoinedTable:
        self.joined.append((wanted.address, wanted.table) if wanted.address else (wanted.table, *wanted.keys))
        return self._played()


@pytest.fixture
def launcher(tmp_path: Path) -> FakeLauncher:
    file = tmp_path / "game.jsonl"
    file.write_bytes(lines())
    return FakeLauncher(file)


def app_of(
    launcher: FakeLauncher, opening: Opening, settings: Settings | None = None, *, theme: str = "cave-dark"
) -> tuple[CaveApp, list[Settings]]:
    saved: list[Settings] = []
    app = CaveApp(
        opening,
        launcher=launcher,  # type: ignore[arg-type]
        preferences=Preferences(settings, lambda now: saved.append(now) or ""),
        records=launcher.path.parent,
        theme=theme,
    )
    return app, saved


async def test_a_quick_game_asks_for_a_name_once_and_remembers_it(launcher: FakeLauncher) -> None:
    app, saved = app_of(launcher, QuickGame(game="the-cave"))
    async with showing(app, NameScreen) as pilot:
        await pilot.press(*"Ann", "enter")
        await until(pilot, GameScreen)
    assert [seat.kind for seat in launcher.plans[0].seats] == ["person", "bot"]
    assert (saved[-1].played_as, saved[-1].name) == ("Ann", ""), "what nobody chose is no setting"

    again, _ = app_of(launcher, QuickGame(game="the-cave"), saved[-1])
    async with run(again, size=(80, 24)) as pilot:
        await until(pilot, GameScreen)
    assert launcher.plans[1].people_here == ("Ann",)


def shows(app: CaveApp, label: str) -> bool:
    """Whether a list with this entry is open."""
    screen = app.screen
    return isinstance(screen, ChooserScreen) and any(entry.label == label for entry in screen.entries)


async def test_play_now_asks_for_game_and_level_and_offers_both_again(launcher: FakeLauncher) -> None:
    two = next(name for name in games.game_names() if len(games.game_info(name).bots) > 1)
    first, second = list(games.game_info(two).bots)[:2]
    app, saved = app_of(launcher, QuickGame(), Settings(name="Ann", lessons={two: ""}))
    async with showing(app, ChooserScreen) as pilot:
        assert "▀" in text(app.screen)
        await pilot.press(*["down"] * games.game_names().index(two))
        assert f"< {first} >" in text(app.screen)
        await pilot.press("left", "right", "right")
        assert f"< {second} >" in text(app.screen)
        await pilot.press("enter")
        await pilot.until(lambda: bool(launcher.plans))
    assert [seat.level for seat in launcher.plans[0].seats] == ["", second]
    assert (saved[-1].game, saved[-1].levels) == (two, {two: second})
    again, _ = app_of(launcher, QuickGame(), saved[-1])
    async with showing(again, ChooserScreen) as pilot:
        await pilot.press("enter")
        await pilot.until(lambda: len(launcher.plans) > 1)
    assert launcher.plans[1].seats == launcher.plans[0].seats


async def test_the_game_and_its_level_can_be_chosen_by_mouse(launcher: FakeLauncher) -> None:
    name = "cave-vs-cave"
    level = list(games.game_info(name).bots)[1]
    app, saved = app_of(launcher, QuickGame(), Settings(name="Ann", lessons={name: ""}))
    app.glyphs = "ascii"
    async with showing(app, GamesScreen) as pilot:
        assert "▀" not in text(app.screen), "no emblem in ASCII"
        for word in ("Cave vs Cave", " >", "Cave vs Cave"):
            assert not launcher.plans
            lines = text(app.screen).splitlines()
            at = [(line.index(word) + 1, y) for y, line in enumerate(lines) if word in line][-1]
            await pilot.click(offset=at)
        await pilot.until(lambda: bool(launcher.plans))
    assert [seat.level for seat in launcher.plans[0].seats] == ["", level]
    assert (saved[-1].game, saved[-1].levels) == (name, {name: level})


async def test_play_now_asks_once_whether_to_play_alone(launcher: FakeLauncher) -> None:
    solo = "cave-vs-cave"
    weakest = next(iter(games.game_info(solo).bots))
    settings = Settings(name="Ann", game=solo, lessons={solo: ""})
    for number, (keys, seats, kept) in enumerate(
        (((), ["", weakest], weakest), (("left",), [""], "alone"), ((), [""], "alone"))
    ):
        app, saved = app_of(launcher, QuickGame(), settings)
        async with showing(app, ChooserScreen) as pilot:
            await pilot.press(*keys, "enter")
            await pilot.until(lambda number=number: len(launcher.plans) > number)
        assert [seat.level for seat in launcher.plans[-1].seats] == seats
        settings = saved[-1]
        assert settings.levels == {solo: kept}


async def test_the_first_game_of_a_kind_offers_its_lesson_once(launcher: FakeLauncher) -> None:
    app, saved = app_of(launcher, QuickGame(), Settings(name="Ann"))
    offered = LESSON_FIRST.format(length=load_lesson(get_game("the-cave")).length_words)
    async with showing(app, ChooserScreen) as pilot:
        await pilot.press("1")
        await pilot.until(lambda: shows(app, offered))
        await pilot.press("2")
        await pilot.until(lambda: bool(launcher.plans))
    assert saved[-1].lessons == {"the-cave": ""}
    again, _ = app_of(launcher, QuickGame(), saved[-1])
    async with showing(again, ChooserScreen) as pilot:
        await pilot.press("1")
        await pilot.until(lambda: len(launcher.plans) > 1)
    taught, _ = app_of(launcher, QuickGame(), Settings(name="Ann"))
    async with showing(taught, ChooserScreen) as pilot:
        await pilot.press("1")
        await pilot.until(lambda: shows(taught, offered))
        await pilot.press("enter")
        await pilot.until(lambda: shows(taught, BEGIN_LESSON))
        await pilot.press("escape")
        await until(pilot, GamesScreen)


@pytest.mark.parametrize("opening", [Learn(), HowToPlay(), Puzzles()])
async def test_back_from_a_chosen_game_is_the_list_of_games(opening: Opening, launcher: FakeLauncher) -> None:
    app, _ = app_of(launcher, opening, Settings(name="Ann"))
    async with showing(app, GamesScreen) as pilot:
        await pilot.press("4")
        await pilot.until(lambda: not isinstance(app.screen, GamesScreen))
        await pilot.press("escape")
        await until(pilot, GamesScreen)
        await pilot.press("escape")
        await until(pilot, MenuScreen)


async def test_a_failure_is_shown_in_the_menu(launcher: FakeLauncher) -> None:
    launcher.problem = ConnectionError("The host has gone to bed.")
    app, _ = app_of(launcher, Menu(), Settings(name="Ann"))
    async with showing(app, MenuScreen) as pilot:
        await play_now(pilot)
        await until(pilot, MenuScreen)
        assert "The host has gone to bed." in text(app.screen)


@pytest.mark.parametrize(
    "opening",
    [QuickGame(game="the-cave"), Visit("here"), Visit("here", watching=True), ReplayFile(Path("missing.jsonl"))],
)
async def test_a_failed_command_prints_one_sentence(launcher: FakeLauncher, opening: Opening) -> None:
    launcher.problem = ConnectionError("The host has gone to bed.")
    app, _ = app_of(launcher, opening, Settings(name="Ann"))
    async with run(app, size=(80, 24)):
        await app.workers.wait_for_complete()
    assert app.failure
    assert "missing.jsonl" in app.failure or app.failure == "The host has gone to bed."


async def test_joining_with_names_and_one_table_asks_nothing(launcher: FakeLauncher) -> None:
    app, saved = app_of(launcher, Visit("here", ("Bea",)))
    async with run(app, size=(80, 24)) as pilot:
        await until(pilot, GameScreen)
    assert launcher.joined == [("here", "t", ("Bea",))]
    assert (saved[-1].person_name, saved[-1].address) == ("Bea", "here")


@pytest.mark.parametrize("opening", [LocalGame(new_game.make_plan(["Ana", "Bea"])), Visit("here", ("Ana",))])
async def test_a_chosen_name_is_kept_after_a_game_under_another_name(launcher: FakeLauncher, opening: Opening) -> None:
    """README: cave play -p is for one game; only the settings are saved."""
    app, saved = app_of(launcher, opening, Settings(name="Dora"))
    async with run(app, size=(80, 24)) as pilot:
        await until(pilot, GameScreen)
    assert {settings.person_name for settings in saved} == {"Dora"}


HELD = HeldSeats("t", "here", {0: "k"}, 1.0, {0: "Ann"})


@pytest.mark.parametrize("back", [Visit("here", resume=True), Visit("here", ("Ann",))])
async def test_returning_to_own_seats_asks_nothing(
    launcher: FakeLauncher, back: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With --resume, and also with the same names again, at a table that is full by now."""
    launcher.last = (HELD,)
    seats = [{"name": "Ann", "kind": "person"}]
    full = [table_line({"id": "t", "title": "T", "status": "playing", "seats": seats})]

    async def tables(address: str) -> list[Json]:
        return full

    monkeypatch.setattr(launcher, "tables", tables)
    app, _ = app_of(launcher, back)
    async with run(app, size=(80, 24)) as pilot:
        await until(pilot, GameScreen)
    assert launcher.joined == [("here", "t")]


async def test_without_seats_there_is_nothing_to_resume(launcher: FakeLauncher) -> None:
    app, _ = app_of(launcher, Visit("here", resume=True))
    async with run(app, size=(80, 24)):
        await app.workers.wait_for_complete()
    assert app.failure == "You have no seat at the host at here. To sit down, type: cave join here"


@pytest.mark.parametrize("name", ["Ann", "Bea"])
async def test_a_seat_owner_returns_by_name_and_others_take_a_free_seat(
    launcher: FakeLauncher, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """A host keeps a table open at all times: a free one must not prevent the seat's owner from returning."""
    launcher.last = (HELD,)
    seats = [{"name": "Ann", "kind": "person"}, {"name": "", "kind": "open"}]

    async def tables(address: str) -> list[Json]:
        return [table_line({"id": "t", "title": "T", "status": "playing", "seats": seats})]

    monkeypatch.setattr(launcher, "tables", tables)
    app, _ = app_of(launcher, Visit("here", (name,)))
    async with run(app, size=(80, 24)) as pilot:
        await until(pilot, GameScreen)
    assert launcher.joined == [("here", "t") if name == "Ann" else ("here", "t", ("Bea",))]


async def test_a_refused_seat_is_reported_in_the_form(launcher: FakeLauncher, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another player was quicker, or the owner has freed the seat: another table may still work."""

    async def join(address: str, table: str, names: Any, code: str, seats: Any) -> JoinedTable:
        raise Rejected("full", "No seat is free at this table.")

    monkeypatch.setattr(launcher, "join", join)
    app, _ = app_of(launcher, Visit("here"), Settings(name="Ann"))
    async with showing(app, JoinScreen) as pilot:
        first = app.screen
        await pilot.pause()
        await pilot.press("enter")
        await pilot.until(lambda: app.screen is not first and "No seat is free at this table." in text(app.screen))
        assert isinstance(app.screen, JoinScreen)
        assert "No seat is free at this table." in text(app.screen)
    assert not app.failure


@pytest.mark.parametrize(
    ("problem", "field", "typed", "joined"),
    [
        (Rejected("wrong_code", "That is the wrong code."), "code", "owl", (("Ann",), "owl")),
        (Rejected("name_taken", "Somebody is called Ann."), "names", "Bea", (("Bea",), "bat")),
        (new_game.NameProblem("Ann sits there."), "names", "Bea", (("Bea",), "bat")),
    ],
)
async def test_a_refused_field_can_be_retyped_at_once(
    launcher: FakeLauncher, monkeypatch: pytest.MonkeyPatch, problem: Exception, field: str, typed: str, joined: Any
) -> None:
    """The cursor is in the field, typing replaces its text, and everything else is unchanged."""
    tried: list[Any] = []

    async def tables(address: str) -> list[Json]:
        seats = [{"name": "", "kind": "open"}]
        return [
            table_line({"id": name, "title": name, "status": "waiting", "seats": seats, "code": name == "t"})
            for name in ("s", "t")
        ]

    async def join(address: str, table: str, names: Any, code: str, seats: Any) -> JoinedTable:
        tried.append((table, tuple(names), code))
        raise problem

    monkeypatch.setattr(launcher, "tables", tables)
    monkeypatch.setattr(launcher, "join", join)
    app, _ = app_of(launcher, Visit("here"), Settings(name="Ann"))
    async with showing(app, JoinScreen) as pilot:
        await pilot.pause()
        await pilot.press("down", "enter", *"bat")
        first = app.screen
        await pilot.press("enter")
        await pilot.until(lambda: app.screen is not first and str(problem) in text(app.screen))
        assert app.focused is app.screen.query_one(f"#{field}")
        await pilot.press(*typed, "enter")
        await pilot.until(lambda: len(tried) > 1)
    assert tried == [("t", ("Ann",), "bat"), ("t", *joined)]


async def test_the_form_opens_a_table_and_leads_back_to_the_list(launcher: FakeLauncher) -> None:
    app, _ = app_of(launcher, Visit("here"), Settings(name="Ann"))
    async with showing(app, JoinScreen) as pilot:
        await pilot.press("ctrl+o")
        await until(pilot, NewGameScreen)
        await pilot.press("escape")
        await until(pilot, JoinScreen)
        await pilot.press("ctrl+o")
        await until(pilot, NewGameScreen)
        await pilot.press("ctrl+s")
        await until(pilot, GameScreen)
    ((address, plan),) = launcher.joined
    assert (address, plan.people_here, plan.open_seats) == ("here", ("Ann",), 1)


@pytest.mark.parametrize(
    ("names", "table", "seats"),
    [
        (("Bea",), NewTable(), "po"),
        (("Bea", "Cyd"), NewTable(), "pp"),
        (("Bea",), NewTable(bots=("rookie",)), "pb"),
        (("Bea",), NewTable(3, ("rookie",)), "poob"),
        ((), NewTable(2), "po"),
    ],
)
async def test_a_table_is_opened_as_the_command_line_asks(
    launcher: FakeLauncher, names: tuple[str, ...], table: NewTable, seats: str
) -> None:
    app, saved = app_of(launcher, Visit("here", names, table=table))
    async with run(app, size=(80, 24)) as pilot:
        if not names:
            await until(pilot, NameScreen)
            await pilot.press(*"Ann", "enter")
        await until(pilot, GameScreen)
    ((_, plan),) = launcher.joined
    assert "".join(seat.kind[0] for seat in plan.seats) == seats
    assert plan.people_here == (names or ("Ann",))
    assert saved[-1].address == "here"


async def test_one_of_several_left_games_can_be_chosen(launcher: FakeLauncher) -> None:
    """The last game may be on a host that is gone."""
    older = [f"older {number}" for number in range(20)]
    launcher.last, launcher.older = (HELD,), [(msgspec.structs.replace(HELD, table=each),) for each in older]
    app, _ = app_of(launcher, Menu())
    async with showing(app, MenuScreen) as pilot:
        await pilot.press("g")
        await until(pilot, ChooserScreen)
        assert "Go on with which game?" in text(app.screen)
        await pilot.press("escape")
        await until(pilot, MenuScreen)
        await pilot.press("g")
        await until(pilot, ChooserScreen)
        await pilot.press("end", "enter")
        await until(pilot, GameScreen)
    assert launcher.joined == [("older 19", 0)]


async def test_the_list_of_games_begins_with_those_waiting_for_the_player(launcher: FakeLauncher) -> None:
    waits = msgspec.structs.replace(HELD, table="waits")
    launcher.last, launcher.older = (HELD,), [(waits,)]
    launcher.states = [OwnTable(waits, "your turn"), OwnTable(HELD, "away")]
    app, _ = app_of(launcher, Menu())
    async with showing(app, MenuScreen) as pilot:
        await pilot.press("g")
        await until(pilot, ChooserScreen)
        shown = text(app.screen)
        assert 0 < shown.index("Your turn: ") < shown.index("The host does not answer: ")
        await pilot.press("enter")
        await until(pilot, GameScreen)
    assert launcher.joined == [("waits", 0)]


async def test_after_two_terminals_left_a_game_the_seat_is_asked_for(launcher: FakeLauncher) -> None:
    launcher.last = (HELD, msgspec.structs.replace(HELD, keys={1: "l"}, names={1: "Bea"}))
    app, _ = app_of(launcher, Menu())
    async with showing(app, MenuScreen) as pilot:
        assert "seat Ann or Bea" in " ".join(text(app.screen).split())
        await pilot.press("g")
        await until(pilot, ChooserScreen)
        assert "Continue as whom?" in text(app.screen)
        await pilot.press("down", "enter")
        await until(pilot, GameScreen)
    assert launcher.joined == [("t", 1)]


@pytest.mark.parametrize("by_key", [True, False])
async def test_a_replay_can_be_played_on_from_any_step(launcher: FakeLauncher, by_key: bool) -> None:
    app, _ = app_of(launcher, ReplayFile(launcher.path))
    async with showing(app, ReplayScreen) as pilot:
        await pilot.press("right", "right", "right")
        screen = app.screen
        assert isinstance(screen, ReplayScreen)
        session = screen.session
        reached, game = session.furthest_step, session.state.game
        if by_key:
            await pilot.press("P")
        else:
            next(each for each in screen.controller.all_palette_commands() if each.text == "Play on from here").do()
        await until(pilot, ChooserScreen)
        await pilot.press("enter")
        await pilot.until(lambda: bool(launcher.plans))
    (plan,) = launcher.plans
    assert game.from_position(plan.position) == reached
    mine = min(game.to_act(reached))
    assert [seat.kind == "person" for seat in plan.seats] == [seat == mine for seat in range(len(plan.seats))]
    assert {seat.level for seat in plan.seats if seat.kind == "bot"} <= game.bots.keys()
    assert not new_game.plan_problem(plan)


@pytest.mark.parametrize(
    "opening",
    [
        Visit("here", ("Bea",)),
        LocalGame(new_game.make_plan(["Ann"], ("rookie",))),
        LocalGame(new_game.make_plan(["Ann"], (), open_seats=1)),
    ],
)
async def test_a_rematch_is_on_the_same_host(launcher: FakeLauncher, opening: Opening) -> None:
    app, _ = app_of(launcher, opening)
    async with showing(app, GameScreen) as pilot:
        app.screen.dismiss("rematch")
        await pilot.until(lambda: launcher.rematches)
        assert launcher.rematches == 1
        await until(pilot, GameScreen)


async def test_a_pack_is_remembered_for_the_next_trip(launcher: FakeLauncher) -> None:
    app, saved = app_of(launcher, Menu())
    async with showing(app, MenuScreen) as pilot:
        pack = {"type": "pack", "backpack": {"consumable": 1, "rope": 1}, "camp": None}
        app.post_message(TableScreen.Remember(FACE, pack))
        app.post_message(TableScreen.Remember(FACE, {"type": "end_turn"}))
        await pilot.pause()
    assert saved[-1].memory == {"the-cave": pack}
