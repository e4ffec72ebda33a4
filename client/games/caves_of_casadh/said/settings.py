"""The questions of The Caves of Casadh: before what cannot be taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from client.games.caves_of_casadh.known import terms
from client.settings.schema import Setting, question

if TYPE_CHECKING:
    from client.games.caves_of_casadh.known.scene import CasadhScene

GAME = "The Caves of Casadh"
END = question("caves-of-casadh.confirm_end", GAME, "Ending the turn", "Ask before a turn ends with MP left.")
LEAVE = question(
    "caves-of-casadh.confirm_leave", GAME, "Leaving for good", "Ask before a spelunker leaves the caves."
)
GIVE_UP = question(
    "caves-of-casadh.confirm_give_up", GAME, "Giving up", "Ask before a spelunker gives up and dies."
)
DEFUSE = question(
    "caves-of-casadh.confirm_defuse", GAME, "Defusing", "Ask before the roll of who defuses dynamite."
)
SETTINGS = (END, LEAVE, DEFUSE, GIVE_UP)


def question_before(kind: str, now: CasadhScene) -> tuple[Setting, str] | None:
    """Return what is asked before an action of this type, and the setting that asks."""
    cave, hp = now.cave, now.me.hp
    match kind:
        case "end_turn" if cave.mp:
            return END, f"You have {cave.mp} MP left. End the turn?"
        case "defuse" if hp < cave.settings.die_sides:
            works = f"It works with a roll of {hp} or less ({terms.percent(cave, hp)})"
            return DEFUSE, f"Try to defuse? {works}; else it goes off at once, and all on this hex die."
        case "leave":
            return (
                LEAVE,
                "Leave the caves for good? Your game is over then: you keep your treasures, take the best of "
                "the Surface, and never come back in.",
            )
        case "give_up":
            dies = "your spelunker dies, and you score nothing"
            return GIVE_UP, f"Give up for good? Your game is over then: {dies}."
    return None
