"""The laboratory: bots play many games, and a game is judged. No table, no host, no screen."""
