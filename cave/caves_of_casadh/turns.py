"""The course of turns: what follows each step, how turns end and begin, and the end (rules 3 and 9)."""

from __future__ import annotations

from cave.caves_of_casadh import routes
from cave.caves_of_casadh.components import BASE, COLLAPSED, components
from cave.caves_of_casadh.events import GameOver, TurnBegan
from cave.caves_of_casadh.geometry import HOME
from cave.caves_of_casadh.state import Laid, Player, count, here
from cave.caves_of_casadh.table import Table


def go_on(table: Table) -> None:
    """Find out what a spelunker who has done something does next (rules 3.4 and 8.2)."""
    if table.player.state == "dead":
        return end_turn(table)
    if routes.must_flee(table, table.seat):
        if routes.first_steps(table, table.seat):
            table.phase = "fleeing"
            return None
        table.die(table.seat, "cut_off")
        return end_turn(table)
    if not table.mp and not can_act_freely(table.player, here(table, table.seat)):
        return end_turn(table)
    table.phase = "actions"
    return None


def can_act_freely(player: Player, laid: Laid) -> bool:
    """Return whether something that costs no MP can be done on that hex: slide, Medkit, deploy or defuse."""
    items = player.items
    return bool(
        "medkit" in items
        or laid.dynamite
        or ("dynamite" in items and may_deploy(laid))
        or routes.can_slide(laid.layout.hex, player.passage, "rope" in items)
    )


def may_deploy(laid: Laid) -> bool:
    """Return whether dynamite may be laid there: not on Base Camp or a Collapsed Hex (rule 7.4)."""
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


def end_turn(table: Table) -> None:
    """End the running turn and begin the next one that somebody has something to do in (rules 3.2, 3.6)."""
    if table.player.at == HOME:
        table.relieve_of_all(table.seat, "base_camp")
    while count(table, "in"):
        table.seat = (table.seat + 1) % len(table.players)
        if table.seat == table.first_seat and not _next_round(table):
            break
        _set_off(table)
        if not count(table, "in"):
            break
        if table.player.state == "in":
            return _begin(table)
        if routes.may_haunt(table, table.seat):
            table.mp, table.phase = 0, "haunting"
            return table.tell(TurnBegan(table.seat, table.round, 0))
    return _end_game(table)


def _next_round(table: Table) -> bool:
    """Begin the next round; where there is none, all who are still in the caves die (rule 9.5)."""
    if table.settings.round_limit and table.round >= table.settings.round_limit:
        for seat, player in enumerate(table.players):
            if player.state == "in":
                table.die(seat, "time")
        return False
    table.round += 1
    return True


def _set_off(table: Table) -> None:
    """Set off the dynamite of the seat whose turn begins (rule 7.5)."""
    for at in sorted(at for at, laid in table.map.items() if table.seat in laid.dynamite):
        table.blast(at)


def _begin(table: Table) -> None:
    """Begin a spelunker's turn (rule 3.2)."""
    table.mp = turn_mp(table.player)
    table.tell(TurnBegan(table.seat, table.round, table.mp))
    go_on(table)


def _end_game(table: Table) -> None:
    """End the game: nobody is in the caves any more (rule 9.3)."""
    table.phase = "over"
    shown = tuple(tuple(value for value in player.treasures if value is not None) for player in table.players)
    table.tell(GameOver(shown))
