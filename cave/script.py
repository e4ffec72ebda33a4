"""The referee: judges each step of a script (the format is in ``FORMATS.md``)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from cave import codec, games
from cave.codec import Count, JsonForm, Whole, reject_field_if, within
from cave.game import AnyGame, BadData, Json, Refused
from cave.score import score_json

FORMAT = "cave-script"
VERSION = 1


class _NewForm(JsonForm, frozen=True):
    game: str
    seats: Count
    settings: Json = msgspec.field(default_factory=dict)
    seed: str = ""


class _StartForm(JsonForm, frozen=True):
    position: Json = None
    new: _NewForm | None = None


class _StepForm(JsonForm, frozen=True):
    seat: Whole
    action: Json = None
    ask: str | None = None


class _ScriptForm(JsonForm, frozen=True):
    format: str
    version: Whole
    start: _StartForm
    steps: tuple[Any, ...]


def judge_script(data: bytes) -> Iterator[Json]:
    """Judge a script: yield one JSON object for each step, then one for the end.

    Parses the whole file first. Raises BadData, before yielding anything, if it is not a script.
    """
    form = codec.parse_document(codec.decode(data), _ScriptForm, format=FORMAT, version=VERSION)
    if (form.start.position is None) == (form.start.new is None):
        raise BadData("start", "must hold either a position or new")
    if form.start.new is not None:
        game, state = _new_game(form.start.new)
        names: tuple[str, ...] = ()
    else:
        game, state = _game_at_position(form.start.position)
        names = game.names_in(form.start.position)
    return _judge_steps(game, state, names, [_read_step(index, step) for index, step in enumerate(form.steps)])


def _new_game(form: _NewForm) -> tuple[AnyGame, Any]:
    with within("start.new"):
        game = games.get_game(form.game)
        return game, game.new(form.seats, form.settings, form.seed)


def _game_at_position(position: Json) -> tuple[AnyGame, Any]:
    if not isinstance(position, dict):
        raise BadData("start.position", "must be an object")
    with within("start.position"):
        game = games.get_game(position.get("game"))
        return game, game.from_position(position)


def _read_step(index: int, data: Json) -> _StepForm:
    with within(f"steps[{index}]"):
        form = codec.parse(data, _StepForm)
    reject_field_if(("action" in data) == ("ask" in data), f"steps[{index}]", "must hold either an action or ask")
    reject_field_if("ask" in data and form.ask != "choices", f"steps[{index}].ask", "must be 'choices'")
    return form


def _judge_steps(game: AnyGame, state: Any, names: Sequence[str], steps: Sequence[_StepForm]) -> Iterator[Json]:
    for number, step in enumerate(steps):
        if step.ask:
            choices = [game.offer_json(choice) for choice in game.choices(state, step.seat)]
            yield {"step": number, "ok": True, "choices": choices}
            continue
        try:
            done = game.apply(state, step.seat, game.decode(state, step.seat, step.action))
        except Refused as refused:
            yield {"step": number, "ok": False, "code": refused.code, "message": refused.message}
            continue
        state = done.state
        events = [game.event_json(event) for event in done.events]
        yield {"step": number, "ok": True, "events": events, **game.turn_json(state)}
    yield {
        "end": True,
        "over": game.over(state),
        "position": game.position(state, names),
        "standing": [score_json(line) for line in game.standing(state)],
    }
