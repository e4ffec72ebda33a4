"""What an analysis finds, in words."""

from __future__ import annotations

from cave.game import Json
from client.face import SheetWords
from client.lab.analysis import Other


def why(other: Other, words: SheetWords) -> str:
    """Where the difference comes from, after a colon; nothing where it is in no category."""
    gains = {
        category: points - other.after_done.parts.get(category, 0)
        for category, points in other.after_better.parts.items()
    }
    best = sorted((each for each, gain in gains.items() if gain >= 0.5), key=lambda each: -gains[each])
    parts = [f"{words.categories.get(each, each)} {gains[each]:+.1f}" for each in best[:2]]
    rival = (other.after_better.lead - other.after_better.points) - (
        other.after_done.lead - other.after_done.points
    )
    if rival >= 0.5:
        parts.append(f"the best other player {-rival:+.1f}")
    return f": {', '.join(parts)}" if parts else ""


def action_words(action: Json) -> str:
    """An action in a few words, such as ``move (to 0,-1, by foot)``."""
    details = [
        f"{name} {_value_words(value)}"
        for name, value in action.items()
        if name != "type" and value not in (None, False)
    ]
    said = str(action.get("type")).replace("_", " ")
    return f"{said} ({', '.join(details)})".replace("_", " ") if details else said


def _value_words(value: Json) -> str:
    if isinstance(value, list):
        return ",".join(_value_words(each) for each in value)
    if isinstance(value, dict):
        return " ".join(f"{_value_words(each)} {name}" for name, each in value.items())
    return str(value)
