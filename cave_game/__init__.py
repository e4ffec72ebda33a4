"""The installed program: its folders lie inside this package, and are found there before all others.

In site-packages there may be a ``client`` or a ``server`` of somebody else. Whoever imports this package can
import ours. In a checkout the folders lie beside it.
"""

from __future__ import annotations

import sys

sys.path.insert(0, __path__[0])


def main() -> None:
    """Run the command ``cave``."""
    from client.start import main as start

    start()
