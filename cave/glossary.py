"""Glossary of a game's rules (``glossary.toml``), and finding its words in texts."""

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
    """A word's meaning, one sentence, and the number of the rule or chapter about it.

    ``forms`` are other names; plurals need no entry. A form in capitals matches capitals only.
    """

    rule: str
    says: str
    forms: tuple[str, ...] = ()


@cache
def load_glossary(game: AnyGame) -> Mapping[str, Word]:
    """Return the words of a game; empty without a glossary. Raises BadData that names the field."""
    file = game_folder(game).joinpath(FILE)
    return codec.parse(tomllib.loads(file.read_text("utf-8")), dict[str, Word]) if file.is_file() else {}


@cache
def _names_by_form(game: AnyGame) -> Mapping[str, str]:
    forms = [(form, name) for name, word in load_glossary(game).items() for form in (name, *word.forms)]
    return {form + end: name for form, name in forms for end in ("", "s", "es") if not (end and form.isupper())}


@cache
def _word_pattern(game: AnyGame) -> re.Pattern[str]:
    longest_first = sorted(_names_by_form(game), key=len, reverse=True)
    each = [re.escape(form) if form.isupper() else f"(?i:{re.escape(form)})" for form in longest_first]
    return re.compile(rf"(?<![\w-])(?:{'|'.join(each) or '(?!)'})(?![\w-])")


def find_words(game: AnyGame, text: str) -> Iterator[tuple[range, str]]:
    """Yield the range of each glossary word in a text, with its name."""
    for found in _word_pattern(game).finditer(text):
        yield range(*found.span()), find_word(game, found[0])


def find_word(game: AnyGame, typed: str) -> str:
    """Return the name of the word with this form, or ""."""
    forms, form = _names_by_form(game), typed.strip()
    return forms.get(form.upper(), "") or forms.get(form.casefold(), "")


def explain(game: AnyGame, name: str) -> str:
    """Return a word and its sentence, with the number of the rule."""
    word = load_glossary(game)[name]
    return f"{name[:1].upper()}{name[1:]}: {word.says} (rule {word.rule})"
