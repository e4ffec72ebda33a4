"""The guide of The Caves of Casadh: rates each goal by its chance to win, and goes home in time.

It reads only what its seat knows: the sizes of piles, and the treasures it has seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import fsum, inf

from msgspec import Struct

from cave.caves_of_casadh import actions as act
from cave.caves_of_casadh import routes
from cave.caves_of_casadh.action_table import turn_mp
from cave.caves_of_casadh.actions import Action
from cave.caves_of_casadh.components import HOME, ItemKind, components, distance, facing, layout, next_cell
from cave.caves_of_casadh.game import CAVES_OF_CASADH
from cave.caves_of_casadh.legal import legal_rotations, origin_of, takable_items
from cave.caves_of_casadh.outlook import MEDKIT, SOON_HOME, STRONGEST, Expectation, Outlook, average_hex
from cave.caves_of_casadh.routes import ANYWHERE, Leg, RouteAtlas, Spot
from cave.caves_of_casadh.scoring import damage_at, reachable_ways
from cave.caves_of_casadh.state import Laid, State, cell_of, count_spelunkers, hex_of
from cave.codec import to_json
from cave.game import Json

PER_MP = 0.2  # points that 1 MP is worth
NEW_ITEM = 1.2  # points of an item on a new hex
CUT_OFF = 0.6  # factor for a chance to win without a way home
LATE = 60  # the round from which the guide only wants to get out
TOO_LATE = 80  # the round from which even that is hopeless
CUT_OFF_LATE = 40  # the round from which a cut-off spelunker gives up
SPARE = 16  # MP to spare at Base Camp if there is a round limit
DETOURS = 1.6  # factor for the MP of a way home, for hazards and misfortunes
PAIN = 5  # extra MP of a flight to avoid a point of damage
FAR = 30  # MP to assume without a way home
NEAR_BY = 3  # hexes within which a grue troubles a rival
NEAR = 1e-5  # bonus (chance to win) for each hex nearer to Base Camp
OPEN_SIDE = 1.0  # of a rotation: worth of an open side
OPEN_SIDES = 3  # open sides that count at most


class GuideTaste(Struct, frozen=True):
    """Values of things in points; ``weak`` is the HP at which a spelunker uses a Medkit.

    ``left``: a treasure left behind by another spelunker; ``gear``: an item against a hazard or for slopes;
    ``light``: an item against a misfortune. The rest rates rotations: a marker or water in the entry passage,
    and each MP that shortens the way home.
    """

    left: float = 3.0
    lantern: float = 5.0
    gear: float = 3.5
    light: float = 1.5
    weak: int = 1
    marker: float = 3.0
    water: float = 0.5
    shortcut: float = 0.3

    def worth_of_item(self, kind: ItemKind) -> float:
        """Return the worth of an item in points; a Medkit counts as strength."""
        match kind:
            case "lantern":
                return self.lantern
            case "battery" | "canteen":
                return self.light
            case "medkit":
                return 0.0
            case "dynamite":
                return 0.1
            case _:
                return self.gear


PLAIN = GuideTaste()
KEEN = GuideTaste(left=2.0, lantern=9.0, gear=7.0, light=4.0, weak=2, marker=4.0, water=0.2, shortcut=0.7)
"""Won most of 20,000 games against guides: ``python -m tests.bench casadh-taste`` tries other numbers."""


class Look(Struct, frozen=True):
    """Search parameters: the horizon in MP; whether to return every first action or only the best;
    expectation of rivals; the round from which a cut-off spelunker gives up; values of things. ``careful``: MP
    cost as many turns as they take, and once no rival is in the caves, known damage on the way home counts.
    """

    within: int = ANYWHERE
    every: bool = False
    expects: Expectation = SOON_HOME
    patience: int = CUT_OFF_LATE
    taste: GuideTaste = PLAIN
    careful: bool = False


GUIDE = Look()


Plan = tuple[Action, ...]
"""Actions up to a random event or the turn's end. If the turn ends first, the later actions show the goal."""


class _Goal(Struct, frozen=True):
    score: float
    spot: Spot
    then: Action


def choose(view: Json, offered: list[Json], seed: str, look: Look = GUIDE) -> Json:
    """Return the guide's action in its public form; ``offered`` are the seat's choices."""
    shown = CAVES_OF_CASADH.view_from_json(view)
    assert shown.viewer is not None
    return to_json(plan_for_seat(shown.cave, shown.viewer, look)[0][0])


def plan_for_seat(state: State, seat: int, look: Look) -> list[Plan]:
    """Return plans for the seat, the best first, with different first actions; at least one."""
    match state.phase:
        case "actions":
            return _plans_in_turn(state, seat, look)
        case "keeping":
            return [(keep_highest_treasure(state),)]
        case "haunting":
            return [(act.MoveGrue(),)]
        case "placing":
            return _rank_plans(rate_rotations(state, seat, look.taste))
        case "fleeing":
            return _rank_plans(_rate_flights(state, seat))
        case "driving":
            return _rank_plans(_rate_lairs(state, seat))
        case "taking_lantern":
            holders = routes.lantern_holders(state, seat)
            return _rank_plans((worth_of_lantern(state, each), act.TakeLantern(each)) for each in holders)
        case _:
            return _rank_plans(_rate_grue_moves(state))


