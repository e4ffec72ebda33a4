"""The words for hexes, passages, items, hazards and misfortunes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import inf

from cave import games
from cave.caves_of_casadh.components import HOME, NAMES, Cell, Hazard, ItemKind, Layout, MisfortuneKind, components
from cave.caves_of_casadh.state import State
from client.wording import joined

HAZARDS: dict[Hazard, str] = {"methane": "Methane", "bats": "Bats", "tremors": "Tremors", "grue": "Grues"}
DOOMS = {
    "methane": "methane",
    "bats": "bats",
    "tremors": "tremors",
    "grue": "a grue",
    "rockfall": "a rockfall",
    "cut_off": "a grue, with no way to flee",
}
"""Causes of damage and death, as after "by"."""
DEATHS = {
    "dynamite": "dies as dynamite goes off",
    "gave_up": "gives up, and dies in the caves",
    "time": "is still in the caves after the last round, and dies",
}
"""Deaths without damage; death by dynamite is logged before the collapse."""
BRIEF: dict[str, tuple[str, str]] = {
    "rope": ("Rope", "Ro"),
    "canteen": ("Cant", "Ca"),
    "gas_mask": ("Mask", "GM"),
    "boots": ("Boot", "HB"),
    "helmet": ("Helm", "He"),
    "lantern": ("Lant", "BL"),
    "medkit": ("Med", "Me"),
    "battery": ("Batt", "Ba"),
    "dynamite": ("Dyn", "Dy"),
    "thirst": ("Thir", "Th"),
    "flashlight_out": ("Flsh", "FO"),
    "twisted_ankle": ("Ankl", "TA"),
}
"""Short and shortest names of the cards in a hand: items, and misfortunes kept."""
GRUE_MAY_WAKE = "a grue may wake here"
NOT_YET = "unexplored"
WAYS = ("north", "north-east", "south-east", "south", "south-west", "north-west")
ALMOST_ALL = 5  # sides of a passage from which it is named by the missing one
IN_ASCII = str.maketrans("♦≈⌂▲▼◄►×", "&~@^v<>x")  # the signs of the map in ASCII


def pane_signs(glyphs: str) -> Mapping[str, str]:
    """Return the signs beside the map: for HP, MP, lost points, Base Camp and the place under the cursor."""
    found = "o#.@}" if glyphs == "ascii" else "♥■·⌂»"
    return dict(zip(("hp", "mp", "lost", "base", "lit"), found, strict=True))


def cell_words(at: Sequence[int]) -> str:
    return f"{at[0]},{at[1]}"


def place_words(name: str, at: Sequence[int]) -> str:
    """Return a hex with its place; Base Camp is always at 0,0."""
    return name if tuple(at) == HOME else f"{name} {cell_words(at)}"


def hex_place(cave: State, at: Sequence[int]) -> str:
    return place_words(hex_name(cave, (at[0], at[1])), at)


def death_words(cause: str) -> str:
    return DEATHS.get(cause) or f"dies of {DOOMS[cause]}"


def effect_sentence(name: str) -> str:
    """Return the effect of an item, a misfortune or a hazard, in the glossary's words."""
    from cave.glossary import load_glossary  # not needed for the first screen

    word = load_glossary(games.get_game("caves-of-casadh"))[name.casefold()]
    return re.sub(r"^An? (item|misfortune|hazard)[:;]? ", "", word.says).removesuffix(".")


def explore_price(mp: float = inf) -> str:
    """Return the MP that a card costs, which takes no more than there are: ``1-4 MP``."""
    moves = [min(card.move, mp) for card in components().cards.values()]
    return f"{min(moves)}-{max(moves)} MP" if mp > 1 else "1 MP"


def item_words(kind: ItemKind) -> str:
    return components().items[kind].name


def item_list_words(kinds: Iterable[ItemKind]) -> str:
    return joined([item_words(kind) + (f" x{many}" if many > 1 else "") for kind, many in Counter(kinds).items()])


def misfortune_name(kind: MisfortuneKind) -> str:
    return components().misfortunes[kind].name


def misfortune_names(cards: Iterable[str], called: Callable[[MisfortuneKind], str] = misfortune_name) -> list[str]:
    return [called(kind) + (f" x{many}" if many > 1 else "") for kind, many in _held_misfortunes(cards).items()]


def misfortune_burdens(cards: Iterable[str]) -> list[str]:
    """Return the misfortunes among cards, each with the MP it costs every turn: ``Thirst -1 MP``."""
    found = [(components().misfortunes[kind], many) for kind, many in _held_misfortunes(cards).items()]
    return [f"{each.name} {many * each.mp:+d} MP" for each, many in found]


def _held_misfortunes(cards: Iterable[str]) -> Counter[MisfortuneKind]:
    kinds = [components().cards[card].misfortune for card in cards]
    return Counter(kind for kind in kinds if kind != "none")


def sides_words(found: Sequence[int]) -> str:
    """Return sides of the map: ``N and SE``, ``all sides but S`` or ``all sides``."""
    if len(found) < ALMOST_ALL:
        return joined([NAMES[side] for side in found])
    return " but ".join(["all sides", *(name for side, name in enumerate(NAMES) if side not in found)])


def passage_words(lie: Layout, index: int) -> str:
    """Return a passage by its sides: ``passage to N and SE``, ``dead end S``."""
    found = lie.sides[index]
    return f"dead end {sides_words(found)}" if len(found) == 1 else f"passage to {sides_words(found)}"


def onward_words(found: Sequence[int], back: int) -> str:
    """Return where a passage leads from ``back``: ``on to N``, ``a dead end``."""
    on = found if len(found) >= ALMOST_ALL else [side for side in found if side != back]
    return f"on to {sides_words(on)}" if on else "a dead end"


def hex_name(cave: State, at: Cell) -> str:
    laid = cave.map.get(at)
    return NOT_YET if laid is None else components().hexes[laid.hex].name


def damage_words(number: int) -> str:
    return f"-{number} HP" if number else ""


def percent_words(cave: State, limit: int) -> str:
    sides = cave.settings.die_sides
    return f"{round(100 * min(limit, sides) / sides)}%"
