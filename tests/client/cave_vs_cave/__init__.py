"""The client of Cave vs Cave."""
