"""The panes of The Cave's screen."""
