"""A new game (rules 2, 7.1, 8.1 and 9.1), and the effects of actions.

``apply`` is the only way from one state to the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import asdict, replace

from cave.cave_vs_cave import OPTIONS
from cave.cave_vs_cave import actions as act
from cave.cave_vs_cave.actions import CAVERN, Action, Event
from cave.cave_vs_cave.checks import check_action
from cave.cave_vs_cave.components import components
from cave.cave_vs_cave.goods import GOODS, changed_goods
from cave.cave_vs_cave.rounds import begin_draft_turn, end_draft_turn, end_turn, next_to_cover
from cave.cave_vs_cave.state import (
    SPACES,
    START_EMPTY,
    Later,
    Player,
    Settings,
    State,
    accessible_rooms,
    as_edge,
    is_full,
    with_player,
)
from cave.cave_vs_cave.turns import PROSPECTING, allowed_room_uses, chosen_effect, goods_flow, room_action_of
from cave.chance import Chance
from cave.codec import Place
from cave.game import Json, Step, chosen_values, shortest_settings

Result = Step[State, Event]


def apply(state: State, seat: int, action: Action) -> Result:
    """Return the state after the action and its events; raises Refused."""
    if refused := check_action(state, seat, action):
        raise refused
    events: list[Event] = []
    return Step(_state_after(state, seat, action, events), tuple(events))


def _state_after(state: State, seat: int, action: Action, events: list[Event]) -> State:
    player = state.players[seat]
    match action:
        case act.Take(tile):
            events.append(act.Took(seat, tile))
            return replace(state, taken=(*state.taken, tile), phase="actions")
        case act.EndTurn():
            return end_turn(state, seat, events)
        case act.TakeCavern(walls):
            events.append(act.CavernTaken(seat, walls))
            after = _note_change(state, seat, cavern=walls)
            return end_draft_turn(after, seat, events) if state.drafting else replace(after, phase="actions")
        case act.Draft(room, at):
            new = tuple(sorted(as_edge(*edge) for edge in action.walls))
            events.append(act.Drafted(seat, room, at, new))
            after = _with_room(_note_change(state, seat, walls=player.walls.union(new)), seat, room, at)
            return after if after.phase == "cavern" else end_draft_turn(after, seat, events)
        case act.Cover(at):
            (top, *pile), later = state.piles
            events.append(act.Covered(seat, at))
            after = _note_change(state, seat, covered={**player.covered, at: top})
            return next_to_cover(replace(after, piles=(tuple(pile), later)), 1 - seat, events)
        case act.UseRoom(room):
            events.append(act.RoomUsed(seat, room))
        case act.Prospect():
            events.append(act.RoomUsed(seat, PROSPECTING))
        case act.BuildWall(between):
            events.append(act.WallBuilt(seat, as_edge(*between)))
        case act.RazeWall(between):
            events.append(act.WallRazed(seat, as_edge(*between)))
    return _after_turn_action(state, seat, action, _pay_and_gain(state, seat, action, events), events)


def _after_turn_action(state: State, seat: int, action: Action, after: State, events: list[Event]) -> State:
    """Return the state after an action of a turn; ``after`` is the state with the new goods."""
    match action:
        case act.Anytime():
            return after
        case act.Prospect():
            return replace(after, prospected=True)
        case act.Additional():
            return replace(after, additional=True, used=())
        case act.UseRoom(room, at=at):
            return _use_room(after, seat, room, at, events)
        case act.Excavate(at) if state.phase == "dig":
            return replace(_dig_up(after, seat, at, events), phase="actions")
    chosen = chosen_effect(state, action)
    assert chosen is not None
    assert chosen[0] is not None
    # Another action ends an unfinished room action (rule 5.1).
    after = replace(after, done=state.done | {chosen[0]}, used=())
    match action:
        case act.Furnish():
            events.append(act.Furnished(seat, action.room, action.at))
            return _with_room(after, seat, action.room, action.at)
        case act.BuildWall(between) | act.RazeWall(between):
            return _note_change(after, seat, walls=after.players[seat].walls ^ {as_edge(*between)})
        case act.Excavate(at, spaces):
            after = _dig_up(after, seat, at, events)
            if spaces > 1 and accessible_rooms(after.players[seat], state.era):
                return replace(after, phase="dig")
            return _reveal_room(after, seat, at, events)
    return after


def _pay_and_gain(state: State, seat: int, action: Action, events: list[Event]) -> State:
    """Return the state with the seat's goods after the action, and no other change."""
    before = state.players[seat].goods
    for source, goods in goods_flow(state, seat, action):
        if goods != before:
            events.append(act.GoodsChanged(seat, source, changed_goods(before, goods)))
            before = goods
    return _note_change(state, seat, goods=before)


def _note_change(state: State, seat: int, **fields: Any) -> State:
    player = replace(state.players[seat], **fields)
    return replace(state, players=with_player(state.players, seat, player))


