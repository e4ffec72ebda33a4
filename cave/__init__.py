"""The rules core: every game as pure functions over immutable values.

Nothing in this package touches a clock, a file that is not its own data, a socket, a terminal or a
global random generator, and nothing in it imports ``server`` or ``client``. Only ``files`` does touch
files, and only ``server`` and ``client`` use it.
"""

__version__ = "0.2.0"
