"""How long the leader of The Cave waits for the end: rounds after a lead of 30 points.

Run: ``python -m tests.bench ending [--games 12]``. A guide plays a frozen rookie until it leads by 30 points.
Then it goes home and passes every turn; its rival is the frozen rookie, a guide, or a guide whose offer to
resign is accepted.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from itertools import count, islice
from statistics import median

from cave import bots
from cave.the_cave import guide
from cave.the_cave.actions import Action, EndTurn
from cave.the_cave.game import THE_CAVE
from cave.the_cave.state import BASE, State
from tests.bench.ladder import chooser

LEAD = 30
MOST_ACTIONS = 3000
LEADER, RIVAL = 0, 1

Rival = Callable[[State, str], Action]


def at_level(level: str) -> Rival:
    choose = chooser(THE_CAVE.name, level)

    def play(state: State, seed: str) -> Action:
        view = THE_CAVE.view_json(THE_CAVE.view(state, RIVAL))
        choices = [THE_CAVE.choice_json(choice) for choice in THE_CAVE.choices(state, RIVAL)]
        return THE_CAVE.decode(state, RIVAL, choose(view, choices, seed))

    return play


def positions(size: int) -> list[State]:
    """Return positions with such a lead as the rival begins a turn, before the last tile."""
    games = (position(number) for number in count())
    return list(islice((state for state in games if state is not None), size))


def position(number: int) -> State | None:
    """The first such position of a game, or None."""
    rookie = at_level("frozen-rookie")
    state = THE_CAVE.new(2, {}, f"ending {number}")
    step = 0
    while seats := THE_CAVE.to_act(state):
        seat, seed = min(seats), f"{number}/{step}"
        if seat == RIVAL:
            action = rookie(state, seed)
        else:
            action = THE_CAVE.decode(state, seat, bots.decide(THE_CAVE, state, seat, "guide", seed))
        before, state, step = state, THE_CAVE.apply(state, seat, action).state, step + 1
        ahead, behind = (line.total or 0 for line in THE_CAVE.standing(state))
        passed = (before.seat, state.seat) == (LEADER, RIVAL)
        if state.turns_left is None and ahead - behind >= LEAD and passed:
            return state
    return None


def rounds(state: State, rival: Rival, *, resigns: bool) -> int:
    """Return the rounds until the game ends, or the rival resigns."""
    passed = 0
    for step in range(MOST_ACTIONS):
        seats = THE_CAVE.to_act(state)
        if not seats:
            break
        seat = min(seats)
        before, state = state, THE_CAVE.apply(state, seat, _action(state, seat, rival, f"{step}")).state
        if before.seat == RIVAL != state.seat:
            passed += 1
            view = THE_CAVE.view_json(THE_CAVE.view(state, RIVAL))
            behind = bots.is_far_behind(THE_CAVE, view, RIVAL)
            if resigns and behind and bots.is_lost(THE_CAVE.name, view, f"{step}"):
                break
    return passed


def _action(state: State, seat: int, rival: Rival, seed: str) -> Action:
    if seat == RIVAL:
        return rival(state, seed)
    if state.phase == "actions" and state.teams[seat].at == BASE:
        return EndTurn()
    if state.phase == "actions":
        return guide.way_home_actions(state, seat)[0]
    return guide.team_options(state, seat)[0].actions[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=12)
    found = positions(parser.parse_args().games)
    ways = [("frozen-rookie", False), ("guide", False), ("guide", True)]
    for level, resigns in ways:
        lengths = [rounds(state, at_level(level), resigns=resigns) for state in found]
        words = f"{level}{', who may resign' if resigns else ''}"
        print(f"{words}: median {median(lengths):g} rounds; {sorted(lengths)}", flush=True)


if __name__ == "__main__":
    main()
