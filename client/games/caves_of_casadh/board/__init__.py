"""The map: hexes with passages that run over and under each other."""
