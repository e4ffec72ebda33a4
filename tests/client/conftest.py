"""Fixtures of the client's tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from client.settings import folders


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which games, keys and seats are kept, for this test alone."""
    folder = tmp_path / "data"
    monkeypatch.setattr(folders, "data_folder", lambda: folder)
    return folder
