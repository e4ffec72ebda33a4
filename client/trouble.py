"""Errors as one sentence for a person."""

from __future__ import annotations

import re

from cave.data import BadData
from cave.wire import harmless

NO_LINK = "The link to the host is lost: you cannot play until it is back."
UNKNOWN = "Something went wrong; please try again."
NEWER = "{told}, so another version of the program wrote this file. Update the program to read it."
_PLACE = re.compile(r"(line \d+)(?:: (.*))?", re.DOTALL)
"""Where something is wrong in a record: a line, and a field in it."""
_VERBS = ("does", "has", "is", "must")
"""How problems begin that say something about a whole file or line."""


def trouble(error: Exception) -> str:
    """The sentence of an error that has one; of the system's errors, what and where. What is told of a
    stranger's file or of its name is no order to the terminal.
    """
    if isinstance(error, OSError) and error.strerror:
        return harmless(f"{error.strerror}: {error.filename}." if error.filename else f"{error.strerror}.")
    return harmless(str(error)) or UNKNOWN


def in_file(error: BadData) -> str:
    """What is wrong with a file, as a sentence to stand after its name.

    >>> in_file(BadData("line 1: format", "is missing"))
    'line 1: "format" is missing.'
    >>> in_file(BadData("", "is nested too deeply"))
    'it is nested too deeply.'
    """
    place = _PLACE.fullmatch(error.field)
    line, field = (place[1], place[2] or "") if place else ("", error.field)
    problem = error.problem.removesuffix(".")
    if not field and problem.split(" ", 1)[0] in _VERBS:
        return f"{line or 'it'} {problem}."
    # What the rules refuse is a sentence of its own already.
    told = problem if error.problem.endswith(".") else BadData(field, problem).sentence
    told = f"{line}: {told}" if line else told
    if field.rpartition(".")[2] == "version" and re.fullmatch(r"must be \d+", problem):
        return NEWER.format(told=told)
    return f"{told}."
