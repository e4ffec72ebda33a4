"""The plan of a new game: its seats, rules and seed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import combinations
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from cave import games, names, protocol
from cave.game import AnyGame, BadData, GameInfo, Json, Option, chosen_values, shortest_settings
from client.face import LETTERS
from client.wording import a_bot, joined, name_problem

SeatKind = Literal["person", "bot", "open", "none"]

NAMELESS = "Player"  # the default name of a player
ABSENCE_PROBLEM = (
    "{text!r} is not a way to treat players who are away: "
    "use wait, bot:60, bot:60:LEVEL or skip:60 (seconds, or a limit in hours or days such as 36h or 3d), "
    "the last three also with :idle at the end."
)
LIMITS = (
    "wait at most a day (86400 seconds), or give hours or days, such as skip:36h",
    "wait for 1 hour to 14 days, such as skip:14d",
)
HOURS = {"": 0, "h": 1, "d": 24}  # per unit of a limit; without a unit it is in seconds


class SeatPlan(msgspec.Struct, frozen=True):
    """The plan for a seat: ``name`` of a person, ``level`` of a bot, which names itself."""

    kind: SeatKind
    name: str = ""
    level: str = ""


class GameOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options of a new game: ``settings`` has the values that differ from the defaults, ``hints``: they
    are allowed. With ``best_of`` it is the first of a series; in a ``round_robin`` of this many players each
    two play a game.
    """

    settings: Json = msgspec.field(default_factory=dict)
    seed: str = ""
    position: Json = None
    absence: Json = None
    hints: bool = True
    best_of: int = 1
    round_robin: int = 0


USUAL_OPTIONS = GameOptions()


class GamePlan(GameOptions, frozen=True):
    """A local game. ``continues``: its position is only for this game, and a rematch starts afresh."""

    seats: tuple[SeatPlan, ...]
    title: str = ""
    continues: bool = False
    game: str = msgspec.field(default_factory=games.default_game)

    @property
    def people_here(self) -> tuple[str, ...]:
        return tuple(seat.name for seat in self.seats if seat.kind == "person")

    @property
    def named_people(self) -> tuple[str, ...]:
        return tuple(name for name in self.people_here if name != NAMELESS)

    @property
    def open_seats(self) -> int:
        """Seats left for people on other machines."""
        return sum(seat.kind == "open" for seat in self.seats)


def seat_choices(game: GameInfo) -> tuple[tuple[SeatPlan, str], ...]:
    return (
        (SeatPlan("person"), "person here"),
        *((SeatPlan("bot", level=level), f"bot ({level})") for level in game.bots),
        (SeatPlan("open"), "open for others"),
        (SeatPlan("none"), f"no {game.side.lower()}"),
    )


def absence_choices(game: GameInfo) -> tuple[tuple[Json, str], ...]:
    """Return the options for absent, or also idle, players, with their words."""
    bots = tuple(({"then": "bot", "after": 60, "level": level}, f"{a_bot(level)} in 1 min") for level in game.bots)
    skipped = {"then": "skip", "after": 60}
    away = (*bots, (skipped, "is skipped after 1 min"))
    days: dict[str, Json] = {"after": 3 * 24 * 60 * 60, "always": True}
    in_days = (
        *(({"then": "bot", **days}, "a bot in 3 days") for _ in bots[:1]),
        ({"then": "skip", **days}, "is skipped after 3 days"),
    )
    idle = (({**form, "idle": True}, f"{words}, or idle") for form, words in away)
    return ((None, "the game waits"), *away, *idle, *in_days)


HINTS = ((True, "allowed"), (False, "not allowed"))  # whether a table allows hints, with the words


ROBIN = "round robin"
SERIES = ((1, "one game"), *((number, f"best of {number}") for number in (3, 5, 7)))
ALONE = "alone"  # in place of a bot's level, if the game can be played alone


def series_choices(game: GameInfo) -> tuple[tuple[Json, str], ...]:
    """Return the numbers of games in a series, and ``ROBIN`` if two can play it, with their words."""
    return (*SERIES, *([(ROBIN, ROBIN)] if protocol.PAIR in game.seats else []))


def most_players(game: GameInfo) -> int:
    """Return the number of places in the form: seats, or players of a round robin."""
    return max(game.seats[-1], protocol.ROUND_ROBIN[-1])


def usual_seats(game: GameInfo) -> int:
    """Return the default number of seats: two, or the nearest possible."""
    return min(max(2, game.seats[0]), game.seats[-1])