def _rank_plans(found: Iterable[tuple[float, Action]]) -> list[Plan]:
    return [(action,) for _, action in sorted(found, key=lambda each: -each[0])]


def keep_highest_treasure(state: State) -> Action:
    """Keep the highest treasure: the spelunker can return for the rest."""
    assert state.offer is not None
    return act.Keep(max(value for value in state.offer.values if value is not None))


# A spelunker's own turn


def _plans_in_turn(state: State, seat: int, look: Look) -> list[Plan]:
    player = state.players[seat]
    if "medkit" in player.items and player.hp <= look.taste.weak:
        return [(act.UseMedkit(),)]
    if hex_of(state, seat).dynamite:
        return [(flee_dynamite(state, seat),)]
    atlas = RouteAtlas(state, seat, look.within)
    if state.round >= TOO_LATE or (state.round >= look.patience and atlas.here not in atlas.home):
        return [(act.GiveUp(),)]
    if not state.mp:
        return [(act.EndTurn(),)]
    goals = _reachable_goals(state, seat, atlas, look)
    if not goals:
        return [(act.EndTurn(),)]
    if not look.every:
        best = max(goals, key=lambda goal: goal.score)
        return [_actions_to_goal(state, atlas, best)]
    found: dict[Action, Plan] = {}
    for goal in sorted(goals, key=lambda goal: -goal.score):
        actions = _actions_to_goal(state, atlas, goal)
        found.setdefault(actions[0], actions)
    return list(found.values())


def _reachable_goals(state: State, seat: int, atlas: RouteAtlas, look: Look) -> list[_Goal]:
    """Return the goals in reachable passages, and going home.

    Of empty cells only the nearest are included, unless ``look`` asks for every goal.
    """
    outlook, goals = Outlook(state, seat, look.expects), []
    home = atlas.home.get(atlas.here)
    alone = look.careful and count_spelunkers(state, "in") == 1
    if home is not None:
        strength = outlook.strength - home.damage
        # Alone nothing new wakes on the way.
        leaving = outlook.chance_leaving(outlook.gold, STRONGEST if alone and strength > 0 else strength)
        goals.append(_Goal(leaving, (HOME, 0), act.Leave()))
        if state.round >= LATE:
            return goals
    per_mp = PER_MP * (components().start_hp / turn_mp(outlook.player) if look.careful else 1)
    hp, limit = outlook.player.hp, state.settings.round_limit
    left = state.mp + (limit - state.round) * hp if limit else inf  # MP until the round limit (rule 9.5)
    nearest: dict[tuple[int, bool], float] = {}
    for spot, leg in atlas.reach.items():
        laid = state.map[spot[0]]
        lies = (laid.treasures or laid.items) and laid.layout.hex.marker == spot[1]
        empty = atlas.frontier.get(spot) if state.hexes else None
        if not lies and not empty:
            continue
        back = atlas.home.get(spot)
        cut_off = back is None and home is not None
        late = back is not None and leg.mp + DETOURS * back.mp + SPARE >= left
        if leg.damage >= hp or (cut_off and left < inf) or late:
            continue
        kept = CUT_OFF if cut_off else 1.0
        price = per_mp * (leg.mp + (back.mp / 4 if back else 0))
        points, strength = outlook.gold - price, outlook.strength - leg.damage
        if alone and back is not None:
            if back.damage < strength:
                strength -= back.damage
            elif home is not None and home.damage < outlook.strength:
                kept = CUT_OFF
        if lies:
            for chance, then in _things_to_pick_up(outlook, laid, leg, points, strength, look.taste):
                goals.append(_Goal(kept * chance, spot, then))
        if not empty:
            continue
        price += per_mp * average_hex().mp[min(5, _mp_to_reach(outlook, leg))]
        if not look.every:
            if price >= nearest.get((leg.damage, cut_off), inf):
                continue
            nearest[leg.damage, cut_off] = price
        points = outlook.gold - price + NEW_ITEM * outlook.expected_items_of_next_hex
        chance = kept * outlook.chance_exploring(points, strength)
        for to in empty:
            goals.append(_Goal(chance - NEAR * distance(to, HOME), spot, act.Explore(to)))
    return goals


def _mp_to_reach(outlook: Outlook, leg: Leg) -> int:
    left = outlook.state.mp - leg.mp
    return left if left > 0 else 1 + (left - 1) % max(1, outlook.player.hp)


