"""Basalt as a game of the contract; ``cave/game.py`` documents the methods."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, ClassVar

from msgspec.structs import replace

from cave.chance import Chance
from cave.game import BadData, Chooser, Json, Option, Step
from cave.simple_game import Seen, SimpleGame

from . import bots, rules
from .rules import BAG, BOX, HAND, Began, Drew, Player, Put, Shown, State, Stood

LENGTHS = (("short", "Short"), ("long", "Long"))
LENGTH = Option("length", "Length", LENGTHS, "short", seats={"long": range(2, 7)})


class Basalt(SimpleGame[State, Put, Any]):
    """Implements the contract."""

    name: ClassVar[str] = "basalt"
    title: ClassVar[str] = "Basalt"
    seats: ClassVar[range] = range(1, 7)
    options: ClassVar[tuple[Option, ...]] = (LENGTH,)
    bots: ClassVar[Mapping[str, Chooser]] = {"mason": bots.mason}
    actions: ClassVar[tuple[type[Any], ...]] = (Put,)
    events: ClassVar[tuple[type[Any], ...]] = (Stood, Drew, Began, Shown)
    states: ClassVar[type[Any]] = State
    longest: ClassVar[int | None] = BAG["long"]

    def new(self, seats: int, settings: Json, seed: str) -> State:
        values = self.dealt(settings, seats)
        box, _ = Chance(seed).shuffle(BOX)
        players = tuple(Player(box[HAND * seat :][:HAND]) for seat in range(seats))
        return State(values, players, (), box[HAND * seats :][: BAG[values["length"]]], 0)

    def choices(self, state: State, seat: int) -> tuple[Put, ...]:
        if seat not in state.to_act:
            return ()
        return tuple(Put(number, at) for number in state.players[seat].hand for at in rules.free(state))

    def apply(self, state: State, seat: int, action: Put) -> Step[State, Any]:
        self.check_turn(state, seat)
        rules.check(state, seat, action)
        return rules.put(state, seat, action)

    def hide(self, state: State, viewer: int | None) -> State:
        return rules.hide(state, viewer)

    def imagine(self, view: Seen[State], seed: str) -> State:
        return rules.imagine(view.cave, seed)

    def is_barrier(self, event: Any) -> bool:
        return isinstance(event, Drew)

    def public_event(self, event: Any) -> Any:
        return replace(event, height=None) if isinstance(event, Drew) else event

    def check_position(self, state: State) -> None:
        bag = BAG[state.settings["length"]]
        whole = rules.known_in(state)
        if len(whole) != len(state.bag) + sum(len(each.drawn) for each in state.players):
            raise BadData("bag", "must all be known, and in the hands as well")
        if Counter(whole) - Counter(BOX):
            raise BadData("players", "must not hold more of a height than there are")
        if len(state.board) + len(state.bag) != bag:
            raise BadData("board", "must have a column for each that was drawn in a turn")
        if state.seat != (len(state.board) % len(state.players) if state.bag else None):
            raise BadData("seat", "must be whose turn it is")
        stood = Counter((column.seat, column.height) for column in state.board)
        for seat, each in enumerate(state.players):
            if any(number >= len(each.drawn) for number in each.put) or len({*each.put}) < len(each.put):
                raise BadData(f"players[{seat}].put", "must be places of its row, each once")
            if len(each.hand) != HAND:
                raise BadData(f"players[{seat}].drawn", f"must leave {HAND} in the hand")
            stood.subtract((seat, each.drawn[number]) for number in each.put)
        if any(stood.values()) or len({column.at for column in state.board}) < len(state.board):
            raise BadData("board", "must have what the players have put, on a hex each")


GAME = Basalt()
