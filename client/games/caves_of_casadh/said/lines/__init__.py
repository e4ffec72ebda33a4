"""The line mode."""
