"""Non-interference on the wire (rule 6.3): hidden information changes no byte of a viewer."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from cave.caves_of_casadh.state import Drawn, Laid, Offer, Treasure
from cave.game import BadData, Json
from tests.cave.caves_of_casadh.builders import (
    END,
    GAME,
    TREASURE,
    example,
    explore,
    inside,
    keep,
    laid,
    move,
    place,
    position,
)
from tests.game_kit import at_a_host
from tests.server.kit import ANN, BEA, EVE
from tests.server.listeners import alike, heard


def start(**hidden: Any) -> Json:
    """Both are at a marker with treasures; a new hex brings two treasures to choose from."""
    values = {"held": [3, 4], "lying": [5, 6], "seen": [7], "bag": [1, 2, 8], **hidden}
    hexes = [
        laid(
            (0, -1),
            "L1-01",
            treasures=[
                *({"value": value} for value in values["lying"]),
                *({"value": value, "seen": 0} for value in values["seen"]),
            ],
        )
    ]
    more = {name: values[name] for name in ("dice", "lots", "seed", "supply", "cards", "pile") if name in values}
    return position(
        inside((0, -1), treasures=values["held"]),
        inside((0, -1)),
        hexes=hexes,
        bag=values["bag"],
        **{"pile": ["L1-04", "L1-03"], "cards": ["C03", "C01"], "supply": ["rope", "boots"], **more},
    )


PICK = ((0, TREASURE),)
EXPLORE = ((0, explore(0, -2)), (0, place(0)))


@pytest.mark.parametrize("steps", [(), ((0, move(0, 0)),), ((0, explore(0, -2)),)])
def test_future_draws_and_rolls_change_no_view(steps: Any) -> None:
    def world(**hidden: Any) -> dict[bytes, list[bytes]]:
        desk, made = at_a_host(GAME, start(**hidden), *steps)
        return heard(desk, made, {EVE: (), ANN: (0,), BEA: (1,)})

    alike(
        [
            world(),
            world(bag=[8, 1, 2]),
            world(cards=["C01", "C03"]),
            world(supply=["boots", "rope"]),
            world(pile=["L1-04", "L1-06"]),
            world(dice=[6, 6], lots=[1], seed="other"),
        ]
    )


@pytest.mark.parametrize("steps", [(), PICK[:0], ((0, END), (1, END)), EXPLORE])
def test_treasures_that_others_hold_or_saw_are_hidden(steps: Any) -> None:
    """Ana's treasures, and the one that she put back, are different."""

    def world(**hidden: Any) -> dict[bytes, list[bytes]]:
        desk, made = at_a_host(GAME, start(**hidden), *steps)
        return heard(desk, made, {EVE: (), BEA: (1,)})

    alike([world(), world(held=[9, 9]), world(held=[0, 4], seen=[2]), world(lying=[0, 1])])


def test_only_the_owner_sees_picked_up_treasures() -> None:
    """During the choice, after the rest is put back, and in the next turn; even the number of values."""

    def world(lying: list[int], kept: int) -> dict[bytes, list[bytes]]:
        steps = (*PICK, (0, keep(kept)), (0, END))
        for end in (1, 2, 3):
            desk, made = at_a_host(GAME, start(lying=lying), *steps[:end])
            told = heard(desk, made, {EVE: (), BEA: (1,)})
            worlds.setdefault(end, []).append(told)
        return told

    worlds: dict[int, list[dict[bytes, list[bytes]]]] = {}
    world([5, 6], 7)
    world([5, 5], 5)
    world([7, 7], 7)
    world([0, 9], 0)
    for each in worlds.values():
        alike(each)


def test_the_finder_sees_the_treasure() -> None:
    frames = []
    for lying in ([5, 6], [5, 4]):
        desk, made = at_a_host(GAME, start(lying=lying), *PICK)
        frames.append(heard(desk, made, {ANN: (0,)})[ANN])
    assert frames[0] != frames[1]


def test_the_size_of_a_message_does_not_depend_on_the_number_of_values() -> None:
    sizes = set()
    for lying in ([7, 7], [5, 7], [5, 6]):
        desk, made = at_a_host(GAME, start(lying=lying), *PICK)
        sizes.add(tuple(map(len, heard(desk, made, {ANN: (0,)})[ANN][:1])))
    assert len(sizes) == 1


def test_a_draw_and_what_came_before_cannot_be_undone() -> None:
    for steps, answer in (
        (((0, move(0, 0)),), "done"),
        (PICK, "error"),
        (((0, move(0, 0)), (0, explore(1, 0))), "error"),
    ):
        desk, made = at_a_host(GAME, start(), *steps)
        undone = desk.ask(ANN, "undo", table=made, seat=0, seq=desk.service.tables[made].seq)
        assert undone["type"] == answer, undone


