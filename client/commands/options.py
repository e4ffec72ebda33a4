"""Options shared by several commands, and options that depend on the game. The game's facts are loaded only
when a command with such options runs.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import click
from click.shell_completion import CompletionItem

from client.commands.terminal import Position, fail, read_position
from client.settings.appearance import GLYPHS, OWN_THEMES, THEMES

if TYPE_CHECKING:
    from cave.game import GameInfo
    from client.launch.own_host import OwnHost

LOOK = "client.commands.options."
"""Key prefix of the display options in a click context."""
LINE_MODE = f"{LOOK}plain"


class Whole(click.IntRange):
    """A whole number in a range, with plain error messages."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            room = f"of {self.min} or more" if self.max is None else f"from {self.min} to {self.max}"
            self.fail(f"{value} is not a whole number {room}.", param, ctx)


class Word(click.ParamType):  # type: ignore[type-arg]  # takes its argument in newer versions of click only
    """Text that must not be blank: the program would treat a blank word as missing."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return str(value) if str(value).strip() else self.fail("it is empty.", param, ctx)


def display_options(command: Callable[..., Any]) -> Callable[..., Any]:
    glyphs = click.Choice(GLYPHS)
    theme = click.Choice(THEMES)
    colours = f"Colours: auto, {', '.join(OWN_THEMES)}, ansi-dark, ansi-light, or another theme's name."
    plain = "Lines instead of screens, for screen readers and pipes."
    kept: Any = {"expose_value": False, "callback": _keep_display_option}
    command = click.option("--theme", type=theme, metavar="NAME", help=colours, **kept)(command)
    command = click.option("--plain", is_flag=True, help=plain, **kept)(command)
    return click.option("--glyphs", type=glyphs, help="Characters for the map.", **kept)(command)


Items = list["CompletionItem[str]"]


def items(begun: str, offered: Iterable[tuple[str, str]]) -> Items:
    """Return the words that complete this one, each with its help."""
    return [CompletionItem(word, help=words) for word, words in offered if word.startswith(begun)]


def command_class_with_rows(
    title: str, rows: Callable[[], Sequence[tuple[str, str]]], base: type[click.Command] = click.Command
) -> type[click.Command]:
    """Return a command class whose help ends with these rows."""

    class Listing(base):  # type: ignore[misc, valid-type]
        def format_epilog(self, context: click.Context, formatter: click.HelpFormatter) -> None:
            super().format_epilog(context, formatter)
            with formatter.section(title):
                formatter.write_dl(rows())

    return Listing


def _keep_display_option(context: click.Context, option: click.Parameter, wanted: Any) -> None:
    """Save the value of an option given before or after the command's name."""
    name = f"{LOOK}{option.name}"
    context.meta[name] = wanted or context.meta.get(name)


def _complete_absences(_context: click.Context, _parameter: click.Parameter, begun: str) -> Items:
    from cave import bots

    levels = [(f"bot:60:{level}", f"a bot ({level}) plays") for level in bots.all_bot_levels()]
    ways = [("wait", "for them"), ("bot:60", "a bot plays"), *levels, ("skip:60", "turns are skipped")]
    ways.append(("skip:3d", "turns are skipped after three days, also while nobody is there"))
    return items(begun, ways + [(f"{way}:idle", f"{what}, for idle players too") for way, what in ways[1:]])


absence_option = click.option(
    "--absence",
    default="",
    metavar="WHAT",
    shell_complete=_complete_absences,
    help="What happens when a player is away: wait, bot:60 (a bot plays after 60 seconds), "
    "bot:60:LEVEL (one of that level) or skip:60 (their turns are skipped). Hours and days, such as "
    "bot:36h or skip:3d, count while nobody is there, too. With :idle at the end, "
    "such as skip:60:idle, the same goes for players who are there but do not act in their turn.",
)


def _check_odd(_context: click.Context, _parameter: click.Parameter, number: int) -> int:
    return number if number % 2 else fail("--best-of needs an odd number, such as 3.")


