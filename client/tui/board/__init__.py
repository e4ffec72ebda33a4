"""Boards that scroll and zoom, with a cursor and jump labels, for places of any shape."""
