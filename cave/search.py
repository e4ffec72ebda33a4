"""A search for any game: compares plans by playouts in worlds that fit a seat's view.

A game's ``Advice`` proposes plans and rates states. The search takes a few of its plans, imagines worlds,
plays every plan out in the same worlds for some turns, and takes the plan that leads to the best positions.
Plans that fall behind are dropped early. The first plan is the advice's own choice; only a clearly better
one replaces it.

The budget is a number of playouts, not a time: the same view and seed give the same action on every machine.
For the same reason floats are added with ``fsum``: ``sum`` depends on Python's version. ``stop`` is only a
guard for a table that cannot wait.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Hashable, Iterator, Mapping, Sequence
from math import copysign, fsum, inf
from random import Random
from typing import Any, Generic, TypeVar

from msgspec import Struct

from cave.game import CaveView, Game, Json, Refused, Stop

StateT = TypeVar("StateT")
ActionT = TypeVar("ActionT")
ChoiceT = TypeVar("ChoiceT")
ViewT = TypeVar("ViewT", bound=CaveView[Any])

Plan = tuple[ActionT, ...]
"""Actions for a seat to take while it is to act; at least one. Actions after the end of the turn show the
goal of the plan and are not played out.
"""

SEED = "judge"
"""Seed of the worlds of experts and of the judge, so that a hint is the expert's move."""
BEHIND = 2.0
"""A plan is dropped when it is this many standard errors behind the best one."""
AHEAD = 1.0
"""Standard errors by which a plan must be ahead of the advice's choice to replace it."""
FIRST_LOOK = 4  # worlds before the first plan may be dropped
NEXT_LOOK = 2  # worlds before the next check
LONGEST = 600  # actions of a playout, if an advice goes in circles


class Advice(ABC, Generic[StateT, ActionT, ChoiceT, ViewT]):
    """A game's strategy: plans for a seat, fast play for all seats, and the value of a state.

    Its states come from ``Game.imagine``. Their hidden parts are guesses, so ``play`` must not read anything
    that the seat cannot see.
    """

    game: Game[StateT, ActionT, Any, ChoiceT, ViewT]
    most: int = 6
    """The most plans to race."""
    turns: float = 2
    """Turns to play out after the seat's own; ``inf``: to the end."""
    budget: int = 0
    """Playouts of the race; with 0 the first plan wins."""
    decided: float = -inf
    """With less than this chance to win, or to lose, the advice's choice is played: differences no longer
    matter, and searches that wait for each other would never end. By default never.
    """

    def plans(self, view: ViewT, choices: Sequence[ChoiceT], rng: Random, most: int) -> Sequence[Plan[ActionT]]:
        """Return 1 to ``most`` plans, the best first, each up to a random event or the turn's end.

        Default: each choice is a plan, and a form is filled at random a few times.
        """
        return [(action,) for action in sample_actions(self.game, choices, rng, most)]

    def plan_with(self, view: ViewT, action: ActionT, rng: Random) -> Plan[ActionT]:
        """Return the best plan that begins with an action. Default: nothing is planned after it."""
        return (action,)

    def settle(self, state: StateT, viewer: int, rng: Random) -> StateT:
        """Return the state with the parts that ``imagine`` leaves open, such as other teams' packs."""
        return state

    @abstractmethod
    def play(self, state: StateT, seat: int, rng: Random) -> ActionT:
        """Return an action for an active seat, fast and from its information only."""

    def follow(self, state: StateT, seat: int, rng: Random) -> Plan[ActionT]:
        """Return a seat's next actions (at least one), up to a random event or its turn's end."""
        return (self.play(state, seat, rng),)

    @abstractmethod
    def value(self, state: StateT) -> Sequence[float]:
        """Return for each seat how good the state is, 0 to 1: its chance to win."""

    def turn(self, state: StateT) -> Hashable:
        """Return a value that changes with each turn. Default: the seats to act; override it for solo games
        or if a seat can have two turns in a row.
        """
        return self.game.to_act(state)

    # Also needed by a judge

    confirms: bool = False
    """Whether a loss counts as certain only if playouts to the game's end confirm it."""

    def left(self, state: StateT) -> float:
        """Return roughly the part of the game that remains: 1 at its start, 0 at its end."""
        return 0.0

    def needed(self, state: StateT) -> float | None:
        """Return the points that a solo player needs; None if there are others."""
        return None

    def expected_final_points(self, state: StateT, seat: int) -> float:
        """Return the expected points of a seat from here, including points that are already foreseeable."""
        return float(self.game.standing(state)[seat].total or 0)

    def parts(self, state: StateT, seat: int) -> Mapping[str, float]:
        """Return the points of a seat by category of the score sheet."""
        line = self.game.standing(state)[seat]
        return {name: line.points.get(name, 0) + line.bonus.get(name, 0) for name in {**line.points, **line.bonus}}

    def events(self, state: StateT, seat: int) -> Mapping[str, bool]:
        """Return whether a seat has reached, or still can reach, good things by name, such as being home in
        time.
        """
        return {}


