"""The view of the game, the same for all (rules 2.3 and 7.1): everything but face-down rooms and tiles,
piles, and the setup of Era II.
"""

from __future__ import annotations

from msgspec import UNSET
from msgspec.structs import replace

from cave import codec
from cave.cave_vs_cave import position
from cave.cave_vs_cave.components import ERAS, components
from cave.cave_vs_cave.position import ShownForm
from cave.cave_vs_cave.rules import tiles_by_stage
from cave.cave_vs_cave.scoring import standing
from cave.cave_vs_cave.state import Later, Player, State
from cave.chance import Chance
from cave.game import Json
from cave.score import Score
from cave.simple_game import CaveView, ViewForm, view_json


class View(CaveView[State], frozen=True):
    """A game as a viewer sees it.

    ``cave`` is the visible part as a state: its face-down rooms are None, ``down`` and ``piles`` are empty
    (see ``down_size`` and ``pile_sizes``), and ``later`` is None.
    """

    down_size: int
    pile_sizes: tuple[int, int]

    @property
    def standing(self) -> tuple[Score, ...]:
        """The score if the game ended now."""
        return standing(self.cave)


def view(state: State, seat: int | None, names: tuple[str, ...]) -> View:
    """Return the view of a seat or a watcher."""
    # Built field by field, so that a field added to the state is hidden until someone shows it.
    shown = State(
        settings=state.settings,
        era=state.era,
        round=state.round,
        first=state.first,
        seat=state.seat,
        phase=state.phase,
        players=tuple(map(_hide_from_viewer, state.players)),
        display=state.display,
        up=state.up,
        taken=state.taken,
        done=state.done,
        additional=state.additional,
        prospected=state.prospected,
        used=state.used,
        out=state.out,
    )
    first, second = state.piles
    return View(seat, names, shown, len(state.down), (len(first), len(second)))


def _hide_from_viewer(player: Player) -> Player:
    return Player(
        goods=player.goods,
        rooms=player.rooms,
        covered=dict.fromkeys(player.covered),
        walls=player.walls,
        cavern=player.cavern,
        era_1=player.era_1,
    )


def imagine(view: View, seed: str) -> State:
    """Return a random full state that fits the view: hidden parts are dealt from the unseen ones."""
    cave, box = view.cave, components()
    chance = Chance(seed)
    shown = {*cave.display, *(room for player in cave.players for room in player.rooms.values())}
    players, piles = list(cave.players), []
    for era in ERAS:
        unseen, chance = chance.shuffle([room for room in box.rooms_of_era(era, "dark") if room not in shown])
        for seat, player in enumerate(players):
            hidden = [at for at in player.covered if box.spaces[at].era == era]
            dealt, unseen = unseen[: len(hidden)], unseen[len(hidden) :]
            players[seat] = replace(player, covered={**player.covered, **dict(zip(hidden, dealt, strict=True))})
        piles.append(unseen[: view.pile_sizes[era - 1]])
    down, chance = _imagine_tiles(view, chance)
    later = _imagine_later(cave, chance) if cave.era_2_follows else None
    return replace(cave, players=tuple(players), piles=(piles[0], piles[1]), down=down, later=later)


def _imagine_tiles(view: View, chance: Chance) -> tuple[tuple[str, ...], Chance]:
    if not view.down_size:
        return (), chance
    down: list[str] = []
    for stage in tiles_by_stage(view.cave.era, view.cave.alone):
        unseen, chance = chance.shuffle([tile for tile in stage if tile not in view.cave.up])
        down += unseen
    return tuple(down), chance


def _imagine_later(cave: State, chance: Chance) -> Later:
    box = components()
    tiles, chance = chance.shuffle([tile.id for tile in box.tiles.values() if tile.era == 2])
    light, chance = chance.shuffle(box.rooms_of_era(2, "light"))
    rooms, chance = chance.shuffle(box.rooms_of_era(2, "dark"))
    return Later(tiles, light[: len(light) - box.light_removed_alone] if cave.alone else light, rooms)


class _Form(ViewForm, frozen=True):
    position: ShownForm


def view_to_json(view: View) -> Json:
    """Return the public form of a view. No seat has secrets, so ``hidden`` is empty."""
    return view_json(view, position.write_view(view.cave, view.names, view.down_size, view.pile_sizes))


def from_json(data: Json) -> View:
    """Parse the public form of a view; raises BadData."""
    form = codec.parse(data, _Form)
    shown = form.position
    return View(
        form.viewer,
        tuple(player.name for player in shown.players),
        position.read_view(shown),
        0 if shown.tiles is UNSET else shown.tiles.down,
        (0, 0) if shown.pile_sizes is UNSET else shown.pile_sizes,
    )
