"""The faces of the games: what is shown of each, and how it is played."""
