"""Non-interference on the wire: other hands, choices and gems to come change no byte that a viewer gets."""

from __future__ import annotations

from typing import Any

import pytest

from cave import codec
from cave_game.template.game import GAME
from tests.game_kit import LINKS, NAMES, table
from tests.server.kit import ANN, BEA, EVE, Desk
from tests.server.listeners import alike, heard


def position(hands: list[tuple[int, ...]], gems: tuple[int, ...] = (4, 1, 5)) -> Any:
    """A game about to begin with these hands."""
    players = [{"name": name, "hand": hand} for name, hand in zip(NAMES, hands, strict=False)]
    form = {"format": "cave-position", "version": 1, "game": "lanterns", "players": players, "gems": gems}
    form["settings"] = {"rounds": len(gems)}
    return GAME.position(GAME.from_position(form))


def seated(hands: list[tuple[int, ...]], gems: tuple[int, ...] = (4, 1, 5), bea: str = "Bea") -> tuple[Desk, str]:
    """All seats are taken, and a client watches."""
    return table(GAME, position(hands, gems), {"Bea": bea})


def light(desk: Desk, made: str, seat: int, lantern: int) -> None:
    done = desk.act(LINKS[seat], made, seat, {"type": "light", "lantern": lantern})
    assert done["type"] == "done", done


@pytest.mark.parametrize("seats", GAME.seats)
def test_gems_to_come_are_hidden_from_all(seats: int) -> None:
    def world(*gems: int) -> dict[bytes, list[bytes]]:
        desk, made = seated([(1, 2, 3)] * seats, gems)
        light(desk, made, 0, 1)
        viewers = {LINKS[seat]: (seat,) for seat in range(seats)}
        return heard(desk, made, {EVE: (), **viewers})

    # A player alone has found the second gem by now.
    worlds = [(4, 1, 5), (4, 1, 2)] if seats == 1 else [(4, 1, 5), (4, 2, 1), (4, 5, 5)]
    alike([world(*gems) for gems in worlds])


@pytest.mark.parametrize("seats", GAME.seats[1:])
def test_hands_and_choices_are_hidden_from_the_others(seats: int) -> None:
    def world(hand: tuple[int, ...], lantern: int) -> dict[bytes, list[bytes]]:
        desk, made = seated([hand, *[(2, 4, 6)] * (seats - 1)])
        light(desk, made, 0, lantern)
        viewers = {LINKS[seat]: (seat,) for seat in range(1, seats)}
        return heard(desk, made, {EVE: (), **viewers})

    alike([world((1, 2, 3), 1), world((1, 2, 3), 3), world((5, 5, 6), 5)])


def test_the_choosing_player_sees_it() -> None:
    frames = []
    for lantern in (1, 3):
        desk, made = seated([(1, 2, 3), (4, 5, 6)])
        light(desk, made, 0, lantern)
        frames.append(heard(desk, made, {ANN: (0,)})[ANN])
    assert frames[0] != frames[1]


def test_a_lantern_equal_to_a_revealed_one_is_still_secret() -> None:
    """In the record of the game so far, too: the first of two equal actions stays in it."""

    def world(lantern: int) -> dict[bytes, list[bytes]]:
        desk, made = seated([(3, 3, 5), (1, 2, 4)])
        light(desk, made, 0, 3)
        light(desk, made, 1, 1)
        light(desk, made, 0, lantern)
        lines = desk.ask(BEA, "record", table=made)["lines"]
        assert [line.get("seat") for line in lines] == [None, 0, 1]
        own = desk.ask(ANN, "record", table=made)["lines"]
        assert [line.get("seat") for line in own] == [None, 0, 1, 0]
        return heard(desk, made, {EVE: (), BEA: (1,)})

    alike([world(3), world(5)])


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_size_of_a_frame_does_not_depend_on_the_hand(seats: int) -> None:
    """Encryption hides the contents, but not the size: of views with their choices and refusals, too."""

    def sizes(hand: tuple[int, ...], name: str) -> list[int]:
        desk, made = seated([hand, *[(1, 2, 3, 4, 5)] * (seats - 1)], (1, 2, 3, 4, 5), name)
        for lantern in (5, 4, 3):
            for seat in range(seats):
                light(desk, made, seat, lantern)
        views = [frame for frame in desk.to_viewer(ANN) if b'"type":"view"' in frame]
        assert any(codec.decode(frame)["refused"] for frame in views)
        return [len(frame) for frame in views]

    for length in range(1, 25):
        first, *rest = [sizes(hand, "n" * length) for hand in ((1, 2, 3, 4, 5), (3, 4, 5, 6, 6), (3, 3, 4, 4, 5))]
        assert len(first) > 4
        assert all(each == first for each in rest)
