"""On its own terminal: colours by its abilities, the bell, the title, and its state at exit."""

from __future__ import annotations

import os
import re
import signal
import termios
from collections.abc import Callable

import pytest

from tests.client.test_cli import Terminal, on_a_terminal

__all__ = ["on_a_terminal"]

Open = Callable[..., Terminal]
MODES = {
    "truecolor": {"TERM": "xterm-256color", "COLORTERM": "truecolor"},
    "256": {"TERM": "xterm-256color", "COLORTERM": ""},
    "16": {"TERM": "xterm", "COLORTERM": ""},
    "none": {"TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "1"},
}
SIXTEEN = {str(number) for start in (30, 40, 90, 100) for number in range(start, start + 8)}
NOT_COLOURS = {"", "0", "1", "2", "3", "4", "7", "22", "24", "27", "39", "49"}
WITHOUT_COLOURS = NOT_COLOURS - {"3", "24", "27"}
"""The terminal's own pair (39, 49), bold, dim and their end (22), and the marks of a choice: 4 and 7."""


def styles(shown: bytes) -> set[str]:
    """Return the numbers of all style codes in the output."""
    return {number for code in re.findall(rb"\x1b\[([0-9;]*)m", shown) for number in code.decode().split(";")}


def kinds(shown: bytes) -> set[str]:
    found = set()
    for code in re.findall(rb"\x1b\[([0-9;]*)m", shown):
        parts = code.decode().split(";")
        while parts:
            part = parts.pop(0)
            if part in ("38", "48"):
                depth = parts.pop(0)
                found.add({"2": "truecolor", "5": "256"}[depth])
                del parts[: 3 if depth == "2" else 1]
            elif part in SIXTEEN:
                found.add("16")
            else:
                assert part in NOT_COLOURS, part
    return found


@pytest.mark.parametrize("mode", [mode for mode in MODES if mode != "none"])
@pytest.mark.parametrize("theme", ["auto", "cave-light"])
def test_a_terminal_gets_the_colours_it_can_show(on_a_terminal: Open, mode: str, theme: str) -> None:
    menu = on_a_terminal(CAVE_THEME=theme, **MODES[mode])
    assert kinds(menu.read(until=b"Quit")) == {mode}


# Textual reads at import whether there are colours, and the theme without any.
@pytest.mark.parametrize("theme", ["auto", "ansi-light"])
def test_without_colours_the_choice_is_still_marked(on_a_terminal: Open, theme: str) -> None:
    menu = on_a_terminal(CAVE_THEME=theme, loads=True, **MODES["none"])
    seen = styles(menu.read(until=b"Quit"))
    assert seen <= WITHOUT_COLOURS
    assert "7" in seen


def test_a_chosen_theme_is_shown_in_sixteen_colours(on_a_terminal: Open) -> None:
    menu = on_a_terminal("--theme", "cave-high-contrast", loads=True, **MODES["16"])
    seen = menu.read(until=b"Quit")
    assert kinds(seen) == {"16"}
    assert re.search(rb"\x1b\[[0-9;]*40m", seen)


# Notifications

TITLE = b"\x1b]2;Cave\x07"
YOUR_TURN = b"\x1b]2;* Cave: your turn\x07"
ON_LOOK, ON_LOOK_AWAY = b"\x1b[I", b"\x1b[O"


def bells(shown: bytes) -> int:
    """How often the bell rang; the end of a title does not count."""
    return re.sub(rb"\x1b\][^\x07]*\x07", b"", shown).count(b"\x07")


def test_the_bell_rings_if_the_terminal_has_no_focus(on_a_terminal: Open) -> None:
    game = on_a_terminal(
        *("play", "-p", "Ann", "--bot", "rookie", "--seed", "k"),
        CAVE_BELL="away",
        CAVE_NOTIFY="osc777",
        CAVE_THE_CAVE_CONFIRM_END_TURN="off",
    )
    game.read(until=b"Pack and go")
    game.write(b"\r")
    game.read(until=b"YOUR TURN")
    for look, rings in ((ON_LOOK_AWAY, 1), (ON_LOOK, 0)):
        # A key counts as focus, so the loss of focus comes after it.
        game.write(b"e" + look)
        shown = game.read(until=b"waiting for") + game.read(until=b"YOUR TURN")
        assert bells(shown) == rings
        assert shown.count(b"\x1b]777;notify;Cave;The Cave: your turn\x07") == rings
        assert YOUR_TURN in shown
        assert TITLE in shown


# The terminal at exit

ALTERNATE, USUAL, CURSOR = b"\x1b[?1049h", b"\x1b[?1049l", b"\x1b[?25h"
KEEP_TITLE, GIVE_TITLE_BACK = b"\x1b[22;2t", b"\x1b[23;2t"
CRASHING = """
from client.app.screens.menu import MenuScreen
async def crash(self):
    raise RuntimeError("made by a test")
MenuScreen.action_help = crash
from client.cli import main
main([])
"""


def typing(terminal: Terminal) -> bool:
    """Whether the terminal echoes and is in line mode, as a shell expects."""
    modes = termios.ECHO | termios.ICANON | termios.ISIG
    flags: int = termios.tcgetattr(terminal.ours)[3]
    return flags & modes == modes


def assert_restored(shown: bytes) -> None:
    """The main screen, the cursor, the mouse and the title are restored."""
    for on, off in ((ALTERNATE, USUAL), (KEEP_TITLE, GIVE_TITLE_BACK), (b"\x1b[?25l", CURSOR)):
        assert shown.rindex(on) < shown.rindex(off), (on, off)
    for mode in (b"1000", b"1004", b"2004"):
        assert shown.rindex(b"\x1b[?" + mode + b"h") < shown.rindex(b"\x1b[?" + mode + b"l"), mode


@pytest.mark.parametrize("how", ["q", "SIGTERM", "SIGHUP", "SIGINT"])
def test_the_terminal_is_restored(on_a_terminal: Open, how: str) -> None:
    menu = on_a_terminal(loads=how == "q")
    shown = menu.read(until=b"Quit")
    assert not typing(menu)
    if how == "q":
        menu.write(b"q")
    else:
        os.kill(menu.process.pid, getattr(signal, how))
    status, rest = menu.end()
    assert status == 0
    assert_restored(shown + rest)
    assert typing(menu)


def test_the_terminal_is_restored_after_a_crash(on_a_terminal: Open) -> None:
    menu = on_a_terminal(program=("-c", CRASHING))
    shown = menu.read(until=b"Quit")
    menu.write(b"?")
    status, rest = menu.end()
    assert b"made by a test" in rest.rpartition(USUAL)[2]
    assert_restored(shown + rest)
    assert typing(menu)
    assert status == 1