def can_be_played_alone(game: GameInfo) -> bool:
    return 1 in game.seats


def weakest_level(game: GameInfo) -> list[str]:
    """Return a list with the level of the weakest bot; empty if the game has no bots."""
    return list(game.bots)[:1]


def level_to_play(game: GameInfo, remembered: Mapping[str, str]) -> str:
    """Return the last level played against in this game, else the weakest; empty without bots."""
    last = remembered.get(game.name, "")
    return last if last in game.bots else next(iter(game.bots), "")


def level_choices(game: GameInfo) -> tuple[tuple[str, str], ...]:
    levels = list(game.bots)
    said = dict(zip(levels, ("for a first game", "makes mistakes", "plans ahead"), strict=False))
    if len(levels) > 1:
        said[levels[-1]] = "the strongest"
    return tuple((level, said.get(level, "")) for level in levels)


def make_plan(
    people: Sequence[str],
    bots: Sequence[str] = (),
    open_seats: int = 0,
    *,
    game: str = "",
    options: GameOptions = USUAL_OPTIONS,
) -> GamePlan:
    """Return the plan for people, open seats and bots in this order; one player gets the weakest bots. The
    other players of a round robin are open seats.
    """
    info, levels = games.game_info(game or games.default_game()), list(bots)
    if options.round_robin:
        open_seats = max(0, options.round_robin - len(people) - len(bots))
    if len(people) == 1 and not levels and not open_seats and not can_be_played_alone(info):
        levels = weakest_level(info) * (usual_seats(info) - 1)
    seats = [SeatPlan("person", name) for name in people]
    seats += [SeatPlan("open")] * open_seats
    seats += [SeatPlan("bot", level=level) for level in levels]
    return GamePlan(
        tuple(seats), game=info.name, settings=options.settings, seed=options.seed, position=options.position,
        absence=options.absence, hints=options.hints, best_of=options.best_of, round_robin=options.round_robin,
    )  # fmt: skip


def going_on(game: AnyGame, state: Any, names: Sequence[str], level: str, name: str) -> GamePlan:
    """Return a plan that continues from this state: ``name`` plays the active seat, bots the others."""
    mine = min(game.to_act(state))
    seats = tuple(
        SeatPlan("person", name) if seat == mine else SeatPlan("bot", level=level) for seat in range(len(names))
    )
    position = game.position(state, names)
    settings = position.get("settings", {})
    return GamePlan(seats, continues=True, settings=settings, position=position, game=game.name)


def parse_absence(text: str) -> Json:
    """Parse ``wait``, ``bot:60``, ``bot:60:rookie``, ``skip:60`` or ``skip:3d``, all but the first also with
    ``:idle``, for the message ``open``. Hours and days also count while nobody is there. Raises ValueError.
    """
    away = text.removesuffix(":idle")
    idle = away != text
    then, colon, rest = away.partition(":")
    time, named, level = rest.partition(":")
    usual = protocol.Absence().after
    number = time.rstrip("hd")
    hours = HOURS.get(time.removeprefix(number))
    after = None
    if number.isascii() and number.isdigit() and len(number) < 9 and hours is not None:
        after = int(number) * (hours * 60 * 60 or 1)
    if then == "wait" and not colon and not idle:
        return {"then": "wait", "after": usual}
    if then not in ("bot", "skip") or (colon and after is None) or (named and (then != "bot" or not level)):
        raise ValueError(ABSENCE_PROBLEM.format(text=text))
    if after is not None and not bool(hours) <= after <= protocol.Absence(always=bool(hours)).limit:
        raise ValueError(f"{text!r} is too {'long' if after else 'short'}: {LIMITS[bool(hours)]}.")
    form: dict[str, Json] = {"then": then, "after": usual if after is None else after}
    more: dict[str, Json] = {"level": level, "idle": idle, "always": bool(hours)}
    return {**form, **{name: value for name, value in more.items() if value}}


class NameProblem(ValueError):
    """The typed name cannot be used to sit down."""


