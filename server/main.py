"""Runs a host as a process: options, signals, exit status."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import gc
import getpass
import logging
import os
import secrets
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from io import RawIOBase
from pathlib import Path

from msgspec.structs import replace

from cave import codec, lan, processes
from cave.game import BadData, Json
from cave.keys import SIZE, read_key
from cave.lan import Notice
from cave.processes import run_loop
from server import logs, system
from server.clients.access import (
    INVITED_FILE,
    KEY_FILES,
    Access,
    BadKeys,
    Bans,
    KeyPair,
    load_bans,
    load_host_keys,
    make_key_pair,
    read_key_list,
)
from server.clients.limits import Limits
from server.host import Host
from server.host_news import HostNews, Window
from server.journal.database import FILE, DataFolderError
from server.journal.sqlite import SqliteJournal, delete_journal_files, discard_journal
from server.logs import LogCounts, event_line
from server.options import Options, parse_options
from server.ports import HostError, listening_address
from server.service import OpenTableOptions, Service
from server.supervisor import HostStart, print_complaint, run_supervised

LOG = logging.getLogger("cave.main")
NEWS_EVERY = 1.0  # seconds between checks for news

Ready = Callable[[dict[str, Json]], None]
Complain = Callable[[str], None]


def run_host(
    options: Options,
    pair: KeyPair,
    limits: Limits,
    *,
    ready: Ready | None = None,
    announce: Sequence[str] | None = None,
    open_table: OpenTableOptions | None = None,
    window: Window | None = None,
    log_level: int = logging.WARNING,
    start: HostStart | None = None,
    complain: Complain = print_complaint,
) -> int:
    """Run a host until it is stopped; return the exit status.

    The ``pair`` encrypts, and seat keys are derived from it. ``announce`` announces the host on the local
    network, only at these addresses if any. With ``open_table`` the host keeps such a table open; raises
    BadData or BadMessage if it cannot. News goes to the ``window``.

    ``ready`` is called with the door's line when clients can connect; the default prints it. SIGINT and
    SIGTERM stop the host. If it cannot run, ``complain`` is called with one sentence (default: standard
    error), and the status is 2, or 3 if it had been running. A supervisor passes ``start``.
    """
    counts = LogCounts()
    start = start or HostStart()
    if options.invited_only and not options.encrypts:
        # Without encryption clients have no keys, so everybody would be let in.
        complain("--invited-only and --invite need encryption: remove --no-encryption.")
        return 2
    try:
        folder = options.key_folder
        bans = load_bans(folder, options.owner, lambda: time.time() - time.monotonic()) if folder else Bans()
        journal, unsaved = _open_journal(options)
    except (BadKeys, DataFolderError) as error:
        complain(str(error))
        return 2
    service = Service(
        options.name or _usual_host_name(),
        random_text=lambda: secrets.token_hex(16),
        stamp=lambda: datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        limits=limits,
        owners=options.owner,
        secret=pair.secret,
        counts=counts,
        journal=journal,
        bans=bans,
    )
    if open_table is not None:
        service.keep_table_open(open_table)
    for sentence in (*(journal.problems if journal else ()), *service.restore()):
        complain(sentence)
    # Reading sys.stdin holds a lock that blocks the exit, so read the descriptor.
    stdin = os.fdopen(os.dup(0), "rb", buffering=0) if options.with_parent else None
    try:
        access = Access(invited=_load_invited(options), bans=bans, keeps=service.is_keeper, counts=counts)
        encrypting = pair if options.encrypts else None
        with logs.log_to_stderr(log_level):
            show = ready or (lambda line: None if start.port else _print_door_line(line, unsaved))
            work = _run_host_process(
                service, options, encrypting, access, show, stdin, announce, window, start, complain
            )
            return run_loop(work)
    except BadKeys as error:
        complain(str(error))
        return 2
    except KeyboardInterrupt:
        return 0
    finally:
        if journal is not None:
            journal.close()
            if options.tidy and not service.has_unfinished_games:
                # A local game that is over or never began leaves no files.
                try:
                    discard_journal(journal.folder, *KEY_FILES)
                except DataFolderError as error:
                    complain(str(error))


async def _run_host_process(
    service: Service,
    options: Options,
    pair: KeyPair | None,
    access: Access,
    ready: Ready,
    stdin: RawIOBase | None,
    announce: Sequence[str] | None,
    window: Window | None,
    start: HostStart,
    complain: Complain,
) -> int:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    system.on_signals(loop, stop.set)
    try:
        if start.port:
            options = replace(options, port=start.port)
        host = Host(service, options, pair, access)
        line = await host.open()
    except HostError as error:
        complain(str(error))
        return 2
    # Loaded modules stay, so the garbage collector can skip them.
    gc.freeze()
    gc.enable()
    announcer: Announcer | None = None
    telling: asyncio.Task[None] | None = None
    try:
        # First, so that the supervisor knows the port before clients do.
        start.report_port(int(line["port"]))
        if start.port:
            LOG.warning(logs.event_line("restarted", after=start.after, port=line["port"]))
        ready(line)
        if stdin is not None:
            threading.Thread(target=_wait_for_end, args=(stdin, loop, stop), daemon=True).start()
        announcer = _start_announcing(service, options, line, announce)
        if window is not None:
            telling = asyncio.create_task(_print_news(HostNews(service.clients, window), window.tell))
        await host.serve(stop)
    except HostError as error:
        complain(str(error))
        return 3
    finally:
        if telling is not None:
            telling.cancel()
        farewell = asyncio.create_task(announcer.close()) if announcer else None
        await host.close()
        if farewell is not None:
            await farewell
    return 0


async def _print_news(news: HostNews, tell: Callable[[str], None]) -> None:
    """Write news to the window. An error here stops only the news."""
    try:
        sentences = news.restored
        while True:
            for sentence in sentences:
                tell(f"{datetime.datetime.now():%H:%M}  {sentence}")
            await asyncio.sleep(NEWS_EVERY)
            sentences = news.news_lines(time.monotonic())
    except Exception as error:
        LOG.error(logs.error_line(error))


def _open_journal(options: Options) -> tuple[SqliteJournal | None, str]:
    """Return the journal, or None and the reason why a new local game cannot be saved. Raises
    DataFolderError.
    """
    if options.data is None:
        return None, ""
    try:
        return SqliteJournal(options.data), ""
    except DataFolderError as error:
        if not options.tidy or (options.data / FILE).exists():
            raise
        with contextlib.suppress(OSError):
            delete_journal_files(options.data, *KEY_FILES)
        return None, str(error)


def _load_invited(options: Options) -> frozenset[str] | None:
    """Return the keys of clients that may connect, None for all; raises BadKeys."""
    if not options.invited_only:
        return None
    listed = frozenset[str]() if options.key_folder is None else read_key_list(options.key_folder / INVITED_FILE)
    return listed.union(options.invite, options.owner)


def _start_announcing(
    service: Service, options: Options, line: dict[str, Json], only: Sequence[str] | None
) -> Announcer | None:
    listening = listening_address(options.bind, open_to_all=True)
    if only is None or not lan.may_announce(listening, only):
        return None

    def notice() -> lan.Notice:
        return lan.make_notice(service.name, str(line["public_key"]), service.clients.table_lines())

    return Announcer(notice, listening, line["port"], only)


def _wait_for_end(stdin: RawIOBase, loop: asyncio.AbstractEventLoop, stop: asyncio.Event) -> None:
    with contextlib.suppress(OSError):
        while stdin.read(4096):
            pass
    with contextlib.suppress(RuntimeError):  # The loop is closed: the host has stopped.
        loop.call_soon_threadsafe(stop.set)


def _print_door_line(line: dict[str, Json], unsaved: str) -> None:
    """Print the door's line, with the reason why saving fails for the parent process."""
    told = {**line, "unsaved": unsaved} if unsaved else line
    with contextlib.suppress(BrokenPipeError):
        sys.stdout.buffer.write(codec.encode(told) + b"\n")
        sys.stdout.flush()


