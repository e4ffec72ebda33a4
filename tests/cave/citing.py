"""Refusals cite existing rules."""

from __future__ import annotations

import re
from random import Random
from typing import Any

from cave.game import AnyGame, Refused
from client.present import help_pages
from tests.cave import conformance as kit

RULE = re.compile(r" \(rules? ([\d., ]+)\)\.$")


def check_cites(game: AnyGame, message: str) -> None:
    """The message ends with the numbers of rules of the game."""
    cited = RULE.search(message)
    assert cited is not None, f"no rule is named: {message}"
    for number in cited[1].split(", "):
        assert help_pages.rule_lines(game, number), f"there is no such rule: {message}"


def check_reasons_cite(game: AnyGame, state: Any) -> None:
    """Each reason returned by ``why_not`` cites rules."""
    for seat in game.to_act(state):
        for why in game.why_not(state, seat):
            check_cites(game, why.message)


def check_refusals_cite(subject: kit.Subject, state: Any, rng: Random) -> None:
    """The refusals of random actions cite rules."""
    for seat, action in kit.attempts(subject, state, rng, 200):
        outcome = kit.attempt(subject.game, state, seat, kit.through_text(action))
        if isinstance(outcome, Refused):
            check_cites(subject.game, outcome.message)
