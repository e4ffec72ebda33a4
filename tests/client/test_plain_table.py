"""Output at a table in line mode, with the rules core in this process."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from cave.games import get_game
from cave.the_cave.actions import Discover, EndTurn, Move, Pack
from cave.the_cave.state import Items, State
from client.games.the_cave import texts as own
from client.games.the_cave.texts import FORCE_QUESTION
from client.plain.shared_sentences import OLD_NUMBERS
from client.plain.table_news import FOUND
from client.present.hosts import LINK_IS_LOST
from client.settings.schema import Settings
from tests.cave.players import explorer
from tests.client.fake_session import FakeSession
from tests.client.plain_talk import PATIENCE, Script, after, assert_calm, table, talk

GAME = get_game("the-cave")
KIT = Items(consumable=4, rope=1, oxygen=1, camera=1, raft=1)


def begun(*first: Any, seed: str = "fake", settings: Any = None) -> State:
    """Both have packed and Ann has the first turn; then these actions of hers."""
    state = GAME.new(2, settings or {}, seed)
    for seat in (0, 1):
        state = GAME.apply(state, seat, Pack(KIT)).state
    if state.seat != 0:
        state = GAME.apply(state, 1, EndTurn()).state
    for action in first:
        state = GAME.apply(state, 0, action).state
    return state


def bot(state: State, seat: int) -> Any:
    return explorer(GAME, state, seat, Random(len(state.board)))


# ------------------------------------------------------------------ looking


async def test_every_looking_command_says_something_at_every_moment() -> None:
    """Along a whole game of two bots: no command fails, and all output is calm."""
    state, rng = GAME.new(2, {}, "looks"), Random(3)
    looks = (*("here", "look", "look west", "look 0,0", "look 7,7", "map", "moves", "why", "bag", "turn", "teams"),)
    looks += ("score", "log", "log 3", "since", "route 0,0", "route to 2 1", "home", "who", "rules", "save")
    for step in range(160):
        if not GAME.to_act(state):
            break
        if step % 40 == 0 or state.phase == "packing":
            said = await talk(FakeSession(start=state, mine=(0, 1)), *looks)
            assert_calm("\n".join(said))
            for look in looks:
                assert after(said, look), look
        seat = min(GAME.to_act(state))
        state = GAME.apply(state, seat, explorer(GAME, state, seat, rng)).state
    assert step > 100


# ------------------------------------------------------------------ doing


async def test_ending_a_turn_asks_once_if_something_is_lost() -> None:
    session = FakeSession(start=begun())
    said = await talk(session, "end", "no", "end", "moves", "end", "1")
    assert "You still have 5 AP" in after(said, "end")[0]
    assert [action["type"] for _, action in session.acted] == ["end_turn"]
    # Any other line is a command.
    assert said.count("1 go north, tunnel at depth 0 m, 1 action point") == 1
    session = FakeSession(start=begun())
    await talk(session, "end yes")
    assert [action["type"] for _, action in session.acted] == ["end_turn"]


async def test_a_forced_move_needs_confirmation() -> None:
    session = FakeSession(start=begun())
    said = await talk(session, "north by force", "no", "north force", "yes")
    assert sum(line.startswith(FORCE_QUESTION) for line in said) == 2
    assert session.acted == [(0, {"type": "move", "to": [0, -1], "by": "force"})]


@pytest.mark.parametrize("live", [True, False])
async def test_programs_get_default_confirmations_and_people_their_settings(live: bool) -> None:
    session = FakeSession(start=begun())
    script = Script("north by force", "yes", live=live)
    settings = replace(Settings(), own={own.FORCE.name: False})
    await table(session, script, settings=settings).run()
    assert any(line.startswith(FORCE_QUESTION) for line in script.said) != live


async def test_entering_water_asks_for_the_way_unless_given() -> None:
    water = begun(Move((0, -1), "foot"))
    at = (0, -2)
    tile = replace(water.board[(0, -1)], at=at, kind="water", open="NS", token=True, start=False)
    board = {**water.board, at: tile, (0, -1): replace(water.board[(0, -1)], open="NS")}
    water = replace(water, board=board)
    session = FakeSession(start=water)
    said = await talk(session, "n", "2")
    assert after(said, "n") == [
        "1 go north, water at depth 0 m, with oxygen, 2 action points, 1 tank, +3",
        "2 go north, water at depth 0 m, by raft, 1 action point",
    ]
    assert session.acted == [(0, {"type": "move", "to": [0, -2], "by": "raft"})]
    session = FakeSession(start=water)
    await talk(session, "north by oxygen")
    assert session.acted == [(0, {"type": "move", "to": [0, -2], "by": "oxygen"})]


# ------------------------------------------------------------------ refusals


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("dive", "only on a water tile."),
        ("photo", "no wonder to photograph here."),
        ("pitch", "You did not take your camp with you."),
        ("strike", "camp"),
        ("abandon", "You did not take your camp with you."),
        ("exchange", "Your camp is not pitched."),
        ("discover", "from the home base."),
        ("why discover", "from the home base."),
        ("why photo", "no wonder to photograph here."),
        ("why north", "That is possible now."),
        ("south", "rock"),
        ("place 1", "no discovered tile to place."),
        ("pack 9 consumables", "The backpack is full."),
        ("pack 3 consumables 2 camera", "has one camera"),
        ("pack 3 beer", "no thing called beer"),
        ("discard 5 rope", "You do not have all of those things."),
        ("go 12,12", "no exit leads here"),
        ("go 99999999999999,1", "no exit leads here"),
        ("log x", "how many lines"),
        ("log ²", "how many lines"),
        ("rules 77", "There is no rule 77"),
        ("chat", "chat hello"),
        ("plcae", "Did you mean place?"),
    ],
)
async def test_a_refusal_is_one_sentence_with_its_reason(typed: str, why: str) -> None:
    session = FakeSession(start=begun())
    said = await talk(session, typed)
    answer = after(said, typed)
    assert why in " ".join(answer)
    assert answer[-1].endswith(".") or answer[-1].endswith("hello.")
    assert session.full == begun()


# ------------------------------------------------------------------ packing


async def test_an_odd_pack_needs_confirmation() -> None:
    session = FakeSession(others=bot)
    said = await talk(session, "pack 2 rope", "no", "pack 4 consumables 1 rope", "1")
    assert "No consumables" in after(said, "pack 2 rope")[0]
    assert [action["backpack"].get("consumable") for _, action in session.acted] == [4]


async def test_a_pack_is_remembered_and_can_be_repeated() -> None:
    kept: list[Any] = []
    session = FakeSession(start=begun())
    said = await talk(session, "pack same", "pack 5 consumables 2 rope camera", "pack same", remember=kept.append)
    assert after(said, "pack same") == ["There was no earlier trip."]
    packs = [action for _, action in session.acted]
    assert packs[0] == packs[1]
    assert kept[0]["backpack"] == {"consumable": 5, "rope": 2, "camera": 1}


async def test_a_camp_is_packed_pitched_filled_and_struck_in_words() -> None:
    session = FakeSession(start=begun())
    said = await talk(
        session,
        "pack 4 consumables 1 rope 1 camera camp 2 consumables",
        "pitch",
        "exchange 1 rope to camp 1 consumable to bag",
        "bag",
        "strike",
        "exchange 1 consumable",
    )
    assert [action["type"] for _, action in session.acted] == ["pack", "pitch", "exchange", "strike"]
    assert after(said, "bag") == [
        "Backpack 6 of 8 slots: 5 consumables, 1 camera.",
        "Camp 2 of 4, here: 1 consumable, 1 rope.",
    ]


async def test_dropping_a_camera_needs_confirmation() -> None:
    session = FakeSession(start=begun())
    said = await talk(session, "discard 1 rope", "discard camera", "n", "drop camera", "y")
    assert len([line for line in said if "gone for good" in line]) == 2
    assert [action["items"] for _, action in session.acted] == [{"rope": 1}, {"camera": 1}]


# ------------------------------------------------------------------ others


async def test_actions_of_others_are_printed_while_waiting() -> None:
    session = FakeSession(start=GAME.apply(begun(), 0, EndTurn()).state)
    script = Waiting()
    running = asyncio.create_task(table(session, script).run())
    await script.asked.wait()
    session.play(1, Move((0, -1), "foot"))
    session.play(1, Discover())
    session.set_link("lost")
    await script.heard(LINK_IS_LOST)
    session.set_link("live")
    await script.heard(FOUND)
    script.answer.set()
    await running
    said = script.said
    assert said.index("Bea goes north, tunnel.") < said.index(LINK_IS_LOST) < said.index(FOUND)
    assert sum(line.startswith("Bea discovers ") for line in said) == 1


class Waiting(Script):
    """Types nothing until ``answer`` is set."""

    def __init__(self) -> None:
        super().__init__(live=True)
        self.asked = asyncio.Event()
        self.answer = asyncio.Event()
        self._news = asyncio.Event()

    async def read_line(self, prompt: Any) -> str | None:
        self.asked.set()
        await self.answer.wait()
        return None

    async def write_lines(self, *lines: str) -> None:
        await super().write_lines(*lines)
        self._news.set()

    async def heard(self, line: str) -> None:
        async with asyncio.timeout(PATIENCE):
            while line not in self.said:
                self._news.clear()
                await self._news.wait()


async def test_another_players_pack_does_not_change_the_numbers() -> None:
    session = FakeSession()
    script = Script("1", live=True)
    lines = table(session, script)
    await lines.tell_news()
    session.play(1, Pack(KIT))
    await lines.run()
    assert OLD_NUMBERS not in script.said
    assert [action["type"] for _, action in session.acted] == ["pack"]


async def test_a_starving_team_is_announced_and_chooses_by_number() -> None:
    out = replace(begun(Move((0, -1), "foot")))
    team = replace(out.teams[0], backpack=Items(rope=1))
    out = replace(out, teams=(team, out.teams[1]))
    out = GAME.apply(GAME.apply(out, 0, EndTurn()).state, 1, EndTurn()).state
    assert out.phase == "starving"
    session = FakeSession(start=out)
    said = await talk(session, "discover", "1")
    assert any("one forced move" in line for line in said)
    assert any(line.startswith("1 go south, home base at depth 0 m, by force") for line in said)
    assert "one forced move" in after(said, "discover")[0]
    assert session.acted == [(0, {"type": "move", "to": [0, 0], "by": "force"})]
