"""Animations: when they may play, that they end, and that they reveal nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from client.games.the_cave.cave_map import CaveMap
from client.games.the_cave.picture import MapPicture, map_picture
from client.settings.schema import SETTINGS
from client.tui.motion import CHANGE, LAKE, REST, SCORE, TURN, WATER, Effect, Level, Motion, MotionPlayer, level_for
from tests.client import section_four
from tests.client.pilot import give_colours, run, settle
from tests.client.test_lit_map import LitApp
from tests.client.test_preferences import cave as cave_app


class Clock:
    """A clock that only moves when set."""

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
    """A fake widget that counts the running timers."""

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


def player(effect: Effect, level: Level = "full") -> tuple[MotionPlayer, Stage, list[int | None], Motion, Clock]:
    clock, stage, shown = Clock(), Stage(), list[int | None]()
    moves = Motion(level, clock)
    return MotionPlayer(stage, effect, shown.append, lambda: moves), stage, shown, moves, clock


# When things may move


FINE: dict[str, Any] = {"colours": "truecolor", "glyphs": "fine", "animations": "full"}


@pytest.mark.parametrize("wish", ["off", "calm", "full"])
def test_the_motion_setting_applies_on_a_local_terminal_with_colours(wish: Level) -> None:
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
def test_nothing_moves_over_slow_lines(environment: dict[str, str], change: dict[str, Any]) -> None:
    assert level_for("full", environment, **{**FINE, **change}) == "off"


def test_calm_omits_endless_animations() -> None:
    calm = Motion("calm")
    assert calm.allows(CHANGE)
    assert not any(calm.allows(effect) for effect in (TURN, WATER, SCORE, LAKE))
    assert not any(Motion().allows(effect) for effect in (CHANGE, TURN, WATER, SCORE, LAKE))


# Players


def test_animations_pause_some_time_after_the_last_key() -> None:
    each, stage, shown, moves, clock = player(WATER)
    each.start()
    for _ in range(3):
        clock.now += REST / 4
        each.show_next_frame()
    assert shown == [0, 1, 2, 3]
    clock.now += REST / 2
    each.show_next_frame()
    assert shown[-1] is None
    assert stage.running == 0
    moves.resume_motion()
    assert shown[-1] == 0
    assert stage.running == 1
    each.stop()
    moves.resume_motion()
    assert stage.running == 0


# The map


def moving_map(level: Level = "full", **options: Any) -> tuple[LitApp, Clock]:
    app, clock = LitApp(map_picture(section_four.view(), section_four.choices()), **options), Clock()
    app.motion = Motion(level, clock)
    app.map.set_interval = lambda *_, **__: Timer()  # type: ignore[assignment, method-assign, return-value]
    return app, clock


def walked() -> MapPicture:
    """The picture after the active team has moved to another place."""
    view = section_four.view()
    seat = view.cave.seat
    moved = replace(view.cave.teams[seat], at=(0, 0))
    teams = (*view.cave.teams[:seat], moved, *view.cave.teams[seat + 1 :])
    return map_picture(replace(view, cave=replace(view.cave, teams=teams)))


def shown(cave_map: CaveMap) -> list[list[Any]]:
    return [list(cave_map.render_line(y)) for y in range(cave_map.size.height)]


async def test_the_walk_animation_leaves_no_trace() -> None:
    (app, _), (still, _) = moving_map(), moving_map("off")
    async with run(app, size=(80, 24)) as pilot:
        app.map.picture = walked()
        assert app.map.change.is_moving
        await settle(pilot)
        seen = [shown(app.map)]
        while app.map.change.is_moving:
            app.map.change.show_next_frame()
            await settle(pilot)
            seen.append(shown(app.map))
    async with run(still, size=(80, 24)) as pilot:
        still.map.picture = walked()
        assert not still.map.change.is_moving
        await settle(pilot)
        assert shown(still.map) == seen[-1]
    assert len(seen) == 4
    assert seen[0] != seen[1] != seen[2] == seen[3]
    assert [[piece.text for piece in row] for row in seen[0]] != []


async def test_a_key_or_another_change_ends_an_animation() -> None:
    app, _ = moving_map(cursor=(1, -1))
    async with run(app, size=(80, 24)) as pilot:
        app.map.picture = walked()
        app.map.focus()
        await pilot.press("left")
        assert app.map.cursor == (0, -1)
        assert app.map.change.is_moving
        app.map.picture = map_picture(section_four.view())
        while app.map.change.is_moving:
            app.map.change.show_next_frame()
        await settle(pilot)
        ended = shown(app.map)
    fresh = LitApp(map_picture(section_four.view()), cursor=(1, -1))
    async with run(fresh, size=(80, 24)) as pilot:
        fresh.map.focus()
        await pilot.press("left")
        await settle(pilot)
        assert shown(fresh.map) == ended


# On the screens


@pytest.mark.parametrize("wish", ["off", "calm", "full"])
async def test_settings_stop_movement(wish: Level, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SSH_CONNECTION", "SSH_TTY", "NO_COLOR", "TEXTUAL_ANIMATIONS"):
        monkeypatch.delenv(name, raising=False)
    app = cave_app(tmp_path, motion=wish)
    give_colours(app)
    async with run(app, size=(80, 24)):
        assert app.motion.level == wish
        settings = {setting.name: setting for setting in SETTINGS}
        app.choose_setting(settings["motion"], "calm")
        assert app.motion.level == "calm"
        app.choose_setting(settings["animations"], "off")
        assert app.motion.level == "off"
        app.choose_setting(settings["animations"], "on")
        app.choose_setting(settings["theme"], "ansi-dark")
        assert app.motion.level == "off"
