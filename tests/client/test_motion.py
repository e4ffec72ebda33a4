"""Small movements: when they may play, that they end, and that they tell nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from rich.color import ColorSystem
from textual.app import ComposeResult

from cave.the_cave import actions as act
from client.app.widgets.title_picture import TitlePicture, TitlePictures
from client.games.the_cave.board.cave_map import CaveMap
from client.games.the_cave.board.lit.moving import frames
from client.games.the_cave.known.picture import Cell, MapPicture, map_picture
from client.games.the_cave.screen.panes.status import HeaderBar
from client.settings.schema import SETTINGS
from client.tui.motion import CHANGE, LAKE, REST, SCORE, TURN, WATER, Effect, Level, Motion, Player, level_for
from client.tui.themes import ThemedApp
from tests.client import section_four
from tests.client.fake_session import FakeSession
from tests.client.game_app import TableApp, packed
from tests.client.pilot import opened, run, settle
from tests.client.test_lit_map import LitApp
from tests.client.test_preferences import cave as cave_app


class Clock:
    """A clock that stands still until it is set."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Timer:
    """A timer that never fires by itself."""

    def __init__(self) -> None:
        self.runs = True

    def stop(self) -> None:
        self.runs = False


class Stage:
    """Stands for a widget: it counts the timers that run."""

    is_attached = True

    def __init__(self) -> None:
        self.timers: list[Timer] = []
        self.is_current = True

    @property
    def screen(self) -> Stage:
        return self

    def set_interval(self, interval: float, callback: Callable[[], None]) -> Timer:
        self.timers.append(Timer())
        return self.timers[-1]

    @property
    def running(self) -> int:
        return sum(timer.runs for timer in self.timers)


def player(effect: Effect, level: Level = "full") -> tuple[Player, Stage, list[int | None], Motion, Clock]:
    clock, stage, shown = Clock(), Stage(), list[int | None]()
    moves = Motion(level, clock)
    return Player(stage, effect, shown.append, lambda: moves), stage, shown, moves, clock


# When things may move


FINE: dict[str, Any] = {"colours": "truecolor", "glyphs": "fine", "animations": "full"}


@pytest.mark.parametrize("wish", ["off", "calm", "full"])
def test_what_is_wished_for_holds_where_the_terminal_is_near_and_has_colours(wish: Level) -> None:
    assert level_for(wish, {"TERM": "xterm"}, **FINE) == wish
    assert level_for(wish, {}, **{**FINE, "colours": "256", "glyphs": "unicode"}) == wish


@pytest.mark.parametrize(
    ("environment", "change"),
    [
        ({"SSH_CONNECTION": "10.0.0.1 1 10.0.0.2 22"}, {}),
        ({"SSH_TTY": "/dev/pts/1"}, {}),
        ({"TEXTUAL_ANIMATIONS": "none"}, {}),
        ({"NO_COLOR": "1"}, {}),
        ({}, {"animations": "none"}),
        ({}, {"colours": "standard"}),
        ({}, {"colours": None}),
        ({}, {"glyphs": "ascii"}),
    ],
)
def test_nothing_moves_over_a_slow_line_with_few_colours_or_where_it_is_not_wanted(
    environment: dict[str, str], change: dict[str, Any]
) -> None:
    assert level_for("full", environment, **{**FINE, **change}) == "off"


def test_calm_leaves_out_what_goes_on_and_on() -> None:
    calm = Motion("calm")
    assert calm.allows(CHANGE)
    assert not any(calm.allows(effect) for effect in (TURN, WATER, SCORE, LAKE))
    assert not any(Motion().allows(effect) for effect in (CHANGE, TURN, WATER, SCORE, LAKE))


# Players


def test_an_effect_shows_its_frames_and_then_none() -> None:
    each, stage, shown, _, _ = player(Effect(0.1, 3))
    each.start()
    assert shown == [0]
    while each.plays:
        each.step()
    assert shown == [0, 1, 2, None]
    assert stage.running == 0
    each.step()
    assert shown == [0, 1, 2, None]


