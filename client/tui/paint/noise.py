"""Noise that is the same in every run: a hash of a place, neither random nor stored."""

from __future__ import annotations


def noise(x: int, y: int, seed: int = 0) -> float:
    """A number from 0 to 1, always the same for the same place.

    >>> noise(3, 4) == noise(3, 4)
    True
    """
    mixed = (x * 374761393 + y * 668265263 + seed * 974634777) & 0xFFFFFFFF
    mixed = ((mixed ^ (mixed >> 13)) * 1274126177) & 0xFFFFFFFF
    return ((mixed ^ (mixed >> 16)) & 0xFFFF) / 0xFFFF


def smooth(x: float, y: float, seed: int = 0) -> float:
    """Noise without steps between whole places."""
    left, top = int(x // 1), int(y // 1)
    u, v = x - left, y - top
    u, v = u * u * (3 - 2 * u), v * v * (3 - 2 * v)
    upper = noise(left, top, seed) * (1 - u) + noise(left + 1, top, seed) * u
    lower = noise(left, top + 1, seed) * (1 - u) + noise(left + 1, top + 1, seed) * u
    return upper * (1 - v) + lower * v


def fractal(x: float, y: float, seed: int = 0, octaves: int = 4) -> float:
    """Smooth noise with detail: each octave is twice as fine and half as strong."""
    weights = [0.5**octave for octave in range(octaves)]
    found = sum(
        weight * smooth(x * 2**octave, y * 2**octave, seed + octave) for octave, weight in enumerate(weights)
    )
    return found / sum(weights)
