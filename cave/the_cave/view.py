"""The view of a seat or a watcher (rules 1 and 2.3): everything but the stacks and, until all have packed,
the packs of others.
"""

# No quoted types here: msgspec would have to compile each string at every start.
from collections import Counter

from msgspec import Raw
from msgspec.structs import replace

from cave import codec
from cave.chance import Chance
from cave.game import BadData, Json
from cave.score import Score
from cave.simple_game import CaveView, ViewForm, view_json
from cave.the_cave import position
from cave.the_cave.actions import Action, AnyChoice, Event, Form, Move, Pack, Packed, Place
from cave.the_cave.legal import why_not_in_phase
from cave.the_cave.scoring import standing
from cave.the_cave.state import NOTHING, Camp, State, TileKind, neighbours_of, smallest_turn
from cave.the_cave.tiles import components, unexplored_exits


class View(CaveView[State], frozen=True):
    """A game as a viewer sees it.

    ``cave`` is the visible part as a state whose stacks are empty; only ``stack_sizes`` are known. The packs
    of the seats in ``hidden`` look empty.
    """

    stack_sizes: tuple[int, ...]
    hidden: frozenset[int]

    @property
    def standing(self) -> tuple[Score, ...]:
        return standing(self.cave)


def view(state: State, seat: int | None, names: tuple[str, ...]) -> View:
    hidden = frozenset[int]()
    teams = state.teams
    if state.phase == "packing":
        hidden = frozenset(range(len(teams))) - {seat}
        teams = tuple(
            replace(team, backpack=NOTHING, camp=Camp(), lost=()) if number in hidden else team
            for number, team in enumerate(teams)
        )
    shown = replace(state, teams=teams, stacks=((),) * position.STACKS)
    return View(seat, names, shown, tuple(map(len, state.stacks)), hidden)


def may_offer(view: View, choice: AnyChoice) -> bool:
    """Return whether the choice fits the phase and the seat, and its place is next to the team's."""
    cave, viewer = view.cave, view.viewer
    if viewer is None or viewer not in view.acting:
        return False
    if isinstance(choice, Form):
        return not why_not_in_phase(cave, choice.kind, None)
    if why_not_in_phase(cave, choice.action.type, getattr(choice.action, "by", None)):
        return False
    here = cave.teams[viewer].at
    match choice.action:
        case Move(to):
            return to in cave.board and any(near.at == to for near in neighbours_of(here))
        case Place(at):
            return at in unexplored_exits(cave.board, here)
    return True


def public_event_of(event: Event) -> Event:
    """Return the event without secrets: packs at the start are their owner's secret."""
    if isinstance(event, Packed) and event.secret:
        return replace(event, backpack=None, camp=None)
    return event


def may_know(state: State, by: int, action: Action, viewer: int | None) -> bool:
    """Return whether the viewer may know of the action in this state (rule 2.3)."""
    return not (state.phase == "packing" and isinstance(action, Pack) and by != viewer)


def imagine(view: View, seed: str) -> State:
    """Return a full state that fits the view: unseen tiles in an order drawn from ``seed``.

    Unseen tiles are dealt to their own stacks if the view allows; in a custom position with extra tiles, any
    tile of a stack may repeat. Hidden packs stay empty.
    """
    seen = position.tiles_in_use(view.cave)
    chance = Chance(seed)
    stacks = []
    for stack, size in zip(components().stacks, view.stack_sizes, strict=True):
        unseen: list[TileKind] = []
        for tile in stack:
            usual = replace(tile, open=smallest_turn(tile.open))
            if seen[usual]:
                seen = seen - Counter([usual])
            else:
                unseen.append(tile)
        order, chance = chance.shuffle(unseen)
        while len(order) < size:
            more, chance = chance.shuffle(stack)
            order += more
        stacks.append(order[:size])
    return replace(view.cave, stacks=tuple(stacks))


def view_to_json(view: View) -> Json:
    shown = position.write_position(view.cave, view.names, view.stack_sizes)
    return view_json(view, shown, sorted(view.hidden))


def to_bytes(view: View) -> bytes:
    """Return the public form of a view as JSON text; its position is encoded only once."""
    shown = Raw(position.encode_position(view.cave, view.names, view.stack_sizes))
    return codec.encode(view_json(view, shown, sorted(view.hidden)))


def from_json(data: Json) -> View:
    form = codec.parse(data, ViewForm)
    cave, names, sizes = position.read_view(form.position)
    if form.viewer not in (None, *range(len(names))):
        raise BadData("viewer", "must be a seat of the game")
    return View(form.viewer, names, cave, sizes, frozenset(form.hidden))
