"""``cave games`` and ``cave rules``: which games there are, and how each is played."""

from __future__ import annotations

from collections.abc import Iterator

import click

from cave.game import GameInfo
from cave.games import get, info, names
from client import games as faces
from client.launch import house_rules, new_game
from client.present import help as pages
from client.program import typed


def show() -> int:
    """List the games, each with who can play it and what a new one may be asked for."""
    formatter = click.HelpFormatter()
    for name in names():
        game, face = info(name), faces.get(name)
        formatter.write(f"{name}\n")
        with formatter.indentation():
            formatter.write_text(f"{game.title}. {face.blurb}")
            formatter.write_dl([("For", f"{new_game.sides(game)}, {face.length}"), *_asked(game)])
        formatter.write_paragraph()
    formatter.write_text(f"To play a game, type {typed('play')} and its name.")
    click.echo(formatter.getvalue(), nl=False)
    return 0


def _asked(game: GameInfo) -> Iterator[tuple[str, str]]:
    """Return the options of a new game as they are typed, with their values, the usual one first."""
    if game.bots:
        yield "--bot", _either(list(game.bots))
    preset = house_rules.preset(game)
    if preset is not None:
        yield house_rules.preset_option(preset), _either(house_rules.words(preset))
    for option in house_rules.house_rules(game):
        yield f"--rule {option.name}", _either(house_rules.words(option))


def _either(words: list[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} or {last}" if most else last


def rules(name: str, *, paged: bool) -> int:
    """Show all rules of a game, on a terminal a page at a time where that is wished."""
    game = get(name)
    text = f"{game.title}\n\n{pages.rules(game)}"
    if paged:
        click.echo_via_pager(text)
    else:
        click.echo(text, nl=False)
    return 0
