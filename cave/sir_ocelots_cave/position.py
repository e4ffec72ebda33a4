"""Positions: the readable JSON form of a state, and back (rule 8).

A start position is checked completely, and errors name the field. Of a viewer's position only the shape is
checked: a host that sends an impossible one deceives only its own guests.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Annotated

from msgspec import UNSET, Meta, UnsetType, field
from msgspec.structs import astuple

from cave import codec
from cave.codec import JsonForm, Place, Size, Whole, reject_field_if, within
from cave.game import BadData, Json
from cave.names import check_name
from cave.sir_ocelots_cave.components import (
    BAGS,
    BIT,
    CAVE,
    GEMS,
    KEPT,
    KINDS,
    LEVEL,
    RAYS,
    Kind,
    Squares,
    Tool,
    Value,
    components,
    in_reading_order,
    squares_in_order,
)
from cave.sir_ocelots_cave.rules import FIRST, read_settings, settings_json
from cave.sir_ocelots_cave.state import (
    LAID,
    SEATS,
    SIDES_OF,
    Amethyst,
    LaidTool,
    Phase,
    Player,
    State,
    collectable_gems,
    sight_of,
)

MARKS: dict[str, Json] = {"format": "cave-position", "version": 1, "game": "sir-ocelots-cave"}

Seat = Annotated[int, Meta(ge=0, lt=SEATS)]
Left = Annotated[int, Meta(ge=0, le=components().tools_of_each_kind)]
Places = tuple[Place, ...]
Bag = tuple[Value, ...]


class Tools(JsonForm, frozen=True):
    """Tools not yet placed, in the order of ``KINDS``."""

    A: Left = 0
    B: Left = 0
    C: Left = 0


class Gems(JsonForm, frozen=True, omit_defaults=True):
    """A player's gems, in the order of ``KEPT``."""

    rock_crystal: Size = 0
    celestite_sun: Size = 0
    celestite_crescent: Size = 0
    celestite_star: Size = 0
    opal: Size = 0
    emerald: Size = 0
    red_beryl: Size = 0


class LyingGems(JsonForm, frozen=True, omit_defaults=True):
    """The squares of each gem, in the order of ``GEMS``."""

    rock_crystal: Places = ()
    celestite_sun: Places = ()
    celestite_crescent: Places = ()
    celestite_star: Places = ()
    opal: Places = ()
    emerald: Places = ()
    red_beryl: Places = ()
    geode: Places = ()


class ToolOnRim(JsonForm, frozen=True):
    at: Place
    kind: Kind
    side: Tool


class PlayerForm(JsonForm, frozen=True):
    name: str
    tools: Tools = Tools()
    companion: Place | None = None
    collected: Gems = Gems()
    amethysts: tuple[Amethyst, ...] = ()


class Turn(JsonForm, frozen=True):
    seat: Seat | None
    phase: Phase


class Bags(JsonForm, frozen=True):
    """The amethysts left in the bags, the next one first."""

    blue: Bag
    green: Bag
    red: Bag


class BagSizes(JsonForm, frozen=True):
    blue: Size
    green: Size
    red: Size


class Position(JsonForm, frozen=True, kw_only=True):
    """The whole position; a viewer's has ``bag_sizes`` instead of ``bags``."""

    format: str
    version: Whole
    game: str
    settings: Json = field(default_factory=dict)
    players: tuple[PlayerForm, PlayerForm]
    turn: Turn
    first_seat: Seat
    gems: LyingGems = LyingGems()
    tools: tuple[ToolOnRim, ...] = ()
    bags: Bags | UnsetType = UNSET
    bag_sizes: BagSizes | UnsetType = UNSET


def read_position(data: Json) -> State:
    """Return the state of a position; raises BadData with the path of the field."""
    form = codec.parse_document(data, Position, **MARKS)
    if isinstance(form.bags, UnsetType):
        raise BadData("bags", "is missing")
    if not isinstance(form.bag_sizes, UnsetType):
        raise BadData("bag_sizes", "is for what a viewer sees: give bags")
    state = _read_state(form, astuple(form.bags))
    _check_places(form)
    _check_companions(state)
    _check_tools(state)
    _check_gems(state)
    _check_bags(state)
    _check_turn(state)
    return state


