"""Strict JSON from clients: parse a frame into an object, or raise ``BadMessage``."""

from __future__ import annotations

import json
import math

from cave.game import Json
from cave.wire import MAX_MESSAGE

MAX_DEPTH = 16
"""Nesting depth of objects and lists."""
MAX_DIGITS = 16
"""Digits of a number; numbers in games have fewer."""


class BadMessage(Exception):
    """A message that cannot be understood; nothing has changed.

    ``re`` is the message's id, None if unreadable.
    """

    def __init__(self, code: str, message: str, re: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.re = re


def decode_object(raw: bytes, most: int = MAX_MESSAGE) -> dict[str, Json]:
    """Decode the JSON object of one frame strictly; raises only BadMessage.

    Refuses frames of more than ``most`` bytes, invalid UTF-8 or JSON, NaN and infinities, duplicate names,
    lone surrogates, numbers with too many digits, and deep nesting.
    """
    if len(raw) > most:
        raise BadMessage("too_large", f"A message can have at most {most} bytes.")
    try:
        text = raw.decode("utf-8")
        data = _DECODER.decode(text)
    except RecursionError:
        raise BadMessage("bad_message", "The message is nested too deeply.") from None
    except (ValueError, UnicodeError) as error:
        problem = error.args[0] if isinstance(error, _Unsound) else "it is not JSON"
        raise BadMessage("bad_message", f"The message cannot be read: {problem}.") from None
    if not isinstance(data, dict):
        raise BadMessage("bad_message", "A message must be a JSON object.")
    # Fast path: most messages have too few brackets to be too deep.
    if text.count("{") + text.count("[") > MAX_DEPTH and is_too_deep(data):
        raise BadMessage("bad_message", "The message is nested too deeply.")
    # JSON can escape a lone surrogate, which UTF-8 cannot encode.
    if "\\u" in text:
        try:
            json.dumps(data, ensure_ascii=False).encode("utf-8")
        except UnicodeError:
            raise BadMessage("bad_message", "The message cannot be read: it contains half a character.") from None
    return data


class _Unsound(ValueError):
    """JSON that the standard or the library allows, but this protocol does not."""


def _refuse_repeated_names(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise _Unsound("an object has the same name twice")
    return found


def _parse_small_int(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise _Unsound("a number has too many digits")
    return int(digits)


def _parse_small_float(digits: str) -> float:
    number = float(digits)
    if len(digits) > 2 * MAX_DIGITS or not math.isfinite(number):
        raise _Unsound("a number has too many digits")
    return number


def _refuse_constant(name: str) -> Json:
    raise _Unsound(f"{name} is not a number")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_refuse_repeated_names,
    parse_int=_parse_small_int,
    parse_float=_parse_small_float,
    parse_constant=_refuse_constant,
)


def is_too_deep(data: Json) -> bool:
    """Return whether objects and lists are nested too deeply for a message."""
    level = [data]
    for _ in range(MAX_DEPTH):
        inner: list[Json] = []
        for each in level:
            inner += each.values() if type(each) is dict else each
        level = [each for each in inner if type(each) is dict or type(each) is list]
    return bool(level)
