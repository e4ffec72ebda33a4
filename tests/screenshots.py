"""Renews the pictures of the README, from the kept game of The Cave and a game of each other one.

Run: ``python -m tests.screenshots`` (or ``make screenshots``). Each picture is written as SVG, and as PNG
where cairo is installed. A test compares the SVGs with what this module makes.
"""

from __future__ import annotations

import tests.pinned  # noqa: F401 - before textual

# isort: split

import asyncio
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from types import ModuleType
from typing import Any

from client.launch.new_game import record_name
from tests import drawing
from tests.client.cave_vs_cave import tables as cave_vs_cave
from tests.client.caves_of_casadh import tables as caves_of_casadh
from tests.client.fake_session import FakeSession
from tests.client.game_app import TableApp
from tests.client.pilot import give_colours, run, settle
from tests.client.screens import OneScreen
from tests.client.sir_ocelots_cave import tables as sir_ocelots_cave
from tests.playthrough import NAMES, playthrough
from tests.tools import names_to_renew

FOLDER = Path(__file__).parent.parent / "screenshots"
PEOPLE = (0, 1)
SMALL = (80, 24)
LARGE = (140, 45)

Moment = Callable[[Any], bool]


def packing(state: Any) -> bool:
    return bool(state.phase == "packing")


def mid_game(state: Any) -> bool:
    """Ann, two levels explored, some of her AP spent."""
    return state.seat == 0 and state.phase == "actions" and state.ap == 3 and len(state.board) > 26


def placing(state: Any) -> bool:
    """Ann has a tile in hand that can be turned."""
    from cave.the_cave.tiles import legal_placements

    if state.seat != 0 or state.phase != "placing" or len(state.board) < 20 or state.drawn.kind == "choke":
        return False
    return len(legal_placements(state.board, state.teams[0].at, state.drawn)) > 2


def over(state: Any) -> bool:
    return bool(state.phase == "over")


PICTURES: dict[str, tuple[Moment, tuple[int, int]]] = {
    "game-80x24": (mid_game, SMALL),
    "game-140x45": (mid_game, LARGE),
    "sir-ocelots-cave-80x24": (sir_ocelots_cave.middle, SMALL),
    "sir-ocelots-cave-140x45": (sir_ocelots_cave.middle, LARGE),
    "caves-of-casadh-80x24": (caves_of_casadh.middle, SMALL),
    "caves-of-casadh-140x45": (caves_of_casadh.middle, LARGE),
    "cave-vs-cave-80x24": (cave_vs_cave.taking, SMALL),
    "cave-vs-cave-140x45": (cave_vs_cave.taking, LARGE),
}
RECORD = f"~/.local/share/cave-game/records/{record_name(NAMES[:2], datetime(2026, 11, 21, 19, 30), '4f0c2a91')}"
"""The path of the record of such a game."""


def played_until(moment: Moment) -> FakeSession:
    """A table of two people and a bot in the kept game of The Cave, at this moment."""
    played = playthrough("the-cave")
    session = FakeSession(NAMES, PEOPLE, start=played.start)
    for step in played.steps:
        if moment(session.full):
            break
        session.play(step.seat, session.game.decode(session.full, step.seat, step.action))
    return session


async def picture(name: str) -> str:
    """One picture as SVG."""
    moment, size = PICTURES[name]
    if name.startswith("sir-ocelots-cave"):
        return await _one_screen(sir_ocelots_cave, moment, size, "Sir Ocelot's Cave")
    if name.startswith("caves-of-casadh"):
        return await _one_screen(caves_of_casadh, moment, size, "The Caves of Casadh")
    if name.startswith("cave-vs-cave"):
        return await _one_screen(cave_vs_cave, moment, size, "Cave vs Cave")
    app = TableApp(played_until(moment), record_path=RECORD, glyphs="fine")
    give_colours(app)
    async with run(app, size=size) as pilot:
        await settle(pilot)
        return drawing.picture([drawing.grid(app.screen)], "Cave", "The Cave, game")


async def _one_screen(tables: ModuleType, moment: Moment, size: tuple[int, int], game: str) -> str:
    """A moment of a game from the tables of its tests."""
    app = OneScreen(tables.table(tables.played(moment), glyphs="fine"))
    give_colours(app)
    async with run(app, size=size) as pilot:
        await settle(pilot)
        return drawing.picture([drawing.grid(app.screen)], "Cave", game)


def png(svg: str) -> Iterator[bytes]:
    """Yield the picture as PNG, if cairo is installed."""
    try:
        import cairosvg
    except (ImportError, OSError):
        return
    yield cairosvg.svg2png(bytestring=svg.encode(), scale=1.5)


def main(names: list[str]) -> None:
    FOLDER.mkdir(exist_ok=True)
    for name in names or PICTURES:
        svg = asyncio.run(picture(name))
        (FOLDER / f"{name}.svg").write_text(svg, encoding="utf-8")
        for image in png(svg):
            (FOLDER / f"{name}.png").write_bytes(image)
        print(f"{name}: {len(svg) // 1024} kB")


if __name__ == "__main__":
    main(names_to_renew(__doc__, PICTURES))
