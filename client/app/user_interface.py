"""Prompts and messages of the course, for screens and line mode."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from cave.game import BadData
from client.face import Face
from client.launch.host_tables import TableLine
from client.launch.launcher import JoinedTable, Launcher
from client.launch.new_game import GamePlan
from client.launch.opening import Menu, Opening, ResumedGame, Visit
from client.lesson import LessonSession
from client.replay import Summary, batches_of_paths, record_files, summary_of
from client.settings.schema import Preferences
from client.table import Rejected

if TYPE_CHECKING:
    from client.lab.profile import Profile

TROUBLE = (ConnectionError, Rejected, BadData, OSError, ValueError)
"""Errors whose message is a sentence for the user."""
BACK = "Back"
Found = TypeVar("Found")


class UserInterface(ABC):
    """Base class: the part of screens and of line mode that the course of a run uses."""

    asks = True  # whether a user can answer and plays on
    lists_after = False  # whether ``None`` after a table returns to the menu, and does not quit

    def __init__(self, launcher: Launcher, preferences: Preferences, records: Path | None) -> None:
        self._launcher = launcher
        self._preferences = preferences
        self._records = records  # the folder of kept records

    @abstractmethod
    async def ask_menu(self, menu: Menu) -> Opening | None:
        """Ask what to open next."""

    @abstractmethod
    async def choose(
        self,
        question: str,
        entries: Sequence[tuple[str, str]],
        *,
        usual: int | None = None,
        keys: str = "",
        roles: Mapping[str, str] | None = None,
        heads: Sequence[str] = (),
    ) -> int | None:
        """Let the user choose from (label, detail) entries; None to go back. Enter chooses the ``usual`` one.
        Screens use ``keys`` as shortcuts; without keys, numbers. They colour words, and words that consist of
        some signs, by ``roles``, and head the columns.
        """

    @abstractmethod
    async def copy(self, line: str) -> str:
        """Copy a line for pasting; return the sentence that says where it is."""

    @abstractmethod
    async def ask_name(self) -> str | None:
        """Ask for the player's name if it is unknown; None to go back."""

    @abstractmethod
    async def ask_table(self, visit: Visit, lines: tuple[TableLine, ...]) -> JoinedTable | None:
        """Ask for a table of a host, by these ``lines``, and sit down at it."""

    @abstractmethod
    async def wants_it_open(self) -> bool:
        """Ask whether to reopen a game that the host has shelved."""

    @abstractmethod
    async def explain(self, face: Face) -> None:
        """Show how to play a game."""

    @abstractmethod
    async def show_profile(self, profile: Profile) -> None:
        """Show the player's profile."""

    @abstractmethod
    async def show_lesson(self, session: LessonSession) -> bool:
        """Show a lesson until the user leaves it; return whether it was completed."""

    @abstractmethod
    async def play(self, played: JoinedTable, *, plan: GamePlan | None = None, follow: bool = False) -> Opening | None:
        """Show a table until the user leaves it; ``plan`` is for a local game."""

    @abstractmethod
    async def show_record_or_ask(self, path: Path | None) -> Opening | None:
        """Show a record; without a path, ask for one."""

    @abstractmethod
    async def show_record(self, lines: bytes, title: str) -> Opening | None:
        """Show a record that is not in a file; return to the menu unless the user opens something else."""

    async def ask_address(self, visit: Visit) -> Visit | None:
        """Ask for the address of a host, if it is needed before its tables."""
        return visit

    async def wait(self, work: Coroutine[Any, Any, Found]) -> Found:
        return await work

    @abstractmethod
    async def watch(self, work: Callable[[Callable[[str], None]], Coroutine[Any, Any, None]]) -> None:
        """Wait for work that reports its progress, until it ends or the user stops it."""

    def remember(self, **changes: Any) -> None:
        """Save values in the background."""
        self._preferences.change(**changes)

    @abstractmethod
    async def ask_game(self) -> str | None:
        """Ask for a game; None to go back."""

    @abstractmethod
    async def resume(self, wanted: ResumedGame) -> Opening | None:
        """Resume a game."""

    def record_files(self) -> Sequence[Path]:
        return record_files(self._records) if self._records else []

    async def record_summaries(self) -> list[Summary]:
        found: list[Summary] = []
        for batch in batches_of_paths(await asyncio.to_thread(self.record_files)):
            found += await asyncio.to_thread(lambda few: list(map(summary_of, few)), batch)
        return found