def test_an_effect_that_may_not_play_shows_nothing_and_has_no_timer() -> None:
    each, stage, shown, moves, _ = player(WATER, "off")
    each.start()
    moves.touch()
    assert (shown, stage.timers) == ([], [])


def test_what_moves_rests_some_time_after_the_last_key_and_goes_on_with_the_next() -> None:
    each, stage, shown, moves, clock = player(WATER)
    each.start()
    for _ in range(3):
        clock.now += REST / 4
        each.step()
    assert shown == [0, 1, 2, 3]
    clock.now += REST / 2
    each.step()
    assert shown[-1] is None
    assert stage.running == 0
    moves.touch()
    assert shown[-1] == 0
    assert stage.running == 1
    each.stop()
    moves.touch()
    assert stage.running == 0


def test_nothing_moves_on_a_screen_that_is_covered() -> None:
    each, stage, shown, moves, _ = player(WATER)
    each.start()
    stage.is_current = False
    each.step()
    assert shown == [0, None]
    moves.touch()
    assert stage.running == 0
    stage.is_current = True
    moves.touch()
    assert stage.running == 1


# Frames of the map

TUNNEL = Cell(kind="plain", open="EW")


def cave(**cells: Any) -> MapPicture:
    """Places by letter, from the west to the east."""
    return MapPicture({(x, 0): cell for x, cell in enumerate(cells.values())}, {}, (0, 0, 4, 0), acting=0)


def test_a_tile_that_is_laid_gets_light_step_by_step() -> None:
    before, after = cave(a=TUNNEL), cave(a=TUNNEL, b=TUNNEL)
    for level in ("calm", "full"):
        assert [moment.dimmed for moment in frames(before, after, level)] == [
            {(1, 0): 0.0},
            {(1, 0): 0.5},
            {},
        ]
    assert frames(after, before, "full") == []


# The map


def moving_map(level: Level = "full", **options: Any) -> tuple[LitApp, Clock]:
    app, clock = LitApp(map_picture(section_four.view(), section_four.choices()), **options), Clock()
    app.motion = Motion(level, clock)
    app.map.set_interval = lambda *_, **__: Timer()  # type: ignore[assignment, method-assign, return-value]
    return app, clock


def walked() -> MapPicture:
    """The picture after the team whose turn it is has gone to another place."""
    view = section_four.view()
    seat = view.cave.seat
    assert seat is not None
    moved = replace(view.cave.teams[seat], at=(0, 0))
    teams = (*view.cave.teams[:seat], moved, *view.cave.teams[seat + 1 :])
    return map_picture(replace(view, cave=replace(view.cave, teams=teams)))


def shown(cave_map: CaveMap) -> list[list[Any]]:
    return [list(cave_map.render_line(y)) for y in range(cave_map.size.height)]


async def test_a_walk_ends_as_if_nothing_had_moved() -> None:
    (app, _), (still, _) = moving_map(), moving_map("off")
    async with run(app, size=(80, 24)) as pilot:
        app.map.picture = walked()
        assert app.map._change.plays
        await settle(pilot)
        seen = [shown(app.map)]
        while app.map._change.plays:
            app.map._change.step()
            await settle(pilot)
            seen.append(shown(app.map))
    async with run(still, size=(80, 24)) as pilot:
        still.map.picture = walked()
        assert not still.map._change.plays
        await settle(pilot)
        assert shown(still.map) == seen[-1]
    assert len(seen) == 4
    assert seen[0] != seen[1] != seen[2] == seen[3]
    assert [[piece.text for piece in row] for row in seen[0]] != []


async def test_a_key_waits_for_nothing_and_another_change_ends_a_movement() -> None:
    app, _ = moving_map(cursor=(1, -1))
    async with run(app, size=(80, 24)) as pilot:
        app.map.picture = walked()
        app.map.focus()
        await pilot.press("left")
        assert app.map.cursor == (0, -1)
        assert app.map._change.plays
        app.map.picture = map_picture(section_four.view())
        while app.map._change.plays:
            app.map._change.step()
        await settle(pilot)
        ended = shown(app.map)
    fresh = LitApp(map_picture(section_four.view()), cursor=(1, -1))
    async with run(fresh, size=(80, 24)) as pilot:
        fresh.map.cursor = (0, -1)
        await settle(pilot)
        assert shown(fresh.map) == ended