def test_the_record_of_an_unfinished_game_hides_kept_treasures() -> None:
    desk, made = at_a_host(GAME, start(), *PICK, (0, keep(6)), (0, END))
    for link, knows in ((ANN, True), (BEA, False), (EVE, False)):
        lines = desk.ask(link, "record", table=made)["lines"]
        assert (keep(6) in [line.get("action") for line in lines]) == knows


def test_a_pile_without_a_size_in_the_view_is_empty() -> None:
    """A host may leave sizes out; then the future is unknown."""
    view = GAME.view_json(GAME.view(GAME.new(2, {}, "sizes"), 0))
    for name in ("hexes_left", "cards_left", "supply_left", "bag_left"):
        del view["position"][name]
    cave = GAME.view_from_json(view).cave
    assert (cave.hexes, cave.cards, cave.supply, cave.bag) == ((), (), (), ())


@pytest.mark.parametrize("path", ["cards_left", "supply_left", "bag_left", "hexes_left.pile", "hexes_left.level_2"])
def test_a_view_with_an_impossible_pile_size_is_refused_early(path: str) -> None:
    view = GAME.view_json(GAME.view(GAME.new(2, {}, "sizes"), 0))
    field, _, part = path.partition(".")
    size = view["position"][field]
    view["position"][field] = {**size, part: 2**53 - 1} if part else 2**53 - 1
    with pytest.raises(BadData, match=rf"^position\.{path}: is too large"):
        GAME.view_from_json(view)


def test_a_replay_of_a_finished_game_shows_all_treasures() -> None:
    """Rule 9.3: at the end all treasures are shown; piles, bag and dice stay hidden."""
    now = GAME.from_position(start())
    watched, reviewed = GAME.view(now, None), GAME.review(now)
    assert watched.cave.players[0].treasures == (None, None)
    assert reviewed.cave.players[0].treasures == (3, 4)
    lying = [each.value for each in reviewed.cave.map[0, -1].treasures]
    assert sorted(lying) == [5, 6, 7]
    assert reviewed.viewer is None
    for pile in ("hexes", "cards", "supply", "bag"):
        assert getattr(reviewed.cave, pile) == getattr(watched.cave, pile)


def test_a_choice_is_offered_only_to_the_seat_to_act() -> None:
    """SECURITY.md: the client checks the host's messages."""
    now = GAME.from_position(start())
    (seat,) = GAME.to_act(now)
    for choice in GAME.choices(now, seat):
        offered = [GAME.may_offer(GAME.view(now, viewer), choice) for viewer in (seat, 1 - seat, None)]
        assert offered == [True, False, False]


def test_a_dead_player_knows_a_watchers_view_and_the_treasures_it_has_seen() -> None:
    for seen, alike_to_watchers in (([7], False), ([], True)):
        now = GAME.from_position(start(held=[], seen=seen))
        dead = msgspec.structs.replace(now.players[0], state="dead")
        assert not GAME.sees_as_watcher(now, 0), "who lives knows more"
        after = msgspec.structs.replace(now, players=(dead, *now.players[1:]))
        assert GAME.sees_as_watcher(after, 0) == alike_to_watchers
        assert not GAME.sees_as_watcher(after, 1)


def test_everything_public_is_visible() -> None:
    """Rule 6.3 hides values and the order of piles, and nothing else."""
    now = GAME.from_position(example())
    beyond = msgspec.structs.replace(now.players[0], passage=1)
    players = (beyond, *now.players[1:])
    now = msgspec.structs.replace(now, players=players, drawn=Drawn("L1-07", (2, -1)), phase="placing")
    shown = GAME.view(now, None).cave
    hidden = {"players", "map", "hexes", "cards", "supply", "bag", "dice", "seed"}
    for name in now.__struct_fields__:
        assert (getattr(shown, name) == getattr(now, name)) == (name not in hidden), name
    for before, after in zip(now.players, shown.players, strict=True):
        assert msgspec.structs.replace(after, treasures=before.treasures) == before
        assert after.treasures == (None,) * len(before.treasures)
    for at, real in now.map.items():
        seen = shown.map[at]
        assert msgspec.structs.replace(seen, treasures=real.treasures) == real
        assert seen.treasures == (Treasure(None),) * len(real.treasures)
    for name in ("hexes", "cards", "supply", "bag"):
        assert len(getattr(shown, name)) == len(getattr(now, name))


