"""The questions of The Caves of Casadh: before what cannot be taken back."""

from __future__ import annotations

from client.settings.schema import Setting, question

GAME = "The Caves of Casadh"
END = question("caves-of-casadh.confirm_end", GAME, "Ending the turn", "Ask before a turn ends with MP left.")
LEAVE = question(
    "caves-of-casadh.confirm_leave", GAME, "Leaving for good", "Ask before a spelunker leaves the caves."
)
GIVE_UP = question(
    "caves-of-casadh.confirm_give_up", GAME, "Giving up", "Ask before a spelunker gives up and dies."
)
SETTINGS = (END, LEAVE, GIVE_UP)


def question_before(kind: str, mp: int) -> tuple[Setting, str] | None:
    """Return what is asked before an action of this type, with ``mp`` left, and the setting that asks."""
    match kind:
        case "end_turn" if mp:
            return END, f"You have {mp} MP left. End the turn?"
        case "leave":
            return (
                LEAVE,
                "Leave the caves for good? You take the best treasures of the Surface, and you are safe.",
            )
        case "give_up":
            return GIVE_UP, "Give up? Your spelunker dies and has no treasure."
    return None
