"""The toy game at a host: in one process, and over the wire with clients and bots, for one to six seats."""

from __future__ import annotations

import pytest

from cave_game.template.game import GAME
from tests.game_kit import checks, play
from tests.server.kit import ANN, BEA, EVE, Desk, come_back
from tests.server.memory import MemoryJournal
from tests.toy.test_secrecy import light, seated


@pytest.mark.parametrize("people", GAME.seats)
def test_people_play_to_the_end_and_the_record_checks(people: int) -> None:
    desk, made = seated([(1, 2, 3), (3, 4, 4), (1, 5, 6), (2, 2, 6), (1, 3, 5), (4, 5, 6)][:people])
    play(desk, made, people)
    (finished,) = desk.finished
    assert checks(finished.record)
    assert len(finished.record) == 1 + 3 * people + 1
    assert desk.ask(EVE, "record", table=made)["lines"] == finished.record
    assert desk.published[-1]["status"] == "over"
    assert desk.published[-1]["view"]["standing"] == finished.record[-1]["result"]["standing"]


def test_secret_or_revealed_choices_cannot_be_undone() -> None:
    desk, made = seated([(1, 2, 3), (4, 5, 6)])
    light(desk, made, 0, 1)
    for seat, lantern in ((1, 4), (1, 5)):
        undone = desk.ask(ANN, "undo", table=made, seat=0, seq=desk.view(ANN, 0)["seq"])
        assert undone["code"] == "nothing_to_undo"
        assert "tile" not in undone["message"]
        if lantern == 4:
            light(desk, made, seat, lantern)


def test_a_host_restarted_in_mid_round_knows_who_has_chosen() -> None:
    desk = Desk(journal=(journal := MemoryJournal()))
    made = desk.open("open", "open", game="lanterns", seed="restart")
    keys = [desk.ask(link, "sit", table=made, name=name)["key"] for link, name in ((ANN, "Ann"), (BEA, "Bea"))]
    lantern = desk.view(ANN, 0)["choices"][0]["action"]
    desk.act(ANN, made, 0, lantern)
    before = [desk.view(link, seat)["view"] for link, seat in ((ANN, 0), (BEA, 1))]
    come_back(desk, journal)
    for seat, link in enumerate((ANN, BEA)):
        desk.ask(link, "resume", table=made, seat=seat, key=keys[seat])
        assert desk.view(link, seat)["view"] == before[seat]
    assert [line.get("seat") for line in desk.ask(BEA, "record", table=made)["lines"]] == [None]
    play(desk, made, 2)
    assert checks(desk.finished[-1].record)


def test_a_stand_in_lights_the_lantern_of_an_absent_player() -> None:
    desk = Desk()
    made = desk.seated(game="lanterns", seed="away", absence={"then": "skip", "after": 5})
    desk.take(desk.service.clients.connection_lost(BEA, desk.now))
    for _ in range(4):
        desk.now += 10.0
        desk.ask(ANN, "ping")
        desk.take(desk.service.do_timed_work(desk.now))
    assert desk.service.tables[made].to_act == {0}
