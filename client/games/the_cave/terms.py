"""The words for things of the cave, prices and gains."""

from __future__ import annotations

from collections.abc import Iterable

from cave.game import Json
from cave.the_cave.actions import Gain, Price
from cave.the_cave.state import ITEM_NAMES, Coord, Items
from client.face import LETTERS
from client.wording import count, joined

SIDE_WORDS = {"N": "north", "E": "east", "S": "south", "W": "west"}
WAYS = {"foot": "", "oxygen": "with oxygen", "raft": "by raft", "force": "by force"}  # how to enter a place
ROMAN = ("I", "II", "III", "IV")

KINDS = {
    "plain": "tunnel",
    "water": "water",
    "wonder": "wonder",
    "descent": "descent",
    "choke": "boulder choke",
    "base": "home base",
}
_BRIEF = {"half oxygen": "half oxy", "consumables": "cons", "consumable": "cons", "oxygen": "oxyg"}


def tile_kind_words(name: str, level: int = 0) -> str:
    return f"squeeze {level}" if name == "squeeze" else KINDS[name]


def a_tile(name: str, level: int = 0) -> str:
    """Return a tile in a sentence: ``a tunnel``, ``water``, ``the home base``."""
    article = {"water": "", "base": "the "}.get(name, "a ")
    return f"{article}{tile_kind_words(name, level)}"


def depth_words(metres: int) -> str:
    """Return a depth as on the map, with its unit: ``0 m`` or ``-50 m``."""
    return f"-{metres} m" if metres else "0 m"


def amounts_words(things: Items | Json) -> list[str]:
    """Return the non-zero amounts: ``2 consumables``, ``1 rope``."""
    counts = dict(zip(ITEM_NAMES, things.counts(), strict=True)) if isinstance(things, Items) else things or {}
    return [_amount_words(counts[name], name.replace("_", " ")) for name in ITEM_NAMES if counts.get(name)]


def items_words(things: Items | Json) -> str:
    """Return ``2 consumables, 1 rope``; ``nothing`` for none."""
    return ", ".join(amounts_words(things)) or "nothing"


def _amount_words(number: int, thing: str) -> str:
    return f"{number} {thing}" if thing.endswith("oxygen") else count(number, thing)


def brief_thing_name(text: str, cells: int) -> str:
    """Return an item's name, or its short form if the name does not fit into the cells."""
    if len(text) > cells:
        for word, short in _BRIEF.items():
            text = text.replace(word, short)
    return text


def price_words(cost: Price) -> str:
    """Return the price: ``2 AP, 1 rope``; ``free`` if there is none."""
    parts = [f"{cost.ap} AP"] if cost.ap else []
    if cost.uses.rope:
        parts.append(count(cost.uses.rope, "rope"))
    if cost.uses.tank:
        parts.append(count(cost.uses.tank, "tank"))
    return ", ".join(parts) or "free"


def gain_words(points: int) -> str:
    """Return the victory points of an action: ``+3``, or nothing."""
    return f"+{points}" if points else ""


def tokens_brought_words(brings: Gain | Json) -> str:
    """Return the tokens of a gain in words: ``2 traverse, depth 50``; nothing for none."""

    def number(name: str) -> int:
        value = getattr(brings, name) if isinstance(brings, Gain) else (brings or {}).get(name, 0)
        return int(value)

    parts = [f"{number(name)} {name}" for name in ("traverse", "photo", "water") if number(name)]
    if number("squeeze"):
        parts.append(f"squeeze {number('squeeze')}")
    if number("depth"):
        parts.append(f"depth {number('depth')}")
    return ", ".join(parts)


def direction_words(start: Coord, to: Coord) -> str:
    """Return the rough direction from one place to another: ``N``, ``SE``; nothing for the same place."""
    dx, dy = to[0] - start[0], to[1] - start[1]
    up_down = "" if not dy else "S" if dy > 0 else "N"
    return up_down + ("" if not dx else "E" if dx > 0 else "W")


def sides_words(sides: Iterable[str]) -> str:
    return joined([SIDE_WORDS[side] for side in sides])


def team_letter(seat: int) -> str:
    return LETTERS[seat]
