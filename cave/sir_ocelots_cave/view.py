"""The view of a seat or a watcher (rule 5.4): everything but the bags and, until the game is over, the values
of amethysts that others drew. Only the record of a finished game reveals the bags, by its seed.
"""

from __future__ import annotations

from msgspec.structs import replace

from cave import codec
from cave.chance import Chance
from cave.game import Json
from cave.score import Score
from cave.simple_game import CaveView, ViewForm, view_json
from cave.sir_ocelots_cave import position
from cave.sir_ocelots_cave.actions import Advance, Choice, Collecting, Drew, Event, LayTool, PlaceCompanion
from cave.sir_ocelots_cave.components import BAGS, BIT, RAYS
from cave.sir_ocelots_cave.legal import ALLOWED_IN
from cave.sir_ocelots_cave.scoring import standing, unseen_amethysts
from cave.sir_ocelots_cave.state import Amethyst, Player, State


class View(CaveView[State], frozen=True):
    """A game as a viewer sees it.

    ``cave`` is the visible part as a state: its bags are empty (see ``bag_sizes``), and hidden amethysts have
    no value.
    """

    bag_sizes: tuple[int, ...]

    @property
    def standing(self) -> tuple[Score, ...]:
        """The score if the game ended now, without amethysts hidden from the viewer."""
        return standing(self.cave)


def view(state: State, seat: int | None, names: tuple[str, ...], *, over: bool = False) -> View:
    """Return the view of a seat or a watcher; ``over`` reveals all amethysts, for a replay."""
    over = over or state.phase == "over"
    players = tuple(player if number == seat or over else _hide(player) for number, player in enumerate(state.players))
    # Built field by field, so that a field added to the state is hidden until someone shows it.
    shown = State(
        settings=state.settings,
        players=players,
        gems=state.gems,
        tools=state.tools,
        sight=state.sight,
        bags=((),) * len(BAGS),
        seat=state.seat,
        phase=state.phase,
        first_seat=state.first_seat,
    )
    return View(seat, names, shown, tuple(map(len, state.bags)))


def _hide(player: Player) -> Player:
    return Player(
        tools=player.tools,
        companion=player.companion,
        collected=player.collected,
        amethysts=tuple(Amethyst(each.bag) for each in player.amethysts),
    )


def knows_as_watcher(state: State, seat: int) -> bool:
    """Return whether a watcher knows as much as this seat: it has no amethyst, or all are revealed."""
    return state.phase == "over" or not state.players[seat].amethysts


def public_event_of(event: Event) -> Event:
    if isinstance(event, Drew):
        return replace(event, value=None)
    return event


def may_offer(view: View, choice: Choice) -> bool:
    """Return whether the choice fits the phase and the seat, and its places are on the board."""
    cave = view.cave
    if view.viewer not in view.acting or choice.type not in ALLOWED_IN[cave.phase]:
        return False
    match choice:
        case Collecting(gems):
            return all(BIT.get(at, 0) & cave.with_gems for at in gems)
        case LayTool(at=at):
            return at in RAYS
        case Advance(at) | PlaceCompanion(at):
            return at in BIT


def imagine(view: View, seed: str) -> State:
    """Return a random full state that fits the view: hidden parts are dealt from the unseen ones."""
    chance = Chance(seed)
    players, unseen = view.cave.players, unseen_amethysts(view.cave)
    bags = []
    for bag, size in zip(BAGS, view.bag_sizes, strict=True):
        order, chance = chance.shuffle(unseen[bag])
        bags.append(order[:size])
        dealt = iter(order[size:])
        players = tuple(
            replace(
                player,
                amethysts=tuple(
                    Amethyst(bag, next(dealt)) if each.bag == bag and each.value is None else each
                    for each in player.amethysts
                ),
            )
            for player in players
        )
    return replace(view.cave, players=players, bags=tuple(bags))


def view_to_json(view: View) -> Json:
    """Return the public form of a view; ``hidden`` are the seats with amethysts hidden from the viewer."""
    hidden = [
        seat for seat, player in enumerate(view.cave.players) if any(each.value is None for each in player.amethysts)
    ]
    return view_json(view, position.write_view(view.cave, view.names, view.bag_sizes), hidden)


def from_json(data: Json) -> View:
    form = codec.parse(data, ViewForm)
    cave, sizes, names = position.read_view(form.position)
    return View(form.viewer, names, cave, sizes)
