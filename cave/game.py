"""The contract of a game: the only interface that host, clients, bots, records and tests use.

A game is a set of pure functions over frozen values:

>>> from cave import games
>>> game = games.get_game("the-cave")
>>> state = game.new(2, {"edition": "english"}, "any text")
>>> sorted(game.to_act(state))
[0, 1]
>>> form = game.choices(state, 0)[0]
>>> game.choice_json(form)["action"]["type"]
'pack'
>>> step = game.apply(state, 0, game.idle(state, 0))
>>> sorted(game.to_act(step.state))
[1]
>>> game.event_json(step.events[0])["type"]
'packed'

``state`` is unchanged. It has no names: they belong to the table, where players may change, and are passed to
views and positions. The conformance kit in ``tests/cave/conformance.py`` tests any game against this
contract.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from importlib import import_module
from math import inf
from random import Random
from typing import Annotated, Any, ClassVar, Generic, Literal, TypeVar, cast

from msgspec import Meta, Struct, field

from cave import codec
from cave.codec import BadData as BadData
from cave.codec import Json as Json
from cave.score import Score

Chooser = Callable[[Json, list[Json], str], Json]
"""A bot: maps the public forms of a seat's view and choices, and a seed, to an action."""
Stop = Callable[[], bool]
"""Returns whether a long computation should stop."""


class Refused(Exception):
    """An action that the rules do not allow; nothing has changed.

    ``code`` is a stable word from the table of refusals in ``RULES.md``, ``message`` a sentence for the
    player that ends with the rule's number, if any.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class Refusal(Struct, frozen=True):
    """An action that a player might try, and why the rules do not allow it now."""

    action: Json
    code: str
    message: str


@lru_cache(maxsize=4096)
def refusal_of(action: codec.Tagged, code: str, message: str) -> Refusal:
    """Return the refusal of an action that is its own JSON (cached: the same ones recur at each step)."""
    return Refusal(codec.to_json(action), code, message)


class Option(Struct, frozen=True):
    """A setting of a new game, such as an edition or a house rule.

    ``name`` is its field in the settings, ``title`` its label, ``values`` each value with its words, and
    ``default`` the value if nothing is given. ``presets`` maps a value to the defaults it sets for other
    options: an edition is a named set of house rules. ``seats`` maps a restricted value to its numbers of
    players; the default suits all.

    >>> rope = Option("rope", "Ropes", ((1, "one each"), (2, "two each")), 1, seats={2: range(2, 5)})
    >>> rope.values_for(1)
    ((1, 'one each'),)
    """

    name: str
    title: str
    values: tuple[tuple[Json, str], ...]
    default: Json
    presets: Mapping[Json, Mapping[str, Json]] = field(default_factory=dict)
    seats: Mapping[Json, Collection[int]] = field(default_factory=dict)

    def values_for(self, seats: int | None) -> tuple[tuple[Json, str], ...]:
        """Return the values for this number of players (None: all values), with their words."""
        if seats is None or not self.seats:
            return self.values
        return tuple(
            (value, words) for value, words in self.values if value not in self.seats or seats in self.seats[value]
        )

    def check(self, value: Json, seats: int | None = None) -> None:
        """Raise BadData unless ``value`` is allowed for this number of players. True is not 1 here."""
        known = [each for each, _ in self.values_for(seats)]
        if (type(value), value) not in [(type(each), each) for each in known]:
            fewer = len(known) < len(self.values)
            with_so_many = f" with {seats} seat{'s' * (seats != 1)}" if fewer else ""
            raise BadData(self.name, "must be one of " + ", ".join(map(str, known)) + with_so_many)


def chosen_values(options: Sequence[Option], settings: Json, seats: int | None = None) -> dict[str, Json]:
    """Return the value of each option: the one in the settings, else the preset's, else the default.

    An option with presets comes before those that it presets. Raises BadData, also for a value that is not
    allowed for the number of ``seats``, if given.

    >>> size = Option("size", "Size", (("small", "Small"), ("big", "Big")), "small", {"big": {"rope": 2}})
    >>> rope = Option("rope", "Ropes", ((1, "one each"), (2, "two each")), 1)
    >>> chosen_values((size, rope), {"size": "big"})
    {'size': 'big', 'rope': 2}
    """
    if not isinstance(settings, dict):
        raise BadData("", "must be an object")
    unknown = settings.keys() - {option.name for option in options}
    if unknown:
        raise BadData(str(min(unknown)), "is not a known field")
    values: dict[str, Json] = {}
    preset: dict[str, Json] = {}
    for option in options:
        value = settings.get(option.name, preset.get(option.name, option.default))
        option.check(value, seats)
        values[option.name] = value
        preset.update(option.presets.get(value, {}))
    return values


def shortest_settings(options: Sequence[Option], settings: Json) -> dict[str, Json]:
    """Return the settings without defaults; raises BadData.

    >>> size = Option("size", "Size", (("small", "Small"), ("big", "Big")), "small", {"big": {"rope": 2}})
    >>> rope = Option("rope", "Ropes", ((1, "one each"), (2, "two each")), 1)
    >>> shortest_settings((size, rope), {"size": "big", "rope": 2})
    {'size': 'big'}
    """
    values = whole = chosen_values(options, settings)
    for option in reversed(options):
        fewer = {name: value for name, value in values.items() if name != option.name}
        if chosen_values(options, fewer) == whole:
            values = fewer
    return values


ShownT = TypeVar("ShownT")


class CaveView(Struct, Generic[ShownT], frozen=True):
    """A game as ``viewer`` (a seat, None for a watcher) sees it: ``cave`` is the visible state.

    ``names`` are a field, as a client replaces them by the current players' names.
    """

    viewer: int | None
    names: tuple[str, ...]
    cave: ShownT

    @property
    def acting(self) -> frozenset[int]:
        """The seats that may act now."""
        return cast("frozenset[int]", cast("Any", self.cave).to_act)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return not self.acting

    @property
    def standing(self) -> tuple[Score, ...]:
        """The score if the game ended now, with the viewer's information: a total may be None."""
        return cast("tuple[Score, ...]", cast("Any", self.cave).standing)


