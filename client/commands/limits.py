"""The limits of a host as its help lists them: what each usually is, and what it counts.

They are the server's, which is not loaded to show a help; a test compares the two.
"""

from __future__ import annotations

LIMITS = (
    ("rate=20", "messages a second from a client"),
    ("burst=60", "messages in a burst from a client"),
    ("message=64", "KiB in a message"),
    ("flow=1024", "KiB a second on a connection"),
    ("ban=30", "seconds a client that exceeds them is kept out"),
    ("silence=10", "seconds of silence before a client is checked"),
    ("links=512", "clients at once"),
    ("links-each=64", "connections from an address to a port"),
    ("tables=64", "tables at once"),
    ("tables-each=16", "tables opened by a client"),
    ("seats-each=32", "seats held by a client"),
    ("tables-address=8", "open tables from an address"),
    ("seats-address=40", "seats held from an address"),
    ("bots-address=16", "bots at the tables of an address"),
    ("memory=512", "MiB of memory"),
    ("replies-each=64", "KiB of replies kept for a client"),
    ("replies-address=1024", "KiB of replies kept for an address"),
    ("replies=8192", "KiB of replies kept in all"),
    ("expire=24", "hours until a game that nobody plays is saved and closed; 0: never"),
    ("shelved=256", "games kept that were saved and closed in this way"),
    ("shelved-address=32", "of these games, those opened from an address"),
    ("actions=5000", "actions until a game is ended without a result"),
    ("records=256", "MiB of records of guests' games"),
    ("records-address=16", "MiB of records of games opened from an address"),
)


def help_rows() -> list[tuple[str, str]]:
    """Return the limits, one a line."""
    return list(LIMITS)
