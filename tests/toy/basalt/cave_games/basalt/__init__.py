"""Basalt: its rules and its face."""