class Facts(Struct, frozen=True):
    """Fields that the public form of every game's event has.

    ``seat`` is the event's seat, None or omitted without one; ``points`` are those that an action scored for
    the seat in its turn, omitted if none. No game uses these names for anything else.

    >>> from msgspec import convert
    >>> convert({"type": "shown", "cards": [3, 1]}, Facts)
    Facts(type='shown', seat=None, points=0)
    """

    type: str
    seat: Annotated[int, Meta(ge=0)] | None = None
    points: float = 0


StateT = TypeVar("StateT")
ActionT = TypeVar("ActionT")
EventT = TypeVar("EventT")
ChoiceT = TypeVar("ChoiceT")
ViewT = TypeVar("ViewT", bound=CaveView[Any])


# Values made by each action have no cycles, so the garbage collector can skip them: ``gc=False``.
class Step(Struct, Generic[StateT, EventT], frozen=True, gc=False):
    """The outcome of an accepted action."""

    state: StateT
    events: tuple[EventT, ...]


class Form(codec.Tagged, frozen=True):
    """A choice with free content: it has the ``type`` of its action, and its fields are the limits."""


class SeatEvent(codec.Tagged, frozen=True):
    """An event of the player at ``seat``."""

    seat: codec.Count


class _ChoiceForm(codec.JsonForm, frozen=True):
    action: dict[str, Json]
    limits: dict[str, Json] | None = None


class Because(Struct, frozen=True):
    """A reason for an idea: the result of its playouts, compared with the next idea or alone.

    For an ``event``, ``mine`` and ``theirs`` count the ``worlds`` in which it happens after the idea and
    after the next one. For ``points`` and ``rival`` they are mean points: of the score category ``name`` (all
    if it is empty), and of the best rival. Without ``theirs`` there is no comparison: ``mine`` are then the
    points gained this turn.
    """

    kind: Literal["event", "points", "rival"]
    name: str
    mine: float
    theirs: float | None
    worlds: int


class Idea(Struct, frozen=True):
    """A possible action of a seat, in its public form, and its value for the seat.

    ``chance`` is the chance to win (in a solo game: to reach the goal), 0 to 1, and ``points`` are the
    expected points; both are None without playouts. ``error`` is the standard error of the chance, ``apart``
    that of the difference from the first idea. ``then`` are the planned actions after this one, in this turn
    and later ones, up to the goal of the plan.
    """

    action: Json
    chance: float | None = None
    points: float | None = None
    error: float = 0.0
    apart: float = 0.0
    worlds: int = 0
    then: tuple[Json, ...] = ()
    needed: float | None = None
    """The points that a solo player needs."""
    because: tuple[Because, ...] = ()


