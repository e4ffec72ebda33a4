"""The host's log never holds up a game (issue: a host that can be trusted, operations)."""

from __future__ import annotations

import fcntl
import logging
import os

from server.logs import ROOM, Unhurried


def _record(text: str) -> logging.LogRecord:
    return logging.LogRecord("cave", logging.WARNING, "", 0, text, None, None)


def test_lines_are_written_in_order():
    ours, theirs = os.pipe()
    log = Unhurried(theirs)
    for number in range(100):
        log.emit(_record(f"line={number}"))
    log.finish()
    os.close(theirs)
    with os.fdopen(ours) as told:
        assert told.read().splitlines() == [f"line={number}" for number in range(100)]


def test_a_pipe_that_nobody_reads_stops_nobody():
    ours, theirs = os.pipe()
    fcntl.fcntl(theirs, fcntl.F_SETPIPE_SZ, 4096)
    log = Unhurried(theirs)
    for _ in range(3 * ROOM):
        log.emit(_record("x" * 1000))
    assert log.left_out > 0
    told = b""
    while b"lines_left_out=" not in told:
        told += os.read(ours, 65536)
    os.close(ours)
    log.finish()
    os.close(theirs)


def test_a_reader_that_went_away_stops_nobody():
    ours, theirs = os.pipe()
    os.close(ours)
    log = Unhurried(theirs)
    log.emit(_record("to nobody"))
    log.finish()
    os.close(theirs)
