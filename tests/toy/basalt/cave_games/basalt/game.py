"""Basalt as a game of the contract; what each method is for stands in ``cave/game.py``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from msgspec.structs import replace

from cave import codec
from cave.chance import Chance
from cave.game import BadData, Chooser, Game, Json, Option, Step, chosen
from cave.names import check_name
from cave.score import Score

from . import bots, rules
from .rules import BAG, BOX, HAND, Began, Drew, Player, Put, Shown, State, Stood, View

LENGTHS = (("short", "Short"), ("long", "Long"))
LENGTH = Option("length", "Length", LENGTHS, "short", seats={"long": range(2, 7)})


class Basalt(Game[State, Put, Any, Put, View]):
    """The contract, kept for Basalt."""

    name: ClassVar[str] = "basalt"
    title: ClassVar[str] = "Basalt"
    seats: ClassVar[range] = range(1, 7)
    options: ClassVar[tuple[Option, ...]] = (LENGTH,)
    bots: ClassVar[Mapping[str, Chooser]] = {"mason": bots.mason}
    actions: ClassVar[tuple[type[Any], ...]] = (Put,)
    events: ClassVar[tuple[type[Any], ...]] = (Stood, Drew, Began, Shown)
    views: ClassVar[type[Any]] = View
    longest: ClassVar[int | None] = BAG["long"]

    def new(self, seats: int, settings: Json, seed: str) -> State:
        if seats not in self.seats:
            raise BadData("seats", f"must be {self.seats[0]} to {self.seats[-1]}")
        kept = self.settings(settings, seats)
        box, _ = Chance(seed).shuffled(BOX)
        players = tuple(Player(box[HAND * seat :][:HAND]) for seat in range(seats))
        return State(kept, players, (), box[HAND * seats :][: BAG[kept.get("length", "short")]], 0)

    def to_act(self, state: State) -> frozenset[int]:
        return state.acting

    def choices(self, state: State, seat: int) -> tuple[Put, ...]:
        if seat not in state.acting:
            return ()
        return tuple(Put(number, at) for number in state.players[seat].hand for at in rules.free(state))

    def apply(self, state: State, seat: int, action: Put) -> Step[State, Any]:
        self.check_turn(state, seat)
        rules.check(state, seat, action)
        return rules.put(state, seat, action)

    def standing(self, state: State) -> tuple[Score, ...]:
        return rules.standing(state)

    def view(self, state: State, seat: int | None, names: Sequence[str] = ()) -> View:
        seen = rules.hide(state, seat)
        hidden = tuple(number for number, each in enumerate(seen.players) if each.held is None)
        return View(seat, self.called(names, len(seen.players)), seen, hidden)

    def imagine(self, view: View, seed: str) -> State:
        return rules.imagine(view.position, seed)

    def is_barrier(self, event: Any) -> bool:
        return isinstance(event, Drew)

    def public_event(self, event: Any) -> Any:
        return replace(event, height=None) if isinstance(event, Drew) else event

    def position(self, state: State, names: Sequence[str] = ()) -> Json:
        return {**codec.as_json(state), "names": [*self.called(names, len(state.players))]}

    def names_in(self, position: Json) -> tuple[str, ...]:
        return tuple(position["names"])

    def from_position(self, data: Json) -> State:
        names = data.get("names") if isinstance(data, dict) else None
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise BadData("names", "must be a list of texts")
        for seat, name in enumerate(names):
            check_name(name, f"names[{seat}]")
        rest = {field: value for field, value in data.items() if field != "names"}
        state: State = codec.document(rest, State, format="cave-position", version=1, game=self.name)
        seats = len(state.players)
        if seats not in self.seats or len(names) != seats:
            raise BadData("names", "must be as many as the players")
        try:
            kept = chosen(self.options, state.settings, seats)
        except BadData as error:
            raise error.under("settings") from None
        self._check(state, BAG[kept["length"]])
        return state

    def _check(self, state: State, bag: int) -> None:
        """Raise BadData for what cannot be."""
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
