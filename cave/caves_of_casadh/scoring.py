"""Points and winners (rule 9.4)."""

from __future__ import annotations

from cave.caves_of_casadh.state import Player, State
from cave.score import Score

CATEGORY = "treasure"
"""The line of the score sheet."""
DEAD = "dead"


def standing(state: State) -> tuple[Score, ...]:
    """Return the score if the game ended now and all in the caves got out with what they hold."""
    ranks = [_rank(player) for player in state.players if player.state != "dead"]
    best = max(ranks, default=None)
    return tuple(
        _dead(seat) if player.state == "dead" else _line(seat, player, winner=_rank(player) == best)
        for seat, player in enumerate(state.players)
    )


def standing_for(state: State, viewer: int | None) -> tuple[Score, ...]:
    """Return the score as a seat or a watcher may know it: before the end only its own total (rule 6.3)."""
    if state.phase == "over":
        return standing(state)
    return tuple(_seen(seat, player, seat == viewer) for seat, player in enumerate(state.players))


def _seen(seat: int, player: Player, own: bool) -> Score:
    if player.state == "dead":
        return _dead(seat)
    return _line(seat, player, winner=False) if own else Score(seat, None, {}, {}, winner=False)


def _line(seat: int, player: Player, *, winner: bool) -> Score:
    total = treasure(player)
    return Score(seat, total, {CATEGORY: total}, {}, winner)


def _dead(seat: int) -> Score:
    return Score(seat, 0, {CATEGORY: 0}, {}, winner=False, note=DEAD)


def treasure(player: Player) -> int:
    """Return the value of all treasures held; those of unknown value count nothing."""
    return sum(filter(None, player.treasures))


def _rank(player: Player) -> tuple[int, int, int]:
    """Return the order of winners: treasure, then HP, then few items."""
    return treasure(player), player.hp, -len(player.items)
