"""Announces a host on the local network."""
