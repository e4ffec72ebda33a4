"""The seats of a new game's form, from game to game and back."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from textual.widgets import Input, Static

from cave import games
from client.app.screens.new_game import NewGameScreen
from client.launch.new_game import NewGameSeats, SeatPlan
from client.tui.widgets.form_fields import Cycle
from tests.client.pilot import Pilot
from tests.client.test_screens import show

THE_CAVE, VERSUS = "the-cave", "cave-vs-cave"
PERSON, OPEN, NOBODY = SeatPlan("person"), SeatPlan("open"), SeatPlan("none")


async def turn(pilot: Pilot[Any], screen: NewGameScreen, name: str, *keys: str) -> None:
    screen.query_one(f"#{name}").focus()
    await pilot.press(*keys)


def kinds(screen: NewGameScreen) -> list[str]:
    return [row.query_one(Cycle).chosen_value.kind for row in screen.query(".seat") if row.display]


async def test_a_game_that_is_chosen_again_has_the_seats_it_began_with() -> None:
    screen = NewGameScreen("Ann", game=THE_CAVE)
    async with show(screen) as (_, pilot):
        begun = screen.plan()
        await turn(pilot, screen, "game", "left")
        assert screen.plan().game == VERSUS
        assert kinds(screen) == ["person", "none"], "one can play it alone"
        await pilot.press("right")
        assert screen.plan() == begun
        assert kinds(screen) == ["person", "bot", "none", "none", "none"]


async def test_a_game_that_is_chosen_again_has_the_seats_that_were_chosen_for_it() -> None:
    """Also those of more people than the other game has seats, with their names."""
    screen = NewGameScreen("Ann", game=THE_CAVE)
    async with show(screen) as (_, pilot):
        await turn(pilot, screen, "kind-2", "right")
        await turn(pilot, screen, "kind-3", "right")
        for number, name in ((2, "Bea"), (3, "Cyd")):
            screen.query_one(f"#name-{number}", Input).value = name
        await turn(pilot, screen, "game", "left")
        await turn(pilot, screen, "kind-1", "left")
        screen.query_one("#name-0", Input).value = "Anna"
        await turn(pilot, screen, "game", "right")
        assert kinds(screen) == ["person", "bot", "person", "person", "none"]
        assert screen.plan().people_here == ("Anna", "Bea", "Cyd"), "a name goes along from game to game"
        await pilot.press("left")
        assert kinds(screen) == ["person", "open"]


async def test_a_round_robin_has_places_for_more_players_than_the_game() -> None:
    screen = NewGameScreen("Ann", game=VERSUS)
    async with show(screen) as (app, pilot):
        await turn(pilot, screen, "kind-1", "right", "right")
        await turn(pilot, screen, "series", "left")
        assert kinds(screen) == ["person", "bot", *["none"] * 6]
        await pilot.press("ctrl+s")
        assert "for 3 to 8 players, not for 2" in str(screen.query_one("#message", Static).content)
        await turn(pilot, screen, "kind-7", "left")
        await pilot.press("ctrl+s")
    plan = app.results[0].plan
    assert [seat.kind for seat in plan.seats] == ["person", "bot", "open"]
    assert (plan.round_robin, plan.best_of) == (3, 1)


async def test_seed_and_rules_stay_when_another_game_was_looked_at() -> None:
    """The seed is valid for any game; each game has its own rules."""
    screen = NewGameScreen("Ann", game=THE_CAVE)
    async with show(screen) as (_, pilot):
        screen.query_one("#seed", Input).value = "moss"
        await turn(pilot, screen, "option-choke_cost", "right")
        await turn(pilot, screen, "absence", "right")
        chosen = screen.plan()
        await turn(pilot, screen, "game", "left")
        other = screen.plan()
        assert (other.game, other.seed) == (VERSUS, "moss")
        assert (other.settings, other.absence) == ({}, None), "rules of another game are its own"
        await pilot.press("right")
        assert screen.plan() == chosen
        assert chosen.settings
        assert chosen.absence is not None


@pytest.mark.parametrize("ticks", [0, 4, 12])
async def test_keys_pressed_while_the_form_is_built_are_not_lost(ticks: int) -> None:
    screen = NewGameScreen("Ann", game=THE_CAVE)
    async with show(screen) as (_, pilot):
        screen.query_one("#game").focus()
        for key in ("left", "right"):
            pilot.send(key)
            for _ in range(ticks):
                await asyncio.sleep(0)
        await pilot.pause()
        assert screen.plan().game == THE_CAVE
        assert screen.focused is screen.query_one("#game")


def test_at_a_host_each_person_sits_in_the_next_game_too() -> None:
    cave, versus = games.game_info(THE_CAVE), games.game_info(VERSUS)
    seatings = NewGameSeats(("Ann", "Bea"), {}, elsewhere=True)
    assert seatings.of(cave)[:3] == [(PERSON, "Ann"), (PERSON, "Bea"), (OPEN, "")]
    seatings.keep(cave, [SeatPlan("person", "Ann"), OPEN, SeatPlan("person", "Cyd"), NOBODY, NOBODY])
    assert seatings.of(versus)[:2] == [(PERSON, "Ann"), (PERSON, "Cyd")]
    assert seatings.of(cave)[:3] == [(PERSON, "Ann"), (OPEN, ""), (PERSON, "Cyd")]
    seatings.keep(versus, [SeatPlan("person", "Ann"), OPEN])
    assert seatings.of(versus)[:2] == [(PERSON, "Ann"), (OPEN, "Cyd")], "the name is kept for who comes back"
