"""The table while an action is applied: chance, damage, deaths, turns, and the end (3 and 9).

A ``ActionTable`` is a mutable copy of a state, local to ``apply``, which converts it back at the end.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import Any, Literal

from msgspec.structs import asdict, replace

from cave.caves_of_casadh import actions as act
from cave.caves_of_casadh import routes
from cave.caves_of_casadh.actions import Event
from cave.caves_of_casadh.components import (
    BASE,
    COLLAPSED,
    HOME,
    ITEMS,
    Cell,
    Hazard,
    ItemKind,
    MisfortuneKind,
    components,
    hazard_damage,
)
from cave.caves_of_casadh.state import (
    Drawn,
    Laid,
    Offer,
    Phase,
    Player,
    Settings,
    State,
    Treasure,
    cell_of,
    count_spelunkers,
    hex_of,
)

Reason = Literal["methane", "bats", "tremors", "grue", "defuse", "take_lantern", "move_grue"]
Relief = Literal["water", "canteen", "battery", "medkit", "base_camp", "leaving"]


_FIELDS = attrgetter(*State.__struct_fields__)


class ActionTable:
    """A mutable state during an action, with the events so far."""

    settings: Settings
    players: list[Player]
    map: dict[Cell, Laid]
    hexes: tuple[str, ...]
    cards: tuple[str, ...]
    discards: tuple[str, ...]
    supply: tuple[ItemKind | Literal[""], ...]
    bag: tuple[int | None, ...]
    surface: tuple[int, ...]
    seat: int
    mp: int
    phase: Phase
    first_seat: int
    round: int
    drawn: Drawn | None
    offer: Offer | None
    vengeance: int
    dice: tuple[int, ...]
    lots: tuple[int, ...]
    seed: str
    chance: int

    def __init__(self, state: State) -> None:
        assert state.seat is not None, "somebody acts"
        self.__dict__ = asdict(state)
        self.players, self.map = list(state.players), dict(state.map)
        self.events: list[Event] = []

    def state(self) -> State:
        """Return the resulting state; do not use the table afterwards."""
        vars(self)["players"] = tuple(self.players)
        if self.phase == "over":
            vars(self).update(seat=None, mp=0)
        return State(*_FIELDS(self))

    # Small changes

    @property
    def player(self) -> Player:
        """The spelunker whose turn it is."""
        return self.players[self.seat]

    def change_player(self, seat: int, **changes: Any) -> None:
        self.players[seat] = replace(self.players[seat], **changes)

    def change_hex(self, at: Cell, **changes: Any) -> None:
        self.map[at] = replace(self.map[at], **changes)

    def add_event(self, event: Event) -> None:
        self.events.append(event)

    # Chance (rule 1.7)

    def roll(self, reason: Reason, limit: int, *, below: bool = False) -> bool:
        """Roll the die; return whether it is at most ``limit``, or less than ``limit`` if ``below``."""
        if self.dice:
            roll, *rest = self.dice
            self.dice = tuple(rest)
        else:
            roll = 1 + self._next_random() % self.settings.die_sides
        success = roll < limit if below else roll <= limit
        self.add_event(act.Rolled(self.seat, reason, roll, limit, success))
        return success

    def draw_number(self, number: int) -> int:
        if self.lots:
            lot, *rest = self.lots
            self.lots = tuple(rest)
            return lot % number
        return self._next_random() % number

    def _next_random(self) -> int:
        text = f"{self.seed}/{self.chance}".encode("utf-8", "surrogatepass")
        self.chance += 1
        return int.from_bytes(hashlib.sha256(text).digest(), "big")

    # Piles

    def draw_card(self) -> str | None:
        """Take the next card, shuffling the discards if necessary; None if there are none (rule 4.4)."""
        if not self.cards:
            left, mixed = list(self.discards), []
            while left:
                mixed.append(left.pop(self.draw_number(len(left))))
            self.cards, self.discards = tuple(mixed), ()
        if not self.cards:
            return None
        card, *rest = self.cards
        self.cards = tuple(rest)
        return card

    def lose_item(self, seat: int, kind: ItemKind) -> None:
        held = self.players[seat].items
        self.change_player(seat, items=tuple(each for each in held if each != kind))

    def return_items(self, kinds: Iterable[ItemKind]) -> None:
        """Put items under the supply, in the order of the item table (rule 6.4)."""
        self.supply += tuple(sorted(kinds, key=ITEMS.index))

    # Misfortunes (rule 5.3)

    def remove_misfortune(self, seat: int, kind: MisfortuneKind, by: Relief) -> None:
        cards = components().cards
        self._discard_cards(seat, lambda card: cards[card].misfortune == kind, by)

    def remove_misfortunes(self, seat: int, by: Relief) -> None:
        self._discard_cards(seat, lambda _: True, by)

    def _discard_cards(self, seat: int, goes: Callable[[str], bool], by: Relief) -> None:
        held = self.players[seat].misfortunes
        gone = tuple(card for card in held if goes(card))
        if not gone:
            return
        self.discards += gone
        self.change_player(seat, misfortunes=tuple(card for card in held if card not in gone))
        kinds = [components().cards[card].misfortune for card in gone]
        for kind in dict.fromkeys(kinds):
            assert kind != "none", "only misfortunes are held"
            self.add_event(act.MisfortuneRemoved(seat, kind, kinds.count(kind), by))

    def take_thirst_away(self, seat: int) -> None:
        """Take away the Thirst of a pawn in water (rule 5.3)."""
        player = self.players[seat]
        if player.misfortunes and self.map[cell_of(self, seat)].layout.hex.water == player.passage:
            self.remove_misfortune(seat, "thirst", "water")

    # Harm (rules 7.3, 7.5 and 9.1)

    def enter(self, seat: int, at: Cell, passage: int, by: Literal["move", "explore", "flee", "panic"]) -> None:
        """Move a pawn into a passage of another hex: water removes Thirst, a token hurts (rule 4.1)."""
        start = cell_of(self, seat)
        self.change_player(seat, at=at, passage=passage)
        self.add_event(act.Entered(seat, start, at, passage, by))
        self.take_thirst_away(seat)
        laid = self.map[at]
        if laid.token:
            hazard = laid.layout.hex.hazard
            assert hazard != "none", "a token lies on its icon"
            self.expose_to_hazard(seat, hazard)

    def expose_to_hazard(self, seat: int, hazard: Hazard) -> None:
        """Damage a spelunker who does not have the item against the hazard."""
        if hazard_damage(hazard, self.players[seat].items):
            self.damage(seat, hazard)

    def damage(self, seat: int, by: act.Harm) -> None:
        """Take 1 HP from a spelunker, who may die."""
        hp = self.players[seat].hp - 1
        self.change_player(seat, hp=hp)
        self.add_event(act.Damaged(seat, by, hp))
        if not hp:
            self.let_die(seat, by)

    def let_die(self, seat: int, by: act.Doom) -> None:
        """Remove a spelunker; its things leave the game or stay on its hex."""
        player, at = self.players[seat], cell_of(self, seat)
        self.discards += player.misfortunes
        if self.settings.dead_loot == "on_hex":
            laid = self.map[at]
            left = tuple(Treasure(value, seat) for value in player.treasures)
            self.change_hex(at, items=laid.items + player.items, treasures=laid.treasures + left)
        self.players[seat] = Player("dead")
        self.add_event(act.Died(seat, at, by))

    def collapse_hex(self, at: Cell) -> None:
        """Collapse a hex: all there die, items return to the supply, the rest is gone (rule 7.5)."""
        for seat, player in enumerate(self.players):
            if player.at == at:
                self.let_die(seat, "dynamite")
        self.return_items(self.map[at].items)
        self.add_event(act.Collapsed(at, self.map[at].hex))
        self.map[at] = Laid(COLLAPSED)


def continue_turn(table: ActionTable) -> None:
    """Set the phase after a spelunker's action, or end its turn (rules 3.4 and 8.2)."""
    if table.player.state == "dead":
        return end_turn(table)
    if routes.must_flee(table, table.seat):
        if routes.first_flight_steps(table, table.seat):
            table.phase = "fleeing"
            return None
        table.let_die(table.seat, "cut_off")
        return end_turn(table)
    if not table.mp and not can_act_freely(table.player, hex_of(table, table.seat)):
        return end_turn(table)
    table.phase = "actions"
    return None


