"""What the list of games asks for: the rules, as ``GAME``."""

from cave_game.template.game import GAME

__all__ = ["GAME"]
