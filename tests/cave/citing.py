"""Messages of refusals end with the number of a rule that there is."""

from __future__ import annotations

import re
from typing import Any

from cave.game import AnyGame
from client.present import rulebook

RULE = re.compile(r" \(rule ([\d.]+)\)\.$")


def check_cites(game: AnyGame, message: str) -> None:
    """The message ends with the number of a rule of the game."""
    cited = RULE.search(message)
    assert cited is not None, f"no rule is named: {message}"
    assert rulebook.part(game, cited[1]), f"there is no such rule: {message}"


def check_reasons_cite(game: AnyGame, state: Any) -> None:
    """So does every reason why something is not possible now."""
    for seat in game.to_act(state):
        for why in game.why_not(state, seat):
            check_cites(game, why.message)
