"""The installed program: its folders are inside this package, and are found there before all others.

Site-packages may have a ``client`` or a ``server`` of another project; importing this package makes ours
win. In a checkout the folders are beside it.
"""

from __future__ import annotations

import sys

sys.path.insert(0, __path__[0])


def main() -> None:
    """Run the command ``cave``."""
    from client.start import main as start

    start()