def _usual_host_name() -> str:
    try:
        return f"{getpass.getuser()}'s host"
    except (ImportError, KeyError, OSError):
        return "Cave host"


def _parent_process_line() -> str:
    try:
        return read_key(os.read(0, 2 * SIZE).decode("ascii").strip())
    except ValueError:
        raise ValueError("--only-parent needs a client's key in a line of standard input.") from None


def main(arguments: Sequence[str] | None = None) -> int:
    try:
        options = parse_options(sys.argv[1:] if arguments is None else arguments)
        limits = options.limits()
        if options.only_parent:
            options = replace(options, invited_only=True, invite=(_parent_process_line(),))
        pair = load_host_keys(options.key_folder) if options.key_folder else make_key_pair()
        announce = lan.parse_mdns_addresses(os.environ.get(lan.WHERE, "")) if options.announce else None
    except (BadKeys, ValueError) as error:
        print_complaint(str(error))
        return 2
    level = logging.INFO if options.stats else logging.WARNING
    return run_supervised(
        lambda start: run_host(options, pair, limits, announce=announce, log_level=level, start=start)
    )


EVERY = 1.0  # seconds between updates of the announcement
AGAIN = 30.0  # seconds before restarting the process
FAREWELL = 2.0  # seconds for the process to withdraw the announcement


class Announcer:
    """Announces what ``notice`` returns, at the addresses in ``only`` if any. Never raises."""

    def __init__(self, notice: Callable[[], Notice], listening: str, port: int, only: Sequence[str] = ()) -> None:
        self._notice = notice
        program = Path(__file__).resolve().with_name("mdns.py")
        self._argv = [sys.executable, str(program), listening, str(port), *only]
        self._trouble = ""
        self._work = asyncio.create_task(self._keep_announcing())

    async def close(self) -> None:
        self._work.cancel()
        await asyncio.wait([self._work])

    async def _keep_announcing(self) -> None:
        while True:
            try:
                await self._run_mdns_process()
            except OSError as error:
                self._log_trouble(error.strerror or str(error))
            await asyncio.sleep(AGAIN)

    async def _run_mdns_process(self) -> None:
        process = processes.start_child(self._argv)
        feeding = asyncio.create_task(self._feed_notices(process))
        try:
            while line := await asyncio.to_thread(processes.read_line, process):
                with contextlib.suppress(BadData, TypeError, KeyError):
                    self._log_trouble(str(codec.decode(line)["trouble"]))
            self._log_trouble("the process for it has ended")
        finally:
            feeding.cancel()
            await asyncio.to_thread(processes.end_child, process, FAREWELL)

    async def _feed_notices(self, process: subprocess.Popen[bytes]) -> None:
        told: Notice | None = None
        while True:
            notice = self._notice()
            if notice != told:
                line = codec.encode({"txt": notice.to_txt()}) + b"\n"
                with contextlib.suppress(OSError):  # The process has ended; handled elsewhere.
                    await asyncio.to_thread(processes.write_line, process, line)
                told = notice
            await asyncio.sleep(EVERY)

    def _log_trouble(self, trouble: str) -> None:
        if trouble and not self._trouble:
            LOG.warning(event_line("not-announced", why=trouble, what="others can type the address"))
        elif self._trouble and not trouble:
            LOG.warning("event=announced")
        self._trouble = trouble
