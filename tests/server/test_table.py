"""One game in play: stale choices, undo and its barriers, records (PROTOCOL.md)."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from cave import codec, games, protocol, record
from cave.game import BadData, Game, Refused
from cave.the_cave.game import TheCave
from server.tables import opening
from server.tables.effects import SeatView
from server.tables.opening import Setup
from server.tables.table import Table
from tests.cave.players import explorer
from tests.server.kit import ANN, BACK, BEA, NORTH, OTHER_PACK, PACK, Desk, position, seated, told, whole

DISCOVER = {"type": "discover"}
END = {"type": "end_turn"}


def do(table: Table, seat: int, action: Any) -> None:
    table.commit(table.change_by_action(seat, table.seq, action))


def undo(table: Table, seat: int) -> None:
    table.commit(table.change_by_undo(seat, table.seq))


def code(call: Any, *arguments: Any) -> str:
    with pytest.raises(Refused) as caught:
        call(*arguments)
    return caught.value.code


def a_table(start: Any = None, seed: str = "a seed") -> Table:
    """A table where Ann and Bea have sat down and the game has begun."""
    game = games.get_game("the-cave")
    seats = (protocol.SeatSpec("open"), protocol.SeatSpec("open"))
    table = Table("t", Setup(game.name, {"edition": "english"}, seats, seed, "2026-01-02", start=start))
    table.seat_player(0, "Ann", "key-a", ANN)
    table.seat_player(1, "Bea", "key-b", BEA)
    table.commit(table.change_by_start())
    return table


def test_a_refused_action_changes_nothing():
    table = a_table(position())
    before = whole(table)
    assert code(table.change_by_action, 0, table.seq, {"type": "dive"}) == "no_token"
    assert code(table.change_by_action, 0, table.seq, {"type": "fly"}) == "bad_action"
    assert code(table.change_by_action, 1, table.seq, END) == "not_your_turn"
    assert code(table.change_by_action, 2, table.seq, END) == "no_seat"
    assert whole(table) == before


@pytest.mark.parametrize("name", ["", "A" * 200, "Ann\x1b[2J"])
def test_an_impossible_name_is_refused(name: str):
    """A journal may be damaged, too."""
    table = a_table()
    table.free_seat(0)
    with pytest.raises(BadData):
        table.seat_player(0, name, "key", ANN)
    assert table.seats[0].kind == "open"


def test_an_action_chosen_before_the_choices_changed_is_stale():
    table = a_table(position())
    do(table, 0, NORTH)
    assert code(table.change_by_action, 0, 1, BACK) == "stale"
    assert code(table.change_by_action, 0, table.seq + 1, BACK) == "stale"
    do(table, 0, BACK)


def test_simultaneous_packing_makes_no_action_stale():
    table = a_table()
    chosen_at = table.seq
    table.commit(table.change_by_action(0, chosen_at, PACK))
    table.commit(table.change_by_action(1, chosen_at, PACK))
    assert table.seq == chosen_at + 2


@pytest.mark.parametrize("form", [{"cards": [1, "é"], "viewer": None}, None])
def test_a_view_is_sent_unchanged(form: Any, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(TheCave, "view_json", lambda *_: form)
    monkeypatch.setattr(TheCave, "view_bytes", Game.view_bytes)
    monkeypatch.setattr(TheCave, "sees_as_watcher", lambda *_: isinstance(form, dict))
    table = a_table(position())
    assert codec.decode(table.public_view()) == form
    assert told(table, 0)["view"] == ({**form, "viewer": 0} if isinstance(form, dict) else form)


def test_a_seat_without_choices_gets_no_refusals():
    table = a_table(position())
    assert told(table, 0)["refused"]
    table.set_aside("It was set aside.")
    assert told(table, 0)["refused"] == []


def test_frame_sizes_reveal_no_secret_view_or_choice():
    game: Any = SimpleNamespace(
        secret_choices=True,
        sees_as_watcher=lambda *_: False,
        view=lambda state, *_: state,
        view_bytes=codec.encode,
        choice_json=lambda choice: choice,
        why_not=lambda *_: (),
    )
    sizes = {
        len(SeatView("t", game, seen, ("Ann",), 1, 0, b"{}", choices, 0).padded_frame())
        for seen in ({}, {"known": "x" * 1500})
        for choices in ((), ("y" * 1500,))
    }
    assert len(sizes) == 1


@pytest.mark.parametrize("seed", ["one", "two", "three"])
def test_all_through_a_game_undo_restores_equal_states_back_to_the_last_tile_turned_up(seed: str):
    """Rule 4.7. Everything is undone at random moments and then repeated."""
    table, rng = a_table(seed=seed), Random(seed)
    known: list[tuple[Any, ...]] = []
    undone = 0

    def all_there_is() -> tuple[Any, ...]:
        views = [{**told(table, seat), "seq": 0} for seat in (0, 1)]
        return table.game.position(table.state), views, len(table.record())

    while table.status == "playing":
        seat = min(table.to_act)
        action = table.game.action_json(explorer(table.game, table.state, seat, rng))
        before = all_there_is()
        do(table, seat, action)
        steps = table.count_undoable_steps(seat)
        known = [*known, before][-steps:] if steps else []
        assert len(known) == steps
        if action["type"] == "discover":
            assert steps == 0
        if steps and rng.random() < 0.2:
            after = all_there_is()
            actions = [line["action"] for line in table.record([0, 1])[-steps:]]
            for earlier in reversed(known):
                undo(table, seat)
                assert all_there_is() == earlier
                undone += 1
            assert code(table.change_by_undo, seat, table.seq) == "nothing_to_undo"
            for again in actions:
                do(table, seat, again)
            assert all_there_is() == after
    assert undone > 50


def test_undo_does_not_cross_turns():
    table = a_table(position())
    do(table, 0, NORTH)
    do(table, 0, END)
    assert code(table.change_by_undo, 0, table.seq) == "nothing_to_undo"
    assert code(table.change_by_undo, 1, table.seq) == "nothing_to_undo"


def test_a_player_cannot_undo_anothers_steps():
    table = a_table(position())
    do(table, 0, NORTH)
    assert table.count_undoable_steps(0) == 1
    assert table.count_undoable_steps(1) == 0
    assert code(table.change_by_undo, 1, table.seq) == "nothing_to_undo"


def test_a_pack_at_the_start_cannot_be_undone():
    table = a_table()
    do(table, 0, PACK)
    assert code(table.change_by_undo, 0, table.seq) == "nothing_to_undo"


def test_the_record_hides_packs_seed_and_start_until_they_are_public():
    table = a_table()
    do(table, 0, PACK)
    assert [line.get("seat") for line in table.record()] == [None]
    assert [line.get("seat") for line in table.record([1])] == [None]
    assert table.record([0])[1]["action"]["backpack"] == PACK["backpack"]
    do(table, 1, OTHER_PACK)
    assert [line.get("seat") for line in table.record()] == [None, 0, 1]
    assert "seed" not in table.record()[0]


def test_a_custom_start_is_in_the_record_only_after_the_end():
    table = a_table(position(stack=("NS",)))
    assert "start" not in table.record()[0]
    do(table, 0, NORTH)
    do(table, 0, DISCOVER)
    do(table, 0, table.game.action_json(table.choices_of_seat(0)[0].action))
    while table.status == "playing":
        seat = min(table.to_act)
        choices = [table.game.choice_json(choice) for choice in table.choices_of_seat(seat)]
        # Ending turns at once starves the teams, which soon ends the game.
        last = choices[-1]["action"]
        do(table, seat, last)
    lines = table.record()
    assert lines[0]["start"]["teams"][0]["name"] == "Ann"
    assert "seed" not in lines[0]
    checked = record.check_record(record.write(lines).splitlines(keepends=True))
    assert checked.matches is True


def test_bots_at_one_table_have_different_names():
    desk = Desk()
    desk.open("bot", "bot", "open")
    listed = desk.ask(ANN, "tables")["tables"][0]
    assert [seat["name"] for seat in listed["seats"]] == ["Novice 1", "Novice 2", ""]


def test_a_position_gets_the_names_of_its_players():
    desk, table = seated(start=position())
    names = [team["name"] for team in desk.view(ANN, 0)["view"]["position"]["teams"]]
    assert names == ["Ann", "Bea"]
    assert desk.service.tables[table].public_facts()["set_up"] is True


def opened(**more: Any) -> Any:
    form = {"id": "1", "game": "the-cave", "seats": [{"kind": "open"}] * 2, **more}
    message = msgspec.convert(form, protocol.Open)
    return opening.read_setup(message, lambda: "any", "now", protocol.Absence())


def test_options_missing_in_an_earlier_version_have_its_defaults():
    """No owner was known, and bots had one pace."""
    data: Any = codec.to_json(opened(absence={"then": "skip", "after": 7}))
    assert codec.parse(data, Setup) == opened(absence={"then": "skip", "after": 7})
    for name in ("opener", "by_owner", "pace", "hints", "absence"):
        del data[name]
    setup = codec.parse(data, Setup)
    assert (setup.opener, setup.by_owner, setup.pace, setup.hints) == ("", False, "usual", True)
    assert setup.absence == protocol.Absence()
    del data["seed"]
    with pytest.raises(BadData, match="seed: is missing"):
        codec.parse(data, Setup)


def test_versions_are_a_number_or_a_range_of_two():
    assert [opening.protocol_versions(wanted) for wanted in (1, [1, 3])] == [(1, 1), (1, 3)]
    for wrong in (True, "1", None, [], [1], [1, 2, 3], [1, "2"], [True, 2], 1.0):
        with pytest.raises(BadData, match="version"):
            opening.protocol_versions(wrong)
