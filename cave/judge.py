"""Evaluates actions, with reasons: for hints, the tutor, the analysis, and bots that resign.

The race of the search (``cave/search.py``) chooses the plan to follow, as the expert does. Then the judge
plays out that plan, its best rivals and the requested actions in the same new worlds. The playouts give the
reason and, by a calibration from games of guides (``fitted.json`` of each game, written by ``python -m
tests.bench fit GAME --write``), the chances to win. All of it depends on the view alone: a hint, a warning
and an analysis of a moment have the same figures.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from math import erf, exp, fsum, inf, log, sqrt
from pathlib import Path
from random import Random
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from cave import bots, codec, games, search
from cave.codec import JsonForm
from cave.game import AnyGame, Because, Idea, Json, Stop
from cave.score import win_shares
from cave.search import AnyAdvice, Plan, mean_difference

WORLDS = 16
"""Worlds in which plans are compared, with normal effort."""
MORE = 4.0
"""The effort of a second search, in multiples of the first."""
LEAST_WORLDS = 4
"""Minimum number of worlds, however long they take."""
STEPS = 6_000
"""After this many actions in all playouts no new world begins; at normal effort, about a second."""
TO_THE_END = 0.5
"""The most effort of playouts to the game's end: with more, as many losses are confirmed, in twice the time."""
SHOWN = 2
"""The most plans to compare, not counting the requested ones."""
EVERY = 1000
"""More plans than there are."""
SURE = 2.0
"""Standard errors from which a difference counts as certain."""
LIKELY = 1.0
"""Standard errors from which it counts as likely."""
LEAST_LOSS = 0.02
"""The minimum loss of chance to confirm."""
LEAST_LEAD = 1.0
"""The minimum loss of points, compared with the best rival's, that playouts to the game's end confirm."""
LEAST_POINTS = 0.3
"""The minimum difference in points for a reason."""
OFFSET = 3.0
"""A category is no reason if its points exceed this many times the total: others offset most of it."""
LEAST_EVENT = 0.1
"""The minimum difference in the share of worlds for an event to be a reason."""


class JudgedPlan(Struct, frozen=True):
    """A plan with, for each world: the raw value, its seat's points, the state after the plan's turn, and the
    state at the end of the playout.
    """

    plan: Plan[Any]
    values: list[float]
    points: list[float]
    turns: list[Any]
    ends: list[Any]

    @property
    def value(self) -> float:
        return _mean(self.values)


def judge_ideas(
    advice: AnyAdvice,
    view: Json,
    choices: Sequence[Json],
    also: Sequence[Json] = (),
    stop: Stop | None = None,
    effort: float = 1.0,
) -> list[Idea]:
    """Implement ``GameInfo.advise`` for a game that has advice."""
    game = advice.game
    offered = [game.choice_from_json(choice) for choice in choices]
    asked = [game.action_from_json(action) for action in also]
    shown = game.view_from_json(view)
    plans = _plans_to_judge(advice, shown, offered, asked, stop) if choices else [()]
    first, *rest = try_plans(advice, shown, plans, effort, stop)
    told = _Judgement(advice, shown)
    # No plan counts as better than the one to follow: a lead in a few worlds is noise.
    apart_from = [(each, *mean_difference(first.values, each.values)) for each in rest]
    if advice.confirms:
        tried = min(TO_THE_END, effort), stop
        apart_from = [
            (
                each,
                told.confirmed_loss(shown, first, each, less, error, *tried) if each.plan[0] in asked else less,
                error,
            )
            for each, less, error in apart_from
        ]
    others = sorted(((each, max(0.0, less), error) for each, less, error in apart_from), key=lambda each: each[1])
    # The tutor compares with the requested action, a hint with its second choice.
    against = next((each for each in others if each[0].plan[0] in asked), others[0]) if others else None
    because = told.reasons_for_first(first, against[0] if against else None)
    return [
        told.make_idea(first, first, 0.0, 0.0, because),
        *(told.make_idea(each, first, less, error) for each, less, error in others),
    ]


def repeat_until_sure(ask: Callable[[float], list[Idea]], action: Json, least: float) -> list[Idea]:
    """Return the ideas of ``ask``. Repeat it with more effort if it is uncertain whether the action loses at
    least ``least`` of the chance to win.
    """
    found = ask(1.0)
    asked = next((idea for idea in found if idea.action == action), found[0])
    lost = (found[0].chance or 0.0) - (asked.chance or 0.0)
    if lost > SURE * asked.apart or lost + SURE * asked.apart < least:
        return found
    # A guard may end the second search early.
    return max(ask(MORE), found, key=lambda ideas: ideas[0].worlds)


