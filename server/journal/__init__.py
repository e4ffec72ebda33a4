"""The journal: saves a host's tables and restores them."""
