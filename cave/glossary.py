"""Words of a game's rules, explained by data beside them (``glossary.toml``), and found in texts."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache

from cave import codec
from cave.codec import JsonForm
from cave.game import AnyGame
from cave.lesson import game_folder

FILE = "glossary.toml"


class Word(JsonForm, frozen=True):
    """The meaning of a word in a sentence, and the number of the rule or chapter about it.

    ``forms`` are its other names; the plural is found without. One in capitals is not found in small letters.
    """

    rule: str
    says: str
    forms: tuple[str, ...] = ()


@cache
def load_glossary(game: AnyGame) -> Mapping[str, Word]:
    """Return the words of a game; none if it has no such file. Raises BadData that names the field."""
    file = game_folder(game).joinpath(FILE)
    return codec.parse(tomllib.loads(file.read_text("utf-8")), dict[str, Word]) if file.is_file() else {}


@cache
def _names_by_form(game: AnyGame) -> Mapping[str, str]:
    """Return the names by their forms."""
    forms = [(form, name) for name, word in load_glossary(game).items() for form in (name, *word.forms)]
    return {
        form + end: name for form, name in forms for end in ("", "s", "es") if not (end and form.isupper())
    }


@cache
def _word_pattern(game: AnyGame) -> re.Pattern[str]:
    longest_first = sorted(_names_by_form(game), key=len, reverse=True)
    each = [re.escape(form) if form.isupper() else f"(?i:{re.escape(form)})" for form in longest_first]
    return re.compile(rf"(?<![\w-])(?:{'|'.join(each) or '(?!)'})(?![\w-])")


def find_words(game: AnyGame, text: str) -> Iterator[tuple[range, str]]:
    """Yield the places of words in a text, each with the name of its word."""
    for found in _word_pattern(game).finditer(text):
        yield range(*found.span()), find_word(game, found[0])


def find_word(game: AnyGame, typed: str) -> str:
    """Return the name of the word with this form; empty if there is none."""
    forms, form = _names_by_form(game), typed.strip()
    return forms.get(form.upper(), "") or forms.get(form.casefold(), "")


def explain(game: AnyGame, name: str) -> str:
    """Return a word and its sentence, with the number of the rule."""
    word = load_glossary(game)[name]
    return f"{name[:1].upper()}{name[1:]}: {word.says} (rule {word.rule})"
