"""From a game's values to plain data for widgets; independent of the terminal."""
