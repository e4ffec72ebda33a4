"""The map of The Cave as lit rock: its palettes, what light falls where, and the words on it."""
