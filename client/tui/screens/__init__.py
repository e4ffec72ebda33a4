"""One module a screen, its styles beside it; imported when the screen is opened."""