AnyAdvice = Advice[Any, Any, Any, Any]


class Ranked(Struct, frozen=True):
    """A plan with its mean value in the race and the number of worlds played."""

    plan: Plan[Any]
    value: float
    worlds: int


def decide_by_search(advice: AnyAdvice, view: Json, choices: Sequence[Json], seed: str, budget: int) -> Json:
    """Return the best action for the view's seat. All values are public forms, as for a bot.

    ``budget`` is the number of playouts.
    """
    game = advice.game
    offered = [game.choice_from_json(choice) for choice in choices]
    best, *_ = rank_plans(advice, game.view_from_json(view), offered, seed, budget)
    return game.action_json(best.plan[0])


def rank_plans(
    advice: AnyAdvice, view: Any, choices: Sequence[Any], seed: str, budget: int, stop: Stop | None = None
) -> list[Ranked]:
    """Race the plans of the advice, and return what ``race_plans`` does."""
    return race_plans(advice, view, advice.plans(view, choices, Random(seed), advice.most), seed, budget, stop)


def race_plans(
    advice: AnyAdvice, view: Any, plans: Sequence[Plan[Any]], seed: str, budget: int, stop: Stop | None = None
) -> list[Ranked]:
    """Return the plans with their values, the one to follow first, then the best first.

    The race ends when ``stop`` returns true; the result then no longer depends on view and seed alone.
    """
    seat = view.viewer
    assert seat is not None
    runners = _Race(plans, advice.decided)
    world = 0
    while len(runners.running) > 1 and budget >= len(runners.running) and not (stop and stop()):
        imagined = imagine_settled(advice, view, f"{seed}:{world}")
        for number in runners.running:
            playout = play_out(advice, imagined, seat, plans[number], Random(f"{seed}:{world}:play"))
            end = deque(playout, maxlen=1).pop()
            runners.values[number].append(advice.value(end)[seat])
        budget -= len(runners.running)
        world += 1
        if world >= FIRST_LOOK and (world - FIRST_LOOK) % NEXT_LOOK == 0:
            runners.drop()
    return [
        Ranked(plans[number], runners.mean_value(number), len(runners.values[number]))
        for number in runners.plans_in_order()
    ]


def imagine_settled(advice: AnyAdvice, view: Any, seed: str) -> Any:
    """Return a world that fits a view, with nothing left open."""
    seat = view.viewer
    assert seat is not None
    return advice.settle(advice.game.imagine(view, seed), seat, Random(seed))


