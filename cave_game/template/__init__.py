"""Lanterns: its rules and its face."""