class GameInfo:
    """Facts about a game, enough to set up a new one without loading the rules."""

    name: ClassVar[str]
    """The id of the game in files and messages, such as ``the-cave``."""
    title: ClassVar[str]
    """The name shown to players."""
    seats: ClassVar[range]
    """Allowed numbers of players."""
    side: ClassVar[str] = "Player"
    """A side without a name is called this, with its number."""
    options: ClassVar[tuple[Option, ...]] = ()
    """The options of a new game."""
    bots: ClassVar[Mapping[str, Chooser]] = {}
    """The bots by level, the weakest first."""
    advice: ClassVar[str] = ""
    """The module whose function ``ideas`` implements ``advise``, imported lazily."""
    blunder: ClassVar[float] = 0.1
    """The tutor warns about moves that lose at least this much of the chance to win."""
    resigns_behind: ClassVar[float] = inf
    """Points behind from which a bot considers whether it is lost; none if the number of turns is fixed."""

    def advise(
        self, view: Json, choices: list[Json], also: Sequence[Json] = (), stop: Stop | None = None, effort: float = 1.0
    ) -> list[Idea]:
        """Return the best actions for the view's seat, the best first, and those in ``also``.

        As for a bot, ``view`` and ``choices`` are public forms; the ideas depend on nothing else. With two or
        more choices there are at least two ideas, and no chance is above the first one's. Without choices
        there is one idea without an action, which evaluates the position. More ``effort`` reduces the errors.
        Once ``stop`` returns true, the search ends early.

        If the game has no ``advice`` module, its bots propose the actions and play the playouts.

        >>> from cave import games
        >>> game = games.get_game("sir-ocelots-cave")
        >>> state = game.new(2, {"first": "seat_1"}, "any text")
        >>> view = game.view_json(game.view(state, 1))
        >>> choices = [game.choice_json(choice) for choice in game.choices(state, 1)]
        >>> best, *others = game.advise(view, choices, also=[choices[0]["action"]])
        >>> game.decode(state, 1, best.action) in game.choices(state, 1)
        True
        >>> [idea.chance <= best.chance for idea in others if idea.action == choices[0]["action"]]
        [True]
        """
        asked = (view, choices, also, stop, effort)
        found: list[Idea] = (
            import_module(self.advice).ideas(*asked)
            if self.advice
            else import_module("cave.judge").judge_bots_ideas(self.name, *asked)
        )
        return found


