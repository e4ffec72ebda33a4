"""Guests start nothing endless: bots rest while nobody follows their game, and every game ends."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from cave import bots, codec, games, record
from server.clients.limits import Limits
from tests.effort import effort
from tests.game_kit import checks
from tests.server.kit import ANN, BEA, EVE, Desk, come_back, position
from tests.server.memory import MemoryJournal

MOST = 60
"""Actions of a game in these tests."""


def walled_in() -> Any:
    """Two teams without food in a cave without a way home or an exit: by the rules they can only walk, and
    the remaining tile is never placed (7.1).
    """
    start = position(stack=("NS",))
    for team, at in zip(start["teams"], ([10, 10], [11, 10]), strict=True):
        team |= {"at": at, "backpack": {}}
    start["board"][-1:] = [
        {"at": [10, 10], "kind": "plain", "open": "E", "depth": 0},
        {"at": [11, 10], "kind": "plain", "open": "W", "depth": 0},
    ]
    return {**start, "ropes": []}


def desk_of(**limits: Any) -> tuple[Desk, MemoryJournal]:
    journal = MemoryJournal()
    return Desk(limits=Limits(rate=1e6, burst=1e6, **limits), journal=journal), journal


def play(desk: Desk, most: int = 10**6) -> int:
    """Let bots answer until none is asked; return the number of actions."""
    acted = 0
    while desk.bot_requests and acted < most:
        asked = desk.bot_requests.pop()
        action = bots.choose(asked.game, asked.level, asked.view, asked.choices, asked.seed)
        desk.take(desk.service.changes.play_bot(asked.table, asked.seat, asked.seq, action, desk.now))
        acted += 1
    return acted


def test_bots_rest_until_a_client_follows_their_game() -> None:
    desk, _ = desk_of()
    table = desk.open("bot", "bot", start=walled_in())
    assert desk.bot_requests == [], "nobody watches yet"
    desk.ask(EVE, "watch", table=table)
    assert play(desk, 5) == 5
    desk.take(desk.service.clients.connection_lost(EVE, desk.now))
    # Its last request is answered, and no other follows.
    assert play(desk) == 1
    desk.take(desk.service.do_timed_work(desk.now))
    assert desk.bot_requests == []
    desk.ask(BEA, "watch", table=table)
    assert play(desk, 5) == 5


def test_bots_rest_while_a_player_is_away_and_then_continue() -> None:
    desk, journal = desk_of()
    table = desk.open("open", "bot", "bot")
    key = desk.ask(ANN, "sit", table=table, name="Ann")["key"]
    assert desk.ask(ANN, "propose", table=table, seat=0, what="hand_over", level="novice")["done"]
    assert play(desk, 20) == 20
    desk.take(desk.service.clients.connection_lost(ANN, desk.now))
    play(desk)
    before = desk.service.tables[table].actions
    assert desk.service.tables[table].status == "playing"
    come_back(desk, journal)
    assert (desk.bot_requests, desk.service.tables[table].actions) == ([], before)
    assert desk.ask(BEA, "resume", table=table, seat=0, key=key)["type"] == "seated"
    assert play(desk, 20) == 20


def test_a_watcher_who_falls_silent_and_returns_finds_the_bots_at_work() -> None:
    desk, _ = desk_of()
    table = desk.open("bot", "bot", start=walled_in())
    desk.ask(EVE, "watch", table=table)
    play(desk, 1)
    desk.now += 60
    desk.take(desk.service.do_timed_work(desk.now))
    play(desk)
    desk.ask(EVE, "ping")
    desk.take(desk.service.do_timed_work(desk.now))
    assert len(desk.bot_requests) == 1


def test_a_game_without_an_end_is_ended_by_the_host() -> None:
    desk, journal = desk_of(actions=MOST)
    table = desk.open("bot", "bot", start=walled_in(), pace="none")
    desk.ask(EVE, "watch", table=table)
    assert play(desk) == MOST
    told = desk.published[-1]
    assert told["type"] == "set_aside"
    assert f"{MOST} actions" in told["message"]
    (finished,) = desk.finished
    replayed = record.replay(record.write(finished.record).splitlines(keepends=True))
    assert replayed.game.name == "the-cave"
    come_back(desk, journal, actions=MOST)
    shown = desk.ask(EVE, "watch", table=table)
    assert (shown["set_aside"], shown["seq"]) == (told["message"], MOST + 1)
    assert desk.bot_requests == []
    assert not desk.service.has_unfinished_games


def test_a_game_of_long_actions_ends_sooner_also_after_a_restart(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bytes that a game writes are bounded, too."""
    monkeypatch.setattr("server.tables.table.ACTION_SIZE", 10)
    desk, journal = desk_of(actions=MOST)
    table = desk.open("bot", "bot", start=walled_in(), pace="none")
    desk.ask(EVE, "watch", table=table)
    acted = play(desk, 5)
    come_back(desk, journal, actions=MOST)
    desk.ask(EVE, "watch", table=table)
    acted += play(desk)
    size = sum(len(codec.encode(entry.data["action"])) for entry in journal.entries if entry.kind == "acted")
    assert acted < MOST // 2
    assert MOST * 10 <= size < (MOST + 10) * 10
    assert "has ended it" in desk.published[-1]["message"]


def test_a_game_over_the_limit_ends_at_the_next_start() -> None:
    desk, journal = desk_of()
    table = desk.open("bot", "bot", start=walled_in())
    desk.ask(EVE, "watch", table=table)
    play(desk, MOST + 5)
    come_back(desk, journal, actions=MOST)
    assert "has ended it" in desk.ask(EVE, "watch", table=table)["set_aside"]


@pytest.mark.parametrize("long", [512, 40], ids=["by number", "by length"])
def test_undone_actions_do_not_count_towards_the_limit(monkeypatch: pytest.MonkeyPatch, long: int) -> None:
    monkeypatch.setattr("server.tables.table.ACTION_SIZE", long)
    desk, _ = desk_of(actions=2)
    table = desk.open("open", "bot", start=position())
    desk.ask(ANN, "sit", table=table, name="Ann")
    for _ in range(5):
        assert desk.act(ANN, table, 0, {"type": "move", "to": [0, -2], "by": "foot"})["type"] == "done"
        assert desk.ask(ANN, "undo", table=table, seat=0, seq=desk.view(ANN, 0)["seq"])["type"] == "done"
    assert not desk.service.tables[table].ended


@pytest.mark.parametrize("name", games.game_names())
def test_bots_end_every_game_from_any_position(name: str) -> None:
    """By the rules: the host ends only games that cannot end by the rules, such as ``walled_in``."""
    game = games.get_game(name)
    for number in {44, *range(effort(3, 200))}:  # in 44 only another kit leads to an exit
        rng = Random(f"{name} {number}")
        seats = rng.choice([each for each in game.seats if each > 1])
        state = game.new(seats, {}, str(number))
        for _ in range(rng.choice((0, 5, 50, 500))):
            acting = sorted(game.to_act(state))
            if not acting:
                break
            choice = rng.choice(game.choices(state, acting[0]))
            try:
                step = game.apply(state, acting[0], game.sample(choice, rng))
            except ValueError:
                continue
            if game.to_act(step.state):
                state = step.state
        desk, _ = desk_of()
        table = desk.open(*["bot"] * seats, game=name, start=game.position(state))
        desk.ask(EVE, "watch", table=table)
        play(desk)
        assert desk.service.tables[table].status == "over"
        assert checks(desk.finished[-1].record)
