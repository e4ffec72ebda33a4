"""``cave analyse``: a game judged in worlds that fit what its players saw."""

from __future__ import annotations

import json
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from cave import games, judge, record
from cave.game import Because, Idea, Json
from client import games as faces
from client.commands import lab
from client.lab import analysis
from client.lab.analysis import ProvenMistake, Stretch, Task, wins_anyway
from tests.cave.caves_of_casadh.builders import DEAD, inside, laid, state
from tests.client.test_cli import assert_one_sentence, cave

KEPT = Path(__file__).parents[1] / "playthroughs"
LINES = (KEPT / "sir-ocelots-cave.jsonl").read_bytes()


@pytest.fixture(scope="module")
def played() -> record.Replay:
    return record.replay(LINES.splitlines(keepends=True))


def short() -> bytes:
    """The last turns of a kept game, as the record of a game that begins there."""
    whole = record.replay(LINES.splitlines(keepends=True))
    at = len(whole.steps) - 5
    head = json.loads(LINES.splitlines()[0])
    head["start"] = whole.game.position(whole.steps[at - 1].state, whole.names)
    lines = [head, *(record.action_line(step.seat, step.action) for step in whole.steps[at:])]
    return record.write(lines)


@pytest.mark.parametrize("name", ["the-cave", "sir-ocelots-cave", "caves-of-casadh"])
def test_stretches_cover_all_steps_and_end_at_reveals(name: str) -> None:
    whole = record.replay((KEPT / f"{name}.jsonl").read_bytes().splitlines(keepends=True))
    found = analysis.stretches_to_judge(whole)
    assert found
    assert found[-1].end == len(whole.steps)
    assert all(before.end == after.first for before, after in pairwise(found))
    for each in found:
        steps = whole.steps[each.first : each.end]
        assert {step.seat for step in steps} == {each.seat}
        reveals = [any(map(whole.game.is_barrier, step.events)) for step in steps]
        assert reveals == [False] * (len(steps) - 1) + [each.reveals]


class Line:
    """A game whose states are texts: the actions so far. A table has its judge's ideas."""

    def __init__(self, ideas: dict[tuple[str, float], list[Idea]]) -> None:
        self.ideas = ideas

    def view(self, state: str, seat: int) -> str:
        return state

    view_json = choice_json = action_json = staticmethod(lambda value: value)

    def choices(self, state: str, seat: int) -> tuple[Json, ...]:
        return ({"action": "a"}, {"action": "b"})

    def decode(self, state: str, seat: int, data: Json) -> Json:
        return data

    def advise(self, view: str, choices: Any, also: Any, *, effort: float) -> list[Idea]:
        return self.ideas[view, effort]


def made(ideas: dict[tuple[str, float], list[Idea]], *actions: str) -> Any:
    states = ["".join(actions[: n + 1]) for n in range(len(actions))]
    steps = tuple(record.Played(0, action, (), state) for action, state in zip(actions, states, strict=True))
    head = record.Header("cave-record", 1, "x", {}, (record.SeatForm("Ann"), record.SeatForm("Bea")))
    return record.Replay(head, Line(ideas), ("Ann", "Bea"), "", steps, None)  # type: ignore[arg-type]


def mistake_of(replay: Any) -> ProvenMistake | None:
    found = analysis.judge_in_replay(replay, Task(0, 0, len(replay.steps)), 1.0)
    assert not isinstance(found, Idea)
    return found


def ideas(better: float, done: float, apart: float) -> list[Idea]:
    return [Idea("a", better), Idea("b", done, apart=apart)]


@pytest.fixture(autouse=True)
def wins(monkeypatch: pytest.MonkeyPatch) -> set[Json]:
    """The actions that win anyway, in these tests."""
    found: set[Json] = set()
    monkeypatch.setattr(analysis, "wins_anyway", lambda _, other: other.done.action in found)
    return found


