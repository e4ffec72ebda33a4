"""The connection to a host, and its messages."""
