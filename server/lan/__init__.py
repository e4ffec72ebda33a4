"""Announcing a host in the local network."""
