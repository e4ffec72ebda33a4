"""Completion of what is typed in a shell: the scripts, and what there is to choose from on this machine."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    add_completion_class,
    get_completion_class,
)

if TYPE_CHECKING:
    from cave.game import GameInfo

VARIABLE = "_CAVE_COMPLETE"
"""The command looks at this when a script asks it for completions; made of its name."""
MOST = 50
BREAKS = ("=", ":")
"""At these Bash takes a word apart."""

Items = list["CompletionItem[str]"]


class Bash(BashComplete):
    """Bash takes ``choke_cost=2`` and ``bot:60`` for three words, of which it completes the last one."""

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the words as they were typed."""
        args, last = super().get_completion_args()
        *args, incomplete = joined([*args, last])
        self._before = incomplete.removesuffix("" if last in BREAKS else last)
        return args, incomplete

    def format_completion(self, item: CompletionItem[str]) -> str:
        """Return the text that Bash puts in place of its own last word."""
        return f"{item.type},{item.value.removeprefix(self._before)}"


class Fish(FishComplete):
    """Fish's script would take a word apart at its commas."""

    source_template = FishComplete.source_template.replace('split ","', 'split --max 1 ","')


add_completion_class(Bash)
add_completion_class(Fish)


def joined(words: Sequence[str]) -> list[str]:
    """Return the words with those put together again that were one with a ``=`` or ``:`` in it; what is given
    to an option in this way is a word of its own.
    """
    found: list[str] = []
    for word in words:
        if found and not found[-1].startswith("-") and (word in BREAKS or found[-1].endswith(BREAKS)):
            found[-1] += word
        else:
            found.append(word)
    return found


def script(command: click.Command, shell: str) -> str:
    """Return the script that a shell reads to complete the command's words."""
    made = get_completion_class(shell)
    assert made is not None
    return made(command, {}, "cave", VARIABLE).source()


def records(_context: click.Context, begun: str) -> Items:
    """Return the kept records of that beginning, the newest first, and all other files."""
    from client.replay import records as kept_records
    from client.settings import folders

    found = kept_records.files(folders.records_folder())[:MOST]
    kept = [CompletionItem(str(path)) for path in found if str(path).startswith(begun)]
    # What bash makes of the word for files would forget the names before it.
    return [CompletionItem(begun, type="file"), *kept]


def game_names(_context: click.Context, begun: str) -> Items:
    """Return the games that can be played."""
    from cave import games

    return _of(begun, ((name, games.info(name).title) for name in games.names()))


def rules(game: GameInfo, begun: str) -> Items:
    """Return house rules of the game with their values."""
    from client.launch import house_rules

    return _of(begun, house_rules.help_rows(game))


def all_levels(_context: click.Context, begun: str) -> Items:
    """Return levels of the bots of all games."""
    from cave import bots

    return _of(begun, ((level, "") for level in bots.levels()))


def levels(game: GameInfo, begun: str) -> Items:
    """Return the levels of the game's bots, after those that were named and their commas."""
    before, comma, _ = begun.rpartition(",")
    return _of(begun, ((f"{before}{comma}{level}", "") for level in game.bots))


def absences(_context: click.Context, begun: str) -> Items:
    """Return the ways to treat players who are away."""
    from cave import bots

    levels = [(f"bot:60:{level}", f"a bot ({level}) plays") for level in bots.levels()]
    ways = [("wait", "for them"), ("bot:60", "a bot plays"), *levels, ("skip:60", "turns are skipped")]
    ways += [(f"{way}:idle", f"{what}, for idle players too") for way, what in ways[1:]]
    return _of(begun, ways)


def limits(_context: click.Context, begun: str) -> Items:
    """Return limits of a host with their usual numbers."""
    from client.commands.limits import LIMITS

    return _of(begun, LIMITS)


def settings(_context: click.Context, begun: str) -> Items:
    """Return names of settings."""
    from client.games import all_settings

    return _of(begun, ((setting.name, setting.about) for setting in all_settings()))


def values(context: click.Context, begun: str) -> Items:
    """Return the values of the setting that was named."""
    from client.commands.settings import named
    from client.settings.schema import word_of

    setting = named(context.params.get("name") or "")
    return (
        _of(begun, ((word_of(value), words) for value, words in setting.choices.items())) if setting else []
    )


def tables(context: click.Context, begun: str) -> Items:
    """Return the unfinished games kept on this machine."""
    return _of(begun, _kept(_folder(context)))


def games(context: click.Context, begun: str) -> Items:
    """Return the unfinished games that can be continued: those on this machine, and those elsewhere with a
    seat.
    """
    from client.launch import held_seats
    from client.settings import folders

    held = held_seats.load(folders.data_folder()) if context.params.get("data") is None else []
    there: dict[str, str] = {}
    for each in reversed(held):
        if not each.local:
            there.setdefault(each.table, ", ".join(each.people))
    return _of(begun, {**there, **dict(_kept(_folder(context)))}.items())


def hosts(_context: click.Context, begun: str) -> Items:
    """Return the addresses of one's own hosts that run on this machine."""
    from client.launch.running_hosts import running
    from client.net.address import parse_address
    from client.settings import folders

    found = running(folders.data_folder())
    return _of(begun, ((str(parse_address(host.address)), host.name) for host in found))


def hosted(context: click.Context, begun: str) -> Items:
    """Return the tables of the hosts that run here."""
    from client.launch.running_hosts import running
    from client.settings import folders

    folder = context.params.get("data")
    known = [folder] if folder else [Path(host.data) for host in running(folders.data_folder())]
    return _of(begun, (kept for each in known for kept in _kept(each, at_work=True)))


def banned(context: click.Context, begun: str) -> Items:
    """Return the bans of the hosts that run here."""
    from cave.keys import ticket_form
    from client.launch.running_hosts import running
    from client.settings import folders
    from server.clients.bans import kept_in
    from server.keys import BadKeys

    folder = context.params.get("data")
    found: list[tuple[str, str]] = []
    for each in [folder] if folder else [Path(host.data) for host in running(folders.data_folder())]:
        with contextlib.suppress(BadKeys):
            bans = kept_in(each, (), lambda: 0.0)
            found += [(address, "address") for address in bans.addresses]
            found += [(ticket_form(key), "client") for key in bans.keys]
    return _of(begun, found)


def _folder(context: click.Context) -> Path:
    """Return the data folder that a command is about."""
    from client.settings import folders

    return context.params.get("data") or folders.data_folder()


def _kept(folder: Path, *, at_work: bool = False) -> list[tuple[str, str]]:
    """Return the tables in a data folder with who sits there, the latest first; only those that a host is
    ``at_work`` with where that is wished.
    """
    from client.commands.tables import who
    from server.journal import saved_games
    from server.journal.data_folder import DataFolderError, is_free

    found = []
    for kept in saved_games.unfinished(folder)[0]:
        with contextlib.suppress(DataFolderError):
            if not at_work or not is_free(kept.folder):
                found.append((kept.table, who(kept)))
    return found


def _of(begun: str, offered: Iterable[tuple[str, str]]) -> Items:
    """Return those of the words offered, each with its help, that have this beginning."""
    return [CompletionItem(word, help=words) for word, words in offered if word.startswith(begun)]
