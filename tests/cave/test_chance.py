"""Reproducible chance: golden values, fairness, no hidden state."""

from __future__ import annotations

import hashlib
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cave.chance import Chance
from tests.cave.builders import GAME
from tests.cave.conformance import digest


def test_the_stream_is_the_documented_hash() -> None:
    """The first 8 bytes of the SHA-256 of ``counter:seed``: computed here by hand."""
    number = int.from_bytes(hashlib.sha256(b"0:any text").digest()[:8], "big")
    assert Chance("any text").below(1000) == (number % 1000, Chance("any text", 1))


def test_golden_values() -> None:
    """These may never change: old records would no longer replay."""
    chance = Chance("golden")
    values = []
    for limit in (2, 6, 10, 100, 10**6):
        value, chance = chance.below(limit)
        values.append(value)
    assert values == GOLDEN_VALUES
    assert Chance("golden").shuffle("abcdefgh")[0] == GOLDEN_ORDER


GOLDEN_VALUES = [1, 0, 1, 31, 991058]
GOLDEN_ORDER = ("h", "g", "a", "c", "b", "d", "e", "f")

GOLDEN_GAMES = {
    (2, "golden"): "f14114b1929bb3a6",
    (5, "golden"): "89686e8615fe3aaf",
    (3, "ünïcode ✓"): "f87ce533e6e51eee",
    (4, ""): "e6bc82ee40f92de9",
}


@pytest.mark.parametrize(("seats", "seed"), [(2, "golden"), (5, "golden"), (3, "ünïcode ✓"), (4, "")])
def test_golden_starts(seats: int, seed: str) -> None:
    """The same seed gives the same game on every machine and Python version."""
    start = GAME.new(seats, {}, seed)
    assert digest(GAME, start, ["Ana", "Bea", "Cem", "Dov", "Eve"][:seats])[:16] == GOLDEN_GAMES[seats, seed]


@given(st.text(), st.integers(1, 10**9), st.integers(0, 10**6))
def test_below_stays_below_and_repeats(seed: str, limit: int, drawn: int) -> None:
    value, after = Chance(seed, drawn).below(limit)
    assert 0 <= value < limit
    assert after.drawn > drawn
    assert Chance(seed, drawn).below(limit) == (value, after)


@pytest.mark.parametrize("limit", [0, -1])
def test_below_nothing_is_refused(limit: int) -> None:
    with pytest.raises(ValueError, match="positive"):
        Chance("x").below(limit)


@given(st.text(), st.lists(st.integers(), max_size=30))
def test_a_shuffle_keeps_everything(seed: str, things: list[int]) -> None:
    order, _ = Chance(seed).shuffle(things)
    assert Counter(order) == Counter(things)


def test_shuffles_are_fair() -> None:
    """All 6 orders of 3 things: 6,000 tries, each within five standard deviations of 1,000."""
    orders = Counter(Chance(str(seed)).shuffle("abc")[0] for seed in range(6000))
    assert len(orders) == 6
    assert all(abs(count - 1000) < 5 * 29 for count in orders.values())


def test_biased_numbers_are_drawn_again() -> None:
    """A limit just above half of the range rejects almost half of the blocks."""
    limit = 2**63 + 1
    drawn = [Chance(str(seed)).below(limit)[1].drawn for seed in range(200)]
    assert 1.6 < sum(drawn) / 200 < 2.5
