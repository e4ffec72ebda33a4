"""The line that a person is typing: known letter by letter, so that news can come without tearing it."""

from __future__ import annotations

import unicodedata

from cave.wire import JOINERS

BACK = ("\x7f", "\b")
KILL = "\x15"
WORD = "\x17"
ENTER = ("\n", "\r")
END = "\x04"
ESCAPE = "\x1b"
RUBOUT = "\b \b"
DIGITS = 6
"""Digits of the longest number that is read: no list, log or game has as many lines."""
TOO_MANY = 10**DIGITS


def number_typed(text: str) -> int | None:
    """Return the number that is typed, ``TOO_MANY`` for one that is too long; None where it is none, as
    ``²``.
    """
    if not text.isdecimal():
        return None
    return int(text) if len(text) <= DIGITS else TOO_MANY


class Typed:
    """A line being typed. ``take`` gives what is to be written for a key, as the terminal's own echo
    would have it; ``done`` is whether the line was ended, ``ended`` whether the input was.
    """

    def __init__(self, longest: int) -> None:
        self.text = ""
        self.done = self.ended = False
        self._longest = longest
        self._sequence = ""

    def take(self, key: str) -> str:
        """Take a letter or a control character; what moves a cursor does nothing here."""
        if self._sequence:
            self._escape(key)
            return ""
        if key in ENTER:
            self.done = True
            return "\n"
        if key == END:
            self.ended = not self.text
            return ""
        if key == ESCAPE:
            self._sequence = key
            return ""
        if key in BACK:
            return self._rub_out(1)
        if key == KILL:
            return self._rub_out(len(self.text))
        if key == WORD:
            rest = self.text.rstrip()
            return self._rub_out(len(self.text) - (rest.rfind(" ") + 1))
        key = " " if key == "\t" else key
        if not (key.isprintable() or key in JOINERS) or len(self.text) >= self._longest:
            return ""
        self.text += key
        return key

    def _rub_out(self, letters: int) -> str:
        gone = self.text[len(self.text) - letters :]
        self.text = self.text[: len(self.text) - letters]
        return RUBOUT * sum(map(_cells, gone))

    def _escape(self, key: str) -> None:
        """Pass over what a key such as an arrow sends: escape, a bracket, numbers, and a letter."""
        begun = self._sequence == ESCAPE and key in "[O"
        goes_on = len(self._sequence) > 1 and not "@" <= key <= "~"
        self._sequence = self._sequence + key if begun or goes_on else ""


def _cells(letter: str) -> int:
    if unicodedata.combining(letter):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1
