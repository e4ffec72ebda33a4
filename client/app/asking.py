"""How a person is asked and shown something, on screens and in line mode alike."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from cave.game import BadData
from client.face import Face
from client.launch.host_tables import TableLine
from client.launch.launcher import Launcher, Played
from client.launch.new_game import GamePlan
from client.launch.opening import Menu, Opening, Resumed, Visit
from client.lesson import LessonSession
from client.replay import Summary, batches_of_paths, record_files, summary_of
from client.settings.schema import Preferences
from client.table import Rejected

if TYPE_CHECKING:
    from client.lab.profile import Profile

TROUBLE = (ConnectionError, Rejected, BadData, OSError, ValueError)
"""Errors that carry a sentence for a person."""
BACK = "Back"
Found = TypeVar("Found")


class Asking(ABC):
    """The parts of screens and line mode that the course of a run needs."""

    asks = True  # whether there is somebody to ask who plays on
    lists_after = False  # whether ``None`` after a table means that it was left, not the program

    def __init__(self, launcher: Launcher, preferences: Preferences, records: Path | None) -> None:
        self._launcher = launcher
        self._preferences = preferences
        self._records = records  # the folder of the kept ones

    @abstractmethod
    async def menu(self, menu: Menu) -> Opening | None:
        """Ask what to open."""

    @abstractmethod
    async def choose(
        self, question: str, entries: Sequence[tuple[str, str]], *, usual: int | None = None, keys: str = ""
    ) -> int | None:
        """Ask for one of some (label, detail) entries; None to go back. Enter alone is the ``usual`` one.
        Screens have ``keys`` for them, else numbers.
        """

    @abstractmethod
    async def copy(self, line: str) -> str:
        """Put a line where it can be pasted from; return the sentence that says so."""

    @abstractmethod
    async def name(self) -> str | None:
        """Ask for the player's name, unless it is known; None to go back."""

    @abstractmethod
    async def table(self, visit: Visit, lines: tuple[TableLine, ...]) -> Played | None:
        """Ask which table of a host is meant, of those with these ``lines``, and sit down there."""

    @abstractmethod
    async def wants_it_open(self) -> bool:
        """Ask whether to reopen a game that the host has shelved."""

    @abstractmethod
    async def explain(self, face: Face) -> None:
        """Show how a game is played."""

    @abstractmethod
    async def show_profile(self, profile: Profile) -> None:
        """Show how this person does."""

    @abstractmethod
    async def lesson(self, session: LessonSession) -> bool:
        """Show a lesson until it is left; return whether it was done to its end."""

    @abstractmethod
    async def play(
        self, played: Played, *, plan: GamePlan | None = None, follow: bool = False
    ) -> Opening | None:
        """Show a table until it is left; ``plan`` is that of a local game."""

    @abstractmethod
    async def replay(self, path: Path | None) -> Opening | None:
        """Show a record; without a path ask for it."""

    @abstractmethod
    async def show_record(self, lines: bytes, title: str) -> Opening | None:
        """Show a record that is in no file; the menu if nothing else is opened from there."""

    async def address(self, visit: Visit) -> Visit | None:
        """Ask for the address of a host, if that comes before its tables."""
        return visit

    async def wait(self, work: Coroutine[Any, Any, Found]) -> Found:
        """Wait for work that may take long."""
        return await work

    @abstractmethod
    async def watch(self, work: Callable[[Callable[[str], None]], Coroutine[Any, Any, None]]) -> None:
        """Wait for work that says how far it is, until it is done or the person stops it."""

    def remember(self, **changes: Any) -> None:
        """Save values without being asked to."""
        self._preferences.change(**changes)

    @abstractmethod
    async def game(self) -> str | None:
        """Ask for a game; None to go back."""

    @abstractmethod
    async def resume(self, wanted: Resumed) -> Opening | None:
        """Continue a game."""

    def record_files(self) -> Sequence[Path]:
        return record_files(self._records) if self._records else []

    async def summaries(self) -> list[Summary]:
        found: list[Summary] = []
        for batch in batches_of_paths(await asyncio.to_thread(self.record_files)):
            found += await asyncio.to_thread(lambda few: list(map(summary_of, few)), batch)
        return found
