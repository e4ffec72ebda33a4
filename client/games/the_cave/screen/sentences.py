"""Sentences that The Cave's screen says. Usual keys stand in braces."""

from __future__ import annotations

from collections.abc import Callable

from client.games.the_cave.known.scene import CaveScene
from client.games.the_cave.known.supplies import Mode
from client.tui.sentences import ENDED_EARLY

NO_PLACE = "First place the tile: {enter} places it, {r} rotates it, {tab} tries the next place."
CLICK_TO_DISCOVER = "To discover, click a ? beside your tile twice, or the line below, or press {x}."
FOLLOWING = "The map follows the team whose turn it is; {F} stops that."
NOT_FOLLOWING = "The map stays where you put it; {F} follows the team whose turn it is."
SHOW_TEAM = "{take} show the team   {back} go on"
"""Keys below the list of teams as the end is triggered."""
_NOTES: dict[Mode, str] = {
    "over": "The game is over. {enter}: the score sheet, arrows: look at the cave, {q}: leave.",
    "packing": "The others are still packing. You can look around meanwhile.",
    "watching": "You are watching: look around, {o} shows what has happened.",
}
PACKING_WATCHED = "You are watching. All pack in secret; the packs are shown when all are ready."
TO_PACK = "Pack your backpack for the first trip: {p}"
PLAN = "The prices are for your next turn: plan ahead."
TRY_IT = "{r} tries out the discovered tile."


def bar_note(scene: CaveScene, spoken: Callable[[str], str]) -> str:
    """Return the words in place of the actions, if there are none; ``spoken`` names the person's keys."""
    if scene.state.ended_early:
        return ENDED_EARLY
    if scene.mode == "waiting":
        more = spoken(TRY_IT) if scene.spots else PLAN if scene.state.plays(scene.seat) else ""
        return f"{scene.waits_for} {more}".rstrip()
    if scene.mode == "watching" and scene.cave.phase == "packing":
        return PACKING_WATCHED
    note = TO_PACK if scene.mode == "packing" and scene.choices else _NOTES.get(scene.mode, "")
    return spoken(note)
