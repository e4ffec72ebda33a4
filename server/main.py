"""Runs a host as a process: options, signals, exit status."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import datetime
import gc
import getpass
import logging
import os
import secrets
import sys
import threading
import time
from collections.abc import Callable, Sequence
from io import RawIOBase
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from cave import codec, keys, lan
from cave.game import Json
from cave.wire import DEFAULT_PORT
from server import logs, system
from server.clients.access import Access
from server.clients.bans import ADDRESSES_FILE, Bans, kept_in
from server.clients.limits import Limits, chosen
from server.host import Host, Options
from server.journal.data_folder import DataFolderError
from server.journal.sqlite import SqliteJournal, discard
from server.keys import (
    BANNED_FILE,
    INVITED_FILE,
    PAIR_FILE,
    BadKeys,
    fresh_pair,
    host_pair,
    read_list,
)
from server.lan.announce import Announcer
from server.news import News, Window
from server.open_table import OpenTableOptions
from server.ports import HostError, listening_address
from server.service import Service
from server.stats import Counts
from server.supervisor import Start, supervise

LOG = logging.getLogger("cave.main")
NEWS_EVERY = 0.5
"""Seconds between two looks for news."""

Ready = Callable[[dict[str, Json]], None]


class GuestList(Struct, frozen=True):
    """Who may connect: with ``invited_only`` the clients in ``invited`` and in the folder's list. Bans are
    saved in that ``folder``, too. ``owners`` may always connect.
    """

    folder: Path | None = None
    invited_only: bool = False
    invited: tuple[str, ...] = ()
    owners: tuple[str, ...] = ()

    def bans(self) -> Bans:
        """The owners' bans; raises BadKeys."""
        if self.folder is None:
            return Bans()
        return kept_in(self.folder, self.owners, lambda: time.time() - time.monotonic())

    def access(self, counts: Counts, bans: Bans, keeps: Callable[[str], bool]) -> Access:
        """The access control. Clients whose key ``keeps`` accepts get in whatever others at their address do.
        Raises BadKeys.
        """
        invited: frozenset[str] | None = None
        if self.invited_only:
            invited = frozenset((*self.invited, *self.owners))
            if self.folder is not None:
                invited |= read_list(self.folder / INVITED_FILE)
        return Access(invited=invited, bans=bans, keeps=keeps, counts=counts)


def run_host(
    options: Options,
    *,
    name: str = "",
    limits: Limits | None = None,
    guests: GuestList | None = None,
    ready: Ready | None = None,
    with_parent: bool = False,
    data: Path | None = None,
    secret: str = "",
    tidy: bool = False,
    announce: Sequence[str] | None = None,
    open_table: OpenTableOptions | None = None,
    window: Window | None = None,
    log_level: int = logging.WARNING,
    start: Start | None = None,
) -> int:
    """Run a host until it is told to stop; returns the exit status.

    Tables are saved in the folder ``data``; without one they last as long as the host. Seat keys are
    derived from the ``secret``, which should be the same in the next run. With ``tidy`` the folder is
    deleted when the host stops and no game in it is unfinished. With ``announce`` the host is announced on
    the local network, at these addresses only if there are any. With ``open_table`` the host keeps such a
    table open; raises BadData or BadMessage if it cannot. News goes to the ``window``.

    ``ready`` is called with the door's line when clients can connect; without it the line is printed once.
    SIGINT and SIGTERM stop the host, and with ``with_parent`` the end of standard input, too. If the host
    cannot run, it prints one sentence to standard error, and the status is 2, or 3 if it was running
    already. With ``start`` a supervisor says whether the host has run before.
    """
    counts = Counts()
    start = start or Start()
    guests = guests or GuestList()
    if guests.invited_only and options.pair is None:
        # Without encryption clients have no keys, so everybody would get in.
        print("--invited-only and --invite need encryption: leave --no-encryption out.", file=sys.stderr)
        return 2
    try:
        bans = guests.bans()
        journal = None if data is None else SqliteJournal(data)
    except (BadKeys, DataFolderError) as error:
        print(error, file=sys.stderr)
        return 2
    service = Service(
        name or _usual_name(),
        random_text=lambda: secrets.token_hex(16),
        stamp=lambda: datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        limits=limits,
        owners=guests.owners,
        secret=secret,
        counts=counts,
        journal=journal,
        open_table=open_table,
        bans=bans,
    )
    for sentence in (*(journal.problems if journal else ()), *service.restore()):
        print(sentence, file=sys.stderr, flush=True)
    # Reading sys.stdin holds a lock that a normal exit waits for, so read the descriptor.
    stdin = os.fdopen(os.dup(0), "rb", buffering=0) if with_parent else None
    try:
        access = guests.access(counts, bans, service.keeps)
        with logs.to_stderr(log_level):
            work = _run(service, options, access, ready, stdin, announce, window, start)
            return system.run_loop(work)
    except BadKeys as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 0
    finally:
        if journal is not None:
            journal.close()
            if tidy and not service.unfinished:
                # A local game that is over, or never began, leaves no files.
                discard(journal.folder, PAIR_FILE, BANNED_FILE, ADDRESSES_FILE)


