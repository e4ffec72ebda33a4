"""Line mode at a table of any game: questions, waiting, secrets."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from msgspec.structs import replace

from client.games.the_cave.face import FACE
from client.plain import shared_sentences
from client.plain.line_table import LineTable
from client.plain.table_dialogue import took_place
from client.settings.schema import SETTINGS, Settings
from client.table import LogLine, Rejected, TableState
from tests.client.fake_session import FakeSession
from tests.client.plain_talk import Script, table
from tests.client.test_cli import PATIENCE
from tests.client.test_plain_commands import playing
from tests.client.test_plain_waits import ANN, BEA, at_table
from tests.playthrough import playthrough


def lines_of(session: FakeSession, *typed: str, live: bool = True, **more: Any) -> Any:
    return table(session, Script(*typed, live=live), **more)


# Questions


@pytest.mark.parametrize(
    ("typed", "yes", "left"),
    [
        ("y", True, None), ("YES", True, None), ("1", True, None),
        ("n", False, None), ("No", False, None), ("2", False, None), ("", False, None),
        ("north", False, "north"),
    ],
)  # fmt: skip
async def test_a_line_that_is_no_answer_means_no_and_is_read_next(typed: str, yes: bool, left: str | None) -> None:
    lines = lines_of(playing(), typed)
    assert await lines.ask("Sure?") is yes
    assert lines.console.said == ["Sure? 1 yes, 2 no.", f"? {typed}"]
    assert await lines.console.read_line(lambda: "") == left


async def test_the_end_of_the_input_is_no_answer() -> None:
    lines = lines_of(playing())
    assert await lines.ask("Sure?") is False
    assert await lines.choose(["a", "b"]) is None
    assert await lines.console.read_line(lambda: "") is None, "nothing is taken up"


@pytest.mark.parametrize(
    ("typed", "chosen", "left"),
    [
        ("1", 0, None), ("2", 1, None), ("0", None, "0"), ("3", None, "3"), ("", None, None),
        ("west", None, "west"), ("99999999999", None, "99999999999"),
    ],
)  # fmt: skip
async def test_a_line_is_chosen_by_its_number(typed: str, chosen: int | None, left: str | None) -> None:
    lines = lines_of(playing(), typed)
    assert await lines.choose(["east", "south"]) == chosen
    assert lines.console.said == ["1 east", "2 south", f"? {typed}"]
    assert await lines.console.read_line(lambda: "") == left


def test_a_prompt_names_the_player_to_act_if_several_play() -> None:
    assert lines_of(playing()).prompt() == "> "
    assert lines_of(playing(turn=1)).prompt() == ""
    assert lines_of(playing(mine=(0, 1))).prompt() == "A Ann> "
    assert lines_of(playing(mine=(0, 1), turn=1)).prompt() == "B Bea> "
    assert lines_of(playing(mine=())).prompt() == "> "
    over = playing(mine=(0, 1))
    over.evolve(status="over", choices={})
    assert lines_of(over).prompt() == "> "


def test_a_program_gets_the_usual_settings() -> None:
    setting = next(each for each in SETTINGS if each.name == "tutor")
    settings = Settings(tutor="always")
    assert setting.default != "always"
    assert lines_of(playing(), settings=settings).setting_value(setting) == "always"
    assert lines_of(playing(), settings=settings, live=False).setting_value(setting) == setting.default


# Secrets


async def test_at_a_private_screen_a_secret_is_shown_at_once() -> None:
    for session, live in ((playing(), True), (playing(mine=(0, 1)), False)):
        lines = lines_of(session, live=live)
        await lines.reveal("You hold 7.")
        assert lines.console.said == ["You hold 7."]
        assert lines.covered_later() == []
        assert not await lines.cover()


@pytest.mark.parametrize("alone", [True, False])
async def test_at_a_shared_screen_a_secret_is_shown_only_to_its_owner(alone: bool) -> None:
    lines = lines_of(playing(mine=(0, 1)), "yes" if alone else "no")
    await lines.reveal("You hold 7.")
    question, _, *told = lines.console.said
    assert question == f"{shared_sentences.ALONE.format(owner='A Ann')} 1 yes, 2 no."
    assert told == (["You hold 7.", shared_sentences.COVERED_LATER] if alone else [])
    assert await lines.cover() is alone
    assert ("You hold 7." in lines.console.gone) == alone
    assert not await lines.cover(), "it is covered"


async def test_a_shared_screen_is_cleared_before_the_next_players_turn() -> None:
    session = playing(mine=(0, 1))
    lines = lines_of(session)
    assert lines.covered_later() == [shared_sentences.COVERED_LATER]
    await lines.console.write_lines("You hold 7.")
    await lines.tell_news()
    assert "You hold 7." in lines.console.said, "the turn goes on"
    session.show(replace(playing(mine=(0, 1), turn=1).state, seq=session.state.seq + 1))
    await lines.tell_news()
    assert "You hold 7." in lines.console.gone
    assert lines.console.said[0] == shared_sentences.CLEARED


async def test_after_the_game_nothing_is_secret() -> None:
    session = playing(mine=(0, 1))
    session.evolve(status="over")
    lines = lines_of(session)
    assert not lines.shared
    assert lines.covered_later() == []


# Actions


async def test_a_refusal_is_reported_and_nothing_waits_for_it() -> None:
    class Refusing(FakeSession):
        wrong: Exception = Rejected("not_now", "Not now.")

        async def act(self, seat: int, action: Any) -> None:
            raise self.wrong

        async def undo(self, seat: int, steps: int = 1) -> None:
            raise self.wrong

    session = Refusing(start=playing().full)
    lines = lines_of(session)
    for wrong, told in (
        (Rejected("not_now", "Not now."), "Not now."),
        (ConnectionError("It is gone."), "It is gone."),
        (ConnectionError(), shared_sentences.HOST_GONE),
    ):
        session.wrong = wrong
        async with asyncio.timeout(PATIENCE):
            assert await lines.send_action({"type": "end_turn"}) is False
            assert await lines.undo(1) is False
        assert lines.console.said[-2:] == [told, told]
    assert lines.last_here is None


async def test_an_action_is_remembered_for_its_seat() -> None:
    kept: list[Any] = []
    lines = lines_of(FakeSession(mine=(0, 1)), remember=kept.append)
    pack = {"type": "pack", "backpack": {"rope": 2}, "camp": None}
    assert await lines.send_action(pack) is True
    assert len(kept) == 1
    assert lines.repeatable == {0: kept[0]}
    assert lines.last_here is None, "the other seat is to pack now"


def later(state: TableState, **more: Any) -> TableState:
    seq = more.pop("seq", state.seq + 1)
    return replace(state, seq=seq, seen={0: seq}, **more)


def test_an_action_counts_as_done_when_a_complete_later_state_shows_it() -> None:
    alone = at_table(ANN, BEA, acting={0})
    both = at_table(ANN, BEA, acting={0, 1})
    line = LogLine(1, {"type": "packed", "seat": 0})
    other = LogLine(1, {"type": "packed", "seat": 1})
    old = LogLine(0, {"type": "packed", "seat": 0})
    told = {
        "closed": took_place(replace(alone, link="closed"), 0, alone),
        "the same": took_place(alone, 0, alone),
        "later": took_place(later(alone), 0, alone),
        "not whole": took_place(replace(alone, seq=1, seen={0: 7}), 0, alone),
        "no view": took_place(later(alone, view=None), 0, alone),
        "others may act, too": took_place(later(both), 0, both),
        "other choices": took_place(later(both, choices={0: ()}), 0, both),
        "in the log": took_place(later(both, log=(line,)), 0, both),
        "another's line": took_place(later(both, log=(other,)), 0, both),
        "an earlier line": took_place(later(both, log=(old,)), 0, both),
        "not begun before": took_place(later(both), 0, replace(both, view=None)),
    }
    assert {name for name, seen in told.items() if seen} == {"closed", "later", "other choices", "in the log"}


# Timing


async def test_a_turn_starts_with_the_list_and_later_steps_show_changes() -> None:
    session = playing()
    lines = lines_of(session)
    await lines.tell_news()
    assert sum(line.startswith("Your turn") for line in lines.console.said) == 1
    said = len(lines.console.said)
    await lines.tell_news()
    assert len(lines.console.said) == said, "nothing is new"
    session.evolve(seq=session.state.seq + 1, seen={})
    await lines.tell_news()
    assert not any(line.startswith("Your turn") for line in lines.console.said[said:])


async def test_the_score_sheet_is_printed_once_with_the_next_commands() -> None:
    leave, go_on = shared_sentences.HOW_TO_LEAVE, shared_sentences.HOW_TO_GO_ON
    for mine, later, how in (((0,), False, go_on), ((), True, go_on), ((), False, leave)):
        session = playing(mine)
        session.evolve(status="over", plays_later=later)
        lines = lines_of(session)
        await lines.tell_news()
        await lines.tell_news()
        assert lines.console.said.count(how) == 1
        assert lines.console.said[-1] == how


def test_the_end_names_the_players_a_bot_played_for() -> None:
    game = playthrough("the-cave")
    for step in (1, len(game.steps)):
        session = FakeSession(game.names, start=game.state_after(step))
        first, *others = session.state.seats
        session.evolve(seats=(replace(first, level="guide", handed=True), *others))
        sentence = f"A bot (guide) played to the end for {first.name}."
        assert (sentence in lines_of(session).score_sheet()) == (step > 1)


@pytest.mark.parametrize(
    ("live", "settings", "guided"),
    [
        (True, Settings(guide=True), True),
        (True, Settings(guide=False), False),
        (False, Settings(guide=False), True),
        (True, None, False),
        (False, None, False),
    ],
)
def test_a_first_game_explains_itself(live: bool, settings: Settings | None, guided: bool) -> None:
    """The same input gives the same output, however many games were played before."""
    lines = lines_of(playing(), live=live, settings=settings)
    assert bool(lines.first_lines()) is guided
    assert not lines.first_lines(), "once"


def plain(session: FakeSession, *typed: str) -> Any:
    """The line mode of a game that adds nothing of its own."""
    return LineTable(FACE, session, Script(*typed, live=True))


def test_a_new_turn_is_announced_before_its_actions() -> None:
    lines = plain(playing())
    listed = lines.list_options()
    assert listed
    assert lines.asked(same_turn=False) == ["Your turn, A Ann.", *listed]
    assert lines.asked(same_turn=True) == listed
    assert lines.after_a_step() == [], "the list stands there"
    lines.listed_choices = ()
    assert lines.after_a_step() == listed
    assert all(each.kind == each.kind.replace("_", " ") for each in lines.possible_options())


def test_numbers_of_a_printed_list_are_valid_until_it_changes() -> None:
    lines = plain(playing())
    lines.list_options()
    told = {*lines.told}
    lines.told.add(99)
    lines.list_options()
    assert lines.told == {*told, 99}
    lines.listed_choices = ()
    lines.list_options()
    assert lines.told == told, "others have changed what the numbers mean"
    lines.told.add(99)
    lines.number_options(lines.numbers[:1])
    assert lines.told == {1}
