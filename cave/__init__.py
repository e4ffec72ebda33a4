"""The rules core: every game as pure functions over immutable values.

Nothing in this package touches a clock, a file that is not its own data, a socket, a terminal or a
global random generator, and nothing in it imports ``server`` or ``client``. Only ``files`` does touch
files, and only ``server`` and ``client`` use it.
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
