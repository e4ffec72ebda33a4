"""Who sits where in the form of a new game, for each game that the form was made for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from cave.game import GameInfo
from client.launch import new_game
from client.launch.new_game import SeatPlan


class Seatings:
    """The seats of the form of each game: what was chosen for that game, else what is usual for it.

    Names belong to people, who are the same in every game: they go along from one form to the next.
    ``elsewhere`` is whether the game is to be at a host where others can be met. Bots play at first at the
    level in ``levels``, by game.
    """

    def __init__(self, names: Sequence[str], levels: Mapping[str, str], *, elsewhere: bool) -> None:
        self._names = list(names)
        self._people = len(names)
        self._levels = levels
        self._elsewhere = elsewhere
        self._kinds: dict[str, list[SeatPlan]] = {}

    def keep(self, game: GameInfo, seats: Sequence[SeatPlan]) -> None:
        """Keep all seats of a form, the names of people with them."""
        self._kinds[game.name] = [replace(seat, name="") for seat in seats]
        people = [seat.name for seat in seats if seat.kind == "person"]
        # The form before may have had more people than this game has seats.
        self._names = [*people, *self._names[len(people) :]]
        self._people = len(people)

    def of(self, game: GameInfo) -> list[tuple[SeatPlan, str]]:
        """Return the kind of each seat, and a name for it; on seats of nobody those of further people, who
        are named if such a seat becomes theirs.
        """
        kinds = self._kinds.get(game.name) or self._usual(game)
        people = [number for number, seat in enumerate(kinds) if seat.kind == "person"]
        others = [number for number, seat in enumerate(kinds) if seat.kind != "person"]
        names = dict(zip([*people, *others], self._names, strict=False))
        return [(seat, names.get(number, "")) for number, seat in enumerate(kinds)]

    def _usual(self, game: GameInfo) -> list[SeatPlan]:
        """Return the seats at first: for people, then as many bots as are usual, or open seats where
        others can be met.
        """
        most = game.seats[-1]
        person, *_, open_seat, none = (seat for seat, _ in new_game.seat_choices(game))
        if not self._elsewhere:
            level = new_game.level(game, self._levels)
            other = SeatPlan("bot", level=level) if level else open_seat
            seats = [person, *[other] * (0 if new_game.alone(game) else new_game.usual_seats(game) - 1)]
        else:
            people = [person] * max(1, self._people)
            seats = [*people, *[open_seat] * max(1, game.seats[0] - len(people))]
        return [*seats, *[none] * most][:most]
