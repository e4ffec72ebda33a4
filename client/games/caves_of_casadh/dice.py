"""The die: rolls on the screen, then shows which numbers count, and the result."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from cave.caves_of_casadh.state import State
from cave.game import Json
from client.games.caves_of_casadh import log, terms
from client.tui.motion import Effect
from client.tui.widgets.panel import Row, Span, wrap
from client.wording import joined

FACES = 6  # faces to show before the die stops
ROLL = Effect(0.06, FACES + 20, calm=True)  # 1.2 seconds to read it
PIPS = ("", "4", "08", "048", "0268", "02468", "023568")
"""The places of the pips, by number, row by row of three; dice with more sides show the number."""
LINE = "         "
BESIDE = 15  # columns of the die and its margins


class DieRoll(Struct, frozen=True):
    """A roll. ``numbers`` are the numbers of ``kind``: hazards, or success; ``says``: what they do."""

    title: str
    who: str
    says: str
    numbers: range
    harms: bool
    roll: int
    sides: int
    came: str

    def number_at_frame(self, frame: int) -> int:
        """Return the number on top: another one in each frame, until the die stops."""
        return self.roll if frame >= FACES else (self.roll + 2 * (FACES - frame) + 1) % self.sides + 1


def roll_in(events: Sequence[Json], cave: State, names: Sequence[str]) -> DieRoll | None:
    """Return the last roll among events, or None."""
    rolled = next((each for each in reversed(events) if each["type"] == "rolled"), None)
    if rolled is None:
        return None
    reason, limit, sides = rolled["reason"], rolled["limit"], cave.settings.die_sides
    who = names[rolled["seat"]]
    if reason in log.ROLLS:
        says, came = f"{limit} or less works", f"{who} {log.roll_result_words(rolled)}."
        return DieRoll(log.ROLLS[reason], who, says, range(1, limit + 1), False, rolled["roll"], sides, came)
    name = terms.HAZARDS[reason]
    placed = (each["at"] for each in events if each["type"] == "tokens_placed")
    at = [terms.hex_name(cave, (x, y)) for x, y in next(placed, ())]
    came = f"{name} at {joined(at)}." if rolled["success"] and at else f"No {name.lower()} this time."
    says = f"below {limit} wakes them" if limit > 1 else "the first hex cannot wake them"
    return DieRoll(name, who, says, range(1, limit), True, rolled["roll"], sides, came)


def die_rows(found: DieRoll, frame: int, width: int) -> list[Row]:
    """Return the die with the numbers beside it, a mark below the rolled one, and the result."""
    stands, face = frame >= FACES, found.number_at_frame(frame)
    counts = face in found.numbers
    hit = ("loud" if found.harms else "turn") if counts else "slot"
    marks = set(PIPS[face]) if face < len(PIPS) else set()
    text = [LINE] * 5
    for y in range(3):
        text[2 * y] = "".join(f" {'●' if str(3 * y + x) in marks else ' '} " for x in range(3))
    if not marks:
        text[2] = f"{face:^9}"
    numbers = [
        Span(f" {each} ", hit if stands and each == face else "none" if each not in found.numbers else "slot")
        for each in range(1, found.sides + 1)
    ]
    rolls = f"{found.who} rolls: {found.says}"
    says = rolls if len(f"{found.title}  {rolls}") <= width - BESIDE else found.says
    beside: list[Row] = [
        [Span(found.title.upper(), "title"), Span(f"  {says}", "text")],
        [Span(f"{'':{4 * face - 3}}▼" if stands else "", "key")],
        [span for number in numbers for span in (number, Span(" "))],
    ]
    role = "warn" if counts == found.harms else "gain"
    lines = wrap(found.came if stands else "", width - BESIDE)
    beside += [[Span(line, role)] for line in (lines if len(lines) > 1 else ["", *lines])]
    die = [[Span("  "), Span(line, hit if stands else "slot"), Span("   ")] for line in text]
    return [[*line, *more] for line, more in zip(die, beside, strict=False)]
