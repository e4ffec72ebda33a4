"""Data from outside: JSON values, and the errors in them."""

from __future__ import annotations

from typing import Any

Json = Any
"""A value as ``json.loads`` gives it: dict, list, str, int, float, bool or None."""

_SUBJECTS = ("a", "all", "an", "sides", "that", "the", "there", "when")
"""How problems begin that have a subject of their own; the others say something about their field."""


class BadData(Exception):
    """Data from outside that has the wrong form.

    ``field`` is the path to the culprit (``players[1].goods.wood``), ``problem`` what is wrong.

    >>> raise BadData("wood", "must be a whole number").under("players[1].goods")
    Traceback (most recent call last):
    ...
    cave.data.BadData: players[1].goods.wood: must be a whole number
    """

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field}: {problem}" if field else problem)
        self.field = field
        self.problem = problem

    @property
    def sentence(self) -> str:
        """Field and problem as a part of a sentence: ``"wood" must be a whole number``."""
        if not self.field:
            return self.problem
        has_subject = self.problem.split(" ", 1)[0] in _SUBJECTS
        return f'in "{self.field}" {self.problem}' if has_subject else f'"{self.field}" {self.problem}'

    def under(self, prefix: str) -> BadData:
        """Return the problem with the path of the enclosing value put in front."""
        joint = "" if not self.field or self.field.startswith("[") else "."
        return BadData(f"{prefix}{joint}{self.field}", self.problem)


class within:  # noqa: N801
    """Prefix errors in a field's value with the path of the field."""

    def __init__(self, field: str) -> None:
        self._field = field

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, BadData):
            raise error.under(self._field) from None


def refuse(wrong: object, field: str, problem: str) -> None:
    """Raise BadData if something is wrong with a field."""
    if wrong:
        raise BadData(field, problem)
