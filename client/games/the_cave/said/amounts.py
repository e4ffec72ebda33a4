"""Things in words: ``3 consumables 2 rope, camera, camp 1 consumable`` as the command line of a pack."""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec.structs import replace

from cave.the_cave.state import NOTHING, ItemName, Items
from client.games.the_cave.known.packing import Draft

_WORDS: Mapping[str, ItemName] = {
    "food": "consumable",
    "foods": "consumable",
    "consumable": "consumable",
    "consumables": "consumable",
    "meal": "consumable",
    "meals": "consumable",
    "rope": "rope",
    "ropes": "rope",
    "oxygen": "oxygen",
    "half": "half_oxygen",
    "camera": "camera",
    "raft": "raft",
}
_IDLE = ("and", "with", "in", "into", "the", "a", "an", "of", "from")
_BAG = ("bag", "backpack", "pack")
KNOWN = "consumable, rope, oxygen, half oxygen, camera, raft"
MOST = 12


class Unclear(Exception):
    """An amount that cannot be understood; the text is one sentence that says why."""


def draft(text: str) -> Draft:
    """Return a pack in words; what follows ``camp`` goes into the camp. Raises Unclear."""
    before, camp, after = _parted(text, "camp")
    return Draft(items(before), items(after) if camp else None)


def exchange(text: str) -> tuple[Items, Items]:
    """Return what goes to the camp and what to the bag: ``1 consumable to camp 2 rope to bag``. Raises
    Unclear.
    """
    to_camp = to_backpack = NOTHING
    things: list[str] = []
    for word in _split(text):
        if word == "to":
            continue
        if word == "camp":
            to_camp += items(" ".join(things))
        elif word in _BAG:
            to_backpack += items(" ".join(things))
        else:
            things.append(word)
            continue
        things = []
    if things:
        raise Unclear("Say where it goes: exchange 1 consumable to camp 2 rope to bag.")
    return to_camp, to_backpack


def items(text: str) -> Items:
    """Return things in words: a number before each, or none for one. Raises Unclear."""
    found, number = NOTHING, None
    before = ""
    for word in _split(text):
        if word.isdecimal():
            if number is not None:
                raise Unclear(f"Put a number before each thing; {number} {word} makes no sense.")
            number = int(word[:6])
            if number > MOST:
                raise Unclear(f"{word[:12]} is more than a team can carry.")
        elif word in _WORDS and not (word == "oxygen" and before == "half"):
            name = _WORDS[word]
            held = getattr(found, name) + (1 if number is None else number)
            found, number = replace(found, **{name: held}), None
        elif word not in _WORDS and word not in _IDLE:
            raise Unclear(f"There is no thing called {word[:40]}. The things are {KNOWN}.")
        before = word
    if number is not None:
        raise Unclear(f"Say what you want {number} of: {KNOWN}.")
    return found


def _split(text: str) -> list[str]:
    """Return words and numbers; ``3ropes`` is two."""
    return re.findall(r"-?\d+|[^\W\d]+", text.casefold())


def _parted(text: str, word: str) -> tuple[str, bool, str]:
    words = _split(text)
    if word not in words:
        return " ".join(words), False, ""
    at = words.index(word)
    return " ".join(words[:at]), True, " ".join(words[at + 1 :])
