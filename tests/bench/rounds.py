"""Ratios of programs that run alternately.

A machine's speed may change between rounds: each figure is compared with its reference in the same round, and
the median of these ratios counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median, quantiles


def ratios(times: Sequence[float], anchor: Sequence[float]) -> list[float]:
    """Return each round's time relative to the reference."""
    return [time / beside for time, beside in zip(times, anchor, strict=True)]


def ratio(times: Sequence[float], anchor: Sequence[float]) -> float:
    return median(ratios(times, anchor))


def spread(times: Sequence[float], anchor: Sequence[float]) -> str:
    """Return the interquartile range of the ratios, in words."""
    low, _, high = quantiles(ratios(times, anchor), n=4)
    return f"half of the rounds {low:.2f} to {high:.2f} x"
