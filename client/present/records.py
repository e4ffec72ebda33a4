"""Records as lines to choose from, and what is searched for in them."""

from __future__ import annotations

from pathlib import Path

import msgspec

from cave.game import Json
from cave.record import Outline, SeatForm
from cave.wire import clean_text
from client.games.the_cave import terms
from client.launch import new_game
from client.present.names import told_apart
from client.replay.records import Summary

NOT_OVER = "not finished"
DAMAGED = "damaged"
NO_SEED = "This game was not finished, so its record cannot be replayed."


class RecordLine(msgspec.Struct, frozen=True):
    """A record as a line. ``who`` are the teams with their points, ``ending`` is who won, or what the
    record is instead of over; ``problem`` says why it cannot be replayed.
    """

    path: Path
    when: str
    who: str
    ending: str
    over: bool
    steps: str
    edition: str
    problem: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """What puts the newest last."""
        return self.when, self.path.name

    def has(self, words: str) -> bool:
        """Whether each of these words is somewhere in the line."""
        parts = (self.when, self.who, self.ending, f"{self.steps} steps", self.edition, self.path.name)
        line = " ".join(parts).casefold()
        return all(word in line for word in words.casefold().split())


def line(found: Summary) -> RecordLine:
    """The line of a record."""
    outline = found.outline
    if outline is None:
        name, problem = clean_text(found.path.name), clean_text(found.problem)
        return RecordLine(found.path, found.when, name, DAMAGED, False, "", "", f"{name}: {problem}.")
    head = outline.header
    names = [_name(seat, number) for number, seat in enumerate(head.seats)]
    points = [f" {score.total}" for score in outline.scores] or [""] * len(names)
    who = ", ".join(f"{name}{point}" for name, point in zip(names, points, strict=True))
    seedless = head.seed is None and head.start is None
    return RecordLine(
        found.path,
        found.when,
        who,
        _winner(outline, names),
        bool(outline.scores),
        str(outline.steps),
        _edition(head.settings if head.start is None else head.start),
        NO_SEED if seedless else "",
    )


def _name(seat: SeatForm, number: int) -> str:
    shown = told_apart(clean_text(seat.name), seat.kind)
    return shown or f"team {terms.LETTERS[number % len(terms.LETTERS)]}"


def _winner(outline: Outline, names: list[str]) -> str:
    if not outline.scores:
        return NOT_OVER
    won = [name for name, score in zip(names, outline.scores, strict=True) if score.winner]
    return ", ".join(won) or "nobody"


def _edition(data: Json) -> str:
    """Whose rules, from a header's settings or the position it began with."""
    settings = data.get("settings", data) if isinstance(data, dict) else None
    if not isinstance(settings, dict):
        return ""
    edition = settings.get("edition", "english")
    words = dict(new_game.EDITION_WORDS)
    return words.get(edition, "") if isinstance(edition, str) else ""


def fields(found: RecordLine) -> tuple[str, ...]:
    """The record for scripts: when, how it ended, steps, edition, teams, and last its file."""
    path = str(found.path)
    steps = f"{found.steps or '-'} steps"
    shown = path if path.isprintable() else ascii(path)
    return found.when, _ended(found), steps, found.edition or "-", found.who, shown


def in_words(number: int, found: RecordLine) -> str:
    """The record as a line to choose by its number."""
    steps = f"{found.steps} steps" if found.steps else ""
    parts = (found.when, found.who, _ended(found), steps, found.edition)
    return f"{number} {', '.join(part for part in parts if part)}."


def _ended(found: RecordLine) -> str:
    return f"winner {found.ending}" if found.over else found.ending
