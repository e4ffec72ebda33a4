"""Textual's colours do not depend on the terminal in which the tests run; import this before textual.

With few colours the cave is drawn in signs. Tests of the lit map ask for more (``lit``).
"""

from __future__ import annotations

import os

_before = os.environ.get("TEXTUAL_COLOR_SYSTEM")
os.environ["TEXTUAL_COLOR_SYSTEM"] = "standard"

import textual.constants  # noqa: E402, F401 - reads the environment

if _before is None:
    del os.environ["TEXTUAL_COLOR_SYSTEM"]
else:
    os.environ["TEXTUAL_COLOR_SYSTEM"] = _before
