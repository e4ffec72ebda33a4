"""Facts about a place, the teams and their luggage, for panes and line mode."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from cave.the_cave.packing import is_at_own_camp
from cave.the_cave.routes import Route, passages_from, way_home
from cave.the_cave.scoring import BONUS_CATEGORIES, count_tokens
from cave.the_cave.state import BACKPACK_SLOTS, CAMP_SLOTS, LEVEL, SIDES, Coord, State, Team, neighbours_of, turn_sides
from cave.the_cave.tiles import unexplored_exits
from client.games.the_cave import terms
from client.games.the_cave.actions import ActionLine, TileAim, move_choices, move_offers, why_at
from client.games.the_cave.picture import token_points
from client.games.the_cave.scene import CaveScene
from client.games.the_cave.supplies import SuppliesCountdown, supplies_of_team
from client.games.the_cave.walk_plans import WalkPlan, WalkWay, leading_to, plan, plan_unforced_walk, tile_for
from client.table import TableState
from client.wording import count


class Inspection(msgspec.Struct, frozen=True):
    """``title`` names the place, ``facts`` describe it, ``ways`` lead there; ``why`` if none does.

    ``plan`` is the way there and back home, if any, and on the ``is_own`` tile the way home; ``onward`` if
    the ways describe how to get there.
    """

    title: str
    facts: tuple[str, ...]
    ways: tuple[ActionLine, ...] = ()
    why: str = ""
    plan: WalkPlan | None = None
    onward: bool = False
    is_own: bool = False


_TOKENS = {"water": "water", "wonder": "photo"}


def place_facts(scene: CaveScene, at: Coord, seat: int | None = None) -> Inspection:
    """Return all facts about a place; with a ``seat`` also prices, and the way there and home."""
    cave, choices, view = scene.cave, scene.choices, scene.view
    there = None
    if seat is not None and seat not in view.hidden:
        goal = tile_for(cave, seat, at)
        there = None if goal in (None, cave.teams[seat].at) else plan(cave, seat, at)
    tile = cave.board.get(at)
    if tile is None:
        if sides := [near.side for near in leading_to(cave, at)]:
            return Inspection(
                unexplored_words(view), (f"an exit leads here from the {terms.sides_words(sides)}",), plan=there
            )
        return Inspection("nothing here", ("no exit leads here yet",))
    facts = [f"{_TOKENS.get(tile.kind, 'squeeze')} token {terms.gain_words(token_points(tile))}"] * bool(tile.token)
    side_of = {near.at: near.side for near in neighbours_of(at)}
    climbs = ((side_of[to], climb) for to, _, climb in passages_from(cave, at) if climb)
    facts += [f"{count(climb, 'rope')} needed to the {terms.SIDE_WORDS[side]}" for side, climb in climbs]
    facts += _teams_here(cave, at, seat, view)
    # Last, as the map shows it, too: where only some facts fit, the others count.
    facts.append(_exits_words(cave, at, tiles_left=any(view.stack_sizes)))
    title = f"{terms.tile_kind_words(tile.kind, tile.level)}, {tile.depth} m deep"
    if seat is None or not choices or cave.phase not in ("actions", "starving"):
        own = seat is not None and at == cave.teams[seat].at
        return Inspection(title, tuple(facts), plan=there, is_own=own)
    here = cave.teams[seat].at
    if at == here:
        return Inspection(title, ("your team is here", *facts), plan=plan(cave, seat, at), is_own=True)
    if not any(near.at == at for near in neighbours_of(here)):
        return Inspection(title, tuple(facts), plan=there)
    found = move_offers(cave, seat, [choice for choice in move_choices(choices) if choice.action.to == at])  # type: ignore[union-attr]
    usual = tuple(offer for offer in found if not offer.by_force)
    # The team walks around instead of forcing its way in, if it can.
    walked = not usual and isinstance(plan_unforced_walk(cave, seat, at), WalkWay)
    if found:
        return Inspection(title, tuple(facts), usual or found, plan=there, onward=not walked)
    return Inspection(title, tuple(facts), why=why_at(scene.refusals, at), plan=there if walked else None)


NO_TILES = "no tiles left"


def unexplored_words(view: Any) -> str:
    """Return what an exit leads to, also when there is nothing left to discover."""
    return "unexplored" if any(view.stack_sizes) else NO_TILES


def _exits_words(cave: State, at: Coord, *, tiles_left: bool) -> str:
    tile = cave.board[at]
    if tile.kind == "choke":
        return "open to all sides"
    new = unexplored_exits(cave.board, at)
    unexplored = [near.side for near in neighbours_of(at) if near.at in new]
    known = [side for side in SIDES if side in tile.open and side not in unexplored]
    text = f"ways on: {terms.sides_words(known) or 'none'}"
    here = "unexplored" if tiles_left else f"{NO_TILES} for"
    return f"{text}; {here}: {terms.sides_words(unexplored)}" if unexplored else text


def _eats_words(view: Any, seat: int) -> str:
    eats = view.cave.teams[seat].backpack.consumable
    return "" if seat in view.hidden else f", {count(eats, 'consumable')}"


def _teams_here(cave: State, at: Coord, seat: int | None, view: Any) -> list[str]:
    here = [
        f"{terms.team_letter(number)} {view.names[number]}{_eats_words(view, number)}"
        for number, team in enumerate(cave.teams)
        if team.at == at and number != seat
    ]
    camps = [
        f"camp {terms.team_letter(number).lower()}"
        for number, team in enumerate(cave.teams)
        if team.camp.state == "pitched" and team.camp.at == at
    ]
    return [", ".join(part) for part in (here, camps) if part]


class FactsSection(msgspec.Struct, frozen=True):
    """A title with a note, and facts, most important first."""

    title: str
    facts: tuple[str, ...] = ()
    note: str = ""

    @property
    def text(self) -> str:
        return ", ".join(self.facts)


def luggage_facts(team: Team, seat: int) -> tuple[FactsSection, FactsSection]:
    """Return backpack and camp of a team (rule 2.3)."""
    camp = team.camp
    packed = camp.state == "packed"
    held = (*terms.amounts_words(team.backpack), *["the camp"] * packed) or ("nothing",)
    backpack = FactsSection("Backpack", held, f"{team.slots_used} of {BACKPACK_SLOTS} slots")
    if camp.state not in ("packed", "pitched"):
        where = "at the base" if camp.state == "beside" else "gone for good"
        return backpack, FactsSection("Camp", note=where)
    where = "packed" if packed else "here"
    if camp.at is not None and not is_at_own_camp(team):
        where = f"{terms.direction_words(team.at, camp.at)} of you"
    held = tuple(terms.amounts_words(camp.items)) or ("nothing",)
    return backpack, FactsSection("Camp", held, f"{camp.items.slots_filled} of {CAMP_SLOTS}, {where}")


class TeamRow(msgspec.Struct, frozen=True):
    """A team: ``points`` without and ``bonus`` with majorities; ``consumables`` None while hidden.

    ``depth`` is in metres.
    """

    seat: int
    letter: str
    name: str
    turn: bool
    mine: bool
    kind: Literal["person", "bot", "open"]
    present: bool
    points: int
    bonus: int
    consumables: int | None
    hungry: bool
    depth: int
    home: Route | None
    at_base: bool
    leads: bool
    countdown: SuppliesCountdown | None = None  # after the end trigger: whether it can be home in time

    @property
    def way_home(self) -> str:
        if self.at_base:
            return "at the base"
        if self.home is None:
            return "no way home"
        turns = self.home.turns
        return f"home in {count(turns, 'more turn')}" if turns else "home in this turn"


class TokenRow(msgspec.Struct, frozen=True):
    """A category: the tokens of each team and the bonus for them."""

    name: str
    cells: tuple[tuple[int, int], ...]


def team_rows(state: TableState, view: Any) -> tuple[TeamRow, ...]:
    cave: State = view.cave
    found = []
    for seat, (team, sheet) in enumerate(zip(cave.teams, view.standing, strict=True)):
        at_table = state.seats[seat] if seat < len(state.seats) else None
        consumables = None if seat in view.hidden else team.backpack.consumable
        tile = cave.board[team.at]
        home = None if cave.phase in ("packing", "over") else way_home(cave, seat)
        supply = supplies_of_team(cave, seat, home)
        found.append(
            TeamRow(
                seat=seat,
                letter=terms.team_letter(seat),
                name=view.names[seat],
                turn=cave.seat == seat and cave.phase != "packing",
                mine=at_table is not None and at_table.mine,
                kind="person" if at_table is None else at_table.kind,
                present=at_table is None or at_table.present,
                points=sum(sheet.points.values()),
                bonus=sum(sheet.bonus.values()),
                consumables=consumables,
                hungry=not supply.at_base and consumables is not None and consumables < max(1, supply.eats),
                depth=tile.depth,
                home=home,
                at_base=supply.at_base,
                leads=sheet.winner,
                countdown=supply.final_countdown,
            )
        )
    return tuple(found)


def token_comparison_rows(view: Any) -> tuple[TokenRow, ...]:
    """Return tokens and bonuses (rule 7.4) by category, and finally the deepest depth token of each team."""
    teams = view.cave.teams
    by_team = [count_tokens(team.tokens) for team in teams]
    found = [
        TokenRow(
            name,
            tuple(
                (amounts[name], sheet.bonus.get(name, 0)) for amounts, sheet in zip(by_team, view.standing, strict=True)
            ),
        )
        for name in BONUS_CATEGORIES
    ]
    deepest = tuple((max(team.tokens.depth, default=0), 0) for team in teams)
    return (*found, TokenRow("depth", deepest))


def fitting_words(cave: State, at: Coord) -> str:
    """Return which ways on a tile needs here, and which it must not have (rule 4.2)."""
    around = [(near.side, there) for near in neighbours_of(at) if (there := cave.board.get(near.at)) is not None]
    sides: tuple[list[str], list[str]] = [], []
    for side, there in around:
        if there.kind != "choke":
            sides[turn_sides(side, 2) in there.open].append(side)
    shut, needed = map(terms.sides_words, sides)
    return f"a tile here needs ways on {needed}{f', none {shut}' if shut else ''}"


def tile_in_hand_facts(cave: State, aim: TileAim | None) -> FactsSection | None:
    """Describe the drawn tile as held over the map."""
    drawn = cave.drawn
    if aim is None or drawn is None or cave.seat is None:
        return None
    here, spot = cave.board[cave.teams[cave.seat].at], aim.spot
    depth = here.depth + (LEVEL if drawn.kind == "descent" else 0)
    facts = [f"place {aim.place + 1} of {len(aim.spots)} ({spot.side})"]
    if len(spot.turns) > 1:
        facts.append(f"rotation {aim.turn + 1} of {len(spot.turns)}")
    if drawn.kind != "choke":
        facts.append(f"ways on: {terms.sides_words(turn_sides(drawn.open, spot.turns[aim.turn] or 0))}")
    else:
        facts.append(fitting_words(cave, spot.at))
    if ropes := abs(depth - here.depth) // LEVEL:
        facts.insert(0, f"entering it then takes {count(ropes, 'rope')}")
    return FactsSection(f"{terms.tile_kind_words(drawn.kind, drawn.level)}, {depth} m deep", tuple(facts))
