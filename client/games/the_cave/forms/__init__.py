"""The forms and sheets that cover the board: packing, exchanging, discarding, the alarm."""
