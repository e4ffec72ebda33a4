"""The forms that cover the board: packing, exchanging, discarding."""
