"""A seat held by one terminal is taken for all others, until that terminal ends."""

from __future__ import annotations

from pathlib import Path

import pytest

from client.launch.held_seats import SEATS, LiveSeats


def files(home: Path) -> int:
    return len(list((home / SEATS).iterdir()))


def test_a_seat_is_held_by_one_terminal(tmp_path: Path) -> None:
    one, other = LiveSeats(tmp_path), LiveSeats(tmp_path)
    assert one.hold_seat_too("key")
    assert one.hold_seat_too("key"), "once more by the same"
    assert not other.hold_seat_too("key")
    assert other.is_held_elsewhere("key")
    assert not one.is_held_elsewhere("key"), "one's own is not elsewhere"
    assert not other.is_held_elsewhere("another key")


def test_exactly_the_last_requested_seats_are_held(tmp_path: Path) -> None:
    one, other = LiveSeats(tmp_path), LiveSeats(tmp_path)
    one.hold(["a", "b"])
    one.hold(["b", "c"])
    assert [other.is_held_elsewhere(key) for key in "abc"] == [False, True, True]
    assert files(tmp_path) == 2
    one.hold(())
    assert [other.is_held_elsewhere(key) for key in "abc"] == [False] * 3
    assert files(tmp_path) == 0
    assert other.hold_seat_too("b"), "it is free again"


def test_a_seat_of_another_terminal_is_not_taken(tmp_path: Path) -> None:
    one, other = LiveSeats(tmp_path), LiveSeats(tmp_path)
    assert one.hold(["a"])
    assert not other.hold(["a", "b"])
    assert other.is_held_elsewhere("a")
    assert one.is_held_elsewhere("b")
    one.hold(())
    other.hold(["a", "b"])
    assert not other.is_held_elsewhere("a")
    assert one.is_held_elsewhere("a")


def test_files_of_terminals_that_were_killed_are_removed(tmp_path: Path) -> None:
    live = LiveSeats(tmp_path)
    live.hold_seat_too("lives")
    left = [tmp_path / SEATS / name for name in ("0123", "4567")]
    for file in left:
        file.touch()
    other = LiveSeats(tmp_path)
    other.hold_seat_too("key")
    assert not any(file.exists() for file in left)
    assert other.is_held_elsewhere("lives"), "and nobody else's"


def test_no_file_name_contains_a_key(tmp_path: Path) -> None:
    LiveSeats(tmp_path).hold_seat_too("secret")
    held = LiveSeats(tmp_path)
    held.hold_seat_too("another secret")
    assert not any("secret" in file.name for file in (tmp_path / SEATS).iterdir())
    assert (tmp_path / SEATS).stat().st_mode & 0o077 == 0, "and only its user looks there"


@pytest.mark.parametrize("folder", [True, False])
def test_an_unwritable_folder_does_not_block(tmp_path: Path, *, folder: bool) -> None:
    (tmp_path / SEATS).write_text("in the way")
    live = LiveSeats(tmp_path if folder else None)
    live.hold(["key"])
    assert live.hold_seat_too("key")
    assert not live.is_held_elsewhere("key")


def test_an_open_file_is_removed_when_it_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Windows."""
    one, other = LiveSeats(tmp_path), LiveSeats(tmp_path)
    one.hold_seat_too("key")
    unlink, refused = Path.unlink, list[Path]()

    def remove(file: Path, missing_ok: bool = False) -> None:
        if not refused:
            refused.append(file)
            raise PermissionError
        unlink(file, missing_ok)

    monkeypatch.setattr(Path, "unlink", remove)
    one.hold(())
    assert (len(refused), files(tmp_path)) == (1, 0)
    assert other.hold_seat_too("key")
