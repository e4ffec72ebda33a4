"""The effects of actions: ``apply`` is the only way from one state to the next."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from cave.caves_of_casadh import actions as act
from cave.caves_of_casadh import legal, routes
from cave.caves_of_casadh.action_table import ActionTable, continue_turn, end_turn
from cave.caves_of_casadh.actions import Action, Event
from cave.caves_of_casadh.components import ITEMS, Card, Cell, ItemKind, Misfortune, components, facing, side_towards
from cave.caves_of_casadh.routes import Spot
from cave.caves_of_casadh.state import Drawn, Laid, Offer, State, Treasure, cell_of, count_spelunkers, hex_of
from cave.game import Step

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
        _draw_treasures(table, offer.hex, offer.icons)
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


# Exploring (rules 4.3, 4.4, 5 and 6.4)


def _lay_hex(table: ActionTable, rotation: int) -> None:
    """Place the hex that was drawn, enter it, and draw the card (rules 4.3 and 4.4)."""
    drawn = table.drawn
    assert drawn is not None
    seat, at, to = table.seat, cell_of(table, table.seat), drawn.to
    came_from: Spot = (at, table.player.passage)
    table.drawn = None
    table.map[to] = laid = Laid(drawn.hex, rotation)
    table.add_event(act.HexPlaced(seat, to, drawn.hex, rotation))
    table.enter(seat, to, laid.layout.owner[legal.origin_of(at, to)], "explore")
    name = table.draw_card()
    if name is None:
        return _draw_treasures(table, to, 0)
    card, level = components().cards[name], laid.layout.hex.level
    table.mp = max(0, table.mp - card.move)
    table.add_event(act.CardDrawn(seat, name, table.mp))
    _suffer_card(table, card, came_from, to)
    _place_items(table, to, card.items[level - 1])
    return _draw_treasures(table, to, card.treasures[level - 1])


# Misfortunes (rules 5.1 and 5.2)


def _suffer_card(table: ActionTable, card: Card, came_from: Spot, to: Cell) -> None:
    """Apply the misfortune of a card to the explorer, and keep or discard the card."""
    if card.misfortune == "none":
        table.discards += (card.id,)
        return None
    misfortune = components().misfortunes[card.misfortune]
    if misfortune.keep and not _is_spared_misfortune(table, misfortune):
        held = table.player.misfortunes
        table.change_player(table.seat, misfortunes=(*held, card.id))
        return table.add_event(act.MisfortuneStruck(table.seat, misfortune.id, "kept"))
    table.discards += (card.id,)
    if misfortune.keep:
        return table.add_event(act.MisfortuneStruck(table.seat, misfortune.id, "spared"))
    return _suffer_misfortune(table, misfortune, came_from, to)


def _is_spared_misfortune(table: ActionTable, misfortune: Misfortune) -> bool:
    """Return whether the explorer is immune, or gets Thirst in water."""
    player = table.player
    if any(item in player.items for item in misfortune.immune_items):
        return True
    in_water = table.map[cell_of(table, table.seat)].layout.hex.water == player.passage
    return misfortune.id == "thirst" and in_water


def _suffer_misfortune(table: ActionTable, misfortune: Misfortune, came_from: Spot, to: Cell) -> None:
    seat, kind = table.seat, misfortune.id
    lost: ItemKind | None = None
    does = True
    match kind:
        case "lost_gear":
            lost = _drop_random_item(table, to)
            does = lost is not None
        case "torn_purse":
            does = _lose_treasure(table, to)
        case "panic":
            does = not table.map[came_from[0]].grues
        case "stumble":
            table.mp = 0
        case "dark_stirs":
            table.vengeance += 1
    table.add_event(act.MisfortuneStruck(seat, kind, "suffered" if does else "spared", lost))
    if kind == "rockfall":
        table.damage(seat, "rockfall")
    elif kind == "panic" and does:
        table.enter(seat, *came_from, "panic")


def _drop_random_item(table: ActionTable, to: Cell) -> ItemKind | None:
    """Drop a random item from the pack onto the new hex; None if there is none."""
    held = table.player.items
    if not held:
        return None
    lost = sorted(held, key=ITEMS.index)[table.draw_number(len(held))]
    table.lose_item(table.seat, lost)
    table.change_hex(to, items=(*table.map[to].items, lost))
    return lost


def _lose_treasure(table: ActionTable, to: Cell) -> bool:
    """Drop a treasure from the purse onto the new hex; return whether there was one."""
    held = list(table.player.treasures)
    if not held:
        return False
    # Full states have all values.
    lost = sorted(held, key=lambda value: value or 0)[table.draw_number(len(held))]
    held.remove(lost)
    table.change_player(table.seat, treasures=tuple(held))
    table.change_hex(to, treasures=(*table.map[to].treasures, Treasure(lost, table.seat)))
    return True


# Items and treasures (rules 6.1 and 6.4)


def _place_items(table: ActionTable, at: Cell, icons: int) -> None:
    drawn = tuple(kind for kind in table.supply[:icons] if kind)
    if drawn:
        table.supply = table.supply[len(drawn) :]
        table.change_hex(at, items=table.map[at].items + drawn)
        table.add_event(act.ItemsPlaced(table.seat, at, drawn))


def _draw_treasures(table: ActionTable, at: Cell, icons: int) -> None:
    """Draw treasures for the remaining icons, then roll for the hazard of the new hex."""
    while icons:
        icons -= 1
        number = min(count_spelunkers(table, "in"), len(table.bag))
        values, table.bag = table.bag[:number], table.bag[number:]
        if not values:
            continue
        alive = table.player.state == "in"
        seen = tuple(value for value in values if value is not None) if alive else None
        table.add_event(act.TreasuresDrawn(table.seat, at, number, "explore", seen))
        if alive:
            table.offer, table.phase = Offer(values, "explore", at, icons), "keeping"
            return
        table.change_hex(at, treasures=table.map[at].treasures + tuple(map(Treasure, values)))
    _roll_for_hazard(table, at)
    continue_turn(table)


# Hazards (rules 7.1 to 7.3)


def _roll_for_hazard(table: ActionTable, at: Cell) -> None:
    """Roll for the hazard of the new hex, and place tokens (rule 7.1)."""
    hazard = table.map[at].layout.hex.hazard
    if hazard == "none":
        return
    icons = routes.cells_with_icon(table, hazard)
    grues = hazard == "grue"
    if not table.roll(hazard, len(icons) + (table.vengeance if grues else 0), below=True):
        return
    new = [each for each in icons if not (table.map[each].grues if grues else table.map[each].token)]
    for each in new:
        table.change_hex(each, **({"grues": 1} if grues else {"token": True}))
    if new:
        table.add_event(act.TokensPlaced(hazard, tuple(new)))
    for seat, player in enumerate(table.players):
        if player.at in new:
            table.expose_to_hazard(seat, hazard)


_DO: Mapping[type, Callable[[ActionTable, Any], None]] = {
    act.Move: _move_pawn,
    act.Explore: _explore_hex,
    act.Place: lambda table, action: _lay_hex(table, action.rotation),
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
