"""The toy game as one that is installed beside the program: see ``cave/games.py``."""
