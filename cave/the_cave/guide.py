"""The guide of The Cave: plans whole trips, packs for them, and takes the first step of the best.

Of the stacks it uses only the number of tiles. Its decisions depend on the cave alone, so that two guides
never keep each other waiting: if a team fresh from the base would find nothing worthwhile, both accept small
gains, and finally starving.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from cave import codec
from cave.game import Json
from cave.the_cave import routes
from cave.the_cave.actions import PACK_AP, Action, Discover, EndTurn, Move, Pack, Place
from cave.the_cave.game import THE_CAVE, View
from cave.the_cave.packing import most_to_pack, room_for_kit
from cave.the_cave.routes import passages_from
from cave.the_cave.scoring import AP_STANDSTILL, ScoringWorths, worths_for_seat
from cave.the_cave.state import BASE, CHOKE, LEVEL, TURN_AP, Items, State, Team, open_neighbours
from cave.the_cave.tiles import laid_tile, lay_tile, legal_placements, unexplored_exits
from cave.the_cave.trips import CheckedTrip, Start, Trail, Trip, TripAtlas, best_trips, trip_steps

WIDTH = 20  # labels kept at each time of a trip
KIT_WIDTH = 7  # while kits are compared
KITS_FED = 3  # number of kits tried with more and less food
KITS_IN_FULL = 3  # number of the best of them evaluated in full
SPARE = (0, TURN_AP, 2 * TURN_AP)  # AP to keep for the way home, tried in order
PACKING = 0.5  # cost of packing beside its AP
CONNECTION = 0.5  # of a placement: for each passage to a placed tile
CLIMB = 0.6  # for each level of such a passage
FINAL_TURNS = 3  # minimum turns of a team after the end is triggered (rule 7.2)
RESTLESS = 0.1  # probability that a team does not wait at the base
TILES_A_TURN = 3  # a team rarely discovers more
FOREVER = 99
FOOD = (2, 3, 5)
USUAL_FOOD = 4
OXYGEN = range(3)
FRESH = (
    Items(consumable=4, rope=1, oxygen=1, camera=1, raft=1),  # the one of rule 2.3
    Items(consumable=6, rope=1, raft=1),
    Items(consumable=4, rope=3, raft=1),
    Items(consumable=3, rope=2, oxygen=1, camera=1, raft=1),
)
_END_TURN = EndTurn()


class Stance(Struct, frozen=True):
    """How a team rates trips: the worth of an AP (None: default), the cost of packing beside its AP, and
    whether it allows for a near end.
    """

    ap: float | None
    packing: float
    hurried: bool


USUAL = Stance(None, PACKING, True)
PATIENT = Stance(AP_STANDSTILL, AP_STANDSTILL, False)
"""Used if a team fresh from the base would find nothing worthwhile otherwise."""


class Look(Struct, frozen=True):
    """Search effort: labels kept at each time of a trip; whether to return every first action; whether to
    accept small gains if a team fresh from the base would find nothing better; whether to rate all kits or a
    few.
    """

    width: int = WIDTH
    every: bool = False
    patient: bool = True
    all_kits: bool = True


GUIDE = Look()


class Option(Struct, frozen=True):
    """An option of a team: its score, the actions up to a discovery or the turn's end, and those planned for
    later turns.
    """

    score: float
    actions: tuple[Action, ...]
    later: tuple[Action, ...] = ()


def choose(view: Json, choices: list[Json], seed: str) -> Json:
    """Return the guide's action in its public form; ``choices`` belong to the view's seat."""
    shown = THE_CAVE.view_from_json(view)
    assert shown.viewer is not None
    state, seat = cave_without_stacks(shown), shown.viewer
    found = stir_options(state, seat, team_options(state, seat), Random(f"{seed}: wait?"))
    return codec.to_json(found[0].actions[0])


def stir_options(state: State, seat: int, found: list[Option], rng: Random) -> list[Option]:
    """Return the options, sometimes without the first if it is to wait: otherwise all teams may wait forever
    for trips that look worse once begun.
    """
    return found[1:] if _is_waiting_at_base(state, seat, found) and rng.random() < RESTLESS else found


def _is_waiting_at_base(state: State, seat: int, found: Sequence[Option]) -> bool:
    """Return whether a team waits at the base for its next turn although it has another option now."""
    free = state.phase == "actions" and state.turns_left is None and state.teams[seat].at == BASE
    waits = free and found[0].actions == (_END_TURN,)
    return waits and len(found) > 1 and found[1].score > 0


def cave_without_stacks(view: View) -> State:
    """Return the visible cave, with stacks of the right size and dummy tiles."""
    return replace(view.cave, stacks=tuple((CHOKE,) * size for size in view.stack_sizes))


def team_options(state: State, seat: int, look: Look = GUIDE) -> list[Option]:
    """Return the team's options, the best first, with different first actions; at least one."""
    if state.phase == "packing":
        return [Option(score, (Pack(kit),)) for score, kit in best_kits(state, seat, look)]
    if state.phase == "placing":
        return _placement_options(state, seat)
    if state.phase == "starving":
        return [_only_option(forced_move_home(state, seat))]
    return _acting_options(state, seat, look)


