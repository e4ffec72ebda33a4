"""The commands of line mode: their names and functions, and how input is matched to them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from difflib import get_close_matches
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from client.plain.console import parse_number

When = Literal["always", "begun", "seated", "due"]
"""When a command works: always, once the game has begun, then only for players, or on this seat's turn."""


class LineCommand(Struct, frozen=True):
    """``name`` is typed, or one of ``also``; ``more`` shows the arguments, ``does`` the purpose.

    ``do`` gets the arguments, in lower case unless ``as_typed``. ``old`` are former names, which scripts may
    still use and no help shows. ``in_replay``: the command only looks at the game, so replays have it, too.
    ``spelled_out``: an irreversible command that accepts no abbreviation.
    """

    name: str
    does: str
    do: Callable[[str], Awaitable[None]]
    more: str = ""
    also: tuple[str, ...] = ()
    old: tuple[str, ...] = ()
    when: When = "due"
    in_replay: bool = False
    as_typed: bool = False
    spelled_out: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name, *self.also, *self.old)

    @property
    def for_watchers(self) -> bool:
        """Whether watchers can use it."""
        return self.when in ("always", "begun")

    @property
    def usage(self) -> str:
        return f"{self.name} {self.more}".strip()

    @property
    def help(self) -> str:
        also = f" Also: {', '.join(self.also)}." if self.also else ""
        return f"{self.usage}: {self.does}.{also}"


class LineCommands:
    """All commands, in the order of the help, ``order`` first; with duplicate names, the first one counts."""

    def __init__(self, commands: Iterable[LineCommand], order: Sequence[str] = ()) -> None:
        named: dict[str, LineCommand] = {}
        taken: set[str] = set()
        for command in commands:
            also = tuple(word for word in command.also if word not in taken)
            named.setdefault(command.name, replace(command, also=also))
            taken.update(command.names)
        first = [named.pop(name) for name in order]
        self._all = (*first, *named.values())

    def __iter__(self) -> Iterator[LineCommand]:
        return iter(self._all)

    def find(self, word: str) -> LineCommand | None:
        """Return the command of this name, or the only one with this prefix."""
        for command in self:
            if word in command.names:
                return command
        shortened = (command for command in self if not command.spelled_out)
        begun = [command for command in shortened if any(name.startswith(word) for name in command.names)]
        return begun[0] if len(begun) == 1 else None

    def unknown_command_words(self, word: str) -> str:
        """Return the message for an unknown command, with the nearest one."""
        begun = [command.name for command in self if command.name.startswith(word)]
        if len(begun) > 1:
            return f"{word} could be {', '.join(begun[:-1])} or {begun[-1]}."
        meant = {name: command.name if name in command.old else name for command in self for name in command.names}
        near = get_close_matches(word, meant, 1, 0.6)
        hint = f" Did you mean {meant[near[0]]}?" if near else ""
        return f"There is no command {word[:40]}.{hint} Type help for all commands."

    def help(self, word: str, *, watching: bool = False) -> list[str]:
        """Return the help of one command, or of all (for a ``watching`` user only the useful ones)."""
        if not word:
            lines = [command.help for command in self if command.for_watchers or not watching]
            return [*lines, "You can shorten a command as long as it is clear."]
        command = self.find(word)
        return [self.unknown_command_words(word) if command is None else command.help]


SCREENFUL = 22  # lines that fit on the smallest screen above the input line
FROM = "from"
NOTHING_FITS = "Nothing that you can do now has these words in it; type moves for everything."


class Option(msgspec.Struct, frozen=True):
    """A line of a numbered list; long lists group them by ``kind``."""

    text: str
    do: Callable[[], Awaitable[object]]
    kind: str = ""

    def option_matches(self, words: Sequence[str]) -> bool:
        text = f"{self.kind} {self.text}".casefold()
        return all(word in text for word in words)


def numbered_options(options: Sequence[Option], wanted: str = "") -> list[tuple[int, str]]:
    """Return numbered lines of the options: all, or those with the ``wanted`` words. Each line comes with
    the number of its option, 0 if it has none.

    More than a screenful takes two steps: first the kinds, then the options of one kind. A longer list
    continues ``from`` a number.
    """
    head, goes_on, start = wanted.rpartition(FROM)
    first = parse_number(start.strip()) if goes_on else None
    words = (wanted if first is None else head).split()
    found = [(number, each) for number, each in enumerate(options, 1) if each.option_matches(words)]
    of_kind = [(number, each) for number, each in found if each.kind == " ".join(words)]
    found = [(number, each) for number, each in of_kind or found if number >= (first or 1)]
    if not found and words:
        return [(0, NOTHING_FITS)]
    kinds = Counter(each.kind for _, each in found)
    if len(found) > SCREENFUL and len(kinds) > 1 and first is None:
        return [(0, f"{kind}: {count}, type moves {kind}") for kind, count in kinds.items()]
    told = [(number, f"{number} {each.text}") for number, each in found[:SCREENFUL]]
    if len(found) > SCREENFUL:
        then = " ".join(["moves", *words, FROM, str(found[SCREENFUL][0])])
        more = f"{len(found) - SCREENFUL} more: type {then}, or moves and a word to look for."
        told.append((0, more))
    return told
