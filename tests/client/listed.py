"""Lines of a host's list of tables."""

from __future__ import annotations

from cave import codec, protocol
from cave.game import Json


def table_line(told: Json) -> protocol.TableLine:
    """A line with these fields, and defaults for the rest."""
    seats = [{"present": True, **seat} for seat in told["seats"]]
    return codec.parse({"game": "", "settings": {}, **told, "seats": seats}, protocol.TableLine)