def _with_room(state: State, seat: int, room: str, at: act.Space) -> State:
    """Return the state with a room of the display in a cave; the first full cave gets a cavern (rule 4.9)."""
    after = _note_change(state, seat, rooms={**state.players[seat].rooms, at: room})
    players = after.players
    due = at != CAVERN and is_full(players[seat], state.era) and not any(each.cavern for each in players)
    return replace(
        after, display=tuple(each for each in state.display if each != room), phase="cavern" if due else state.phase
    )


def _dig_up(state: State, seat: int, at: Place, events: list[Event]) -> State:
    """Rule 4.1."""
    covered = dict(state.players[seat].covered)
    room = covered.pop(at)
    assert room is not None, "a view is not played on"
    events.append(act.Excavated(seat, at, room))
    return replace(_note_change(state, seat, covered=covered), display=(*state.display, room))


def _reveal_room(state: State, seat: int, at: Place, events: list[Event]) -> State:
    """Rule 9.2: in a solo game, turn up the top room of that board's pile."""
    era = components().spaces[at].era
    piles = list(state.piles)
    if not state.alone or not piles[era - 1]:
        return state
    room, *rest = piles[era - 1]
    piles[era - 1] = tuple(rest)
    events.append(act.Revealed(seat, room))
    return replace(state, display=(*state.display, room), piles=(piles[0], piles[1]))


def _use_room(state: State, seat: int, room: str, at: Place | None, events: list[Event]) -> State:
    """Rules 5.1 and 5.9."""
    running = room_action_of(state)
    assert running is not None
    used = (*state.used, room)
    over = len(used) >= allowed_room_uses(state.players[seat], running[1])
    after = replace(state, done=state.done | {running[0]}, used=() if over else used)
    return after if at is None else _reveal_room(_dig_up(after, seat, at, events), seat, at, events)


def read_settings(data: Json, seats: int | None = None) -> Settings:
    """Return the settings; raises BadData."""
    return Settings(**chosen_values(OPTIONS, data, seats))


def settings_json(settings: Settings) -> Json:
    """Return the edition, and the house rules that differ from it."""
    return {"edition": settings.edition, **shortest_settings(OPTIONS, asdict(settings))}


def tiles_by_stage(era: int, alone: bool) -> tuple[tuple[str, ...], ...]:
    """Return the tiles of an era by stage, in the order of turning up (rules 2.1, 7.1 and 9.1)."""
    tiles = [tile for tile in components().tiles.values() if tile.era == era and (tile.solo or not alone)]
    return tuple(
        tuple(tile.id for tile in tiles if tile.stage == stage) for stage in sorted({tile.stage for tile in tiles})
    )


def new(seats: int, settings: Settings, seed: str) -> State:
    """Return a new game; ``seed`` determines all random events."""
    alone = seats == 1
    box, chance = components(), Chance(seed)
    light, dark = box.rooms_of_era(1, "light"), box.rooms_of_era(1, "dark")
    first, chance = chance.below(seats)
    rooms, chance = chance.shuffle(dark)
    later, chance = _prepare_era_2(alone, chance)
    if settings.edition == "era-2":
        start = State(
            settings=settings,
            era=1,
            round=0,
            first=first,
            seat=first,
            phase="draft",
            players=(Player(),) * seats,
            display=light,
            piles=(rooms, ()),
            later=later,
        )
        return begin_draft_turn(start, first, [])
    open_tiles, *hidden = tiles_by_stage(1, alone)
    down: list[str] = []
    for stage in hidden:
        order, chance = chance.shuffle(stage)
        down += order
    if alone:
        light, chance = _remove_light_rooms(light, chance)
    spaces = [at for at in SPACES[1] if at != START_EMPTY]
    players = []
    goods = tuple(box.start if good < box.kinds[1] else 0 for good in range(len(GOODS)))  # rule 2.2
    for _ in range(seats):
        covered, rooms = rooms[: box.dealt_era_1], rooms[box.dealt_era_1 :]
        players.append(Player(goods=goods, covered=dict(zip(spaces, covered, strict=True))))
    return State(
        settings=settings,
        era=1,
        round=1,
        first=first,
        seat=first,
        phase="take",
        players=tuple(players),
        display=light,
        up=(*open_tiles, down[0]),
        down=tuple(down[1:]),
        piles=(rooms, ()),
        later=None if settings.edition == "era-1" else later,
    )


def _prepare_era_2(alone: bool, chance: Chance) -> tuple[Later, Chance]:
    """Rules 7.1, 7.3 and 9.1."""
    box = components()
    (tiles,) = tiles_by_stage(2, alone)
    order, chance = chance.shuffle(tiles)
    light = box.rooms_of_era(2, "light")
    if alone:
        light, chance = _remove_light_rooms(light, chance)
    rooms, chance = chance.shuffle(box.rooms_of_era(2, "dark"))
    return Later(order, light, rooms), chance


def _remove_light_rooms(light: Sequence[str], chance: Chance) -> tuple[tuple[str, ...], Chance]:
    """Return the light rooms that stay in a solo game, in order (rule 9.1)."""
    order, chance = chance.shuffle(light)
    removed = order[: components().light_removed_alone]
    return tuple(room for room in light if room not in removed), chance
