"""Texts of the help screens: the rules that matter now, the rules in brief and in full, the keys."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files

import msgspec

from cave.game import AnyGame
from client.face import Face, Page

WIDTH = 74
NARROWEST = 20
KEY_COLUMN = 10  # columns of a key and the blank after it, in the list of keys
KEYS = "Keys"

REPLAY = """\
A replay
  left, right       a step back, a step on
  up, down          a turn back, a turn on
  page up, down     a whole round back or on
  home, end         the start, the end
  t                 go to a turn; digits go to the step of that number
  o                 the log of the whole game; a line goes to its step
  space             play by itself, and stop
  b                 play backwards, and forwards again
  - and +           slower, faster
  P                 play on from here, against bots of a level you choose
  A                 analyse the game: chances by turn, largest mistakes
  other keys        look around, as in a game
  q                 leave

Mouse
  click any of these words below the board, or the track to go there.
"""

MENU = """\
Cave
  Cave-exploration board games, for people and bots.

  Go on         back to the last game, also after a crash
  Play now      you against a bot, at once
  New game      several people at this keyboard take turns; seats can stay
                open for others; it then shows the command for them
  Join          sit down at a game elsewhere, which shows its address
  Watch         see a game without playing
  Replay        step through the record of a game
  How to play   what wins, what loses, how a turn goes

Everywhere
  Everything can be done with keys alone or with the mouse alone. The
  bottom line shows the keys of the moment and can be clicked. Ctrl+q
  leaves, and the game is saved.
