"""The rules core: every game as pure functions over immutable values.

The rules use no clock, socket, terminal or global random generator, read only their own data files, and do
not import ``server`` or ``client``. ``files``, ``processes`` and ``tcp`` are for those two.
"""

__version__ = "0.2.0"

# The versions of the formats that this program reads and writes: oldest and newest. It writes the newest.
PROTOCOL_VERSIONS = (1, 1)
RECORD_VERSIONS = (1, 1)
JOURNAL_VERSIONS = (1, 6)
"""Version 1 had no ``resumed`` and no ``story`` entries; version 2 also had an unused column;
version 3 had no ``retraced``, ``shelved`` and ``reopened`` entries; version 4 had no ``rematch``
entries; version 5 had no ``folded`` entries and sometimes no table for snapshots.
"""
