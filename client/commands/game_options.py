"""Options of the command line that the game decides about: its bots, its seats, its house rules.

What is known of the game is loaded when a command that has such options is used, and not before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from client.commands.options import offers

if TYPE_CHECKING:
    from cave.game import GameInfo

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
MADE = "client.commands.game_options.made"
"""Under this name a context keeps its options."""


class _FromGame(click.Option):
    """Stands for the options that ``make`` makes from what is known of the game."""

    def __init__(self, *declared: Any, make: Callable[[GameInfo], Sequence[click.Option]]) -> None:
        super().__init__(*declared)
        self.make = make


class GameCommand(click.Command):
    """A command with options that the game decides about; its help ends with the house rules."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The options, those of the game in their places."""
        if MADE not in ctx.meta:
            game = _game()
            made: list[click.Parameter] = []
            for each in self.params:
                made += each.make(game) if isinstance(each, _FromGame) else [each]
            helping = self.get_help_option(ctx)
            ctx.meta[MADE] = [*made, helping] if helping else made
        found: list[click.Parameter] = ctx.meta[MADE]
        return found

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the house rules."""
        from client.launch import house_rules

        rows = house_rules.help_rows(_game())
        if rows:
            with formatter.section("House rules"):
                formatter.write_dl(rows)


def bot_option(*names: str, **attributes: Any) -> Decorator:
    """Bots by their level."""

    def make(game: GameInfo) -> Sequence[click.Option]:
        return [click.Option([*names], multiple=True, type=click.Choice(list(game.bots)), **attributes)]

    return _from_game(make)


def seats_option(*names: str, least: int, without: int = 0, **attributes: Any) -> Decorator:
    """How many seats: from ``least`` to as many as the game has, ``without`` those that are taken."""
    return _from_game(
        lambda game: [
            click.Option([*names], type=click.IntRange(least, game.seats[-1] - without), **attributes)
        ]
    )


def rules_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of every command that opens a table: by whose rules it is played."""
    return _from_game(_rules_options)(command)


def _rules_options(game: GameInfo) -> Sequence[click.Option]:
    from client.launch import house_rules

    rules = click.Option(
        ["--rule", "rules"],
        multiple=True,
        metavar="NAME=VALUE",
        shell_complete=offers("rules"),
        help="Change one of the house rules below.",
        hidden=not house_rules.house_rules(game),
    )
    preset = house_rules.preset(game)
    if preset is None:
        return [rules]
    words = click.Choice([house_rules.word(value) for value, _ in preset.values])
    chosen = click.Option(
        [house_rules.preset_option(preset), "preset"],
        type=words,
        default=house_rules.word(preset.default),
        help=f"Which {preset.title.lower()}'s rules.",
    )
    return [chosen, rules]


def _from_game(make: Callable[[GameInfo], Sequence[click.Option]]) -> Decorator:
    return click.option("--from-game", cls=_FromGame, make=make)


def _game() -> GameInfo:
    from cave import games

    return games.info(games.default())
