"""The size of samples: moderate with ``make test``, far larger with ``make test-thorough``."""

from __future__ import annotations

import os

THOROUGH = bool(os.environ.get("CAVE_THOROUGH"))


def effort(usual: int, thorough: int) -> int:
    """Return the number of examples of a test, or the interval between checked states of a game."""
    return thorough if THOROUGH else usual
