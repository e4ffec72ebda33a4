"""``cave help``, and the versions."""

from __future__ import annotations

import click

from cave import __version__, versions


@click.command("help")
@click.argument("words", metavar="[COMMAND]", nargs=-1)
@click.pass_context
def show_help(context: click.Context, words: tuple[str, ...]) -> None:
    """Show this help, or that of a command."""
    assert context.parent is not None
    context.parent.command.main([*words, "--help"], prog_name=context.parent.info_name)


def show_version(context: click.Context) -> None:
    """Print the versions of the program, and of the formats that it reads and writes, and end."""
    click.echo(f"cave {__version__}")
    for name, (oldest, newest) in (
        ("protocol", versions.PROTOCOL),
        ("records", versions.RECORD),
        ("journal", versions.JOURNAL),
    ):
        click.echo(f"{name} {newest}" + (f" (reads {oldest} to {newest})" if oldest < newest else ""))
    context.exit()
