"""``python -m server``, or this file's path: run a host."""

import gc
import sys
from pathlib import Path

if not __package__:
    # Started by path, as a local game does: the packages lie beside this one's folder.
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

if __name__ == "__main__":
    # What is loaded from here on stays: nothing for the collector to find, and people wait.
    gc.disable()
    from server.main import main

    sys.exit(main())
