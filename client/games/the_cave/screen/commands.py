"""The command palette at a table: actions, moves and places."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from typing import NamedTuple

from textual.command import Hit, Hits, Provider

from client.games.the_cave import actions, terms
from client.games.the_cave.screen.game import GameScreen

WORDS = (
    ("Do it", "what enter does at the cursor", "enter"),
    ("Moves", "all ways to go, with their prices", "moves"),
    ("All actions", "also those you cannot do now, with the reason", "all"),
    ("Undo", "take back one step of this turn", "undo"),
    ("Reset the turn", "take back all that can be taken back", "reset"),
    ("Rotate the tile", "turn the discovered tile the next way it fits", "rotate"),
    ("Next place", "move the cursor to the next place where you can act", "next"),
    ("Next exit, unexplored", "the cursor to the next ? of the cave", "exit"),
    ("Jump", "a letter on each place in sight; typing it goes there", "jump"),
    ("Base", "the cursor to the home base", "base"),
    ("Find the team", "the cursor to your team", "find"),
    ("Centre the map", "the cursor to the middle of the map", "centre"),
    ("Zoom the map", "the next of three sizes", "zoom"),
    ("Follow", "keep the map on the team whose turn it is, or stop", "follow"),
    ("Log", "everything that has happened", "log"),
    ("Chat", "talk to the others", "chat"),
    ("Take a seat back", "play again for the seat that another terminal took over", "take_back"),
    ("Guide", "tips for a first game, on or off", "guide"),
    ("Help", "rules in brief, map legend, keys", "help"),
    ("Leave the table", "to the menu, or out of the program", "quit"),
)
"""What there is beside the actions: name, what it is for, and the word of the key that does it."""


FIRST = 2.0
"""What the game has comes before the settings (1) and the way out (0) in the palette."""


class Command(NamedTuple):
    """A line of the palette; one that is not possible now says why in ``help``."""

    text: str
    help: str
    do: Callable[[], None]


class LookCommands(Provider):
    """What can be looked at on the screen of a table, live or not; subclasses say what can be done."""

    def commands(self) -> Iterator[Command]:
        """Everything there is before a letter is typed."""
        raise NotImplementedError

    def searched(self, query: str) -> Iterator[Command]:
        """What there is beside it for a query: every tile, and any other place by its numbers."""
        screen = self.screen
        if not isinstance(screen, GameScreen) or screen.desk.view is None:
            return
        board = screen.desk.cave.board
        for (x, y), tile in sorted(board.items()):
            about = f"{terms.kind(tile.kind, tile.level)}, {terms.depth(tile.depth)}"
            yield Command(f"Go to {x},{y}", about, partial(screen.look_at, (x, y)))
        numbers = query.lower().removeprefix("go to ").split(",")
        try:
            x, y = (int(number) for number in numbers)
        except ValueError:
            return
        if (x, y) not in board:
            yield Command(f"Go to {x},{y}", "no tile lies there", partial(screen.look_at, (x, y)))

    def teams(self) -> Iterator[Command]:
        """Each team, to be found on the map."""
        screen = self.screen
        if isinstance(screen, GameScreen):
            for number, team in enumerate(screen.desk.cave.teams):
                label = f"Show team {terms.letter(number)} {team.name}"
                yield Command(label, "move the cursor there", partial(screen.look_at, team.at))

    async def discover(self) -> Hits:
        """Everything, before a letter is typed."""
        for command in self.commands():
            yield Hit(FIRST, command.text, command.do, text=command.text, help=command.help)

    async def search(self, query: str) -> Hits:
        """What matches; ``3,-1`` is a place."""
        matcher = self.matcher(query)
        for command in chain(self.commands(), self.searched(query)):
            score = matcher.match(command.text)
            if score > 0:
                yield Hit(score, matcher.highlight(command.text), command.do, help=command.help)


class TableCommands(LookCommands):
    """What can be done on the game screen; what is not legal now is there with the reason."""

    def commands(self) -> Iterator[Command]:
        """Actions, moves, and what every key does; the teams."""
        screen = self.screen
        if not isinstance(screen, GameScreen) or screen.desk.seat is None:
            return
        now = screen.desk
        seat = now.seat
        assert seat is not None
        if now.can_act and now.mode != "placing":
            for line in actions.lines(now.cave, seat, now.choices, now.refusals):
                note = " ".join(part for part in (line.price, line.gain) if part) if line.legal else line.why
                yield Command(terms.begun(line.label), note, partial(screen.action_do, line.do))
            for offer in actions.offers(now.cave, seat, now.choices):
                note = " ".join(part for part in (offer.price, offer.gain, offer.brings) if part)
                yield Command(terms.begun(offer.label), note, partial(screen.take, offer.choice))
        for text, help_, word in WORDS:
            yield Command(text, help_, partial(screen.action_do, word))
        yield from self.teams()
