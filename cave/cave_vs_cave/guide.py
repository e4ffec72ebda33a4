"""The guide of Cave vs Cave plans its whole turn with each tile, and counts what it leaves to the rival."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from random import Random
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from cave.cave_vs_cave.actions import Action, Cover, Draft, EndTurn, Take
from cave.cave_vs_cave.checks import check_take
from cave.cave_vs_cave.choices import choices as offers
from cave.cave_vs_cave.components import components
from cave.cave_vs_cave.judgement import BY_HAND, Judgement, Weights, judgement
from cave.cave_vs_cave.planning import Node, Turn
from cave.cave_vs_cave.prospects import turns_left
from cave.cave_vs_cave.quick_start import cover_worth, draft_worth
from cave.cave_vs_cave.state import State, with_player
from cave.cave_vs_cave.turns import turns_each

Kind = TypeVar("Kind")
_END = (EndTurn(),)


class Option(Struct, frozen=True):
    """Actions that a seat may do one after the other, and what they come to."""

    actions: tuple[Action, ...]
    value: float


class _End(Struct, frozen=True):
    """An end of a turn with its value, what the tile leaves to the rival, and which tile that is."""

    node: Node
    value: float
    loss: float
    tile: str = ""
    theirs: str = ""


class Style(Struct, frozen=True):
    """How much somebody looks at."""

    glance: int | None = None
    """Tiles that are looked at, drawn by lot; None for all."""
    width: int = 1
    """Positions that are kept after each step of a turn."""
    denied: float = 0.0
    """The part of the rival's best gain from the tiles left to it that counts as a loss."""
    ends: int = 1
    """Ends of the turn with each tile that are kept."""
    ahead: int = 0
    """Options that are looked at once more: with the best next turn after them."""
    narrow: int = 2
    """Positions kept after each step of turns that are only thought of."""
    weights: Weights = BY_HAND


GUIDE = Style(width=5, denied=0.5, ends=2, ahead=5)


Memory = dict[Hashable, list[Node]]
"""The best ends of turns that were planned before, by all that they hang on."""


def options(state: State, seat: int, style: Style, rng: Random, memory: Memory | None = None) -> list[Option]:
    """Return what a seat may do up to the end of its turn, the best first. Nothing hidden is looked at, so a
    view's state will do. ``rng`` says what somebody overlooks. The ``memory`` is for one style.
    """
    if state.drafting:
        return _prepared(state, seat, style, rng)
    mind = judgement(state, seat, style.weights)
    if state.phase == "take":
        ends = _takes(state, seat, mind, style, rng, {} if memory is None else memory)
    else:
        turn = Turn(state, seat, state.tile, mind)
        found = turn.ends(_starts(turn, state), style.width)
        ends = [_End(node, node.value, 0.0) for node in _best(found, style.ahead or style.ends)]
    return _looked_ahead(state, seat, ends, style) if style.ahead else _as_options(ends)


def _as_options(ends: Sequence[_End]) -> list[Option]:
    return [Option(end.node.actions or _END, end.value) for end in ends]


def _noticed(actions: list[Kind], style: Style, rng: Random) -> list[Kind]:
    """Return the actions that somebody looks at."""
    if style.glance is None or len(actions) <= style.glance:
        return actions
    return rng.sample(actions, style.glance)


def _best(nodes: Sequence[Node], most: int) -> list[Node]:
    """Return the best, of those of the same worth one: mostly they differ in the order of what is done."""
    found: dict[float, Node] = {}
    for node in nodes:
        found.setdefault(round(node.value, 6), node)
    return [found[value] for value in sorted(found, reverse=True)[:most]]


def _starts(turn: Turn, state: State) -> list[Node]:
    now = turn.now()
    return [now] if state.phase == "actions" else list(turn.resumed(now, state.phase))


