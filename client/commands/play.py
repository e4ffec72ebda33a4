"""``cave play``, ``cave join`` and ``cave watch``: from their options to an open table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from cave import games
from cave.game import BadData, GameInfo, Json
from cave.lesson import load_lesson
from cave.puzzle import load_puzzles
from client.commands import terminal
from client.commands.options import (
    GameCommand,
    absence_option,
    bot_option,
    complete_game_names,
    display_options,
    find_name,
    game_argument,
    game_info_or_exit,
    game_option,
    house_rule_options,
    meant_game,
    seats_option,
    show_display_option,
    table_code_option,
    table_options,
    trust_option,
)
from client.commands.terminal import exit_on_error, fail
from client.launch import held_seats, new_game
from client.launch.opening import Learn, LocalGame, Mistakes, NewTable, Puzzles, QuickGame, ResumedGame, Today, Visit
from client.net.known_hosts import parse_address
from client.system import command_as_typed

ASK_SEAT = "Paste the second line that cave seat shows"
TAKEOVER = "Take over this seat, as shown by cave seat; with - you are asked for it, and it is not shown."


@click.command(cls=GameCommand)
@game_argument
@click.option("-p", "--person", "people", multiple=True, metavar="NAME", help="A person at this keyboard.")
@bot_option("--bot", "bots", help="A bot of this level.")
@seats_option("--open", "open_seats", least=0, without=1, default=0, help="Seats left open for others to join.")
@house_rule_options
@click.option("--seed", default="", metavar="TEXT", help="The same text gives the same game.")
@click.option("--position", type=click.Path(), metavar="FILE", help="Start from this position.")
@absence_option
@table_options
@display_options
@click.pass_context
def play(
    context: click.Context,
    /,
    game: GameInfo,
    people: tuple[str, ...],
    bots: tuple[str, ...],
    open_seats: int,
    rules: tuple[str, ...],
    seed: str,
    position: str | None,
    absence: str,
    best_of: int,
    round_robin: int,
    hints: bool,
    preset: str = "",
) -> None:
    """Play GAME at this keyboard: cave play -p Ann -p Bea.

    Without a name you play a quick game against a bot, or alone if the game allows it and you add no --bot.
    With two bots or more you watch them play. cave games lists the games; without GAME you play the first.
    """
    settings = chosen_settings(game, preset, rules, of_position=position is not None)
    start = meant_game(context).position
    with exit_on_error(ValueError):
        away = new_game.parse_absence(absence) if absence else None
    quick = not people and len(bots) < 2
    here = people or ((new_game.NAMELESS,) if quick else ())
    if start is not None:
        # A bot plays each seat of a position that has no other player.
        given = len(here) + len(bots) + open_seats
        if given > start.seats:
            fail(f"The position has {start.seats} {game.side.lower()}s, but you asked for {given}.")
        bots += tuple(new_game.weakest_level(game) * (start.seats - given))
    given_position = None if start is None else start.data
    wanted = QuickGame(
        bots, open_seats, game.name, settings=settings, seed=seed, position=given_position, absence=away,
        best_of=best_of, round_robin=round_robin, hints=hints,
    )  # fmt: skip
    plan = wanted.plan(*here)
    if wrong := new_game.plan_problem(plan):
        fail(wrong)
    show_display_option(context, wanted if quick else LocalGame(plan), context.obj)


@click.command()
@click.argument("game", required=False, default="", shell_complete=complete_game_names)
@display_options
@click.pass_context
def learn(context: click.Context, game: str) -> None:
    """Learn GAME in a few minutes, by playing.

    Without GAME, choose one. A lesson that you left continues where it was.
    """
    if game:
        game = game_info_or_exit(find_name(game)).name
        with exit_on_error(BadData):
            load_lesson(games.get_game(game))
    show_display_option(context, Learn(game))


@click.command()
@click.argument("game", required=False, default="", shell_complete=complete_game_names)
@click.argument("number", required=False, default=None, type=int)
@click.option("--mistakes", is_flag=True, help="Find a better move where you made mistakes in your last ten games.")
@display_options
@click.pass_context
def puzzle(context: click.Context, game: str, number: int | None, mistakes: bool) -> None:
    """Solve puzzles of GAME, or the one with a number.

    A puzzle is a position with a goal that only one first move can reach. Nothing depends on chance.
    """
    if mistakes:
        if game:
            fail("--mistakes looks through your last games: leave out GAME.")
        show_display_option(context, Mistakes())
    name = game_info_or_exit(find_name(game)).name if game else ""
    most = len(load_puzzles(games.get_game(name))) if name else 0
    if number is not None and not 1 <= number <= most:
        fail(f"{games.game_info(name).title} has {most} puzzles: choose a number from 1 to {most}.")
    show_display_option(context, Puzzles(name, number or 0))


@click.command()
@click.argument("game", required=False, default="", shell_complete=complete_game_names)
@display_options
@click.pass_context
def daily(context: click.Context, game: str) -> None:
    """Play the cave of the day, the same for everybody.

    Without GAME, choose one; a calendar shows how it went. The first try on the day (UTC) counts.
    """
    show_display_option(context, Today(game_info_or_exit(find_name(game)).name if game else ""))


@click.command(cls=GameCommand)
@click.argument("address", required=False, default="")
@click.option("-p", "--person", "people", multiple=True, metavar="NAME", help="A person at this keyboard.")
@click.option("--open", "opens", is_flag=True, help="Open a table of your own and wait for others.")
@game_option
@seats_option("--seats", least=1, help="Its seats for people, yours included; usually two.")
@bot_option("--bot", "bots", help="A bot at that table.")
@house_rule_options
@table_options
@click.option("--list", "listed", is_flag=True, help="List the hosts on this network, without a screen.")
@click.option("--resume", is_flag=True, help="Go straight back to the seats you hold there.")
@click.option("--seat", "at", default="", metavar="LETTER", help="Your seat, such as B; else any free one.")
@click.option("--takeover", multiple=True, metavar="SEAT", envvar="CAVE_TAKEOVER", help=TAKEOVER)
@table_code_option
@trust_option
@display_options
@click.pass_context
def join(
    context: click.Context,
    /,
    address: str,
    people: tuple[str, ...],
    opens: bool,
    game: GameInfo,
    seats: int | None,
    bots: tuple[str, ...],
    rules: tuple[str, ...],
    listed: bool,
    resume: bool,
    at: str,
    takeover: tuple[str, ...],
    code: str | None,
    code_file: Path | None,
    accept_new: bool,
    plain: bool,
    best_of: int,
    round_robin: int,
    hints: bool,
    preset: str = "",
) -> None:
    """Sit down at a table on the host at ADDRESS.

    ADDRESS is host, host:port or a ticket cave://... Without ADDRESS, choose from the hosts on this network.
    """
    if listed:
        if address:
            fail("--list takes no address: leave out one of the two.")
        from client.commands.plain import show_hosts

        show_hosts()
        return
    option = new_game.preset_of_game(game)
    changed = option is not None and preset not in ("", new_game.rule_word(option.default))
    asked = seats is not None or bots or rules or changed or meant_game(context).typed
    if not opens and (asked or best_of > 1 or round_robin or not hints):
        presets = "" if option is None else f", {new_game.preset_option_name(option)}"
        options = f"--game, --seats, --bot{presets}, --rule, --best-of, --round-robin and --no-hints"
        fail(f"{options} need --open, which opens a table.")
    settings = chosen_settings(game, preset, rules)
    table = None
    if opens:
        table = NewTable(
            seats, bots, game.name, settings=settings, best_of=best_of, round_robin=round_robin, hints=hints
        )
    word = terminal.read_table_code(code, code_file)
    if wrong := new_game.names_problem(people) or (table is not None and table.why_not_opened(people or ("?",))):
        fail(wrong)
    check_address(address)
    if table is not None and not address:
        fail(f"--open needs the address of a host: {command_as_typed('join ADDRESS --open')}.")
    if table is not None and (resume or takeover):
        fail("--open opens a new table: leave out --resume and --takeover.")
    if (resume or takeover) and not address:
        fail("Which host? Type its address, or copy the whole line that cave seat shows.")
    if (resume or takeover) and people:
        fail("Your seats already have names: leave out --person.")
    if takeover:
        words = [terminal.ask_secret(ASK_SEAT) if each == "-" else each for each in takeover]
        with exit_on_error(ValueError):
            taken, keys = held_seats.read_takeover([part for each in words for part in each.split()])
        show_display_option(
            context, ResumedGame(taken, keys, address=address, accept_new=accept_new, plain=plain, over=True)
        )
    with exit_on_error(ValueError):
        places = new_game.parse_seats(at)
    if places and (table is not None or len(places) != len(people)):
        fail("--seat goes with --person: one letter for each, and not with --open.")
    show_display_option(
        context, Visit(address, people, False, accept_new, plain, resume, table=table, code=word, seats=places)
    )


@click.command()
@click.argument("address", required=False, default="")
@click.option("--follow", is_flag=True, help="Keep the map where the turn is played.")
@click.option("--only", is_flag=True, hidden=True)  # for guests of cave serve
@trust_option
@display_options
@click.pass_context
def watch(context: click.Context, address: str, follow: bool, only: bool, accept_new: bool, plain: bool) -> None:
    """Watch a game on the host at ADDRESS.

    Without ADDRESS, choose from the hosts on this network.
    """
    check_address(address)
    show_display_option(context, Visit(address, (), True, accept_new, plain, follow=follow, only=only))


def check_address(address: str) -> None:
    """Exit with a sentence for an invalid address."""
    if address:
        with exit_on_error(ValueError):
            parse_address(address)


def chosen_settings(game: GameInfo, preset: str, rules: Sequence[str], *, of_position: bool = False) -> Json:
    """Return the settings of a game with these rules; exits with a sentence if one of them is invalid."""
    if of_position:
        if rules:
            fail("A position has its own rules: leave out --rule.")
        return {}
    with exit_on_error(ValueError):
        return new_game.rule_settings(game, preset, rules)
