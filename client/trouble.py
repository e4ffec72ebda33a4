"""Errors as one sentence for a person."""

from __future__ import annotations

import re

from cave.data import BadData
from cave.wire import harmless

NO_LINK = "The link to the host is lost: you cannot play until it is back."
UNKNOWN = "Something went wrong; please try again."
FOREIGN = "It is not a record of a game."
DAMAGED = "The record is damaged there."
NEWER = "another version of the program wrote this file. Update the program to read it"


def trouble(error: Exception) -> str:
    """Return the sentence of an error that has one; of the system's errors, what and where. What is told of a
    stranger's file or of its name is no order to the terminal.
    """
    if isinstance(error, OSError) and error.strerror:
        return harmless(f"{error.strerror}: {error.filename}." if error.filename else f"{error.strerror}.")
    return harmless(str(error)) or UNKNOWN


def in_file(error: BadData) -> str:
    """Return what is wrong with a file, as a sentence to stand after its name; the field comes first, as in
    what other programs read.

    >>> in_file(BadData("line 1: format", "is missing"))
    'line 1: format: is missing. It is not a record of a game.'
    """
    told = str(error).removesuffix(".")
    if re.search(r"\bversion$", error.field) and re.fullmatch(r"must be \d+", error.problem):
        return f"{told}: {NEWER}."
    if error.field in ("line 1", "line 1: format"):
        return f"{told}. {FOREIGN}"
    return f"{told}. {DAMAGED}" if re.fullmatch(r"line \d+", error.field) else f"{told}."
