"""Non-interference on the wire (rule 5.4): other amethysts change no byte that a viewer gets."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace

from cave.game import Json
from cave.sir_ocelots_cave.components import components
from cave.sir_ocelots_cave.state import Amethyst
from tests.cave.sir_ocelots_cave.builders import GAME, collect, example, position, tool
from tests.game_kit import at_a_host
from tests.server.kit import ANN, BEA, EVE
from tests.server.listeners import alike, heard

GEMS = {(5, 5): "geode", (5, 4): "opal", (11, 3): "geode"}
TOOLS = {(5, 0): "compass", (0, 5): "lamp", (1, 4): "lamp", (11, 0): "lamp"}


def start(blue: list[Any], green: list[Any]) -> Json:
    """A geode and an opal lack one tool; these amethysts are next in the bags."""
    return position(tools=TOOLS, gems=GEMS, bags={"blue": blue, "green": green})


DRAW = ((0, tool("pickaxe", (10, 5))), (0, collect((5, 5))))


@pytest.mark.parametrize("steps", [(), DRAW[:1]], ids=["before a draw", "about to draw"])
def test_the_contents_of_bags_change_no_view(steps: Any) -> None:
    """Only bags differ; drawn amethysts are the same in both worlds."""

    def world(green: list[Any]) -> dict[bytes, list[bytes]]:
        desk, made = at_a_host(GAME, start([6], green), *steps)
        return heard(desk, made, {EVE: (), ANN: (0,), BEA: (1,)})

    alike([world(green) for green in ([4, 5, 6], [6, 4, 5], [5, 6, 4])])


def test_only_the_owner_sees_a_drawn_amethyst() -> None:
    """During a draw, the turn after it, and in the record so far."""

    def world(value: int) -> dict[bytes, list[bytes]]:
        begin = start([6], [4, 5, 6])
        exchange(begin, 6, value)
        desk, made = at_a_host(GAME, begin, *DRAW, (1, tool("lamp", (8, 9))))
        lines = desk.ask(BEA, "record", table=made)["lines"]
        assert [line.get("seat") for line in lines] == [None, 0, 0, 1]
        return heard(desk, made, {EVE: (), BEA: (1,)})

    alike([world(6), world(4), world(2)])


def exchange(data: Json, value: int, other: int) -> None:
    """Swap the top blue amethyst and one of Ana's, which has the other value."""
    if other != value:
        own = next(each for each in data["players"][0]["amethysts"] if each["value"] == other)
        own["value"], data["bags"]["blue"] = value, [other]


def test_the_drawing_player_sees_the_amethyst() -> None:
    frames = []
    for value in (6, 2):
        begin = start([6], [4, 5, 6])
        exchange(begin, 6, value)
        desk, made = at_a_host(GAME, begin, *DRAW)
        frames.append(heard(desk, made, {ANN: (0,)})[ANN])
    assert frames[0] != frames[1]


def test_amethysts_of_other_players_are_hidden() -> None:
    """Bea's differ, but the bytes of Ana and the watcher do not."""

    def world(swap: bool) -> dict[bytes, list[bytes]]:
        begin = start([6], [4, 5, 6])
        mine = [each for each in begin["players"][1]["amethysts"] if each["bag"] == "blue"]
        if swap:
            begin["bags"]["blue"], mine[0]["value"] = [mine[0]["value"]], 6
        desk, made = at_a_host(GAME, begin, (0, tool("lamp", (8, 9))))
        return heard(desk, made, {EVE: (), ANN: (0,)})

    alike([world(False), world(True)])


def test_a_draw_and_what_came_before_cannot_be_undone() -> None:
    for steps, answer in ((DRAW[:1], "done"), (DRAW, "error")):
        desk, made = at_a_host(GAME, start([6], [4, 5, 6]), *steps)
        undone = desk.ask(ANN, "undo", table=made, seat=0, seq=desk.service.tables[made].seq)
        assert undone["type"] == answer, undone


