"""Ratios of programs that run alternately.

A machine's speed may change from one round to the next: each figure is compared with its anchor of
the same round, and the median of these ratios counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median, quantiles


def ratios(times: Sequence[float], anchor: Sequence[float]) -> list[float]:
    """How many times the anchor's time each round took."""
    return [time / beside for time, beside in zip(times, anchor, strict=True)]


def ratio(times: Sequence[float], anchor: Sequence[float]) -> float:
    return median(ratios(times, anchor))


def spread(times: Sequence[float], anchor: Sequence[float]) -> str:
    """Between which ratios the middle half of the rounds lies, in words."""
    low, _, high = quantiles(ratios(times, anchor), n=4)
    return f"half of the rounds {low:.2f} to {high:.2f} x"
