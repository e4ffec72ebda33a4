"""Cave vs Cave in line mode: a whole game by numbers, information commands, and refusals."""

from __future__ import annotations

import pytest

from client.games.cave_vs_cave.face import FACE
from client.games.cave_vs_cave.lines import VersusLines
from client.games.cave_vs_cave.tasks import CONFIRM_END
from tests.client.cave_vs_cave.tables import GAME, begun, over, played, second_era
from tests.client.fake_session import FakeSession
from tests.client.plain_talk import Script, after
from tests.game_kit import checks, in_line_mode

BOT = {"kind": "bot", "level": "rookie"}
FREE = {"kind": "open"}
NUMBERS = [str(number % 12 + 1) for number in range(900)]
LOOKS = ("who", "goal", "tiles", "rooms", "cave", "fits 2,0", "goods", "signs", "turn", "score")


async def test_a_whole_game_against_a_bot_by_numbers() -> None:
    said, lines = await in_line_mode(GAME, [FREE, BOT], ["Ann"], *LOOKS, *NUMBERS)
    assert said[0] == "Cave vs Cave. Type help for the commands."
    assert after(said, "goal")[0].startswith("Most points win")
    assert after(said, "tiles")[0].startswith("1 Housework: furnish a room for 2 food (as much food as")
    shelf = (
        "Shelf, 3 points: costs 1 wood and the tile's price, needs exactly 1 wall. "
        "Orange, use it: raise wood, stone, emmer or flax to 2. It fits on 2,0."
    )
    assert shelf in after(said, "rooms")
    assert after(said, "fits 2,0")
    assert "wood 1" in after(said, "goods")[0]
    assert after(said, "signs")[0].startswith("W wood S stone E emmer")
    assert lines[-1]["result"]["standing"], "the game came to its end"
    assert checks(lines)


async def test_a_whole_game_alone_by_numbers() -> None:
    said, lines = await in_line_mode(GAME, [FREE], ["Ann"], *NUMBERS)
    assert lines[-1]["result"]["standing"]
    assert checks(lines)
    assert any("The goal of at least 50 points is not reached" in line for line in said)
    asked = [line for line in said if "Take a tile" in line]
    assert len(asked) == 2 + 2 + 2 + 3 + 3 + 3 + 4, "each turn of the rounds (rule 9.1) is announced"


@pytest.mark.parametrize(
    ("edition", "lines"),
    [
        ("era-1", ["Rooms", "Gold"]),
        ("era-1-2", ["Era I", "Rooms", "Gold", "Iron", "Weapons"]),
        ("era-2", ["Rooms", "Gold", "Iron", "Weapons"]),
    ],
)
@pytest.mark.parametrize("ended", [False, True])
async def test_only_points_of_the_edition_are_shown(edition: str, lines: list[str], ended: bool) -> None:
    """Rules 6.2, 7.8 and 8.6."""
    talk = Script("score")
    session = played(over, edition=edition, seed="whole") if ended else begun(edition=edition)
    await VersusLines(FACE, session, talk).run()
    head, *told = after(talk.said, "score")
    assert "wins with" in head if ended else head == "If the era ended now:"
    titles = [line.partition(":")[0] for line in told]
    assert titles[: len(lines) + 1] == [*lines, "Total"]


@pytest.mark.parametrize(("edition", "goal"), [("era-1", "at least 50 points"), ("era-1-2", "more than 180 points")])
async def test_a_solo_player_sees_the_goal(edition: str, goal: str) -> None:
    """Rule 9.4."""
    talk = Script("goal", "score")
    await VersusLines(FACE, begun(edition=edition, seats=1), talk).run()
    assert after(talk.said, "goal")[0].startswith(f"The goal is {goal}: ")
    assert after(talk.said, "score")[0] == f"If the era ended now, with {goal} as the goal:"


async def test_places_are_described_and_typing_mistakes_answered() -> None:
    talk = Script("cave", "fits", "fits cavern", "fits 3,-1", "fits 9,9", "undo", "fly")
    await VersusLines(FACE, played(second_era, edition="era-1-2"), talk).run()
    cave = after(talk.said, "cave")
    assert any("Can be dug" in line for line in cave)
    assert after(talk.said, "fits") == ["Type a space as row and column, such as 2,0, or cavern."]
    assert after(talk.said, "fits cavern")[0].startswith("There is no empty space at cavern.")
    assert after(talk.said, "fits 9,9")[0].startswith("There is no empty space at 9,9.")
    assert "undo" in after(talk.said, "undo")[0]
    assert after(talk.said, "fly")[0].startswith("There is no command fly")


@pytest.mark.parametrize("how", ["end", "number"])
@pytest.mark.parametrize("answer", ["1", "2"])
async def test_an_unfinished_turn_ends_only_after_confirmation(how: str, answer: str) -> None:
    """Setting "Ending the turn"."""
    session = begun()
    taken = Script("1", live=True)
    await VersusLines(FACE, session, taken).run()
    before = len(session.acted)
    ending = next(
        each for each in VersusLines(FACE, session, Script()).possible_options() if each.kind == "end the turn"
    )
    listed = [each.text for each in VersusLines(FACE, session, Script()).possible_options()]
    number = str(listed.index(ending.text) + 1)
    script = Script("moves", "end" if how == "end" else number, answer, live=True)
    await VersusLines(FACE, session, script).run()
    assert any(CONFIRM_END.split("{")[0] in line for line in script.said)
    ended = [action for _, action in session.acted[before:] if action["type"] == "end_turn"]
    assert len(ended) == (answer == "1")


def test_rounds_are_counted_from_one_over_both_eras() -> None:
    """Alone, Era I has seven rounds (rule 9.1)."""
    rounds = [FACE.round_after(0, (), begun(seats=1).state.view)]
    rounds.append(FACE.round_after(3, (), played(second_era, 0, seats=1, edition="era-1-2").state.view))
    assert rounds == [1, 7 + 3]


@pytest.mark.parametrize("between", [[[0, 4], [0, 0]], [[0, 0], [2, 2]]])
def test_a_host_may_name_a_wall_that_cannot_be(between: list[list[int]]) -> None:
    view = FakeSession(("Ann", "Bea"), (0,), game=GAME.name).state.view
    told = FACE.log_line(0, {"type": "wall_built", "seat": 0, "between": between, "supply": 6}, view)
    assert told is not None
    assert "beside" in told.text
