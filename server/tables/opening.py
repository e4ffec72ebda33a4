"""Opening a table: its setup, and the checks of the request that asks for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct

from cave import bots, games, keys, protocol, wire
from cave.game import AnyGame, BadData, GameInfo, Json
from server.tables.seat import Claim


class Setup(Struct, frozen=True):
    """The setup of a table. ``start`` is a checked position or None. ``set_up`` says that the
    opener chose the seed or the position, and so may know what is hidden. ``lock`` is the hash of the code
    needed to sit. ``opener`` is the address it was opened from, empty if not known; ``by_owner`` says that
    the host's owner opened it. ``pace`` is that of its bots. ``hints`` says whether clients may suggest
    moves to their players. A rematch has the code of the previous game, hashed with its ``salt`` (empty:
    ``created``), and its seats are ``kept`` for the players of that game.
    """

    game: str
    settings: Json
    seats: tuple[protocol.SeatSpec, ...]
    seed: str
    created: str
    title: str = ""
    lock: str | None = None
    start: Json = None
    set_up: bool = False
    absence: protocol.Absence = protocol.Absence()
    opener: str = ""
    by_owner: bool = False
    pace: protocol.Pace = "usual"
    hints: bool = True
    salt: str = ""
    kept: tuple[Claim | None, ...] = ()

    @property
    def guest(self) -> str:
        """The address of the guest who opened the table; empty if the owner did, or if it is not known."""
        return "" if self.by_owner else self.opener

    def opens(self, code: str) -> bool:
        """Return whether this is the code needed to sit."""
        return self.lock is None or keys.opens(code, self.lock, self.salt or self.created)

    def begin(self) -> Any:
        """Return the state that the game starts from; raises BadData."""
        game = games.get(self.game)
        if self.start is None:
            return game.new(len(self.seats), self.settings, self.seed)
        return game.from_position(self.start)


def read(
    message: protocol.Open, random_text: Callable[[], str], stamp: str, usual: protocol.Absence
) -> Setup:
    """Return the setup that the message asks for; raises BadData or BadMessage.

    ``usual`` is the rule for absent players if the message has none.
    """
    game = games.get(message.game)
    if len(message.seats) not in game.seats:
        raise BadData("seats", f"must be {game.seats[0]} to {game.seats[-1]}")
    for number, spec in enumerate(message.seats):
        if spec.kind == "bot":
            try:
                bots.check_level(game.name, spec.level)
            except BadData as error:
                raise error.under(f"seats[{number}]") from None
    if message.code is not None and len(message.code) > protocol.MAX_CODE:
        raise BadData("code", f"can have at most {protocol.MAX_CODE} characters")
    absence = message.absence or usual
    if message.absence is not None and absence.level:
        try:
            bots.check_level(game.name, absence.level)
        except BadData as error:
            raise error.under("absence") from None
    if absence.level not in game.bots:
        # Of the host's own rule, which is for all games.
        absence = msgspec.structs.replace(absence, level="")
    if absence.after > protocol.MAX_AFTER:
        raise BadData("absence.after", f"can be at most {protocol.MAX_AFTER} seconds")
    if message.seed is not None and len(message.seed) > wire.MAX_CHAT:
        raise BadData("seed", f"can have at most {wire.MAX_CHAT} characters")
    if message.seed is not None and wire.harmless(message.seed) != message.seed:
        # Clients clean text they receive, and so would read another seed in the record.
        raise BadData("seed", "must not hold control characters")
    try:
        settings = game.settings({} if message.settings is None else message.settings, len(message.seats))
    except BadData as error:
        raise error.under("settings") from None
    if message.start is not None:
        settings = check_start(game, message.start, len(message.seats))
    return Setup(
        game.name,
        settings,
        tuple(message.seats),
        random_text() if message.seed is None else message.seed,
        stamp,
        protocol.clean_title(message.title),
        keys.locked(message.code, stamp) if message.code else None,
        message.start,
        message.start is not None or message.seed is not None,
        absence,
        pace=message.pace,
        hints=message.hints,
    )


def check_start(game: AnyGame, start: Json, seats: int) -> Json:
    """Check a start position and return its settings; raises BadData."""
    try:
        state = game.from_position(start)
    except BadData as error:
        raise error.under("start") from None
    sides = len(game.standing(state))
    if sides != seats:
        raise BadData("seats", f"must be {sides}, as many as the position has")
    return game.settings(start.get("settings", {}), seats)


def game_of(data: Json) -> str:
    """Return the name of the game in a journal entry, which may not be installed; empty if there is none."""
    name = data.get("game") if isinstance(data, dict) else None
    return name if isinstance(name, str) else ""


def game_list() -> list[Json]:
    """Return the games this host offers. Their rules are not loaded for that."""
    return [
        {
            "name": game.name,
            "title": game.title,
            "seats": [game.seats[0], game.seats[-1]],
            "editions": _editions(game),
        }
        for game in map(games.info, games.names())
    ]


def versions(wanted: Json) -> tuple[int, int]:
    """Return the first and last protocol version a client speaks; raises BadData."""
    if type(wanted) is int:
        return wanted, wanted
    if isinstance(wanted, list) and len(wanted) == 2 and all(type(each) is int for each in wanted):
        return wanted[0], wanted[1]
    raise BadData("protocol", "must be a version or a range of versions")


def _editions(game: GameInfo) -> list[Json]:
    return [value for option in game.options if option.name == "edition" for value, _ in option.values]