def can_act_freely(player: Player, laid: Laid) -> bool:
    """Return whether an action without MP is possible on that hex: slide, Medkit, deploy or defuse."""
    items = player.items
    return bool(
        "medkit" in items
        or laid.dynamite
        or ("dynamite" in items and may_deploy(laid))
        or any(True for _ in routes.slides_of_slope(laid.layout.hex, player.passage, "rope" in items))
    )


def may_deploy(laid: Laid) -> bool:
    """Return whether dynamite can be laid there: not on Base Camp or a Collapsed Hex (rule 7.4)."""
    return laid.hex not in (BASE, COLLAPSED)


def turn_mp(player: Player) -> int:
    """Return the MP with which a spelunker begins a turn (rule 3.1)."""
    box = components()
    mp = player.hp
    for card in player.misfortunes:
        kind = box.cards[card].misfortune
        assert kind != "none", "only misfortunes are held"
        misfortune = box.misfortunes[kind]
        if not any(item in player.items for item in misfortune.immune_items):
            mp += misfortune.mp
    return max(box.min_mp, mp)


def end_turn(table: ActionTable) -> None:
    """End the current turn and begin the next turn that has an action (rules 3.2, 3.6)."""
    if table.player.at == HOME:
        table.remove_misfortunes(table.seat, "base_camp")
    while count_spelunkers(table, "in"):
        table.seat = (table.seat + 1) % len(table.players)
        if table.seat == table.first_seat and not _next_round(table):
            break
        # Its dynamite explodes (rule 7.5).
        for at in sorted(at for at, laid in table.map.items() if table.seat in laid.dynamite):
            table.collapse_hex(at)
        if not count_spelunkers(table, "in"):
            break
        if table.player.state == "in":
            table.mp = turn_mp(table.player)
            table.add_event(act.TurnBegan(table.seat, table.round, table.mp))
            return continue_turn(table)
        if routes.may_move_grues(table, table.seat):
            table.mp, table.phase = 0, "haunting"
            return table.add_event(act.TurnBegan(table.seat, table.round, 0))
    # The caves are empty (rule 9.3).
    table.phase = "over"
    shown = tuple(tuple(value for value in player.treasures if value is not None) for player in table.players)
    return table.add_event(act.GameOver(shown))


def _next_round(table: ActionTable) -> bool:
    """Begin the next round; after the last one, all still in the caves die (rule 9.5)."""
    if table.settings.round_limit and table.round >= table.settings.round_limit:
        for seat, player in enumerate(table.players):
            if player.state == "in":
                table.let_die(seat, "time")
        return False
    table.round += 1
    return True
