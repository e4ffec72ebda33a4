"""A new game (rule 2), and the effects of actions: ``apply`` is the only way from one state to the next."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import asdict

from cave.caves_of_casadh import OPTIONS, ROUND_LIMIT, SEATS, exploring, legal, routes
from cave.caves_of_casadh import actions as act
from cave.caves_of_casadh.action_table import ActionTable, continue_turn, end_turn
from cave.caves_of_casadh.actions import Action, Event
from cave.caves_of_casadh.components import BASE, HOME, ITEMS, PAINTINGS, ItemKind, components, facing, side_towards
from cave.caves_of_casadh.state import (
    Drawn,
    Laid,
    Offer,
    Player,
    Settings,
    State,
    Treasure,
    cell_of,
    count_spelunkers,
    hex_of,
)
from cave.chance import Chance
from cave.codec import MAX_WHOLE
from cave.game import BadData, Json, Step, chosen_values

Result = Step[State, Event]


def apply(state: State, seat: int, action: Action) -> Result:
    refused = legal.refusal(state, seat, action)
    if refused:
        raise refused
    table = ActionTable(state)
    if not isinstance(action, act.Explore):  # The card has the price (rule 4.4).
        table.mp -= legal.PRICES.get(action.type, 0)
    _DO[type(action)](table, action)
    return Step(table.state(), tuple(table.events))


# Movement (rules 4 and 8)


def _mp_to_step(table: ActionTable, to: act.Target) -> int:
    side = side_towards(cell_of(table, table.seat), to)
    assert side is not None, "a step leads to a neighbour"
    return table.map[to].layout.owner[facing(side)]


def _move_pawn(table: ActionTable, action: act.Move) -> None:
    """Move the pawn to a known hex (rules 4.1 and 8.4)."""
    table.enter(table.seat, action.to, _mp_to_step(table, action.to), "move")
    if table.player.state == "in" and table.map[action.to].grues:
        _drive_remaining_grues(table)
    else:
        continue_turn(table)


def _drive_remaining_grues(table: ActionTable) -> None:
    """Drive grues off with a Lantern, one by one (rule 8.4)."""
    at = cell_of(table, table.seat)
    if table.map[at].grues and routes.free_lairs(table):
        table.phase = "driving"
        return
    for _ in range(table.map[at].grues):
        table.vengeance += 1
        table.add_event(act.GrueGone(table.seat, at, table.vengeance))
    table.change_hex(at, grues=0)
    continue_turn(table)


def _drive_grue(table: ActionTable, action: act.Drive) -> None:
    """Drive a grue to a lair (rule 8.4)."""
    at = cell_of(table, table.seat)
    _shift_grue(table, at, action.to)
    table.add_event(act.GrueMoved(table.seat, at, action.to, "drive"))
    _drive_remaining_grues(table)


def _shift_grue(table: ActionTable, start: act.Target, to: act.Target) -> None:
    table.change_hex(start, grues=table.map[start].grues - 1)
    table.change_hex(to, grues=table.map[to].grues + 1)


def _flee_grue(table: ActionTable, action: act.Flee) -> None:
    """Take a step of a flight (rules 8.2 and 8.3)."""
    table.mp = max(0, table.mp - 1)
    table.enter(table.seat, action.to, _mp_to_step(table, action.to), "flee")
    if table.player.state == "in" and table.map[action.to].grues:
        table.damage(table.seat, "grue")
    continue_turn(table)


def _explore_hex(table: ActionTable, action: act.Explore) -> None:
    """Draw the next hex (rule 4.2)."""
    drawn, *rest = table.hexes
    table.hexes = tuple(rest)
    table.drawn, table.phase = Drawn(drawn, action.to), "placing"
    table.add_event(act.HexDrawn(table.seat, drawn, action.to))


def _slide_down(table: ActionTable, action: act.Slide) -> None:
    """Slide to another passage (rule 4.5)."""
    seat, start = table.seat, table.player.passage
    table.change_player(seat, passage=action.passage)
    table.add_event(act.Slid(seat, cell_of(table, seat), start, action.passage))
    table.take_thirst_away(seat)
    continue_turn(table)


# Treasures and items (rule 6)


def _collect_treasure(table: ActionTable, action: act.CollectTreasure) -> None:
    """Pick up all treasures of the hex (rule 6.2)."""
    seat, at = table.seat, cell_of(table, table.seat)
    values = tuple(each.value for each in table.map[at].treasures)
    table.change_hex(at, treasures=())
    table.offer, table.phase = Offer(values, "collect_treasure", at), "keeping"
    seen = tuple(value for value in values if value is not None)
    table.add_event(act.TreasuresDrawn(seat, at, len(values), "collect_treasure", seen))


def _keep_treasure(table: ActionTable, action: act.Keep) -> None:
    """Keep a treasure and put the rest on the hex (rules 6.1 and 6.2)."""
    offer, seat = table.offer, table.seat
    assert offer is not None
    rest = list(offer.values)
    rest.remove(action.treasure)
    table.offer = None
    table.change_player(seat, treasures=(*table.player.treasures, action.treasure))
    back = tuple(Treasure(value, seat) for value in rest)
    table.change_hex(offer.hex, treasures=table.map[offer.hex].treasures + back)
    table.add_event(act.TreasureKept(seat, offer.hex, len(rest), action.treasure))
    if offer.by == "explore":
        exploring.draw_treasures(table, offer.hex, offer.icons)
    else:
        continue_turn(table)


def _collect_items(table: ActionTable, action: act.CollectItems) -> None:
    """Take items, which ends the turn (rule 6.5)."""
    seat, at = table.seat, cell_of(table, table.seat)
    lying = list(table.map[at].items)
    for kind in action.items:
        lying.remove(kind)
    table.change_hex(at, items=tuple(lying))
    table.change_player(seat, items=table.player.items + action.items)
    table.add_event(act.ItemsCollected(seat, at, action.items))
    for kind in action.items:
        if kind == "canteen":
            table.remove_misfortune(seat, "thirst", "canteen")
        elif kind == "battery":
            table.remove_misfortune(seat, "flashlight_out", "battery")
    end_turn(table)


def _spend_item(table: ActionTable, kind: ItemKind) -> None:
    """Put an item of the spelunker under the supply (rule 6.4)."""
    table.lose_item(table.seat, kind)
    table.return_items([kind])


def _use_medkit(table: ActionTable, action: act.UseMedkit) -> None:
    """Spend the Medkit (rule 6.7)."""
    hp = components().start_hp
    _spend_item(table, "medkit")
    table.change_player(table.seat, hp=hp)
    table.add_event(act.Healed(table.seat, hp))
    table.remove_misfortune(table.seat, "twisted_ankle", "medkit")
    continue_turn(table)


# Dynamite (rules 7.4 to 7.6)


def _deploy_dynamite(table: ActionTable, action: act.Deploy) -> None:
    """Lay dynamite (rule 7.4)."""
    at = cell_of(table, table.seat)
    _spend_item(table, "dynamite")
    table.change_hex(at, dynamite=(*table.map[at].dynamite, table.seat))
    table.add_event(act.Deployed(table.seat, at))
    continue_turn(table)


def _defuse_dynamite(table: ActionTable, action: act.Defuse) -> None:
    """Roll to defuse dynamite, or set it off (rule 7.6)."""
    seat, at = table.seat, cell_of(table, table.seat)
    if not table.roll("defuse", table.player.hp):
        table.collapse_hex(at)
        return continue_turn(table)
    left = list(hex_of(table, seat).dynamite)
    left.remove(action.owner)
    table.change_hex(at, dynamite=tuple(left))
    gained = "dynamite" in table.supply and "dynamite" not in table.player.items
    if gained:
        lowest = len(table.supply) - 1 - table.supply[::-1].index("dynamite")
        table.supply = table.supply[:lowest] + table.supply[lowest + 1 :]
        table.change_player(seat, items=(*table.player.items, "dynamite"))
    table.add_event(act.Defused(seat, at, action.owner, gained))
    return continue_turn(table)


# Leaving and giving up (rules 3.5 and 9.2)


def _leave_caves(table: ActionTable, action: act.Leave) -> None:
    """Leave with the two highest treasures of the Surface (rule 9.2)."""
    seat = table.seat
    table.remove_misfortunes(seat, "leaving")
    taken = tuple(sorted(table.surface, reverse=True)[: components().leave_takes])
    left = list(table.surface)
    for value in taken:
        left.remove(value)
    table.surface = tuple(left)
    player = table.player
    table.change_player(seat, state="out", at=None, passage=0, treasures=player.treasures + taken)
    table.add_event(act.Left(seat, taken))
    end_turn(table)


def _give_up_and_die(table: ActionTable, _: act.GiveUp) -> None:
    """Give up and die (rule 3.5)."""
    table.let_die(table.seat, "gave_up")
    end_turn(table)


# Grues from outside (rules 8.5 and 8.6)


def _roll_for_lantern(table: ActionTable, action: act.MoveGrue) -> None:
    """Roll for a Lantern (rule 8.5)."""
    if table.roll("take_lantern", count_spelunkers(table, "out")) and routes.lantern_holders(table, table.seat):
        table.phase = "taking_lantern"
    else:
        _roll_for_grue(table)


def _roll_for_grue(table: ActionTable) -> None:
    """Roll for a grue (rule 8.5)."""
    if table.roll("move_grue", count_spelunkers(table, "out")) and routes.some_grue_can_move(table):
        table.phase = "moving_grue"
    else:
        end_turn(table)


def _take_lantern(table: ActionTable, action: act.TakeLantern) -> None:
    """Take a Lantern out of the game (rule 8.5)."""
    table.lose_item(action.holder, "lantern")
    table.add_event(act.LanternTaken(table.seat, action.holder))
    _roll_for_grue(table)


def _place_grue(table: ActionTable, action: act.PlaceGrue) -> None:
    """Move a grue, which hurts all spelunkers there (rule 8.6)."""
    _shift_grue(table, action.start, action.to)
    table.add_event(act.GrueMoved(table.seat, action.start, action.to, "place_grue"))
    for seat, player in enumerate(table.players):
        if player.at == action.to:
            table.damage(seat, "grue")
    end_turn(table)


_DO: Mapping[type, Callable[[ActionTable, Any], None]] = {
    act.Move: _move_pawn,
    act.Explore: _explore_hex,
    act.Place: lambda table, action: exploring.lay_hex(table, action.rotation),
    act.Keep: _keep_treasure,
    act.Slide: _slide_down,
    act.CollectTreasure: _collect_treasure,
    act.CollectItems: _collect_items,
    act.Leave: _leave_caves,
    act.UseMedkit: _use_medkit,
    act.Deploy: _deploy_dynamite,
    act.Defuse: _defuse_dynamite,
    act.GiveUp: _give_up_and_die,
    act.EndTurn: lambda table, _: end_turn(table),
    act.Flee: _flee_grue,
    act.Drive: _drive_grue,
    act.MoveGrue: _roll_for_lantern,
    act.TakeLantern: _take_lantern,
    act.PlaceGrue: _place_grue,
}


def read_settings(data: Json) -> Settings:
    """Return the settings; raises BadData. The round limit may be any number (rule 9.5)."""
    limit = data.get(ROUND_LIMIT, 0) if isinstance(data, dict) else 0
    if type(limit) is not int or not 0 <= limit <= MAX_WHOLE:
        raise BadData(ROUND_LIMIT, "must be a whole number, 0 or more")
    others = data if not limit else {name: value for name, value in data.items() if name != ROUND_LIMIT}
    return Settings(**{**chosen_values(OPTIONS, others), ROUND_LIMIT: limit})


def settings_json(settings: Settings) -> Json:
    """Return the edition, and the house rules that differ from it (rule 10)."""
    usual = asdict(Settings())
    different = {name: value for name, value in asdict(settings).items() if value != usual[name]}
    return {"edition": settings.edition, **different}


def new(seats: int, settings: Settings, seed: str) -> State:
    """Return a new game (rule 2); raises BadData for a wrong number of players."""
    if seats not in SEATS:
        raise BadData("seats", f"must be {SEATS[0]} to {SEATS[-1]}")
    box, chance = components(), Chance(seed)
    hexes, chance = _mix_pile(chance)
    cards, chance = chance.shuffle([each.id for each in box.cards.values() for _ in range(each.copies)])
    supply, chance = chance.shuffle([kind for kind in ITEMS for _ in range(box.items[kind].count)])
    bag, chance = chance.shuffle(box.treasure_values * box.treasure_copies)
    first, chance = chance.below(seats)
    surface = box.surface_per_player * seats
    return State(
        settings=settings,
        players=(Player("in", HOME, hp=box.start_hp),) * seats,
        map={HOME: Laid(BASE)},
        hexes=hexes,
        cards=cards,
        discards=(),
        supply=supply,
        bag=bag[surface:],
        surface=bag[:surface],
        seat=first,
        mp=box.start_hp,
        phase="actions",
        first_seat=first,
        seed=seed,
    )


def _mix_pile(chance: Chance) -> tuple[tuple[str, ...], Chance]:
    """Return the hexes in the order of drawing (rules 2.2 and 4.2)."""
    level_1, level_2 = components().pile
    first, chance = chance.shuffle(level_1)
    return mix_in_level_2(first, level_2, chance)


def mix_in_level_2(first: tuple[str, ...], level_2: tuple[str, ...], chance: Chance) -> tuple[tuple[str, ...], Chance]:
    """Shuffle Level 2 into the part of the pile after Cave Paintings, if it is in the pile (rule 4.2)."""
    if PAINTINGS not in first:
        return first, chance
    ahead = first.index(PAINTINGS) + 1
    rest, chance = chance.shuffle([*first[ahead:], *level_2])
    return (*first[:ahead], *rest), chance
