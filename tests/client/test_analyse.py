"""``cave analyse``: a game judged in worlds that fit what its players saw."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from msgspec import convert
from msgspec.structs import replace

from cave import games, record
from cave.game import AnyGame, Json
from client import games as faces
from client.commands import analyse
from client.lab import analysis
from client.lab.analysis import Job, Other, Stretch, Task
from client.lab.judge import Ending, Expected, LevelJudge, ended, expected
from client.lab.series import Stopped
from client.lab.wording import ActionWords
from client.names import told_apart
from tests.client.test_cli import assert_one_sentence, cave

KEPT = Path(__file__).parents[1] / "playthroughs"
LINES = (KEPT / "sir-ocelots-cave.jsonl").read_bytes()
JUDGE = LevelJudge("novice")


@pytest.fixture(scope="module")
def played() -> record.Replay:
    return record.replay(LINES.splitlines(keepends=True))


def short() -> bytes:
    """The last turns of a kept game, as the record of a game that begins there."""
    whole = record.replay(LINES.splitlines(keepends=True))
    at = len(whole.steps) - 5
    head = json.loads(LINES.splitlines()[0])
    head["start"] = whole.game.position(whole.steps[at - 1].state, whole.names)
    lines = [head, *(record.line(step.seat, step.action) for step in whole.steps[at:])]
    return record.write(lines)


@pytest.mark.parametrize("name", ["the-cave", "sir-ocelots-cave", "caves-of-casadh"])
def test_stretches_are_all_steps_of_turns_and_end_at_reveals(name: str) -> None:
    whole = record.replay((KEPT / f"{name}.jsonl").read_bytes().splitlines(keepends=True))
    found = analysis.stretches(whole)
    assert found
    assert found[-1].end == len(whole.steps)
    assert all(before.end == after.first for before, after in pairwise(found))
    for each in found:
        steps = whole.steps[each.first : each.end]
        assert {step.seat for step in steps} == {each.seat}
        reveals = [any(map(whole.game.is_barrier, step.events)) for step in steps]
        assert reveals == [False] * (len(steps) - 1) + [each.reveals]


def test_a_judge_knows_nothing_that_the_seat_does_not(played: record.Replay) -> None:
    """Two games that differ only in what the seat cannot see are judged alike (see ``Game.view``)."""
    game, state = played.game, played.steps[3].state
    seat = min(game.to_act(state))
    other = game.imagine(game.view(state, seat), "another world")
    assert other != state
    judged = []
    for start in (state, other):
        record_ = replace(played, start=start, steps=())
        judged.append(analysis._expected(record_, Task(seat, 0), JUDGE, 2, lambda: False))
    assert judged[0] == judged[1]


class Fixed:
    """A judge of a made-up game: always does the same, and ends as its table says."""

    def __init__(self, does: Json, leads: dict[str, list[float]]) -> None:
        self.does, self.leads = does, leads

    def choose(self, game: AnyGame, state: Any, seat: int, seed: str) -> Json:
        return self.does

    def ending(self, game: AnyGame, state: Any, seed: str) -> Ending:
        lead = self.leads[state][int(seed)]
        return Ending((lead, 0.0), (float(lead > 0), float(lead < 0)), ({"gold": lead}, {}))


class Line:
    """A game whose states are texts: what was done so far."""

    def view(self, state: str, seat: int) -> str:
        return state

    def imagine(self, view: str, seed: str) -> str:
        return view

    def over(self, state: str) -> bool:
        return False

    def decode(self, state: str, seat: int, data: Json) -> Json:
        return data

    def apply(self, state: str, seat: int, action: Json) -> Any:
        return record.Played(seat, action, (), state + action)


def made(*actions: str) -> Any:
    states = ["".join(actions[: n + 1]) for n in range(len(actions))]
    steps = tuple(record.Played(0, action, (), state) for action, state in zip(actions, states, strict=True))
    head = record.Header("cave-record", 1, "x", {}, (record.SeatForm("Ann"), record.SeatForm("Bea")))
    return record.Replay(head, Line(), ("Ann", "Bea"), "", steps, None)  # type: ignore[arg-type]


def other_of(judge: Any, replay: Any) -> Other | None:
    return analysis._other(replay, Task(0, 0, len(replay.steps)), judge, 2, lambda: False)


def test_a_mistake_is_the_difference_in_the_same_worlds() -> None:
    found = other_of(Fixed("a", {"ab": [1.0, 5.0], "aa": [4.0, 8.0]}), made("a", "b"))
    assert found is not None
    assert (found.step, found.done, found.better) == (1, "b", "a")
    # The worlds differ by 4, but the difference is 3 in both: it is certain.
    assert (found.lost, found.error) == (3, 0)


def test_a_difference_that_may_be_chance_is_no_mistake() -> None:
    found = other_of(Fixed("a", {"b": [0.0, 0.0], "a": [9.0, -1.0]}), made("b"))
    assert found is not None
    assert found.error == 5
    assert found.chance_error == 0.5
    assert found.lost == 0


def test_who_does_what_the_judge_would_do_makes_no_mistake() -> None:
    assert other_of(Fixed("a", {}), made("a", "a")) is None


def of_lead(lead: float) -> Expected:
    return Expected(lead, lead, 0.5, {})


@pytest.mark.parametrize(
    ("done", "better", "error", "chance_error", "lost"),
    [
        ((4, 0.5), (7, 0.5), 1.0, 0.1, 3),  # the points are certain
        ((4, 0.5), (7, 0.5), 2.0, 0.1, 0),  # not surely
        ((4, 0.0), (7, 0.5), 9.0, 0.2, 3),  # but surely the win
        ((4, 0.0), (7, 0.5), 9.0, 0.25, 0),
        ((4, 1.0), (7, 0.9), 0.1, 0.1, 0),  # points that a winner gives away
        ((7, 0.0), (7, 0.5), 0.1, 0.1, 0),
    ],
)
def test_a_mistake_surely_loses_points_or_the_win(
    done: tuple[float, float], better: tuple[float, float], error: float, chance_error: float, lost: float
) -> None:
    was, would = (Expected(lead, lead, chance, {}) for lead, chance in (done, better))
    assert Other(0, "b", "a", was, would, error, chance_error).lost == lost


def test_luck_is_what_a_reveal_changes_after_what_was_done() -> None:
    stretches = [Stretch(0, 0, 0, 1, True), Stretch(0, 0, 1, 2, False), Stretch(1, 1, 2, 3, False)]
    other = Other(0, "b", "a", of_lead(4), of_lead(7), 0.1)
    results = {
        Task(0, 0): of_lead(6),
        Task(0, 1): of_lead(10),
        Task(0, 2): of_lead(11),
        Task(1, 2): of_lead(0),
        Task(1, 3): of_lead(1),
        Task(0, 0, 1): other,
        Task(0, 1, 2): None,
        Task(1, 2, 3): None,
    }
    assert set(analysis.tasks(stretches)) == results.keys()
    first, second = analysis.turns(stretches, results.items())
    assert (first.before.lead, first.after.lead, first.lost, first.luck) == (6, 11, 3, 6)
    assert (second.seat, second.lost, second.luck) == (1, 0, 0)
    assert analysis.mistakes([first, second]) == [(first, other)]


def test_what_is_expected_is_the_mean_and_a_lead_is_over_the_best_other() -> None:
    ends = [
        Ending((5.0, 3.0, 4.0), (1.0, 0.0, 0.0), ({"x": 5}, {}, {})),
        Ending((1.0, 3.0, 3.0), (0.0, 0.5, 0.5), ({"y": 1}, {}, {})),
    ]
    assert expected(ends, 0) == Expected(3.0, -0.5, 0.5, {"x": 2.5, "y": 0.5})
    assert Ending((5.0,), (1.0,), ({},)).lead(0) == 5


def test_an_end_is_the_standing(played: record.Replay) -> None:
    end = ended(played.game, played.final)
    assert end.points == tuple(line.total for line in played.game.standing(played.final))
    assert sum(end.wins) == 1
    assert [sum(parts.values()) for parts in end.parts] == list(end.points)


def test_a_task_can_be_stopped() -> None:
    with pytest.raises(Stopped):
        analysis.judged(Job(short(), JUDGE, 2, Task(0, 0)), lambda: True)


def one_mistake(played: record.Replay) -> analysis.Turn:
    """A turn in which something better could have been done."""
    better = Expected(12.0, 9.0, 0.5, {"opal": 6.0, "emerald": 6.0})
    worse = Expected(10.0, 4.0, 0.2, {"opal": 2.0, "emerald": 8.0})
    seat, state = played.steps[3].seat, played.steps[2].state
    offered = [played.game.choice_json(each)["action"] for each in played.game.choices(state, seat)]
    other = Other(3, played.steps[3].action, offered[0], worse, better, 0.5)
    return analysis.Turn(1, 0, 3, better, worse, 5.0, -1.5, (other,))


def test_the_table_says_what_is_better_and_why(played: record.Replay) -> None:
    said = "\n".join(analyse.table(played, [one_mistake(played)], faces.get("sir-ocelots-cave")))
    assert "Ann: 5.0 lost by mistakes, -1.5 by luck." in said
    assert (
        "Played: lay compass C at 12,7. Better by 5.0 points: advance your bat to 9,3 "
        "(Opal +4.0, the best other player -3.0, the rest -2.0)." in said
    )


def test_a_bot_has_its_mark_in_the_table_as_on_the_screen() -> None:
    lines = (KEPT / "caves-of-casadh.jsonl").read_bytes().splitlines(keepends=True)
    head = json.loads(lines[0])
    head["seats"] = [{**each, "kind": "bot", "level": "novice"} for each in head["seats"]]
    played = record.replay([json.dumps(head).encode() + b"\n", *lines[1:]])
    turn = analysis.Turn(1, 0, 3, Expected(0, 0, 0, {}), Expected(0, 0, 0, {}), 0.0, 0.0, ())
    said = "\n".join(analyse.table(played, [turn], faces.get("caves-of-casadh")))
    assert f"1 {told_apart(played.names[0], 'bot')}" in said
    for name in played.names:
        assert f"{told_apart(name, 'bot')}: 0.0 lost" in said
    table = ActionWords(faces.get("caves-of-casadh"), played)._table(3)
    assert table.view.names == tuple(told_apart(name, "bot") for name in played.names)


@pytest.mark.parametrize("width", [80, 60, 40])
def test_the_table_fits_the_terminal_and_breaks_no_word(played: record.Replay, width: int) -> None:
    face, turn = faces.get("sir-ocelots-cave"), one_mistake(played)
    seats = tuple(map(record.SeatForm, ("A" * 24, "Bea")))
    called = replace(played, header=replace(played.header, seats=seats))
    whole, lines = (analyse.table(called, [turn], face, room) for room in (None, width))
    assert max(map(len, lines)) <= width < max(map(len, whole))
    assert {"turn", "lost", "luck"} <= {*lines[0].split()}
    assert ("step" in lines[0].split()) == (width > 70)
    assert ("chance: what" in " ".join(lines)) == ("chance" in lines[0])
    said = " ".join(" ".join(lines).split())
    for sentence in whole[-2:]:
        assert sentence in said


def test_one_job_and_two_find_the_same_and_the_json_has_its_shape(tmp_path: Path) -> None:
    file = tmp_path / "short.jsonl"
    file.write_bytes(short())
    command = ("analyse", str(file), "--level", "novice", "--worlds", "2", "--json")
    one = cave(tmp_path, *command, loads=True)
    assert one.returncode == 0, one.stderr
    told = json.loads(one.stdout)
    assert (told["format"], told["level"], told["worlds"]) == ("cave-analysis", "novice", 2)
    assert len(told["seats"]) == 2
    for turn in told["turns"]:
        assert {"number", "seat", "step", "before", "after", "lost", "luck", "mistakes"} == turn.keys()
        assert 0 <= convert(turn["before"], Expected).chance <= 1
    assert cave(tmp_path, *command, "--jobs", "2", loads=True).stdout == one.stdout
    shown = cave(tmp_path, *command[:-1])
    assert b"by luck." in shown.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), ("Which record?",)),
        (("missing.jsonl",), ("no such file",)),
        ((str(KEPT / "the-cave.jsonl"), "--level", "wizard"), ("no bot 'wizard'",)),
        ((str(KEPT / "the-cave.jsonl"), "--worlds", "1"), ("--worlds",)),
        ((str(KEPT / "the-cave.txt"),), ("the-cave.txt", "line 1")),
    ],
)
def test_nonsense_ends_in_one_sentence(
    tmp_path: Path, arguments: tuple[str, ...], words: tuple[str, ...]
) -> None:
    assert_one_sentence(cave(tmp_path, "analyse", *arguments), 2, *words)


def test_the_level_that_judges_is_fast_where_there_is_a_slower_one() -> None:
    info = games.info("sir-ocelots-cave")
    assert analyse.usual_level(info) in info.bots


def judged(seat: int, before: float, after: float) -> analysis.Turn:
    """A turn that took a seat from one chance to win to another."""
    one, other = (Expected(0.0, 0.0, chance, {}) for chance in (before, after))
    return analysis.Turn(1, seat, 0, one, other, 0.0, 0.0, ())


def test_the_chances_of_two_make_up_one_and_those_of_three_stay_at_others_turns() -> None:
    found = [judged(0, 0.4, 0.5), judged(1, 0.7, 0.75), judged(0, 0.3, 0.25)]
    two = analysis.chances(found, 2)
    assert two[0] == [0.4, 0.5, 0.25, 0.25]
    assert all(sum(now) == pytest.approx(1) for now in zip(*two, strict=True))
    three = analysis.chances(found, 3)
    assert three[0] == [0.4, 0.5, 0.5, 0.25]
    assert three[1] == [0.7, 0.7, 0.75, 0.75]
    assert three[2] == [0.0] * 4
