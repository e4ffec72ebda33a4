"""A malicious host: none of its texts controls the terminal, and no message ends the client with a
traceback.
"""

from __future__ import annotations

import asyncio
import re
import unicodedata
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cave.games import game_names
from cave.wire import JOINERS
from client import games
from client.net.session import NetSession
from client.settings.schema import Preferences, Settings
from client.table import TableState
from tests.client.game_app import TableApp
from tests.client.lying import ATTACK, Moment, at, attacks, moments, paths, session_of, with_lie
from tests.client.pilot import Pilot, run, settle
from tests.client.plain_talk import Script, talk
from tests.client.screens import text
from tests.client.test_incoming import HARMFUL
from tests.effort import effort

COMMANDS = (
    *("here", "look", "status", "moves", "why", "bag", "log", "since", "who", "teams", "score", "map"),
    *("exits", "home", "unexplored", "why move", "north", "go 1,0", "route to 1,0", "pack", "try 2 rope"),
    *("exchange", "discard 1 rope", "place", "1", "1", "undo", "end", "yes", "chat hello", "help"),
)
"""Commands that show everything and try everything."""

TO_BE_SHOWN = {"chat.text", "chat.name"}
SLOW = [HealthCheck.too_slow]


def harmful(shown: str) -> set[str]:
    """Return the characters that must not reach a screen."""
    return {letter for letter in shown if letter not in JOINERS + "\n" and unicodedata.category(letter) in HARMFUL}


async def ended(session: NetSession) -> None:
    """Close a session that may be asking its host for something."""
    if session.syncing is not None:
        session.syncing.cancel()
        await asyncio.wait([session.syncing])


class Stage:
    """A session that shows any given state."""

    def __init__(self, state: TableState) -> None:
        self.state = state
        self.lines: Any = []
        self._listeners: list[Any] = []

    def listen(self, listener: Any) -> None:
        self._listeners.append(listener)

    def unlisten(self, listener: Any) -> None:
        self._listeners.remove(listener)

    async def record(self) -> Any:
        return self.lines

    def show(self, state: TableState) -> None:
        self.state = state
        for listener in list(self._listeners):
            listener(state)

    async def show_moment(self, moment: Moment, pilot: Pilot[Any]) -> None:
        """Show a client's messages; none may send escape sequences to the terminal."""
        session = session_of(moment)
        if session.store.has_snapshot:
            self.show(session.state)
            for screen in await look_around(pilot):
                assert not harmful(screen)
        await ended(session)


@cache
def attacked() -> dict[str, Moment]:
    """The attacks by the kind of place in which they stand."""
    return dict(attacks())


def test_all_kinds_of_false_messages_are_sent():
    for kind in (
        "snapshot.title", "snapshot.seats.*.name", "snapshot.view.position.teams.*.name",
        "snapshot.log.*.event.type", "view.refused.*.message", "view.view.position.teams.*.name",
        "presence.seats.*.name", "chat.name", "chat.text", "beat.digest", "update.view.position.turn.phase",
    ):  # fmt: skip
        assert kind in attacked()
    assert harmful(ATTACK)


async def test_no_escape_sequence_from_a_host_reaches_line_mode():
    found = []
    for kind, moment in attacked().items():
        session = session_of(moment)
        if session.store.has_snapshot:
            found += [(kind, line) for line in await talk(session, *COMMANDS) if harmful(line)]
        await ended(session)
    assert not found


@pytest.mark.parametrize(("size", "every"), [((80, 24), effort(9, 1)), ((140, 45), effort(4, 1))])
async def test_no_escape_sequence_from_a_host_reaches_the_screen(size: tuple[int, int], every: int):
    stage: Any = Stage(session_of(moments()[0]).state)
    app = TableApp(stage, preferences=Preferences(Settings(guide=False, chat="on")))
    shown = set()
    async with run(app, size=size) as pilot:
        for number, (kind, moment) in enumerate(attacked().items()):
            if number % every and kind not in TO_BE_SHOWN:
                continue
            session = session_of(moment)
            if session.store.has_snapshot:
                stage.show(session.state)
                for screen in await look_around(pilot):
                    assert not harmful(screen), kind
                    if "evil" in screen:
                        shown.add(kind)
            await ended(session)
    # Displayable text is shown as plain text.
    assert size == (80, 24) or shown >= TO_BE_SHOWN


