"""What the client asks for: the face, as ``FACE``."""

from cave_game.template.face import FACE

__all__ = ["FACE"]
