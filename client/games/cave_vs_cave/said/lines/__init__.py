"""The line mode of Cave vs Cave."""
