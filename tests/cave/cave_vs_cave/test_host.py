"""Cave vs Cave at a host: games of people and of bots, and tables that it refuses."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cave.cave_vs_cave.builders import EXAMPLE, GAME
from tests.game_kit import checks, table, think
from tests.server.kit import ANN, BEA, EVE, Desk


def test_people_play_to_the_end_and_the_record_checks() -> None:
    desk, made = table(GAME, EXAMPLE)
    here = desk.service.tables[made]
    while here.status == "playing":
        (seat,) = here.to_act
        link = (ANN, BEA)[seat]
        # The end of the turn is last; tiles come first.
        choices = desk.view(link, seat)["choices"]
        action = choices[0 if choices[0]["action"]["type"] == "take" else -1]["action"]
        assert desk.act(link, made, seat, action)["type"] == "done"
    (finished,) = desk.finished
    assert checks(finished.record)
    assert desk.ask(EVE, "record", table=made)["lines"] == finished.record
    assert desk.published[-1]["view"]["standing"] == finished.record[-1]["result"]["standing"]


# A whole game of experts takes too long here.
@pytest.mark.parametrize("level", [level for level in GAME.bots if level != "expert"])
@pytest.mark.parametrize(("seats", "edition"), [(2, "era-2"), (1, "era-1")])
def test_bots_play_to_the_end(level: str, seats: int, edition: str) -> None:
    desk = Desk()
    kinds: Any = [{"kind": "bot", "level": level}] * seats
    made = desk.ask(ANN, "open", game=GAME.name, seats=kinds, settings={"edition": edition}, seed="bots")
    desk.ask(ANN, "watch", table=made["table"])
    think(desk)
    assert desk.service.tables[made["table"]].status == "over"
    (finished,) = desk.finished
    assert checks(finished.record)


def test_what_is_no_table_for_this_game_is_refused() -> None:
    desk = Desk()
    for seats, given in (
        (3, {}),
        (1, {"edition": "era-2"}),
        (2, {"edition": "english"}),
        (2, {"cavern": "2"}),
    ):
        kinds: Any = [{"kind": "open"}] * seats
        refused = desk.ask(ANN, "open", game=GAME.name, seats=kinds, settings=given)
        assert refused["code"] == "bad_message", (seats, given)
    hello = desk.ask(ANN, "hello", protocol=1)
    told = {game["name"]: game for game in hello["games"]}[GAME.name]
    assert told["seats"] == [1, 2]
