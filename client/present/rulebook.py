"""The rules as a person reads them: the numbered parts of the game's RULES.md, without their marks.

The chapter "Forms of the data", with which a RULES.md may end, is for programs. It is read only by who asks
for its number, as a refusal may name it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files

from cave.game import AnyGame

FORMS = "Forms of the data"
_CHAPTER = re.compile(r"## (\d+)\. (.+)")
_RULE = re.compile(r"(\d+)\. (.+)")
_MARKS = re.compile(r"\*\*|\*|`")
_FENCE = "```"


def part(game: AnyGame, number: str) -> tuple[str, ...]:
    """Return the lines of a rule (``5.3``) or a whole chapter (``5``); nothing for a number there is not."""
    return _parts(game).get(number.strip().rstrip("."), ())


def chapters(game: AnyGame) -> tuple[str, ...]:
    """Return the numbers and names of the chapters for people."""
    found = (lines[0] for number, lines in _parts(game).items() if "." not in number)
    return tuple(heading for heading in found if not heading.endswith(FORMS))


@cache
def _parts(game: AnyGame) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    chapter = rule = ""
    for line in _paragraphs(game):
        opens = _CHAPTER.fullmatch(line)
        if opens:
            chapter, rule = opens[1], ""
            found[chapter] = [f"{chapter}. {_plain(opens[2])}"]
            continue
        if not chapter:
            continue
        numbered = _RULE.fullmatch(line)
        if numbered:
            rule = f"{chapter}.{numbered[1]}"
            text = f"{rule} {_plain(numbered[2])}"
            found[rule] = [text]
        else:
            text = _plain(line)
            if rule:
                found[rule].append(text)
        found[chapter].append(text)
    return {number: tuple(lines) for number, lines in found.items()}


def _paragraphs(game: AnyGame) -> Iterator[str]:
    """Yield the text paragraph by paragraph: an item of a list is one, a row of a table another, and each
    line of a drawing, with a blank in front.
    """
    package = type(game).__module__.rpartition(".")[0]
    text = files(package).joinpath("RULES.md").read_text(encoding="utf-8")
    begun = ""
    heads: list[str] = []
    margin: int | None = None
    for line in [*text.splitlines(), ""]:
        if line.strip() == _FENCE:
            if begun:
                yield begun
            begun, margin = "", line.index(_FENCE) if margin is None else None
            continue
        if margin is not None:
            yield f" {line[margin:]}"
            continue
        table = line.strip().startswith("|")
        goes_on = not table and (line.startswith(" ") or (bool(begun) and bool(line) and not _starts(line)))
        if goes_on and begun:
            begun += f" {line.strip()}"
            continue
        if begun:
            yield begun
        begun = ""
        if not table:
            begun, heads = line, []
        elif not heads:
            heads = _cells(line)
        elif set(line) - set("|- "):
            yield _row(heads, _cells(line))


def _starts(line: str) -> bool:
    return line.startswith(("#", "|", "- ")) or bool(_RULE.fullmatch(line))


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip().strip("|").split("|")]


def _row(heads: list[str], cells: list[str]) -> str:
    """Return a row of a table as a sentence: ``boulder choke: AP 1 (french 2)``, ``opal: level 1: 11``.

    Of two columns, the second one needs no head.
    """
    if len(cells) == 2:
        return f"{cells[0]}: {cells[1]}."
    rest = [
        f"{head}: {cell}" if head[-1:].isdigit() else f"{head} {cell}"
        for head, cell in zip(heads[1:], cells[1:], strict=False)
        if cell
    ]
    return f"{cells[0]}: {', '.join(rest)}." if rest else f"{cells[0]}."


def _plain(text: str) -> str:
    """Return the text without marks; a drawing has none."""
    if text.startswith(" "):
        return text
    return _MARKS.sub("", text).removeprefix("- ")
