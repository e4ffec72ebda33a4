"""``cave serve``: the game in browsers."""

from __future__ import annotations

import re
import sys
import tempfile
from ipaddress import ip_address
from pathlib import Path

import click

from cave.files import error_reason
from cave.processes import run_loop
from client.commands.options import Whole
from client.commands.play import check_address
from client.commands.terminal import FAILED, fail, warn

PROGRAM = "from cave_game import main; main()"
MISSING = "cave serve needs packages that are not installed: pip install 'cave-game[serve]'."
HOST = r"[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*"
NO_TERMINALS = "cave serve needs pseudo-terminals, which this system does not have."
OPEN = (
    "Everybody who can reach {bind} can {what}. Nothing is encrypted: put a proxy with HTTPS in front "
    "of it, or bind it to a network that you trust."
)


@click.command()
@click.option("--bind", default="127.0.0.1", metavar="IP", help="The address to listen to; 0.0.0.0: all.")
@click.option("--port", type=Whole(0, 65535), default=8000, help="The port; 0: any free one.")
@click.option("--watch", "watched", metavar="ADDRESS", default="", help="Show only the game of that host.")
@click.option("--name", "names", multiple=True, metavar="HOST", help="A name by which browsers reach it.")
@click.option("--sessions", type=Whole(1, 1000), default=10, help="Sessions at once.")
@click.option("--each", type=Whole(1, 1000), default=4, help="Sessions at once from one address.")
@click.option("--idle", type=Whole(1, 1440), default=30, help="Minutes without a key until a session ends.")
@click.option("--memory", type=Whole(256, 2**20), default=2048, help="MiB of address space of a process.")
def serve(
    bind: str, port: int, watched: str, names: tuple[str, ...], sessions: int, each: int, idle: int, memory: int
) -> None:
    """Show the game in browsers, on this machine or for others.

    Each browser gets its own game, whose files are deleted when this command ends. With --watch it can
    only watch.
    """
    check_address(watched)
    if odd := next((name for name in names if not re.fullmatch(HOST, name)), None):
        fail(f"{odd!r} is not the name of a host: give one such as games.example.org.")
    try:
        loopback = ip_address(bind).is_loopback
    except ValueError:
        fail(f"{bind!r} is not an address of this machine: give an IP address, such as 127.0.0.1.")
    try:
        import pty  # noqa: F401  (missing on Windows)
    except ImportError:
        fail(NO_TERMINALS, FAILED)
    try:
        from client.commands import browser
    except ImportError:
        fail(MISSING, FAILED)

    def ready(port: int) -> None:
        place = "localhost" if loopback else names[0] if names else bind
        click.echo(f"Open http://{f'[{place}]' if ':' in place else place}:{port}/ in a browser. Ctrl-C ends it.")
        if not loopback:
            warn(OPEN.format(bind=bind, what="watch" if watched else "play here, and use this machine"))

    limits = browser.Limits(sessions, each, idle * 60, memory * 2**20)
    command = [sys.executable, "-c", PROGRAM]
    if watched:
        command += ["watch", "--only", "--follow", watched]
    with tempfile.TemporaryDirectory(prefix="cave-serve-", ignore_cleanup_errors=True) as root:
        site = browser.Site(command, Path(root), limits, names)
        try:
            run_loop(browser.run_web_server(site, bind, port, ready))
        except OSError as error:
            fail(f"{bind} port {port} cannot be used: {error_reason(error, 'it is taken')}.", FAILED)
