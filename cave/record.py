"""Records: a game as JSON Lines, from the seed and the actions (the format is in ``FORMATS.md``).

>>> game = games.get_game("the-cave")
>>> state = game.new(2, {}, "any text")
>>> lines = [header_line(game, {}, [SeatForm("Ann"), SeatForm("Bea")], seed="any text", created="")]
>>> for seat in (0, 1):
...     action = game.idle(state, seat)
...     lines.append(action_line(seat, game.action_json(action)))
...     state = game.apply(state, seat, action).state

Replaying the file leads to the same state. Without a last line it claims no digest:

>>> played = replay(write(lines).splitlines(keepends=True))
>>> len(played.steps), played.final_state == state, played.digest
(2, True, None)
>>> lines.append(result_line(game, state, ["Ann", "Bea"]))
>>> check_record(write(lines).splitlines(keepends=True)).matches
True
"""

from __future__ import annotations

import hashlib
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal

import msgspec

from cave import RECORD_VERSIONS, bots, codec, games
from cave.codec import Count, JsonForm, Points, Whole, default_in_json, within
from cave.game import AnyGame, BadData, Json, Refused
from cave.names import check_name
from cave.score import score_json
from cave.wire import MAX_NAME, MAX_TITLE, one_line

FORMAT = "cave-record"
VERSION = RECORD_VERSIONS[1]
MOST_SEATS = 26
"""More than any game has: lists show each seat of a record."""


class SeatForm(JsonForm, frozen=True, omit_defaults=True):
    name: str
    kind: Literal["person", "bot"] = default_in_json("person")
    level: str = ""


class Header(JsonForm, frozen=True, omit_defaults=True):
    """The first line. ``seed`` is missing if a host sent the record of an unfinished game; ``start`` is the
    position of a game that did not begin with the usual setup, and ``resigned`` the seat whose resignation
    ended it.
    """

    format: str
    version: Whole
    game: str
    settings: Json
    seats: tuple[SeatForm, ...]
    seed: str | None = None
    created: str = default_in_json("")
    start: Json = None
    resigned: Count | None = None


class _ActionLine(JsonForm, frozen=True):
    seat: Whole
    action: Json


class _ResultLine(JsonForm, frozen=True):
    result: Json
    digest: str


class SeatScore(msgspec.Struct, frozen=True):
    """A seat's line in the result: its points, whole and by category, and whether it shares the win."""

    seat: Count
    total: Points
    winner: bool
    points: dict[str, Points] = {}
    bonus: dict[str, Points] = {}


class _Scores(msgspec.Struct, frozen=True):
    standing: tuple[SeatScore, ...]


class Outline(msgspec.Struct, frozen=True):
    """Facts of a record without replaying it: its start, its number of steps, and the points by seat, empty
    without a result.
    """

    header: Header
    steps: int
    scores: tuple[SeatScore, ...]


class Played(msgspec.Struct, frozen=True):
    """One step of a replay: the seat, its action and events, and the state after it."""

    seat: int
    action: Json
    events: tuple[Any, ...]
    state: Any


class Replay(msgspec.Struct, frozen=True):
    """A replayed record: the start and each step. ``names`` come from the start position, else from the
    header; ``digest`` is from the last line, None without a result; ``cut`` is the number of an incomplete
    line, else 0.
    """

    header: Header
    game: AnyGame
    names: tuple[str, ...]
    start: Any
    steps: tuple[Played, ...]
    digest: str | None
    cut: int = 0

    @property
    def final_state(self) -> Any:
        return self.state_after(len(self.steps))

    @property
    def resignation_sentence(self) -> str:
        seat = self.header.resigned
        return "" if seat is None else bots.resigned_words(self.names, seat)

    def state_after(self, steps: int) -> Any:
        """Return the state after this many steps; with 0, the state at the start."""
        return self.steps[steps - 1].state if steps else self.start


class CheckResult(msgspec.Struct, frozen=True):
    """The outcome of checking a record: steps replayed, digest of the final position, and whether it matches
    the record's (None: the game is unfinished).

    ``cut`` is the number of an incomplete line, else 0; ``over``: the game has ended by the rules;
    ``resigned`` is the sentence about a resignation that ended it.
    """

    steps: int
    digest: str
    matches: bool | None
    cut: int = 0
    over: bool = False
    resigned: str = ""


def header_line(
    game: AnyGame,
    settings: Json,
    seats: Sequence[SeatForm],
    *,
    seed: str | None,
    created: str,
    start: Json = None,
    resigned: int | None = None,
) -> Json:
    """Return the first line of a record; without ``seed`` if that is None."""
    return codec.to_json(Header(FORMAT, VERSION, game.name, settings, tuple(seats), seed, created, start, resigned))


def action_line(seat: int, action: Json) -> Json:
    return {"seat": seat, "action": action}


def result_line(game: AnyGame, state: Any, names: Sequence[str]) -> Json:
    """Return the last line: the score sheet and the digest of the final position."""
    return {
        "result": {"standing": [score_json(entry) for entry in game.standing(state)]},
        "digest": position_digest(game, state, names),
    }


