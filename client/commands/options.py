"""Options that several commands of the command line share. Loads nothing heavy."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from client.settings.appearance import GLYPHS, OWN_THEMES, THEMES

LINE_MODE = "client.commands.options.line_mode"
"""Under this name a context knows whether line mode is wished."""


class Whole(click.IntRange):
    """A whole number in a range; a wrong one is refused in plain words."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number; raises BadParameter."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            room = f"of {self.min} or more" if self.max is None else f"from {self.min} to {self.max}"
            self.fail(f"{value} is not a whole number {room}.", param, ctx)


class Word(click.ParamType):  # type: ignore[type-arg]  # takes its argument in newer versions of click only
    """Text that must not be blank: an empty word would be taken as if nothing was said."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the text; raises BadParameter."""
        return str(value) if str(value).strip() else self.fail("it is empty.", param, ctx)


def look(command: Callable[..., Any]) -> Callable[..., Any]:
    """Return the options of every command that opens a screen."""
    glyphs = click.Choice(GLYPHS)
    theme = click.Choice(THEMES)
    colours = f"Colours: auto, {', '.join(OWN_THEMES)}, ansi-dark, ansi-light, or another theme's name."
    command = click.option("--theme", type=theme, metavar="NAME", help=colours)(command)
    plain = "Lines instead of screens, for screen readers and pipes."
    command = click.option("--plain", is_flag=True, expose_value=False, callback=_line_mode, help=plain)(
        command
    )
    return click.option("--glyphs", type=glyphs, help="Characters for the map.")(command)


def offers(what: str) -> Callable[[click.Context, click.Parameter, str], list[Any]]:
    """Return the completions of a word for a shell: one of the lists of ``completion``."""

    def offered(context: click.Context, _parameter: click.Parameter, begun: str) -> list[Any]:
        from client.commands import completion

        offer: Callable[[click.Context, str], list[Any]] = getattr(completion, what)
        return offer(context, begun)

    return offered


def listing(base: type[click.Command] = click.Command, **sections: str) -> type[click.Command]:
    """Return a kind of command whose help ends with rows of modules that are loaded for it, under these
    heads.
    """

    class Listing(base):  # type: ignore[misc, valid-type]
        def format_epilog(self, context: click.Context, formatter: click.HelpFormatter) -> None:
            super().format_epilog(context, formatter)
            for title, module in sections.items():
                with formatter.section(title.replace("_", " ")):
                    formatter.write_dl(import_module(module).help_rows())

    return Listing


def _line_mode(context: click.Context, _option: click.Parameter, wanted: bool) -> None:
    """Remember ``--plain``, before or after the command's name."""
    context.meta[LINE_MODE] = wanted or context.meta.get(LINE_MODE, False)


def absence_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Return the option of every command that opens a table for people who may be away."""
    what = (
        "What happens when a player is away: wait, bot:60 (a bot plays after 60 seconds), "
        "bot:60:LEVEL (one of that level) or skip:60 (their turns are skipped). With :idle at the end, "
        "such as skip:60:idle, the same goes for players who are there but do not act in their turn."
    )
    return click.option(
        "--absence", default="", metavar="WHAT", shell_complete=offers("absences"), help=what
    )(command)


def hints_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Return the option of every command that opens a table: whether it allows hints."""
    what = "Allow no hints at the table, nor the tutor's warnings."
    return click.option("--no-hints", "hints", flag_value=False, default=True, help=what)(command)


def table_code(command: Callable[..., Any]) -> Callable[..., Any]:
    """Return the options of every command at which a table's code is given; ``commands.secret.code`` reads
    them.
    """
    file = "A file whose first line is the code."
    command = click.option("--code-file", type=click.Path(path_type=Path), metavar="FILE", help=file)(command)
    word = (
        "The table's code, which everybody needs to sit there. Other users of this machine can see it here "
        "in the list of processes; --code - (asks for it), --code-file and CAVE_CODE keep it secret."
    )
    return click.option("--code", metavar="WORD", help=word)(command)


def trust(command: Callable[..., Any]) -> Callable[..., Any]:
    """Return the options of every command that goes to a host."""
    accept = "Accept that the host has a new key."
    command = click.option("--no-encryption", "plain", is_flag=True, help="Allow hosts that do not encrypt.")(
        command
    )
    return click.option("--accept-new-key", "accept_new", is_flag=True, help=accept)(command)
