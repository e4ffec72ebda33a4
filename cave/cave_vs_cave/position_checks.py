"""Checks for impossible positions, field by field (rule 11). They raise BadData."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from cave.cave_vs_cave.components import ENTRANCE, ERAS, components
from cave.cave_vs_cave.rounds import coverable_spaces, is_out_of_draft, next_seat, placements_in_draft_phase
from cave.cave_vs_cave.rules import tiles_by_stage
from cave.cave_vs_cave.scoring import rooms_points
from cave.cave_vs_cave.state import State, accessible_rooms, is_full
from cave.cave_vs_cave.turns import (
    BLUE,
    PROSPECTING,
    ROOMS,
    TILES,
    all_walls,
    allowed_room_uses,
    room_action_of,
    spare_orange_rooms,
    turns_each,
    ways_on_tile,
)
from cave.codec import reject_field_if
from cave.game import BadData

IN_TURN = ("actions", "dig", "cavern")
"""The phases with a tile in hand; ``cavern`` except in the draft."""


def check_round(edition: str, era: int, number: int, *, alone: bool) -> None:
    reject_field_if(era not in {"era-1": (1,)}.get(edition, ERAS), "era", "must be an era of the edition")
    drafting = edition == "era-2" and era == 1
    most = 0 if drafting else len(components().turns[era, alone])
    if not (number == 0 if drafting else 1 <= number <= most):
        raise BadData("round", "must be 0 before Era II" if drafting else f"must be 1 to {most}")


def check_position(state: State) -> None:
    """Check a position whose fields are each valid."""
    _check_rooms(state)
    _check_players(state)
    _check_walls(state)
    check_view_position(state)
    _check_turn_progress(state)
    _check_phase(state)
    _check_hidden(state)


def check_view_position(state: State) -> None:
    """Check tiles, turn and seat, in views too: clients compute other values from them."""
    _check_face_up_tiles(state)
    _check_turn(state)


def _check_rooms(state: State) -> None:
    """Check that each room occurs once, in a place allowed for its kind."""
    seen: set[str] = set()
    for field, room, backs, eras in _all_rooms(state):
        reject_field_if(room == ENTRANCE, field, "is not a room tile of the game")
        reject_field_if(room in seen, field, f"there are two of {room}")
        seen.add(room)
        reject_field_if(ROOMS[room].era not in eras, field, "is a room of the other era")
        reject_field_if(ROOMS[room].back not in backs, field, f"must be a room with a {backs[0]} back")


def _all_rooms(state: State) -> Iterator[tuple[str, str, tuple[str, ...], tuple[int, ...]]]:
    """Yield all rooms: the field, the room, and the backs and eras allowed there."""
    any_back, dark, so_far = ("light", "dark"), ("dark",), ERAS[: state.era]
    for seat, player in enumerate(state.players):
        for index, room in enumerate(player.rooms.values()):
            yield f"players[{seat}].rooms[{index}].room", room, any_back, so_far
        for index, (at, covered) in enumerate(player.covered.items()):
            assert covered is not None, "a view is not checked"
            yield f"players[{seat}].covered[{index}].room", covered, dark, (components().spaces[at].era,)
    for index, room in enumerate(state.display):
        yield f"display[{index}]", room, any_back, so_far
    for number, pile in enumerate(state.piles):
        for index, room in enumerate(pile):
            yield f"piles[{number}][{index}]", room, dark, ERAS[number : state.era][:1]
    if state.later is not None:
        for index, room in enumerate(state.later.light):
            yield f"later.light[{index}]", room, ("light",), ERAS[1:]
        for index, room in enumerate(state.later.rooms):
            yield f"later.rooms[{index}]", room, dark, ERAS[1:]


def _check_players(state: State) -> None:
    owners = [seat for seat, player in enumerate(state.players) if player.cavern]
    if len(owners) > 1:
        raise BadData(f"players[{owners[1]}].cavern", "the other player has the Additional Cavern")
    scored = state.era > 1 and state.settings.edition == "era-1-2"
    kinds = 0 if state.drafting else components().kinds[state.era]
    for seat, player in enumerate(state.players):
        field = f"players[{seat}]"
        if (player.era_1 is not None) != scored:
            raise BadData(f"{field}.era_1", "is missing" if scored else "is for an Era II after an Era I")
        reject_field_if(any(player.goods[kinds:]), f"{field}.goods", "has goods that there are not yet")
        if spare_orange_rooms(player) < 1:
            raise BadData(f"{field}.rooms", "must have more orange than blue rooms, including the entrance")
        choosing = state.phase == "cavern" and seat == state.seat
        if not owners and not choosing and is_full(player, state.era):
            raise BadData(f"{field}.rooms", "is full, and nobody has the Additional Cavern")


def _check_walls(state: State) -> None:
    for seat, player in enumerate(state.players):
        if state.drafting and len(player.walls) > components().draft_walls:
            raise BadData(f"players[{seat}].walls", f"must be at most {components().draft_walls}")
    most = all_walls(state)
    if sum(len(player.walls) for player in state.players) > most:
        raise BadData("players[0].walls", f"must be at most {most} with those of the other player")


@cache
def _stage_by_tile(era: int, alone: bool) -> Mapping[str, int]:
    return {tile: number for number, stage in enumerate(tiles_by_stage(era, alone)) for tile in stage}


def _check_face_up_tiles(state: State) -> None:
    """Check that the face-up tiles are those of this round, by stage (rules 2.1, 3.1, 7.1 and 9.1)."""
    if state.drafting:
        reject_field_if(state.up or state.down, "tiles", "there are none yet")
        return
    stage_of = _stage_by_tile(1, state.alone)
    order = sorted(stage_of.values())
    if state.era == 1:
        fits = [stage_of.get(tile, -1) for tile in state.up] == order[: order.count(0) + state.round]
    else:
        kept = {tile for tile in stage_of if TILES[tile].needs_more is None}
        old, new = state.up[: len(kept)], state.up[len(kept) :]
        fits = (
            set(old) == kept
            and [stage_of[tile] for tile in old] == sorted(stage_of[tile] for tile in old)
            and all(TILES[tile].era > 1 for tile in new)
            and len(new) == state.round
        )
    if not fits or len(set(state.up)) < len(state.up):
        raise BadData("tiles.up", "must be the tiles of this game and round, by stage")


def _check_turn(state: State) -> None:
    """Check that seat, phase and taken tiles are consistent (rules 3.1 and 3.2)."""
    seats, phase = len(state.players), state.phase
    reject_field_if(state.first >= seats, "first", "must be a seat")
    if (state.seat is None) != (phase == "over"):
        raise BadData("turn.seat", "must be null when the game is over, and only then")
    reject_field_if(state.seat is not None and state.seat >= seats, "turn.seat", "must be a seat")
    if len(set(state.taken)) < len(state.taken) or not set(state.taken) <= set(state.up):
        raise BadData("taken", "must be face-up tiles, each once")
    if state.drafting != (phase in ("draft", "cover")) and not (state.drafting and phase == "cavern"):
        raise BadData("turn.phase", "does not fit the round")
    if state.drafting or phase == "over":
        reject_field_if(state.taken, "taken", "must be empty")
        last = {"era-1": 1}.get(state.settings.edition, 2)
        if phase == "over" and (state.era != last or state.round != len(components().turns[state.era, state.alone])):
            raise BadData("turn.phase", "the game is over after the last round of the last era only")
        return
    in_hand = phase in IN_TURN
    number = len(state.taken) - in_hand
    reject_field_if(not 0 <= number < turns_each(state) * seats, "taken", "must be as many as the turns so far")
    if state.seat != next_seat(state, number):
        raise BadData("turn.seat", "it is not this seat's turn by the tiles that are taken")


def _check_turn_progress(state: State) -> None:
    """Check that the progress of the turn fits the tile in hand and the phase (rule 3.3)."""
    in_hand = state.phase in IN_TURN and not state.drafting
    tile = TILES[state.tile] if in_hand else None
    if state.done and (tile is None or max(state.done) >= len(tile.actions[turns_each(state)])):
        raise BadData("turn.done", "must be numbers of the actions of the tile in hand")
    if state.additional and (tile is None or tile.era == 1):
        raise BadData("turn.additional", "is for a tile of Era II in hand")
    own = () if state.seat is None else state.players[state.seat].rooms.values()
    if state.prospected and (tile is None or tile.id != BLUE[PROSPECTING].tile or PROSPECTING not in own):
        raise BadData("turn.prospected", "needs the Prospecting Site, and its tile in hand")
    if state.used:
        _check_used_rooms(state)
    reject_field_if(state.out and (not state.drafting or state.phase == "cover"), "turn.out", "is for the draft")


def _check_used_rooms(state: State) -> None:
    """Rule 5.1."""
    wrong = BadData("turn.rooms", "must be rooms used by a room action that can go on")
    if state.phase != "actions":
        raise wrong
    assert state.seat is not None
    player, running = state.players[state.seat], room_action_of(state)
    if running is None or running[0] not in state.done:
        raise wrong
    own = {ENTRANCE, *player.rooms.values()}
    if len(set(state.used)) < len(state.used) or not all(room in own and ROOMS[room].effects for room in state.used):
        raise wrong
    if len(state.used) >= allowed_room_uses(player, running[1]):
        raise wrong


def _check_phase(state: State) -> None:
    if state.seat is None:
        return
    player = state.players[state.seat]
    match state.phase:
        case "dig":
            twos = {number for number, effect in ways_on_tile(state, "excavate") if effect.dig > 1}
            if not twos & state.done or not accessible_rooms(player, state.era):
                raise BadData("turn.phase", "there is no second room to excavate")
        case "cavern":
            if any(each.cavern for each in state.players) or not is_full(player, state.era):
                raise BadData("turn.phase", "the Additional Cavern is not due")
        case "cover":
            reject_field_if(not coverable_spaces(player), "turn.phase", "there is no empty space to cover")
    if state.drafting and state.phase != "cover":
        _check_draft(state, state.seat)


def _check_draft(state: State, seat: int) -> None:
    """Rules 8.3 and 8.4."""
    other = 1 - seat
    reject_field_if(not state.out <= {other}, "turn.out", "must not have the seat in turn")
    if is_out_of_draft(state.players[other]) and other not in state.out:
        raise BadData("turn.out", "must have a seat whose draft has ended")
    if state.phase == "cavern":
        return
    reject_field_if(is_out_of_draft(state.players[seat]), "turn.seat", "the draft has ended for this seat")
    scores = [rooms_points(player) for player in state.players]
    if other not in state.out and scores[seat] > scores[other]:
        raise BadData("turn.seat", "the other seat is behind, and it is its turn")
    reject_field_if(
        not placements_in_draft_phase(state, seat), "turn.phase", "there is nothing that this seat can place"
    )


def _check_hidden(state: State) -> None:
    """Check that the hidden parts are complete and of the right size."""
    if not state.drafting:
        to_come = len(components().turns[state.era, state.alone]) - state.round
        if len(state.down) != to_come or not _face_down_tiles_fit(state):
            raise BadData("tiles.down", "must be the other tiles of this game and era, by stage")
    _check_piles(state)
    due = state.era_2_follows
    if (state.later is not None) != due:
        raise BadData("later", "is missing" if due else "is for a game with an Era II to come")
    if state.later is None:
        return
    box = components()
    light = len(box.rooms_of_era(2, "light")) - (box.light_removed_alone if state.alone else 0)
    if sorted(state.later.tiles) != sorted(tile.id for tile in TILES.values() if tile.era > 1):
        raise BadData("later.tiles", "must be the tiles of Era II")
    reject_field_if(len(state.later.light) != light, "later.light", f"must be {light} rooms")
    if len(state.later.rooms) != len(box.rooms_of_era(2, "dark")):
        raise BadData("later.rooms", f"must be {len(box.rooms_of_era(2, 'dark'))} rooms")


def _face_down_tiles_fit(state: State) -> bool:
    stage_of = _stage_by_tile(state.era, state.alone)
    if len({*state.up, *state.down}) < len(state.up) + len(state.down):
        return False
    numbers = [stage_of.get(tile, -1) for tile in state.down]
    return numbers == sorted(stage_of.values())[len(stage_of) - len(numbers) :]


def _check_piles(state: State) -> None:
    reject_field_if(any(state.piles) and not (state.alone or state.drafting), "piles", "there are none in this game")
    reject_field_if(state.piles[1] and state.era == 1, "piles[1]", "there is none in Era I")
    if state.phase == "cover" and not state.piles[0]:
        raise BadData("piles[0]", "there must be a room to cover a space with")
