"""From values of a game to plain data for widgets; nothing here knows a terminal."""
