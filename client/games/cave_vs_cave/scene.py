"""Everything that this keyboard's user sees, computed once per state of the table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec.structs import asdict

from cave.cave_vs_cave.actions import Choice, Space, Take
from cave.cave_vs_cave.components import components
from cave.cave_vs_cave.goods import GOODS, Good
from cave.cave_vs_cave.rounds import count_rounds
from cave.cave_vs_cave.state import ENTRANCE, Player, State
from cave.cave_vs_cave.turns import turns_each
from client.face import LETTERS
from client.games.cave_vs_cave import log, terms
from client.present.scene import CaveScene, Turns
from client.present.scene import scene as plain_scene
from client.table import TableState

Mode = Literal["draft", "cover", "take", "actions", "dig", "cavern", "waiting", "watching", "over"]


class VersusScene(CaveScene[State, Player], frozen=True, kw_only=True):
    mode: Mode = "watching"
    kinds: Mapping[str, tuple[Choice, ...]] = msgspec.field(default_factory=dict)
    at: Mapping[Space, tuple[Choice, ...]] = msgspec.field(default_factory=dict)

    @property
    def goods(self) -> tuple[Good, ...]:
        return GOODS[: components().kinds[self.cave.era]]

    def room_at(self, seat: int, at: Space) -> str:
        return "cave_entrance" if at == ENTRANCE else self.cave.players[seat].rooms.get(at, "")

    def why_not(self, kind: str) -> str:
        """Return the reason that is easiest to mend: few missing goods come before many, and before other walls."""
        found = [each for each in self.refusals if each.action.get("type") == kind]
        easiest = min(found, key=lambda each: (each.code != "not_enough", len(each.message)), default=None)
        return easiest.message if easiest else ""

    @property
    def takable_tiles(self) -> tuple[str, ...]:
        """The tiles that can be taken now."""
        return tuple(each.action.tile for each in self.kinds.get("take", ()) if isinstance(each.action, Take))

    @property
    def turn_number(self) -> int:
        """The number of the seat's turn in this round, from 1."""
        begun = self.cave.phase in ("actions", "dig", "cavern")
        number = (len(self.cave.taken) - begun) // len(self.cave.players) + 1
        return min(max(1, number), self.turns_this_round)

    @property
    def turns_this_round(self) -> int:
        """The number of turns of each player in this round; 0 in the draft."""
        return 0 if self.cave.drafting else turns_each(self.cave)


def scene(state: TableState, last: int | None, turns: Turns) -> VersusScene:
    base = plain_scene(state, last, turns)
    return VersusScene(
        **asdict(base) | {"mode": base.why_passive or base.view.cave.phase},
        kinds=group_choices(base.choices, lambda choice: choice.action.type),
        at=_by_place(base.choices),
    )


def _by_place(choices: Iterable[Choice]) -> dict[Space, tuple[Choice, ...]]:
    """Group choices by space; a wall belongs to the spaces on both sides."""
    found = group_choices(choices, lambda choice: getattr(choice.action, "at", None))
    for choice in choices:
        for at in getattr(choice.action, "between", ()):
            found[at] = (*found.get(at, ()), choice)
    return found


def group_choices(choices: Iterable[Choice], key: Callable[[Choice], Any]) -> dict[Any, tuple[Choice, ...]]:
    found: dict[Any, tuple[Choice, ...]] = {}
    for choice in choices:
        if (name := key(choice)) is not None:
            found[name] = (*found.get(name, ()), choice)
    return found


NOTHING_TO_UNDO = "Nothing to undo: you cannot undo what was turned up or dug, nor a turn that has ended."
PARTS = {"era_1": "Era I", "rooms": "rooms", "gold": "gold", "iron": "iron", "weapon": "weapons"}
OWN, FIGURES, MOST = 9, 13, 14  # columns of a title with the player's figure; with the opponent's; if they are long


def moment_words(scene: VersusScene) -> str:
    cave = scene.cave
    if cave.phase == "draft" or (cave.drafting and cave.phase == "cavern"):
        return "draft"
    if cave.phase == "cover":
        return "covering"
    era = "" if cave.settings.edition == "era-1" else f"Era {'I' * cave.era}, "
    told = f"{era}round {cave.round} of {count_rounds(cave)}"
    return told if scene.over else f"{told}: turn {scene.turn_number} of {scene.turns_this_round}"


def points_lines(scene: VersusScene) -> list[str]:
    """Return the total and, indented, its parts; a single part is not repeated."""
    standing = [scene.view.standing[seat] for seat in _shown_seats_first(scene)]
    parts = {title: [score.points.get(part, 0) for score in standing] for part, title in PARTS.items()}
    shown = {f" {title}": [f"{value:g}" for value in values] for title, values in parts.items() if any(values)}
    goal = {"goal": [log.goal_figure(scene.cave)]} if scene.cave.alone else {}
    lines = {**goal, "points": [f"{score.total or 0:g}" for score in standing], **(shown if len(shown) > 1 else {})}
    return [_figures_line(title, figures) for title, figures in lines.items()]


def goods_lines(scene: VersusScene) -> list[str]:
    """Return a heading with the owners, and a line for each good, which begins with its letter."""
    own, *others = _shown_seats_first(scene)
    head = [LETTERS[own] if scene.name_needed else "you", *(LETTERS[seat] for seat in others)]
    return [
        _figures_line("", head),
        *(
            _figures_line(
                f"{terms.LETTERS[name]} {name}", [str(scene.cave.players[seat].goods[good]) for seat in (own, *others)]
            )
            for good, name in enumerate(scene.goods)
        ),
    ]


def _shown_seats_first(scene: VersusScene) -> list[int]:
    """Return the seats, the displayed one first."""
    return sorted(range(len(scene.cave.players)), key=lambda seat: seat != scene.seat)


def _figures_line(title: str, figures: Sequence[str]) -> str:
    own, *others = figures
    rest = "".join(f" {each}" for each in others)
    head = f"{title} {own}" if title else own
    head = title + own.rjust(OWN - len(title)) if len(head) < OWN else head
    if len(head) + len(rest) > MOST:
        head = f"{title[: max(0, MOST - len(rest) - len(own) - 1)]} {own}"
    return head + (f"{rest:>{FIGURES - len(head)}}" if others else "")


_ASKED: Mapping[str, str] = {
    "take": "Take a tile by its key.",
    "dig": "Dig the second room: point at it.",
    "cavern": "Your cave is full: choose the side of the Additional Cavern.",
    "draft": "Place one of the rooms on show, with as few new walls as can be.",
    "cover": "Cover an empty space with a face-down room.",
}


def asked_words(scene: VersusScene) -> str:
    if scene.cave.phase == "actions":
        return f"{terms.tile_name(scene.cave.tile)}: do in any order."
    return _ASKED.get(scene.cave.phase, "")
