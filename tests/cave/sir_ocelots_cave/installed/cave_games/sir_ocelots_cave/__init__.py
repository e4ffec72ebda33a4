"""Sir Ocelot's Cave as a game that is installed beside the program: see ``cave/games.py``."""