def read_view(data: Json) -> tuple[State, tuple[int, ...], tuple[str, ...]]:
    """Return the state of a viewer's position, with empty bags, the sizes of the bags and the names; raises
    BadData.
    """
    form = codec.parse_document(data, Position, **MARKS)
    if isinstance(form.bag_sizes, UnsetType) or not isinstance(form.bags, UnsetType):
        raise BadData("bag_sizes", "must be given in place of bags")
    state = _read_state(form, ((),) * len(BAGS))
    return state, astuple(form.bag_sizes), tuple(player.name for player in form.players)


def _read_state(form: Position, bags: tuple[Bag, ...]) -> State:
    with within("settings"):
        settings = read_settings(form.settings)
    tools: dict[Place, LaidTool] = {}
    for index, tool in enumerate(form.tools):
        reject_field_if(tool.at not in RAYS, f"tools[{index}].at", f"there is no rim space at {list(tool.at)}")
        if tool.side not in SIDES_OF[tool.kind]:
            raise BadData(f"tools[{index}].side", "must be one of " + ", ".join(SIDES_OF[tool.kind]))
        tools[tool.at] = LAID[tool.kind, tool.side]
    return State(
        settings=settings,
        players=tuple(_read_player(f"players[{seat}]", each) for seat, each in enumerate(form.players)),
        gems=tuple(_squares_with_gem(f"gems.{gem}", getattr(form.gems, gem)) for gem in GEMS),
        tools=tools,
        sight=sight_of(tools),
        bags=bags,
        seat=form.turn.seat,
        phase=form.turn.phase,
        first_seat=form.first_seat,
    )


def _read_player(path: str, form: PlayerForm) -> Player:
    check_name(form.name, f"{path}.name")
    if form.companion is not None and form.companion not in BIT:
        raise BadData(f"{path}.companion", f"there is no square at {list(form.companion)}")
    return Player(astuple(form.tools), form.companion, astuple(form.collected), form.amethysts)


def _squares_with_gem(path: str, lying: Places) -> Squares:
    together = 0
    for index, at in enumerate(lying):
        reject_field_if(at not in BIT, f"{path}[{index}]", f"there is no square at {list(at)}")
        together |= BIT[at]
    return together


def _check_places(form: Position) -> None:
    taken: set[Place] = set()
    for gem in GEMS:
        for index, at in enumerate(getattr(form.gems, gem)):
            reject_field_if(at in taken, f"gems.{gem}[{index}]", f"there are two gems at {list(at)}")
            taken.add(at)
    for index, tool in enumerate(form.tools):
        reject_field_if(tool.at in taken, f"tools[{index}].at", f"there are two tools at {list(tool.at)}")
        taken.add(tool.at)


def _check_companions(state: State) -> None:
    """Check that a companion is alone on a square without a gem (rule 3.4)."""
    for seat, player in enumerate(state.players):
        at = player.companion
        if at is None:
            continue
        if state.gem_at(at) is not None:
            raise BadData(f"players[{seat}].companion", f"there is a gem at {list(at)}")
        if any(other.companion == at for other in state.players[:seat]):
            raise BadData(f"players[{seat}].companion", f"the other companion is at {list(at)}")


def _check_tools(state: State) -> None:
    """Check that all tools are with the players or on the rim (rule 1.6)."""
    each = components().tools_of_each_kind
    laid = Counter(tool.kind for tool in state.tools.values())
    for index, kind in enumerate(KINDS):
        number = laid[kind] + sum(player.tools[index] for player in state.players)
        if number != SEATS * each:
            raise BadData("tools", f"there must be {SEATS * each} of kind {kind} with players and rim, not {number}")


