"""The laboratory: series of bot games, the same in any process, and their figures."""

from __future__ import annotations

import csv
import errno
import io
from contextlib import suppress
from itertools import islice
from math import inf
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cave import codec, files, games, processes
from client import games as faces
from client.lab import series, series_figures
from client.lab.series import LabFailed, Outcome, SeatResult, Series, play_game, start_game
from client.lab.series_figures import elo_by_level, figures_of_series, share_of_wins, wilson_interval
from tests.client.lying import put

OCELOT = Series("sir-ocelots-cave", ("novice", "rookie"), seed="t")


def untimed(outcome: Outcome) -> Outcome:
    """The same without measured times; the number of decisions stays."""
    replace = msgspec.structs.replace
    return replace(outcome, seats=tuple(replace(each, ms=(0.0,) * len(each.ms)) for each in outcome.seats))


@pytest.fixture(scope="module")
def outcomes() -> list[Outcome]:
    return [untimed(play_game(OCELOT, number)) for number in range(4)]


# ------------------------------------------------------------------ a game of a series


def test_each_seed_is_played_in_every_rotation(outcomes: list[Outcome]) -> None:
    assert [(each.seed, each.rotation) for each in outcomes] == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert [[seat.level for seat in each.seats] for each in outcomes[:2]] == [
        ["novice", "rookie"],
        ["rookie", "novice"],
    ]


@pytest.mark.parametrize(
    ("levels", "rotations"), [("aa", 1), ("ab", 2), ("aab", 3), ("abab", 2), ("aaaa", 1), ("a", 1)]
)
def test_equivalent_rotations_are_not_played(levels: str, rotations: int) -> None:
    series = Series("the-cave", tuple(levels))
    assert series.count_rotations == rotations
    assert len({series.rotated_levels(by) for by in range(len(levels))}) == rotations
    assert series.games_for_rotations(1000) - 1000 in range(rotations)
    assert series.games_for_rotations(1000) % rotations == 0


def test_the_results_are_the_standing_of_the_rules(outcomes: list[Outcome]) -> None:
    for each in outcomes:
        assert each.finished
        assert sum(seat.win for seat in each.seats) == 1
        for seat in each.seats:
            assert seat.total == sum(seat.points.values()) + sum(seat.bonus.values())
        assert sum(len(seat.ms) for seat in each.seats) == each.actions
        # Each of the two lays 16 tools (rule 3 of the game).
        assert each.turns == 32


def test_a_too_long_game_is_unfinished_without_a_winner() -> None:
    found = play_game(msgspec.structs.replace(OCELOT, longest=5), 0)
    assert not found.finished
    assert found.actions == 5
    assert [seat.win for seat in found.seats] == [0, 0]


def test_an_error_of_a_bot_names_level_and_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(games.game_info("sir-ocelots-cave").bots, "novice", lambda *_: {"type": "nonsense"})
    with pytest.raises(LabFailed, match=r"novice failed in game 1 \(seed 't:0', action 2\): Refused"):
        play_game(OCELOT, 0)


def test_games_from_a_position_keep_or_shuffle_hidden_components() -> None:
    game = games.get_game("the-cave")
    state = game.new(2, {}, "x")
    for seat in (0, 1):
        state = game.apply(state, seat, game.idle(state, seat)).state
    series = Series("the-cave", ("rookie", "rookie"), position=game.position(state))
    assert start_game(game, series, "a") == start_game(game, series, "b") == state
    shuffled = msgspec.structs.replace(series, shuffle=True)
    first, second = start_game(game, shuffled, "a"), start_game(game, shuffled, "b")
    assert first != second
    assert game.view(first, None) == game.view(second, None) == game.view(state, None)


# ------------------------------------------------------------------ players


def test_two_processes_have_the_result_of_one(outcomes: list[Outcome]) -> None:
    found = sorted(series.play_all(OCELOT, range(4), 2), key=lambda each: each.number)
    assert [untimed(each) for each in found] == outcomes
    assert [untimed(each) for each in series.play_all(OCELOT, range(1), 1)] == outcomes[:1]


def test_leaving_early_stops_all_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    started = []

    def start(*asked: Any, **more: Any) -> Any:
        started.append(processes.start_child(*asked, **more))
        return started[-1]

    monkeypatch.setattr(
        series,
        "processes",
        SimpleNamespace(start_child=start, end_child=processes.end_child, exchange_lines=processes.exchange_lines),
    )
    running = series.play_all(OCELOT, range(100), 2)
    assert [each.number for each in islice(running, 1)]
    running.close()
    assert len(started) == 2
    assert all(process.poll() is not None for process in started)


def test_a_process_that_dies_is_reported(tmp_path: Path) -> None:
    dies = tmp_path / "dies.py"
    dies.write_text("import sys; sys.stdin.readline()")
    with pytest.raises(LabFailed, match="has died"):
        list(series.in_processes(str(dies), [1, 2], int, 2))


def test_an_error_in_a_process_is_raised() -> None:
    with pytest.raises(LabFailed, match="no-such failed in game"):
        list(series.play_all(Series("the-cave", ("no-such", "no-such")), range(3), 2))