def _plans_to_judge(
    advice: AnyAdvice, view: Any, choices: Sequence[Any], asked: Sequence[Any], stop: Stop | None
) -> list[Plan[Any]]:
    """Return the plan to follow, the best other ones, and one for each requested action."""
    known = advice.plans(view, choices, Random(search.SEED), EVERY if asked else advice.most)
    ranked = search.race_plans(advice, view, known[: advice.most], search.SEED, advice.budget, stop)
    plans: list[Plan[Any]] = []

    def add(plan: Plan[Any], most: int = EVERY) -> None:
        # Some actions are not hashable.
        if len(plans) < most and all(plan[0] != each[0] for each in plans):
            plans.append(plan)

    for each in ranked:
        add(each.plan, SHOWN)
    for action in search.sample_actions(advice.game, choices, Random(search.SEED), SHOWN):
        add((action,), 2)
    for action in asked:
        plan = next((plan for plan in known if plan[0] == action), None)
        add(plan or advice.plan_with(view, action, Random(search.SEED)))
    return plans


def try_plans(
    advice: AnyAdvice,
    view: Any,
    plans: Sequence[Plan[Any]],
    effort: float = 1.0,
    stop: Stop | None = None,
    turns: float | None = None,
) -> list[JudgedPlan]:
    """Play all plans in the same worlds: new ones, as some plans were lucky in those of the race. ``turns``: see
    ``search.play_out``.
    """
    found, steps = [JudgedPlan(plan, [], [], [], []) for plan in plans], 0
    for number in range(max(LEAST_WORLDS, round(WORLDS * effort))):
        if number >= LEAST_WORLDS and (steps > STEPS * effort or (stop and stop())):
            break
        world = search.imagine_settled(advice, view, f"{search.SEED} {number}")
        for each in found:
            rng, end, turn = Random(f"{search.SEED} {number}: play"), world, advice.turn(world)
            for state in search.play_out(advice, world, view.viewer, each.plan, rng, turns):
                steps, end = steps + 1, state
                if len(each.turns) == number and advice.turn(state) != turn:
                    each.turns.append(state)
            if len(each.turns) == number:
                each.turns.append(end)
            each.values.append(advice.value(end)[view.viewer])
            each.points.append(advice.expected_final_points(end, view.viewer))
            each.ends.append(end)
    return found


def value_to_fit(advice: AnyAdvice, value: float) -> float:
    """Return the value to fit, short of 0 and 1: a few games played to the end rule out no outcome."""
    return (value * WORLDS + 1) / (WORLDS + 2) if advice.turns == inf else value


def part_left(advice: AnyAdvice, root: Any, first: JudgedPlan) -> float:
    """Return the part of the game that remains; in a solo game, after the playouts."""
    return advice.left(root) if advice.needed(root) is None else _mean([*map(advice.left, first.ends)])


