"""What the shown seat knows of a game of Cave vs Cave: plain data for screens and lines."""
