"""The host's background tasks continue after an error, which is logged once."""

from __future__ import annotations

import asyncio
import logging

import pytest

from server.logs import LogCounts, LoggedMistakes


@pytest.mark.logs_errors
async def test_a_background_task_survives_errors(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("server.logs.PAUSE", 0)
    counts, done, calls = LogCounts(), asyncio.Event(), iter(range(9))

    async def work() -> None:
        number = next(calls)
        if number < 4:
            raise KeyError(number)
        if number == 4:
            raise ZeroDivisionError
        done.set()
        await asyncio.Event().wait()

    task = asyncio.create_task(LoggedMistakes(counts).run_logging_errors(work))
    await done.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    errors = [record.message for record in caplog.records if record.levelno == logging.ERROR]
    assert [("KeyError" in line, "ZeroDivisionError" in line) for line in errors] == [(True, False), (False, True)]
    assert counts["mistakes"] == 5


@pytest.mark.logs_errors
def test_an_error_in_one_event_is_survived(caplog: pytest.LogCaptureFixture):
    mistakes = LoggedMistakes(LogCounts())
    for _ in range(3):
        with mistakes.log_errors():
            raise LookupError("what somebody said")
    assert len(caplog.records) == 1
    assert "what somebody said" not in caplog.text
