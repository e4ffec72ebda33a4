"""The installed program: its packages are inside this one, first on the import path.

Site-packages may have a ``client`` or a ``server`` of another project; importing this package gives ours
precedence. In a checkout they are beside it.
"""

from __future__ import annotations

import sys

sys.path.insert(0, __path__[0])


def main() -> None:
    """Run the command ``cave``."""
    from client.start import main as start

    start()
