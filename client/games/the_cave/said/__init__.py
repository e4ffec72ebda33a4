"""Texts: events, help, tips and settings in words, and the line mode."""