def position_digest(game: AnyGame, state: Any, names: Sequence[str]) -> str:
    """Return ``sha256:`` and the hash of the position's JSON with sorted keys and no spaces."""
    return "sha256:" + hashlib.sha256(codec.canonical_json(game.position(state, names))).hexdigest()


def write(lines: Iterable[Json]) -> bytes:
    return b"".join(codec.encode(each) + b"\n" for each in lines)


def replay(lines: Iterable[bytes]) -> Replay:
    """Replay a record; a truncated file is replayed up to its last complete line.

    Raises BadData that names the line if it is not a record or has an illegal action.
    """
    head, texts = _read_head(lines)
    game, names, state = _start_of_record(head)
    start = state
    steps: list[Played] = []
    cut = 0
    for number, text in texts[1:]:
        try:
            data = codec.decode(text)
        except BadData as error:
            if number == texts[-1][0] and not text.endswith(b"\n"):
                cut = number
                break
            raise BadData(f"line {number}", error.problem) from None
        if isinstance(data, dict) and data.keys() & {"result", "digest"}:
            claimed = _read_line_form(number, data, _ResultLine).digest
            if number != texts[-1][0]:
                raise BadData(f"line {number + 1}", "comes after the result, which ends a record")
            return Replay(head, game, names, start, tuple(steps), claimed)
        entry = _read_line_form(number, data, _ActionLine)
        try:
            done = game.apply(state, entry.seat, game.decode(state, entry.seat, entry.action))
        except Refused as refused:
            raise BadData(f"line {number}: action", refused.message) from None
        state = done.state
        steps.append(Played(entry.seat, entry.action, done.events, state))
    return Replay(head, game, names, start, tuple(steps), None, cut)


def read_outline(lines: Iterable[bytes]) -> Outline:
    """Read the first and the last line, and count the others.

    Raises BadData that names the line if it is not a record.
    """
    head, texts = _read_head(lines)
    number, last = texts[-1]
    try:
        data = codec.decode(last)
    except BadData as error:
        if last.endswith(b"\n"):
            raise BadData(f"line {number}", error.problem) from None
        return Outline(head, len(texts) - 2, ())  # Cut off in the middle of its last line.
    if not isinstance(data, dict) or not data.keys() & {"result", "digest"}:
        return Outline(head, len(texts) - 1, ())
    with _naming_line(number):
        claimed = codec.parse(data, _ResultLine)
        scores = codec.parse(claimed.result, _Scores).standing
        if [score.seat for score in scores] != list(range(len(head.seats))):
            raise BadData("result.standing", "must have a line for each seat")
    return Outline(head, len(texts) - 2, scores)


def check_record(lines: Iterable[bytes]) -> CheckResult:
    played = replay(lines)
    found = position_digest(played.game, played.final_state, played.names)
    matches = None if played.digest is None else played.digest == found
    over = played.game.over(played.final_state)
    return CheckResult(len(played.steps), found, matches, played.cut, over, played.resignation_sentence)


def _start_of_record(head: Header) -> tuple[AnyGame, tuple[str, ...], Any]:
    with _naming_line(1):
        game = games.get_game(head.game)
        if head.start is not None:
            with within("start"):
                start = game.from_position(head.start)
            names = game.names_in(head.start)
            if len(names) != len(head.seats):
                raise BadData("seats", "must be as many as the position has")
            return game, names, start
        if head.seed is None:
            raise BadData("seed", "is missing: the game was not finished when this was written")
        for seat, form in enumerate(head.seats):
            check_name(form.name, f"seats[{seat}]")
        names = tuple(form.name for form in head.seats)
        return game, names, game.new(len(names), head.settings, head.seed)


def _read_head(lines: Iterable[bytes]) -> tuple[Header, list[tuple[int, bytes]]]:
    """Return the header, and all lines that are not blank, with their numbers."""
    texts = [(number, text) for number, text in enumerate(lines, start=1) if text.strip()]
    if not texts:
        raise BadData("", "the record is empty")
    number, text = texts[0]
    with _naming_line(number):
        # Some editors write a byte-order mark.
        data = codec.decode(text.removeprefix(BOM_UTF8))
        if isinstance(data, dict) and data.keys() & {"action", "result"}:
            raise BadData("", "does not say how the game began: the first line is missing")
        head = codec.parse_document(data, Header, format=FORMAT, version=VERSION)
        if len(head.seats) > MOST_SEATS:
            raise BadData("seats", f"must be at most {MOST_SEATS}")
        if len(head.game) > MAX_TITLE:
            raise BadData("game", f"must have at most {MAX_TITLE} characters")
        if head.resigned is not None and head.resigned >= len(head.seats):
            raise BadData("resigned", "must be the number of a seat")
        for seat, form in enumerate(head.seats):
            if len(form.name) > MAX_NAME or one_line(form.name) != form.name:
                raise BadData(f"seats[{seat}].name", f"must have at most {MAX_NAME} characters, no control characters")
        return head, texts


def _read_line_form(number: int, data: Json, kind: type[Any]) -> Any:
    with _naming_line(number):
        return codec.parse(data, kind)


@contextmanager
def _naming_line(number: int) -> Iterator[None]:
    try:
        yield
    except BadData as error:
        where = f"line {number}: {error.field}" if error.field else f"line {number}"
        raise BadData(where, error.problem) from None