def test_the_first_action_that_surely_loses_is_the_mistake(wins: set[Json]) -> None:
    same = [Idea("a", 0.5), Idea("b", 0.5)]
    found = mistake_of(made({("", 1.0): same, ("a", 1.0): ideas(0.6, 0.4, 0.05)}, "a", "b"))
    assert (found.step, found.done.action, found.better.action) == (1, "b", "a")
    assert found.chance_lost == pytest.approx(0.2)
    wins.add("b")
    assert mistake_of(made({("", 1.0): ideas(0.6, 0.4, 0.05)}, "b")) is None


@pytest.mark.parametrize(("better", "done", "counts"), [(0.99, 0.96, False), (0.99, 0.9, True), (0.04, 0.01, False)])
def test_in_a_decided_game_nothing_is_a_mistake(better: float, done: float, counts: bool) -> None:
    assert bool(mistake_of(made({("", 1.0): ideas(better, done, 0.001)}, "b"))) == counts


@pytest.mark.parametrize(("then", "lost"), [((0.6, 0.5, 0.02), 0.1), ((0.6, 0.58, 0.02), 0)])
def test_an_unsure_action_is_analysed_longer(then: tuple[float, float, float], lost: float) -> None:
    known = {("", 1.0): ideas(0.6, 0.45, 0.1), ("", judge.MORE): ideas(*then)}
    found = mistake_of(made(known, "b"))
    assert (found.chance_lost if found else 0) == pytest.approx(lost)


@pytest.mark.parametrize(("rival", "wins_so"), [(DEAD, True), (inside(), False)])
def test_the_way_home_with_a_lead_for_good_is_no_mistake(rival: Any, wins_so: bool) -> None:
    start = state(inside((0, -1), treasures=[9]), rival, hexes=[laid((0, -1), "L1-01")])
    game, seats = games.get_game("caves-of-casadh"), (record.SeatForm("Ann"), record.SeatForm("Bea"))
    head = record.header_line(game, {}, seats, seed=None, created="", start=game.position(start, ("Ann", "Bea")))
    home = {"type": "move", "to": [0, 0]}
    replay = record.replay(BytesIO(record.write([head, record.action_line(0, home)])))
    assert wins_anyway(replay, ProvenMistake(0, Idea(home), Idea(None))) == wins_so


def of_chance(chance: float) -> Idea:
    return Idea(None, chance, 40.0)


def test_luck_is_the_change_by_a_reveal_after_the_action() -> None:
    stretches = [Stretch(0, 0, 0, 1, True), Stretch(0, 0, 1, 2, False), Stretch(1, 1, 2, 3, False)]
    other = ProvenMistake(0, of_chance(0.4), of_chance(0.7))
    results = {
        Task(0, 0): of_chance(0.3),
        Task(0, 1): of_chance(0.5),
        Task(0, 2): of_chance(0.55),
        Task(1, 2): of_chance(0.0),
        Task(1, 3): of_chance(0.05),
        Task(0, 0, 1): other,
        Task(0, 1, 2): None,
        Task(1, 2, 3): None,
    }
    assert set(analysis.judging_tasks(stretches)) == results.keys()
    first, second = analysis.judge_turns(stretches, results.items())
    assert (first.before.chance, first.after.chance) == (0.3, 0.55)
    assert (first.lost, first.luck) == (pytest.approx(0.3), pytest.approx(0.1))
    assert (second.seat, second.lost, second.luck) == (1, 0, 0)
    assert analysis.sort_mistakes([first, second]) == [(first, other)]


def one_mistake(played: record.Replay) -> analysis.Turn:
    """A turn with a better alternative."""
    seat, state = played.steps[3].seat, played.steps[2].state
    offered = [played.game.choice_json(each)["action"] for each in played.game.choices(state, seat)]
    because = Because("rival", "", -31.0, -34.0, 16)
    better = Idea(offered[0], 0.62, 80.0, because=(because,))
    worse = Idea(played.steps[3].action, 0.38, 76.0)
    return analysis.Turn(1, 0, 3, better, worse, 0.24, -0.05, (ProvenMistake(3, worse, better),))


