"""``python -m server``, or this file's path: run a host."""

import gc
import sys
from pathlib import Path

if not __package__:
    # A local game starts this file by its path, so add the packages to the import path.
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

if __name__ == "__main__":
    # Modules stay loaded and people wait, so enable the garbage collector later.
    gc.disable()
    from server.main import main

    sys.exit(main())
