"""Lanterns as a game of the contract; what each method is for stands in ``cave/game.py``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import ClassVar

from msgspec.structs import replace

from cave import codec
from cave.chance import Chance
from cave.game import BadData, Chooser, Game, Json, Option, Refusal, Refused, Step, chosen
from cave.names import check_name
from cave.score import Score, score_json  # fmt: skip

from . import bots, rules
from .forms import PositionForm, ViewForm
from .rules import DECK, GEMS, HIDDEN, Chose, Event, Found, Light, Player, Shown, State, View, Won

EDITION = Option(
    "edition",
    "Edition",
    (("calm", "Calm"), ("storm", "Storm")),
    "calm",
    {"storm": {"rounds": 5, "ties": "nobody"}},
)
ROUNDS = Option("rounds", "Rounds", ((3, "3"), (5, "5")), 3)
TIES = Option("ties", "Equal light", (("share", "share the gem"), ("nobody", "win nothing")), "share")
BURNT = "That lantern has burnt out (rule 4)."


class LanternGame(Game[State, Light, Event, Light, View]):
    """The contract, kept for Lanterns."""

    name: ClassVar[str] = "lanterns"
    title: ClassVar[str] = "Lanterns"
    seats: ClassVar[range] = range(1, 7)
    actions: ClassVar[tuple[type, ...]] = (Light,)
    events: ClassVar[tuple[type, ...]] = (Chose, Shown, Won, Found)
    options: ClassVar[tuple[Option, ...]] = (EDITION, ROUNDS, TIES)
    longest: ClassVar[int | None] = 6 * 5  # each seat acts once a round
    secret_choices: ClassVar[bool] = True
    bots: ClassVar[Mapping[str, Chooser]] = {"novice": bots.novice, "miner": bots.miner}

    # Playing

    def new(self, seats: int, settings: Json, seed: str) -> State:
        if seats not in self.seats:
            raise BadData("seats", f"must be {self.seats[0]} to {self.seats[-1]}")
        values = self._values(settings)
        deck, chance = Chance(seed).shuffled(DECK)
        gems, _ = chance.shuffled(GEMS)
        count = values["rounds"]
        hands = (tuple(sorted(deck[seat * count :][:count])) for seat in range(seats))
        return State(values, tuple(map(Player, hands)), gems[:count])

    def _values(self, settings: Json) -> Mapping[str, Json]:
        try:
            return chosen(self.options, settings)
        except BadData as error:
            raise error.under("settings") from None

    def to_act(self, state: State) -> frozenset[int]:
        return state.acting

    def choices(self, state: State, seat: int) -> tuple[Light, ...]:
        return tuple(map(Light, sorted({*state.players[seat].hand}))) if seat in state.acting else ()

    def why_not(self, state: State, seat: int) -> tuple[Refusal, ...]:
        if seat not in state.acting:
            return ()
        burnt = {*state.players[seat].burnt} - {*state.players[seat].hand}
        return tuple(Refusal(self.action_json(Light(each)), "burnt", BURNT) for each in sorted(burnt))

    def apply(self, state: State, seat: int, action: Light) -> Step[State, Event]:
        self.check_turn(state, seat)
        player = state.players[seat]
        if action.lantern in player.hand:
            return rules.light(state, seat, action.lantern)
        if action.lantern in player.burnt:
            raise Refused("burnt", BURNT)
        raise Refused("not_in_hand", "You have no lantern of that brightness (rule 1).")

    def check_turn(self, state: State, seat: int) -> None:
        if not state.gems:
            raise Refused("game_over", "The game is over (rule 4).")
        if seat not in state.acting:
            raise Refused("not_your_turn", "You have chosen; the others have not yet (rule 3).")

    def standing(self, state: State) -> tuple[Score, ...]:
        return rules.standing(state)

    # Secrets and chance

    def view(self, state: State, seat: int | None, names: Sequence[str] = ()) -> View:
        return View(seat, self.called(names, len(state.players)), rules.hide(state, seat))

    def imagine(self, view: View, seed: str) -> State:
        return rules.imagine(view.seen, seed)

    def is_barrier(self, event: Event) -> bool:
        return isinstance(event, Shown)

    def public_event(self, event: Event) -> Event:
        if isinstance(event, Chose):
            return replace(event, lantern=None)
        return event

    def may_know(self, state: State, by: int, action: Light, viewer: int | None) -> bool:
        return by == viewer or state.players[by].lit is None

    # Public forms

    def turn_json(self, state: State) -> Json:
        return {"to_act": sorted(state.acting), "gem": next(iter(state.gems), None)}

    def position(self, state: State, names: Sequence[str] = ()) -> Json:
        form = {"format": "cave-position", "version": 1, "game": self.name, **codec.as_json(state)}
        called = zip(self.called(names, len(state.players)), form["players"], strict=True)
        players = [{"name": name, **player} for name, player in called]
        return {**form, "settings": self.settings(state.settings), "players": players}

    def from_position(self, data: Json) -> State:
        state = self._read(data)
        if HIDDEN in state.gems:
            raise BadData("gems", "must all be known")
        for seat, player in enumerate(state.players):
            if player.hides:
                raise BadData(f"players[{seat}]", "must have no hidden lantern")
        return state

    def _read(self, data: Json) -> State:
        """Return the state of a position, or of what a view shows of one; raises BadData for what cannot
        be.
        """
        form = codec.document(data, PositionForm, format="cave-position", version=1, game=self.name)
        values = self._values(form.settings)
        state = State(values, tuple(player.read() for player in form.players), form.gems)
        if len(state.players) not in self.seats:
            raise BadData("players", f"must be {self.seats[0]} to {self.seats[-1]}")
        left = len(form.gems)
        for seat, player in enumerate(state.players):
            check_name(form.players[seat].name, f"players[{seat}].name")
            if len(player.burnt) != values["rounds"] - left:
                raise BadData(f"players[{seat}].burnt", "must have a lantern for each round that is over")
            if len(player.hand) + (player.lit is not None) != left:
                raise BadData(f"players[{seat}].hand", "must have a lantern for each round that is left")
        if left and not state.acting:
            raise BadData("players", "must not all have chosen")
        for field, box, held in (("players", DECK, rules.dealt_in(state)), ("gems", GEMS, form.gems)):
            if Counter(each for each in held if each != HIDDEN) - Counter(box):
                raise BadData(field, "must not hold more of a kind than there are")
        return state

    def view_json(self, view: View) -> Json:
        return {
            "viewer": view.viewer,
            "position": self.position(view.seen, view.names),
            "hidden": [seat for seat, player in enumerate(view.seen.players) if player.hides],
            "standing": [score_json(line) for line in view.standing],
        }

    def view_from_json(self, data: Json) -> View:
        form = codec.structure(data, ViewForm)
        return View(form.viewer, self.names_in(form.position), self._read(form.position))


GAME = LanternGame()