class _Judgement:
    def __init__(self, advice: AnyAdvice, view: Any) -> None:
        game = advice.game
        self._root = root = game.imagine(view, search.SEED)
        self._advice, self._seat = advice, view.viewer
        self._seats = range(len(game.standing(root)))
        self._fit = chance_fit_of(game.name, len(self._seats))
        self._needed = advice.needed(root)

    def make_idea(
        self, plan: JudgedPlan, first: JudgedPlan, less: float, apart_by: float, because: tuple[Because, ...] = ()
    ) -> Idea:
        """Return the idea of a plan that is this far behind the first; in a solo game, by its points."""
        action, *then = [*map(self._advice.game.action_json, plan.plan)] or [None]
        worlds, points = len(plan.values), _mean(plan.points)
        if self._needed is None:
            value, sampled = first.value - less, first.values
            chance, slope = self._win_chance(value), self._chance_slope(value)
        else:
            fit, left, sampled = self._fit, part_left(self._advice, self._root, first), plan.points
            points = fit.expected_points(min(points, _mean(first.points)), left)
            low, chance, high = (fit.chance_of(points + more - self._needed, left) for more in (-0.5, 0, 0.5))
            slope, apart_by = high - low, mean_difference(first.points, plan.points)[1]
        # The model's own error is smaller near the end of a game.
        model = self._fit.model * 4 * chance * (1 - chance)
        return Idea(
            action,
            chance,
            points,
            sqrt((slope * _standard_error(sampled) / sqrt(worlds)) ** 2 + model**2),
            slope * apart_by,
            worlds,
            tuple(then),
            self._needed,
            because,
        )

    def confirmed_loss(
        self,
        view: Any,
        first: JudgedPlan,
        other: JudgedPlan,
        less: float,
        error: float,
        effort: float,
        stop: Stop | None,
    ) -> float:
        """Return what the other plan loses; 0 unless playouts to the game's end confirm a certain loss, as values
        after a few turns leave out what pays off later.
        """
        over, lost = self._advice.game.over, self._win_chance(first.value) - self._win_chance(first.value - less)
        if less <= SURE * error or lost < LEAST_LOSS or all(map(over, (*first.ends, *other.ends))):
            return less
        played = try_plans(self._advice, view, (first.plan, other.plan), effort, stop, inf)
        leads = [
            [points - self._best_rival_points(end) for points, end in zip(each.points, each.ends, strict=True)]
            for each in played
        ]
        lead, apart = mean_difference(*leads)
        return less if lead >= LEAST_LEAD and lead > SURE * apart else 0.0

    def _win_chance(self, value: float) -> float:
        return self._fit.chance_of_value(value_to_fit(self._advice, value), self._advice.left(self._root))

    def _chance_slope(self, value: float) -> float:
        low, high = max(0.0, value - 0.02), min(1.0, value + 0.02)
        return (self._win_chance(high) - self._win_chance(low)) / (high - low)

    def reasons_for_first(self, first: JudgedPlan, second: JudgedPlan | None) -> tuple[Because, ...]:
        """Return the reasons for the first plan: its lead over the second, else the largest gain of its turn."""
        more = second and self._largest_difference(first, second)
        if more:
            return (more,)
        now = self._advice.parts(self._root, self._seat)
        after = [(self._advice.parts(state, self._seat), now) for state in first.turns]
        found = _named_differences("points", after, SURE)
        best = max(found, key=_lead_of_reason, default=None)
        return (replace(best, mine=_lead_of_reason(best), theirs=None),) if best else ()

    def _largest_difference(self, first: JudgedPlan, second: JudgedPlan) -> Because | None:
        """Return the largest difference in favour of the first plan: first significant ones (events, points
        by category or of the best rival, total points), then likely ones.
        """
        advice, seat = self._advice, self._seat
        pairs = list(zip(first.ends, second.ends, strict=True))
        events = [tuple(advice.events(end, seat) for end in pair) for pair in pairs]
        parts = [tuple(advice.parts(end, seat) for end in pair) for pair in pairs]
        # A rival's loss that makes no plan significantly better is an artefact of the playouts.
        lead, error = mean_difference(first.values, second.values)
        better = lead > SURE * error
        rival = [tuple({"": -self._best_rival_points(end)} for end in pair) for pair in pairs if better]
        points = [({"": mine}, {"": theirs}) for mine, theirs in zip(first.points, second.points, strict=True)]
        more = OFFSET * (_mean(first.points) - _mean(second.points))
        by_category = [each for each in _named_differences("points", parts, SURE) if _lead_of_reason(each) < more]
        for reasons in (
            _named_differences("event", events, SURE),
            [*by_category, *_named_differences("rival", rival, SURE)],
            _named_differences("points", points, SURE),
            _named_differences("event", events, LIKELY),
            [*_named_differences("points", points, LIKELY), *_named_differences("rival", rival, LIKELY)],
        ):
            if reasons:
                return max(reasons, key=_lead_of_reason)
        return None

    def _best_rival_points(self, end: Any) -> float:
        others = (self._advice.expected_final_points(end, each) for each in self._seats if each != self._seat)
        return max(others, default=0.0)


def _named_differences(kind: Literal["event", "points", "rival"], pairs: Sequence[Any], errors: float) -> list[Because]:
    """Return the values, by name, that the first plan raises by more than ``errors`` standard errors."""
    least = LEAST_EVENT if kind == "event" else LEAST_POINTS
    names = {name: None for one, other in pairs for name in (*one, *other)}
    found = []
    for name in names:
        mine, theirs = ([float(each[side].get(name, 0)) for each in pairs] for side in range(2))
        more, error = mean_difference(mine, theirs)
        if more >= least and more > errors * error:
            whole = len(pairs) if kind == "event" else 1
            found.append(Because(kind, name, _mean(mine) * whole, _mean(theirs) * whole, len(pairs)))
    return found


def _lead_of_reason(reason: Because) -> float:
    return reason.mine - (reason.theirs or 0.0)


def _mean(values: Sequence[float]) -> float:
    return fsum(values) / len(values)