def plan_problem(wanted: GamePlan) -> str:
    """Return a sentence why the game cannot be opened, or nothing."""
    seats = [seat for seat in wanted.seats if seat.kind != "none"]
    game = games.game_info(wanted.game)
    many = len(seats)
    if wanted.round_robin:
        least, most = protocol.ROUND_ROBIN[0], protocol.ROUND_ROBIN[-1]
        if not least <= wanted.round_robin <= most:
            return f"A round robin is for {least} to {most} players, not for {wanted.round_robin}."
        if many > wanted.round_robin:
            return f"A round robin of {wanted.round_robin} players has no room for {many}."
        if wanted.best_of > 1:
            return "A round robin is a series already: leave out --best-of."
        many = protocol.PAIR
    if many not in game.seats:
        return f"A game is for {player_counts(game)}; this one has {many}."
    if wanted.best_of > 1 and many == 1:
        return f"A series needs two {game.side.lower()}s or more: add a bot, or play one game."
    stand_in = (wanted.absence or {}).get("level", "")
    if stand_in and stand_in not in game.bots:
        return f"{game.title} has no bot of the level {stand_in}; its levels are {', '.join(game.bots)}."
    try:
        settings = chosen_values(game.options, wanted.settings)
    except BadData as wrong:
        return f"These rules are not possible: {wrong.sentence}."
    for option in game.options:
        able = [value for value, _ in option.values_for(many)]
        if settings[option.name] not in able:
            players = f"{many} {_side_word(game, many)}"
            given, *others = map(rule_word, (settings[option.name], *able))
            return f"With {players}, {option.name} cannot be {given}; it may be {' or '.join(others)}."
    return names_problem(wanted.people_here)


def player_counts(game: GameInfo) -> str:
    """Return how many may play: ``2 to 5 teams``."""
    least, most = game.seats[0], game.seats[-1]
    number = str(most) if least == most else f"{least} to {most}"
    return f"{number} {_side_word(game, most)}"


def _side_word(game: GameInfo, many: int) -> str:
    return f"{game.side.lower()}{'s' * (many > 1)}"


def names_problem(people: Sequence[str], others: Sequence[str] = ()) -> str:
    """Return a sentence why these people cannot sit at a table with the ``others``, or nothing."""
    for name in people:
        wrong = name_problem(name)
        if wrong:
            return wrong
    if any(names.names_look_alike(*pair) for pair in combinations(people, 2)):
        return "Two people have the same name, or names that look the same; please change one."
    taken = next((name for name in people if any(names.names_look_alike(name, other) for other in others)), "")
    return (
        f"Somebody at that table is already called {taken}, or something like it. Choose another name." if taken else ""
    )


def parse_seats(text: str) -> tuple[int, ...]:
    """Return the seats in a text such as ``A, C``; raises ValueError, one sentence."""
    letters = text.upper().replace(",", " ").split()
    wrong = next((each for each in letters if len(each) != 1 or each not in LETTERS), None)
    if wrong is not None:
        raise ValueError(f"{wrong[:20]} is not a seat. Seats are letters, such as A.")
    return tuple(map(LETTERS.index, letters))


def split_names(text: str) -> tuple[str, ...]:
    return tuple(name for part in text.split(",") if (name := part.strip()))


def record_name(who: Sequence[str], now: datetime, table: str) -> str:
    """Return the file name of a record: when, who, and the table, which makes it unique."""
    names, number = (
        "".join(letter if letter.isalnum() or letter in "-_" else "_" for letter in text)
        for text in ("-".join(who), table)
    )
    return f"{now:%Y-%m-%d-%H%M%S}-{names[:60] or 'game'}-{number[:20]}.jsonl"


class NewGameSeats:
    """The seats of each game's form: the last choice, else the default; names carry over. ``elsewhere``:
    others can join. ``levels`` are the bots' initial levels, by game.
    """

    def __init__(self, names: Sequence[str], levels: Mapping[str, str], *, elsewhere: bool) -> None:
        self._names = list(names)
        self._people = len(names)
        self._levels = levels
        self._elsewhere = elsewhere
        self._kinds: dict[str, list[SeatPlan]] = {}

    def keep(self, game: GameInfo, seats: Sequence[SeatPlan]) -> None:
        self._kinds[game.name] = [replace(seat, name="") for seat in seats]
        people = [seat.name for seat in seats if seat.kind == "person"]
        # The previous form may have had more people than this game has seats.
        self._names = [*people, *self._names[len(people) :]]
        self._people = len(people)

    def of(self, game: GameInfo) -> list[tuple[SeatPlan, str]]:
        """Return the kind and the name of each seat; other seats get the names of further people."""
        kinds = self._kinds.get(game.name) or self._usual_seating(game)
        people = [number for number, seat in enumerate(kinds) if seat.kind == "person"]
        others = [number for number, seat in enumerate(kinds) if seat.kind != "person"]
        names = dict(zip([*people, *others], self._names, strict=False))
        return [(seat, names.get(number, "")) for number, seat in enumerate(kinds)]

    def _usual_seating(self, game: GameInfo) -> list[SeatPlan]:
        most = most_players(game)
        person, *_, open_seat, none = (seat for seat, _ in seat_choices(game))
        if not self._elsewhere:
            rival = level_to_play(game, self._levels)
            other = SeatPlan("bot", level=rival) if rival else open_seat
            seats = [person, *[other] * (0 if can_be_played_alone(game) else usual_seats(game) - 1)]
        else:
            people = [person] * max(1, self._people)
            seats = [*people, *[open_seat] * max(1, game.seats[0] - len(people))]
        return [*seats, *[none] * most][:most]


