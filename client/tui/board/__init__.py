"""Boards that scroll and zoom, with a cursor and places to jump to, whatever the shape of their places."""
