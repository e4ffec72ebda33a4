"""The limits of a host as its help lists them: what each usually is, and what it counts.

They are the server's, which is not loaded to show a help; a test compares the two.
"""

from __future__ import annotations

LIMITS = (
    ("rate=20", "messages a second of a client"),
    ("burst=60", "messages of a client at once"),
    ("message=64", "KiB of a message"),
    ("flow=1024", "KiB a second of a connection"),
    ("ban=30", "seconds that a client who goes on is kept out"),
    ("silence=10", "seconds of silence after which a client is tried"),
    ("links=512", "clients at a time"),
    ("links-each=64", "connections of an address to a port"),
    ("tables=64", "tables at a time"),
    ("tables-each=16", "tables that a client opens"),
    ("seats-each=32", "seats that a client holds"),
    ("tables-address=8", "open tables from an address"),
    ("seats-address=40", "seats held from an address"),
    ("bots-address=16", "bots at the tables of an address"),
    ("memory=512", "MiB of memory"),
    ("replies-each=64", "KiB of replies kept for a client"),
    ("replies-address=1024", "KiB of replies kept for an address"),
    ("replies=8192", "KiB of replies kept in all"),
)


def help_rows() -> list[tuple[str, str]]:
    """The limits, one a line."""
    return list(LIMITS)
