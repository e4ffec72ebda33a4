"""Bytes from the terminal: however they are split, only whole keys are handled."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from itertools import pairwise
from queue import Queue
from threading import Event, Thread

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from textual import constants, events, messages
from textual._xterm_parser import XTermParser
from textual.message import Message

from client.tui.terminal import LONGEST, LONGEST_PASTE, MOST_WAITING, TerminalInput, TerminalWindow, read_input
from tests.client.test_cli import PATIENCE
from tests.effort import effort

PAUSE = None
"""Between pieces: nothing arrives for a while."""
Pieces = Sequence[bytes | None]

NO_KEYS: dict[str, Pieces] = {
    "not UTF-8": [b"\xff"],
    "a paste in Latin-1": [b"\x1b[200~caf\xe9\x1b[201~"],
    "the mouse in two pieces": [b"\x1b[<35;1", PAUSE, b"2;10M"],
    "the start of a paste in two pieces": [b"\x1b[20", PAUSE, b"0~xyz\x1b", PAUSE, b"[201~"],
    "a released key": [b"\x1b[120;1:3u"],
    "a released arrow": [b"\x1b[1;1:3A"],
    "a number of no character": [b"\x1b[9999999u"],
    "half a character": [b"\x1b[55296u"],
    "an unknown key": [b"\x1b[120~"],
    "an unknown arrow": [b"\x1b[97;1A"],
    "a colour": [b"\x1b]11;rgb:0/0/0\x1b\\"],
    "a title": [b"\x1b]lcaf\xc3\xa9\x07"],
    "a colour in pieces": [b"\x1b]", PAUSE, b"11;rgb:", PAUSE, b"0/0/0\x1b", PAUSE, b"\\"],
    "the version": [b"\x1bP>|xterm(390)\x1b\\"],
    "a picture": [b"\x1b_Gi=1;OK\x1b\\"],
    "PM": [b"\x1b^xyz\x1b\\"],
    "SOS": [b"\x1bXxyz\x1b\\"],
    "a string that a sequence cuts off": [b"\x1b]11;rgb\x1b[0n"],
    "attributes": [b"\x1b[?62;22c"],
    "more attributes": [b"\x1b[>41;390;0c"],
    "the status": [b"\x1b[0n"],
    "kitty's flags": [b"\x1b[?31u"],
    "the window": [b"\x1b[8;24;80t"],
    "an unknown sequence": [b"\x1b[5;6;7x"],
    "a long sequence": [b"\x1b[" + b"1;" * LONGEST + b"m"],
    "SS3 with a modifier": [b"\x1bO5A"],
    "an old report of the mouse": [b"\x1b[M xy"],
    "an old report from far right": [b"\x1b[M \xc3\xa9"],
    "an old report in pieces": [b"\x1b[M", PAUSE, b" ", PAUSE, b"xy"],
    "a report of urxvt": [b"\x1b[32;10;5M"],
    "a fourth button of the mouse": [b"\x1b[<128;5;5M\x1b[<128;5;5m"],
    "a size without pixels": [b"\x1b[48;24;80;0;0t\x1b[<35;5;5M"],
    "a size of nothing": [b"\x1b[48;0;0;0;0t\x1b[<35;5;5M"],
    "a control in one byte": [b"\x9b35;1M"],
    "a control in UTF-8": [b"\xc2\x9d11;x\xc2\x9c"],
}

KEYS: dict[str, tuple[Pieces, Sequence[str]]] = {
    "Escape": ([b"\x1b", PAUSE], ["escape"]),
    "Escape twice": ([b"\x1b\x1b", PAUSE], ["escape", "escape"]),
    "Escape and Ctrl-C in a hurry": ([b"\x1b\x03"], ["escape", "ctrl+c"]),
    "Escape and Ctrl-C in a string": ([b"\x1bPx\x1b\x03", b"\x03"], ["ctrl+c"]),
    "Latin-1, then a key": ([b"\xe9", b"x"], ["x"]),
    "UTF-8 in two pieces": ([b"\xc3", PAUSE, b"\xa9"], ["é"]),
    "an arrow in pieces": ([b"\x1b[", PAUSE, b"1", PAUSE, b";5A"], ["ctrl+up"]),
    "SS3 in pieces": ([b"\x1bO", PAUSE, b"P"], ["f1"]),
    "a kitty key in pieces": ([b"\x1b[12", PAUSE, b"0u"], ["x"]),
    "a pressed key": ([b"\x1b[120;1:1u"], ["x"]),
    "a repeated key": ([b"\x1b[120;1:2u"], ["x"]),
    "a repeated arrow": ([b"\x1b[1;5:2A"], ["ctrl+up"]),
    "another layout's alternate": ([b"\x1b[1084::118;5u"], ["ctrl+м"]),
    "a shifted alternate": ([b"\x1b[97:65;2;65u"], ["A"]),
    "the text of an input method": ([b"\x1b[0;;97:98u", b"\x1b[97;;99u"], ["a", "b", "c"]),
    "modifyOtherKeys": ([b"\x1b[27;5;122~"], ["ctrl+z"]),
    "Alt and a letter": ([b"\x1bx\x1bY"], ["alt+x", "alt+shift+y"]),
    "Alt and Enter": ([b"\x1b\r\x1b\n"], ["alt+enter", "alt+enter"]),
    "Shift and Home of rxvt": ([b"\x1b[7$"], ["shift+home"]),
    "F1 of the Linux console": ([b"\x1b[[A"], ["f1"]),
    "the keypad": ([b"\x1bOp"], ["0"]),
    "kitty's Enter": ([b"\x1b[13u", b"\x1b[57414u"], ["enter", "enter"]),
    "a control character in a sequence": ([b"\x1b[1;\x035", b"\x03"], ["5", "ctrl+c"]),
    "a control character in a string": ([b"\x1bP", b"\x03", b"\x03"], ["ctrl+c"]),
    "an arrow in a string": ([b"\x1b]0;x\x1b[A"], ["up"]),
    "Ctrl-C in a paste": ([b"\x1b[200~x\x1b[A", b"\x03", b"y"], ["ctrl+c", "y"]),
    "kitty's Ctrl-C in a paste": ([b"\x1b[200~x\x1b[120u", b"\x1b[99;5u", b"y"], ["ctrl+c", "y"]),
    "modifyOtherKeys' Ctrl-C in a paste": ([b"\x1b[200~x", b"\x1b[27;5;99~", b"y"], ["ctrl+c", "y"]),
    "Ctrl-C in a sequence of a paste": ([b"\x1b[200~\x1b[2", b"\x03", b"\x03"], ["ctrl+c"]),
    "usual keys": (
        [b"aZ?\r\t\x7f\x03\x1b[A\x1bOA\x1b[H\x1b[4~\x1b[3~\x1b[5~\x1b[Z\x1bOQ\x1b[15~\x1b[1;2D"],
        [
            *("a", "Z", "question_mark", "enter", "tab", "backspace", "ctrl+c", "up", "up", "home", "end"),
            *("delete", "pageup", "shift+tab", "f2", "f5", "shift+left"),
        ],
    ),
}


def played(pieces: Pieces) -> list[Message]:
    """Feed Textual's parser as the driver does."""
    terminal, parser = TerminalInput(), XTermParser()
    found: list[Message] = []

    def feed(texts: Iterable[str]) -> None:
        for text in texts:
            found.extend(parser.feed(text))

    for piece in pieces:
        if piece is not None:
            feed(terminal.feed(piece))
        elif terminal.may_be_escape:
            feed([terminal.escape_key()])
    return found


