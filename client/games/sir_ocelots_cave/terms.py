"""Names of gems, tools, places and amethysts.

>>> gems_words(["opal", "emerald", "opal"])
'2 opals and an emerald'
>>> board_place_words((9, 4))
'9,4'
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from cave.codec import Place
from cave.sir_ocelots_cave.components import CELESTITES, GEMS, LEVEL, RAYS, Gem, Kind, Special, Tool, Value, components
from cave.sir_ocelots_cave.legal import NAMES as NAMES
from cave.sir_ocelots_cave.legal import with_article as with_article
from cave.sir_ocelots_cave.state import SIDES_OF
from client.wording import count, joined

POINTS: Mapping[Gem, int] = components().points
TOOL_LETTERS: Mapping[Tool, str] = {"compass": "C", "lamp": "L", "pickaxe": "P"}
COMPASS_WORDS = {"N": "north", "E": "east", "S": "south", "W": "west"}
SHORT: Mapping[Gem, str] = {
    "rock_crystal": "crystal",
    "celestite_sun": "sun",
    "celestite_crescent": "crescent",
    "celestite_star": "star",
    "opal": "opal",
    "emerald": "emerald",
    "red_beryl": "beryl",
    "geode": "geode",
}
AVERAGE = "on average 4 points on level 1, 8 on level 2, 12 or more on level 3"
"""The worth of an amethyst before the first turn; see ``amethyst_means``."""
ABOUT: Mapping[Gem, str] = {
    **dict.fromkeys(CELESTITES, "sun, crescent and star together bring a blue amethyst"),
    "geode": f"it brings an amethyst of its level, {AVERAGE}",
    "rock_crystal": "your companion takes it, too, when it goes there",
}
COUNTS: Mapping[Special, str] = {
    "value_1": "1 for each of your gems worth 1",
    "value_3": "1 for each of your gems worth 3",
    "left_1": "1 for each gem left on level 1",
    "left_2_3": "2 for each gem left on levels 2 and 3",
}
"""Points of special amethysts (rule 6.3)."""
COUNTED: Mapping[Special, str] = {
    "value_1": "gems worth 1",
    "value_3": "gems worth 3",
    "left_1": "gems left on level 1",
    "left_2_3": "gems left on levels 2 and 3",
}
LAST_TURNS = 4  # turns left from which the end is near


def board_place_words(at: Place) -> str:
    return f"{at[0]},{at[1]}"


def gem(kind: Gem) -> str:
    return with_article(NAMES[kind])


def plural(kind: Gem) -> str:
    if kind == "emerald":
        return "emeralds"
    name = NAMES[kind]
    return name if name.endswith("s") else f"{name}s"


def gems_words(found: Iterable[Gem]) -> str:
    counted = Counter(found)
    words = [gem(kind) if counted[kind] == 1 else f"{counted[kind]} {plural(kind)}" for kind in GEMS if counted[kind]]
    return joined(words) or "nothing"


def gems_in_few_words(found: Iterable[Gem]) -> str:
    """Return gems in short: ``2 opals, emerald``."""
    counted = Counter(found)
    return ", ".join(
        SHORT[kind] if counted[kind] == 1 else f"{counted[kind]} {SHORT[kind]}s" for kind in GEMS if counted[kind]
    )


def points_of_gems(found: Iterable[Gem]) -> int:
    return sum(POINTS.get(kind, 0) for kind in found)


def gain_words(found: Sequence[Gem], points: int, sets: int = 0) -> str:
    """Return the points of gems in short: `` +8``, or `` about +8`` with a geode; with ``sets`` of celestites
    `` +8 and an amethyst (set)``.
    """
    also = f" and {set_words(sets)}" if sets else ""
    return " about" * ("geode" in found) + f" {points:+}" * bool(found) + also


def set_words(sets: int) -> str:
    return "an amethyst (set)" if sets == 1 else f"{sets} amethysts (sets)"


NAMED_KINDS = 3  # most kinds of gems that a sentence names


def worth(found: Sequence[Gem], points: int, sets: int = 0) -> str:
    """Return gems, or how many of many kinds, with their points: ``2 opals and a geode, about 11 points``."""
    about, also = "about " * ("geode" in found), f", and {set_words(sets)}" if sets else ""
    named = gems_words(found) if len({*found}) <= NAMED_KINDS else count(len(found), "gem")
    return named + f", {about}{count(points, 'point')}" * bool(found) + also


def tool_words(kind: Kind, side: Tool) -> str:
    return f"{side} {other_side_words(side, (kind,))}"


def other_side_words(side: Tool, kinds: Iterable[Kind], left: int | None = None) -> str:
    """Return the tools on the other side of such tools, and their number: ``(other side: compass; 4 left)``."""
    others = [other for kind in kinds for other in SIDES_OF[kind] if other != side]
    return f"(other side: {joined(others, 'or')}{'' if left is None else f'; {left} left'})"


def gem_levels_words(at: Place) -> str:
    found = sorted({ray.level for ray in RAYS[at]})
    return f"level{'s' if len(found) > 1 else ''} {joined([str(each) for each in found])}"


def gem_place_words(at: Place) -> str:
    if at in LEVEL:
        return f"square {board_place_words(at)} on level {LEVEL[at]}"
    return f"rim space {board_place_words(at)} of {gem_levels_words(at)}"


def gem_value_words(of: Value) -> str:
    return str(of) if isinstance(of, int) else COUNTS[of]


def tool_letters(tools: Iterable[Tool]) -> str:
    return "".join(TOOL_LETTERS[tool] for tool in tools)


def tools_left_words(tools: Sequence[int]) -> str:
    """Return tools of each kind: ``5 compass/lamp, 4 lamp/pickaxe, 2 pickaxe/compass``."""
    return ", ".join(kinds_left(tools))


def kinds_left(tools: Sequence[int], *, letters: bool = False) -> list[str]:
    names = TOOL_LETTERS if letters else {tool: tool for tool in TOOL_LETTERS}
    pairs = ("/".join(names[side] for side in sides) for sides in SIDES_OF.values())
    return [f"{number} {pair}" for number, pair in zip(tools, pairs, strict=True)]