# House rules: the options of a game, as typed and shown. If the first option presets others, such as an
# edition, it has its own option on the command line (``--edition``).

_SWITCH = {"yes": True, "on": True, "true": True, "no": False, "off": False, "false": False}


def preset_of_game(game: GameInfo) -> Option | None:
    return next((option for option in game.options if option.presets), None)


def house_rules(game: GameInfo) -> tuple[Option, ...]:
    """Return the options that users change one by one, without those with a single value."""
    apart = preset_of_game(game)
    return tuple(option for option in game.options if option is not apart and len(option.values) > 1)


def preset_option_name(option: Option) -> str:
    """Return the command-line name of the option that presets the others."""
    return f"--{option.name.replace('_', '-')}"


def rule_word(value: Json) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def rule_words(option: Option) -> list[str]:
    """Return the words for its values, the default first."""
    values = [value for value, _ in option.values]
    return [rule_word(value) for value in sorted(values, key=lambda value: value != option.default)]


def read_rules(game: GameInfo, texts: Iterable[str]) -> dict[str, Json]:
    """Parse texts such as ``choke_cost=2``; raises ValueError with one sentence."""
    known = {option.name: option for option in house_rules(game)}
    found: dict[str, Json] = {}
    for text in texts:
        name, equals, typed = (part.strip() for part in text.partition("="))
        option = known.get(name)
        if option is None:
            listed = _rule_list_words(game, list(known.values()), example=not equals)
            raise ValueError(f"There is no house rule {name!r}. {listed}")
        words = [rule_word(value) for value, _ in option.values]
        if not equals:
            raise ValueError(f"{name} needs a value: type {' or '.join(f'{name}={each}' for each in words)}.")
        value = next((each for each, _ in option.values if _is_rule_value(typed.casefold(), each)), None)
        if value is None:
            raise ValueError(f"{name} cannot be {typed!r}; it may be {' or '.join(words)}.")
        if found.setdefault(name, value) != value:
            raise ValueError(f"{name} is given twice, once as {rule_word(found[name])} and once as {rule_word(value)}.")
    return found


def rule_settings(game: GameInfo, chosen: str, texts: Iterable[str]) -> Json:
    """Return the shortest settings for a chosen preset and typed house rules. Raises ValueError."""
    values = read_rules(game, texts)
    option = preset_of_game(game)
    if option is not None and chosen:
        values[option.name] = next(value for value, _ in option.values if rule_word(value) == chosen)
    return shortest_settings(game.options, values)


def preset_words(game: GameInfo, data: Json) -> str:
    """Return the words of the preset in these settings; empty if there is none or it is unknown."""
    option = preset_of_game(game)
    if option is None or not isinstance(data, dict):
        return ""
    wanted = data.get(option.name, option.default)
    return next((words for value, words in option.values if value == wanted), "")


def rule_rows(game: GameInfo) -> list[tuple[str, str]]:
    """Return the house rules for the command line's help: the word to type and its meaning."""
    return [
        (f"{option.name}={rule_word(value)}", f"{option.title}: {words}")
        for option in house_rules(game)
        for value, words in option.values
    ]


def _is_rule_value(typed: str, value: Json) -> bool:
    return _SWITCH.get(typed) is value if isinstance(value, bool) else typed == str(value).casefold()


def _rule_list_words(game: GameInfo, known: Sequence[Option], *, example: bool) -> str:
    if not known:
        return f"{game.title} has none."
    names = [option.name for option in known]
    listed = f"The house rules are {joined(names)}." if names[1:] else f"The house rule is {names[0]}."
    how = f" Type a rule with its value: {names[0]}={rule_words(known[0])[-1]}."
    return f"{listed}{how}" if example else listed
