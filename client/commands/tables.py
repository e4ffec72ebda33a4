"""``cave tables``, ``resume``, ``seat`` and ``mine``: the unfinished games of this machine and this user."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

import click
import msgspec

from cave import games
from cave.processes import run_loop
from client import system
from client.commands.options import Items, Word, display_options, items, show_display_option
from client.commands.saved import NoSuchGame, find_unfinished_game, is_game_free, player_names, unfinished_tables
from client.commands.terminal import BAD_INPUT, FAILED, exit_on_error, fail, warn
from client.launch import held_seats, host_tables
from client.launch.held_seats import SeatBook
from client.launch.host_tables import STATES
from client.launch.host_tables import look_at_own_tables as look_for_mine
from client.net.known_hosts import Keys, is_this_machine
from client.present.cells import cell_width, fit_text
from client.settings.file import SettingsFile
from client.system import command_as_typed
from client.wording import count, local_time
from server.journal import saved_games
from server.journal.database import DataFolderError
from server.tables.effects import NotKept

NO_SEAT = "You have no seat in an unfinished game."
HEAD = ("TABLE", "PLAYED", "GAME", "STEP", "PLAYERS")


def _complete_tables_here(context: click.Context, _parameter: click.Parameter, begun: str) -> Items:
    return items(begun, unfinished_tables(context.params.get("data") or system.data_folder()))


def _complete_all_tables(context: click.Context, _parameter: click.Parameter, begun: str) -> Items:
    data = context.params.get("data")
    there: dict[str, str] = {}
    for each in reversed(held_seats.load_held_seats(system.data_folder()) if data is None else []):
        if not each.local:
            there.setdefault(each.table, ", ".join(each.players_here))
    return items(begun, {**there, **dict(unfinished_tables(data or system.data_folder()))}.items())


data_option = click.option("--data", type=click.Path(path_type=Path), metavar="DIR", help="The folder of the host.")


@click.command("tables")
@click.option(
    "--delete", type=Word(), metavar="TABLE", shell_complete=_complete_tables_here, help="Delete this one for good."
)
@click.option("--check", is_flag=True, help="Check whether each saved table is intact.")
@data_option
def tables(delete: str | None, check: bool, data: Path | None) -> None:
    """List the unfinished games of this machine."""
    folder = data or system.data_folder()
    if check:
        sys.exit(_check_journals(folder))
    if delete:
        _delete_table(delete, folder)
    else:
        _list_tables(folder)


@click.command()
@click.argument("table", required=False, type=Word(), shell_complete=_complete_all_tables)
@data_option
@display_options
@click.pass_context
def resume(context: click.Context, table: str | None, data: Path | None) -> None:
    """Continue the unfinished game TABLE, or the latest one."""
    with exit_on_error(ConnectionError, status=FAILED), exit_on_error(NoSuchGame):
        found = find_unfinished_game(table or "", data, tell=warn)
    show_display_option(context, found)


def _list_tables(folder: Path) -> None:
    saved, problems = saved_games.unfinished_games(folder)
    for problem in problems:
        warn(problem)
    # A table that a host keeps open is not a game until somebody sits there.
    saved = [each for each in saved if each.seq or sum(map(bool, each.seats)) > len(each.bots)]
    if not saved:
        if problems:
            sys.exit(BAD_INPUT)
        click.echo("There are no unfinished games on this machine.", err=True)
    rows = [HEAD] if saved else []
    for game in saved:
        when = f"{local_time(game.played_at):%Y-%m-%d %H:%M}"
        known = game.game in games.game_names()
        name = games.game_info(game.game).title if known else f"{game.game or 'a game'} (not installed)"
        # Default titles consist of the names of the players at the keyboard.
        given = bool(game.title) and not {*game.title.split(", ")} <= {*game.seats, "bots"}
        title = f', called "{game.title}"' if given else ""
        rows.append((game.table, when, name, str(game.seq), f"{player_names(game)}{title}"))
    _print_rows(rows)


def _print_rows(rows: Sequence[Sequence[str]]) -> None:
    widths = [max(map(cell_width, column)) for column in zip(*rows, strict=True)][:-1]
    for *cells, last in rows:
        click.echo("  ".join([*map(fit_text, cells, widths), last]))


@click.command("mine")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
def mine(as_json: bool) -> None:
    """List your tables at all hosts, the ones that wait for you first.

    A host has some seconds to answer. cave resume TABLE continues a game.
    """
    home = system.data_folder()
    here = dict(unfinished_tables(home))
    found = run_loop(look_for_mine(SeatBook(home), Keys(home)))
    found = [each for each in found if not each.held.local or each.held.table in here]
    for why in dict.fromkeys(each.why for each in found if each.why):
        warn(why)
    days = {day.table: key.partition(" ")[0] for key, day in SettingsFile().settings.days.items()}
    if as_json:
        lines = [{**each.as_json(), "daily": days.get(each.held.table)} for each in found]
        click.echo(msgspec.json.format(msgspec.json.encode(lines)))
    elif not found:
        click.echo(NO_SEAT, err=True)
    else:
        rows = [(each.held.table, STATES[each.state], host_tables.game_words([each.held])) for each in found]
        of_day = (f", cave of {day}" if (day := days.get(table)) else "" for table, *_ in rows)
        _print_rows([(*row, f"{words}{day}") for (*row, words), day in zip(rows, of_day, strict=True)])


def _check_journals(folder: Path) -> int:
    """Check the journal of each table and print the result, also while a host uses it."""
    status, empty = 0, True
    for place, found in saved_games.survey_folders(folder):
        if isinstance(found, DataFolderError):
            warn(str(found))
            status = FAILED
            continue
        wrong = {each.table: each.why for each in found.findings}
        stories = found.continuable_tables()
        empty = empty and not (stories or wrong)
        for table in sorted({*stories, *wrong}):
            steps, lines = stories.get(table, (0, 0))
            say = wrong.get(table) or f"is intact: {count(steps, 'step')}, {count(lines, 'line')}"
            click.echo(f"{table}  {say}")
        if not found.is_undamaged:
            warn(f"The journal in {place} is damaged ({found.damage_sentence}).")
            status = FAILED
    if empty and not status:
        click.echo("There are no games on this machine.", err=True)
    return status


def _delete_table(table: str, folder: Path) -> None:
    saved, problems = saved_games.unfinished_games(folder)
    game = next((game for game in saved if game.table == table), None)
    if game is None:
        fail(
            problems[0]
            if problems
            else f"There is no unfinished game {table} on this machine; {command_as_typed('tables')} lists them."
        )
    with exit_on_error(DataFolderError, NotKept, status=FAILED):
        if game.local and not is_game_free(game):
            fail(f"The game {table} is being played in another terminal: leave it there first.", FAILED)
        saved_games.delete_game(game)
    SeatBook(system.data_folder()).forget(game.table)
    click.echo(f"The game {game.table} is deleted.")


@click.command("seat")
def seat() -> None:
    """Show how to move your seats to another machine."""
    # The last game first. Secrets are not part of the command: shell history and process lists would show
    # them.
    held = list(reversed(held_seats.load_held_seats(system.data_folder())))
    if not held:
        fail(NO_SEAT, FAILED)
    movable, here = False, False
    for each in held:
        click.echo(f"{host_tables.game_words([each])}:")
        if each.local and is_this_machine(each.host_address.host):
            command = command_as_typed(f"resume {each.table}")
            click.echo(f"  It can be played on this machine only. To continue it, type: {command}")
            continue
        click.echo(f"  {command_as_typed(shlex.join(['join', each.address, '--takeover', '-']))}")
        click.echo(f"  {' '.join(held_seats.takeover_words(each))}")
        movable, here = True, here or is_this_machine(each.host_address.host)
    if here:
        click.echo("An address that begins with 127. works on this machine only: elsewhere use the host's own.")
    if movable:
        click.echo("Type the first line on the other machine. It asks for the second line.")
        click.echo(
            "The second line is secret: anyone who has it can take your seat. "
            "What you type there is neither shown nor stored."
        )
