"""Sir Ocelot's Cave at a host: games of people and of bots, and tables that it refuses."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cave.sir_ocelots_cave.builders import GAME, example
from tests.game_kit import checks, table, think
from tests.server.kit import ANN, BEA, EVE, Desk


def test_people_play_to_the_end_and_the_record_checks() -> None:
    desk, made = table(GAME, example())
    here = desk.service.tables[made]
    while here.status == "playing":
        (seat,) = here.to_act
        link = (ANN, BEA)[seat]
        choice = desk.view(link, seat)["choices"][0]
        action = choice["action"]
        if "limits" in choice:
            action = {**action, "gems": choice["limits"]["gems"]}
        assert desk.act(link, made, seat, action)["type"] == "done"
    (finished,) = desk.finished
    assert checks(finished.record)
    assert desk.ask(EVE, "record", table=made)["lines"] == finished.record
    assert desk.published[-1]["status"] == "over"
    assert desk.published[-1]["view"]["standing"] == finished.record[-1]["result"]["standing"]
    assert desk.published[-1]["view"]["hidden"] == []


@pytest.mark.parametrize("level", GAME.bots)
def test_bots_play_to_the_end(level: str) -> None:
    desk = Desk()
    seats: Any = [{"kind": "bot", "level": level}] * 2
    made = desk.ask(
        ANN, "open", game=GAME.name, seats=seats, settings={"companion_sight": "cave"}, seed="bots"
    )
    desk.ask(ANN, "watch", table=made["table"])
    think(desk)
    assert desk.service.tables[made["table"]].status == "over"
    (finished,) = desk.finished
    assert checks(finished.record)
    assert finished.record[0]["settings"] == {"edition": "standard", "companion_sight": "cave"}
