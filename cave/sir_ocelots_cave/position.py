"""Positions: the readable JSON form of a state, and back (rule 8).

Reading checks everything that can be wrong and names the field; what is read and written again is equal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from cave import codec
from cave.codec import Place
from cave.game import BadData, Json
from cave.names import check_name
from cave.sir_ocelots_cave.board import BIT, CAVE, LEVEL, RAYS, in_reading_order, places
from cave.sir_ocelots_cave.checks import SIDES_OF
from cave.sir_ocelots_cave.components import BAGS, GEMS, KEPT, KINDS, components
from cave.sir_ocelots_cave.position_forms import LaidToolForm, PlayerForm, PositionForm
from cave.sir_ocelots_cave.setup import FIRST, read_settings, settings_json
from cave.sir_ocelots_cave.sight import collectable, sight_of
from cave.sir_ocelots_cave.state import LAID, SEATS, LaidTool, Player, State

FORMAT = "cave-position"
VERSION = 1
GAME = "sir-ocelots-cave"


def read(data: Json) -> State:
    """Return the state of a position; raises BadData with the path of the field."""
    state, sizes = _read(data, hidden=False)
    _check_bags(state, sizes)
    _check_turn(state)
    return state


def read_hidden(data: Json) -> tuple[State, tuple[int, ...]]:
    """Return the state of a viewer's position and the sizes of the bags, which are empty in it; raises
    BadData.
    """
    state, sizes = _read(data, hidden=True)
    _check_bags(state, sizes)
    _check_turn(state)
    return state, sizes


def _read(data: Json, *, hidden: bool) -> tuple[State, tuple[int, ...]]:
    form = codec.document(data, PositionForm, format=FORMAT, version=VERSION, game=GAME)
    try:
        settings = read_settings(form.settings)
    except BadData as error:
        raise error.under("settings") from None
    bags: tuple[tuple[int | str, ...], ...] = ((),) * len(BAGS)
    if hidden:
        if form.bag_sizes is None or form.bags is not None:
            raise BadData("bag_sizes", "must be given in place of bags")
        sizes = form.bag_sizes.counts()
    else:
        if form.bags is None:
            raise BadData("bags", "is missing")
        if form.bag_sizes is not None:
            raise BadData("bag_sizes", "is for what a viewer sees: give bags")
        bags = form.bags.read()
        sizes = tuple(map(len, bags))
    if len(form.players) != SEATS:
        raise BadData("players", f"must be {SEATS} players")
    players = tuple(_player(f"players[{seat}]", each) for seat, each in enumerate(form.players))
    gems = _gems(form)
    tools = _tools(form.tools)
    state = State(
        settings=settings,
        players=players,
        gems=gems,
        tools=tools,
        sight=sight_of(tools),
        bags=bags,  # type: ignore[arg-type]
        seat=form.turn.seat,
        phase=form.turn.phase,
        first_seat=form.first_seat,
    )
    _check_companions(state)
    _check_tools(state)
    _check_gems(state)
    if not hidden:
        _check_known(state)
    return state, sizes


def _player(field: str, form: PlayerForm) -> Player:
    check_name(form.name, f"{field}.name")
    if form.companion is not None and form.companion not in BIT:
        raise BadData(f"{field}.companion", f"there is no square at {list(form.companion)}")
    return Player(
        form.tools.counts(),
        form.companion,
        form.collected.counts(),
        tuple(each.read() for each in form.amethysts),
    )


def _gems(form: PositionForm) -> tuple[int, ...]:
    lying: list[int] = []
    taken = 0
    for gem in GEMS:
        here = 0
        for index, at in enumerate(getattr(form.gems, gem)):
            field = f"gems.{gem}[{index}]"
            if at not in BIT:
                raise BadData(field, f"there is no square at {list(at)}")
            if taken & BIT[at]:
                raise BadData(field, f"there are two gems at {list(at)}")
            taken |= BIT[at]
            here |= BIT[at]
        lying.append(here)
    return tuple(lying)


def _tools(forms: Sequence[LaidToolForm]) -> Mapping[Place, LaidTool]:
    tools: dict[Place, LaidTool] = {}
    for index, form in enumerate(forms):
        field = f"tools[{index}]"
        if form.at not in RAYS:
            raise BadData(f"{field}.at", f"there is no rim space at {list(form.at)}")
        if form.at in tools:
            raise BadData(f"{field}.at", f"there are two tools at {list(form.at)}")
        if form.side not in SIDES_OF[form.kind]:
            raise BadData(f"{field}.side", "must be one of " + ", ".join(SIDES_OF[form.kind]))
        tools[form.at] = LAID[form.kind, form.side]
    return tools


def _check_companions(state: State) -> None:
    """Check that a companion stands on a square without a gem, and alone (rule 3.4)."""
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
    for seat, player in enumerate(state.players):
        for kind, left in zip(KINDS, player.tools, strict=True):
            if left > each:
                raise BadData(f"players[{seat}].tools.{kind}", f"must be at most {each}")
    laid = Counter(tool.kind for tool in state.tools.values())
    for index, kind in enumerate(KINDS):
        number = laid[kind] + sum(player.tools[index] for player in state.players)
        if number != SEATS * each:
            raise BadData(
                "tools", f"there must be {SEATS * each} of kind {kind} with players and rim, not {number}"
            )


def _check_gems(state: State) -> None:
    """Check that no level has more of a gem than the table, and none but geodes are lost (rule 1.4)."""
    box = components()
    for gem, where in zip(GEMS, state.gems, strict=True):
        for level in box.levels:
            most = level.gems.get(gem, 0)
            if (where & CAVE[level.level]).bit_count() > most:
                raise BadData(f"gems.{gem}", f"must be at most {most} on level {level.level}")
        if gem in KEPT:
            number = where.bit_count() + sum(player.has(gem) for player in state.players)
            if number != box.total(gem):
                raise BadData(
                    f"gems.{gem}",
                    f"must be {box.total(gem)} with those that players have collected, not {number}",
                )


def _check_known(state: State) -> None:
    for seat, player in enumerate(state.players):
        for index, amethyst in enumerate(player.amethysts):
            if amethyst.value is None:
                raise BadData(f"players[{seat}].amethysts[{index}].value", "is missing")


def _check_bags(state: State, sizes: tuple[int, ...]) -> None:
    """Check that bags and amethysts drawn are the table's, each drawn for something (rules 1.5, 5.1, 5.2)."""
    for index, level in enumerate(components().levels):
        drawn = [each for player in state.players for each in player.amethysts if each.bag == level.bag]
        field = f"bags.{level.bag}"
        known = Counter([*state.bags[index], *(each.value for each in drawn if each.value is not None)])
        number = sizes[index] + len(drawn)
        if known - Counter(level.amethysts) or number != len(level.amethysts):
            raise BadData(field, "with the amethysts drawn from it must be what the table has")
        due = level.gems.get("geode", 0) - (state.gems[-1] & CAVE[level.level]).bit_count()
        if level.bag == BAGS[0]:
            due += sum(player.sets for player in state.players)
        if len(drawn) != due:
            raise BadData(field, f"{len(drawn)} amethysts are drawn from it, but {due} are due")
    for seat, player in enumerate(state.players):
        if sum(each.bag == BAGS[0] for each in player.amethysts) < player.sets:
            raise BadData(f"players[{seat}].amethysts", "must have a blue one for each set of celestites")