def _check_gems(state: State) -> None:
    """Check that no level has too many of a gem, and that only geodes are lost (rule 1.4)."""
    box = components()
    for gem, where in zip(GEMS, state.gems, strict=True):
        for level in box.levels:
            most = level.gems.get(gem, 0)
            if (where & CAVE[level.level]).bit_count() > most:
                raise BadData(f"gems.{gem}", f"must be at most {most} on level {level.level}")
        if gem in KEPT:
            number = where.bit_count() + sum(player.count_collected(gem) for player in state.players)
            if number != box.count_of_gem(gem):
                raise BadData(
                    f"gems.{gem}",
                    f"must be {box.count_of_gem(gem)} with those that players have collected, not {number}",
                )


def _check_bags(state: State) -> None:
    """Check that bags and drawn amethysts are complete, with a reason for each draw (rules 1.5, 5.1, 5.2)."""
    for seat, player in enumerate(state.players):
        for index, amethyst in enumerate(player.amethysts):
            if amethyst.value is None:
                raise BadData(f"players[{seat}].amethysts[{index}].value", "is missing")
    for index, level in enumerate(components().levels):
        drawn = [each for player in state.players for each in player.amethysts if each.bag == level.bag]
        path = f"bags.{level.bag}"
        if Counter([*state.bags[index], *(each.value for each in drawn)]) != Counter(level.amethysts):
            raise BadData(path, "with the amethysts drawn from it must be what the table has")
        due = level.gems.get("geode", 0) - (state.gems[-1] & CAVE[level.level]).bit_count()
        if level.bag == BAGS[0]:
            due += sum(player.celestite_sets for player in state.players)
        reject_field_if(len(drawn) != due, path, f"{len(drawn)} amethysts are drawn from it, but {due} are due")
    for seat, player in enumerate(state.players):
        if sum(each.bag == BAGS[0] for each in player.amethysts) < player.celestite_sets:
            raise BadData(f"players[{seat}].amethysts", "must have a blue one for each set of celestites")


def _check_turn(state: State) -> None:
    """Raise BadData unless seats, pieces and phase are consistent (rules 3 and 6.1)."""
    first, seat, phase = state.first_seat, state.seat, state.phase
    reject_field_if(FIRST.get(state.settings.first, first) != first, "first_seat", "must be the seat that begins")
    left = [player.pieces_left for player in state.players]
    if phase == "over":
        if seat is not None:
            raise BadData("turn.seat", "must be null when the game is over")
        reject_field_if(any(left), "turn.phase", "the game is not over while there are pieces left")
        return
    if seat is None:
        raise BadData("turn.seat", "must be the seat whose turn it is")
    placed = phase == "collecting"
    own, other = left[seat] + placed, left[1 - seat]
    if own < 1 or own != other + (seat != first):
        raise BadData("turn.seat", "it is not this seat's turn by the pieces that are left")
    at = state.players[seat].companion
    if phase == "placing" and (at is None or LEVEL[at] == 1):
        raise BadData("turn.phase", "a companion that has advanced is on level 2 or 3")
    reject_field_if(placed and not collectable_gems(state, seat), "turn.phase", "there is nothing to collect")


def write_position(state: State, names: Sequence[str]) -> Json:
    return _as_json(state, names, bags=Bags(*state.bags))


def write_view(state: State, names: Sequence[str], sizes: tuple[int, ...]) -> Json:
    """Return the position for a viewer, with the sizes of bags instead of bags."""
    return _as_json(state, names, bag_sizes=BagSizes(*sizes))


def _as_json(
    state: State, names: Sequence[str], bags: Bags | UnsetType = UNSET, bag_sizes: BagSizes | UnsetType = UNSET
) -> Json:
    one, two = (
        PlayerForm(name, Tools(*player.tools), player.companion, Gems(*player.collected), player.amethysts)
        for player, name in zip(state.players, names, strict=True)
    )
    laid = ((at, state.tools[at]) for at in in_reading_order(state.tools))
    return codec.to_json(
        Position(
            **MARKS,
            settings=settings_json(state.settings),
            players=(one, two),
            turn=Turn(state.seat, state.phase),
            first_seat=state.first_seat,
            gems=LyingGems(*map(squares_in_order, state.gems)),
            tools=tuple(ToolOnRim(at, tool.kind, tool.side) for at, tool in laid),
            bags=bags,
            bag_sizes=bag_sizes,
        )
    )
