"""Noise that is the same in every run: a hash of a place, neither random nor stored."""

from __future__ import annotations


def _mixed(x: int, y: int, seed: int) -> int:
    mixed = (x * 374761393 + y * 668265263 + seed * 974634777) & 0xFFFFFFFF
    mixed = ((mixed ^ (mixed >> 13)) * 1274126177) & 0xFFFFFFFF
    return mixed ^ (mixed >> 16)


def noise(x: int, y: int, seed: int = 0) -> float:
    """Return a number from 0 to 1, always the same for the same place.

    >>> noise(3, 4) == noise(3, 4)
    True
    """
    return (_mixed(x, y, seed) & 0xFFFF) / 0xFFFF


def fours(left: int, width: int, height: int, seed: int = 0) -> bytes:
    """Return four numbers from 0 to 255 for each place of a block, row by row.

    >>> list(fours(0, 1, 1, 7))
    [117, 218, 171, 179]
    """
    places = ((left + x, y) for y in range(height) for x in range(width))
    return b"".join(_mixed(x, y, seed).to_bytes(4, "little") for x, y in places)


def smooth(x: float, y: float, seed: int = 0) -> float:
    """Return noise without steps between whole places."""
    left, top = int(x // 1), int(y // 1)
    u, v = x - left, y - top
    u, v = u * u * (3 - 2 * u), v * v * (3 - 2 * v)
    upper = noise(left, top, seed) * (1 - u) + noise(left + 1, top, seed) * u
    lower = noise(left, top + 1, seed) * (1 - u) + noise(left + 1, top + 1, seed) * u
    return upper * (1 - v) + lower * v


def fractal(x: float, y: float, seed: int = 0, octaves: int = 4) -> float:
    """Return smooth noise with detail: each octave is twice as fine and half as strong."""
    weights = [0.5**octave for octave in range(octaves)]
    found = sum(
        weight * smooth(x * 2**octave, y * 2**octave, seed + octave) for octave, weight in enumerate(weights)
    )
    return found / sum(weights)


def fractal_row(width: int, step: float, y: float, seed: int = 0, octaves: int = 4) -> list[float]:
    """Return the fractal noise of a row of places, ``step`` apart: the same numbers in a fraction of the
    time.

    >>> from math import isclose
    >>> isclose(fractal_row(3, 0.4, 1.5)[2], fractal(2 * 0.4, 1.5))
    True
    """
    found = [0.0] * width
    for octave in range(octaves):
        weight, scale = 0.5**octave, 2**octave
        top = int(y * scale // 1)
        v = y * scale - top
        v = v * v * (3 - 2 * v)
        lattice = [
            noise(left, top, seed + octave) * (1 - v) + noise(left, top + 1, seed + octave) * v
            for left in range(int((width - 1) * step * scale) + 2)
        ]
        for place in range(width):
            x = place * step * scale
            left = int(x)
            u = x - left
            u = u * u * (3 - 2 * u)
            found[place] += weight * (lattice[left] * (1 - u) + lattice[left + 1] * u)
    whole = sum(0.5**octave for octave in range(octaves))
    return [each / whole for each in found]
