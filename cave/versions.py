"""The versions of the formats that this program reads and writes: oldest and newest. It writes the newest."""

PROTOCOL = (1, 1)
RECORD = (1, 1)
JOURNAL = (1, 6)
"""Version 1 had no ``resumed`` and no ``story`` entries; version 2 also had an unused column;
version 3 had no ``retraced``, ``shelved`` and ``reopened`` entries; version 4 had no ``rematch``
entries; version 5 had no ``folded`` entries and sometimes no table for snapshots.
"""
