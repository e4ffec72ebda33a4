"""Errors as one sentence for a person."""

from __future__ import annotations

from cave.wire import harmless

NO_LINK = "The link to the host is lost: you cannot play until it is back."
UNKNOWN = "Something went wrong; please try again."


def trouble(error: Exception) -> str:
    """The sentence of an error that has one; of the system's errors, what and where. What is told of a
    stranger's file or of its name is no order to the terminal.
    """
    if isinstance(error, OSError) and error.strerror:
        return harmless(f"{error.strerror}: {error.filename}." if error.filename else f"{error.strerror}.")
    return harmless(str(error)) or UNKNOWN