async def look_around(pilot: Pilot[Any]) -> list[str]:
    """Return the game screen and the screen that it opens on it, if any; with all choices, and the reasons
    for illegal ones.
    """
    app: Any = pilot.app
    seen = []
    for key in ("", "a"):
        if key:
            await pilot.press(key)
        await settle(pilot)
        assert not app.return_code
        seen.append(text(app.screen))
        while app.screen is not app.table:
            app.pop_screen()
            await settle(pilot)
    return seen


JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.sampled_from([0, 1, 2, 7, -1, 2**53, 2**63, 10**9, 1.5]),
    st.sampled_from(["", "x", "N", "NESW", "over", "packing", ATTACK]),
    st.sampled_from([[], {}, [0, 0], [1, 1], [99, -99], ["x"], {"type": "x"}, [[]]]),
    st.just({"type": "move", "to": [5, 5], "by": "foot"}),
)


@st.composite
def lies(draw: st.DrawFn, game: str) -> Moment:
    """A moment with one or two values changed, often into other values of the messages."""
    moment = draw(st.sampled_from(moments(game)))
    for _ in range(draw(st.integers(1, 2))):
        which = draw(st.integers(0, len(moment.told) - 1))
        message = moment.told[which]
        places = list(paths(message))
        value = draw(JUNK) if draw(st.booleans()) else at(message, draw(st.sampled_from(places)))
        moment = with_lie(moment, which, draw(st.sampled_from(places)), value)
    return moment


async def said_by(game: str, session: Any, *lines: str) -> list[str]:
    """Return the output at a table of this game for these typed lines."""
    face = games.get_face(game)
    script = Script(*lines, live=True)
    await face.lines()(face, session, script).run()
    return script.said


@cache
def commands(game: str) -> tuple[str, ...]:
    """All commands of a game's line mode except those that leave; numbers, and answers."""
    if game == "the-cave":
        return COMMANDS
    said = asyncio.run(said_by(game, session_of(moments(game)[0]), "help"))
    words = (found[1] for line in said if (found := re.match(r"([a-z]+)[^:]*: ", line)))
    asked = [word for word in words if word not in ("quit", "takeover")]
    assert len(asked) > 20
    return (*asked, "1", "yes", "2", "no", "look 1,0", "moves", "1", "undo")


@pytest.mark.parametrize("game", game_names())
def test_line_mode_survives_any_message_from_a_host(game: str) -> None:
    typed = commands(game)

    @settings(max_examples=effort(50 if game == "the-cave" else 20, 600), deadline=None, suppress_health_check=SLOW)
    @given(lies(game))
    def try_all(moment: Moment) -> None:
        async def type_all() -> None:
            session = session_of(moment)
            if session.store.has_snapshot:
                for line in await said_by(game, session, *typed):
                    assert not harmful(line)
            await ended(session)

        asyncio.run(type_all())

    try_all()


@pytest.mark.parametrize("game", game_names())
async def test_screens_survive_any_message_from_a_host(game: str) -> None:
    stage: Any = Stage(session_of(moments(game)[0]).state)
    app = TableApp(stage, games.get_face(game), preferences=Preferences(Settings(guide=False, chat="on")))
    loop = asyncio.get_running_loop()
    async with run(app, size=(140, 45)) as pilot:

        async def show(moment: Moment, record: Any) -> None:
            stage.lines = record
            await stage.show_moment(moment, pilot)

        @settings(max_examples=effort(16 if game == "the-cave" else 10, 240), deadline=None, suppress_health_check=SLOW)
        @given(lies(game), st.lists(JUNK, max_size=3))
        def try_all(moment: Moment, record: Any) -> None:
            asyncio.run_coroutine_threadsafe(show(moment, record), loop).result()

        await asyncio.to_thread(try_all)
