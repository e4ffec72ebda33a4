"""The bots: they see no more than their view, give the same action for it, and come to an end."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from cave import codec
from cave.game import Json
from cave.sir_ocelots_cave.board import SQUARES
from cave.sir_ocelots_cave.components import Special
from cave.sir_ocelots_cave.leaf import FEATURES, Leaf, learned
from cave.sir_ocelots_cave.node import node_of
from cave.sir_ocelots_cave.search import Plies, Search
from cave.sir_ocelots_cave.stakes import collected, worth
from cave.sir_ocelots_cave.state import TURNS, State
from tests.bench import ocelot_weights as learning
from tests.cave.sir_ocelots_cave.builders import GAME, collect, position, state
from tests.cave.sir_ocelots_cave.test_conformance import collector


def asked(state: State, level: str, seed: str = "seed") -> Json:
    """The action of a bot of this level, from what the host sends."""
    assert state.seat is not None
    view = GAME.view_json(GAME.view(state, state.seat))
    choices = [GAME.choice_json(choice) for choice in GAME.choices(state, state.seat)]
    return GAME.bots[level](json.loads(json.dumps(view)), json.loads(json.dumps(choices)), seed)


def halfway(seed: int, steps: int, settings: Json | None = None) -> State:
    """A game after some random steps."""
    rng, now = Random(seed), GAME.new(2, settings or {}, str(seed))
    for _ in range(steps):
        assert now.seat is not None
        now = GAME.apply(now, now.seat, collector(GAME, now, now.seat, rng)).state
    return now


@pytest.mark.parametrize("level", GAME.bots)
@pytest.mark.parametrize("steps", [0, 15, 34])
def test_the_same_view_and_seed_give_the_same_action(level: str, steps: int) -> None:
    now = halfway(steps, steps)
    assert asked(now, level) == asked(now, level)


@pytest.mark.parametrize("level", GAME.bots)
def test_what_is_hidden_changes_nothing(level: str) -> None:
    """Rule 5.4: bags and the other's amethysts are dealt anew, and the action stays."""
    for seed in (2, 5, 8):
        now = halfway(seed, 30)
        assert now.seat is not None
        first = asked(now, level)
        view = GAME.view(now, now.seat)
        others = [GAME.imagine(view, str(number)) for number in range(4)]
        assert any(other != now for other in others)
        assert all(asked(other, level) == first for other in others)


@pytest.mark.parametrize("level", ["novice", "guide", "expert"])
def test_who_can_take_a_red_beryl_takes_it(level: str) -> None:
    """Rules 4.1 and 4.3: a compass and a lamp see it, and a pickaxe or a companion is missing."""
    now = GAME.from_position(
        position(
            tools={(5, 0): "compass", (0, 5): "lamp"}, gems={(5, 5): "red_beryl"}, companions=(None, None)
        )
    )
    step = GAME.apply(now, 0, GAME.decode(now, 0, asked(now, level)))
    assert asked(step.state, level) == collect((5, 5))


@pytest.mark.parametrize("level", ["novice", "rookie", "guide"])
def test_who_can_advance_to_take_a_red_beryl_does_so_and_once_in_a_turn(level: str) -> None:
    """Rule 3.2. No free rim space sees it."""
    tools = {(11, 6): "compass", (11, 12): "lamp", (8, 9): "compass", (14, 9): "lamp"}
    for phase in ("advancing", "placing"):
        now = state(tools=tools, gems={(11, 9): "red_beryl"}, companions=((11, 4), (5, 5)), phase=phase)
        assert (asked(now, level)["type"] == "advance") == (phase == "advancing")


def test_the_guide_leaves_no_beryl_one_tool_short() -> None:
    """A novice's mistake: with the second tool that sees it, the rival would lay the third one."""
    now = GAME.from_position(position(tools={(5, 0): "compass"}, gems={(5, 5): "red_beryl"}, seat=1))
    for level in ("guide", "expert"):
        step = GAME.apply(now, 1, GAME.decode(now, 1, asked(now, level)))
        assert not worth_of_best(step.state)


def worth_of_best(now: State) -> float:
    """What the seat can take with one placement."""
    found = Search(Leaf(worth(now), ((0.0, 0.0),) * len(FEATURES)), Plies(1), Random(0))
    return found.plans(node_of(now), may_advance=False)[0].value