class Game(GameInfo, ABC, Generic[StateT, ActionT, EventT, ChoiceT, ViewT]):
    """A game. All methods are pure; states, actions, events, choices and views are frozen.

    A game must implement the abstract methods. The others have defaults that suit most games.
    """

    actions: ClassVar[tuple[type[Any], ...]] = ()
    """The classes of its actions; each has a ``type``, and its fields are the public form."""
    events: ClassVar[tuple[type[Any], ...]] = ()
    """The classes of its events, in the same way."""
    forms: ClassVar[tuple[type[Form], ...]] = ()
    """The classes of its choices with free content; other actions are their own choices."""
    forms_rule: ClassVar[str] = ""
    """The number of the rule about public forms, cited when an action cannot be parsed."""
    longest: ClassVar[int | None] = None
    """The most actions of a game; None if the rules set no bound."""
    undo_stops_at: ClassVar[str] = "what was revealed last"
    """The barrier of undo, as the end of a sentence: "you can undo only ... back to ..."."""
    secret_choices: ClassVar[bool] = False
    """Whether a seat's choices depend on its secrets, such as a hand of cards. The size of its messages then
    does not reveal the number of choices.
    """

    # Playing

    @abstractmethod
    def new(self, seats: int, settings: Json, seed: str) -> StateT:
        """Return the initial state for this number of seats; ``seed`` determines all random events.

        Raises BadData for unknown settings or an unsupported number of seats.
        """

    def settings(self, settings: Json, seats: int | None = None) -> Json:
        """Return the settings in their shortest form, without defaults. Raises BadData, also for settings not
        allowed for the number of ``seats``, if given.
        """
        chosen_values(self.options, settings, seats)
        return shortest_settings(self.options, settings)

    def to_act(self, state: StateT) -> frozenset[int]:
        """Return the seats that may act now: several if they choose simultaneously, none at the end. Default:
        the ``to_act`` of the state.
        """
        return cast("frozenset[int]", cast("Any", state).to_act)

    @abstractmethod
    def choices(self, state: StateT, seat: int) -> tuple[ChoiceT, ...]:
        """Return the legal actions with their price and gain, in a stable order.

        Actions with free content (a pack, an exchange) appear once, as a form with its limits. Empty if it is
        not the seat's turn.
        """

    def why_not(self, state: StateT, seat: int) -> tuple[Refusal, ...]:
        """Return the illegal ``attempts`` with reasons. Empty if it is not the seat's turn."""
        if seat not in self.to_act(state):
            return ()
        refusal = self.refusal
        return tuple([why for action in self.attempts(state, seat) if (why := refusal(state, seat, action))])

    def attempts(self, state: StateT, seat: int) -> Iterable[ActionT]:
        """Return actions that a player might try, for ``why_not``; some may be legal."""
        return ()

    def refusal(self, state: StateT, seat: int, action: ActionT) -> Refusal | None:
        """Return why an action is illegal; None if it is legal."""
        try:
            self.check(state, seat, action)
        except Refused as no:
            return Refusal(self.action_json(action), no.code, no.message)
        return None

    def check(self, state: StateT, seat: int, action: ActionT) -> None:
        """Raise Refused unless the action is legal. Default: apply it."""
        self.apply(state, seat, action)

    def sample(self, choice: ChoiceT, rng: Random) -> ActionT:
        """Return a random legal action of this choice: a form filled at random, or the choice's action. An
        action without a price is its own choice.
        """
        return cast("ActionT", choice)

    def spelled_out(self, choice: ChoiceT) -> Iterable[ActionT]:
        """Return all actions of a choice; none for a form with too many."""
        return (self.sample(choice, Random(0)),)

    def facts(self, state: StateT, seat: int) -> Mapping[str, float]:
        """Return the facts about a seat that a puzzle's goal can name, such as its points."""
        return {"points": self.standing(state)[seat].total or 0}

    def idle(self, state: StateT, seat: int) -> ActionT:
        """Return a legal action that changes little, for an absent player. Default: the first."""
        return self.sample(self.choices(state, seat)[0], Random(0))

    def check_turn(self, state: StateT, seat: int) -> None:
        """Raise Refused if the game is over, or if it is not the seat's turn."""
        if self.over(state):
            raise Refused("game_over", "The game is over.")
        if seat not in self.to_act(state):
            raise Refused("not_your_turn", "It is not your turn.")

    def check_phase(self, state: StateT, data: Mapping[str, Json]) -> None:
        """Raise Refused if the phase does not allow this type of action. Called before parsing it."""

    def decode(self, state: StateT, seat: int, data: Json) -> ActionT:
        """Parse an action. Raises Refused; checks in this order: the game is over, it is not the seat's turn,
        the type is unknown, the phase does not allow it, the data is invalid.
        """
        self.check_turn(state, seat)
        if isinstance(data, dict) and any(data.get("type") == each.type for each in self.actions):
            self.check_phase(state, data)
        try:
            return self.action_from_json(data)
        except BadData as error:
            rule = f" (rule {self.forms_rule})" if self.forms_rule else ""
            raise Refused("bad_action", f"{self.unreadable(data, error)}{rule}.") from None

    def unreadable(self, data: Json, error: BadData) -> str:
        """Return the problem with data that is not an action, as a sentence without a full stop."""
        if not isinstance(data, dict):
            return "An action must be an object with a type"
        if error.field == "type":
            return "There is no action of that type"
        return f"The action cannot be read: {error.sentence}"

    @abstractmethod
    def apply(self, state: StateT, seat: int, action: ActionT) -> Step[StateT, EventT]:
        """Return the state after the action and its events; raises Refused."""

    @abstractmethod
    def standing(self, state: StateT) -> tuple[Score, ...]:
        """Return the score if the game ended now (at the end, the result): a line with its total for each
        seat.
        """

    def over(self, state: StateT) -> bool:
        """Return whether the game has ended: nobody is to act."""
        return not self.to_act(state)

    # Secrets and chance

    @abstractmethod
    def view(self, state: StateT, seat: int | None, names: Sequence[str] = ()) -> ViewT:
        """Return exactly what this seat, or a watcher (None), may know; ``called`` fills in names."""

    def review(self, state: StateT, names: Sequence[str] = ()) -> ViewT:
        """Return the view of a finished game for a replay: a watcher's view plus the secrets."""
        return self.view(state, None, names)

    @abstractmethod
    def imagine(self, view: ViewT, seed: str) -> StateT:
        """Return a random full state that fits the view; bots never get any other state."""

    def is_barrier(self, event: EventT) -> bool:
        """Return whether the event revealed a secret or used chance: nothing before it can be undone.

        In any case a step can be undone only while the same seat alone is to act: passing the turn is final.
        """
        return False

    def public_event(self, event: EventT) -> EventT:
        """Return the event without secrets, as it is sent to everybody.

        Details for one seat only are in that seat's view, which is sent with the same change;
        ``Face.log_line`` combines the two.
        """
        return event

    def may_know(self, state: StateT, by: int, action: ActionT, viewer: int | None) -> bool:
        """Return whether, in ``state``, the viewer may know that ``by`` did ``action``."""
        return True

    def may_offer(self, view: ViewT, choice: ChoiceT) -> bool:
        """Return whether a choice from a host fits the view's phase and board. It may still be illegal."""
        return view.viewer in view.acting

    def sees_as_watcher(self, state: StateT, seat: int) -> bool:
        """Return whether the seat's view equals a watcher's now, except for ``viewer``."""
        return False

    # Public forms

    def turn_json(self, state: StateT) -> Json:
        """Return the few facts that the referee repeats in every line, as an object."""
        return {"to_act": sorted(self.to_act(state))}

    @abstractmethod
    def position(self, state: StateT, names: Sequence[str] = ()) -> Json:
        """Return the readable form of a state, with the names from ``called``. ``from_position`` returns an
        equal state, and ``names_in`` the names.
        """

    @abstractmethod
    def from_position(self, data: Json) -> StateT:
        """Return the state of a position; raises BadData with the field's path."""

    def names_in(self, position: Json) -> tuple[str, ...]:
        """Return the names in a position that ``from_position`` has read."""
        return tuple(player["name"] for player in position["players"])

    def called(self, names: Sequence[str], seats: int) -> tuple[str, ...]:
        """Return the names of the seats; default: numbered sides, such as ``Team 1``."""
        return tuple(names) or tuple(f"{self.side} {number}" for number in range(1, seats + 1))

    def action_json(self, action: ActionT) -> Json:
        """Return the public form of an action."""
        return codec.to_json(action)

    def action_from_json(self, data: Json) -> ActionT:
        """Parse the public form of an action, legal or not; raises BadData."""
        return cast("ActionT", codec.parse_typed(data, self.actions))

    def choice_json(self, choice: ChoiceT) -> Json:
        """Return the public form of a choice: a form with its limits, or an action."""
        if not isinstance(choice, Form):
            return {"action": self.action_json(cast("ActionT", choice))}
        limits = codec.to_json(choice)
        return {"action": {"type": limits.pop("type")}, "limits": limits}

    def offer_json(self, choice: ChoiceT) -> Json:
        """Return a choice as the referee lists it: its public form, or a part of it."""
        return self.choice_json(choice)

    def choice_from_json(self, data: Json) -> ChoiceT:
        """Parse the public form of a choice; raises BadData."""
        form = codec.parse(data, _ChoiceForm)
        if form.limits is None:
            with_limits = {each.type for each in self.forms}
            plain = (each for each in self.actions if each.type not in with_limits)
            return cast("ChoiceT", codec.parse_typed(form.action, plain))
        return cast("ChoiceT", codec.parse_typed({**form.action, **form.limits}, self.forms))

    def event_json(self, event: EventT) -> Json:
        """Return the public form of an event; ``Facts`` lists the fields of every game."""
        return codec.to_json(event)

    def event_from_json(self, data: Json) -> EventT:
        """Parse the public form of an event; raises BadData."""
        return cast("EventT", codec.parse_typed(data, self.events))

    @abstractmethod
    def view_json(self, view: ViewT) -> Json:
        """Return the public form of a view: viewer, position, hidden seats and standing."""

    def view_bytes(self, view: ViewT) -> bytes:
        """Return the public form of a view as JSON text that begins with the viewer."""
        data = self.view_json(view)
        return codec.encode(data and {"viewer": view.viewer, **data})

    @abstractmethod
    def view_from_json(self, data: Json) -> ViewT:
        """Parse the public form of a view; raises BadData."""


AnyGame = Game[Any, Any, Any, Any, Any]
