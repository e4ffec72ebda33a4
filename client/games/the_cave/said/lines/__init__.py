"""The Cave in line mode."""
