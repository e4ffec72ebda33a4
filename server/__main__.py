"""``python -m server``, or this file's path: run a host."""

import sys
from pathlib import Path

if not __package__:
    # Started by path, as a local game does: the packages lie beside this one's folder.
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

if __name__ == "__main__":
    from server.main import main

    sys.exit(main())