def _only_option(*actions: Action) -> Option:
    """Return the only option; its score is never compared."""
    return Option(0.0, actions)


def _acting_options(state: State, seat: int, look: Look) -> list[Option]:
    for stance in (USUAL, PATIENT):
        found = _outing_options(state, seat, stance, look)
        if _is_worthwhile(found) or not (look.patient and _would_stay_at_base(state, seat, stance, look)):
            return _distinct_options(found)
    hungry = _way_despite_hunger(state, seat)
    return [hungry] if hungry else _distinct_options(found)


def _is_worthwhile(found: Sequence[tuple[Option, bool]]) -> bool:
    return max(found, key=lambda each: each[0].score)[1]


def _distinct_options(found: Sequence[tuple[Option, bool]]) -> list[Option]:
    best: dict[Action, Option] = {}
    for option, _ in sorted(found, key=lambda each: -each[0].score):
        best.setdefault(option.actions[0], option)
    return list(best.values())


def _outing_options(state: State, seat: int, stance: Stance, look: Look) -> list[tuple[Option, bool]]:
    """Return options, and for each whether it has a target other than home."""
    team, worth = state.teams[seat], worths_for_seat(state, seat, stance.ap)
    atlas = TripAtlas(state, seat)
    start = _trip_start(state, seat, team.backpack, TURN_AP - state.ap, stance)
    found = _options_from_tile(state, seat, atlas, worth, start, look)
    if team.at != BASE:
        return found or [(Option(0.0, *_way_home_by_turn(state, seat)), False)]
    if state.ap < TURN_AP:
        start = _trip_start(state, seat, team.backpack, TURN_AP, stance)
        later = _options_from_tile(state, seat, atlas, worth, start, look)
        waiting = worth.ap * state.ap
        found += [
            (Option(option.score - waiting, (EndTurn(),), option.actions + option.later), goes)
            for option, goes in later
        ]
    if state.ap >= PACK_AP and team.backpack.slots_filled < room_for_kit(team):
        price = stance.packing + worth.ap * PACK_AP
        for score, kit in best_kits(state, seat, look, stance):
            if kit != team.backpack:
                found.append((Option(score - price, (Pack(kit),)), score > price))
    resting = (Option(0.0, (EndTurn(),)), False)
    if state.ap >= PACK_AP and not _is_worthwhile([*found, resting]):
        # This team can pack like a team fresh from the base, so it cannot wait forever.
        for score, price, kit in _fresh_kit_scores(state, seat, stance, look):
            if kit != team.backpack:
                found.append((Option(score - price, (Pack(kit),)), score > price))
    return [*found, resting]


def _options_from_tile(
    state: State, seat: int, atlas: TripAtlas, worth: ScoringWorths, start: Start, look: Look
) -> list[tuple[Option, bool]]:
    """Return the team's options from its place, with different first actions."""
    found = []
    for trip in _best_trips_home(state, seat, atlas, worth, start, look):
        trail = trip.label.trail
        if trail is not None:
            found.append((Option(trip.score, *_steps_by_turn(trail)), True))
        elif start.at != BASE:
            found.append((Option(trip.score, *_way_home_by_turn(state, seat)), False))
    return found


def _best_trips_home(
    state: State, seat: int, atlas: TripAtlas, worth: ScoringWorths, start: Start, look: Look
) -> list[Trip]:
    """Return the best trip that gets home for each first action, or only the best of all.

    If the first candidates do not get home, plan others with a turn to spare.
    """
    best: dict[Action | None, Trip] = {}
    for spare in SPARE:
        best = {}
        checked = CheckedTrip(state, seat, start)
        for trip in best_trips(atlas, worth, replace(start, until=start.until - spare), look.width):
            trail = trip.label.trail
            first = None if trail is None else _END_TURN if trail.first[1] else trail.first[0]
            if first not in best and (trail is None or checked.comes_home(trip)):
                best[first] = trip
                if not look.every and not checked.failed:
                    return [trip]
                if not look.every and first is not None:
                    break
        if any(best) or not checked.failed:
            break
    return list(best.values())


