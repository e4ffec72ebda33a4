"""What the help screens say: the rule that matters here, the rules in brief and in full, the keys."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence

import msgspec

from client.games.the_cave.glyphs.sets import Role
from client.games.the_cave.goal import HOW_TO_PLAY, KEYS
from client.present import rulebook

WIDTH = 74

GAME = """\
The cave in short
  Discover tunnels with your team, collect tokens, and be home when it
  ends: whoever is not on the base then scores nothing (English edition).

A turn is 5 action points (AP); what is left is lost
  discover a tile  1      enter tunnel, wonder or descent    1
  dive             1      enter a squeeze 1, 2, 3            2, 3, 4
  photograph       1      enter water with oxygen            2, one tank
  pitch the camp   2      enter water on the raft            1, no token
  strike the camp  1      no rope there yet: 1 rope, 1 AP more a level
  pack at the base 2      force any passage: all 5 AP, turn over, no token

Consumables
  Away from the base each turn begins by eating 1 consumable. Without any
  your whole turn is one forced move. Those in your camp feed you there.

Points
  rope down or up 2 a level, photograph 2, water 3, squeeze 2, 3 or 4,
  depth 25 m: 3, 50 m: 4, deeper: 5 (each once, by a rope of your own).
  Most tokens of a kind at the end: 8 more. Second most: 4 more.

The end
  After the last tile the round is finished, and three more follow.

The list of teams
  VP points, +bn bonus, cn consumables, trav traverse, sqz squeeze tokens
  In the last rounds 2/3 means: home in 2 turns, 3 turns left.
"""

LEGEND = {
    "unicode": """\
The map
  · tunnel    ≈ water    ☼ wonder    ► squeeze (SQZ and its level)
  ▼ descent (DESC)       ▓ boulder choke       ⌂ home base
  ♦3 token, 3 points   ? unexplored exit     A-E teams   a-e camps
  ╪1╪ one rope hangs here     !1! one rope is needed here
  a number at the right of a tile: AP to enter it now
  0   -25   -50   -75 and deeper: metres of depth, each with its own tint
""",
    "ascii": """\
The map
  . tunnel    ~ water    * wonder    > squeeze (SQZ and its level)
  v descent (DESC)       % boulder choke       ^ home base
  $3 token, 3 points   ? unexplored exit     A-E teams   a-e camps
  =1= one rope hangs here     !1! one rope is needed here
  a number at the right of a tile: AP to enter it now
  0   -25   -50   -75 and deeper: metres of depth, each with its own tint
""",
}

PACKING = """\
Packing
  The backpack has 8 slots; everything takes one. What you take decides
  how far you get, so count: consumables are turns, ropes are levels,
  tanks are water.

  f consumable  you eat 1 at the start of each turn away from the base
  r rope        opens a descent, 1 for each level; it stays there for all
  o oxygen      2 tanks; entering water or diving for its token uses 1
  c camera      photographs wonders, as often as you like; keep it
  t raft        crosses water without a tank, but takes no token; keep it
  k camp        fills 2 slots, holds 4 things; closed until you pitch it

Keys
  a letter puts one in            up, down   choose a thing
  1 to 5   a ready kit            left, right or -, +   less, more
  tab      backpack or camp       backspace  take the last thing out
  x        empty it               enter      pack and go

Mouse
  click a thing or + to put it in, a slot or - to take it out.
"""

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
  hjkl, z, n, g, f  look around, as in a game
  q                 leave

Mouse
  click any of these words below the cave, or the track to go there.
"""

MENU = """\
The Cave
  A game of cave exploration for 2 to 5 teams, people or bots.

  Go on         back to the game you left, or that a crash took from you
  Play now      you against a bot, at once
  New game      several people at this keyboard take turns; seats can stay
                open for others; what they type is shown then
  Join          an address is shown where a game waits for players
  Watch         see a game without playing
  Replay        step through the record of a game
  How to play   what wins, what loses, how a turn goes

Everywhere
  Everything works by keys alone and by mouse alone. The bottom line shows
  the keys of the moment and can be clicked. Ctrl+q leaves, and the game
  is saved.
"""


class Page(msgspec.Struct, frozen=True):
    """A page of the help: the word on its tab and its text, no line wider than ``WIDTH``.

    ``tinted`` are words of the text with the roles that they have on the map.
    """

    title: str
    text: str
    tinted: tuple[tuple[str, Role], ...] = ()


