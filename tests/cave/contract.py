"""Tests shared by all games: whole games, games of any seed, refusals that cite a rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cave.game import Json
from tests.cave import conformance as kit
from tests.cave.citing import check_reasons_cite, check_refusals_cite

NAMES = ["Ana", "Bea", "Cem", "Dov", "Eve", "Flo"]


def look_at(subject: kit.Subject) -> Callable[[Any, Random], None]:
    def look(state: Any, rng: Random) -> None:
        kit.check_state(subject, state, rng)
        check_reasons_cite(subject.game, state)

    return look


def suite(
    subject: kit.Subject,
    games: Mapping[str, tuple[int, Json]],
    *,
    every: int,
    seeds: int,
    refused: int,
    cites: bool = True,
) -> type:
    """Return a game's tests; ``games`` has seats and settings, ``seeds`` and ``refused`` examples."""
    look, names, any_game = look_at(subject), NAMES, st.sampled_from(sorted(games))

    class TestContract:
        @pytest.mark.parametrize("chosen", games)
        def test_a_whole_game_keeps_the_contract(self, chosen: str) -> None:
            seats, options = games[chosen]
            played = kit.play(subject, names[:seats], options, chosen, look, every)
            kit.check_replay(subject, played, names[:seats], options, chosen)
            assert subject.game.over(played.end)

        @settings(max_examples=seeds, deadline=None, derandomize=True)
        @given(seed=st.text(max_size=8), chosen=any_game, rng=st.randoms(use_true_random=False))
        def test_games_of_any_seed_end_and_replay(self, seed: str, chosen: str, rng: Random) -> None:
            seats, options = games[chosen]
            kit.check_any_game(subject, names[:seats], options, seed, rng)

        @settings(max_examples=refused, deadline=None, derandomize=True)
        @given(seed=st.integers(0, 10**6), chosen=any_game, steps=st.integers(0, 150))
        def test_each_refusal_names_a_rule(self, seed: int, chosen: str, steps: int) -> None:
            state, rng = kit.after(subject, *games[chosen], seed, steps)
            kit.check_wild_actions(subject, state, rng, 20)
            if cites:
                check_refusals_cite(subject, state, rng)

    return TestContract
