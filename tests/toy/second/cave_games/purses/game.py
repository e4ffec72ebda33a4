"""What the list of games asks for: the rules, as ``GAME``."""

from tests.toy.purses import PURSES as GAME

__all__ = ["GAME"]
