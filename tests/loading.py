"""Imports of a module: measured in forks of a fresh interpreter without our modules.

It has loaded the common third-party modules, so that a fork need not.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent
LOADED = """
import asyncio, gc, hashlib, ipaddress, os, pathlib, random, sys, tomllib, attrs, msgspec
gc.freeze()
gc.disable()
for module in sys.argv[1:]:
    if not os.fork():
        __import__(module)
        print(module, *sys.modules, flush=True)
        os._exit(0)
    if os.wait()[1]:
        sys.exit(f"{module} cannot be loaded first.")
"""


def loaded_with(modules: Sequence[str]) -> dict[str, set[str]]:
    """Return the names of all modules loaded by each of these modules, independently."""
    done = subprocess.run(
        [sys.executable, "-c", LOADED, *modules], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    found = (line.split() for line in done.stdout.splitlines())
    return {module: set(names) for module, *names in found}