def table_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of a new table: ``best_of``, ``round_robin`` and ``hints``."""
    series = "Play a series of at most this many games, such as 3. The players change seats after each game."
    robin = (
        "Each two of so many players (3 to 8) play a game, one after the other; the others watch. Places "
        "for which you name nobody are open."
    )
    none = "Allow no hints at the table, nor the tutor's warnings."
    number: Any = {"type": Whole(3, 8), "callback": lambda _context, _parameter, number: number or 0}
    command = click.option("--no-hints", "hints", flag_value=False, default=True, help=none)(command)
    command = click.option("--round-robin", metavar="PLAYERS", help=robin, **number)(command)
    odd: Any = {"type": Whole(1, 15), "default": 1, "callback": _check_odd}
    return click.option("--best-of", metavar="GAMES", help=series, **odd)(command)


def table_code_option(command: Callable[..., Any]) -> Callable[..., Any]:
    file = "A file whose first line is the code."
    command = click.option("--code-file", type=click.Path(path_type=Path), metavar="FILE", help=file)(command)
    word = (
        "The table's code, which everybody needs to sit there. Other users of this machine can see it here "
        "in the list of processes; --code - (asks for it), --code-file and CAVE_CODE keep it secret."
    )
    return click.option("--code", metavar="WORD", help=word)(command)


def trust_option(command: Callable[..., Any]) -> Callable[..., Any]:
    accept = "Accept that the host has a new key."
    command = click.option("--no-encryption", "plain", is_flag=True, help="Allow hosts that do not encrypt.")(command)
    return click.option("--accept-new-key", "accept_new", is_flag=True, help=accept)(command)


jobs_option = click.option(
    "--jobs", type=Whole(1, 1024), default=1, metavar="N", help="Number of processes; the results are the same."
)

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
MEANT = "client.commands.options.meant"  # the context's key for the game
MADE = "client.commands.options.made"  # the context's key for its options


class Meant(NamedTuple):
    """The game of a command, its name as ``typed``, and the position to start from."""

    game: GameInfo
    typed: str | None = None
    position: Position | None = None


class _FromGame(click.Option):
    """Placeholder of the options that ``make`` creates; until the game is known, an option with any value."""

    def __init__(self, names: Sequence[str], make: Callable[[GameInfo], Sequence[click.Option]]) -> None:
        super().__init__(names, multiple=True)
        self.make = make


class GameCommand(click.Command):
    """A command with the options of its game: the named one, the position's, or the first."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Find the game, and parse everything with its options."""
        # The game's own options are not known yet: they and their values are left over.
        options = [copy(each) for each in self.params if isinstance(each, click.Option)]
        for each in options:
            each.callback = None
        loose = {"ignore_unknown_options": True, "allow_extra_args": True}
        reader = click.Command(self.name, params=[*options], add_help_option=False, context_settings=loose)
        read = reader.make_context(ctx.info_name, [*args], resilient_parsing=True)
        option = any(each.name == "game" for each in options)
        name = read.params.get("game") if option else _find_game_word(read.args)
        position = read.params.get("position")
        if ctx.resilient_parsing:
            # completion reports no errors
            name, position = name if _is_game(name) else None, None
        name = name and find_name(name)
        ctx.meta[MEANT] = Meant(game_info_or_exit(name), name)
        if position is not None:
            start = read_position(position, name)
            ctx.meta[MEANT] = Meant(start.game, name, start)
        return super().parse_args(ctx, args)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        if MADE not in ctx.meta:
            made: list[click.Parameter] = []
            for each in self.params:
                made += each.make(meant_game(ctx).game) if isinstance(each, _FromGame) else [each]
            helping = self.get_help_option(ctx)
            ctx.meta[MADE] = [*made, helping] if helping else made
        found: list[click.Parameter] = ctx.meta[MADE]
        return found

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from client.launch import new_game

        game = meant_game(ctx).game
        rows = new_game.rule_rows(game)
        if rows:
            with formatter.section(f"House rules of {game.title}"):
                formatter.write_dl(rows)


def meant_game(context: click.Context) -> Meant:
    return context.meta.get(MEANT) or Meant(game_info_or_exit(None))


def game_as_typed(context: click.Context) -> list[str]:
    """Return the words that name the game, as typed."""
    name = MEANT in context.meta and meant_game(context).typed
    option = any(each.name == "game" and isinstance(each, click.Option) for each in context.command.params)
    return [*(["--game"] if option else []), name] if name else []