# ------------------------------------------------------------------ interruptions


def interrupted(folder: Path, *played: Outcome) -> None:
    """Leave the state of a run stopped after these games."""
    with suppress(KeyboardInterrupt), series.kept_games(folder, OCELOT) as found:
        for each in played:
            found.keep_game(each)
        raise KeyboardInterrupt


def test_an_interrupted_series_resumes(tmp_path: Path, outcomes: list[Outcome]) -> None:
    interrupted(tmp_path, outcomes[2], outcomes[0])
    (file,) = tmp_path.iterdir()
    with file.open("ab") as more:
        more.write(msgspec.json.encode(outcomes[1])[:40])  # Broken off.
    with series.kept_games(tmp_path, OCELOT) as found:
        assert found.outcomes == {0: outcomes[0], 2: outcomes[2]}
        for number in (1, 3):
            found.keep_game(outcomes[number])
        whole = sorted(found.outcomes.values(), key=lambda each: each.number)
    assert figures_of_series(OCELOT, whole) == figures_of_series(OCELOT, outcomes)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("seats",), []),
        (("number",), -1),
        (("seed",), 7),
        (("rotation",), 5),
        (("actions",), -1),
        (("seats", 0, "total"), 1e308),
        (("seats", 0, "total"), 10**9),
        (("seats", 0, "win"), 2.0),
        (("seats", 0, "points"), {"opal": 1e308}),
        (("seats", 0, "ms"), [-1.0]),
        (("seats", 0, "level"), "guide"),
    ],
)
def test_an_impossible_saved_game_is_left_out(
    tmp_path: Path, outcomes: list[Outcome], place: tuple[str | int, ...], value: Any
) -> None:
    interrupted(tmp_path, *outcomes)
    (file,) = tmp_path.iterdir()
    head, first, *others = file.read_bytes().splitlines(keepends=True)
    lie = codec.encode(put(codec.decode(first), place, value)) + b"\n"
    file.write_bytes(b"".join([head, lie, *others]))
    with series.kept_games(tmp_path, OCELOT) as found:
        assert found.outcomes == dict(enumerate(outcomes[1:], 1))


