"""The words for a game of Cave vs Cave: log, help, guide, result, settings, line mode."""
