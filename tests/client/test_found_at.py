"""The address in the top line: where others find the table, and none that leads nowhere but here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from client.games.the_cave.face import FACE
from client.games.the_cave.screen.game import GameScreen
from tests.client.caves_of_casadh import tables as casadh
from tests.client.fake_session import FakeSession
from tests.client.game_app import position
from tests.client.screens import show, text
from tests.client.sir_ocelots_cave import tables as ocelot

SCREENS: dict[str, Callable[[], Any]] = {
    "the-cave": lambda: GameScreen(FACE, FakeSession(start=position())),
    "sir-ocelots-cave": lambda: ocelot.table(ocelot.begun()),
    "caves-of-casadh": lambda: casadh.table(casadh.begun()),
}


@pytest.mark.parametrize("make", SCREENS.values(), ids=SCREENS)
@pytest.mark.parametrize("typed", [True, False])
@pytest.mark.parametrize(
    ("address", "told"),
    [("10.0.0.5:7412", True), ("127.0.0.1:40123", False), ("[::1]:40123", False), ("localhost:7412", False)],
)
async def test_an_address_that_leads_nowhere_but_here_is_not_told(
    make: Callable[[], Any], address: str, typed: bool, told: bool
) -> None:
    screen = make()
    if typed:
        screen.address = address
    else:
        screen.session.evolve(address=address)
    async with show(screen, (140, 45)):
        head = text(screen).splitlines()[0]
        assert "game " in head
        assert (address in head) == told
        assert ("on " in head) == told
