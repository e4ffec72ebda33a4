"""The current choices: grouped by kind, each in words with its price and gain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from msgspec.structs import replace

from cave.cave_vs_cave import actions as act
from cave.cave_vs_cave import rules
from cave.cave_vs_cave.actions import Action, Choice, Space
from cave.cave_vs_cave.checks import check_furnish
from cave.cave_vs_cave.choices import choices
from cave.cave_vs_cave.components import components
from cave.cave_vs_cave.goods import GOODS, Good, Goods, amounts_by_name, changed_goods, missing_amounts
from cave.cave_vs_cave.state import SIDES, accessible_rooms, empty_spaces, walls_round
from cave.cave_vs_cave.turns import additional_effects, good_needed_more, goods_after_action, spare_orange_rooms
from cave.score import plain_number
from client.games.cave_vs_cave import terms
from client.games.cave_vs_cave.scene import VersusScene, group_choices
from client.wording import begun, count, joined

KINDS: Mapping[str, str] = {  # in the order of lists
    "take": "Take a tile",
    "collect": "Collect goods",
    "exchange": "Exchange goods",
    "use_room": "Use a room",
    "excavate": "Dig",
    "furnish": "Furnish",
    "build_wall": "Build a wall",
    "raze_wall": "Raze a wall",
    "additional": "Additional Action",
    "prospect": "Prospecting Site",
    "anytime": "Make food",
    "take_cavern": "Take the Additional Cavern",
    "draft": "Place a room",
    "cover": "Cover a space",
    "end_turn": "End the turn",
}
LETTERS: Mapping[str, str] = {"end_turn": "e", "anytime": "x"}
TILE_KEYS = "1234567890cdpsw"  # a tile keeps its key in the whole game
IN_A_TURN = tuple(KINDS)[1:10]  # those of a turn; each keeps its number
NO_WALLS = "you built none"
CONFIRM_END = "The tile still offers: {left}. End the turn?"
CONFIRM_TAKE = "{tile} does nothing for you now: you lack the goods or the space. Take it?"
MANY = 14  # the longest list shown as a whole; longer ones ask in steps
QUIET = (act.Take, act.EndTurn, act.Draft, act.Cover, act.TakeCavern)  # these change no goods


class Doing(msgspec.Struct, frozen=True):
    key: str
    kind: str
    words: str


def doings(scene: VersusScene) -> tuple[Doing, ...]:
    return tuple(
        Doing(
            key_of_kind(kind), kind, f"{words}, {len(found)} ways" if len(found) > 1 else begun(told(scene, found[0]))
        )
        for kind, words in KINDS.items()
        if kind != "take" and (found := scene.kinds.get(kind, ()))
    )


class Doubt(msgspec.Struct, frozen=True):
    question: str
    yes: str
    no: str


def doubt(scene: VersusScene, action: Action) -> Doubt | None:
    """Return the question before an action that wastes a tile or a part of it; None if it wastes nothing."""
    if isinstance(action, act.EndTurn) and (left := _left_words(scene)):
        return Doubt(CONFIRM_END.format(left=left), "End it", "Go on")
    if isinstance(action, act.Take) and action.tile in scene.takable_tiles and _brings_nothing(scene, action.tile):
        return Doubt(CONFIRM_TAKE.format(tile=terms.tile_name(action.tile)), "Take it", "Go back")
    return None


def _left_words(scene: VersusScene) -> str:
    """Return what the tile still offers, without what brings nothing; empty if nothing is left."""
    left = [
        kind
        for kind in KINDS
        if kind not in LETTERS and any(_brings_something(scene, each.action) for each in scene.kinds.get(kind, ()))
    ]
    return joined([KINDS[kind].lower() for kind in left])


def _brings_something(scene: VersusScene, action: Action) -> bool:
    """Return whether an action digs, furnishes, razes a wall, or brings goods or space for a room."""
    does = isinstance(action, act.RazeWall) or getattr(action, "at", None) is not None
    return does or bool(gain_of_action(scene, action))


def _brings_nothing(scene: VersusScene, tile: str) -> bool:
    """Return whether nothing that a tile offers is possible now, and another tile offers something."""

    def offers(name: str) -> bool:
        taken = rules.apply(scene.cave, scene.seat, act.Take(name)).state
        return any(choice.action.type not in LETTERS for choice in choices(taken, scene.seat))

    return not offers(tile) and any(offers(each) for each in scene.takable_tiles if each != tile)


def key_of_kind(kind: str) -> str:
    number = IN_A_TURN.index(kind) + 1 if kind in IN_A_TURN else 1
    return LETTERS.get(kind) or str(number)


def told(scene: VersusScene, choice: Choice) -> str:
    """Return a choice in words with its price and gain."""
    words, cost, gain = choice_offer_words(scene, choice)
    more = ", ".join(each for each in (cost and f"costs {cost}", gain and f"brings {gain}") if each)
    return f"{words} ({more})" if more else words


def choice_offer_words(scene: VersusScene, choice: Choice, here: Space | None = None) -> tuple[str, str, str]:
    """Return a choice in words, and its price and gain unless the words include them. Walls of the space ``here``
    are named by it.
    """
    words, action = task_words(scene, choice, here), choice.action
    if " for " in words or isinstance(action, act.Collect | act.Anytime):
        return words, "", ""
    gain = gain_of_action(scene, action)
    return words, choice_price(choice), "" if gain and gain in words else gain


def best_first(scene: VersusScene, choices: Sequence[Choice]) -> list[Choice]:
    """Return choices with the most gain first: net points, those of a room that gets space, then gold, then other
    goods; each type keeps its place. Walls that cut rooms off come after the others, and trades of rooms after
    gains; the ways to use a room stay together.
    """
    types = [*dict.fromkeys(each.action.type for each in choices)]

    def place(choice: Choice) -> tuple[int, bool, float, int, int]:
        action = choice.action
        after = goods_after_action(scene.cave, scene.seat, action)
        changes = changed_goods(scene.me.goods, after)
        rooms = [action.room] if isinstance(action, act.Furnish | act.Draft) else rooms_made_to_fit(scene, action)
        spent = sum(points_of_spent_goods(scene, after).values()) if isinstance(action, act.Furnish) else 0
        points = (terms.room_of_name(rooms[0]).vp if rooms else 0) - spent
        late = bool(cut_off_words(scene, action) or (isinstance(action, act.UseRoom) and choice.price))
        return types.index(action.type), late, -points, -changes.get("gold", 0), -sum(changes.values())

    found = sorted(choices, key=place)
    alike = group_choices(
        found, lambda each: getattr(each.action, "room", "") if each.action.type == "use_room" else each.action.type
    )
    return [each for some in alike.values() for each in some]


def choices_in_steps(choices: Sequence[Choice]) -> Mapping[str, tuple[Choice, ...]]:
    """Split a long list of choices into steps: by kind, then by room; empty if one list is enough."""
    if len(choices) <= MANY:
        return {}
    if len({choice.action.type for choice in choices}) > 1:
        return group_choices(choices, lambda choice: KINDS[choice.action.type])
    found = group_choices(choices, lambda choice: _room_of_action(choice.action))
    return found if len(found) > 1 else {}


def _room_of_action(action: Action) -> str:
    room = getattr(action, "room", "")
    return terms.room_name(room) if room else ""


def task_words(scene: VersusScene, choice: Choice, here: Space | None = None) -> str:
    action = choice.action
    match action:
        case act.Take(tile):
            own = "" if tile in scene.takable_tiles else f"{tile_key(scene, tile)} "
            return own + tile_line(scene, tile)
        case act.Anytime(good):
            scores = dict(components().points[scene.cave.era]).get(good)
            worth = f" ({count(plain_number(scores), 'point')})" if scores else ""
            gain = gain_of_action(scene, action)
            return f"make {gain} from 1 {good}{worth}" if gain else f"make food from 1 {good}: no more fits"
        case act.Collect(good):
            return f"collect {gain_of_action(scene, action) or good or 'nothing: no more fits'}"
        case act.Exchange():
            return f"trade {choice_price(choice)} for {gain_of_action(scene, action) or 'nothing: no more fits'}"
        case act.Furnish(room, at):
            return f"furnish {terms.room_label(room)} on {terms.space_words(at)}"
        case act.Excavate(at, spaces):
            return f"dig at {terms.space_words(at)}" + (", then a second room" if spaces == 2 else "")
        case act.BuildWall(between):
            cut = cut_off_words(scene, action)
            return f"build a wall {terms.wall_place_words(scene.me, between, here)}{cut and f' ({cut})'}"
        case act.RazeWall(between):
            return f"raze the wall {terms.wall_place_words(scene.me, between, here)}"
        case act.UseRoom(room):
            return f"use {terms.room_name(room)}{_how_action_is_done(action)}"
        case act.Additional():
            gain = gain_of_action(scene, action) or "nothing: no more fits"
            return f"trade {choice_price(choice)} for {gain}" if choice.price else f"collect {gain}"
        case act.Prospect():
            return "Prospecting Site: trade 1 food for 1 gold"
        case act.TakeCavern(walls):
            return f"take the side with {count(walls, 'wall')}"
        case act.Draft(room, at, walls):
            sides = joined([terms.wall_side_words(at, each) for each in walls])
            new = f", with {count(len(walls), 'wall')}: {sides}"
            return f"place {terms.room_label(room)} on {terms.space_words(at)}" + (new if walls else "")
        case act.Cover(at):
            return f"cover {terms.space_words(at)}"
    return "end the turn"


def _how_action_is_done(action: act.UseRoom) -> str:
    if action.at is not None:
        return f", dig at {terms.space_words(action.at)}"
    if action.goods:
        return f": pay {joined([str(each) for each in action.goods])}"
    if action.good:
        return f" ({action.good})"
    if action.option is not None:
        return f": {terms.effect_words(components().rooms[action.room].effects[action.option])}"
    return f": {terms.room_effect(action.room)}"


def cut_off_words(scene: VersusScene, action: Action) -> str:
    """Return how many rooms that can be dug up now a wall cuts off; empty without any."""
    if not isinstance(action, act.BuildWall):
        return ""
    era, walls = scene.cave.era, scene.me.walls | {action.between}
    left = {*accessible_rooms(scene.me, era)} - {*accessible_rooms(replace(scene.me, walls=walls), era)}
    return f"cuts off {count(len(left), 'face-down room')}" if left else ""


def rooms_made_to_fit(scene: VersusScene, action: Action) -> list[str]:
    """Return the rooms on show that fit nowhere until this wall is built, first those whose cost the player has,
    the best first; empty for other actions.
    """
    if not isinstance(action, act.BuildWall):
        return []
    cave, walled = scene.cave, replace(scene.me, walls=scene.me.walls | {action.between})
    box = components().rooms
    fits = [
        room
        for room in cave.display
        if not spaces_for(scene, room)
        and any(not check_furnish(cave, walled, room, at) for at in empty_spaces(walled, cave.era))
    ]
    return sorted(fits, key=lambda room: (bool(missing_amounts(scene.me.goods, box[room].cost)), -box[room].vp))


def choice_price(choice: Choice) -> str:
    """Return a price in words; what the tile costs comes after the cost of the room."""
    tile = choice.action.pay if isinstance(choice.action, act.Furnish) else {}
    room = {good: many - tile.get(good, 0) for good, many in choice.price.items()}
    if tile and any(room.values()):
        return f"{terms.goods_words(room)}; tile's price: {terms.goods_words(tile)}"
    return terms.goods_words(choice.price)


def tile_number(scene: VersusScene, tile: str) -> int:
    """Return the number of a tile in line mode, the same during the whole game."""
    return scene.cave.up.index(tile) + 1


def tile_key(scene: VersusScene, tile: str) -> str:
    return TILE_KEYS[scene.cave.up.index(tile)]


def tile_condition(scene: VersusScene, tile: str) -> str:
    """Return the condition of a tile, with both numbers (rule 3.2); empty if there is none."""
    good = good_needed_more(scene.cave, tile)
    if good is None:
        return ""
    other = 1 - scene.seat
    mine, others = scene.me.goods[good], scene.cave.players[other].goods[good]
    return f"needs more {terms.goods_words({GOODS[good]: 2})[2:]} than {scene.view.names[other]}: {mine} to {others}"


def seat_that_took_tile(scene: VersusScene, tile: str) -> int | None:
    cave = scene.cave
    return (cave.first + cave.taken.index(tile)) % len(cave.players) if tile in cave.taken else None


def why_not(scene: VersusScene, tile: str) -> str:
    seat = seat_that_took_tile(scene, tile)
    return tile_condition(scene, tile) if seat is None else f"taken by {scene.view.names[seat]} in this round"


def tile_line(scene: VersusScene, tile: str) -> str:
    return f"{terms.tile_name(tile)}: {tile_text(scene, tile, explained=True)}"


def tile_text(scene: VersusScene, tile: str, *, explained: bool = False) -> str:
    told = terms.tile_text(tile, scene.turns_this_round, explained=explained)
    if not scene.me.walls:
        told = told.replace("raze a wall", f"raze a wall ({NO_WALLS})")
    offers = told, words_of_additional(scene, tile)
    needs = tile_condition(scene, tile)
    return "; ".join(filter(None, (*offers, needs) if tile in scene.takable_tiles else (needs, *offers)))


def gain_of_action(scene: VersusScene, action: Action) -> str:
    if isinstance(action, act.Draft):
        return count(terms.room_of_name(action.room).vp, "point")
    if isinstance(action, QUIET):
        return ""
    after = goods_after_action(scene.cave, scene.seat, action)
    changes = changed_goods(scene.me.goods, after)
    gain = terms.goods_words({good: many for good, many in changes.items() if many > 0})
    points = ""
    if isinstance(action, act.Furnish):
        own, spent = terms.room_of_name(action.room).vp, sum(points_of_spent_goods(scene, after).values())
        points = count(own, "point") + (f", {plain_number(own - spent)} net" if spent else "")
    made, *others = rooms_made_to_fit(scene, action) or [""]
    space = f"space for {terms.room_name(made)}{f' and {len(others)} more' if others else ''}" if made else ""
    return joined([each for each in (points, gain, space) if each])


def points_of_spent_goods(scene: VersusScene, after: Goods) -> Mapping[Good, float]:
    """Return the points of the goods that the player has now and not ``after``."""
    changes = changed_goods(scene.me.goods, after)
    lost = {good: -changes.get(good, 0) * each for good, each in components().points[scene.cave.era]}
    return {good: points for good, points in lost.items() if points > 0}


def words_of_additional(scene: VersusScene, tile: str) -> str:
    effects = additional_effects(scene.cave, tile)
    return f"extra: {terms.join_alternatives(effects)}" if effects else ""


_WHY = {
    "walls_differ": "needs {walls}",
    "too_many_blue": "you need one more orange room first",
    "no_space": "there is no empty space",
}


class RoomFit(msgspec.Struct, frozen=True):
    """A room of the display and a space: the code of the refusal and the reason, if any."""

    room: str
    code: str = ""
    why: str = ""

    @property
    def words(self) -> str:
        return self.why if self.code else f"fits, but {self.why}" if self.why else "fits"


def room_fits(scene: VersusScene, at: Space) -> tuple[RoomFit, ...]:
    found = [_room_fit(scene, room, at) for room in rooms_best_first(scene)]
    return tuple(sorted(found, key=lambda each: (each.code > "", each.why > "")))


def rooms_best_first(scene: VersusScene) -> tuple[str, ...]:
    """Return the rooms on show by points, those that the player can furnish first."""
    rooms = scene.cave.display
    return tuple(sorted(rooms, key=lambda room: (not can_furnish(scene, room), -terms.room_of_name(room).vp)))


def can_furnish(scene: VersusScene, room: str) -> bool:
    """Return whether a room fits somewhere, and the player can pay for it."""
    return any(not _room_fit(scene, room, at).why for at in spaces_for(scene, room))


def _room_fit(scene: VersusScene, room: str, at: Space) -> RoomFit:
    if refused := check_furnish(scene.cave, scene.me, room, at):
        why = _WHY.get(refused.code, refused.code).format(walls=terms.walls_words(terms.room_of_name(room)))
        return RoomFit(room, refused.code, why)
    short = () if scene.cave.drafting else missing_amounts(scene.me.goods, terms.room_of_name(room).cost)
    lacks = terms.goods_words(amounts_by_name(short))
    offers = [each.action for each in scene.kinds.get("furnish", ()) if isinstance(each.action, act.Furnish)]
    # Refused for its price, the tile still offers to furnish.
    priced = offers or any((each.action.get("type"), each.code) == ("furnish", "not_enough") for each in scene.refusals)
    if not lacks and priced and (room, at) not in {(each.room, each.at) for each in offers}:
        lacks = "the tile's price"
    return RoomFit(room, "", lacks and f"you lack {lacks}")


def is_empty(scene: VersusScene, at: Space) -> bool:
    return at in empty_spaces(scene.me, scene.cave.era)


def spaces_for(scene: VersusScene, room: str) -> tuple[Space, ...]:
    spaces = empty_spaces(scene.me, scene.cave.era)
    return tuple(at for at in spaces if not check_furnish(scene.cave, scene.me, room, at))


def where_room_is(scene: VersusScene, room: str) -> str:
    if spaces := joined([terms.space_words(at) for at in spaces_for(scene, room)]):
        return f"It fits on {spaces}."
    blue = terms.room_of_name(room).colour == "blue" and spare_orange_rooms(scene.me) < 2
    why = _WHY["too_many_blue"] if blue else "no space has its walls"
    return f"It fits nowhere now: {why if empty_spaces(scene.me, scene.cave.era) else _WHY['no_space']}."


def room_words(scene: VersusScene, room: str, *, priced: bool = True) -> str:
    """Return the cost and effect of a room of the display, and the spaces for it; ``priced``: name the tile's price."""
    found = terms.room_of_name(room)
    own = terms.goods_words(amounts_by_name(found.cost))
    costs = joined([each for each in (own, "the tile's price" * priced) if each]) or "nothing"
    price = "free in the draft" if scene.cave.drafting else f"costs {costs}"
    needs = f"{price}, needs {terms.walls_words(found)}"
    return f"{found.name}, {count(found.vp, 'point')}: {needs}. {terms.use_sentence(room)} {where_room_is(scene, room)}"


