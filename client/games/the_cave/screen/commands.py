"""The lines of the command palette and of the lists that open: actions, moves, teams and places."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from cave.the_cave.actions import Choice
from cave.the_cave.routes import way_home
from cave.the_cave.state import Coord
from client.games.the_cave.known import actions, terms
from client.games.the_cave.known.actions import ActionLine
from client.games.the_cave.known.scene import CaveScene
from client.games.the_cave.known.supplies import supplies
from client.games.the_cave.said.guide import OF_ACTION, rules_named
from client.tui.palette import Command
from client.tui.screens.chooser import Entry, number_key
from client.wording import begun, count


def playing(now: CaveScene, do: Callable[[str], None], take: Callable[[Choice], None]) -> Iterator[Command]:
    if now.mode not in ("acting", "starving", "waiting"):
        return
    for line in (*now.all_lines(), *actions.offers(now.cave, now.seat, now.choices)):
        note = " ".join(filter(None, (line.price, line.gain, line.brings))) if line.legal else line.why
        done = partial(do, line.do) if line.choice is None else partial(take, line.choice)
        yield Command(begun(line.label), note, done)


def teams(now: CaveScene, look_at: Callable[[Coord], None]) -> Iterator[Command]:
    for number, team in enumerate(now.cave.teams):
        label = f"Show team {terms.letter(number)} {now.view.names[number]}"
        yield Command(label, "move the cursor there", partial(look_at, team.at))


def places(now: CaveScene, query: str, look_at: Callable[[Coord], None]) -> Iterator[Command]:
    """Yield every tile, and any other place by its numbers: ``3,-1``."""
    board = now.cave.board
    for (x, y), tile in sorted(board.items()):
        about = f"{terms.kind(tile.kind, tile.level)}, {terms.depth(tile.depth)}"
        yield Command(f"Go to {x},{y}", about, partial(look_at, (x, y)))
    numbers = query.lower().removeprefix("go to ").split(",")
    try:
        x, y = (int(number) for number in numbers)
    except ValueError:
        return
    if (x, y) not in board:
        yield Command(f"Go to {x},{y}", "no tile lies there", partial(look_at, (x, y)))


def offer_entries(found: Sequence[ActionLine]) -> list[Entry]:
    """Return priced variants of moves, numbered."""
    return [action_entry(offer)._replace(key=number_key(number)) for number, offer in enumerate(found, 1)]


def action_entry(line: ActionLine) -> Entry:
    """Return an action as an entry that gives the action's word, or its choice."""
    rules = ("5.7",) if line.by_force else (*rules_named(line.why), *OF_ACTION.get(line.do, ()))
    return Entry(
        line.label,
        line.choice or line.do,
        line.price,
        line.gain,
        line.why or line.brings,
        line.key,
        enabled=line.legal,
        about=rules,
        columns=() if line.legal else (line.short, line.reason, line.rule),
        price_role="warn" if line.loses else "" if line.choice else "gain",
    )


def alarm_entries(scene: CaveScene) -> Iterator[Entry]:
    """Yield each team with the turns it has left, and whether it can be home; its value is where it is."""
    cave = scene.cave
    for seat, team in enumerate(cave.teams):
        found = supplies(cave, seat, way_home(cave, seat)).countdown
        assert found is not None
        name = f"{terms.letter(seat)} {scene.view.names[seat]}"
        role = "warn" if found.late else "text"
        yield Entry(name, team.at, f"{count(found.left, 'turn')} left", detail=found.words, role=role)