def _things_to_pick_up(
    outlook: Outlook, laid: Laid, leg: Leg, points: float, strength: int, taste: GuideTaste
) -> Iterator[tuple[float, Action]]:
    """Return the things to pick up from a hex, each with the chance to win after it."""
    if laid.treasures:
        known = [each.value for each in laid.treasures if each.seen == outlook.seat and each.value is not None]
        best = max(known + [taste.left] * (len(known) < len(laid.treasures)))
        yield outlook.chance_staying(points + best - PER_MP, strength), act.CollectTreasure()
    kinds = takable_items(outlook.player, laid)
    if kinds:
        items = fsum(map(taste.worth_of_item, kinds))
        stronger = strength + MEDKIT * ("medkit" in kinds)
        price = PER_MP * _mp_to_reach(outlook, leg)
        yield outlook.chance_staying(points + items - price, stronger), act.CollectItems(kinds)


def _actions_to_goal(state: State, atlas: RouteAtlas, goal: _Goal) -> tuple[Action, ...]:
    actions: list[Action] = []
    at, mp = atlas.here[0], state.mp
    path = atlas.path_home() if isinstance(goal.then, act.Leave) else atlas.path_to_spot(goal.spot)
    for spot in path:
        if spot[0] == at:
            actions.append(act.Slide(spot[1]))
        elif mp:
            actions.append(act.Move(spot[0]))
            at, mp = spot[0], mp - 1
        else:
            break
    return (*actions, goal.then) if mp else (*actions, act.EndTurn(), goal.then)


def flee_dynamite(state: State, seat: int) -> Action:
    """Walk away from dynamite, which explodes before the next turn, or try to defuse it."""
    out = reachable_ways(state, seat)
    if not out:
        return act.Defuse(hex_of(state, seat).dynamite[0])
    way = min(out, key=lambda way: (way.damage, way.kind == "explore", distance(way.to, HOME)))
    return way.actions[0]


# Other decisions


def rate_rotations(state: State, seat: int, taste: GuideTaste = KEEN) -> Iterator[tuple[float, Action]]:
    """Yield the rotations; good: the marker, open sides and a shorter way home in the entry passage."""
    drawn = state.drawn
    assert drawn is not None
    atlas, origin = RouteAtlas(state, seat, within=0), origin_of(cell_of(state, seat), drawn.to)
    home = atlas.home.get(atlas.here)
    away = home.mp + 1 if home else FAR
    for rotation in legal_rotations(drawn.hex, origin):
        lie = layout(drawn.hex, rotation)
        passage = lie.owner[origin]
        empty = shorter = 0
        for side in lie.sides[passage]:
            to = next_cell(drawn.to, side)
            there = state.map.get(to)
            if there is None:
                empty += 1
            elif (way := atlas.home.get((to, there.layout.owner[facing(side)]))) is not None:
                shorter = max(shorter, away - way.mp - 1)
        score = taste.marker * (lie.hex.marker == passage) + OPEN_SIDE * min(OPEN_SIDES, empty)
        score += taste.water * (lie.hex.water == passage) + taste.shortcut * shorter
        yield score, act.Place(rotation)


def _rate_flights(state: State, seat: int) -> Iterator[tuple[float, Action]]:
    """Yield the steps of a flight; good: little damage and a short way home."""
    atlas, at = RouteAtlas(state, seat, within=0), cell_of(state, seat)
    items = state.players[seat].items
    for to in routes.first_flight_steps(state, seat):
        laid = state.map[to]
        pain = damage_at(state, to, items) + (laid.grues > 0)
        spot = (to, laid.layout.owner[origin_of(at, to)])
        home = atlas.home.get(spot)
        yield -PAIN * pain - (home.mp if home else FAR), act.Flee(to)


def _rate_lairs(state: State, seat: int) -> Iterator[tuple[float, Action]]:
    """Yield the lairs; good: far from here and near rivals."""
    at = cell_of(state, seat)
    for to in routes.free_lairs(state):
        near = sum(
            max(0, NEAR_BY - distance(to, rival.at))
            for other, rival in enumerate(state.players)
            if other != seat and rival.at is not None
        )
        yield distance(to, at) + near, act.Drive(to)


def worth_of_lantern(state: State, holder: int) -> float:
    """Rate a Lantern by its holder's treasures, plus 10 for a holder in the caves."""
    player = state.players[holder]
    return len(player.treasures) + 10 * (player.state == "in")


def _rate_grue_moves(state: State) -> Iterator[tuple[float, Action]]:
    """Yield the moves of grues, scored by the spelunkers there and those on the next hexes."""
    for start, to in routes.grue_moves(state):
        score = 0.0
        for seat, rival in enumerate(state.players):
            if rival.at == to:
                doomed = rival.hp == 1 or not routes.first_flight_steps(state, seat)
                score += len(rival.treasures) * (1 + doomed) + 8 / rival.hp
            elif rival.at is not None and distance(to, rival.at) == 1:
                score += 0.5
        yield score, act.PlaceGrue(start, to)