def _trip_start(state: State, seat: int, kit: Items, clock: int, stance: Stance) -> Start:
    begins = clock // TURN_AP if state.teams[seat].at == BASE else 0
    fed = TURN_AP * (begins + kit.consumable + 1)
    left = turns_left(state, seat) if stance.hurried or state.turns_left is not None else FOREVER
    strict = state.settings.stranded_score_nothing or state.turns_left is None
    return Start(state.teams[seat].at, kit, clock, min(fed, TURN_AP * left), strict)


def turns_left(state: State, seat: int) -> int:
    """Return the turns that a seat has left, including the current one; a minimum if the end is open."""
    seats = len(state.teams)
    if state.turns_left is None:
        tiles = sum(len(stack) for stack in state.stacks)
        return FINAL_TURNS + 1 + tiles // (TILES_A_TURN * seats)
    assert state.seat is not None
    return max(0, (state.turns_left - (seat - state.seat) % seats + seats - 1) // seats)


def _steps_by_turn(trail: Trail) -> tuple[tuple[Action, ...], tuple[Action, ...]]:
    """Return the steps up to the first discovery, split into the current turn and later ones."""
    actions: list[Action] = []
    later: list[Action] = []
    for action, turn in trip_steps(trail):
        (later if turn else actions).append(action)
        if isinstance(action, Discover):
            break
    return (*actions, EndTurn()) if later else tuple(actions), tuple(later)


def way_home_actions(state: State, seat: int) -> tuple[Action, ...]:
    return _way_home_by_turn(state, seat)[0]


def _way_home_by_turn(state: State, seat: int) -> tuple[tuple[Action, ...], tuple[Action, ...]]:
    """Return this turn's actions on the way home, including its end, and the later ones."""
    home = routes.way_home(state, seat)
    if home is None:
        return (EndTurn(),), ()
    moves = tuple(Move(leg.to, leg.by) for leg in home.legs if not leg.turn)
    later = tuple(Move(leg.to, leg.by) for leg in home.legs if leg.turn)
    # A forced move ends the turn by itself.
    return moves if moves and moves[-1].by == "force" else (*moves, EndTurn()), later


def fresh_kits(team: Team) -> list[Items]:
    """Return a few kits for a team without other information, limited to the things available."""
    most, slots = most_to_pack(team, with_camp=False), room_for_kit(team)
    found = []
    for kit in FRESH:
        left = replace(kit, consumable=0, camera=min(kit.camera, most.camera), raft=min(kit.raft, most.raft))
        while left.slots_filled > slots - 2:
            left = replace(left, rope=left.rope - 1, oxygen=0)
        found.append(replace(left, consumable=slots - left.slots_filled))
    return found


def kits_worth_packing(state: State, team: Team) -> list[Items]:
    """Return all sensible kits with the usual food; ropes fill the remaining slots."""
    most, slots = most_to_pack(team, with_camp=False), room_for_kit(team)
    exploring = state.turns_left is None
    tokens = {tile.kind for tile in state.board.values() if tile.token}
    water = any(tile.kind == "water" for tile in state.board.values())
    cameras = range(1 + min(most.camera, int(exploring or "wonder" in tokens)))
    rafts = range(1 + min(most.raft, int(exploring or water)))
    oxygens = OXYGEN if exploring or water else range(1)
    found = []
    for oxygen, camera, raft in product(oxygens, cameras, rafts):
        kit = _fill_with_ropes(Items(consumable=USUAL_FOOD, oxygen=oxygen, camera=camera, raft=raft), slots)
        if kit is not None:
            found.append(kit)
    return found


def _fill_with_ropes(kit: Items, slots: int) -> Items | None:
    ropes = slots - kit.slots_filled
    return replace(kit, rope=ropes) if ropes >= 0 else None


def best_kits(state: State, seat: int, look: Look = GUIDE, stance: Stance = USUAL) -> list[tuple[float, Items]]:
    """Return kits to pack at the base with the score of their best trip, the best first."""
    team = state.teams[seat]
    worth = worths_for_seat(state, seat, stance.ap)
    atlas = TripAtlas(state, seat)
    clock = 0 if state.phase == "packing" else TURN_AP - state.ap + PACK_AP
    if 2 * clock > TURN_AP:
        clock = TURN_AP

    def glance(kit: Items) -> float:
        found = best_trips(atlas, worth, _trip_start(state, seat, kit, clock, stance), min(look.width, KIT_WIDTH))
        return found[0].score if found else 0.0

    if not look.all_kits:
        thought = {kit: glance(kit) for kit in fresh_kits(team)}
    else:
        thought = {kit: glance(kit) for kit in kits_worth_packing(state, team)}
        for kit in sorted(thought, key=lambda kit: -thought[kit])[:KITS_FED]:
            for food in FOOD:
                fed = _fill_with_ropes(replace(kit, consumable=food, rope=0), room_for_kit(team))
                if fed is not None and fed not in thought:
                    thought[fed] = glance(fed)
    ranked = sorted(thought.items(), key=lambda each: -each[1])
    chosen = []
    for kit, _ in ranked[:KITS_IN_FULL]:
        start = _trip_start(state, seat, kit, clock, stance)
        score = max(0.0, _best_score(state, seat, atlas, worth, start, look.width))
        chosen.append((score, kit))
    return sorted(chosen, key=lambda each: -each[0])


def _best_score(state: State, seat: int, atlas: TripAtlas, worth: ScoringWorths, start: Start, width: int) -> float:
    """Return the score of the best trip that gets home; ``-FOREVER`` if none does."""
    found = _best_trips_home(state, seat, atlas, worth, start, Look(width))
    return max((trip.score for trip in found), default=-FOREVER)


def best_trip_score(state: State, seat: int, look: Look = GUIDE) -> float:
    """Return the score of a team's best trip from its tile, also during another team's turn. At the base it
    packs first.
    """
    team = state.teams[seat]
    # A turn that has not begun has all its AP.
    ready = state if state.seat == seat and state.phase == "actions" else replace(state, ap=TURN_AP)
    worth, atlas = worths_for_seat(state, seat), TripAtlas(state, seat)
    kit = team.backpack
    if team.at == BASE and kit.slots_filled < room_for_kit(team):
        kit = fresh_kits(team)[0]
    return _best_score(ready, seat, atlas, worth, _trip_start(ready, seat, kit, TURN_AP - ready.ap, USUAL), look.width)


def _would_stay_at_base(state: State, seat: int, stance: Stance, look: Look) -> bool:
    """Return whether a team fresh from the base would find nothing worthwhile.

    This depends on the cave alone, so that a team does not turn back half-way.
    """
    return all(score <= price for score, price, _ in _fresh_kit_scores(state, seat, stance, look))


def _fresh_kit_scores(state: State, seat: int, stance: Stance, look: Look) -> Iterator[tuple[float, float, Items]]:
    """Yield for each fresh kit the score of its best trip, the price of packing, and the kit."""
    fresh = state.with_team(seat, replace(state.teams[seat], at=BASE))
    worth = worths_for_seat(fresh, seat, stance.ap)
    atlas = TripAtlas(fresh, seat)
    price = stance.packing + worth.ap * PACK_AP
    for kit in fresh_kits(fresh.teams[seat]):
        start = _trip_start(fresh, seat, kit, 0, stance)
        yield _best_score(fresh, seat, atlas, worth, start, look.width), price, kit


def _way_despite_hunger(state: State, seat: int) -> Option | None:
    """Return the way to the nearest exit even if the team starves; None once the end is triggered."""
    team = state.teams[seat]
    if state.turns_left is not None:
        return None
    if unexplored_exits(state.board, team.at) and state.ap:
        return _only_option(Discover())
    if team.at == BASE and team.backpack.consumable < 4 and state.ap >= PACK_AP:
        return _only_option(Pack(fresh_kits(team)[1]))
    ways = routes.quickest_routes(state, team, state.ap, max_turns=60)
    near = [route for at, route in ways.items() if unexplored_exits(state.board, at)]
    if not near:
        return None
    leg = min(near, key=lambda route: (route.turns, route.ap)).legs[0]
    return _only_option(EndTurn() if leg.turn else Move(leg.to, leg.by))


def _placement_options(state: State, seat: int) -> list[Option]:
    """Return the placements; those with most exits and most connected passages first."""
    drawn, at = state.drawn, state.teams[seat].at
    assert drawn is not None
    here = state.board[at]

    def score(place: Place) -> float:
        tile = laid_tile(drawn, place.at, place.rotation, here)
        worth = float(lay_tile(state, tile).open_exits - state.open_exits)
        for _, to, facing, _ in open_neighbours(place.at, tile.open):
            there = state.board.get(to)
            if there is not None and facing in there.open:
                worth += CONNECTION + CLIMB * abs(there.depth - tile.depth) / LEVEL
        return worth

    found = [Option(score(place), (place,)) for place in legal_placements(state.board, at, drawn)]
    return sorted(found, key=lambda option: -option.score)


def forced_move_home(state: State, seat: int) -> Action:
    """Go home by forced moves, the shortest way (rule 3.2)."""
    route = routes.way_home(state, seat)
    if route is not None:
        return Move(route.legs[0].to, "force")
    ways = passages_from(state, state.teams[seat].at)
    return Move(ways[0][0], "force") if ways else EndTurn()
