"""Hosts of the local network as lines to choose from, and messages if there are none."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from cave import games
from cave.wire import DEFAULT_PORT
from client.net.discovery import FoundHost
from client.net.known_hosts import Standing
from client.system import command_as_typed
from client.table import Closed, Missing, TableState
from client.wording import joined

HEADING = "Hosts on this network"
LOOKING = "Looking for hosts on this network ..."
NOTHING_FOUND = "No hosts found on this network."
INSTEAD = "Type the address or the ticket that the host shows."
LAST_TIME = "last visited"

_STANDING: dict[Standing, str] = {
    "known": "known",
    "new": "new to you",
    "changed": "OTHER KEY!",
    "plain": "not encrypted",
}


class HostLine(msgspec.Struct, frozen=True):
    """A host to choose. ``place`` is a short ``address``; ``alarm``: the user should check it."""

    address: str
    place: str
    name: str
    game: str
    free: str
    watching: str
    standing: str
    alarm: bool = False


def host_lines(hosts: Sequence[FoundHost]) -> tuple[HostLine, ...]:
    return tuple(_host_line(host) for host in sorted(hosts, key=lambda host: not host.free))


def host_words(number: int, line: HostLine) -> str:
    return f"{number} {line.name}, {line.game}, {line.free}, {line.watching}, {line.standing}: {line.place}"


def _host_line(host: FoundHost) -> HostLine:
    address = str(host.address)
    return HostLine(
        address,
        address.removesuffix(f":{DEFAULT_PORT}"),
        host.name,
        " and ".join(games.get_game(name).title for name in host.games) or "no game",
        f"{host.free} free",
        f"{host.watchers} watching",
        _STANDING[host.standing],
        host.standing == "changed",
    )


LINK_IS_LOST = "The link to the host is lost; reconnecting."
LINK_LOST = "LINK LOST, trying again"
SHUT_OUT = "NOT LET IN, trying again"
HOST_GONE: dict[Closed, str] = {
    "died": "HOST DIED",
    "left": "GAME SAVED",
    "ended": "GAME ENDED",
    "shelved": "GAME SAVED",
    "gone": "GAME GONE",
    "unclear": "HOST NOT UNDERSTOOD",
}
CLOSED = "TABLE CLOSED"
SET_ASIDE = "GAME SET ASIDE"
WOULD_HAPPEN = "THIS WOULD HAPPEN"  # the header while a lesson shows the result of a mistake
LESSON_PLAYS, LESSON_WAITS = "THE LESSON PLAYS", "DONE"
UNSAVED = "HOST CANNOT SAVE, game waits"

_CLOSED: dict[Closed, str] = {
    "": "The table is closed.",
    "stopped": "The host has stopped; the saved game continues here when it is back.",
    "ended": "The host's owner has ended this game.",
    "gone": "The host no longer has this game.",
    "unclear": "This version does not understand the host's messages.",
}


def header_words_without_turn(state: TableState) -> str:
    """Return the header's words while nothing can be played; empty during a turn, and after the end."""
    if (lesson := state.lesson) is not None and (lesson.shows or lesson.plays or lesson.done):
        return WOULD_HAPPEN if lesson.shows else LESSON_PLAYS if lesson.plays else LESSON_WAITS
    if state.ended:
        return ""
    if not state.halted:
        return UNSAVED if state.unsaved else ""
    if not state.cut_off:
        return SET_ASIDE
    if state.expects_host:
        return SHUT_OUT if state.missing == "refused" else LINK_LOST
    return HOST_GONE.get(state.closed, CLOSED)


def code_words(state: TableState) -> str:
    return f"{'They' if state.my_seats else 'You'} need the code, too." if state.code else ""


def missing_words(why: Missing, leave: str, *, watching: bool = False) -> str:
    """Return why the host is unreachable; ``leave`` says how to leave the table."""
    if why == "refused":
        return f"The host does not let you in. Ask its owner: this continues when it does, or {leave}."
    there = command_as_typed(f"{'watch' if watching else 'join'} ADDRESS")
    if why == "unproven":
        return (
            "The host's key does not match, or it is not accepting connections. If the owner "
            f"has set up a new host, {leave}, then type: {there}"
        )
    return f"No host answers. If it has moved, {leave}, then type: {there}"


def closed_words(why: Closed, leave: str) -> str:
    if why == "shelved":
        reopen = f"To open it again, {leave}, then type: {command_as_typed('resume')}"
        return f"Nobody played here for a time, so the host has saved the game. {reopen}"
    if why == "died":
        return f"The host has crashed. The game is saved: {leave}, then type: {command_as_typed('resume')}"
    if why == "left":
        resume = f"{leave}, then type: {command_as_typed('resume')}"
        return f"The terminal that ran the host has left. The game is saved. To continue, {resume}"
    return _CLOSED[why]


def seats_taken_words(state: TableState, seats: Sequence[int]) -> str:
    """Return that a player has resumed the seats with their keys, and perhaps left since then."""
    names = _join_names_of_seats(state, seats)
    if any(state.seats[seat].present for seat in seats):
        return f"Another terminal plays for {names} now."
    return f"Another terminal took the place of {names}, and is away."


def seats_freed_words(state: TableState, seats: Iterable[int]) -> str:
    return f"The host's owner has freed the seat of {_join_names_of_seats(state, seats)}."


def _join_names_of_seats(state: TableState, seats: Iterable[int]) -> str:
    return joined([state.seats[seat].known_name or f"seat {seat + 1}" for seat in seats])
