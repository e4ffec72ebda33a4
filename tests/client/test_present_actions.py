"""Actions, offers and Enter's action, as plain data."""

from __future__ import annotations

from typing import Any

from cave.codec import to_json
from cave.the_cave import actions as act
from client.games.the_cave import actions, line_texts
from client.games.the_cave.actions import TileAim
from client.games.the_cave.face import FACE
from client.games.the_cave.facts import place_facts
from client.games.the_cave.facts import tile_in_hand_facts as hand_of
from client.games.the_cave.walk_plans import WalkPlan, plan
from tests.client.fake_session import FakeSession
from tests.client.game_app import GAME, position


def parts(state: Any, seat: int = 0) -> tuple[Any, int, Any, Any]:
    return state, seat, GAME.choices(state, seat), GAME.why_not(state, seat)


def told(found: WalkPlan | None) -> tuple[str, str]:
    return found.there, found.way_back_words


def test_every_action_is_listed_exactly_once() -> None:
    state = position()
    lines = actions.lines(*parts(state))
    words = [line.do for line in lines]
    assert len(set(words)) == len(words)
    legal = {actions.kind_of(choice) for choice in GAME.choices(state, 0)}
    shown = {line.do for line in lines if line.legal}
    assert {"moves" if kind == "move" else kind for kind in legal} == shown


def test_end_of_turn_loses_something_only_while_something_can_be_done() -> None:
    assert actions.loses_something(position(), GAME.choices(position(), 0))
    spent = position(turn={"seat": 0, "ap": 0, "phase": "actions"})
    assert not actions.loses_something(spent, GAME.choices(spent, 0))


def test_a_team_that_is_home_in_its_last_turn_loses_nothing_without_points_in_reach() -> None:
    ann = {"name": "Ann", "at": [0, 0], "backpack": {"consumable": 1}}
    late = {"teams": [ann, {"name": "Bea", "at": [0, 0]}], "turns_left": 1, "stacks": [[], [], [], []]}
    near, far = (position(**late, turn={"seat": 0, "ap": ap, "phase": "actions"}) for ap in (4, 1))
    assert actions.loses_something(near, GAME.choices(near, 0)), "a photo"
    assert not actions.loses_something(far, GAME.choices(far, 0))
    scene = FACE.scene(FakeSession(start=near).state, None)
    assert place_facts(scene, (1, 1), 0).facts[-1] == "ways on: north; no tiles left for: east and south"
    assert place_facts(scene, (1, -1), 0).title == "no tiles left"


def test_boulders_in_hand_say_what_fits_and_promise_no_exits() -> None:
    """Nothing is discovered from a choke (rule 4.4)."""
    state = position(turn={"seat": 0, "ap": 4, "phase": "placing", "drawn": {"kind": "choke"}})
    spots = actions.spots_for_tile(state, 0, GAME.choices(state, 0))
    assert hand_of(state, TileAim(spots)).facts[-1] == "a tile here needs ways on south, none west"
    scene = FACE.scene(FakeSession(start=state).state, None)
    assert FACE.action_words(scene, to_json(act.Place((1, -1)))) == "place the boulder choke north"
    assert "exit" not in FACE.action_reason(scene, to_json(act.Place((1, -1))))
    said = line_texts.laid_tile_words(scene, GAME.choices(state, 0)[0])
    assert said.endswith("at 1,-1: a tile here needs ways on south, none west")


def test_inspection_shows_the_refusal() -> None:
    teams = [{"name": "Ann", "at": [1, 0], "backpack": {"consumable": 1}}, {"name": "Bea", "at": [0, 0]}]
    state = position(teams=teams, turn={"seat": 0, "ap": 4, "phase": "actions"})
    found = place_facts(FACE.scene(FakeSession(start=state).state, None), (1, 1), 0)
    assert found.ways == ()
    assert found.why.startswith("Climbing 25 m needs 1 rope at once")


def test_starving_team_is_offered_its_forced_move_only() -> None:
    state = position(turn={"seat": 0, "ap": 5, "phase": "starving"})
    lines = actions.lines(*parts(state))
    assert [line.do for line in lines if line.legal] == ["moves"]
    assert "forced" in lines[0].label
    assert any("one forced move" in line.why for line in lines)
    assert act.FREE.ap == 0


def test_a_journey_counts_turns_and_consumables_there_and_back() -> None:
    # From (1, 0) to the water and home: 1 AP by raft, 2 AP back; with 1 AP left the rest is for later
    # turns, which begin by eating (rule 3.1).
    state = position(turn={"seat": 0, "ap": 1, "phase": "actions"})
    assert told(plan(state, 0, (2, 0))) == ("1 AP", "back: 2 AP, 1 more turn, eats 1")
    # Two moves with 1 AP left: the second is made in the next turn.
    assert told(plan(state, 0, (0, -1))) == ("2 AP, 1 more turn, eats 1", "back: 1 AP")


def test_a_journey_warns_when_the_consumables_will_not_do() -> None:
    teams = [{"name": "Ann", "at": [1, 0], "backpack": {"consumable": 0, "raft": 1}}, {"name": "Bea", "at": [0, 0]}]
    state = position(teams=teams, turn={"seat": 0, "ap": 1, "phase": "actions"})
    found = plan(state, 0, (2, 0))
    # Without consumables every further turn is one forced move (rules 3.2 and 5.7).
    assert found.home == "back: 10 AP, 2 more turns, by force"
    assert found.verdict == "starving from the next turn on"
