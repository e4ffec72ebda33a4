"""The house rules of The Cave (rule 8) in words: on the form of a new game, and on the command line.

Loads nothing, so that a help that lists them is quick.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

Value = bool | int | str


class HouseRule(NamedTuple):
    """A rule that can be otherwise than in an edition: its name, and its values with their words."""

    title: str
    values: tuple[tuple[Value, str], ...]


RULES: Mapping[str, HouseRule] = {
    "choke_cost": HouseRule("Boulder choke", ((1, "1 AP to enter"), (2, "2 AP to enter"))),
    "final_phase": HouseRule(
        "The end", (("three_rounds", "three more rounds"), ("one_turn", "one more turn each"))
    ),
    "stranded_score_nothing": HouseRule(
        "Not home at the end", ((True, "scores nothing"), (False, "scores as usual"))
    ),
    "camp_feeds": HouseRule("Consumables in camp", ((True, "feed you there"), (False, "do not feed you"))),
}
_SWITCH = {"yes": True, "on": True, "true": True, "no": False, "off": False, "false": False}


def word(value: Value) -> str:
    """How a value is typed."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def read(texts: Iterable[str]) -> dict[str, Value]:
    """The values that texts such as ``choke_cost=2`` give; raises ValueError with one sentence."""
    chosen: dict[str, Value] = {}
    for text in texts:
        name, equals, typed = (part.strip() for part in text.partition("="))
        rule = RULES.get(name)
        if rule is None:
            raise ValueError(f"There is no house rule {name!r}. The house rules are {_list(RULES)}.")
        words = [word(value) for value, _ in rule.values]
        if not equals:
            raise ValueError(f"{name} needs a value: type {name}={words[0]} or {name}={words[1]}.")
        value = next((each for each, _ in rule.values if _means(typed.casefold(), each)), None)
        if value is None:
            raise ValueError(f"{name} cannot be {typed!r}; it may be {' or '.join(words)}.")
        if chosen.setdefault(name, value) != value:
            raise ValueError(
                f"{name} is given twice, once as {word(chosen[name])} and once as {word(value)}."
            )
    return chosen


def _means(typed: str, value: Value) -> bool:
    return _SWITCH.get(typed) is value if isinstance(value, bool) else typed == str(value)


def _list(names: Iterable[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}"


def help_rows() -> list[tuple[str, str]]:
    """The house rules for the command line's help: what is typed, and what it means."""
    return [
        (f"{name}={word(value)}", f"{rule.title}: {words}")
        for name, rule in RULES.items()
        for value, words in rule.values
    ]
