"""The Cave's own settings: before what it asks, as it cannot be taken back."""

from __future__ import annotations

from client.settings.schema import Setting, question


def _ask(name: str, title: str, about: str, *, asked: bool = True) -> Setting:
    return question(
        f"the-cave.confirm_{name}", "The Cave", title, about, asked=asked, formerly=f"confirm.{name}"
    )


PLACE = _ask("place", "Placing a tile", "Ask before a tile is placed for good.", asked=False)
END_TURN = _ask("end_turn", "Ending the turn", "Ask before a turn ends with action points you can use.")
WALK = _ask("walk", "Going far", "Ask before a walk of several turns, or to where you cannot get home from.")
FORCE = _ask("force", "Forcing a passage", "Ask before a forced move takes all 5 action points.")
ABANDON = _ask("abandon", "Abandoning the camp", "Ask before the camp is abandoned for good.")
SETTINGS = (PLACE, END_TURN, WALK, FORCE, ABANDON)
