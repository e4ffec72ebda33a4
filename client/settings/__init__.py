"""A user's settings, and their file."""
