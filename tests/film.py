"""The animations of the README, recorded from the real screens: at the top the kept game of The Cave, and a
few turns of each other game.

Run: ``python -m tests.film`` (or ``make film``), or with the names of games. Each is one SVG with its own
animation: no script, no font, no external files. If motion is off or unsupported, it shows the middle of a
game.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from cave import games
from cave.record import Played
from cave.the_cave.tiles import legal_placements
from client.app.screens.menu import MenuScreen
from client.games.the_cave.face import FACE
from client.games.the_cave.screen import GameScreen
from client.settings.schema import Preferences, Settings
from client.tui.title_picture import TitlePictures
from tests import drawing
from tests.client.cave_vs_cave import tables as cave_vs_cave
from tests.client.caves_of_casadh import tables as caves_of_casadh
from tests.client.fake_session import FakeSession
from tests.client.game_app import TableApp
from tests.client.pilot import Pilot, give_colours, run, settle
from tests.client.screens import OneScreen, show
from tests.client.sir_ocelots_cave import tables as sir_ocelots_cave
from tests.drawing import Grid
from tests.playthrough import NAMES, playthrough
from tests.screenshots import FOLDER, Moment
from tests.tools import names_to_renew

THE_CAVE = "the-cave"
TABLES: Mapping[str, tuple[ModuleType, Moment]] = {
    "sir-ocelots-cave": (sir_ocelots_cave, sir_ocelots_cave.middle),
    "caves-of-casadh": (caves_of_casadh, caves_of_casadh.of_ann("actions", 8)),
    "cave-vs-cave": (cave_vs_cave, cave_vs_cave.taking),
}
"""The other games: their tables, and the moments at which their films start."""
ACTIONS = 12
"""The number of actions in such a film."""
SIZE = (80, 24)
GLYPHS = "fine"
SEAT = 0
"""The seat whose screen is filmed."""
TICK = 1.3
"""Seconds of a frame; some last for several."""

ABOUT = {
    THE_CAVE: "Ann, Bea and Rook pack, walk, dive and map the cave, and count their points.",
    "sir-ocelots-cave": "Ann and Bea lay tools round three caves and collect the gems that all of them see.",
    "caves-of-casadh": "Ann, Bea and Cyd explore hexes, look for treasure and run from bats.",
    "cave-vs-cave": "Ann and Bea take tiles, dig out their caves, furnish rooms and build walls.",
}


class Frame(NamedTuple):
    """A picture for some ticks; ``still`` if nothing moves."""

    grid: Grid
    ticks: int = 1
    still: bool = False


def file(game: str) -> Path:
    return FOLDER / ("film.svg" if game == THE_CAVE else f"film-{game}.svg")


async def frames(game: str) -> list[Frame]:
    """Title, packing, an eventful turn, and the end; of other games some turns, and the end."""
    cave = (_title(), _packing(), _turn(), _end())
    return [each for part in (cave if game == THE_CAVE else (_turns(game),)) async for each in part]


async def _turns(game: str) -> AsyncIterator[Frame]:
    tables, moment = TABLES[game]
    session = tables.played(moment)
    async with _screen(tables, session) as pilot:
        yield Frame(drawing.grid(pilot.app.screen), 2)
        for number in range(ACTIONS):
            seat = min(session.game.to_act(session.full))
            session.play(seat, tables.chosen(session.full, seat))
            await settle(pilot)
            yield Frame(drawing.grid(pilot.app.screen), still=number == ACTIONS // 2)
    async with _screen(tables, tables.played(tables.over)) as pilot:
        yield Frame(drawing.grid(pilot.app.screen), 3)


@asynccontextmanager
async def _screen(tables: ModuleType, session: FakeSession) -> AsyncIterator[Pilot[Any]]:
    app = OneScreen(tables.table(session, glyphs=GLYPHS))
    give_colours(app)
    async with run(app, SIZE, draws=True) as pilot:
        await settle(pilot)
        yield pilot


async def _title() -> AsyncIterator[Frame]:
    async with show(MenuScreen(glyphs=GLYPHS, pictures=TitlePictures()), SIZE) as (app, pilot):
        await settle(pilot)
        yield Frame(drawing.grid(app.screen), 2)


async def _packing() -> AsyncIterator[Frame]:
    async with run(_table(_at(0)), SIZE, draws=True) as pilot:
        await settle(pilot)
        yield Frame(drawing.grid(pilot.app.screen), 2)


async def _turn() -> AsyncIterator[Frame]:
    """Each action of the turn, and each tile also before its rotation."""
    start, steps = best_turn(playthrough("the-cave").steps)
    session = _at(start)
    async with run(_table(session), SIZE, draws=True) as pilot:
        await settle(pilot)
        yield Frame(drawing.grid(pilot.app.screen), 2)
        for number, step in enumerate(steps, 1):
            session.play(step.seat, session.game.decode(session.full, step.seat, step.action))
            await settle(pilot)
            yield Frame(drawing.grid(pilot.app.screen), still=number == len(steps))
            if can_be_turned(session.full):
                await pilot.press("r")
                await settle(pilot)
                yield Frame(drawing.grid(pilot.app.screen))


async def _end() -> AsyncIterator[Frame]:
    async with run(_table(_at(len(playthrough("the-cave").steps))), SIZE, draws=True) as pilot:
        await settle(pilot)
        yield Frame(drawing.grid(pilot.app.screen), 2)
        await pilot.press("p")
        await settle(pilot)
        yield Frame(drawing.grid(pilot.app.screen), 3)


def _at(step: int) -> FakeSession:
    """The kept game after this many steps, as one of the players sees it."""
    played = playthrough("the-cave")
    session = FakeSession(NAMES, (SEAT,), start=played.start)
    for each in played.steps[:step]:
        session.play(each.seat, session.game.decode(session.full, each.seat, each.action))
    return session


def _table(session: FakeSession) -> TableApp:
    app = TableApp(session)
    preferences = Preferences(Settings(guide=False))
    give_colours(app)
    app.table = GameScreen(FACE, session, glyphs=GLYPHS, preferences=preferences)
    return app


def best_turn(steps: Sequence[Played]) -> tuple[int, Sequence[Played]]:
    """Return the seat's turn with the most kinds of actions: the step before it, and its own steps."""
    begun = [0, *(number for number, step in enumerate(steps, 1) if step.action["type"] == "end_turn")]
    turns = [(start, steps[start : end - 1]) for start, end in zip(begun, [*begun[1:], len(steps)], strict=True)]
    own = [(start, turn) for start, turn in turns if turn and {step.seat for step in turn} == {SEAT}]
    return max(own, key=lambda turn: len({step.action["type"] for step in turn[1]}))


