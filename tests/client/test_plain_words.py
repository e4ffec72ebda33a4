"""The words of line mode: commands, things in words, places, the rules by number."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

import cave.the_cave
from cave import games
from cave.the_cave.game import THE_CAVE
from cave.the_cave.state import Items
from client.games.the_cave import line_texts
from client.games.the_cave.face import FACE
from client.games.the_cave.line_texts import Unclear, signs_as_words, spoken_sentence
from client.games.the_cave.lines import CaveLines
from client.games.the_cave.packing import PackDraft
from client.plain import shared_sentences
from client.plain.line_commands import LineCommand, LineCommands
from client.plain.line_lesson_replay import line_lesson_of
from client.present import help_pages
from client.present.help_pages import FORMS_OF_DATA
from tests.client.fake_session import FakeSession
from tests.client.plain_talk import Script, table

# ------------------------------------------------------------------ commands


WORDS = table(FakeSession(), Script()).vocabulary


def test_no_two_commands_answer_to_the_same_word() -> None:
    names = [name for command in WORDS for name in (command.name, *command.also)]
    assert len(names) == len(set(names)) > 50


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("north", "north"), ("n", "north"), ("e", "east"), ("explore", "discover"), ("disco", "discover"),
     ("snap", "photo"), ("ma", "map"), ("q", "quit"), ("mov", "moves")],
)  # fmt: skip
def test_commands_are_found_by_name_alias_and_prefix(typed: str, meant: str) -> None:
    command = WORDS.find(typed)
    assert command.name == meant


SHARED_WORDS = {
    "always": "who rules* watchers legend word chat/say rematch takeover save quit/exit/leave help/commands",
    "begun": "map/tiles* bag/backpack/camp/inventory* turn/status* teams/players* score* log*",
    "seated": "since hint hurry autoplay resign agree decline",
    "due": "moves/actions/list why undo reset end",
}
"""When each command works; a star for those of a replay, too."""


def listed(commands: Iterable[LineCommand]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for each in commands:
        found.setdefault(each.when, []).append("/".join((each.name, *each.also)) + "*" * each.in_replay)
    return found


def test_commands_have_aliases_and_work_in_their_phases() -> None:
    found = listed(WORDS)
    assert found.keys() == SHARED_WORDS.keys()
    for when, words in SHARED_WORDS.items():
        assert [*words.split()] == [each for each in found[when] if each in words.split()]
    lesson = listed(line_lesson_of(CaveLines)(FACE, FakeSession(), Script(), saved=False).vocabulary)
    assert {"hint", "undo"} <= {*lesson["always"]}


@pytest.mark.parametrize(
    ("other", "meant"),
    [("actions", "moves"), ("list", "moves"), ("status", "turn"), ("say", "chat"), ("exit", "quit"),
     ("leave", "quit"), ("commands", "help")],
)  # fmt: skip
def test_every_game_knows_other_words_for_its_commands(other: str, meant: str) -> None:
    command = WORDS.find(other)
    assert command.name == meant
    assert re.search(rf"Also: .*\b{other}\b", WORDS.help(meant)[0])


async def test_chat_text_is_sent_as_typed() -> None:
    session, script = FakeSession(), Script("chat Mind the Gap, Bea", "SAY Yes", "HELP PITCH")
    await table(session, script).run()
    assert [line.text for line in session.state.chat] == ["Mind the Gap, Bea", "Yes"]
    assert "pitch: put the camp up." in script.said


@pytest.mark.parametrize("typed", ["p", "di", "fly", "norht", ""])
def test_ambiguous_text_is_not_a_command(typed: str) -> None:
    assert WORDS.find(typed) is None


def test_an_unknown_word_is_answered_with_the_nearest_command() -> None:
    assert "Did you mean north?" in WORDS.unknown_command_words("norht")
    assert "Did you mean discard?" in WORDS.unknown_command_words("discrad")
    assert "Did you mean" not in WORDS.unknown_command_words("xyzzy")
    assert WORDS.unknown_command_words("di") == "di could be discover, dive or discard."


def test_the_help_covers_all_commands_or_one() -> None:
    lines = WORDS.help("")
    for command in WORDS:
        assert any(line.startswith(command.name) for line in lines)
    assert WORDS.help("pitch") == ["pitch: put the camp up."]
    assert "no command" in WORDS.help("fly")[0]


def test_a_game_has_its_own_words_for_a_command_of_every_game() -> None:
    async def do(_rest: str) -> None: ...

    own, shared, more = (
        LineCommand("turn", "my own words", do),
        LineCommand("turn", "words", do),
        LineCommand("who", "who", do),
    )
    assert [*LineCommands((own, more, shared))] == [own, more]
    assert [*LineCommands((own, more, shared), order=["who"])] == [more, own]


# ------------------------------------------------------------------ things in words


@pytest.mark.parametrize(
    ("text", "pack"),
    [
        ("3 food 2 rope 1 oxygen", PackDraft(Items(3, 2, 1))),
        ("3 food, 2 ropes and a camera", PackDraft(Items(3, 2, 0, 0, 1))),
        ("4 consumables raft 1 half oxygen", PackDraft(Items(4, 0, 0, 1, 0, 1))),
        ("food food", PackDraft(Items(2))),
        ("3food2rope", PackDraft(Items(3, 2))),
        ("4 food camera camp 2 food 1 rope", PackDraft(Items(4, 0, 0, 0, 1), Items(2, 1))),
        ("4 food with camp", PackDraft(Items(4), Items())),
    ],
)
def test_a_pack_in_words(text: str, pack: PackDraft) -> None:
    assert line_texts.typed_draft(text) == pack


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("3 beer", "no thing called beer"),
        ("3 4 rope", "Put a number before each thing"),
        ("food 3", "Say what you want 3 of"),
        ("-3 food", "no thing called -3"),
        ("² food", "no thing called ²"),
        ("999999999999999999 food", "more than a team can carry"),
        ("food camp camp", "no thing called camp"),
    ],
)
def test_invalid_input_is_reported_in_one_sentence(text: str, why: str) -> None:
    with pytest.raises(Unclear, match=why) as caught:
        line_texts.typed_draft(text)
    assert str(caught.value).endswith(".")


def test_an_exchange_in_words() -> None:
    assert line_texts.typed_exchange("1 food to camp 2 rope to bag") == (Items(1), Items(0, 2))
    assert line_texts.typed_exchange("raft to backpack") == (Items(), Items(raft=1))
    with pytest.raises(Unclear, match="where it goes"):
        line_texts.typed_exchange("1 food")


# ------------------------------------------------------------------ spoken sentences


def test_depth_signs_are_words_and_place_signs_are_not() -> None:
    assert signs_as_words("descent at -25 m, by -1,2 and 3,-1, depth -125.") == (
        "descent at depth minus 25 m, by -1,2 and 3,-1, depth minus 125."
    )
    assert spoken_sentence("goes home") == "Goes home."
    assert spoken_sentence("The game is over.") == "The game is over."


# ------------------------------------------------------------------ the rules by number


def test_every_rule_that_a_refusal_names_can_be_read() -> None:
    import re

    folder = Path(cave.the_cave.__file__).parent
    named = {
        number
        for file in ("legal.py", "RULES.md")
        for number in re.findall(r"\(rule (\d(?:\.\d+)?)\)|\((\d\.\d+)\)", (folder / file).read_text())
        for number in number
        if number
    }
    assert len(named) > 15
    for number in named:
        assert help_pages.rule_lines(THE_CAVE, number)[0].startswith(number), number


def test_rules_for_players_omit_the_forms_for_programs() -> None:
    for name, last in (("the-cave", "8"), ("sir-ocelots-cave", "7")):
        game = games.get_game(name)
        assert help_pages.rule_chapters(game)[-1] == f"{last}. House rules"
        assert FORMS_OF_DATA in help_pages.rule_lines(game, str(int(last) + 1))[0], "a refusal may name it"
        assert "cave-position" not in help_pages.rulebook_text(game)
        assert shared_sentences.rules_lines(game, "99", "1.1")[0].endswith(f"from 1 to {last}, or a rule such as 1.1.")


def test_a_chapter_has_all_its_rules_and_its_tables_row_by_row() -> None:
    chapter = help_pages.rule_lines(THE_CAVE, "5")
    assert "boulder choke: AP 1 (french 2)." in chapter
    rule = help_pages.rule_lines(THE_CAVE, "5.3")[0]
    assert rule in chapter
    assert help_pages.rule_lines(THE_CAVE, "5.3")[0].startswith(
        "5.3 Depth token. A move that places ropes also brings the token"
    )
    assert rule.endswith("and the team has none of that depth.")
    gems = help_pages.rule_lines(games.get_game("sir-ocelots-cave"), "1.4")
    assert "opal: points 3, level 1: 11, level 2: 4, level 3: 4." in gems, "a rule has its own table"
    assert len(help_pages.rule_chapters(THE_CAVE)) == 8
    assert help_pages.rule_lines(THE_CAVE, "5.99") == help_pages.rule_lines(THE_CAVE, "x") == ()
    for line in help_pages.rule_lines(THE_CAVE, "8"):
        assert "`" not in line
        assert "|" not in line
