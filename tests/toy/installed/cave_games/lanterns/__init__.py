"""The toy game as an installed one: see ``cave/games.py``."""
