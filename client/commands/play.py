"""From the options of play, join and watch to what is opened."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cave import codec, games
from cave.game import BadData, GameInfo, Json
from client.commands.terminal import fail
from client.launch import held_seats, house_rules, new_game
from client.launch.opening import LocalGame, NewTable, Opening, QuickGame, Resumed, Visit
from client.program import typed
from client.trouble import in_file

ASK_SEAT = "Paste the second line that cave seat shows"


class PositionFile(NamedTuple):
    """A file as it was read: once, because a pipe gives what it holds only once."""

    name: str
    data: bytes


def opening(
    people: Sequence[str],
    bots: Sequence[str],
    open_seats: int,
    settings: Json,
    seed: str,
    position: PositionFile | None,
    absence: str,
    game: GameInfo,
    *,
    hints: bool = True,
) -> Opening:
    """Return the game that the options ask for; ends with a sentence where they cannot be."""
    start, seats = None, None
    if position is not None:
        start, seats = read_position(position)
    try:
        away = new_game.absence(absence) if absence else None
    except ValueError as error:
        fail(str(error))
    quick = not people and len(bots) < 2
    here = [new_game.NAMELESS] if quick else people
    if seats is not None:
        bots = _filled(game, len(here), bots, open_seats, seats)
    plan = new_game.plan(here, bots, open_seats, settings, seed, start, away, game.name, hints=hints)
    wrong = new_game.problem(plan)
    if wrong:
        fail(wrong)
    if quick:
        return QuickGame(tuple(bots), open_seats, settings, seed, start, away, game.name, hints)
    return LocalGame(plan)


def new_table(
    wanted: bool,
    seats: int | None,
    bots: Sequence[str],
    preset: str,
    rules: Sequence[str],
    game: GameInfo,
    *,
    named: bool,
    hints: bool = True,
) -> NewTable | None:
    """Return the table to open at a host, where one is ``wanted``; ends with a sentence for options without
    it.

    ``named``: somebody typed which game.
    """
    option = house_rules.preset(game)
    changed = option is not None and preset not in ("", house_rules.word(option.default))
    if not wanted and (seats is not None or bots or rules or changed or named or not hints):
        presets = "" if option is None else f", {house_rules.preset_option(option)}"
        fail(f"--game, --seats, --bot{presets}, --rule and --no-hints need --open, which opens a table.")
    return (
        NewTable(seats, tuple(bots), chosen_rules(game, preset, rules), game.name, hints) if wanted else None
    )


def chosen_rules(game: GameInfo, preset: str, rules: Sequence[str], *, of_position: bool = False) -> Json:
    """Return the settings of a game by these rules; ends with a sentence where one of them cannot be."""
    if of_position:
        if rules:
            fail("A position has its own rules: leave out --rule.")
        return {}
    try:
        return house_rules.settings(game, preset, rules)
    except ValueError as error:
        fail(str(error))


def _filled(game: GameInfo, people: int, bots: Sequence[str], open_seats: int, seats: int) -> list[str]:
    """Return a bot for every seat of a position that nobody else has."""
    given = people + len(bots) + open_seats
    if given > seats:
        fail(f"The position has {seats} {game.side.lower()}s, but you asked for {given}.")
    return [*bots, *new_game.weakest(game) * (seats - given)]


def visit(
    address: str,
    people: Sequence[str],
    *,
    watching: bool,
    accept_new: bool = False,
    plain: bool = False,
    resume: bool = False,
    takeover: Sequence[str] = (),
    follow: bool = False,
    table: NewTable | None = None,
    code: str = "",
    seats: str = "",
) -> Opening:
    """Return where to go; ends with a sentence for names, an address, a seat or a table that cannot be."""
    wrong = new_game.names_problem(people)
    if not wrong and table is not None:
        wrong = table.problem(people or ("?",))
    if wrong:
        fail(wrong)
    if address:
        from client.net.connection import parse_address

        try:
            parse_address(address)
        except ValueError as error:
            fail(str(error))
    if table is not None and not address:
        fail(f"--open needs the address of a host: {typed('join ADDRESS --open')}.")
    if table is not None and (resume or takeover):
        fail("--open opens a new table: leave out --resume and --takeover.")
    if (resume or takeover) and not address:
        fail("Which host? Type its address, or copy the whole line that cave seat shows.")
    if (resume or takeover) and people:
        fail("Your seats already have names: leave out --person.")
    if takeover:
        try:
            taken, keys = held_seats.read_takeover(_asked(takeover))
        except ValueError as error:
            fail(str(error))
        return Resumed(taken, keys, address=address, accept_new=accept_new, plain=plain, over=True)
    try:
        places = new_game.seats_typed(seats)
    except ValueError as error:
        fail(str(error))
    if places and (table is not None or len(places) != len(people)):
        fail("--seat goes with --person: one letter for each, and not with --open.")
    return Visit(address, tuple(people), watching, accept_new, plain, resume, follow, table, code, places)


def _asked(takeover: Sequence[str]) -> list[str]:
    """Return the words of seats, with those that are asked for in place of each ``-``."""
    from client.commands import terminal

    return [part for word in takeover for part in (terminal.ask(ASK_SEAT).split() if word == "-" else [word])]


def read_file(name: str) -> PositionFile:
    """Read the file of a position to start from; ends with a sentence where it cannot be read."""
    from client.commands.files import read

    return PositionFile(name, read(name, piped=False))


def game_of_position(file: PositionFile, wanted: str | None) -> GameInfo:
    """Return the game of a position; ends with a sentence for a file that is none, or where
    another game is ``wanted``.
    """
    try:
        game = games.info(str(_position(file).get("game")))
    except BadData as error:
        fail(f"{file.name}: {in_file(error)}")
    if wanted not in (None, game.name):
        fail(f"{file.name} is a position of {game.title}: leave out {wanted}.")
    return game


def read_position(file: PositionFile) -> tuple[Json, int]:
    """Return the position in a file, and how many seats it has; ends with a sentence that names the field
    where it is none.
    """
    data = _position(file)
    try:
        game = games.get(data.get("game"))
        return data, len(game.standing(game.from_position(data)))
    except BadData as error:
        fail(f"{file.name}: {in_file(error)}")


def _position(file: PositionFile) -> dict[str, Json]:
    try:
        data = codec.decode(file.data)
        if not isinstance(data, dict):
            raise BadData("", "a position must be an object")
    except BadData as error:
        fail(f"{file.name}: {in_file(error)}")
    return data
