"""The connection to a host, and what comes over it."""
