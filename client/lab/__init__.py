"""The laboratory: series of bot games, and the analysis of games. No table, no host, no screen."""
