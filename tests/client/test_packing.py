"""The packing presenter: any sequence of edits stays within the limits of the rules."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from cave.game import Idea
from cave.games import get_game
from cave.the_cave.actions import Form
from cave.the_cave.packing import exchange_form, pack_form
from cave.the_cave.state import ITEM_NAMES, NOTHING, Camp, Items, Team
from client import games
from client.games.the_cave import packing
from client.games.the_cave.packing import PackDraft
from client.present.advice import suggested_first

GAME = get_game("the-cave")
STATE = GAME.new(2, {}, "k")
BASE = (0, 0)

TEAMS = {
    "start": Team(BASE),
    "camp in the pack": Team(BASE, Items(2), Camp("packed", None, Items(1, 1))),
    "camp pitched here": Team(BASE, Items(1, 1, 0, 1), Camp("pitched", BASE, Items(2, 0, 0, 1, 1))),
    "camp elsewhere with the camera": Team(BASE, Items(1), Camp("pitched", (0, 1), Items(camera=1))),
    "camera lost": Team(BASE, Items(3), Camp(), lost=("camera",)),
    "camp gone": Team(BASE, Items(3), Camp("abandoned")),
}


def form_of(name: str) -> Form:
    return pack_form(TEAMS[name], free=True)


def accepted(name: str, draft: PackDraft) -> None:
    """Check that the rules accept the pack."""
    state = replace(STATE, teams=(TEAMS[name], STATE.teams[1]), board={**STATE.board}, phase="packing")
    GAME.apply(state, 0, GAME.decode(state, 0, packing.pack_action(draft)))


moves = st.lists(
    st.one_of(
        st.tuples(st.just("add"), st.sampled_from(["backpack", "camp"]), st.sampled_from(ITEM_NAMES)),
        st.tuples(st.just("remove"), st.sampled_from(["backpack", "camp"]), st.sampled_from(ITEM_NAMES)),
        st.tuples(st.just("camp"), st.booleans()),
        st.tuples(st.just("kit"), st.integers(0, 3)),
    ),
    max_size=30,
)


@pytest.mark.parametrize("name", TEAMS)
@given(moves=moves)
def test_any_edits_keep_the_pack_legal(name: str, moves: list[tuple[object, ...]]) -> None:
    """Rules 2.3, 6.1 to 6.3 and 6.9: the screen cannot make an illegal pack."""
    limits = form_of(name).limits
    draft = packing.first_draft(limits)
    accepted(name, draft)
    for move in moves:
        match move:
            case ("add", where, item):
                reason = packing.why_not_add(limits, draft, where, item)  # type: ignore[arg-type]
                after, _ = packing.put_into_draft(limits, draft, where, item)  # type: ignore[arg-type]
                assert (after == draft) == bool(reason)
                draft = after
            case ("remove", where, item):
                draft = packing.remove_from_draft(draft, where, item)  # type: ignore[arg-type]
            case ("camp", True):
                draft = packing.with_camp(limits, draft)
            case ("camp", False):
                draft = packing.without_camp(limits, draft)
            case ("kit", int(number)):
                draft = packing.ready_kits(limits)[number].draft
        accepted(name, draft)


def test_between_trips_the_last_kit_is_offered() -> None:
    """A pack at the base costs 2 AP (rule 6.1), so one key must not pack leftovers."""
    limits = form_of("camera lost").limits
    last = {"type": "pack", "backpack": {"consumable": 5, "rope": 2}, "camp": None}
    assert limits.held.slots_filled
    assert packing.first_draft(limits, last) == PackDraft(Items(5, 2))
    assert packing.first_draft(limits) == packing.ready_kits(limits)[0].draft


@pytest.mark.parametrize(
    ("draft", "words"),
    [
        (PackDraft(Items(4)), "Turns: 1+4, 25 AP: 12 each way"),
        (PackDraft(Items(4), Items(3)), "Turns: 1+7, 40 AP: 20 each way"),
        (PackDraft(Items()), "Turns: this one, 5 AP: 2 each way"),
        (PackDraft(Items(rope=3)), "Ropes: 3 new levels, 75 m down"),
        (PackDraft(Items(oxygen=1, half_oxygen=1)), "Tanks: 3 water tiles, 9 points"),
        (PackDraft(Items(rope=1)), "Water: closed to you"),
        (PackDraft(Items(raft=1)), "Raft: over water, but no token"),
        (PackDraft(Items(camera=1)), "Camera: 2 points for each wonder"),
    ],
)
def test_the_uses_of_a_kit_are_listed(draft: PackDraft, words: str) -> None:
    assert words in [line.text for line in packing.range_of_kit(draft)]
    assert len(words) <= 33, "it fits into a form of 60 columns"


@pytest.mark.parametrize(
    ("draft", "word"),
    [
        (PackDraft(), "No consumables"),
        (PackDraft(Items(4)), "4 slots of the backpack are empty"),
        (PackDraft(Items(7)), "1 slot of the backpack is empty"),
        (PackDraft(Items(8)), "No rope"),
        (PackDraft(Items(rope=6), Items(2)), "All consumables are in the camp"),
        (PackDraft(Items(5, 1), NOTHING), "The camp is empty"),
    ],
)
def test_warnings(draft: PackDraft, word: str) -> None:
    assert any(word in line for line in packing.warnings(form_of("start").limits, draft))


def test_the_last_pack_is_remembered_and_fitted() -> None:
    last = packing.remembered(packing.pack_action(PackDraft(Items(2, 4), Items(3))))
    assert packing.pack_draft_of(last) == PackDraft(Items(2, 4), Items(3))
    assert packing.ready_kits(form_of("start").limits, last)[-1].draft == PackDraft(Items(2, 4), Items(3))
    assert packing.ready_kits(form_of("camp gone").limits, last)[-1].draft == PackDraft(Items(2, 4))
    nothing = {"type": "pack", "backpack": {}, "camp": None}
    offered, chosen = SimpleNamespace(choices=(form_of("start"),)), games.get_face("the-cave").tutor_accepts
    first = packing.pack_action(packing.first_draft(form_of("start").limits))
    assert chosen(offered, first), "the tutor does not warn of a suggested kit"
    assert not chosen(offered, nothing)
    for kinds, is_all in ((("end_turn", "discard"), True), (("end_turn", "discard", "move"), False)):
        choices = tuple(SimpleNamespace(action=SimpleNamespace(type=kind)) for kind in kinds)
        assert chosen(SimpleNamespace(choices=choices), {"type": "end_turn"}) is is_all
    ideas = [Idea({**first, "backpack": {"consumable": 8}}, chance=0.5), Idea(first, chance=0.495)]
    face = games.get_face("the-cave")
    assert suggested_first(face, offered, ideas)[0].action == first, "it is as good"
    assert suggested_first(face, offered, [ideas[0], replace(ideas[1], chance=0.2)])[0] == ideas[0]
    others = [Idea({"type": each}, 0.5) for each in ("end_turn", "discover")]
    assert suggested_first(face, offered, others, [others[1].action]) == others[::-1], "the plan of the last hint"
    assert "(Suggested first kit)" in face.action_words(offered, first)
    assert packing.SAME not in [kit.name for kit in packing.ready_kits(form_of("start").limits, nothing)]


@pytest.mark.parametrize(
    "action",
    [
        None,
        3,
        {},
        {"type": "move"},
        {"type": "pack"},
        {"type": "pack", "backpack": {"rope": -1}},
        {"type": "pack", "backpack": {"rope": 10**9}},
    ],
)
def test_an_invalid_remembered_kit_is_ignored(action: object) -> None:
    assert packing.pack_draft_of(action) is None
    assert len(packing.ready_kits(form_of("start").limits, action)) == 4


some = st.builds(Items, st.integers(0, 3), st.integers(0, 2), st.integers(0, 1), st.integers(0, 1), st.integers(0, 1))


@given(
    backpack=some,
    camp=st.builds(Items, st.integers(0, 2), st.integers(0, 2)),
    moves=st.lists(st.tuples(st.sampled_from(ITEM_NAMES), st.sampled_from(["backpack", "camp"])), max_size=12),
)
def test_an_exchange_is_always_legal(backpack: Items, camp: Items, moves: list[tuple[str, str]]) -> None:
    """Rule 6.5."""
    team = Team(BASE, backpack, Camp("pitched", BASE, camp))
    state = replace(STATE, teams=(team, STATE.teams[1]), phase="actions", seat=0)
    form = exchange_form(backpack, camp)
    draft = packing.exchange_start(form)
    for item, to in moves:
        draft, _ = packing.move_in_draft(draft, item, to, 8 if to == "backpack" else 4)  # type: ignore[arg-type]
    assert draft.backpack + draft.part("camp") == backpack + camp
    action = packing.exchange_action(form, draft)
    if action is None:
        assert draft.backpack == backpack
    else:
        after = GAME.apply(state, 0, GAME.decode(state, 0, action)).state.teams[0]
        assert (after.backpack, after.camp.items) == (draft.backpack, draft.part("camp"))
