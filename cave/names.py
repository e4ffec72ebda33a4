"""Checks names of people, and whether two of them look alike.

Names can be in any language. Names that deceive or spoil the screen are refused: invisible names, stacks of
accents, words that mix similar letters of several alphabets, and the mark of bots.
"""

from __future__ import annotations

import re
import unicodedata

from cave.codec import reject_field_if
from cave.wire import MAX_NAME, MAX_TEXT, clean_text, one_line

MAX_ACCENTS = 2
"""Accents above or below one letter: Vietnamese needs two."""
MAX_MARKS = 5
"""Combining marks on one letter: Asian scripts need four."""

_BLANK = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
"""Invisible letters and marks."""
_VARIANTS = (("\u180b", "\u180f"), ("\ufe00", "\ufe0f"), ("\U000e0100", "\U000e01ef"))
"""Variation selectors: the first and the last of each range."""
_ALPHABETS = frozenset(("ARMENIAN", "CANADIAN", "CHEROKEE", "COPTIC", "CYRILLIC", "GREEK", "LATIN", "LISU"))
"""Alphabets with similar letters, by the first word of their letters' Unicode names."""
_SHAPES = str.maketrans(
    "АВЕЅЗІЈКМНОРСТУҮХԚԜаеѕіјһорсуүхԁԛԝӏӀΑΒΕΖΗΙΚΜΝΟΡΤΥΧανικορυγՕՏԼօսհոցզI1|0ıɑɡ",
    "ABES3lJKMHOPCTYYXQWaesijhopcyyxdqwllABEZHlKMNOPTYXavikopuyOSLouhngqlllOiag",
)
"""Letters, and the Latin letters or the digit that they look like."""


def clean_name(text: str) -> str:
    """Normalise a name to store and show: composed, one line, no invisible characters."""
    # Composing 64 KiB of accents takes almost a second. Names this long are refused anyway.
    seen = clean_text(text[:MAX_TEXT]).translate(dict.fromkeys(map(ord, _BLANK)))
    return " ".join(unicodedata.normalize("NFC", seen).split())


def name_problem(name: str) -> str:
    """Return the error in a clean name as one sentence, or ""."""
    if len(name) > MAX_NAME:
        return f"A name can have at most {MAX_NAME} characters; this one has {len(name)}."
    if not any(map(_is_visible, name)):
        return "A name must have at least one visible character."
    if not _is_visible(name[0]):
        return "A name must begin with a letter or a sign, not with an accent."
    if _has_mark(name):
        return "A name must not contain (bot) or anything that looks like it: that marks bots."
    if _piles_up_marks(name):
        return f"A letter in a name can have at most {MAX_ACCENTS} accents."
    for word in name.split():
        mixed = sorted({alphabet for letter in word if (alphabet := _alphabet_of(letter))})
        if len(mixed) > 1:
            told = " and ".join(alphabet.capitalize() for alphabet in mixed)
            return f"A word in a name must use one alphabet; {word} mixes {told} letters, which look alike."
    return ""


def check_name(name: str, field: str) -> None:
    """Raise BadData for an empty name, one that is too long, or one not fit for display."""
    reject_field_if(not 1 <= len(name) <= MAX_NAME, field, f"must have 1 to {MAX_NAME} characters")
    reject_field_if(one_line(name) != name, field, "must not hold control characters")


def names_look_alike(one: str, other: str) -> bool:
    return _fold_name(one) == _fold_name(other) or _name_shape(one) == _name_shape(other)


def _is_visible(letter: str) -> bool:
    # The second and third parts of Korean syllables have no width without a first one.
    return unicodedata.category(letter)[0] not in "MCZ" and not "\u1160" <= letter <= "\u11ff"


def _alphabet_of(letter: str) -> str:
    first = unicodedata.name(letter, "").partition(" ")[0]
    return first if letter.isalpha() and first in _ALPHABETS else ""


def _piles_up_marks(name: str) -> bool:
    accents = marks = 0
    for letter in unicodedata.normalize("NFD", name):
        if not unicodedata.category(letter).startswith("M"):
            accents = marks = 0
            continue
        marks += 1
        # Marks of these classes stack; others have a fixed place.
        accents += unicodedata.combining(letter) in (1, *range(200, 256)) or unicodedata.category(letter) == "Me"
        if accents > MAX_ACCENTS or marks > MAX_MARKS:
            return True
    return False


def _has_mark(name: str) -> bool:
    if name.isalnum():
        return False
    plain = "".join(map(_plain_lookalike, _name_shape(unicodedata.normalize("NFD", name))))
    return bool(re.search(r"\(b[o0]t(?![a-z])", plain))


def _plain_lookalike(letter: str) -> str:
    """Return the most similar plain letter or bracket; "" for a mark."""
    kind = unicodedata.category(letter)
    if kind in ("Ps", "Pi") or letter in "<[{":
        return "("
    base = re.search(r" ([A-Z])(?: WITH .*)?$", unicodedata.name(letter, ""))
    return "" if kind[0] == "M" else base[1].lower() if base else letter.lower()


def _fold_name(name: str) -> str:
    """Return the name without case, width, ligatures and invisible characters."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return "".join(letter for letter in folded if not _is_ignorable(letter))


def _name_shape(name: str) -> str:
    return "".join(
        letter for letter in unicodedata.normalize("NFKC", name).translate(_SHAPES) if not _is_ignorable(letter)
    )


def _is_ignorable(letter: str) -> bool:
    """Return whether a character is invisible: joiners, variation selectors, spaces."""
    return (
        unicodedata.category(letter) in ("Cf", "Zs")
        or letter in _BLANK
        or any(first <= letter <= last for first, last in _VARIANTS)
    )
