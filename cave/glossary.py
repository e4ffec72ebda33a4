"""Words of a game's rules, explained by data beside them (``glossary.toml``), and found in texts."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache

from cave import codec
from cave.codec import JsonForm
from cave.game import AnyGame
from cave.lesson import folder

FILE = "glossary.toml"


class Word(JsonForm, frozen=True):
    """What a word means, in a sentence, and the number of the rule or chapter that says more.

    ``forms`` are its other names; the plural is found without. One in capitals is not found in small letters.
    """

    rule: str
    says: str
    forms: tuple[str, ...] = ()


@cache
def glossary(game: AnyGame) -> Mapping[str, Word]:
    """Return the words of a game; none if it has no such file. Raises BadData that names the field."""
    file = folder(game).joinpath(FILE)
    return codec.structure(tomllib.loads(file.read_text("utf-8")), dict[str, Word]) if file.is_file() else {}


@cache
def _found_by(game: AnyGame) -> tuple[re.Pattern[str] | None, Mapping[str, str]]:
    names = {form.casefold(): name for name, word in glossary(game).items() for form in (name, *word.forms)}
    forms = [form for name, word in glossary(game).items() for form in (name, *word.forms)]
    each = "|".join(
        re.escape(form) if form.isupper() else f"(?i:{re.escape(form)}(?:e?s)?)"
        for form in sorted(forms, key=len, reverse=True)
    )
    return re.compile(rf"(?<![\w-])(?:{each})(?![\w-])") if forms else None, names


def words_in(game: AnyGame, text: str) -> Iterator[tuple[range, str]]:
    """Yield the places of words in a text, each with the name of its word."""
    pattern, names = _found_by(game)
    for found in pattern.finditer(text) if pattern else ():
        form = found[0].casefold()
        yield range(*found.span()), next(names[each] for each in _singulars(form) if each in names)


def _singulars(form: str) -> tuple[str, ...]:
    return form, form.removesuffix("s"), form.removesuffix("es")


def explained(game: AnyGame, name: str) -> str:
    """Return a word and its sentence, with the number of the rule."""
    word = glossary(game)[name]
    return f"{name[:1].upper()}{name[1:]}: {word.says} (rule {word.rule})"


def named(game: AnyGame, word: str) -> str:
    """Return the name of the word that somebody typed, in any of its forms; empty if there is none."""
    _, names = _found_by(game)
    return next((names[each] for each in _singulars(word.strip().casefold()) if each in names), "")
