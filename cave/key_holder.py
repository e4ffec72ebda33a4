"""Values that hold secret keys, and show none: neither a log nor a traceback tells what is in them."""

from __future__ import annotations

from typing import Any

from msgspec import Struct


class KeyHolder(Struct, frozen=True):
    """A value that is shown as its type alone."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}(...)"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        """Show no field in the screens' tracebacks."""
        return []