# Panes


class OnePane(ThemedApp[None]):
    """One pane in which things may move."""

    def __init__(self, pane: Any, level: Level = "full") -> None:
        super().__init__()
        self.console._color_system = ColorSystem.TRUECOLOR
        self.pane = pane
        self.motion = Motion(level, Clock())
        pane.set_interval = lambda *_, **__: Timer()

    def compose(self) -> ComposeResult:
        yield self.pane


def looks(pane: Any) -> list[list[tuple[str, Any]]]:
    rows = [pane.render_line(y) for y in range(pane.size.height)]
    return [
        [
            (glyph, piece.style and (piece.style.bgcolor if glyph == " " else piece.style))
            for piece in row
            for glyph in piece.text
        ]
        for row in rows
    ]


async def test_the_lake_of_the_title_moves_by_a_few_cells_and_rests() -> None:
    async with opened(OnePane(TitlePicture(TitlePictures())), (140, 45)) as (app, pilot):
        await pilot.until(lambda: app.pane._shown)
        found = app.pane._shown
        assert app.pane._waves.plays
        before = looks(app.pane)
        app.pane._waves.step()
        after = looks(app.pane)
        changed = {(x, y) for y in range(45) for x in range(140) if before[y][x] != after[y][x]}
        told = {
            (x, y + found.shore)
            for region in found.changes[1]
            for x, y in ((x, region.y) for x in range(region.x, region.right))
        }
        assert changed == told
        assert 0 < len(changed) < 100
        app.motion._clock.now += REST
        app.pane._waves.step()
        assert not app.pane._waves.plays


# On the screens


def moving_table(seats: tuple[int, ...]) -> TableApp:
    """A table at which things may move, with timers that never fire."""
    app = TableApp(FakeSession(mine=seats, start=packed()), glyphs="fine")
    app.console._color_system = ColorSystem.TRUECOLOR
    app.motion = Motion("full", Clock())
    return app


async def test_when_ones_turn_begins_a_light_goes_through_its_sign_and_water_moves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Player, "step", lambda _: None)
    async with opened(moving_table((1,))) as (app, pilot):
        header = app.table.query_one(HeaderBar)
        assert not header._shining.plays
        assert not app.table.map._water.plays
        app.session.play(0, act.EndTurn())
        await settle(pilot)
        assert header._shining.plays
        assert app.table.map._water.plays


async def test_with_motion_off_nothing_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[Player] = []
    monkeypatch.setattr(Player, "step", started.append)
    app = moving_table((1,))
    app.motion = Motion()
    async with run(app, size=(80, 24)) as pilot:
        app.session.play(0, act.EndTurn())
        await settle(pilot)
        assert not app.table.query_one(HeaderBar)._shining.plays
        assert not app.table.map._water.plays
        assert app.motion._resting == set()
    assert started == []


@pytest.mark.parametrize("wish", ["off", "calm", "full"])
async def test_the_app_moves_as_its_settings_say_and_at_once(
    wish: Level, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("SSH_CONNECTION", "SSH_TTY", "NO_COLOR", "TEXTUAL_ANIMATIONS"):
        monkeypatch.delenv(name, raising=False)
    app = cave_app(tmp_path, motion=wish)
    app.console._color_system = ColorSystem.TRUECOLOR
    async with run(app, size=(80, 24)):
        assert app.motion.level == wish
        settings = {setting.name: setting for setting in SETTINGS}
        app.choose(settings["motion"], "calm")
        assert app.motion.level == "calm"
        app.choose(settings["animations"], "off")
        assert app.motion.level == "off"
        app.choose(settings["animations"], "on")
        app.choose(settings["theme"], "ansi-dark")
        assert app.motion.level == "off"
