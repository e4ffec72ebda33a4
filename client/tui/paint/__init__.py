"""The painter: pure functions from plain data to cells of a terminal. It knows no game and no screen."""
