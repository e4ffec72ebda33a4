"""The teams side by side: points as if the game ended now, consumables, depth; the race for majorities."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from cave.the_cave.routes import Route, way_home
from cave.the_cave.scoring import BONUS_CATEGORIES, counts
from cave.the_cave.state import State
from client.games.the_cave.known import terms
from client.games.the_cave.known.supplies import Countdown, supplies
from client.table import TableState


class TeamRow(msgspec.Struct, frozen=True):
    """A team: ``points`` without and ``bonus`` with majorities; ``consumables`` None while it is hidden.

    ``home`` is the number of turns to the base after the running one, ``now`` when it can be
    reached in it, ``-`` when there is no way, and nothing for a team that is there.
    """

    seat: int
    letter: str
    name: str
    turn: bool
    mine: bool
    kind: Literal["person", "bot", "open"]
    present: bool
    points: int
    bonus: int
    consumables: int | None
    hungry: bool
    depth: str
    home: str
    leads: bool
    countdown: Countdown | None = None
    """Once the end has been triggered: whether it can be home in time."""


class TokenRow(msgspec.Struct, frozen=True):
    """A category: for each team the number of tokens and the bonus it would bring."""

    name: str
    cells: tuple[tuple[int, int], ...]


def rows(state: TableState, view: Any) -> tuple[TeamRow, ...]:
    """Return the teams in the order of the seats."""
    cave: State = view.cave
    found = []
    for seat, (team, sheet) in enumerate(zip(cave.teams, view.standing, strict=True)):
        at_table = state.seats[seat] if seat < len(state.seats) else None
        consumables = None if seat in view.hidden else team.backpack.consumable
        tile = cave.board[team.at]
        home = None if cave.phase in ("packing", "over") else way_home(cave, seat)
        supply = supplies(cave, seat, home)
        found.append(
            TeamRow(
                seat=seat,
                letter=terms.letter(seat),
                name=view.names[seat],
                turn=cave.seat == seat and cave.phase != "packing",
                mine=at_table is not None and at_table.mine,
                kind="person" if at_table is None else at_table.kind,
                present=at_table is None or at_table.present,
                points=sum(sheet.points.values()),
                bonus=sum(sheet.bonus.values()),
                consumables=consumables,
                hungry=not supply.at_base and consumables is not None and consumables < max(1, supply.eats),
                depth=terms.depth(tile.depth),
                home="" if supply.at_base else _turns(home),
                leads=sheet.winner,
                countdown=supply.countdown,
            )
        )
    return tuple(found)


def _turns(home: Route | None) -> str:
    if home is None:
        return "-"
    return str(home.turns) if home.turns else "now"


def tokens(view: Any) -> tuple[TokenRow, ...]:
    """Return tokens and bonuses (rule 7.4) by category, and last the deepest depth token of each team."""
    teams = view.cave.teams
    by_team = [counts(team.tokens) for team in teams]
    found = [
        TokenRow(
            name,
            tuple(
                (amounts[name], sheet.bonus.get(name, 0))
                for amounts, sheet in zip(by_team, view.standing, strict=True)
            ),
        )
        for name in BONUS_CATEGORIES
    ]
    deepest = tuple((max(team.tokens.depth, default=0), 0) for team in teams)
    return (*found, TokenRow("depth", deepest))