def can_be_turned(state: Any) -> bool:
    """Return whether the tile in hand has several legal rotations at its first place."""
    if state.phase != "placing":
        return False
    ways = legal_placements(state.board, state.teams[state.seat].at, state.drawn)
    return [way.at for way in ways].count(ways[0].at) > 1


def film(shown: Sequence[Frame], game: str = THE_CAVE) -> str:
    """Return an SVG that shows the frames one after the other, in a loop."""
    whole = sum(frame.ticks for frame in shown)
    rules = [f".f{{visibility:hidden;animation-duration:{whole * TICK:g}s}}", ".still{visibility:visible}"]
    rules.append(".f{animation-timing-function:step-end;animation-iteration-count:infinite}")
    for ticks in sorted({frame.ticks for frame in shown}):
        gone = f"{100 * ticks / whole:.3f}%"
        rules.append(f"@keyframes t{ticks}{{0%{{visibility:visible}}{gone},to{{visibility:hidden}}}}")
        rules.append(f".t{ticks}{{animation-name:t{ticks}}}")
    rules += _delays(shown, whole)
    rules.append("@media (prefers-reduced-motion:reduce){.f{animation:none!important}}")
    kinds = {number: f"f t{frame.ticks}{' still' * frame.still}" for number, frame in enumerate(shown)}
    title, about = f"A game of {games.game_info(game).title} in a terminal", ABOUT[game]
    return drawing.picture([frame.grid for frame in shown], title, about, more="".join(rules), kinds=kinds)


def _delays(shown: Sequence[Frame], whole: int) -> Iterator[str]:
    """The delays are negative so that all animations run from the start."""
    before = 0
    for number, frame in enumerate(shown):
        yield f"#f{number}{{animation-delay:{(before - whole) * TICK:g}s}}"
        before += frame.ticks


def main(*wanted: str) -> None:
    for game in wanted or (THE_CAVE, *TABLES):
        made = film(asyncio.run(frames(game)), game)
        file(game).write_text(made, encoding="utf-8")
        print(f"{file(game).name}: {len(made.encode()) // 1024} kB")


if __name__ == "__main__":
    main(*names_to_renew(__doc__, (THE_CAVE, *TABLES)))
