"""The screen of Cave vs Cave."""