def keys(found: Iterable[Message]) -> list[str]:
    return [each.key for each in found if isinstance(each, events.Key)]


@pytest.mark.parametrize("kitty", [True, False])
@pytest.mark.parametrize("pieces", NO_KEYS.values(), ids=NO_KEYS)
def test_invalid_key_sequences_play_nothing(pieces: Pieces, kitty: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "DISABLE_KITTY_KEY", not kitty)
    found = played([*pieces, PAUSE, b"x"])
    assert keys(found) == ["x"]
    assert not any(isinstance(each, events.MouseDown | events.MouseUp) for each in found)


@pytest.mark.parametrize(("pieces", "wanted"), KEYS.values(), ids=KEYS)
def test_a_key_is_itself(pieces: Pieces, wanted: Sequence[str]) -> None:
    assert keys(played(pieces)) == wanted


def test_without_kitty_s_protocol_no_part_of_a_key_is_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "DISABLE_KITTY_KEY", True)
    for pieces, wanted in KEYS.values():
        assert set(keys(played([*pieces, PAUSE]))) <= {*wanted}


def test_reports_reach_the_app() -> None:
    found = played([b"\x1b[I\x1b[?2026;2$y\x1b[5;7R\x1b[<0;3;4M\x1b[<0;3;4m\x1b[O"])
    kinds = [type(each) for each in found]
    assert kinds == [
        events.AppFocus,
        messages.TerminalSupportsSynchronizedOutput,
        events.CursorPosition,
        events.MouseDown,
        events.MouseUp,
        events.AppBlur,
    ]
    (size,) = [each for each in played([b"\x1b[48;30:1;90;600;900t"]) if isinstance(each, events.Resize)]
    assert size.size == (90, 30)


