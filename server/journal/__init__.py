"""The journal: what a host saves, and how it restores its tables."""
