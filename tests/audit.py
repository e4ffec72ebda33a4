"""Checks the packages of lock files for known vulnerabilities ("make audit").

Run it with ``python -m tests.audit [--if-possible] LOCK ...``. If a lookup fails, so does the audit; with
``--if-possible`` it reports that and continues. A known vulnerability is always a failure.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import attrs

TOOL = Path(sys.executable).with_name("pip-audit")


@attrs.define
class Findings:
    """Results for the packages of a lock file."""

    checked: int = 0
    vulnerable: list[str] = attrs.field(factory=list)
    unknown: list[str] = attrs.field(factory=list)

    @classmethod
    def read(cls, told: str) -> Findings:
        """Parse the tool's JSON report; without one nothing was looked up."""
        found = cls()
        try:
            packages: list[dict[str, Any]] = json.loads(told)["dependencies"]
        except ValueError:
            return found
        for package in packages:
            if "skip_reason" in package:
                found.unknown.append(package["name"])
                continue
            found.checked += 1
            for each in package["vulns"]:
                fixed = " or ".join(each["fix_versions"]) or "no version yet"
                found.vulnerable.append(f"{package['name']} {package['version']}: {each['id']}, fixed in {fixed}")
        return found

    @property
    def complete(self) -> bool:
        """Whether every package was looked up."""
        return bool(self.checked) and not self.unknown

    def __str__(self) -> str:
        if not self.checked:
            return "nothing was checked, as the public list of known vulnerabilities cannot be reached"
        told = f"{self.checked} packages were checked, {len(self.vulnerable)} vulnerabilities are known"
        return f"{told}; {', '.join(self.unknown)} could not be checked" if self.unknown else told


def audit(lock: str) -> Findings:
    """Look up all packages of a lock file."""
    argv = [str(TOOL), "--disable-pip", "--progress-spinner", "off", "--format", "json", "-r", lock]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    return Findings.read(done.stdout)


def main(locks: list[str], *, if_possible: bool) -> bool:
    """Print the findings; return whether there are none."""
    well = True
    for lock in locks:
        found = audit(lock)
        print("\n".join([f"{lock}: {found}", *found.vulnerable]))
        well &= not found.vulnerable and (found.complete or if_possible)
    return well


if __name__ == "__main__":
    parser = argparse.ArgumentParser("audit")
    parser.add_argument("locks", nargs="+", metavar="LOCK")
    parser.add_argument("--if-possible", action="store_true", help="what cannot be looked up is no failure")
    given = parser.parse_args()
    sys.exit(not main(given.locks, if_possible=given.if_possible))
