"""What the list of games asks for: the rules, as ``GAME``."""

from cave.sir_ocelots_cave.game import SIR_OCELOTS_CAVE as GAME

__all__ = ["GAME"]
