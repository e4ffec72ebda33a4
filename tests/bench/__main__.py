"""Runs all benchmarks one after the other, on an otherwise idle machine.

Run: ``python -m tests.bench`` (or ``make bench``). Long ones run separately: ``python -m tests.bench soak
[--minutes 10]``, ``python -m tests.bench attacks [NAME ...] [--mix MINUTES]``, ``python -m tests.bench kills
[--count 500]``, ``python -m tests.bench client-memory [--games 10] [--keys 510]``, ``python -m tests.bench
ladder GAME A B [--games 100]``, ``python -m tests.bench cave-value [--games 400]``, ``python -m tests.bench
fit GAME [--games 300] [--write]``, ``python -m tests.bench advised GAME [--moments 200]``, ``python -m
tests.bench ending [--games 12]``, ``python -m tests.bench casadh-taste [--games 4000]``, ``python -m
tests.bench ocelot-weights [--games 3000]``, ``python -m tests.bench components GAME [--games 10000] [--seats
2 3]``.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys

BENCHES = {
    "Rules core": "playout_bench",
    "Rules core of Sir Ocelot's Cave": "ocelot_bench",
    "Rules core of The Caves of Casadh": "casadh_bench",
    "Rules core of Cave vs Cave": "versus_bench",
    "Start": "start_bench",
    "At rest": "rest_bench",
    "Map": "map_bench",
    "Board of Sir Ocelot's Cave": "board_bench",
    "Map of The Caves of Casadh": "hex_bench",
    "Host": "host_bench",
    "Reconnecting": "reconnect_bench",
}

ALONE = {
    "soak": "soak",
    "attacks": "attacked",
    "kills": "kills",
    "client-memory": "client_memory_bench",
    "ladder": "ladder",
    "cave-value": "cave_value",
    "fit": "fit",
    "advised": "advised",
    "ending": "ending",
    "casadh-taste": "casadh_taste",
    "ocelot-weights": "ocelot_weights",
    "components": "components",
}


def main() -> int:
    """Run each benchmark in a fresh process; return the number of failures."""
    if sys.argv[1:2] and sys.argv[1] in ALONE:
        argv = [sys.executable, "-m", f"tests.bench.{ALONE[sys.argv[1]]}", *sys.argv[2:]]
        return subprocess.run(argv, check=False).returncode
    if sys.argv[1:]:
        print(__doc__)
        return sys.argv[1:] != ["--help"]
    load = os.getloadavg()[0]
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, load {load:.2f}")
    failed = 0
    for title, module in BENCHES.items():
        print(f"\n== {title} ==", flush=True)
        done = subprocess.run([sys.executable, "-m", f"tests.bench.{module}"], check=False)
        failed += done.returncode != 0
    return failed


if __name__ == "__main__":
    sys.exit(main())