def test_everything_except_bags_and_others_amethysts_is_visible() -> None:
    """Rule 5.4 hides these, and nothing else."""
    now = replace(GAME.from_position(example()), seat=1)
    for seat, knows in ((0, (True, False)), (1, (False, True)), (None, (False, False))):
        view = GAME.view(now, seat)
        for name in now.__struct_fields__:
            assert (getattr(view.cave, name) == getattr(now, name)) == (name not in ("bags", "players")), name
        assert (view.cave.bags, view.bag_sizes) == (((),) * 3, (7, 4, 3))
        for before, after, known in zip(now.players, view.cave.players, knows, strict=True):
            hidden = tuple(replace(each, value=None) for each in before.amethysts)
            assert after == (before if known else replace(before, amethysts=hidden))
    over = replace(now, seat=None, phase="over")
    assert GAME.view(over, None).cave.players == now.players, "at the end all are shown"
    assert GAME.review(now).cave.players == now.players, "in a replay, too"


def test_a_player_without_amethysts_has_a_watchers_view() -> None:
    now = GAME.from_position(example())
    without = replace(now, players=(replace(now.players[0], amethysts=()), now.players[1]))
    assert [GAME.sees_as_watcher(without, seat) for seat in (0, 1)] == [True, False]
    over = replace(now, seat=None, phase="over")
    assert [GAME.sees_as_watcher(over, seat) for seat in (0, 1)] == [True, True]


def test_imagined_and_visible_amethysts_are_exactly_those_of_the_bags() -> None:
    """Rule 1.5: for each bag, the amethysts drawn and those left."""
    now = GAME.from_position(example())
    more = (Amethyst("blue", now.bags[0][0]), Amethyst("red", now.bags[2][0]))
    now = replace(
        now,
        players=(replace(now.players[0], amethysts=(*now.players[0].amethysts, *more)), now.players[1]),
        bags=(now.bags[0][1:], now.bags[1], now.bags[2][1:]),
    )

    def whole(state: Any, bag: int) -> list[str]:
        name = components().levels[bag].bag
        drawn = [each.value for player in state.players for each in player.amethysts if each.bag == name]
        return sorted(map(str, [*state.bags[bag], *drawn]))

    worlds = [GAME.imagine(GAME.view(now, viewer), str(seed)) for seed in range(8) for viewer in (0, None)]
    boxes = [sorted(map(str, level.amethysts)) for level in components().levels]
    for world in worlds:
        for bag in range(3):
            assert not Counter(whole(world, bag)) - Counter(boxes[bag])
            assert len(whole(world, bag)) == len(whole(now, bag))
            assert len(world.bags[bag]) == len(now.bags[bag])
    for world in worlds[::2]:
        assert world.players[0] == now.players[0], "what is one's own is known"
    assert len({world.players[1].amethysts for world in worlds}) > 1
    assert len({world.bags for world in worlds}) > 1


def test_a_choice_of_another_seat_or_phase_or_beyond_the_board_is_not_offered() -> None:
    """SECURITY.md: the client checks the host's messages."""
    now = GAME.from_position(position(tools=TOOLS, gems=GEMS))
    choices = GAME.choices(now, 0)
    assert {choice.type for choice in choices} == {"companion", "tool"}
    for choice in choices:
        assert [GAME.may_offer(GAME.view(now, viewer), choice) for viewer in (0, 1, None)] == [
            True, False, False,
        ]  # fmt: skip
        assert not GAME.may_offer(GAME.view(replace(now, phase="collecting"), 0), choice)
        assert not GAME.may_offer(GAME.view(replace(now, phase="over"), 0), choice)
        field = next(name for name in ("at", "to") if hasattr(choice, name))
        assert not GAME.may_offer(GAME.view(now, 0), replace(choice, **{field: (99, 99)}))
    collecting = at_choice(now)
    (choice,) = GAME.choices(collecting, 0)
    assert GAME.may_offer(GAME.view(collecting, 0), choice)
    assert not GAME.may_offer(GAME.view(replace(collecting, phase="advancing"), 0), choice)
    assert not GAME.may_offer(GAME.view(collecting, 0), replace(choice, gems=(*choice.gems, (9, 9))))


def at_choice(now: Any) -> Any:
    return GAME.apply(now, 0, GAME.action_from_json(DRAW[0][1])).state
