"""Points and winners (rule 9.4)."""

from __future__ import annotations

from collections.abc import Sequence

from cave.caves_of_casadh.state import Player, State
from cave.score import Score

CATEGORY = "treasure"
"""The line of the score sheet."""
DEAD = "dead"
HP, ITEMS = "more HP", "fewer items"
"""What the winner of equal treasure won by."""
Rank = tuple[int, int, int]
"""What is compared: treasure, HP, and the number of items, which is negative: few are better."""


def standing(state: State) -> tuple[Score, ...]:
    """Return the score if the game ended now and all in the caves got out with what they hold."""
    ranks = sorted((_rank(player) for player in state.players if player.state != "dead"), reverse=True)
    by = _decided_by(ranks)

    def line(seat: int, player: Player) -> Score:
        if player.state == "dead":
            return _dead(seat)
        winner = _rank(player) == ranks[0]
        return _line(seat, player, winner=winner, by=by if winner else "")

    return tuple(line(seat, player) for seat, player in enumerate(state.players))


def _decided_by(ranks: Sequence[Rank]) -> str:
    """Return what the first of these won by, if another one has as much treasure and does not win, too."""
    if len(ranks) < 2 or ranks[0][0] != ranks[1][0] or ranks[0] == ranks[1]:
        return ""
    return HP if ranks[0][1] != ranks[1][1] else ITEMS


def standing_for(state: State, viewer: int | None) -> tuple[Score, ...]:
    """Return the score as a seat or a watcher may know it: before the end only its own total (rule 6.3)."""
    if state.phase == "over":
        return standing(state)
    return tuple(_seen(seat, player, seat == viewer) for seat, player in enumerate(state.players))


def _seen(seat: int, player: Player, own: bool) -> Score:
    if player.state == "dead":
        return _dead(seat)
    return _line(seat, player, winner=False) if own else Score(seat, None, {}, {}, winner=False)


def _line(seat: int, player: Player, *, winner: bool, by: str = "") -> Score:
    total = treasure(player)
    return Score(seat, total, {CATEGORY: total}, {}, winner, by=by)


def _dead(seat: int) -> Score:
    return Score(seat, 0, {CATEGORY: 0}, {}, winner=False, note=DEAD)


def treasure(player: Player) -> int:
    """Return the value of all treasures held; those of unknown value count nothing."""
    return sum(filter(None, player.treasures))


def _rank(player: Player) -> Rank:
    """Return the order of winners: treasure, then HP, then few items."""
    return treasure(player), player.hp, -len(player.items)
