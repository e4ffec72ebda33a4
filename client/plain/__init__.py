"""The whole game in line mode, for screen readers, pipes and dumb terminals: no screen, lines only."""
