"""The largest possible views: drawing them costs a client little more than receiving them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import chain
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from cave import games as rules
from cave import record
from cave.caves_of_casadh.position import FARTHEST, PILE
from cave.game import BadData
from cave.the_cave import state as values
from client import games
from client.game_history import PointsHistory, points_in
from client.present import plot, plot_svg
from client.replay import ReplaySession
from client.settings.schema import Preferences, Settings
from tests.cave import test_work
from tests.cave.builders import position as cave
from tests.cave.builders import tile
from tests.cave.caves_of_casadh.builders import inside, laid
from tests.cave.caves_of_casadh.builders import position as casadh
from tests.cave.work import lines_at_most, lines_run
from tests.client.fake_session import FakeSession
from tests.client.game_app import TableApp
from tests.client.pilot import run
from tests.client.plain_talk import Script
from tests.client.test_lies import commands
from tests.effort import effort
from tests.game_kit import in_lines

MOST_DRAWN = 1_200_000
"""Lines executed after a key."""
MOST_SAID = 5_000_000
"""Lines executed for all commands of line mode."""
KEYS = ("a", "escape", "w", "z", "z", "up", "left", "right", "end")
SIZES = (((140, 45), "fine"), ((80, 24), "unicode"), ((140, 45), "ascii"))
NAMES = ("Ann", "Bea", "Cem", "Dov", "Eli", "Flo")


def far_tiles() -> Any:
    """The Cave from corner to corner."""
    far = values.FARTHEST
    start = rules.get_game("the-cave").from_position(cave(tile(far, far), tile(-far, -far), tile(far, -far)))
    return moved(start, "board", far, values.MOST_TILES)


def far_hexes() -> Any:
    """The Caves of Casadh from corner to corner, with the largest possible numbers."""
    corners = [laid((q, r), "COLL", grues=999) for q in (-FARTHEST, FARTHEST) for r in (-FARTHEST, FARTHEST)]
    deep = laid((0, 1), "L1-01", dynamite=[0, 1, 2, 3, 4, 5] * 5000)
    seats = [inside((0, 1), items=["lantern"]), *[inside()] * 5]
    start = rules.get_game("caves-of-casadh").from_position(
        casadh(*seats, hexes=[*corners, deep], vengeance=999, round=2**53 - 1)
    )
    return moved(start, "map", FARTHEST, PILE)


def moved(state: Any, name: str, far: int, grown: int) -> Any:
    """The state with a place as far away as a view allows."""
    places = dict(getattr(state, name))
    places[-far - grown, far + grown] = places[-far, far] if (-far, far) in places else places[-far, -far]
    return replace(state, **{name: places})


FAR: dict[str, Callable[[], Any]] = {"the-cave": far_tiles, "caves-of-casadh": far_hexes}


def extremes(name: str) -> list[Any]:
    """States of a game with distant places and many components."""
    game, rng = rules.get_game(name), Random(3)
    found = [FAR[name]()] if name in FAR else []
    for data in chain(test_work.CROWDED[name](rng), test_work.moments(game, rng)):
        if len(found) == effort(2, 30):
            return found
        try:
            found.append(game.from_position(data))
        except BadData:
            continue  # not every random position is possible
    return found


def table_of(name: str, state: Any) -> FakeSession:
    mine = sorted(rules.get_game(name).to_act(state))[:1] or [0]
    return FakeSession(NAMES, mine, game=name, start=state)


@pytest.mark.parametrize("name", rules.game_names())
@pytest.mark.parametrize(("size", "glyphs"), SIZES[: effort(2, 3)])
async def test_every_pane_of_an_extreme_view(name: str, size: tuple[int, int], glyphs: str) -> None:
    for state in extremes(name):
        settings = Preferences(Settings(guide=False, chat="on"))
        app = TableApp(table_of(name, state), games.get_face(name), preferences=settings, glyphs=glyphs)
        with lines_at_most(2 * MOST_DRAWN):
            async with run(app, size=size) as pilot:
                for key in KEYS:
                    with lines_at_most(MOST_DRAWN):
                        await pilot.press(key)


@pytest.mark.parametrize("name", rules.game_names())
def test_line_mode_of_an_extreme_view(name: str) -> None:
    face, typed = games.get_face(name), commands(name)
    for state in extremes(name):
        with lines_at_most(MOST_SAID):
            asyncio.run(face.lines()(face, table_of(name, state), Script(*typed, live=True)).run())


@pytest.mark.parametrize("name", rules.game_names())
async def test_replay_and_plot_of_an_extreme_position(name: str) -> None:
    game, face = rules.get_game(name), games.get_face(name)
    for state in extremes(name)[name in FAR :]:
        table, rng = table_of(name, state), Random(5)
        for _ in range(6):
            if to_act := game.to_act(table.full):
                seat = min(to_act)
                table.play(seat, game.sample(rng.choice(game.choices(table.full, seat)), rng))
        lines = [*table.lines(), record.result_line(game, table.full, table.names)]
        played = record.replay(in_lines(lines))
        app = TableApp(ReplaySession(played, face), face)
        app.table = face.replay_screen()(face, app.session, preferences=Preferences(Settings(guide=False)))
        async with run(app, size=(140, 45)) as pilot:
            for key in ("right", "end", "home", "z"):
                with lines_at_most(MOST_DRAWN):
                    await pilot.press(key)
        draw(points_in(face, played))


def draw(found: PointsHistory) -> None:
    """Plot points in every way, in the smallest and in a large pane."""
    for size in (plot.SMALLEST, plot.SMALLEST_DOTTED, (140, 40)):
        for lines in (plot.dotted, plot.stepped):
            count, rows = lines_run(lines, found.series, *size)
            assert count < MOST_DRAWN
            assert all(sum(len(text) for text, _ in row) == size[0] for row in rows)
    count, picture = lines_run(lambda: plot_svg.points_svg(found, "A game", over=True))
    assert count < MOST_DRAWN
    assert len(picture) < 256 * 1024


@pytest.mark.parametrize("most", [0, 999, 10**6])
def test_the_plot_of_extreme_points(most: int) -> None:
    draw(PointsHistory(NAMES, tuple((0, most, most / 2, *range(200)) for _ in NAMES)))
