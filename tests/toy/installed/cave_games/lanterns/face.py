"""What the client asks for: the face, as ``FACE``."""

from tests.toy.face import FACE

__all__ = ["FACE"]
