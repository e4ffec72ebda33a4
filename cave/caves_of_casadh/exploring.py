"""Exploring: rotations of the new hex, its card, items, treasures and hazard (rules 4 to 7)."""

from __future__ import annotations

from functools import cache

from cave.caves_of_casadh import actions as act
from cave.caves_of_casadh.action_table import ActionTable, continue_turn
from cave.caves_of_casadh.components import (
    ITEMS,
    SIDES,
    Card,
    Cell,
    Hazard,
    ItemKind,
    Misfortune,
    components,
    layout,
    side_towards,
)
from cave.caves_of_casadh.routes import Spot
from cave.caves_of_casadh.state import Laid, Offer, Situation, Treasure, cell_of, count_spelunkers


def is_aligned(hex_id: str, origin: int, rotation: int) -> bool:
    """Return whether a star is at that side of the map; true for a hex without stars (rule 4.3)."""
    lie = layout(hex_id, rotation)
    return not lie.stars or origin in lie.stars


@cache
def legal_rotations(hex_id: str, origin: int) -> tuple[int, ...]:
    """Return the legal rotations of a hex explored from the side ``origin`` of its cell.

    Of equivalent rotations, only the smallest is included (rule 4.3).
    """
    found: dict[tuple[tuple[int, ...], ...], int] = {}
    for rotation in SIDES:
        if is_aligned(hex_id, origin, rotation):
            found.setdefault(layout(hex_id, rotation).sides, rotation)
    return tuple(found.values())


def origin_of(at: Cell, to: Cell) -> int:
    """Return the side of the new cell that faces the explorer's old cell."""
    side = side_towards(to, at)
    assert side is not None, "a new hex is a neighbour"
    return side


def lay_hex(table: ActionTable, rotation: int) -> None:
    """Place the hex that was drawn, enter it, and draw the card (rules 4.3 and 4.4)."""
    drawn = table.drawn
    assert drawn is not None
    seat, at, to = table.seat, cell_of(table, table.seat), drawn.to
    came_from: Spot = (at, table.player.passage)
    table.drawn = None
    table.map[to] = laid = Laid(drawn.hex, rotation)
    table.add_event(act.HexPlaced(seat, to, drawn.hex, rotation))
    table.enter(seat, to, laid.layout.owner[origin_of(at, to)], "explore")
    name = table.draw_card()
    if name is None:
        return draw_treasures(table, to, 0)
    card, level = components().cards[name], laid.layout.hex.level
    table.mp = max(0, table.mp - card.move)
    table.add_event(act.CardDrawn(seat, name, table.mp))
    _suffer_card(table, card, came_from, to)
    _place_items(table, to, card.items[level - 1])
    return draw_treasures(table, to, card.treasures[level - 1])


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


def draw_treasures(table: ActionTable, at: Cell, icons: int) -> None:
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


def cells_with_icon(now: Situation, hazard: Hazard) -> list[Cell]:
    return [at for at, laid in now.map.items() if laid.layout.hex.hazard == hazard]


def _roll_for_hazard(table: ActionTable, at: Cell) -> None:
    """Roll for the hazard of the new hex, and place tokens (rule 7.1)."""
    hazard = table.map[at].layout.hex.hazard
    if hazard == "none":
        return
    icons = cells_with_icon(table, hazard)
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
