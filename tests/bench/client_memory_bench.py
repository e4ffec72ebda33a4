"""The memory of a client over a long session: ten games in one run, with random keys.

They are of each kind in turn, against bots or solo, at 100x30. The figure is VmRSS of the client's process:
Python, the libraries, the screens and their caches. Host and bots are separate processes. The keys open help,
palette, chat, log, settings, lists and questions, too. Then the game is left for the menu, where the next one
begins. No key changes a setting or leaves the program.

Run: ``python -m tests.bench client-memory [--games 10] [--keys 510] [--seed 26]`` (about ten minutes)
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path
from random import Random
from time import sleep

from cave import games
from tests.terminal import Terminal

CAVE = str(Path(sys.executable).with_name("cave"))
WIDTH, HEIGHT = 100, 30
MARKS = (300, 1_500, 3_000, 5_100)
MOST, GROWTH = 110.0, 8.0
"""Targets in MiB: the most after 3,000 keys, and the growth since 1,500."""
KEYS = (
    *("Enter",) * 6,
    *("y",) * 6,
    *("x",) * 4,
    *("Escape", "Tab", "Space", "n", "Up", "Down", "Left", "Right") * 2,
    *("BTab", "Home", "End", "PPage", "NPage", "BSpace", "DC", "F1", "C-p"),
    *"abcdefghijklmnoprstuvwzUFZ0123456789?!,.:+-%",
)
"""The keys to press; more useful keys are listed more often."""
LOOKING = ("Up", "Down", "PPage", "NPage", "Home", "End", "Escape", "Escape")
PALETTE = "▔" * WIDTH
RESTS = 3
"""Consecutive checks that find the client asleep: it has handled the last key."""


class Player:
    """Presses random keys, game after game."""

    def __init__(self, terminal: Terminal, seed: int) -> None:
        self.terminal = terminal
        self.client = terminal.children()[0]
        self._rng = Random(seed)
        self._games = 0

    def begin(self) -> None:
        """Begin a game from the menu: each kind in turn."""
        self._press("p")
        self.terminal.wait_for("Which game")
        for key in ("Home", *["Down"] * (self._games % len(games.game_names())), "Enter"):
            self._press(key)
        if self._games < len(games.game_names()):
            self.terminal.wait_for("Learn it first")
            self._press("2")
        self.terminal.wait_for("ow well is the bot")
        self._press("Enter")
        if not self._games:
            self.terminal.wait_for("What is your name?")
            for key in (*"Ann", "Enter"):
                self._press(key)
        self._games += 1
        self.terminal.wait_for(_begun)

    def key(self) -> None:
        """Press a key that fits the screen."""
        screen = self.terminal.screen()
        if _is_menu(screen):  # a key has led there
            self.begin()
        elif screen.startswith(" Settings"):
            self._press(self._rng.choice(LOOKING))
        elif PALETTE in screen:
            self._press(self._rng.choice((*LOOKING, *"aeiou")))
        else:
            self._press(self._rng.choice(KEYS))

    def leave(self) -> None:
        """Go back to the menu from any screen over the table."""
        while not _is_menu(screen := self.terminal.screen()):
            if _leads_to_the_menu(screen):
                self._press("m")
                continue
            self._press("Escape")
            self._press("Escape")
            screen = self.terminal.screen()
            if not _is_menu(screen) and not _leads_to_the_menu(screen):
                self._press("q")

    def memory(self) -> dict[str, float]:
        """Return the client's memory in MiB."""
        lines = Path(f"/proc/{self.client}/status").read_text().splitlines()
        return {
            line.split()[0].rstrip(":"): int(line.split()[1]) / 1024
            for line in lines
            if line.startswith(("VmRSS", "Rss"))
        }

    def _press(self, key: str) -> None:
        self.terminal.keys(key)
        if key == "Escape":
            sleep(0.15)  # sooner, the next key would be one with Alt
        rests = 0
        while rests < RESTS:
            sleep(0.005)
            state = Path(f"/proc/{self.client}/stat").read_text().rpartition(")")[2].split()[0]
            rests = rests + 1 if state == "S" else 0


def _is_menu(screen: str) -> bool:
    return "Play now" in screen and "Join a game" in screen


def _leads_to_the_menu(screen: str) -> bool:
    return "Leave to the menu" in screen or "Rematch" in screen


def _begun(screen: str) -> bool:
    return "Pack and go" in screen or "Rim space" in screen or "YOUR TURN" in screen


def told(player: Player, text: str) -> float:
    """Print the client's memory; return its VmRSS."""
    found = player.memory()
    print(
        f"{text:<24} {found['VmRSS']:7.1f} MiB"
        f"   (its own {found['RssAnon']:.1f}, of files {found['RssFile'] + found['RssShmem']:.1f})",
        flush=True,
    )
    return found["VmRSS"]


def measure(home: Path, games: int, keys: int, seed: int) -> bool:
    """Play and print; return whether the targets are met."""
    settings = {"COLORTERM": "truecolor", "CAVE_MDNS": "off"}
    terminal = Terminal([CAVE], home, width=WIDTH, height=HEIGHT, env=settings)
    at: dict[int, float] = {}
    try:
        terminal.wait_for(_is_menu)
        player = Player(terminal, seed)
        told(player, "menu")
        for number in range(games):
            player.begin()
            for pressed in range(1 + number * keys, 1 + (number + 1) * keys):
                player.key()
                if pressed in MARKS:
                    at[pressed] = told(player, f"{pressed:>5} keys")
            player.leave()
            told(player, f"after game {number + 1:>2}, in menu")
    finally:
        terminal.close()
    if 3_000 not in at:
        return True
    grown = at[3_000] - at[1_500]
    print(f"after 3,000 keys {at[3_000]:.1f} MiB (target: at most {MOST:.0f})")
    print(f"more than after 1,500 keys: {grown:.1f} MiB (target: at most {GROWTH:.0f})")
    return at[3_000] <= MOST and grown <= GROWTH


if __name__ == "__main__":
    parser = argparse.ArgumentParser("client-memory")
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--keys", type=int, default=510)
    parser.add_argument("--seed", type=int, default=26)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as made:
        sys.exit(not measure(Path(made), given.games, given.keys, given.seed))
