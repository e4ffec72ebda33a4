"""Colours as plain numbers: mixing, luminance, contrast, and inks that can be read on a ground.

>>> mix(Rgb(0, 0, 0), Rgb(255, 255, 255), 0.5)
Rgb(red=128, green=128, blue=128)
>>> contrast(rgb("000000"), rgb("ffffff"))
21.0
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

CONTRAST = 4.5  # the least contrast of text and its ground (WCAG 2.1, 1.4.3)
STEPS = 20


class Rgb(NamedTuple):
    """A colour in truecolor, each part 0 to 255."""

    red: int
    green: int
    blue: int


BLACK, WHITE = Rgb(0, 0, 0), Rgb(255, 255, 255)


def rgb(text: str) -> Rgb:
    """Return the colour of six hexadecimal digits, with or without ``#``."""
    text = text.removeprefix("#")
    return Rgb(int(text[0:2], 16), int(text[2:4], 16), int(text[4:6], 16))


def inks(text: str) -> dict[str, Rgb]:
    """Return colours by name.

    >>> inks("red ff0000 blue 0000ff")["blue"]
    Rgb(red=0, green=0, blue=255)
    """
    words = text.split()
    return {name: rgb(colour) for name, colour in zip(words[::2], words[1::2], strict=True)}


def mix(one: Rgb, other: Rgb, share: float) -> Rgb:
    """Return the first colour with a share (0 to 1) of the other."""
    share = min(1.0, max(0.0, share))
    (red, green, blue), (to_red, to_green, to_blue) = one, other
    return Rgb(
        round(red + (to_red - red) * share),
        round(green + (to_green - green) * share),
        round(blue + (to_blue - blue) * share),
    )


def tint(colour: Rgb, factors: tuple[float, float, float]) -> Rgb:
    (red, green, blue), (by_red, by_green, by_blue) = colour, factors
    return Rgb(
        min(255, round(red * by_red)), min(255, round(green * by_green)), min(255, round(blue * by_blue))
    )


def linear(colour: Rgb) -> tuple[float, float, float]:
    """Return the light of red, green and blue, each 0 to 1 (sRGB)."""
    red, green, blue = (
        part / 255 / 12.92 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in colour
    )
    return red, green, blue


@lru_cache(maxsize=1 << 14)
def luminance(colour: Rgb) -> float:
    """Return the relative luminance, 0 to 1 (WCAG 2.1)."""
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Rgb, other: Rgb) -> float:
    """Return the contrast of two colours, 1 to 21 (WCAG 2.1)."""
    dark, light = luminance(one), luminance(other)
    return (light + 0.05) / (dark + 0.05) if light > dark else (dark + 0.05) / (light + 0.05)


@lru_cache(maxsize=1 << 14)
def readable(ink: Rgb, ground: Rgb, least: float = CONTRAST) -> Rgb:
    """Return the ink, moved towards white or black just so far that it can be read on this ground."""
    if contrast(ink, ground) >= least:
        return ink
    end = max(WHITE, BLACK, key=lambda each: contrast(each, ground))
    for step in range(1, STEPS):
        found = mix(ink, end, step / STEPS)
        if contrast(found, ground) >= least:
            return found
    return end
