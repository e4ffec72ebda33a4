"""Lanterns as a game of the contract; see ``cave/game.py`` for each method."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import ClassVar

from msgspec.structs import replace

from cave.chance import Chance
from cave.game import BadData, Chooser, Json, Option, Refused, Step
from cave.simple_game import Seen, SimpleGame  # fmt: skip

from . import bots, rules
from .rules import DECK, GEMS, HIDDEN, Chose, Event, Found, Light, Player, Shown, State, Won

STORM = {"storm": {"rounds": 5, "ties": "nobody"}}
EDITION = Option("edition", "Edition", (("calm", "Calm"), ("storm", "Storm")), "calm", STORM)
ROUNDS = Option("rounds", "Rounds", ((3, "3"), (5, "5")), 3)
TIES = Option("ties", "Equal light", (("share", "share the gem"), ("nobody", "win nothing")), "share")


class LanternGame(SimpleGame[State, Light, Event]):
    """Lanterns."""

    name: ClassVar[str] = "lanterns"
    title: ClassVar[str] = "Lanterns"
    seats: ClassVar[range] = range(1, 7)
    states: ClassVar[type] = State
    actions: ClassVar[tuple[type, ...]] = (Light,)
    events: ClassVar[tuple[type, ...]] = (Chose, Shown, Won, Found)
    options: ClassVar[tuple[Option, ...]] = (EDITION, ROUNDS, TIES)
    longest: ClassVar[int | None] = 6 * 5  # each seat acts once a round
    secret_choices: ClassVar[bool] = True
    bots: ClassVar[Mapping[str, Chooser]] = {"novice": bots.novice, "miner": bots.miner}

    def new(self, seats: int, settings: Json, seed: str) -> State:
        values = self.dealt(settings, seats)
        deck, chance = Chance(seed).shuffle(DECK)
        gems, _ = chance.shuffle(GEMS)
        count = values["rounds"]
        hands = (tuple(sorted(deck[seat * count :][:count])) for seat in range(seats))
        return State(values, tuple(map(Player, hands)), gems[:count])

    def choices(self, state: State, seat: int) -> tuple[Light, ...]:
        return tuple(map(Light, sorted({*state.players[seat].hand}))) if seat in state.to_act else ()

    def attempts(self, state: State, seat: int) -> Iterable[Light]:
        return map(Light, sorted({*state.players[seat].burnt}))

    def check_turn(self, state: State, seat: int) -> None:
        if not state.gems:
            raise Refused("game_over", "The game is over (rule 4).")
        if seat not in state.to_act:
            raise Refused("not_your_turn", "You have chosen; the others have not yet (rule 3).")

    def apply(self, state: State, seat: int, action: Light) -> Step[State, Event]:
        self.check_turn(state, seat)
        player = state.players[seat]
        if action.lantern in player.hand:
            return rules.light(state, seat, action.lantern)
        if action.lantern in player.burnt:
            raise Refused("burnt", "That lantern has burnt out (rule 4).")
        raise Refused("not_in_hand", "You have no lantern of that brightness (rule 1).")

    def hide(self, state: State, viewer: int | None) -> State:
        return rules.hide(state, viewer)

    def imagine(self, view: Seen[State], seed: str) -> State:
        return rules.imagine(view.cave, seed)

    def is_barrier(self, event: Event) -> bool:
        return isinstance(event, Shown)

    def public_event(self, event: Event) -> Event:
        return replace(event, lantern=None) if isinstance(event, Chose) else event

    def may_know(self, state: State, by: int, action: Light, viewer: int | None) -> bool:
        return by == viewer or state.players[by].lit is None

    def turn_json(self, state: State) -> Json:
        return {"to_act": sorted(state.to_act), "gem": next(iter(state.gems), None)}

    def check_position(self, state: State) -> None:
        left = len(state.gems)
        for seat, player in enumerate(state.players):
            if HIDDEN in (*player.hand, player.lit):
                raise BadData(f"players[{seat}]", "must have no hidden lantern")
            if len(player.burnt) != state.settings["rounds"] - left:
                raise BadData(f"players[{seat}].burnt", "must have a lantern for each round that is over")
            if len(player.hand) + (player.lit is not None) != left:
                raise BadData(f"players[{seat}].hand", "must have a lantern for each round that is left")
        if left and not state.to_act:
            raise BadData("players", "must not all have chosen")
        for field, box, held in (("players", DECK, state.dealt), ("gems", GEMS, state.gems)):
            if Counter(held) - Counter(box):
                raise BadData(field, "must not hold more of a kind than there are")


GAME = LanternGame()
