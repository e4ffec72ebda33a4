"""Each game at a host: people play it to its end, and tables that it cannot have are refused."""

from __future__ import annotations

import pytest

from cave import bots, games
from cave.game import Json
from tests.game_kit import LINKS, checks, table
from tests.server.kit import ANN, EVE, Desk


@pytest.mark.parametrize("name", games.game_names())
def test_people_play_to_the_end_and_the_record_checks(name: str) -> None:
    game = games.get_game(name)
    settings = {"round_limit": 9} if name == "caves-of-casadh" else {}
    desk, made = table(game, game.position(game.new(2, settings, "people")))
    here, level = desk.service.tables[made], next(iter(game.bots))
    while here.status == "playing":
        seat = min(here.to_act)
        seen = desk.view(LINKS[seat], seat)
        action = bots.choose(name, level, seen["view"], seen["choices"], str(here.seq))
        assert desk.act(LINKS[seat], made, seat, action)["type"] == "done"
    (finished,) = desk.finished
    assert checks(finished.record)
    assert desk.ask(EVE, "record", table=made)["lines"] == finished.record
    told = desk.published[-1]
    assert (told["status"], told["view"]["hidden"]) == ("over", [])
    assert told["view"]["standing"] == finished.record[-1]["result"]["standing"]


@pytest.mark.parametrize(
    ("name", "seats", "settings"),
    [
        ("sir-ocelots-cave", 3, {}),
        ("cave-vs-cave", 3, {}),
        ("cave-vs-cave", 1, {"edition": "era-2"}),
        ("cave-vs-cave", 2, {"cavern": "2"}),
        ("caves-of-casadh", 1, {}),
        ("caves-of-casadh", 7, {}),
        ("caves-of-casadh", 2, {"round_limit": -2}),
    ],
)
def test_an_impossible_table_is_refused(name: str, seats: int, settings: Json) -> None:
    refused = Desk().ask(ANN, "open", game=name, seats=[{"kind": "open"}] * seats, settings=settings)
    assert refused["code"] == "bad_message"