async def _run(
    service: Service,
    options: Options,
    access: Access,
    ready: Ready | None,
    stdin: RawIOBase | None,
    announce: Sequence[str] | None,
    window: Window | None,
    start: Start,
) -> int:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    system.on_signals(loop, stop.set)
    try:
        if start.port:
            options = replace(options, port=start.port)
        host = Host(service, options, access)
        line = await host.open()
    except HostError as error:
        print(error, file=sys.stderr)
        return 2
    # What is loaded now stays, so the garbage collector can skip it.
    gc.freeze()
    gc.enable()
    announcer: Announcer | None = None
    telling: asyncio.Task[None] | None = None
    try:
        # First, so that whoever hears of the port can rely on the supervisor.
        start.opened(int(line["port"]))
        if start.after:
            LOG.warning(logs.event("restarted", after=start.after, port=line["port"]))
        if ready is not None:
            ready(line)
        elif not start.after:
            _print_line(line)
        if stdin is not None:
            threading.Thread(target=_wait_for_end, args=(stdin, loop, stop), daemon=True).start()
        announcer = _announcer(service, options, line, announce)
        if window is not None:
            telling = asyncio.create_task(_tell(News(service.clients, window.empty), window.tell))
        await host.serve(stop)
    except HostError as error:
        print(error, file=sys.stderr)
        return 3
    finally:
        if telling is not None:
            telling.cancel()
        farewell = asyncio.create_task(announcer.close()) if announcer else None
        await host.close()
        if farewell is not None:
            await farewell
    return 0


async def _tell(news: News, tell: Callable[[str], None]) -> None:
    """Write news to the window. An error here stops the news and nothing else."""
    try:
        sentences = news.restored
        while True:
            for sentence in sentences:
                tell(f"{datetime.datetime.now():%H:%M}  {sentence}")
            await asyncio.sleep(NEWS_EVERY)
            sentences = news.look(time.monotonic())
    except Exception as error:
        LOG.error(logs.stumble(error))


def _announcer(
    service: Service, options: Options, line: dict[str, Json], only: Sequence[str] | None
) -> Announcer | None:
    listening = listening_address(options.bind, open_to_all=True)
    if only is None or not lan.may_announce(listening, only):
        return None

    def notice() -> lan.Notice:
        return lan.notice(service.name, str(line["public_key"]), service.facts())

    return Announcer(notice, listening, line["port"], only)


def _wait_for_end(stdin: RawIOBase, loop: asyncio.AbstractEventLoop, stop: asyncio.Event) -> None:
    with contextlib.suppress(OSError):
        while stdin.read(4096):
            pass
    with contextlib.suppress(RuntimeError):  # The loop is closed: the host has stopped already.
        loop.call_soon_threadsafe(stop.set)


def _print_line(line: dict[str, Json]) -> None:
    with contextlib.suppress(BrokenPipeError):
        sys.stdout.buffer.write(codec.encode(line) + b"\n")
        sys.stdout.flush()


def _usual_name() -> str:
    try:
        return f"{getpass.getuser()}'s host"
    except (ImportError, KeyError, OSError):
        return "Cave host"


def main(arguments: Sequence[str] | None = None) -> int:
    """``python -m server``: run a host; returns the exit status."""
    parser = argparse.ArgumentParser("server", description="Host cave games.")
    parser.add_argument("--port", type=int, default=DEFAULT_PORT, help="first of three ports; 0: any free")
    parser.add_argument("--bind", default="127.0.0.1", help="address to listen on")
    parser.add_argument("--name", default="", help="name shown to others")
    parser.add_argument("--records", type=Path, help="folder for the records of finished games")
    parser.add_argument("--bot-pause", type=float, default=0.0, help="minimum seconds for a bot's move")
    parser.add_argument("--limit", action="append", default=[], metavar="NAME=NUMBER", help="such as rate=20")
    parser.add_argument("--with-parent", action="store_true", help="stop when standard input ends")
    parser.add_argument("--data", type=Path, help="folder for tables; without it they end with the host")
    parser.add_argument("--tidy", action="store_true", help="delete that folder when all games are finished")
    parser.add_argument("--keys", type=Path, help="folder for the key and the ban list, if not --data")
    parser.add_argument("--no-encryption", action="store_true", help="unencrypted; on this machine only")
    parser.add_argument(
        "--force-no-encryption", action="store_true", help="unencrypted; others can read along"
    )
    parser.add_argument("--invited-only", action="store_true", help="let only invited clients in")
    parser.add_argument("--invite", action="append", default=[], metavar="KEY", help="a client to let in")
    parser.add_argument("--owner", action="append", default=[], metavar="KEY", help="the owner's client key")
    parser.add_argument("--watchers-chat", action="store_true", help="let watchers talk")
    parser.add_argument(
        "--guests-open", choices=("yes", "no"), default="yes", help="whether guests may open tables"
    )
    parser.add_argument("--announce", action="store_true", help="announce the host on the local network")
    parser.add_argument("--stats", action="store_true", help="log tables and counts")
    given = parser.parse_args(arguments)
    plain = given.no_encryption or given.force_no_encryption
    try:
        folder = given.keys or given.data
        pair = host_pair(folder) if folder else fresh_pair()
        invited, owners = (tuple(map(keys.read_key, each)) for each in (given.invite, given.owner))
        announce = lan.read_where(os.environ.get(lan.WHERE, "")) if given.announce else None
    except (BadKeys, lan.BadWhere) as error:
        print(error, file=sys.stderr)
        return 2
    except ValueError:
        parser.error("--invite and --owner need a client's key")
    try:
        limits = chosen(
            Limits(watchers_chat=given.watchers_chat, guests_open=given.guests_open == "yes"), given.limit
        )
    except ValueError as error:
        parser.error(str(error))
    options = Options(
        given.port,
        given.bind,
        given.records,
        max(0.0, given.bot_pause),
        pair=None if plain else pair,
        forced=given.force_no_encryption,
        stats=given.stats,
    )
    return supervise(
        lambda start: run_host(
            options,
            name=given.name,
            limits=limits,
            guests=GuestList(folder, given.invited_only, invited, owners),
            with_parent=given.with_parent,
            data=given.data,
            secret=pair.secret,
            tidy=given.tidy,
            announce=announce,
            log_level=logging.INFO if given.stats else logging.WARNING,
            start=start,
        )
    )