def _takes(state: State, seat: int, mind: Judgement, style: Style, rng: Random, memory: Memory) -> list[_End]:
    left = _left_to_rival(state, seat, style) if style.denied and _rival_follows(state) else {}
    found = []
    takes = [each.action for each in offers(state, seat) if isinstance(each.action, Take)]
    takes = _noticed(takes, style, rng)
    # The cave of a rival stays as it is in many worlds, and in many plans of ours.
    here = (seat, state.era, state.round, state.up, len(state.taken), mind.key)
    for take in takes:
        tile = take.tile
        turn = Turn(state, seat, tile, mind)
        loss = style.denied * max((gain for other, gain in left.items() if other != tile), default=0.0)
        theirs = max((other for other in left if other != tile), key=lambda each: left[each], default="")
        key = (tile, here, turn.walls_left, turn.cavern_free)
        nodes = memory.get(key)
        if nodes is None:
            nodes = memory[key] = _best(turn.ends([turn.begin((take,))], style.width), style.ends)
        for node in nodes:
            found.append(_End(node, node.value - loss, loss, tile, theirs))
    return sorted(found, key=lambda end: -end.value)


def _looked_ahead(state: State, seat: int, ends: Sequence[_End], style: Style) -> list[Option]:
    """Return the best with what the best next turn after them comes to, then the rest."""
    after = turns_left(state, seat) - 1
    first = ends[: style.ahead]
    if not after or len(first) < 2:
        return _as_options(ends)
    here = turns_each(state) * len(state.players) - len(state.taken) - (state.phase == "take")
    # Whether the next turn is one of the next round.
    new = here < len(state.players)
    found = []
    for end in first:
        taken = () if new else (*state.taken, end.tile, end.theirs)
        player = replace(end.node.shape.player, goods=end.node.goods)
        then = replace(
            state,
            players=with_player(state.players, seat, player),
            display=end.node.shape.display,
            round=min(state.round + new, len(components().turns[state.era, state.alone])),
            phase="take",
            taken=(),
        )
        mind = judgement(then, seat, style.weights, after - 1, end.node.shape)
        worths = [
            _worth(then, seat, tile, mind, style)
            for tile in state.up
            if tile not in taken and not check_take(then, player, tile)
        ]
        best = max(worths, default=end.value + end.loss)
        found.append(_End(end.node, best - end.loss, end.loss))
    found.sort(key=lambda end: -end.value)
    behind = found[-1].value - ends[len(first) - 1].value
    return _as_options(found) + [
        Option(end.node.actions or _END, end.value + behind) for end in ends[style.ahead :]
    ]


def _worth(state: State, seat: int, tile: str, mind: Judgement, style: Style) -> float:
    """Return what the best turn with a tile comes to."""
    turn = Turn(state, seat, tile, mind)
    return max(node.value for node in turn.ends([turn.begin()], style.narrow))


def _rival_follows(state: State) -> bool:
    """Return whether the rival is to take one of the tiles that are left in this round."""
    return not state.alone and len(state.taken) + 1 < turns_each(state) * len(state.players)


def _left_to_rival(state: State, seat: int, style: Style) -> dict[str, float]:
    """Return what each tile would bring the rival in its next turn."""
    rival = 1 - seat
    mind = judgement(state, rival, style.weights)
    goods = state.players[rival].goods
    base = mind.value(goods, mind.shape)
    found = {}
    for tile in state.up:
        if tile not in state.taken:
            found[tile] = _worth(state, rival, tile, mind, style) - base
    return found


def _prepared(state: State, seat: int, style: Style, rng: Random) -> list[Option]:
    """Return what may be drafted or covered, or which side of a cavern tile may be taken."""
    actions = _noticed([each.action for each in offers(state, seat)], style, rng)
    found = [Option((action,), _worth_of(state, seat, action)) for action in actions]
    return sorted(found, key=lambda option: -option.value)


def _worth_of(state: State, seat: int, action: Action) -> float:
    if isinstance(action, Draft):
        return draft_worth(state, seat, action)
    # Before the first turn both sides of a cavern tile are about equal.
    return cover_worth(state, seat, action) if isinstance(action, Cover) else 0.0
