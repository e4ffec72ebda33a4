"""What the list of games asks for: the rules, as ``GAME``."""

from tests.toy.game import LANTERNS as GAME

__all__ = ["GAME"]