def test_the_table_names_the_better_action_and_the_reason(played: record.Replay) -> None:
    said = "\n".join(lab.analysis_table(played, [one_mistake(played)], faces.get_face("sir-ocelots-cave")))
    assert "Ann: 24% lost by mistakes, -5% by luck." in said
    assert (
        "Played: lay a compass at 12,7; the chance to win falls from 62% to 38%. "
        "Better: send your companion down to 9,3 (it takes a rock crystal and sees 4 gems as any tool, for you alone, "
        "and it leaves a rival fewer points)." in said
    )


@pytest.mark.parametrize("width", [80, 60, 40])
def test_the_table_fits_the_terminal_and_breaks_no_word(played: record.Replay, width: int) -> None:
    face, turn = faces.get_face("sir-ocelots-cave"), one_mistake(played)
    seats = tuple(map(record.SeatForm, ("A" * 24, "Bea")))
    called = replace(played, header=replace(played.header, seats=seats))
    whole, lines = (lab.analysis_table(called, [turn], face, room) for room in (None, width))
    assert max(map(len, lines)) <= width < max(map(len, whole))
    assert {"turn", "lost", "luck"} <= {*lines[0].split()}
    assert ("step" in lines[0].split()) == (width > 70)
    assert ("chance: what" in " ".join(lines)) == ("chance" in lines[0])
    said = " ".join(" ".join(lines).split())
    for sentence in whole[-2:]:
        assert sentence in said


def test_one_and_two_jobs_have_the_same_result_and_valid_json(tmp_path: Path) -> None:
    file = tmp_path / "short.jsonl"
    file.write_bytes(short())
    command = ("analyse", str(file), "--worlds", "4", "--json")
    one = cave(tmp_path, *command, loads=True)
    assert one.returncode == 0, one.stderr
    told = json.loads(one.stdout)
    assert (told["format"], told["version"], told["worlds"]) == ("cave-analysis", 2, 4)
    assert len(told["seats"]) == 2
    for turn in told["turns"]:
        assert {"number", "seat", "step", "before", "after", "lost", "luck", "mistakes"} == turn.keys()
        assert 0 <= turn["before"]["chance"] <= 1
    assert cave(tmp_path, *command, "--jobs", "2", loads=True).stdout == one.stdout
    assert b"by luck." in cave(tmp_path, *command[:-1]).stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), ("Which record?",)),
        (("missing.jsonl",), ("no such file",)),
        ((str(KEPT / "the-cave.jsonl"), "--worlds", "1"), ("--worlds",)),
        ((str(KEPT / "the-cave.txt"),), ("the-cave.txt", "line 1")),
    ],
)
def test_invalid_arguments_are_reported_in_one_sentence(
    tmp_path: Path, arguments: tuple[str, ...], words: tuple[str, ...]
) -> None:
    assert_one_sentence(cave(tmp_path, "analyse", *arguments), 2, *words)


def judged(seat: int, before: float, after: float) -> analysis.Turn:
    """A turn that changed a seat's chance to win."""
    one, other = (Idea(None, chance) for chance in (before, after))
    return analysis.Turn(1, seat, 0, one, other, 0.0, 0.0, ())


def test_chances_of_two_players_sum_to_one_and_of_three_change_on_own_turns() -> None:
    found = [judged(0, 0.4, 0.5), judged(1, 0.7, 0.75), judged(0, 0.3, 0.25)]
    two = analysis.chances_by_turn(found, 2)
    assert two[0] == [0.4, 0.5, 0.25, 0.25]
    assert all(sum(now) == pytest.approx(1) for now in zip(*two, strict=True))
    three = analysis.chances_by_turn(found, 3)
    assert three[0] == [0.4, 0.5, 0.5, 0.25]
    assert three[1] == [0.7, 0.7, 0.75, 0.75]
    assert three[2] == [0.0] * 4
