"""The face, which the client imports as ``FACE``."""

from cave_game.template.face import FACE

__all__ = ["FACE"]