@pytest.mark.parametrize(("value", "taken"), [("left_2_3", collect()), ("left_1", collect((11, 3)))])
def test_in_the_last_turn_no_gem_is_collected_that_costs_its_seat_more(value: Special, taken: Json) -> None:
    """Rule 6.3: with ``left_2_3`` a rock crystal of level 2 is worth 1 to its finder, and 2 where it lies."""
    now = GAME.from_position(
        position(
            tools={(11, 0): "compass", (14, 3): "lamp", (11, 6): "pickaxe"},
            gems={(11, 3): "rock_crystal"},
            companions=((5, 5), (5, 6)),
            phase="collecting",
        )
    )
    assert GAME.action_json(collected(now)) == collect((11, 3))
    one, two = (replace(player, tools=(0, 0, 0)) for player in now.players)
    own = (replace(one.amethysts[-1], value=value),)
    last = GAME.view(replace(now, players=(replace(one, amethysts=own), two)), 0).cave
    assert GAME.action_json(collected(last)) == taken


def test_the_first_idea_is_the_move_of_the_expert() -> None:
    now = halfway(3, 12)
    while now.phase == "collecting":
        assert now.seat is not None
        now = GAME.apply(now, now.seat, GAME.idle(now, now.seat)).state
    assert now.seat is not None
    choices = [GAME.choice_json(choice) for choice in GAME.choices(now, now.seat)]
    found = GAME.advise(GAME.view_json(GAME.view(now, now.seat)), choices)
    assert found[0].action == asked(now, "expert")


@pytest.mark.parametrize("kind", ["companion", "tool", "advance"])
def test_whatever_placement_is_asked_about_is_compared(kind: str) -> None:
    """Also one that the expert would not look at."""
    for steps in range(30):
        now = halfway(5, steps)
        assert now.seat is not None
        view = GAME.view_json(GAME.view(now, now.seat))
        choices = [GAME.choice_json(choice) for choice in GAME.choices(now, now.seat)]
        also = [each["action"] for each in choices if each.get("action", {}).get("type") == kind]
        if also:
            break
    assert also
    found = {
        json.dumps(idea.action): idea.chance for idea in GAME.advise(view, choices, also[:3], effort=0.25)
    }
    assert all(found[json.dumps(action)] is not None for action in also[:3])


def test_regression_finds_the_weights_that_made_the_points() -> None:
    rng = Random(0)
    size = 2 * len(FEATURES)
    weights = [rng.uniform(-2, 2) for _ in range(size)]
    rows = [tuple(rng.gauss(0, 1) for _ in range(size)) for _ in range(400)]
    made = [(row, sum(a * b for a, b in zip(row, weights, strict=True))) for row in rows]
    found, explained = learning.fit(made)
    flat = [plain for plain, _ in found] + [times for _, times in found]
    assert flat == pytest.approx(weights, abs=0.02)
    assert 0.99 < explained <= 1
    # Where half of what comes is luck, about half is explained.
    spread = (sum(came * came for _, came in made) / len(made)) ** 0.5
    _, half = learning.fit([(row, came + rng.gauss(0, spread)) for row, came in made])
    assert 0.3 < half < 0.7


def test_the_same_seed_gives_the_same_games_to_learn_from() -> None:
    one, again, other = (list(learning.samples(seed, 1)) for seed in "aab")
    assert one == again != other
    assert len(one) == 32
    assert all(len(numbers) == 2 * len(FEATURES) for numbers, _ in one)
    level = FEATURES.index("companion's level less 1, mine")
    assert any(numbers[level] for numbers, _ in one), "companions advance"
    for left, (numbers, _) in zip(range(TURNS, 0, -1), one, strict=True):
        plain, times = numbers[: len(FEATURES)], numbers[len(FEATURES) :]
        assert times == tuple(number * (left / TURNS) for number in plain)
    for (_, mine), (_, theirs) in pairwise(one):
        assert 0 <= mine + theirs < 30, "what a seat gains in a turn is no more to come"


def test_a_square_without_a_gem_is_worth_nothing() -> None:
    now = halfway(1, 30)
    empty = [index for index in range(len(SQUARES)) if not now.with_gems >> index & 1]
    assert empty
    assert not any(value[index] for value in worth(now) for index in empty)


def test_the_weights_are_those_of_a_known_seed() -> None:
    form = json.loads(learning.FILE.read_bytes())
    how = form["seed"], form["games"]
    assert (*how, len(form["rounds"])) == (learning.SEED, learning.GAMES, learning.ROUNDS)
    assert codec.decode(codec.encode(learning.weights_json(learned(), *how))) == form


def test_the_weights_can_be_learned_anew_by_one_command(tmp_path: Path) -> None:
    file = tmp_path / "weights.json"
    asked = ["--seed", "a", "--games", "2", "--rounds", "2", "--file", str(file)]
    subprocess.run([sys.executable, "-m", "tests.bench", "ocelot-weights", *asked], check=True)
    form = json.loads(file.read_bytes())
    assert (form["seed"], form["games"], len(form["rounds"])) == ("a", 2, 2)
