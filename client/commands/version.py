"""``cave --version``: the version of the program, and of the formats that it reads and writes."""

from __future__ import annotations

import click

from cave import __version__, versions


def show(context: click.Context) -> None:
    """Print the versions and end."""
    click.echo(f"cave {__version__}")
    for name, (oldest, newest) in (
        ("protocol", versions.PROTOCOL),
        ("records", versions.RECORD),
        ("journal", versions.JOURNAL),
    ):
        click.echo(f"{name} {newest}" + (f" (reads {oldest} to {newest})" if oldest < newest else ""))
    context.exit()
