"""A console for tests of the line mode: scripted input, recorded output."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from client.games.the_cave.face import FACE
from client.games.the_cave.lines import CaveLines
from tests import forked
from tests.client.test_cli import PATIENCE, environment


class Script:
    """The console protocol of ``client.plain``, fed with lines; the output is in ``said``."""

    def __init__(self, *lines: str, live: bool = False) -> None:
        self.live = live
        self.said: list[str] = []
        self.gone: list[str] = []
        self._lines = list(lines)
        self._nothing_left = asyncio.Event()
        if not lines:
            self._nothing_left.set()

    async def read_line(self, prompt: Callable[[], str]) -> str | None:
        if not self._lines:
            return None
        line = self._lines.pop(0)
        if not self._lines:
            self._nothing_left.set()
        self.said.append(f"{prompt()}{line}")
        return line

    def give_back(self, line: str) -> None:
        self._lines.insert(0, line)
        self._nothing_left.clear()

    async def wait_for_end(self, _matters: Callable[[str], bool]) -> None:
        await self._nothing_left.wait()

    async def write_lines(self, *lines: str) -> None:
        self.said += lines

    async def clear(self) -> None:
        self.gone += self.said
        self.said.clear()


def table(session: Any, script: Script, **more: Any) -> CaveLines:
    """The line mode of a table of The Cave."""
    return CaveLines(FACE, session, script, **more)


async def talk(session: Any, *lines: str, **more: Any) -> list[str]:
    """The output at a table when these lines are typed."""
    script = Script(*lines, live=True)
    async with asyncio.timeout(PATIENCE):
        await table(session, script, **more).run()
    return script.said


def after(said: Sequence[str], typed: str) -> list[str]:
    """Return the answer to a line: the output up to the next prompt."""
    start = next(at for at, line in enumerate(said) if line.endswith(f"> {typed}") or line == f"? {typed}")
    answer = []
    for line in said[start + 1 :]:
        if re.match(r"(\w+ )*\w*[>?] ", line):
            break
        answer.append(line)
    return answer


def assert_calm(transcript: str) -> None:
    """Check for short lines of text: nothing that moves a cursor or rings, single spaces, no torn words."""
    for line in transcript.splitlines():
        assert line.isprintable(), repr(line)
        assert "  " not in line, repr(line)
        assert line == line.strip() or line.endswith(("> ", "? ")), repr(line)
        assert "None" not in line
        assert "{" not in line, repr(line)
        assert len(line) < 250, repr(line)


class Player:
    """A program that plays through pipes as a person might: it reads the lists and types numbers.

    With its own environment it starts with nothing loaded.
    """

    def __init__(self, home: Path, *arguments: str, seed: int = 0, env: Mapping[str, str] | None = None) -> None:
        begin = None if env else forked.cave(arguments, environment(home))
        self.process = subprocess.Popen(
            [sys.executable, "-m", "client.cli", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=env or environment(home),
            preexec_fn=begin,
        )
        self.transcript = ""
        self._rng = Random(seed)

    def answer(self) -> str:
        """The output up to the next prompt, or the end."""
        said = ""
        while not re.search(r"(^|\n)[>?] $", said):
            more = self.process.stdout.read1(65536).decode()  # type: ignore[attr-defined]
            if not more:
                break
            said += more
        self.transcript += said
        return said

    def type(self, line: str) -> str:
        self.process.stdin.write(f"{line}\n".encode())
        self.process.stdin.flush()
        return self.answer()

    def play(self) -> str:
        """Play to the score sheet; return the last output."""
        said = self.answer()
        while "wins with" not in said and "share the win" not in said and "nobody wins" not in said:
            said = self.type(self._next(said))
        return said

    def _next(self, said: str) -> str:
        """Return a sensible line: tokens and tiles while the consumables last, then home for more."""
        if said.endswith("? "):
            return "1"
        listed = dict(re.findall(r"^(\d+) (.+)$", said, re.M))
        if not listed:
            return "moves"
        if "packs" in said:
            return "1"
        consumables = re.search(r"Consumables for (\d)", self.transcript[self.transcript.rfind("AP left") :])
        hungry = consumables is None or int(consumables[1]) < 3
        for wish in self._wishes(hungry, at_base="pack the backpack" in said):
            able = [number for number, text in listed.items() if text.startswith(wish)]
            if able:
                return self._rng.choice(able)
        return "1"

    def _wishes(self, hungry: bool, *, at_base: bool) -> list[str]:
        if hungry and at_base:
            return ["pack", "end"]
        if hungry:
            route = re.search(r"By (-?\d+,-?\d+)", self.type("home"))
            side = re.search(rf"^(\w+): .* at {route[1]},", self.type("look"), re.M) if route else None
            return [f"move {side[1].lower()}" if side else "move", "end", "force"]
        return ["dive", "photograph", "discover", "move", "end", "force"]

    def end(self) -> int:
        """Close the input; the exit status."""
        self.process.stdin.close()
        self.answer()
        return self.process.wait(PATIENCE)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(PATIENCE)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()