def game_info_or_exit(name: str | None) -> GameInfo:
    """Look up a game by name; without a name, the first game. Exits with a sentence if there is none."""
    from cave import games
    from cave.game import BadData
    from client.wording import joined

    try:
        return games.game_info(games.default_game() if name is None else name)
    except BadData:
        names = games.game_names()
        known = f"the games are {joined(names)}" if names[1:] else f"the only game is {names[0]}"
        fail(f"There is no game {name!r}; {known}.")


def find_name(name: str) -> str:
    """Return the game with this name or title, or the only one whose name contains it; else ``name``."""
    from cave import games

    words = "-".join(name.casefold().replace("'", "").split())
    alike = [each for each in games.game_names() if words and words in each]
    return words if words in alike else alike[0] if len(alike) == 1 else name


def complete_game_names(_context: click.Context, _parameter: click.Parameter, begun: str) -> Items:
    from cave import games

    return items(begun, ((name, games.game_info(name).title) for name in games.game_names()))


def _check_game(context: click.Context, _parameter: click.Parameter, name: str | None) -> GameInfo:
    """Return the game. Only now is it certain which word is its name."""
    if MEANT not in context.meta and not context.resilient_parsing:
        return game_info_or_exit(name and find_name(name))  # A command without game options has not looked it up.
    known = meant_game(context)
    if name is not None and find_name(name) != known.typed and not context.resilient_parsing:
        fail(f"Type the name of the game first, before its options: {game_info_or_exit(name).name}.")
    return known.game


game_argument = click.argument(
    "game", required=False, is_eager=True, callback=_check_game, shell_complete=complete_game_names
)
game_option = click.option(
    "--game",
    metavar="GAME",
    is_eager=True,
    callback=_check_game,
    shell_complete=complete_game_names,
    help="Its game; cave games lists them.",
)
_from_game = partial(click.option, cls=_FromGame)


def bot_option(*names: str, **attributes: Any) -> Decorator:
    def make(game: GameInfo) -> Sequence[click.Option]:
        return [click.Option([*names], multiple=True, type=click.Choice(list(game.bots)), **attributes)]

    return _from_game(*names, make=make)


def seats_option(*names: str, least: int, without: int = 0, **attributes: Any) -> Decorator:
    """Return an option for the number of seats: from ``least`` to the maximum less ``without`` taken ones."""
    return _from_game(
        *names, make=lambda game: [click.Option([*names], type=Whole(least, game.seats[-1] - without), **attributes)]
    )


def _house_rule_options(game: GameInfo) -> Sequence[click.Option]:
    from client.launch import new_game

    def offered(_context: click.Context, _parameter: click.Parameter, begun: str) -> Items:
        return items(begun, new_game.rule_rows(game))

    rules = click.Option(
        ["--rule", "rules"],
        multiple=True,
        metavar="NAME=VALUE",
        shell_complete=offered,
        help="Change one of the house rules below.",
        hidden=not new_game.house_rules(game),
    )
    preset = new_game.preset_of_game(game)
    if preset is None:
        return [rules]
    words = click.Choice([new_game.rule_word(value) for value, _ in preset.values])
    chosen = click.Option(
        [new_game.preset_option_name(preset), "preset"],
        type=words,
        default=new_game.rule_word(preset.default),
        help=f"Which {preset.title.lower()}'s rules.",
    )
    return [chosen, rules]


house_rule_options = _from_game("--rule", "rules", make=_house_rule_options)


def _find_game_word(words: Sequence[str]) -> str | None:
    """Return the word for the game among options: the first word that is neither option nor value."""
    if words and not words[0].startswith("-"):
        return words[0]
    return next((word for word in words if _is_game(word)), None)


def _is_game(word: str | None) -> bool:
    from cave import games

    return word in games.game_names()


def show_display_option(context: click.Context, opening: Any, host: OwnHost | None = None) -> NoReturn:
    """Open the screens on ``host``, if given, or line mode. Decides how to draw, as late as possible."""
    from client.commands import screens

    if context.meta.get(LINE_MODE) or not screens.are_screens_available():
        from client.commands import plain

        sys.exit(plain.run(opening))
    glyphs, theme = (context.meta.get(f"{LOOK}{name}") for name in ("glyphs", "theme"))
    sys.exit(screens.run(opening, glyphs=glyphs, theme=theme, host=host))