@pytest.mark.parametrize(("viewer", "hidden"), [(0, []), (1, [0]), (None, [0])])
def test_a_view_lists_the_seats_with_unknown_treasures(viewer: int | None, hidden: list[int]) -> None:
    assert GAME.view_json(GAME.view(GAME.from_position(start()), viewer))["hidden"] == hidden


def test_an_offered_treasure_is_not_also_imagined_in_the_bag() -> None:
    """Rule 1.4: there are ten of each value."""
    new = GAME.new(2, {}, "box")
    now = msgspec.structs.replace(
        new, offer=Offer(new.bag[:3], "collect_treasure", (0, 0)), phase="keeping", bag=new.bag[3:]
    )
    for viewer in (0, 1):
        world = GAME.imagine(GAME.view(now, viewer), "a seed")
        assert sorted((*world.offer.values, *world.bag)) == sorted(new.bag)


def test_a_seat_knows_the_treasures_on_a_hex_that_it_has_seen() -> None:
    now = GAME.from_position(start(lying=[5], seen=[7, 2]))
    by_seat = [GAME.view(now, seat).cave.map[0, -1].treasures for seat in (0, 1)]
    assert by_seat[0] == (Treasure(7, 0), Treasure(2, 0), Treasure(None))
    assert by_seat[1] == (Treasure(None),) * 3


@pytest.mark.parametrize(("viewer", "knows"), [(0, True), (1, False), (None, False)])
def test_offered_treasures_are_shown_to_the_choosing_player(viewer: int | None, knows: bool) -> None:
    offer = Offer((3, 8), "collect_treasure", (0, -1))
    now = msgspec.structs.replace(GAME.from_position(start()), phase="keeping", offer=offer)
    shown = GAME.view(now, viewer).cave.offer
    assert shown == (offer if knows else msgspec.structs.replace(offer, values=(None, None)))
    assert [GAME.may_know(now, 0, GAME.action_from_json(keep(3)), each) for each in (0, 1, None)] == [
        True,
        False,
        False,
    ]
    assert GAME.may_know(now, 0, GAME.action_from_json(END), None)
    over = msgspec.structs.replace(now, phase="over", seat=None, offer=None)
    assert GAME.may_know(over, 0, GAME.action_from_json(keep(3)), None)
    assert GAME.sees_as_watcher(over, 0)
    assert GAME.view(over, None).cave.players == over.players
    assert GAME.view(over, None).cave.map == over.map


def test_a_choice_of_another_phase_from_a_host_is_not_offered() -> None:
    now = GAME.from_position(start())
    placing = msgspec.structs.replace(now, phase="placing", drawn=Drawn("L1-04", (0, -2)))
    offered = {
        (at, name): GAME.may_offer(GAME.view(state, 0), choice)
        for at, state in (("actions", now), ("placing", placing))
        for name, choices in (("act", GAME.choices(now, 0)), ("place", GAME.choices(placing, 0)))
        for choice in choices[:1]
    }
    assert {key for key, may in offered.items() if may} == {("actions", "act"), ("placing", "place")}


def test_imagined_and_visible_components_are_exactly_those_of_the_box() -> None:
    """Rule 2: hexes, cards and items. Each pile keeps its size."""
    new = GAME.new(3, {}, "box")
    kinds = [kind for kind in new.supply[:6] if kind]
    laid_out = {(0, -1): Laid(new.hexes[0], items=tuple(kinds[:2])), **new.map}
    holder = msgspec.structs.replace(
        new.players[1], items=tuple(kinds[2:5]), misfortunes=new.cards[:2], treasures=new.bag[:2]
    )
    now = msgspec.structs.replace(
        new,
        map=laid_out,
        players=(new.players[0], holder, new.players[2]),
        hexes=new.hexes[2:],
        drawn=Drawn(new.hexes[1], (0, -2)),
        phase="placing",
        cards=new.cards[5:],
        discards=new.cards[2:5],
        supply=new.supply[5:],
        bag=new.bag[2:],
    )
    for seed in range(4):
        for viewer in (0, 1, None):
            world = GAME.imagine(GAME.view(now, viewer), str(seed))
            for name in ("hexes", "cards", "supply"):
                assert sorted(getattr(world, name)) == sorted(getattr(now, name)), name
            assert sorted((*world.bag, *world.players[1].treasures)) == sorted(new.bag)
            assert world.hexes != now.hexes
            assert (world.map, world.drawn, world.discards) == (now.map, now.drawn, now.discards)
    gone = msgspec.structs.replace(now, cards=now.cards[4:], supply=now.supply[2:])
    world = GAME.imagine(GAME.view(gone, 0), "some have left the game")
    assert (len(world.cards), len(world.supply)) == (len(gone.cards), len(gone.supply))