def _standard_error(values: Sequence[float]) -> float:
    mean = _mean(values)
    return sqrt(fsum((each - mean) ** 2 for each in values) / max(1, len(values) - 1))


LEAST = 0.01
"""Chances are kept between this and 1 minus this until the game is over."""

NEAR = 0.16
"""The last part of a solo game, in which ``shift`` and ``variance`` fade: three turns of Cave vs Cave."""


class ChanceFit(JsonForm, frozen=True):
    """The calibration for a range of numbers of seats, fitted to games from a seed.

    ``first`` has the final points of the first of these games: if they differ now, the bots have changed.

    logit(chance) = ``shift`` + (``scale`` + ``scale_left`` * left) * logit(value), where left is the part of
    the game that remains. ``model`` is the standard error of a chance of 50 % with infinitely many playouts.

    In a solo game left is the part that remains after the playouts. The points still to come are ``shift`` +
    (``shift_left`` + ``scale_left`` * points) * left, with variance ``variance`` + ``variance_left`` * left.
    ``shift`` and ``variance`` fade near the end, where the advice values goods less.
    """

    seats: tuple[int, int]
    games: int = 0
    seed: str = ""
    date: str = ""
    first: tuple[float, ...] = ()
    shift: float = 0.0
    scale: float = 1.0
    scale_left: float = 0.0
    shift_left: float = 0.0
    variance: float = 0.0
    variance_left: float = 0.0
    model: float = 0.02

    def chance_of_value(self, value: float, left: float) -> float:
        raw = min(1 - LEAST / 10, max(LEAST / 10, value))
        odds = self.shift + (self.scale + self.scale_left * left) * log(raw / (1 - raw))
        return _bound_chance(1 / (1 + exp(-odds)))

    def expected_points(self, points: float, left: float) -> float:
        """Return a solo player's expected final points, given those after the playouts."""
        return points + self.shift * end_fading(left) + (self.shift_left + self.scale_left * points) * left

    def chance_of(self, beyond: float, left: float) -> float:
        """Return the chance to reach a goal that the expected points exceed by ``beyond``. Points are
        integers.
        """
        spread = sqrt(max(0.25, self.variance * end_fading(left) + self.variance_left * left))
        return _bound_chance(0.5 * (1 + erf((beyond + 0.5) / spread / sqrt(2))))


def end_fading(left: float) -> float:
    """Return 1 for most of a game, falling to 0 at its end."""
    return min(1.0, left / NEAR)


def _bound_chance(chance: float) -> float:
    return min(1 - LEAST, max(LEAST, chance))


def path_of_fits(game: str) -> Path:
    return Path(__file__).with_name(game.replace("-", "_")) / "fitted.json"


@cache
def load_fits(game: str) -> tuple[ChanceFit, ...]:
    return codec.parse(codec.decode(path_of_fits(game).read_bytes()), tuple[ChanceFit, ...])


def chance_fit_of(game: str, seats: int) -> ChanceFit:
    """Return the fit of a game for a number of seats; the identity for a game without a file."""
    known = load_fits(game) if path_of_fits(game).is_file() else ()
    return next((each for each in known if each.seats[0] <= seats <= each.seats[1]), ChanceFit((1, 99)))


class BotAdvice(search.Advice[Any, Any, Any, Any]):
    """The proposals of a game's bots, and quick playouts with them."""

    turns = inf

    def __init__(self, game: AnyGame) -> None:
        self.game = game

    def plans(self, view: Any, choices: Sequence[Any], rng: Random, most: int) -> list[Plan[Any]]:
        """Return the bots' plans, the strongest bot first."""
        game = self.game
        forms = game.view_json(view), [game.choice_json(choice) for choice in choices]
        made = [bots.choose(game.name, level, *forms, str(rng.random())) for level in [*game.bots][::-1]]
        return [(game.action_from_json(each),) for number, each in enumerate(made) if each not in made[:number]]

    def play(self, state: Any, seat: int, rng: Random) -> Any:
        action = bots.decide(self.game, state, seat, bots.quick_bot_level(self.game), str(rng.random()))
        return self.game.decode(state, seat, action)

    def value(self, state: Any) -> list[float]:
        return win_shares(self.game.standing(state))


def judge_bots_ideas(
    name: str, view: Json, choices: list[Json], also: Sequence[Json], stop: Stop | None, effort: float
) -> list[Idea]:
    return judge_ideas(BotAdvice(games.get_game(name)), view, choices, also, stop, effort)
