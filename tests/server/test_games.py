"""Each game at a host: people play it to its end."""

from __future__ import annotations

import pytest

from cave import bots, games
from tests.game_kit import LINKS, checks, table
from tests.server.kit import EVE


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
