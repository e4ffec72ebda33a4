"""What fits where: each room of the display on a space, and why it does not."""

from __future__ import annotations

import msgspec

from cave.cave_vs_cave.actions import Space
from cave.cave_vs_cave.board import SIDES, empty, walls_round
from cave.cave_vs_cave.checks import check_room
from cave.cave_vs_cave.goods import lacking, named
from client.games.cave_vs_cave.known import terms
from client.games.cave_vs_cave.known.scene import VersusScene

_WHY = {
    "walls_differ": "needs walls {walls}",
    "too_many_blue": "too many blue rooms",
    "no_space": "no empty space",
}


class Fit(msgspec.Struct, frozen=True):
    """A room of the display and a space: whether it fits, and in a few words what is in the way."""

    room: str
    code: str
    """The refusal, as the rules name it; nothing where it fits."""
    why: str

    @property
    def fits(self) -> bool:
        """Whether it may stand there."""
        return not self.code


def fits(scene: VersusScene, at: Space) -> tuple[Fit, ...]:
    """Return for each room on show whether it may stand on a space of the seat, those that fit first."""
    found = [_fit(scene, room, at) for room in scene.cave.display]
    return tuple(sorted(found, key=lambda each: not each.fits))


def _fit(scene: VersusScene, room: str, at: Space) -> Fit:
    if refused := check_room(scene.cave, scene.me, room, at):
        why = _WHY.get(refused.code, refused.code).format(walls=terms.walls(terms.room(room)))
        return Fit(room, refused.code, why)
    short = lacking(scene.me.goods, terms.room(room).cost)
    return Fit(room, "", f"you lack {terms.brief(named(short))}" if short and not scene.cave.drafting else "")


def is_empty(scene: VersusScene, at: Space) -> bool:
    """Return whether a space of the shown seat is empty."""
    return at in empty(scene.me, scene.cave.era)


def spaces_for(scene: VersusScene, room: str) -> tuple[Space, ...]:
    """Return the spaces of the shown seat on which a room on show may stand."""
    return tuple(
        at for at in empty(scene.me, scene.cave.era) if not check_room(scene.cave, scene.me, room, at)
    )


def walls_at(scene: VersusScene, seat: int, at: Space) -> str:
    """Return the sides of a space that have walls: ``N W``."""
    player = scene.cave.players[seat]
    there = walls_round(at, player.walls, scene.cave.settings.cavern, player.cavern)
    return " ".join(side for side, bit in SIDES.items() if there & bit) or "none"
