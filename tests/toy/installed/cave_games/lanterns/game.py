"""The rules, which the list of games imports as ``GAME``."""

from cave_game.template.game import GAME

__all__ = ["GAME"]
