"""All that is said of the game: log lines, help, results, and the line mode."""
