"""The audit of installed packages: a failed look-up does not count as success."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests import audit

GOOD = {"name": "attrs", "version": "26.1.0", "vulns": []}
WEAK = {"id": "PYSEC-1", "fix_versions": ["2.1"], "aliases": [], "description": ""}
BAD = {"name": "click", "version": "2.0", "vulns": [WEAK]}
UNKNOWN = {"name": "rich", "skip_reason": "Dependency not found"}


def report(*packages: dict[str, Any]) -> str:
    return json.dumps({"dependencies": packages, "fixes": []})


@pytest.mark.parametrize(
    ("told", "always", "if_possible", "words"),
    [
        (report(GOOD), True, True, "1 packages were checked, 0 vulnerabilities are known"),
        (report(GOOD, BAD), False, False, "click 2.0: PYSEC-1, fixed in 2.1"),
        (report(UNKNOWN, BAD), False, False, "click 2.0"),
        (report(GOOD, UNKNOWN), False, True, "; rich could not be checked"),
        (report(UNKNOWN, UNKNOWN), False, True, "nothing was checked"),
        ("", False, True, "nothing was checked"),
    ],
)
def test_a_failed_lookup_is_not_reported_as_safe(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    told: str,
    always: bool,
    if_possible: bool,
    words: str,
):
    tool = tmp_path / "pip-audit"
    tool.write_text(f"#!/bin/sh\ncat <<'END'\n{told}\nEND\nexit 1\n")
    tool.chmod(0o755)
    monkeypatch.setattr(audit, "TOOL", tool)
    assert audit.main(["some.lock"], if_possible=False) is always
    assert audit.main(["some.lock"], if_possible=True) is if_possible
    assert words in capsys.readouterr().out
