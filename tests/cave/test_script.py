"""Scripts and the referee (FORMATS.md)."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from cave import codec
from cave.game import BadData
from cave.script import judge_script
from tests.cave.builders import DISCOVER, END_TURN, GAME, move, pack, place, position, team, tile
from tests.cave.conformance import WILD
from tests.cave.test_positions import EXAMPLE


def judge(steps: list[Any], start: Any = None, **more: Any) -> list[Any]:
    script = {"format": "cave-script", "version": 1, "start": start or {"position": EXAMPLE}, "steps": steps, **more}
    return [json.loads(codec.encode(line)) for line in judge_script(json.dumps(script).encode())]


def act(action: Any, seat: int = 0) -> Any:
    return {"seat": seat, "action": action}


def test_the_example_of_the_format() -> None:
    """The roped descent costs 1; then the choices of seat 0."""
    first, second, last = judge([act(move(0, -2)), {"seat": 0, "ask": "choices"}])
    assert {name: first[name] for name in ("step", "ok", "seat", "ap", "phase")} == {
        **{"step": 0, "ok": True, "seat": 0, "ap": 4, "phase": "actions"}
    }
    assert [event["type"] for event in first["events"]] == ["moved"]
    assert (second["step"], second["ok"]) == (1, True)
    asked = {choice["action"]["type"]: choice["ap"] for choice in second["choices"]}
    assert asked == {"move": 1, "discover": 1, "discard": 0, "end_turn": 0}
    assert (last["end"], last["over"]) == (True, False)
    assert last["position"]["teams"][0]["at"] == [0, -2]


def test_a_refused_step_changes_nothing_and_the_script_goes_on() -> None:
    start = {"position": position(tile(0, -1, "descent", depth=50), ana=team(rope=1))}
    lines = judge([act(move(0, -1)), act(move(0, 1)), act(END_TURN, 1), act(END_TURN)], start)
    assert lines[0]["code"] == "needs_rope"
    assert set(lines[0]) == {"step", "ok", "code", "message"}
    assert [line["ok"] for line in lines[:-1]] == [False, True, False, True]
    assert (lines[1]["ap"], lines[2]["code"], lines[3]["seat"]) == (4, "not_your_turn", 1)


def test_after_the_last_turn_no_seat_is_to_act() -> None:
    start = {"position": position(turns_left=1)}
    ended, refused, asked, last = judge([act(END_TURN), act(END_TURN, 1), {"seat": 0, "ask": "choices"}], start)
    assert (ended["seat"], ended["ap"], ended["phase"]) == (None, 0, "over")
    assert refused["code"] == "game_over"
    assert asked == {"step": 2, "ok": True, "choices": []}
    assert last["over"] is True


@pytest.mark.parametrize("action", [None, [], 5, "move", {}, {"type": "fly"}, {"type": "move"}, {"type": 3}])
def test_an_action_of_the_wrong_shape_is_a_refusal(action: Any) -> None:
    lines = judge([act(action), act(END_TURN)])
    assert (lines[0]["ok"], lines[0]["code"]) == (False, "bad_action")
    assert lines[1]["ok"]


def test_choices_are_complete_and_forms_appear_once_with_their_limits() -> None:
    camp = {"state": "pitched", "at": [0, 0], "items": {"rope": 1}}
    start = {"position": position(tile(0, -1), ana=team(camp=camp, consumable=2))}
    (asked, other, _) = judge([{"seat": 0, "ask": "choices"}, {"seat": 1, "ask": "choices"}], start)
    forms = {c["action"]["type"]: c for c in asked["choices"] if "limits" in c}
    assert set(forms) == {"pack", "exchange", "discard"}
    assert [forms[name]["ap"] for name in ("pack", "exchange", "discard")] == [2, 0, 0]
    rest = [(c["action"], c["ap"]) for c in asked["choices"] if "limits" not in c]
    assert len(rest) == 6
    for wanted in (
        (move(0, -1), 1),
        (move(0, -1, "force"), 5),
        (move(0, 1), 1),
        (move(0, 1, "force"), 5),
        ({"type": "strike"}, 1),
        (END_TURN, 0),
    ):
        assert wanted in rest
    assert other["choices"] == []


def test_a_new_game_of_any_seed() -> None:
    start = {"new": {"game": "the-cave", "seats": 3, "settings": {"edition": "french"}, "seed": "any text"}}
    kit = pack(consumable=4)
    lines = judge([act(kit, 2), act(kit, 0), act(kit, 0), act(kit, 1)], start)
    assert [line.get("code") for line in lines[:-1]] == [None, None, "not_your_turn", None]
    assert lines == judge([act(kit, 2), act(kit, 0), act(kit, 0), act(kit, 1)], start)
    assert [len(stack) for stack in lines[-1]["position"]["stacks"]] == [13] * 4
    assert lines[-1]["position"]["settings"] == {"edition": "french"}


def test_the_last_line_is_a_position_to_continue_from() -> None:
    steps = [act(move(0, -2)), act(DISCOVER), act(END_TURN)]
    whole = judge([*steps, act(place(0, -3, 0)), act(END_TURN)])
    half = judge(steps)[-1]["position"]
    rest = judge([act(place(0, -3, 0)), act(END_TURN)], {"position": half})
    assert rest[-1] == whole[-1]


def test_the_standing_of_the_format() -> None:
    teams = [{"tokens": {"traverse": 2, "photo": 1, "water": 1, "depth": [25]}}, {"tokens": {"photo": 1}}]
    ana, bea = (team(tokens=one["tokens"], name=name) for one, name in zip(teams, ("Ana", "Bea"), strict=True))
    (last,) = judge([], {"position": position(ana=ana, others=[bea])})
    assert last["standing"][0] == {
        "seat": 0,
        "total": 4 + 2 + 3 + 3 + 8 + 4 + 8,
        "points": {"traverse": 4, "photo": 2, "water": 3, "squeeze": 0, "depth": 3},
        "bonus": {"traverse": 8, "photo": 4, "water": 8, "squeeze": 0},
        "stranded": False,
        "winner": True,
    }
    assert set(last) == {"end", "over", "position", "standing"}


@pytest.mark.parametrize(
    ("script", "field"),
    [
        (b"", ""),
        (b"nonsense", ""),
        (b"[]", ""),
        (b"{}", "format"),
        ({"format": "cave-record"}, "format"),
        (json.dumps(EXAMPLE).encode(), "format"),
        ({"start": {"position": {"format": "cave-script", "x": 1}}}, "start.position.game"),
        ({"version": 2}, "version"),
        ({"extra": 1}, "extra"),
        ({"steps": {}}, "steps"),
        ({"steps": [5]}, "steps[0]"),
        ({"steps": [{"seat": 0}]}, "steps[0]"),
        ({"steps": [{"action": {}}]}, "steps[0].seat"),
        ({"steps": [{"seat": "0", "action": {}}]}, "steps[0].seat"),
        ({"steps": [{"seat": 0, "action": {}, "ask": "choices"}]}, "steps[0]"),
        ({"steps": [{"seat": 0, "ask": "score"}]}, "steps[0].ask"),
        ({"steps": [{"seat": 0, "ask": None}]}, "steps[0].ask"),
        ({"steps": [{"seat": 0, "ask": "choices", "x": 1}]}, "steps[0].x"),
        ({"start": {}}, "start"),
        ({"start": {"position": EXAMPLE, "new": {"game": "the-cave", "seats": 2}}}, "start"),
        ({"start": {"position": []}}, "start.position"),
        ({"start": {"position": {**EXAMPLE, "game": "chess"}}}, "start.position.game"),
        ({"start": {"position": {**EXAMPLE, "version": 3}}}, "start.position.version"),
        ({"start": {"position": {**EXAMPLE, "turns_left": "x"}}}, "start.position.turns_left"),
        ({"start": {"new": {"game": "the-cave", "seats": 6}}}, "start.new.seats"),
        ({"start": {"new": {"game": "the-cave", "seats": 10**15}}}, "start.new.seats"),
        ({"start": {"new": {"game": "the-cave"}}}, "start.new.seats"),
        ({"start": {"new": {"game": "chess", "seats": 2}}}, "start.new.game"),
        (
            {"start": {"new": {"game": "the-cave", "seats": 2, "settings": {"edition": "x"}}}},
            "start.new.settings.edition",
        ),
        ({"start": {"new": {"game": "the-cave", "seats": 2, "seed": 5}}}, "start.new.seed"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_by_name(script: Any, field: str) -> None:
    whole = {"format": "cave-script", "version": 1, "start": {"position": EXAMPLE}, "steps": []}
    text = script if isinstance(script, bytes) else json.dumps({**whole, **script}).encode()
    with pytest.raises(BadData) as caught:
        list(judge_script(text))
    assert caught.value.field == field
    assert "\n" not in str(caught.value)


def judged_or_refused(data: bytes) -> list[Any] | BadData:
    try:
        return list(judge_script(data))
    except BadData as error:
        return error


def test_any_damage_to_a_script_is_bad_data_or_judged() -> None:
    """Fuzzing: the referee yields lines or BadData for any file."""
    rng = Random(7)
    script = {
        "format": "cave-script",
        "version": 1,
        "start": {"position": EXAMPLE},
        "steps": [act(move(0, -2)), {"seat": 0, "ask": "choices"}, act(END_TURN)],
    }
    text = json.dumps(script)
    judged = refused = 0
    for _ in range(600):
        start = rng.randrange(len(text))
        piece = json.dumps(rng.choice(WILD)) if rng.random() < 0.7 else ""
        damaged = text[:start] + piece + text[start + rng.randrange(12) :]
        lines = judged_or_refused(damaged.encode())
        if isinstance(lines, BadData):
            refused += 1
            assert "\n" not in str(lines)
        else:
            judged += 1
            assert lines[-1]["end"] is True
            assert GAME.from_position(json.loads(codec.encode(lines[-1]["position"])))
    assert refused > 100
    assert judged > 5
