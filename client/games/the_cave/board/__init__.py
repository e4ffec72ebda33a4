"""The board: the map of the cave in signs or lit, the small view of all of it, and their pane."""
