"""Sizes of the window that forms need."""

LEAST = (60, 15)
"""The columns and rows from which a table and its forms can be played."""
LARGE = (140, 45)
"""Columns and rows from which pockets are drawn larger."""
