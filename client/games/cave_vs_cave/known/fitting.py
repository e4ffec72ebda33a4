"""What fits where: each room of the display on a space, and why it does not."""

from __future__ import annotations

import msgspec

from cave.cave_vs_cave.actions import Space
from cave.cave_vs_cave.board import SIDES, empty, walls_round
from cave.cave_vs_cave.checks import check_room
from cave.cave_vs_cave.goods import lacking, named
from client.games.cave_vs_cave.known import terms
from client.games.cave_vs_cave.known.scene import VersusScene
from client.present.wording import count

_WHY = {
    "walls_differ": "needs walls {walls}",
    "too_many_blue": "too many blue rooms",
    "no_space": "no empty space",
}


class Fit(msgspec.Struct, frozen=True):
    """A room of the display and a space: the code of the refusal, if any, and what is in the way."""

    room: str
    code: str = ""
    why: str = ""

    @property
    def words(self) -> str:
        """Whether it fits, in a few words."""
        return self.why if self.code else f"fits, but {self.why}" if self.why else "fits"


def fits(scene: VersusScene, at: Space) -> tuple[Fit, ...]:
    """Return for each room on show whether it may stand on a space of the seat, those that fit first."""
    return tuple(
        sorted((_fit(scene, room, at) for room in scene.cave.display), key=lambda each: each.code > "")
    )


def _fit(scene: VersusScene, room: str, at: Space) -> Fit:
    if refused := check_room(scene.cave, scene.me, room, at):
        why = _WHY.get(refused.code, refused.code).format(walls=terms.walls(terms.room(room)))
        return Fit(room, refused.code, why)
    short = () if scene.cave.drafting else lacking(scene.me.goods, terms.room(room).cost)
    return Fit(room, "", f"you lack {terms.brief(named(short))}" if short else "")


def is_empty(scene: VersusScene, at: Space) -> bool:
    """Return whether a space of the shown seat is empty."""
    return at in empty(scene.me, scene.cave.era)


def spaces_for(scene: VersusScene, room: str) -> tuple[Space, ...]:
    """Return the spaces of the shown seat on which a room on show may stand."""
    spaces = empty(scene.me, scene.cave.era)
    return tuple(at for at in spaces if not check_room(scene.cave, scene.me, room, at))


def where(scene: VersusScene, room: str) -> str:
    """Say on which spaces a room on show fits."""
    spaces = " ".join(map(terms.space, spaces_for(scene, room)))
    return f"fits on {spaces}" if spaces else "fits nowhere now"


def title(room: str) -> str:
    """Return the name of a room, its colour and its points."""
    found = terms.room(room)
    return f"{found.name}, {found.colour}, {count(found.vp, 'point')}"


def facts(scene: VersusScene, room: str) -> str:
    """Return what a room on show needs and does, and where it fits."""
    return f"walls {terms.walls(terms.room(room))}; {terms.room_effect(room)}; {where(scene, room)}"


def walls_at(scene: VersusScene, seat: int, at: Space) -> str:
    """Return the sides of a space that have walls: ``N W``."""
    player = scene.cave.players[seat]
    there = walls_round(at, player.walls, scene.cave.settings.cavern, player.cavern)
    return " ".join(side for side, bit in SIDES.items() if there & bit) or "none"
