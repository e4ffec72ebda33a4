"""What the client asks for: the face, as ``FACE``."""

from tests.toy.test_purses import FACE

__all__ = ["FACE"]