def space_words(scene: VersusScene, seat: int, at: Space) -> str:
    """Return the contents of a space of a cave."""
    player = scene.cave.players[seat]
    place = "Additional Cavern" if isinstance(at, str) else f"Row {at[0]}, column {at[1]}"
    if room := scene.room_at(seat, at):
        points = count(terms.room_of_name(room).vp, "point")
        return f"{place}: {terms.room_name(room)}, {points}. {terms.use_sentence(room)}"
    if isinstance(at, str) and not player.cavern:  # the cursor stays there when an undo takes the tile away
        return f"{place}: not in this cave yet."
    if isinstance(at, str) or at not in player.covered:
        there = walls_round(at, player.walls, scene.cave.settings.cavern, player.cavern)
        sides = joined([name for side, name in terms.SIDE_NAMES.items() if SIDES[side] & there])
        return (
            f"{place}: empty, {count(there.bit_count(), 'wall')}: {sides}." if sides else f"{place}: empty, no walls."
        )
    bonus = terms.goods_words(amounts_by_name(components().spaces[at].bonus))
    brings = f"; digging here brings {bonus}" if bonus else ""
    reach = "it can be dug up" if at in accessible_rooms(player, scene.cave.era) else "no way leads there yet"
    return f"{place}: a face-down room, {reach}{brings}."