class _Race:
    """The values of plans so far, by world: all plans share the worlds, so differences are paired."""

    def __init__(self, plans: Sequence[Plan[Any]], decided: float) -> None:
        self.values: list[list[float]] = [[] for _ in plans]
        self.running = list(range(len(plans)))
        self._decided = decided

    def mean_value(self, number: int) -> float:
        values = self.values[number]
        return fsum(values) / len(values) if values else 0.0

    def best_plan(self) -> int:
        """Return the best plan still running; of equals the first."""
        return max(self.running, key=self.mean_value)

    def drop(self) -> None:
        """Drop the plans that are clearly behind the best."""
        best = self.best_plan()
        self.running = [number for number in self.running if self._lead_in_errors(best, number) <= BEHIND]

    def plans_in_order(self) -> list[int]:
        """Return the plan to follow, then the others: the longest and best runs first."""
        best = self.best_plan()
        chance = self.mean_value(best)
        decided = not self._decided <= chance <= 1 - self._decided
        if decided or (0 in self.running and self._lead_in_errors(best, 0) <= AHEAD):
            best = 0
        rest = sorted(
            (number for number in range(len(self.values)) if number != best),
            key=lambda number: (-len(self.values[number]), -self.mean_value(number)),
        )
        return [best, *rest]

    def _lead_in_errors(self, one: int, other: int) -> float:
        """Return by how many standard errors one plan leads the other; 0 without data."""
        # A dropped plan was played in the first worlds only.
        mean, error = mean_difference(self.values[one], self.values[other])
        if error:
            return mean / error
        return copysign(inf, mean) if mean else 0.0


def mean_difference(one: Sequence[float], other: Sequence[float]) -> tuple[float, float]:
    """Return the mean difference of two plans' values, in the worlds of both, and its standard error; 0 with
    fewer than two worlds.
    """
    differences = [a - b for a, b in zip(one, other, strict=False)]
    number = len(differences)
    if number < 2:
        return 0.0, 0.0
    mean = fsum(differences) / number
    variance = fsum((each - mean) ** 2 for each in differences) / (number - 1)
    return mean, float((variance / number) ** 0.5)


def play_out(
    advice: AnyAdvice, state: Any, seat: int, plan: Plan[Any], rng: Random, turns: float | None = None
) -> Iterator[Any]:
    """Follow the plan, then let the advice play for all until enough turns have passed (by default the advice's
    ``turns``); yield each state.
    """
    turns = advice.turns if turns is None else turns
    planned: dict[int, Iterator[Any]] = {seat: iter(plan)}
    turn, passed = advice.turn(state), 0
    yield state
    for _ in range(LONGEST):
        acting = advice.game.to_act(state)
        if not acting or passed > turns:
            break
        state = _play_step(advice, state, acting, planned, rng)
        yield state
        now = advice.turn(state)
        if now != turn:
            turn, passed, planned = now, passed + 1, {}


def _play_step(
    advice: AnyAdvice, state: Any, acting: frozenset[int], planned: dict[int, Iterator[Any]], rng: Random
) -> Any:
    """Take one action of every seat to act. They choose at once: none sees another's choice."""
    game, chosen = advice.game, {}
    for each in sorted(acting):
        action = next(planned.get(each, iter(())), None)
        if action is None:
            planned[each] = iter(advice.follow(state, each, rng))
            action = next(planned[each])
        chosen[each] = action
    before = state
    for each, action in chosen.items():
        if each not in game.to_act(state):
            continue
        try:
            state = game.apply(state, each, action).state
        except Refused:
            # Random events may make a planned step illegal; then plan again.
            planned.pop(each)
            again = state if len(chosen) == 1 else before
            state = game.apply(state, each, advice.play(again, each, rng)).state
    return state


def sample_actions(
    game: Game[StateT, ActionT, Any, ChoiceT, ViewT], choices: Sequence[ChoiceT], rng: Random, most: int
) -> list[ActionT]:
    """Return up to ``most`` different actions of these choices, round-robin; forms are filled at random."""
    found: dict[str, ActionT] = {}
    order = list(choices)
    rng.shuffle(order)
    for _ in range(4):
        for choice in order:
            action = game.sample(choice, rng)
            if len(found) < most:
                found.setdefault(repr(action), action)
    return list(found.values())
