"""Records as lines to choose from, and searching them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from cave import games
from cave.game import BadData, GameInfo, Json
from cave.record import Header, Outline, SeatForm
from cave.wire import clean_text
from client.face import LETTERS
from client.launch import new_game
from client.replay import Summary
from client.wording import count, told_apart

DAILY = "cave of the day"
NOT_OVER = "not finished"
DAMAGED = "damaged"
NO_SEED = "This game was not finished, so its record cannot be replayed."


class RecordLine(msgspec.Struct, frozen=True):
    """A record as a line. ``game`` is the game's title, ``who`` the players with their points, ``ending`` the
    winners, or why there are none; ``preset`` its rules, such as an edition; ``problem`` says why it cannot
    be replayed. Lines with the same ``digest`` belong to one game. ``levels`` are those of its bots,
    ``strength`` the rank of the strongest among the levels of its game; ``points`` are those of the best
    person. ``daily``: it was played as the cave of its day.
    """

    path: Path
    when: str
    game: str
    who: str
    ending: str
    over: bool
    steps: str
    preset: str
    problem: str = ""
    digest: str = ""
    levels: tuple[str, ...] = ()
    strength: int = -1
    points: float = 0
    daily: bool = False

    @property
    def key(self) -> tuple[str, str]:
        return self.when, self.path.name

    @property
    def rule_marks(self) -> list[str]:
        """Its rules, and whether it is a cave of the day."""
        return [each for each in (self.preset, DAILY if self.daily else "") if each]

    def matches_words(self, words: str) -> bool:
        steps = _steps_words(self)
        parts = (self.when, self.game, self.who, self.ending, steps, *self.rule_marks, *self.levels, self.path.name)
        line = " ".join(parts).casefold()
        return all(word in line for word in words.casefold().split())


def record_line(found: Summary, *, daily: bool = False) -> RecordLine:
    outline = found.outline
    if outline is None:
        name, problem = clean_text(found.path.name), clean_text(found.problem)
        return RecordLine(found.path, found.when, "", name, DAMAGED, False, "", "", f"{name}: {problem}")
    head = outline.header
    game = _game_info(head.game)
    names = [_seat_name(game, seat, number) for number, seat in enumerate(head.seats)]
    points = [f" {score.total}" for score in outline.scores] or [""] * len(names)
    who = ", ".join(f"{name}{point}" for name, point in zip(names, points, strict=True))
    levels = [*game.bots]
    bots = [seat.level for seat in head.seats if seat.kind == "bot" and seat.level in levels]
    people = [score for score, seat in zip(outline.scores, head.seats, strict=False) if seat.kind == "person"]
    seedless = head.seed is None and head.start is None
    return RecordLine(
        found.path,
        found.when,
        _game_title(head.game),
        who,
        _winner_name(outline, names),
        bool(outline.scores) or head.resigned is not None,
        str(outline.steps),
        new_game.preset_words(game, settings_words(head)),
        NO_SEED if seedless else "",
        found.digest,
        tuple(dict.fromkeys(bots)),
        max(map(levels.index, bots), default=-1),
        max((score.total for score in people or outline.scores), default=0),
        daily,
    )


ORDERS: Mapping[str, tuple[str, Callable[[RecordLine], Any]]] = {
    "newest": ("newest first", lambda line: line.key),
    "level": ("strongest bots first", lambda line: (line.strength, *line.key)),
    "points": ("most points first", lambda line: (line.points, *line.key)),
    "length": ("longest first", lambda line: (int(line.steps or 0), *line.key)),
}
"""The sort orders of records: their words, and the key."""


def sort_records(lines: Iterable[RecordLine], order: str, level: str = "") -> list[RecordLine]:
    """Sort the lines; with a level only those of games against such a bot."""
    mine = (each for each in lines if not level or level in each.levels)
    return sorted(mine, key=ORDERS[order][1], reverse=True)


def newest_first(lines: Iterable[RecordLine]) -> list[RecordLine]:
    """Sort the lines; drop duplicates of a game that has two files."""
    by_game = {found.digest or found.path: found for found in sorted(lines, key=lambda each: each.key)}
    return list(reversed(by_game.values()))


def wins_by_game(found: Iterable[Summary], called: str) -> dict[str, str]:
    """Return how many finished games the player ``called`` this won, by game: ``you: 3 of 5 won``."""
    won: dict[str, list[bool]] = {}
    for outline in {each.digest: each.outline for each in found if each.outline is not None}.values():
        seat = seat_of(outline, called)
        if seat is not None:
            won.setdefault(outline.header.game, []).append(has_won(outline, seat))
    return {game: f"you: {sum(results)} of {len(results)} won" for game, results in won.items()}


def seat_of(outline: Outline, called: str) -> int | None:
    """Return the seat of the player with the name ``called`` in a finished game; None if there is none, or if
    a bot finished the game for it. The only person of a game is this player under any name.
    """
    head = outline.header
    people = [seat for seat, form in enumerate(head.seats) if form.kind == "person"]
    named = [seat for seat in people if head.seats[seat].name.casefold() == called.casefold()]
    mine = named or people
    counts = len(mine) == 1 and is_finished(outline) and not head.seats[mine[0]].level
    return mine[0] if counts else None


def is_finished(outline: Outline) -> bool:
    return bool(outline.scores) or outline.header.resigned is not None


def has_won(outline: Outline, seat: int) -> bool:
    resigned = outline.header.resigned
    return outline.scores[seat].winner if resigned is None else resigned != seat


def _game_info(name: str) -> GameInfo:
    try:
        return games.game_info(name)
    except BadData:
        return GameInfo()


def _game_title(name: str) -> str:
    return games.game_info(name).title if name in games.game_names() else clean_text(name)


def _seat_name(game: GameInfo, seat: SeatForm, number: int) -> str:
    shown = told_apart(clean_text(seat.name), seat.kind)
    return shown or f"{game.side.lower()} {LETTERS[number % len(LETTERS)]}"


def _winner_name(outline: Outline, names: list[str]) -> str:
    resigned = outline.header.resigned
    if resigned is not None:
        return ", ".join(name for seat, name in enumerate(names) if seat != resigned) or "nobody"
    if not outline.scores:
        return NOT_OVER
    won = [name for name, score in zip(names, outline.scores, strict=True) if score.winner]
    return ", ".join(won) or "nobody"


def settings_words(head: Header) -> Json:
    if head.start is None:
        return head.settings
    return head.start.get("settings", head.start) if isinstance(head.start, dict) else None


def fields(found: RecordLine) -> tuple[str, ...]:
    path = str(found.path)
    shown = path if path.isprintable() else ascii(path)
    return (
        found.when,
        _ending_words(found),
        _steps_words(found) or "- steps",
        found.game or "-",
        ", ".join(found.rule_marks) or "-",
        found.who,
        shown,
    )


def record_words(number: int, found: RecordLine) -> str:
    parts = (found.when, found.game, found.who, _ending_words(found), _steps_words(found), *found.rule_marks)
    return f"{number} {', '.join(part for part in parts if part)}."


def _steps_words(found: RecordLine) -> str:
    return count(int(found.steps), "step") if found.steps else ""


def _ending_words(found: RecordLine) -> str:
    return f"winner {found.ending}" if found.over else found.ending
