"""The toy game in line mode, which knows no game: whole games at a host, and their records."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from cave import record
from cave_game.template.game import GAME
from cave_game.template.rules import Light, State
from client import games
from client.plain.line_lesson_replay import LineReplay
from client.plain.line_table import LineTable
from client.plain.shared_sentences import NO_GOAL, NOTHING_TO_UNDO
from client.present.scene import Scene
from client.replay import ReplaySession, read_record
from client.table import Seat, TableState
from tests.client.plain_talk import Script, after
from tests.game_kit import in_line_mode

BOT = {"kind": "bot", "level": "miner"}
FREE = {"kind": "open"}


async def test_a_whole_game_against_a_bot_by_numbers(tmp_path: Path) -> None:
    looks = ("who", "goal", "rules 2", "rules 9", "undo", "turn", "score", "log 1", "fly")
    said, lines = await in_line_mode(GAME, [FREE, BOT], ["Ann"], *looks, "9", "1", "1", "2", "1", "1", "since", "quit")
    assert said[0] == "Lanterns. Type help for the commands."
    assert after(said, "who")[0] == "A Ann: you."
    assert after(said, "goal") == [NO_GOAL]
    assert after(said, "rules 2")[1].startswith("Each round a gem of 1 to 5 points is found")
    assert after(said, "rules 9") == ["There is no rule 9. Type a chapter from 1 to 4, or a rule such as 1."]
    assert after(said, "undo") == [NOTHING_TO_UNDO]
    turn = after(said, "turn")
    assert (turn[0], turn[1]) == ("Your turn, A Ann.", "Ann has 0.")
    assert turn[-1].startswith("The gem brings ")
    assert after(said, "score")[0] == "If it ended now:"
    assert "no command fly" in after(said, "fly")[0]
    assert after(said, "9")[0].startswith("The list goes from 1 to ")
    assert said.count("Ann has chosen.") == 3
    assert sum(line.startswith("Ann lights ") for line in said) == 3
    ann, bot = (score["total"] for score in lines[-1]["result"]["standing"])
    (total,) = (line for line in said if line.startswith("Total: ") and said.index(line) > said.index("> 1"))
    assert re.fullmatch(rf"Total: Ann {ann:g}\b.*; .* {bot:g}\b.*\.", total)
    assert said[said.index(total) + 1] == "Type rematch to play again, or quit to leave."

    file = tmp_path / "game.jsonl"
    file.write_bytes(record.write(lines))
    script = Script("next", "moves", "play", "score", "last", "quit", "next")
    face = games.get_face("lanterns")
    await LineReplay(face.lines(), ReplaySession(read_record(file), face), script).run()
    assert script.said[0] == "Replay, 6 steps."
    assert "no command moves" in after(script.said, "moves")[0]
    lit = [line for line in said if line.startswith("Ann lights ")]
    assert [line for line in script.said if line.startswith("Ann lights ")] == lit
    assert total in after(script.said, "score")
    assert script.said[-1] == "> quit"


async def test_two_players_at_one_keyboard_choose_in_turn() -> None:
    said, lines = await in_line_mode(GAME, [FREE, FREE], ["Ann", "Bea"], *["1"] * 6)
    prompts = [line for line in said if line.endswith("> 1")]
    for gem in range(3):
        assert {*prompts[2 * gem : 2 * gem + 2]} == {"A Ann> 1", "B Bea> 1"}
    (bea, *_) = (number for number, line in enumerate(said) if line.startswith("Your turn, B Bea. "))
    assert said.index("Ann has chosen.") < bea < said.index("Bea has chosen.")
    assert len(lines) == 1 + 6 + 1
    assert sum(line.startswith("Total: ") for line in said) == 1


def still(start: State) -> Any:
    """A session without events."""

    class Still:
        state = TableState(
            table="t",
            title="",
            game=GAME,
            status="playing",
            seats=(Seat("Ann", "person", mine=True), Seat("Bea", "person")),
            view=GAME.view(start, None),
            views={0: GAME.view(start, 0)},
            choices={0: GAME.choices(start, 0)},
        )

    return Still()


async def test_changed_words_of_equal_choices_make_a_new_list() -> None:
    class Told(LineTable[Scene]):
        def choice_words(self, choice: Light) -> str:
            return f"{super().choice_words(choice)} for {self.scene.view.cave.gems[0]} points"

    start = GAME.new(2, {}, "words")
    lines = Told(games.get_face("lanterns"), still(start), Script())
    first = lines.list_options()
    assert lines.list_is_valid
    other = replace(start, gems=(start.gems[0] % 5 + 1, *start.gems[1:]))
    lines.see(still(other).state)
    assert lines.scene.choices == GAME.choices(start, 0)
    assert not lines.list_is_valid
    assert lines.after_a_step() != first