def _check_turn(state: State) -> None:
    """Raises BadData where seats, pieces and phase do not fit together (rules 3 and 6.1)."""
    first, seat, phase = state.first_seat, state.seat, state.phase
    if first >= SEATS or FIRST.get(state.settings.first, first) != first:
        raise BadData("first_seat", "must be the seat that begins")
    left = [player.pieces for player in state.players]
    if phase == "over":
        if seat is not None:
            raise BadData("turn.seat", "must be null when the game is over")
        if any(left):
            raise BadData("turn.phase", "the game is not over while there are pieces left")
        return
    if seat is None or seat >= SEATS:
        raise BadData("turn.seat", f"must be 0 to {SEATS - 1}")
    placed = phase == "collecting"
    own, other = left[seat] + placed, left[1 - seat]
    if own < 1 or own != other + (seat != first):
        raise BadData("turn.seat", "it is not this seat's turn by the pieces that are left")
    at = state.players[seat].companion
    if phase == "placing" and (at is None or LEVEL[at] == 1):
        raise BadData("turn.phase", "a companion that has advanced is on level 2 or 3")
    if placed and not collectable(state, seat):
        raise BadData("turn.phase", "there is nothing to collect")


def write(state: State, names: Sequence[str]) -> Json:
    """Return the position of a state."""
    form = _write_open(state, names)
    form["bags"] = {bag: list(values) for bag, values in zip(BAGS, state.bags, strict=True)}
    return form


def write_hidden(state: State, names: Sequence[str], sizes: tuple[int, ...]) -> Json:
    """Return the position for a viewer: the sizes of bags in place of bags."""
    return {**_write_open(state, names), "bag_sizes": dict(zip(BAGS, sizes, strict=True))}


def _write_open(state: State, names: Sequence[str]) -> dict[str, Json]:
    return {
        "format": FORMAT,
        "version": VERSION,
        "game": GAME,
        "settings": settings_json(state.settings),
        "players": [_player_json(*each) for each in zip(state.players, names, strict=True)],
        "turn": {"seat": state.seat, "phase": state.phase},
        "first_seat": state.first_seat,
        "gems": {
            gem: [list(at) for at in places(where)]
            for gem, where in zip(GEMS, state.gems, strict=True)
            if where
        },
        "tools": [
            {"at": list(at), "kind": state.tools[at].kind, "side": state.tools[at].side}
            for at in in_reading_order(state.tools)
        ],
    }


def _player_json(player: Player, name: str) -> Json:
    return {
        "name": name,
        "tools": dict(zip(KINDS, player.tools, strict=True)),
        "companion": None if player.companion is None else list(player.companion),
        "collected": {gem: count for gem, count in zip(KEPT, player.collected, strict=True) if count},
        "amethysts": [
            {"bag": each.bag} if each.value is None else {"bag": each.bag, "value": each.value}
            for each in player.amethysts
        ],
    }
