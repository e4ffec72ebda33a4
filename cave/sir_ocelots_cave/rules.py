"""A new game (rule 2), and the effects of actions: ``apply`` is the only way from one state to the next."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Literal

from msgspec.structs import asdict, replace

from cave.chance import Chance
from cave.codec import Place
from cave.game import BadData, Json, Step, chosen_values, shortest_settings
from cave.sir_ocelots_cave import OPTIONS
from cave.sir_ocelots_cave import actions as act
from cave.sir_ocelots_cave.actions import Action, Event
from cave.sir_ocelots_cave.components import (
    BAGS,
    BIT,
    GEMS,
    KINDS,
    LEVEL,
    SQUARES_OF,
    Gem,
    components,
    in_reading_order,
)
from cave.sir_ocelots_cave.legal import check_action
from cave.sir_ocelots_cave.state import (
    BLIND,
    BLUE,
    LAID,
    SEATS,
    Amethyst,
    Phase,
    Player,
    Settings,
    State,
    collectable_gems,
    complete_sets,
    with_player,
    with_tool,
)

Result = Step[State, Event]


def apply(state: State, seat: int, action: Action) -> Result:
    check_action(state, seat, action)
    return _DO[type(action)](state, seat, action)


def _advance_companion(state: State, seat: int, action: act.Advance) -> Result:
    """Rule 3.2."""
    before = state.players[seat]
    assert before.companion is not None
    after, takes, drawn = _move_companion_to(state, seat, action.to, "placing")
    return Step(after, (act.Advanced(seat, before.companion, action.to, takes), *drawn))


def _place_companion(state: State, seat: int, action: act.PlaceCompanion) -> Result:
    """Rule 3.4."""
    after, takes, drawn = _move_companion_to(state, seat, action.at, "collecting")
    return _begin_step_3(after, seat, (act.CompanionPlaced(seat, action.at, takes), *drawn))


def _lay_tool(state: State, seat: int, action: act.LayTool) -> Result:
    """Rule 3.3."""
    before, at = state.players[seat], action.at
    left = list(before.tools)
    left[KINDS.index(action.kind)] -= 1
    player = Player(tuple(left), before.companion, before.collected, before.amethysts)
    after = replace(
        state,
        players=with_player(state.players, seat, player),
        tools={**state.tools, at: LAID[action.kind, action.side]},
        sight=with_tool(state.sight, at, action.side),
        phase="collecting",
    )
    return _begin_step_3(after, seat, (act.ToolPlaced(seat, at, action.kind, action.side),))


def _collect_gems(state: State, seat: int, action: act.Collect) -> Result:
    """Rule 3.5."""
    collector = _GemCollector(state, seat)
    gems = tuple(collector.collect(at) for at in in_reading_order(action.gems))
    after = collector.state_after_collecting(state.players[seat].companion, "collecting")
    return _end_turn(after, seat, (act.Collected(seat, gems), *collector.drawn))


def _move_companion_to(state: State, seat: int, at: Place, phase: Phase) -> tuple[State, Gem | None, list[act.Drew]]:
    """Move the companion to that square; return the state, the gem taken and the amethyst drawn."""
    collector = _GemCollector(state, seat)
    gem = None if state.gem_at(at) is None else collector.collect(at).kind
    return collector.state_after_collecting(at, phase), gem, collector.drawn


class _GemCollector:
    """Takes gems for a seat one by one, with draws for geodes and celestites (rule 5)."""

    def __init__(self, state: State, seat: int) -> None:
        self._state, self._seat = state, seat
        player = state.players[seat]
        self._gems, self._bags = list(state.gems), list(state.bags)
        self._collected, self._amethysts = list(player.collected), list(player.amethysts)
        self.drawn: list[act.Drew] = []

    def collect(self, at: Place) -> act.CollectedGem:
        bit = BIT[at]
        kind = 0
        while not self._gems[kind] & bit:
            kind += 1
        self._gems[kind] ^= bit
        if GEMS[kind] == "geode":
            self._draw_amethyst(LEVEL[at] - 1, "geode")
        else:
            sets = complete_sets(self._collected)
            self._collected[kind] += 1
            if complete_sets(self._collected) > sets:
                self._draw_amethyst(BLUE, "celestites")
        return act.CollectedGem(at, GEMS[kind])

    def _draw_amethyst(self, bag: int, by: Literal["geode", "celestites"]) -> None:
        value, *rest = self._bags[bag]
        self._bags[bag] = tuple(rest)
        self._amethysts.append(Amethyst(BAGS[bag], value))
        self.drawn.append(act.Drew(self._seat, BAGS[bag], value, by))

    def state_after_collecting(self, companion: Place | None, phase: Phase) -> State:
        before = self._state.players[self._seat]
        player = Player(before.tools, companion, tuple(self._collected), tuple(self._amethysts))
        return replace(
            self._state,
            players=with_player(self._state.players, self._seat, player),
            gems=tuple(self._gems),
            bags=tuple(self._bags),
            phase=phase,
        )


def _begin_step_3(state: State, seat: int, events: tuple[Event, ...]) -> Result:
    """Rule 3.6: with nothing to collect, the turn ends automatically."""
    return Step(state, events) if collectable_gems(state, seat) else _end_turn(state, seat, events)


def _end_turn(state: State, seat: int, events: tuple[Event, ...]) -> Result:
    """Rules 3.6 and 6.1."""
    one, two = state.players
    if not (one.has_pieces or two.has_pieces):
        shown = tuple(player.amethysts for player in state.players)
        return Step(replace(state, seat=None, phase="over"), (*events, act.TurnEnded(seat), act.Ended(shown)))
    return Step(replace(state, seat=1 - seat, phase="advancing"), (*events, *_PASSES[seat]))


_PASSES = tuple((act.TurnEnded(seat), act.TurnBegan(1 - seat)) for seat in range(SEATS))


_DO: dict[type, Callable[[State, int, Any], Result]] = {
    act.Advance: _advance_companion,
    act.LayTool: _lay_tool,
    act.PlaceCompanion: _place_companion,
    act.Collect: _collect_gems,
}


FIRST = {"seat_0": 0, "seat_1": 1}
"""The first seat by setting (rule 2.3)."""


def read_settings(data: Json) -> Settings:
    return Settings(**chosen_values(OPTIONS, data))


@lru_cache
def settings_json(settings: Settings) -> Json:
    """Return the edition, and the house rules that differ from it; equal settings share one object."""
    return {"edition": settings.edition, **shortest_settings(OPTIONS, asdict(settings))}


def new(seats: int, settings: Settings, seed: str) -> State:
    """Return a new game (rules 2.1 to 2.3); raises BadData for a wrong number of players."""
    if seats != SEATS:
        raise BadData("seats", f"must be {SEATS}")
    box, chance = components(), Chance(seed)
    lying = dict.fromkeys(GEMS, 0)
    bags = []
    for level in box.levels:
        gems, chance = chance.shuffle([gem for gem in GEMS for _ in range(level.gems.get(gem, 0))])
        for at, gem in zip(SQUARES_OF[level.level], gems, strict=True):
            lying[gem] |= BIT[at]
        bag, chance = chance.shuffle(level.amethysts)
        bags.append(bag)
    drawn, chance = chance.below(SEATS)
    first = FIRST.get(settings.first, drawn)
    tools = (box.tools_of_each_kind,) * len(KINDS)
    return State(
        settings=settings,
        players=tuple(Player(tools) for _ in range(seats)),
        gems=tuple(lying.values()),
        tools={},
        sight=BLIND,
        bags=tuple(bags),
        seat=first,
        phase="advancing",
        first_seat=first,
    )
