"""The Cave's screen, its forms and its panes."""
