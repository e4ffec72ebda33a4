"""Words for names, errors and numbers, shared by screens and line mode. Names of bots have a mark."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from cave import names
from cave.codec import BadData
from cave.wire import MAX_NAME, one_line

BOT = " (bot)"
NAMELESS = "Somebody"
_MARK = r"(\s*[(\uff08]bot[)\uff09]\s*)+$"


def told_apart(name: str, kind: str) -> str:
    """Return the name, with the mark of a bot exactly if ``kind`` is ``bot``, whatever the host sends."""
    own = name_without_mark(name)
    if kind == "bot":
        # A shortened name may end in another mark, or in blanks.
        return f"{name_without_mark(own[: MAX_NAME - len(BOT)]).rstrip() or NAMELESS}{BOT}"
    return (own or NAMELESS) if name else ""


def a_bot(level: str) -> str:
    return f"a bot ({level})" if level else "a bot"


def name_without_mark(name: str) -> str:
    # Compiled for the first name that needs it: most do not.
    return re.sub(_MARK, "", name, flags=re.IGNORECASE) if "bot" in name.lower() else name


def name_problem(name: str) -> str:
    """Return the problem of a name, in one sentence, or nothing."""
    if not name.strip():
        return "Everybody needs a name."
    if len(name) > MAX_NAME:
        start = name if len(name) <= 2 * MAX_NAME else f"{name[:MAX_NAME]}..."
        return f"A name can have at most {MAX_NAME} characters; {start!r} has {len(name)}."
    if one_line(name) != name:
        return "A name must not contain control or invisible characters."
    return names.name_problem(names.clean_name(name))


NO_LINK = "The link to the host is lost: you cannot play until it is back."
UNKNOWN = "Something went wrong; please try again."
FOREIGN = "It is not a record of a game."
LATEST = 32_000_000_000  # seconds, in the year 2984
DAMAGED = "The record is damaged there."
NEWER = "another version of the program wrote this file. Update the program to read it"


def error_sentence(error: Exception) -> str:
    """Return the sentence of an error, or its kind and place, without terminal control characters."""
    if isinstance(error, OSError) and error.strerror:
        return one_line(f"{error.strerror}: {error.filename}." if error.filename else f"{error.strerror}.")
    return one_line(str(error)) or UNKNOWN


def local_time(seconds: float) -> datetime:
    """Return a Unix time of a clock or a file as local time, in a year that all systems know."""
    return datetime.fromtimestamp(min(max(0, seconds), LATEST))


def in_file(error: BadData) -> str:
    """Return the problem of a file, as the end of a sentence about it; the field comes first, as usual."""
    told = str(error).removesuffix(".")
    if re.search(r"\bversion$", error.field) and re.fullmatch(r"must be \d+", error.problem):
        return f"{told}: {NEWER}."
    if error.field in ("line 1", "line 1: format"):
        return f"{told}. {FOREIGN}"
    return f"{told}. {DAMAGED}" if re.fullmatch(r"line \d+", error.field) else f"{told}."


def without_rule(message: str) -> str:
    """Return a reason without its rule number, which help shows."""
    return re.sub(r" \(rules? [\d., ]+\)", "", message)


def joined(words: Sequence[str], last: str = "and") -> str:
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def count(number: float, thing: str) -> str:
    if number == 1:
        return f"1 {thing}"
    return f"{number:.15g} {thing}{'es' if thing.endswith('x') else 's'}"


def begun(text: str) -> str:
    """Return words as the beginning of a sentence; other capitals stay."""
    return text[:1].upper() + text[1:]