def test_pasted_text_has_no_control_characters_and_an_end() -> None:
    def pasted(data: bytes) -> list[str]:
        return [each.text for each in played([data]) if isinstance(each, events.Paste)]

    assert pasted(b"\x1b[200~caf\xe9 \xc3\xa9\x00\x1b[31m\x07\x9b1;A\r\nB\x1b[201~") == ["caf é1;A\r\nB"]
    assert pasted(b"\x1b[200~\x1b[M\x1b[201~") == []
    (long,) = pasted(b"\x1b[200~" + b"x" * 2 * LONGEST_PASTE + b"\x1b[201~")
    assert long == "x" * LONGEST_PASTE


def test_a_burst_of_input_is_dropped_but_not_the_keys_that_quit() -> None:
    """Keys count until they are handled. The last size always counts."""
    handled: list[Message] = []

    class Base:
        def process_message(self, message: Message) -> None:
            handled.append(message)

    driver = TerminalWindow().filtering_driver(Base)()
    typed = [
        *played([b"\x1b[48;30;90;600;900t"]),
        *played([b"x" * 10_000]),
        *played([b"\x1b[<35;5;5M\x1b[5;5R\x1b[I" * 10_000]),
    ]
    for message in [*typed, *played([b"\x1b[48;40;90;600;900t\x03\x11"])]:
        driver.process_message(message)
    assert keys(handled) == ["x"] * MOST_WAITING + ["ctrl+c", "ctrl+q"]
    assert [each.size.height for each in handled if isinstance(each, events.Resize)] == [30, 40]
    del typed, message
    handled.clear()
    driver.process_message(*played([b"x"]))
    assert keys(handled) == ["x"]


ALL = [*NO_KEYS.values(), *(pieces for pieces, _ in KEYS.values())]


def test_only_a_lone_escape_has_a_delay() -> None:
    source, terminal = os.pipe()
    found: Queue[str] = Queue()
    ended = Event()
    reading = Thread(target=read_input, args=(source, ended.is_set, found.put))
    reading.start()
    for data, key in ((b"\x1b", "escape"), (b"\x1b[12", ""), (b"0u", "x"), (b"\x1b", "escape")):
        os.write(terminal, data)
        if key:
            assert keys(XTermParser().feed(found.get(timeout=PATIENCE))) == [key]
    ended.set()
    reading.join()
    for end in (source, terminal):
        os.close(end)


FRAGMENTS = [piece for pieces in ALL for piece in pieces if piece is not None]
SEQUENCES = st.from_regex(rb"\x1b[\[O][0-?]{0,12}[ -/]{0,2}[@-~]", fullmatch=True)
KITTY = st.from_regex(rb"\x1b\[[0-9:]{0,8}(;[0-9:]{0,5}){0,2}[u~A-HP-S]", fullmatch=True)
STREAMS = st.lists(st.one_of(st.sampled_from(FRAGMENTS), SEQUENCES, KITTY, st.binary(max_size=8))).map(b"".join)
CUTS = st.lists(st.integers(0, 200), max_size=20)


@settings(max_examples=effort(300, 3_000), deadline=None)
@given(STREAMS)
def test_each_piece_for_the_parser_is_whole(stream: bytes) -> None:
    parser = XTermParser()
    for piece in TerminalInput().feed(stream):
        found = list(parser.feed(piece))
        assert len(keys(found)) <= 1
        assert keys(parser.feed("x")) == ["x"], "the parser waited for more"
        for each in found:
            if isinstance(each, events.Key) and each.character is not None:
                assert not "\ud800" <= each.character <= "\udfff"
                assert not "\x80" <= each.character <= "\x9f"


@settings(max_examples=effort(300, 3_000), deadline=None)
@given(STREAMS, CUTS)
def test_splitting_the_input_changes_nothing(stream: bytes, cuts: list[int]) -> None:
    terminal = TerminalInput()
    ends = [0, *sorted(cut % (len(stream) + 1) for cut in cuts), len(stream)]
    found = [piece for start, end in pairwise(ends) for piece in terminal.feed(stream[start:end])]
    assert found == list(TerminalInput().feed(stream))


@settings(max_examples=effort(300, 3_000), deadline=None)
@given(st.one_of(SEQUENCES, KITTY, st.sampled_from([b"".join(filter(None, each)) for each in NO_KEYS.values()])))
def test_pauses_in_a_sequence_play_nothing_of_it(sequence: bytes) -> None:
    slowly = [piece for byte in sequence for piece in (bytes((byte,)), PAUSE if byte != 0x1B else b"")]
    assert keys(played(slowly)) == keys(played([sequence]))