_PAGES = {
    "game": (("In short", GAME), ("Map", "")),
    "packing": (("Packing", PACKING), ("In short", GAME)),
    "replay": (("Replay", REPLAY), ("Map", "")),
    "menu": (("Start", MENU), ("How to play", HOW_TO_PLAY + KEYS), ("In short", GAME)),
    "how to play": (("How to play", HOW_TO_PLAY + KEYS), ("In short", GAME), ("Map", "")),
}


_DEPTHS: tuple[tuple[str, Role], ...] = (("-25", "depth-1"), ("-50", "depth-2"), ("-75", "depth-3"))


def pages(
    topic: str,
    glyphs: str = "unicode",
    *,
    about: Sequence[str] = (),
    keys: Iterable[tuple[str, str]] = (),
    width: int = WIDTH,
) -> tuple[Page, ...]:
    """The pages of a topic (``game``, ``packing``, ``replay``, ``menu`` or ``how to play``).

    ``about`` are the numbers of the rules that matter where help was asked for; they come first.
    ``keys`` are the keys of the screen with what they do. No line is wider than ``width``, ``WIDTH`` at most.
    """
    width = min(width, WIDTH)
    legend = Page("Map", _narrowed(LEGEND[glyphs], width), _DEPTHS)
    found = [Page(title, _narrowed(text, width)) if text else legend for title, text in _PAGES[topic]]
    if about:
        found.insert(0, Page("Here", _here(about, width)))
    listed = list(keys)
    if listed:
        found.append(Page("Keys", _keys(listed, width)))
    return (*found, Page("Rules", _rules(width)))


def _narrowed(text: str, width: int) -> str:
    """A text for fewer columns: the lines of a paragraph are joined, those of tables wrapped one by one."""
    if max(map(len, text.splitlines())) <= width:
        return text
    blocks: list[str] = []
    for line in text.splitlines():
        if blocks and _runs_on(blocks[-1], line):
            blocks[-1] += f" {line.strip()}"
        else:
            blocks.append(line)
    found = []
    for block in blocks:
        indent = " " * (len(block) - len(block.lstrip()))
        words = _GAPS.sub("  ", block.strip())
        found += textwrap.wrap(words, width, initial_indent=indent, subsequent_indent=f"{indent}  ") or [""]
    return "".join(f"{line}\n" for line in found)


_GAPS = re.compile(r" {2,}")


def _runs_on(before: str, line: str) -> bool:
    """Whether a line goes on with the paragraph before it: as far in, and neither is of a table."""
    indent = len(line) - len(line.lstrip())
    deep = len(before) - len(before.lstrip())
    tables = _GAPS.search(before.strip()) or _GAPS.search(line.strip())
    return bool(line.strip() and before.strip()) and indent == deep > 0 and not tables


def _here(numbers: Sequence[str], width: int) -> str:
    """The parts of the rules with these numbers, each once."""
    parts = [_wrapped(rulebook.part(number), width) for number in dict.fromkeys(numbers)]
    return "\n".join(part for part in parts if part)


def _rules(width: int) -> str:
    """The chapters that are for people; the last one is for programs."""
    numbers = (heading.split(".")[0] for heading in rulebook.chapters()[:-1])
    return "\n".join(_wrapped(rulebook.part(number), width) for number in numbers)


def _wrapped(lines: Sequence[str], width: int) -> str:
    wrapped = [
        part
        for line in lines
        for part in textwrap.wrap(line, width, initial_indent=_indent(line), subsequent_indent=" " * 6)
    ]
    return "".join(f"{line}\n" for line in wrapped)


def _indent(line: str) -> str:
    """Headings and unnumbered lines of a chapter stand at the left, rules a little in."""
    number = line.split(" ")[0]
    return "  " if "." in number.rstrip(".") and number[0].isdigit() else ""


def _keys(keys: Sequence[tuple[str, str]], width: int) -> str:
    """Two columns, read downwards, or one where there is no room for two."""
    if width < WIDTH:
        return "".join(f"{key:<9} {words}"[:width] + "\n" for key, words in keys)
    cells = [f"{key:<9} {words}"[: WIDTH // 2 - 2] for key, words in keys]
    half = -(-len(cells) // 2)
    rows = [
        f"{left:<{WIDTH // 2}}{cells[half + row] if half + row < len(cells) else ''}".rstrip()
        for row, left in enumerate(cells[:half])
    ]
    return "".join(f"{row}\n" for row in rows)
