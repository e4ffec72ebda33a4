"""House rules: what a new game may be asked for (``GameInfo.options``), as people type and read it.

The first option that presets others, such as an edition, stands apart: on the command line it has an
option of its own (``--edition``). All other options are house rules (``--rule``). Loads no rules.
"""

from __future__ import annotations

from collections.abc import Iterable

from cave.game import GameInfo, Json, Option, shortest

_SWITCH = {"yes": True, "on": True, "true": True, "no": False, "off": False, "false": False}


def preset(game: GameInfo) -> Option | None:
    """Return the option that presets the house rules; None where the game has no such option."""
    return next((option for option in game.options if option.presets), None)


def house_rules(game: GameInfo) -> tuple[Option, ...]:
    """Return the options that a person changes one by one; one with a single value is not asked for."""
    apart = preset(game)
    return tuple(option for option in game.options if option is not apart and len(option.values) > 1)


def preset_option(option: Option) -> str:
    """Return how the command line calls the option that presets the others."""
    return f"--{option.name.replace('_', '-')}"


def word(value: Json) -> str:
    """Return how a value is typed."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def words(option: Option) -> list[str]:
    """Return how its values are typed, the usual one first."""
    values = [value for value, _ in option.values]
    return [word(value) for value in sorted(values, key=lambda value: value != option.default)]


def read(game: GameInfo, texts: Iterable[str]) -> dict[str, Json]:
    """Return the values that texts such as ``choke_cost=2`` give; raises ValueError with one sentence."""
    known = {option.name: option for option in house_rules(game)}
    found: dict[str, Json] = {}
    for text in texts:
        name, equals, typed = (part.strip() for part in text.partition("="))
        option = known.get(name)
        if option is None:
            raise ValueError(f"There is no house rule {name!r}. {_listed(game, list(known))}")
        words = [word(value) for value, _ in option.values]
        if not equals:
            raise ValueError(f"{name} needs a value: type {' or '.join(f'{name}={each}' for each in words)}.")
        value = next((each for each, _ in option.values if _means(typed.casefold(), each)), None)
        if value is None:
            raise ValueError(f"{name} cannot be {typed!r}; it may be {' or '.join(words)}.")
        if found.setdefault(name, value) != value:
            raise ValueError(f"{name} is given twice, once as {word(found[name])} and once as {word(value)}.")
    return found


def settings(game: GameInfo, chosen: str, texts: Iterable[str]) -> Json:
    """Return the shortest settings for the preset that is ``chosen``, if any, and house rules as they are
    typed.

    Raises ValueError with one sentence.
    """
    values = read(game, texts)
    option = preset(game)
    if option is not None and chosen:
        values[option.name] = next(value for value, _ in option.values if word(value) == chosen)
    return shortest(game.options, values)


def preset_words(game: GameInfo, data: Json) -> str:
    """Return the preset by which a game with these settings is played; empty where it cannot be told."""
    option = preset(game)
    if option is None or not isinstance(data, dict):
        return ""
    wanted = data.get(option.name, option.default)
    return next((words for value, words in option.values if value == wanted), "")


def help_rows(game: GameInfo) -> list[tuple[str, str]]:
    """Return the house rules for the command line's help: what is typed, and what it means."""
    return [
        (f"{option.name}={word(value)}", f"{option.title}: {words}")
        for option in house_rules(game)
        for value, words in option.values
    ]


def _means(typed: str, value: Json) -> bool:
    return _SWITCH.get(typed) is value if isinstance(value, bool) else typed == str(value).casefold()


def _listed(game: GameInfo, names: list[str]) -> str:
    if not names:
        return f"{game.title} has none."
    *most, last = names
    return f"The house rules are {', '.join(most)} and {last}." if most else f"The house rule is {last}."
