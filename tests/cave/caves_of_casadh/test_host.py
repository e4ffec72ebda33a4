"""The Caves of Casadh at a host: games of people and of bots, and tables that it refuses."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tests.cave.caves_of_casadh.builders import GAME, example
from tests.game_kit import LINKS, checks, table, think
from tests.server.kit import ANN, EVE, Desk


def test_people_play_to_the_end_and_the_record_checks() -> None:
    desk, made = table(GAME, {**example(), "settings": {"round_limit": 9}})
    here, rng = desk.service.tables[made], Random(5)
    while here.status == "playing":
        (seat,) = here.to_act
        choices = desk.view(LINKS[seat], seat)["choices"]
        choice = rng.choice([each for each in choices if each["action"]["type"] != "give_up"])
        action = choice["action"]
        if "limits" in choice:
            action = {**action, "items": choice["limits"]["items"]}
        assert desk.act(LINKS[seat], made, seat, action)["type"] == "done"
    (finished,) = desk.finished
    assert checks(finished.record)
    assert desk.ask(EVE, "record", table=made)["lines"] == finished.record
    assert desk.published[-1]["status"] == "over"
    assert desk.published[-1]["view"]["standing"] == finished.record[-1]["result"]["standing"]
    assert desk.published[-1]["view"]["hidden"] == []


@pytest.mark.parametrize("seats", [2, 6])
@pytest.mark.parametrize("level", ["novice", "rookie", "guide"])
def test_bots_play_to_the_end(level: str, seats: int) -> None:
    desk = Desk()
    kinds: Any = [{"kind": "bot", "level": level}] * seats
    made = desk.ask(ANN, "open", game=GAME.name, seats=kinds, settings={"dead_loot": "on_hex"}, seed="bots")
    desk.ask(ANN, "watch", table=made["table"])
    think(desk)
    assert desk.service.tables[made["table"]].status == "over"
    (finished,) = desk.finished
    assert checks(finished.record)
    assert finished.record[0]["settings"] == {"edition": "2.0.3", "dead_loot": "on_hex"}


def test_what_is_no_table_for_this_game_is_refused() -> None:
    desk = Desk()
    for seats, given in ((1, {}), (7, {}), (2, {"edition": "1"}), (2, {"round_limit": -2})):
        kinds: Any = [{"kind": "open"}] * seats
        refused = desk.ask(ANN, "open", game=GAME.name, seats=kinds, settings=given)
        assert refused["code"] == "bad_message", (seats, given)
    hello = desk.ask(ANN, "hello", protocol=1)
    told = {game["name"]: game for game in hello["games"]}[GAME.name]
    assert told["seats"] == [2, 6]
