"""The screen of a table and its panes."""
