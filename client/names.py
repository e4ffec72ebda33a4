"""Names as everybody reads them: a bot's has a mark, so that nobody is taken for one; and which a person may
have.
"""

from __future__ import annotations

import re

from cave import names
from cave.wire import MAX_NAME, harmless

BOT = " (bot)"
NAMELESS = "Somebody"
_MARK = r"(\s*[(\uff08]bot[)\uff09]\s*)+$"


def told_apart(name: str, kind: str) -> str:
    """Return the name of a ``bot`` with the mark, and of anybody else without, whatever a host tells."""
    own = bare(name)
    if kind == "bot":
        # What is cut may end in another mark, or in blanks.
        return f"{bare(own[: MAX_NAME - len(BOT)]).rstrip() or NAMELESS}{BOT}"
    return (own or NAMELESS) if name else ""


def a_bot(level: str) -> str:
    """Return a bot of this level, in words."""
    return f"a bot ({level})" if level else "a bot"


def bare(name: str) -> str:
    """Return the name without the mark."""
    # Compiled when the first name needs it: most have none.
    return re.sub(_MARK, "", name, flags=re.IGNORECASE) if "bot" in name.lower() else name


def name_problem(name: str) -> str:
    """Return the problem of a name, in one sentence, or nothing."""
    if not name.strip():
        return "Everybody needs a name."
    if len(name) > MAX_NAME:
        return f"A name can have at most {MAX_NAME} characters; {_short(name)} has {len(name)}."
    if harmless(name) != name:
        return "A name must not contain control or invisible characters."
    return names.problem(names.clean(name))


def _short(name: str) -> str:
    """Return a name that is too long, as far as it has to be seen to be known."""
    return repr(name if len(name) <= 2 * MAX_NAME else f"{name[:MAX_NAME]}...")
