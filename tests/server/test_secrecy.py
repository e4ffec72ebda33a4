"""Non-interference: information hidden from a viewer changes no byte for that viewer (promise 2).

Two hosts are run in parallel that differ only in hidden information: the order of the stacks, another team's
secret pack, the seed. Every frame that the viewer gets must be the same, for players and watchers, before and
after they reconnect.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cave import codec, wire
from tests.server.kit import ANN, BEA, EVE, NORTH, OTHER_PACK, PACK, Desk, position, whole
from tests.server.listeners import alike, heard

STACK = ("NS", "NE", "NESW")
PACKS = [
    PACK,
    OTHER_PACK,
    {"type": "pack", "backpack": {"consumable": 1}, "camp": {"oxygen": 2}},
    {"type": "pack", "backpack": {"oxygen": 5}, "camp": None},
]


def table(**fields: Any) -> tuple[Desk, str]:
    """Ann and Bea sit, Eve watches, each with her own key."""
    desk = Desk()
    made = desk.open("open", "open", **fields)
    desk.ask(EVE, "watch", table=made)
    desk.ask(ANN, "sit", table=made, name="Ann")
    desk.ask(BEA, "sit", table=made, name="Bea")
    return desk, made


@pytest.mark.parametrize("before", ["packing", "moved", "dived"])
def test_the_order_of_the_stacks_is_hidden_from_all(before: str):
    def world(stack: tuple[str, ...]) -> dict[bytes, list[bytes]]:
        desk, made = table(start=position(stack=stack, packing=before == "packing"))
        if before == "packing":
            desk.act(ANN, made, 0, PACK)
        else:
            desk.act(ANN, made, 0, NORTH)
        if before == "dived":
            desk.act(ANN, made, 0, {"type": "dive"})
        return heard(desk, made, {EVE: (), BEA: (1,), ANN: (0,)})

    alike([world(stack) for stack in itertools.permutations(STACK)])


def test_deeper_tiles_stay_hidden_after_a_draw():
    def world(stack: tuple[str, ...]) -> dict[bytes, list[bytes]]:
        desk, made = table(start=position(stack=stack))
        desk.act(ANN, made, 0, NORTH)
        desk.act(ANN, made, 0, {"type": "discover"})
        return heard(desk, made, {EVE: (), BEA: (1,), ANN: (0,)})

    for top in STACK:
        # Only the game knows which end of the list is the top: it must be one of the two.
        rest = [each for each in STACK if each != top]
        up = [world((top, *order)) for order in itertools.permutations(rest)]
        down = [world((*order, top)) for order in itertools.permutations(rest)]
        assert up[0] == up[1] or down[0] == down[1]


def test_a_secret_pack_is_hidden_from_the_others():
    def world(pack: Any) -> dict[bytes, list[bytes]]:
        desk, made = table(start=position(packing=True))
        desk.act(ANN, made, 0, pack)
        return heard(desk, made, {EVE: (), BEA: (1,)})

    alike([world(pack) for pack in PACKS])


def test_a_packing_player_sees_the_own_pack():
    frames = []
    for pack in PACKS[:2]:
        desk, made = table(start=position(packing=True))
        desk.act(ANN, made, 0, pack)
        frames.append(heard(desk, made, {ANN: (0,)})[ANN])
    assert frames[0] != frames[1]


THINGS = st.fixed_dictionaries(
    {},
    optional={thing: st.integers(0, 1) for thing in ("half_oxygen", "camera", "raft")}
    | {thing: st.integers(0, 4) for thing in ("consumable", "rope", "oxygen")},
)


def packed(pack: Any, *names: str) -> tuple[bool, list[int]]:
    """Return whether the pack is legal, and the sizes of Ann's messages while others have yet to pack."""
    desk = Desk()
    made = desk.open(*["open"] * len(names), seed="one seed")
    for name in names:
        desk.ask(ANN if name == names[0] else BEA, "sit", table=made, name=name)
    desk.raw.clear()
    done = desk.act(ANN, made, 0, pack)
    desk.ask(ANN, "sync", table=made)
    return done["type"] == "done", [len(frame) for to, frame in desk.raw if to == ANN]


@settings(max_examples=60, deadline=None)
@given(
    THINGS,
    st.none() | THINGS,
    st.lists(st.text("abcdefgh", min_size=5, max_size=20), min_size=2, max_size=5, unique=True),
)
def test_frame_sizes_do_not_depend_on_the_pack(backpack: Any, camp: Any, names: list[str]):
    """Encryption hides the contents, but not the size."""
    legal, sizes = packed({"type": "pack", "backpack": backpack, "camp": camp}, *names)
    if legal:
        assert sizes == packed({"type": "pack", "backpack": {}}, *names)[1]
        assert sum(size % wire.STEP == 0 for size in sizes) == 2


def test_frame_sizes_do_not_depend_on_the_largest_pack():
    backpack = {"consumable": 1, "rope": 1, "oxygen": 1, "raft": 1, "camera": 1}
    largest = {"type": "pack", "backpack": backpack, "camp": {"consumable": 1, "rope": 1, "oxygen": 2}}
    for length in range(5, 25):
        names = ("n" * length, "m" * length)
        assert packed(largest, *names) == packed({"type": "pack", "backpack": {}}, *names)


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 9000), st.integers(-10, wire.SECRET), st.integers(-10, wire.SECRET))
def test_the_size_of_a_padded_message_depends_only_on_public_facts(known: int, secret: int, other: int):
    known = max(known, 10)
    one, two = wire.pad_message(b"x" * (known + secret), secret), wire.pad_message(b"y" * (known + other), other)
    assert len(one) == len(two)
    assert len(one) % wire.STEP == 0
    assert one.rstrip(b" ") == b"x" * (known + secret)


def test_the_seed_is_hidden_before_the_first_draw():
    seen = defaultdict(list)
    for number in range(12):
        desk, made = table(seed=f"seed {number:02}")
        # Who begins is drawn from the seed, and everybody may know it.
        known = codec.encode(whole(desk.service.tables[made]))
        seen[known].append(heard(desk, made, {EVE: (), BEA: (1,), ANN: (0,)}))
    assert any(len(worlds) > 1 for worlds in seen.values())
    for worlds in seen.values():
        if len(worlds) > 1:
            alike(worlds)


@pytest.mark.parametrize("secret", ["seed", "code"])
def test_secret_options_of_a_table_change_no_message(secret: str):
    def world(text: str) -> dict[bytes, list[bytes]]:
        fields: dict[str, Any] = {secret: text}
        if secret == "code":
            fields["start"] = position()
        desk = Desk()
        made = desk.open("open", "open", **fields)
        known = {"code": text} if secret == "code" else {}
        desk.ask(EVE, "watch", table=made)
        desk.ask(ANN, "sit", table=made, name="Ann", **known)
        desk.ask(BEA, "sit", table=made, name="Bea", **known)
        return heard(desk, made, {EVE: (), BEA: (1,), ANN: (0,)})

    texts = ("a-secret-text", "other-secret!")
    for text in texts:
        assert not any(text.encode() in frame for frames in world(text).values() for frame in frames)
    if secret == "code":
        alike([world(text) for text in texts])
