"""The commands of a conversation: their names, what they do, and which one is meant by what was typed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from difflib import get_close_matches
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

When = Literal["always", "begun", "seated", "due"]
"""When a command works: always, once the game has begun, then for who plays, or when this seat is to act."""


class Command(Struct, frozen=True):
    """``name`` is typed, or one of ``also``; ``more`` shows what may follow, ``does`` says what for.

    ``do`` gets what follows, in lower case unless ``as_typed``. ``old`` are names of earlier days, which
    scripts still use and no help shows. A command that is ``in_replay`` only looks at the game, and a
    replay has it, too. What cannot be taken back is only done when it is ``spelled_out``.
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
        """Every word that means it."""
        return (self.name, *self.also, *self.old)

    @property
    def for_watchers(self) -> bool:
        """Whether it is of use to who has no seat."""
        return self.when in ("always", "begun")

    @property
    def usage(self) -> str:
        """How it is typed."""
        return f"{self.name} {self.more}".strip()

    @property
    def help(self) -> str:
        """Its line in the help."""
        also = f" Also: {', '.join(self.also)}." if self.also else ""
        return f"{self.usage}: {self.does}.{also}"


class Commands:
    """All the commands of a conversation, in the order of the help.

    Of several commands of one name the first one counts, and of those with another name in common. Those
    named in ``order`` come first, as they stand there; the others follow.
    """

    def __init__(self, commands: Iterable[Command], order: Sequence[str] = ()) -> None:
        named: dict[str, Command] = {}
        taken: set[str] = set()
        for command in commands:
            also = tuple(word for word in command.also if word not in taken)
            named.setdefault(command.name, replace(command, also=also))
            taken.update(command.names)
        first = [named.pop(name) for name in order]
        self._all = (*first, *named.values())

    def __iter__(self) -> Iterator[Command]:
        return iter(self._all)

    def find(self, word: str) -> Command | None:
        """Return the command of this name, or the only one that begins so."""
        for command in self:
            if word in command.names:
                return command
        shortened = (command for command in self if not command.spelled_out)
        begun = [command for command in shortened if any(name.startswith(word) for name in command.names)]
        return begun[0] if len(begun) == 1 else None

    def unknown(self, word: str) -> str:
        """Return one sentence about what is no command, with the nearest one."""
        begun = [command.name for command in self if command.name.startswith(word)]
        if len(begun) > 1:
            return f"{word} could be {', '.join(begun[:-1])} or {begun[-1]}."
        meant = {
            name: command.name if name in command.old else name for command in self for name in command.names
        }
        near = get_close_matches(word, meant, 1, 0.6)
        hint = f" Did you mean {meant[near[0]]}?" if near else ""
        return f"There is no command {word[:40]}.{hint} Type help for all commands."

    def help(self, word: str, *, watching: bool = False) -> list[str]:
        """Return the help: of one command, or the list of all; for who is ``watching`` of those that are
        of use.
        """
        if not word:
            lines = [command.help for command in self if command.for_watchers or not watching]
            return [*lines, "You can shorten a command as long as it is clear."]
        command = self.find(word)
        return [self.unknown(word) if command is None else command.help]
