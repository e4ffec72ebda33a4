"""Basalt: its rules, and what it looks like."""
