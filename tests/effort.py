"""How much is tried: a good sample with ``make test``, far more with ``make test-thorough``."""

from __future__ import annotations

import os

THOROUGH = bool(os.environ.get("CAVE_THOROUGH"))


def effort(usual: int, thorough: int) -> int:
    """How many examples a test looks at, or every which state of a game."""
    return thorough if THOROUGH else usual
