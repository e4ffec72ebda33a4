"""Names of goods, rooms, tiles and spaces; effects in words or in a few signs.

Signs fit a space of the cave: long effects that differ only in numbers are merged.

>>> goods_words({"wood": 2, "gold": 1}), space_words((3, -1))
('2 wood and 1 gold', '3,-1')
>>> tile_text("expedition", 2), goods_as_letters(tile_text("expedition", 2))
('trade 5 wood or 5 stone for 4 gold, or use 3 orange rooms', 'trade 5W or 5S for 4G, or use 3 rooms')
>>> tile_text("excavation", 2), goods_as_letters(tile_text("excavation", 2))
('dig up 1 room, or 2 at once for 2 food; get 1 stone', 'dig 1, or 2 for 2F; +1S')
>>> room_effect("spinning_wheel"), room_signs("spinning_wheel")
('trade 1 flax for 1 gold, or 3 flax for 2 gold', '1L>1G 3L>2G')
>>> room_effect("tunnel"), room_signs("tunnel")
('get 2 food, and 1 stone if you have fewer than 3 stone', '+2F+1S<3S')
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import groupby

from cave.cave_vs_cave.actions import Edge, Space
from cave.cave_vs_cave.components import Blue, Effect, Room, Size, components
from cave.cave_vs_cave.goods import GOODS, Amounts, Good, amounts_by_name
from cave.cave_vs_cave.state import BESIDE, ENTRANCE, SIDES, Player
from client.wording import begun, count, joined

LETTERS: Mapping[Good, str] = dict(zip(GOODS, "WSELFGDOIP", strict=True))  # in narrow panes
WALLS: Mapping[str, tuple[str, str]] = {
    "D---": ("1", "exactly 1 wall"),
    "D--D": ("corner", "2 walls that meet in a corner"),
    "-D-D": ("opposite", "2 walls on opposite sides"),
    "DD-D": ("3", "exactly 3 walls"),
    "DDDD": ("4", "4 walls"),
    "D--o": ("1 or corner", "1 wall, or 2 that meet in a corner"),
    "Do-o": ("1, corner or 3", "1 wall, 2 that meet in a corner, or 3"),
    "Do-D": ("corner or 3", "2 walls that meet in a corner, or 3"),
    "DDoD": ("3 or 4", "3 or 4 walls"),
    "o---": ("0 or 1", "no wall or 1"),
    "oo-o": ("0 to 3", "at most 3 walls"),
}
"""The walls that a pattern needs (rule 4.5), for a column and in words."""
SIDE_NAMES = {"N": "north", "E": "east", "S": "south", "W": "west"}
_EXPLAINING = (
    (" orange(?= room)", ""),
    (" at once", ""),
    (r"dig up 1 room (?=through)", "dig "),
    (r"dig up (\d)( room)?", r"dig \1"),
    ("furnish another room (?=for)", "another "),
    (" a room(?= for (?!its)| at)", ""),
)
"""Words to drop beside letters, and their short forms."""
_SHORTER = (
    (r"(.); needs more .*", r"\1"),
    (r"needs more (\w+) than [^:;]*: \d+ to \d+; ", r"if most \1: "),
    (" a room for its own cost alone", " for 0F"),
    ("furnish for ", "furnish "),
    (r"; \+", " +"),
    (r"dig 1, or 2 for (\w+)", r"dig 1 or 2 (\1)"),
    (", or ", " or "),
    (r"another for", "another"),
    (r"(?<=[A-Z]) or (?=\d*[A-Z]\b(?! for))", "/"),
    ("dig through walls", "dig past walls"),
    (r"(?<!you )build a wall", "wall"),
    ("if you have fewer than", "if below"),
    (r"raze a wall( \(.*?\))?, ", r"raze\1 "),
    (", any number of times", " each"),
    ("trade ", ""),
    (" and 1 more", "+1"),
    (" rooms?", ""),
    ("dig past walls", "dig walls"),
    (r"(?<!dig 1) or ", "/"),
    ("; another ", " & "),
    (r"(if most \w: )wall; (furnish) 0F", r"\1\2"),
)
"""Words to drop in narrow lines, in this order."""

_SIZES: Mapping[Size, str] = {"1": "1 room", "2": "2 rooms", "3": "3 rooms", "1+1": "1 room and 1 more"}
_NAMED = re.compile(rf"(?:(\d+) )?\b({'|'.join(GOODS)})s?\b")
MARKED = re.compile(rf"(?<![A-Za-z])([{''.join(LETTERS.values())}])(?![A-Za-z])|\b({'|'.join(GOODS)})s?\b")
"""Matches a good in a text: its letter or its name."""


def good_number(found: re.Match[str]) -> int:
    return "".join(LETTERS.values()).index(found[1]) if found[1] else GOODS.index(found[2])


@lru_cache(maxsize=1024)
def goods_as_letters(words: str) -> str:
    """Return a text without explaining words, and with letters instead of the names of goods: ``get 2 emmer and
    1 flax`` is ``+2E 1L``.
    """
    for long, short in _EXPLAINING:
        words = re.sub(long, short, words)
    told = _NAMED.sub(lambda found: f"{found[1] or ''}{LETTERS[found[2]]}", words)  # type: ignore[index]
    told = re.sub(r"(?<=\d[A-Z])(?:,| and) (?=\d+[A-Z](?! or))", " ", told)
    return re.sub(r"(?<!you )get (?=\d)", "+", told)


@lru_cache(maxsize=1024)
def effect_in_few_words(words: str, room: int) -> str:
    """Shorten a text to fit, dropping as few words as possible.

    >>> [effect_in_few_words("use 2 rooms, or dig through walls", width) for width in (30, 19)]
    ['use 2 rooms or dig past walls', 'use 2 or dig walls']
    """
    for long, short in _SHORTER:
        if len(words) <= room:
            break
        words = re.sub(long, short, words)
    return words


def walls_there(sides: int) -> str:
    """Return the walls around a space (a sum of ``SIDES``) as in the column of rooms."""
    many = sides.bit_count()
    if many == 2:
        return "opposite" if sides in (5, 10) else "corner"
    return count(many, "wall") if many else "no walls"


def goods_words(given: Mapping[Good, int]) -> str:
    """Return goods in words: ``2 wood and 1 gold``; only donkeys and weapons have a plural."""
    return joined(
        [
            count(many, good) if good in ("donkey", "weapon") else f"{many} {good}"
            for good, many in given.items()
            if many
        ]
    )


def amounts_as_letters(given: Amounts) -> str:
    return goods_words(amounts_by_name(given)) or "nothing"


def space_words(at: Space) -> str:
    return "cavern" if isinstance(at, str) else f"{at[0]},{at[1]}"


def wall_side_words(at: Space, edge: Edge) -> str:
    """Return the side of a space that has this wall; ``beside`` if a host names a wall that cannot be."""
    sides = {each: bit for bit, _, each in BESIDE[2].get(edge[edge[0] != at], ())}
    return next((name for letter, name in SIDE_NAMES.items() if SIDES[letter] == sides.get(edge)), "beside")


def wall_place_words(player: Player, edge: Edge, here: Space | None = None) -> str:
    """Return the place of a wall: ``north of Spinning Wheel``, or of the space if it touches no room.

    A wall of the space ``here`` is named by that.
    """
    at = min(edge, key=lambda at: (at != here, at != ENTRANCE and at not in player.rooms, at in player.covered))
    name = "cave_entrance" if at == ENTRANCE else player.rooms.get(at, "")
    bare = "face-down room" if at in player.covered else "empty space"
    return f"{wall_side_words(at, edge)} of {room_name(name) if name else f'the {bare} {space_words(at)}'}"


def room_of_name(name: str) -> Room:
    return components().rooms[name]


def room_name(name: str) -> str:
    return components().rooms[name].name


def tile_name(name: str) -> str:
    return components().tiles[name].name


def walls_words(of: Room) -> str:
    return WALLS[of.walls][1]


@cache
def room_effect(name: str) -> str:
    """Return the effect of a room, used or automatic; empty for the Armory."""
    found = components().rooms[name]
    return join_alternatives(found.effects) if found.blue is None else _by_itself(found.blue)


def use_sentence(name: str) -> str:
    """Return the colour and the effect of a room as a sentence."""
    words, colour = room_effect(name), room_of_name(name).colour
    if not words:
        return f"{begun(colour)}, only worth points."
    lets = words.startswith(("trade", "use"))  # an offer, while the other blue rooms act without being asked
    how = "use it:" if colour != "blue" else "lets you" if lets else "works by itself:"
    return f"{begun(colour)}, {how} {words}."


def points_sign(name: str) -> str:
    """Return the points of a room, after a ``b`` if it is blue: colours may be few."""
    return f"{'b' * (room_of_name(name).colour == 'blue')}{room_of_name(name).vp}"


def room_label(name: str) -> str:
    """Return the name of a room for a list, with the colour if it is blue."""
    return room_name(name) + (" (blue)" if room_of_name(name).colour == "blue" else "")


def tile_text(name: str, turns: int, *, explained: bool = False) -> str:
    return "; ".join(tile_parts(name, turns, explained=explained))


def tile_parts(name: str, turns: int, *, explained: bool = True) -> tuple[str, ...]:
    """Return the actions of a tile in words; ``explained``: with the reason of a price that is the turns of the
    round.
    """
    actions = components().tiles[name].actions
    varies = [explained and len({*each}) > 1 for each in zip(*actions.values(), strict=True)]
    parts = zip(actions[turns], varies, strict=True)
    told = [join_alternatives(each) + PER_TURN * by_turns for each, by_turns in parts]
    if told[0].startswith("furnish"):
        told[1:] = [each.replace("furnish a room", "furnish another room") for each in told[1:]]
    return tuple(told)


def join_alternatives(effects: Sequence[Effect]) -> str:
    """Join alternative effects; their common start and end appear once."""
    if effects and effects[0].goods:
        return f"trade 3 different goods for {amounts_as_letters(effects[0].get)}"
    told = dict.fromkeys(map(effect_words, effects))
    return ", or ".join(_merge_sentences([*alike]) for _, alike in groupby(told, lambda each: each.split()[0]))


def _merge_sentences(sentences: Sequence[str]) -> str:
    first, *others = words = [each.split() for each in sentences]
    if not others:
        return sentences[0]
    start = next(n for n in range(99) if len({" ".join(each[: n + 1]) for each in words}) > 1)
    end = next(n for n in range(99) if len({" ".join(each[len(each) - n - 1 :]) for each in words}) > 1)
    if start and first[start - 1].isdecimal() and first[start - 1] != "1":
        start -= 1  # Five of one good or five of the other: they cannot be mixed.
    middles = [" ".join(each[start : len(each) - end]) for each in words]
    if any(" for" in f" {each}" for each in middles):
        return ", or ".join([sentences[0], *(" ".join(each[start:]) for each in others)])
    return " ".join([*first[:start], joined(middles, "or"), *first[len(first) - end :]])


def effect_words(of: Effect) -> str:
    """Return one effect in words that begin with a verb."""
    cost = f" for {amounts_as_letters(of.pay)}" if of.pay else ""
    if of.kind == "furnish":
        return f"furnish a room{cost or ' for its own cost alone'}"
    if of.dig:
        which = "1 room" if of.dig == 1 else f"{of.dig} at once"
        return f"dig up {which}{' through walls' if of.through_walls else cost}"
    if of.rooms:
        return f"use {_SIZES[of.rooms].replace(' room', ' orange room')}"
    if of.fill:
        which = "all goods" if len(of.fill) > 1 else GOODS[of.fill[0][0]]
        return f"raise {which} to {of.fill[0][1]}"
    if of.kind == "build_wall":
        return "build a wall"
    gain = amounts_as_letters(of.get)
    if of.pay:
        return f"trade {amounts_as_letters(of.pay)} for {gain}" + (", any number of times" if of.repeats else "")
    if of.per:
        good, each, more = of.per
        return f"get {amounts_as_letters(more)} for every {amounts_as_letters(((good, each),))}"
    if of.below:
        good, least, more = of.below
        gain += f", and {amounts_as_letters(more)} if you have fewer than {amounts_as_letters(((good, least),))}"
    return f"raze a wall, get {gain}" if of.kind == "raze_wall" else f"get {gain}"


def _by_itself(blue: Blue) -> str:
    """Return the effect of a blue room, with its moment (rules 5.4 to 5.9)."""
    if blue.may is not None:
        return f"{effect_words(blue.may)} with {tile_name(blue.tile)}"
    # "Use 1 room and 1 more" says "use 1 room", too.
    sizes = [told for size, told in _SIZES.items() if size in blue.rooms and not (size == "1+1" and "1" in blue.rooms)]
    told = f"use {count(blue.more_rooms, 'room')} more" if blue.more_rooms else f"get {amounts_as_letters(blue.get)}"
    moment = "you dig" if blue.dig else "you build a wall" if blue.wall else "you get 1 to 3 flax"
    moment = f"a tile says use {joined(sizes, 'or')}" if sizes else moment
    return f"{told} when {moment}"


PER_TURN = " (as much food as you have turns this round)"
SIGNS = 11  # most columns of a room's signs


@cache
def room_signs(name: str) -> str:
    """Return the effect of a room in a few signs."""
    found = components().rooms[name]
    if found.blue is not None:
        return _blue_signs(found.blue)
    effects = found.effects
    if not effects:
        return "no action"
    if len(words := goods_as_letters(room_effect(name))) <= SIGNS:
        return words
    if effects[0].goods:
        return f"3 kinds>{_effect_signs(effects[0].get)}"
    if effects[0].good:
        letters = [LETTERS[each.good] for each in effects if each.good]
        if effects[0].fill:
            return f"{''.join(letters)} to {effects[0].fill[0][1]}"
        return f"+{effects[0].get[0][1]} {'/'.join(letters)}"
    paid = [each for each in effects if each.pay]
    whole = " ".join(f"{_effect_signs(each.pay)}>{_gain_signs(each).removeprefix('+')}" for each in paid)
    if len(paid) == len(effects) and len(whole) <= SIGNS:
        return whole
    told = [_gain_signs(each) for each in effects if not each.pay]
    kinds = {tuple(good for good, _ in (*each.pay, *each.get)) for each in paid}
    if len(kinds) == 1 and paid[0].get:
        free = tuple((good, 0) for good, _ in paid[0].pay)
        pays = [each.pay or free for each in effects]
        told = [f"{_amounts_series(pays)}>{_amounts_series([each.get for each in effects])}"]
    else:
        costs: dict[str, str] = {}
        for each in paid:
            brings = _gain_signs(each).removeprefix("+")
            costs[brings] = "/".join(filter(None, (costs.get(brings), _effect_signs(each.pay))))
        told += [f"{cost}>{brings}" for brings, cost in costs.items()]
    return "|".join(told)


def _amounts_series(of: Sequence[Amounts]) -> str:
    """Return amounts of the same goods: ``1/3L``, ``4F1/2G``."""
    told = ""
    for column in zip(*of, strict=True):
        numbers = [*dict.fromkeys(many for _, many in column)]
        in_a_row = len(numbers) > 2 and numbers == [*range(numbers[0], numbers[-1] + 1)]
        signs = f"{numbers[0]}-{numbers[-1]}" if in_a_row else "/".join(map(str, numbers))
        told += signs + LETTERS[GOODS[column[0][0]]]
    return told


def _gain_signs(of: Effect) -> str:
    parts = [f"+{_effect_signs(of.get)}" if of.get else ""]
    if of.fill:
        parts.append("all" if len(of.fill) > 1 else GOODS[of.fill[0][0]])
        parts.append(f" to {of.fill[0][1]}")
    for limit, sign in ((of.below, "<"), (of.per, "/")):
        if limit:
            parts.append(f"+{_effect_signs(limit[2])}{sign}{limit[1]}{LETTERS[GOODS[limit[0]]]}")
    return "".join([*parts, "dig" if of.dig else ""])


def _blue_signs(of: Blue) -> str:
    if of.may is not None:
        return f"tile {_effect_signs(of.may.pay)}>{_effect_signs(of.may.get)}"
    if of.more_rooms:
        return "use 2/3: +1"
    sizes = "/".join(sorted(each for each in of.rooms if each != "1+1"))
    moment = "dig" if of.dig else "wall" if of.wall else "flax"
    return f"{f'use {sizes}' if sizes else moment}: +{_effect_signs(of.get)}"


def _effect_signs(of: Iterable[tuple[int, int]]) -> str:
    return "".join(f"{many}{LETTERS[GOODS[good]]}" for good, many in of)