"""

_PAGES: Mapping[str, tuple[Page | str, ...]] = {
    "game": ("brief", "legend"),
    "replay": (Page("Replay", REPLAY), "legend"),
    "menu": (Page("Start", MENU), "how", "brief"),
    "how to play": ("how", "brief", "legend"),
}
"""The pages of each topic: our own pages, and the names of games' pages. A game's own topics show the page of
that name, and the rules in short.
"""


def list_pages(
    topic: str,
    face: Face,
    glyphs: str = "unicode",
    *,
    about: Sequence[str] = (),
    goal: Sequence[str] = (),
    keys: Iterable[tuple[str, str]] = (),
    width: int = WIDTH,
) -> tuple[Page, ...]:
    """Return the pages of a topic: ``game``, ``replay``, ``menu``, ``how to play``, or one of the game's own.

    The rules ``about`` the current place come first, below the ``goal``; ``keys`` are those of the screen.
    Lines are at most ``width`` wide, limited to ``NARROWEST`` to ``WIDTH``.
    """
    width = max(NARROWEST, min(width, WIDTH))
    theirs = dict(face.help(glyphs))
    how = theirs["how"]
    theirs["how"] = msgspec.structs.replace(how, text=how.text + theirs["keys"].text)
    wanted = _PAGES.get(topic, (topic, "brief"))
    made = [each if isinstance(each, Page) else theirs.get(each) for each in wanted]
    found = [Page(each.title, _narrowed(each.text, width), each.drawn) for each in made if each is not None]
    if about:
        found.insert(0, Page("Here", _rules_here(face.game, about, width)))
    if goal:
        lines = [line for each in goal for line in textwrap.wrap(f"  {each}", width, subsequent_indent="  ")]
        told = "".join(f"{line}\n" for line in ("The goal", *lines, ""))
        found[0] = msgspec.structs.replace(found[0], text=told + found[0].text)
    listed = list(keys)
    if listed:
        found.append(Page(KEYS, _key_table(listed, width)))
    return (*found, Page("Rules", rulebook_text(face.game, width)))


def _narrowed(text: str, width: int) -> str:
    if max(map(len, text.splitlines())) <= width:
        return text
    blocks: list[list[str]] = []
    for line in text.splitlines():
        if blocks and runs_on(blocks[-1], line):
            blocks[-1].append(line)
        else:
            blocks.append([line])
    found = []
    for block in blocks:
        indent = " " * _indent_of(block[0])
        below = f"{indent}  " if indent else ""  # All lines of a heading start at the left.
        words = _GAPS.sub("  ", " ".join(line.strip() for line in block))
        found += textwrap.wrap(words, width, initial_indent=indent, subsequent_indent=below) or [""]
    return "".join(f"{line}\n" for line in found)


_GAPS = re.compile(r" {2,}")


def runs_on(block: Sequence[str], line: str) -> bool:
    """Return whether a line continues the previous one: it has the indent of an indented paragraph, or the
    previous line was full and belongs to a paragraph or to a row with a hanging indent.
    """
    before, words = block[-1], line.strip()
    if not words or not before.strip() or _GAPS.search(words):
        return False
    is_row = any(_GAPS.search(each.strip()) for each in block)
    if _indent_of(line) == _indent_of(before) > 0 and not is_row:
        return True
    was_full = len(before) + 1 + len(words.split()[0]) > WIDTH
    as_far_in = _indent_of(line) == _indent_of(before) and (len(block) > 1 or not is_row)
    return was_full and (as_far_in or (len(block) == 1 and _indent_of(line) > _indent_of(before)))


def _indent_of(line: str) -> int:
    return len(line) - len(line.lstrip())


def _rules_here(game: AnyGame, numbers: Sequence[str], width: int) -> str:
    parts = [_wrap_rules(rule_lines(game, number), width) for number in dict.fromkeys(numbers)]
    return "\n".join(part for part in parts if part)


def rulebook_text(game: AnyGame, width: int = WIDTH) -> str:
    numbers = (heading.split(".")[0] for heading in rule_chapters(game))
    return "\n".join(_wrap_rules(rule_lines(game, number), width) for number in numbers)


_A_RULE = re.compile(r"\d+\.\d")
_BELOW = " " * 6


def _wrap_rules(lines: Sequence[str], width: int) -> str:
    """Wrap the lines: headings at the left, rules slightly indented, their tables and drawings below."""
    wrapped: list[str] = []
    below = ""
    for line in lines:
        is_rule = _A_RULE.match(line)
        below = _BELOW if is_rule else below
        first = "  " if is_rule else below
        wrapped += textwrap.wrap(line, width, initial_indent=first, subsequent_indent=below)
        below = below or "  "
    return "".join(f"{line}\n" for line in wrapped)


def _key_table(keys: Sequence[tuple[str, str]], width: int) -> str:
    if width < WIDTH:
        return "".join(f"{key:<{KEY_COLUMN - 1}} {words}"[:width] + "\n" for key, words in keys)
    cells = [f"{key:<{KEY_COLUMN - 1}} {words}"[: WIDTH // 2 - 2] for key, words in keys]
    half = -(-len(cells) // 2)
    rows = [
        f"{left:<{WIDTH // 2}}{cells[half + row] if half + row < len(cells) else ''}".rstrip()
        for row, left in enumerate(cells[:half])
    ]
    return "".join(f"{row}\n" for row in rows)


def how_to_play(face: Face) -> list[str]:
    return [*face.help("ascii")["how"].text.splitlines(), "", face.commands_to_begin()]


FORMS_OF_DATA = "Forms of the data"
_CHAPTER = re.compile(r"## (\d+)\. (.+)")
_RULE = re.compile(r"(\d+)\. (.+)")
_MARKS = re.compile(r"\*\*|\*|`")
_FENCE = "```"


def rule_lines(game: AnyGame, number: str) -> tuple[str, ...]:
    """Return the lines of a rule (``5.3``) or a whole chapter (``5``); nothing for an unknown number."""
    return _rules_by_number(game).get(number.strip().rstrip("."), ())


def rule_chapters(game: AnyGame) -> tuple[str, ...]:
    found = (lines[0] for number, lines in _rules_by_number(game).items() if "." not in number)
    return tuple(heading for heading in found if not heading.endswith(FORMS_OF_DATA))


@cache
def _rules_by_number(game: AnyGame) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    chapter = rule = ""
    for line in _rule_paragraphs(game):
        opens = _CHAPTER.fullmatch(line)
        if opens:
            chapter, rule = opens[1], ""
            found[chapter] = [f"{chapter}. {_without_markup(opens[2])}"]
            continue
        if not chapter:
            continue
        numbered = _RULE.fullmatch(line)
        if numbered:
            rule = f"{chapter}.{numbered[1]}"
            text = f"{rule} {_without_markup(numbered[2])}"
            found[rule] = [text]
        else:
            text = _without_markup(line)
            if rule:
                found[rule].append(text)
        found[chapter].append(text)
    return {number: tuple(lines) for number, lines in found.items()}


def _rule_paragraphs(game: AnyGame) -> Iterator[str]:
    """Yield paragraphs, items, rows of tables, and lines of drawings after a blank."""
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
            heads = _table_cells(line)
        elif set(line) - set("|- "):
            yield _table_row_sentence(heads, _table_cells(line))


def _starts(line: str) -> bool:
    return line.startswith(("#", "|", "- ")) or bool(_RULE.fullmatch(line))


def _table_cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip().strip("|").split("|")]


def _table_row_sentence(heads: list[str], cells: list[str]) -> str:
    """Return a row of a table as a sentence: ``opal: level 1: 11``; of two columns the second is bare."""
    if len(cells) == 2:
        return f"{cells[0]}: {cells[1]}."
    rest = [
        f"{head}: {cell}" if head[-1:].isdigit() else f"{head} {cell}"
        for head, cell in zip(heads[1:], cells[1:], strict=False)
        if cell
    ]
    return f"{cells[0]}: {', '.join(rest)}." if rest else f"{cells[0]}."


def _without_markup(text: str) -> str:
    if text.startswith(" "):
        return text
    return _MARKS.sub("", text).removeprefix("- ")