def test_a_full_disk_loses_no_saved_game(
    tmp_path: Path, outcomes: list[Outcome], monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupted(tmp_path, outcomes[0])

    def full(path: Path, data: bytes, *_: int, **__: bool) -> None:
        path.write_bytes(data[:40])
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(files, "write_new", full)
        with pytest.raises(series.LabFailed, match="no space left"), series.kept_games(tmp_path, OCELOT):
            pass
    with series.kept_games(tmp_path, OCELOT) as found:
        assert found.outcomes == {0: outcomes[0]}
    assert not list(tmp_path.iterdir())


def test_a_series_is_played_by_one_program_at_a_time(tmp_path: Path) -> None:
    with (
        series.kept_games(tmp_path, OCELOT),
        pytest.raises(series.LabFailed, match="Another cave simulate"),
        series.kept_games(tmp_path, OCELOT),
    ):
        pass


def test_an_unwritable_folder_is_reported_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(series.LabFailed, match="Nothing can be saved"), series.kept_games(tmp_path / "file", OCELOT):
        pass


# ------------------------------------------------------------------ figures


@pytest.mark.parametrize(
    ("wins", "size", "low", "high"),
    [
        # Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_the_interval_is_wilsons(wins: int, size: int, low: float, high: float) -> None:
    assert wilson_interval(wins / size, size) == pytest.approx((low, high), abs=5e-5)


def test_games_of_a_seed_that_all_end_alike_count_as_one() -> None:
    alike = share_of_wins({seed: [seed % 2] * 2 for seed in range(40)})
    assert (alike.low, alike.high) == pytest.approx(wilson_interval(0.5, 40), abs=0.01)
    apart = share_of_wins({seed: [seed % 2] for seed in range(80)})
    assert (apart.low, apart.high) == pytest.approx(wilson_interval(0.5, 80), abs=0.005)
    assert share_of_wins({}) == share_of_wins({0: []})


@given(st.lists(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=2, max_size=2), min_size=2))
def test_an_interval_lies_between_all_seeds_and_all_games(won: list[list[float]]) -> None:
    found = share_of_wins(dict(enumerate(won)))
    assert 0 <= found.low <= found.share + 1e-12
    assert found.share - 1e-12 <= found.high <= 1
    narrow, wide = wilson_interval(found.share, 2 * len(won)), wilson_interval(found.share, len(won))
    assert wide[0] - 1e-9 <= found.low <= narrow[0] + 1e-9
    assert narrow[1] - 1e-9 <= found.high <= wide[1] + 1e-9


def test_elo_of_two_is_its_formula_and_of_more_wins_a_seat() -> None:
    assert elo_by_level({"a": 8, "b": 92}, ["a", "b"]) == pytest.approx({"a": 0, "b": 424.3}, abs=0.05)
    assert elo_by_level({"a": 24, "b": 76}, ["a", "b"])["b"] == pytest.approx(200.2, abs=0.05)
    assert elo_by_level({"b": 10, "c": 10, "a": 1}, ["a", "b", "c"]) == {"a": 0, "b": 400, "c": 400}
    assert elo_by_level({"a": 0, "b": 3}, ["a", "b"]) == {"a": None, "b": None}


def made(number: int, wins: tuple[float, ...], totals: tuple[float, ...], levels: str, **other: Any) -> Outcome:
    seats = tuple(
        SeatResult(level, total, win, {"x": total - 1}, {"x": 1}, "", (1.0, 3.0))
        for level, win, total in zip(levels, wins, totals, strict=True)
    )
    return Outcome(number, number // 2, number % 2, other.get("finished", True), 10, 4 + number, seats)


def test_the_figures_of_a_few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(games.game_info("the-cave")), "bots", {"a": None, "b": None})
    found = figures_of_series(
        Series("the-cave", ("a", "b")),
        [
            made(1, (0.5, 0.5), (7, 7), "ba"),
            made(0, (0, 1), (4, 8), "ab"),
            made(2, (0, 1), (6, 9), "ab"),
            made(3, (0, 0), (1, 1), "ba", finished=False),
        ],
    )
    assert (found.games, found.seeds, found.unfinished) == (4, 2, 1)
    weak, strong = found.levels["a"], found.levels["b"]
    assert list(found.levels) == ["a", "b"]
    assert (strong.games, strong.wins, strong.share) == (3, 2.5, pytest.approx(2.5 / 3))
    assert weak.wins + strong.wins == 3
    assert (weak.elo, strong.elo) == (0, pytest.approx(400 * 0.69897, abs=0.1))
    assert strong.mean_points == 8
    assert strong.points == {"x": 8}
    assert (strong.median_ms, strong.p99_ms, strong.longest_ms) == (2, 3, 3)
    assert [each.share for each in found.seats] == pytest.approx([0.5 / 3, 2.5 / 3])
    assert (found.turns.mean, found.turns.shortest, found.turns.longest) == (5, 4, 6)


# ------------------------------------------------------------------ reports


def test_the_json_has_the_documented_fields_for_each_level(outcomes: list[Outcome]) -> None:
    told = codec.decode(codec.encode(series_figures.figures_json(OCELOT, figures_of_series(OCELOT, outcomes))))
    assert told["format"] == "cave-simulation"
    assert {"game", "games", "unfinished", "seeds", "levels", "seats", "turns", "actions"} <= told.keys()
    for level in ("novice", "rookie"):
        assert {
            *("games", "wins", "share", "low", "high", "mean_points"),
            *("median_ms", "p99_ms", "longest_ms", "elo", "notes", "points"),
        } <= told["levels"][level].keys()
    assert inf not in told["levels"]["rookie"].values()


def test_the_csv_has_a_line_for_each_seat_of_each_game(outcomes: list[Outcome]) -> None:
    text = io.StringIO()
    series_figures.write_csv(text, reversed(outcomes))
    rows = list(csv.DictReader(text.getvalue().splitlines()))
    assert [(row["game"], row["seat"]) for row in rows] == [(str(n), s) for n in (1, 2, 3, 4) for s in "12"]
    for row in rows:
        parts = [float(value) for key, value in row.items() if key.startswith(("points.", "bonus."))]
        assert sum(parts) == float(row["total"])


def test_the_table_and_the_pictures_name_each_level(outcomes: list[Outcome]) -> None:
    found = figures_of_series(OCELOT, outcomes)
    assert "Emerald" in "\n".join(series_figures.figures_table(found, faces.get_face(OCELOT.game).sheet))
    chart = series_figures.spread_chart(found, outcomes, ascii_only=True)
    assert "A novice, B rookie" in chart[0]
    assert "\n".join(chart).isascii()
    picture = ElementTree.fromstring(series_figures.spread_picture(found, outcomes, "T"))
    assert {"A", "B"} <= {each.text for each in picture.iter() if each.tag.endswith("tspan")}


def test_a_table_fits_the_terminal_and_is_complete_in_a_pipe(outcomes: list[Outcome]) -> None:
    found, words = figures_of_series(OCELOT, outcomes), faces.get_face(OCELOT.game).sheet
    slow = {level: msgspec.structs.replace(each, longest_ms=12345.6) for level, each in found.levels.items()}
    found = msgspec.structs.replace(found, levels=slow)
    whole = series_figures.figures_table(found, words)
    assert whole[2].split()[-3:] == ["ms", "p99", "longest"]
    assert whole == series_figures.figures_table(found, words, 100)
    for width in (80, 60, 50):
        lines = series_figures.figures_table(found, words, width)
        assert max(map(len, lines)) <= width
        assert " ".join(whole[-1].split()) == " ".join(lines[-1].split())
        assert {"level", "wins", "share", "95%", "points"} <= {*lines[2].split()}
        said = " ".join(lines)
        assert "shows longest" in said or "and longest, too." in said
        assert "games of 2 seeds" in said
        assert f"Wins by seat: 1: {100 * found.seats[0].share:.1f}%" in said
    assert "the longest." not in " ".join(series_figures.figures_table(found, words, 80)), "a column that is not there"
    assert max(map(len, series_figures.spread_chart(found, outcomes, 50))) <= 50
