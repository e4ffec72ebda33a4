"""The help pages, the goal, and the confirmations before irreversible actions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from client.face import Page
from client.games.caves_of_casadh import terms
from client.settings.schema import Setting, question

if TYPE_CHECKING:
    from client.games.caves_of_casadh.scene import CasadhScene


COMMANDS = "Commands to begin with: moves, map, here, look 1,-1, home, hazards, players, treasures, help."
GOAL = (
    "Most treasure wins, of those who get out alive: leave at Base Camp before the caves kill you.",
    "Exploring finds treasures and items, and misfortunes and hazards as well.",
)
IN_SHORT = "the most treasure of those who leave alive, at Base Camp"
BRIEF = """\
The Caves of Casadh in short
  Explore the caves, take what you find, and get out alive. The survivor
  with the most treasure wins.

A turn: as many Move points (MP) as HP, minus your misfortunes
  Move, 1 MP             to a known hex through your own passage
  Explore                place a new hex, step on it, and draw a card;
                         the card gives the price in MP
  Slide, free            down a slope to another passage; up with a Rope
  Collect treasure, 1    at the marker: look at all there, keep one
  Collect items          at the marker: needs 1 MP and ends the turn
  Leave, 1 MP            at Base Camp, for good, with the best two
                         treasures on the Surface
  Medkit, dynamite, defusing and giving up are free. Without MP the
  turn ends as soon as no slide and none of the first three is left.

Passages
  You turn a new hex as you like, and enter by the passage that faces
  you. Items lie in the passage with the marker, out of reach of others.
  You are in one passage of a hex. Passages that cross over or under it
  are separate: only slopes join them.

Hazards
  They sleep at first. Each new hex with one needs a roll: below the
  number of such hexes, all of them wake. Methane (gas), bats and tremors
  (quakes) take 1 HP when they wake on your hex, and each time you enter.
  A grue is a beast of the dark: it blocks the way, and you must flee
  from it. A Brass Lantern drives it off. Each grue that is gone for
  good counts as one more such hex in a roll: that is its vengeance.

Out or dead
  You can still move a grue, if a player is on the Surface. The game
  ends when nobody is left in the caves.
"""
HOW_TO_PLAY = """\
How to play
  Leave the caves alive with the most treasure to win. You enter
  and leave at Base Camp. There is always something to explore, as every
  hex has passages to all six sides; it is the way back that counts.

A turn
  You have as many Move points (MP) as HP. A step to a known hex costs 1,
  collecting treasure 1, exploring as much as the card says. Taking items
  ends the turn. Unused MP are lost.

Where treasure comes from
  Cards have treasures and items, deeper hexes (level 2) more of them.
  You keep one of the treasures drawn; the others stay on the hex.
  From the passage with the marker, any player can collect them.

What kills
  You have only 4 HP, and each lost HP costs an MP. Methane, bats and
  tremors hurt you when you enter; each has an item against it. A grue
  is a wall until you have a Brass Lantern, and deadly if you cannot flee.

The way home
  It is always shown below the map: MP, hexes and damage. You cannot go
  back up a slope without a Rope. Turn back in time: the dead score
  nothing, and the first to leave take the best of the Surface.
"""
KEYS = """\

Keys to begin with
  y       a hint: what to do now, and why
  1 to 9  go the way with this number, or do this line of the list
  arrows  look around               enter  go to the hex at the cursor
  r       turn the hex in hand      enter  lay it
  c i     collect treasure, items   L      leave the caves, at Base Camp
  m d f   Medkit, dynamite, defuse  e      end the turn
  z Z     zoom in, out              w      the whole map, small
  g       to your pawn              0      to Base Camp
  v       a letter on each place where you can act; typing it goes there
  s       show or cover your treasures, if some of you share a keyboard
  u       undo a step               ?      help about this screen

The pages after this one have the signs of the map and the rules.
"""
LEGEND = """\
Beside the map
  {hp} a health point (HP)   {mp} a move point (MP)   {lost} one that is gone
  {lit} a place that the lesson or the log means   > whose turn it is
  Next wakes?: how likely the next hex of that kind wakes, with all others
  0,-1 behind a name is its place: Base Camp is 0,0, north of it is 0,-1,
  north-east 1,-1, south-east 1,0, south 0,1

On the smallest map
  T treasure   i items   ! awake   G grue   D dynamite
  m b t g asleep   x collapsed

Where there is little room
  Ro Rope  Ca Canteen  GM Gas Mask  HB Hiking Boots  He Helmet
  BL Brass Lantern  Me Medkit  Ba Battery  Dy Dynamite
  Th Thirst  FO Flashlight Out  TA Twisted Ankle
"""


def pages(glyphs: str) -> Mapping[str, Page]:
    return {
        "brief": Page("In short", BRIEF),
        "how": Page("How to play", HOW_TO_PLAY),
        "keys": Page("Keys", KEYS),
        "legend": Page("Map", LEGEND.format(**terms.pane_signs(glyphs)), drawn=True),
    }


GAME = "The Caves of Casadh"
END = question("caves-of-casadh.confirm_end", GAME, "Ending the turn", "Ask before a turn ends with MP left.")
LEAVE = question("caves-of-casadh.confirm_leave", GAME, "Leaving for good", "Ask before a spelunker leaves the caves.")
GIVE_UP = question("caves-of-casadh.confirm_give_up", GAME, "Giving up", "Ask before a spelunker gives up and dies.")
DEFUSE = question("caves-of-casadh.confirm_defuse", GAME, "Defusing", "Ask before the roll to defuse dynamite.")
SETTINGS = (END, LEAVE, DEFUSE, GIVE_UP)


def question_before(kind: str, now: CasadhScene) -> tuple[Setting, str] | None:
    cave, hp = now.cave, now.me.hp
    match kind:
        case "end_turn" if cave.mp:
            return END, f"You have {cave.mp} MP left. End the turn?"
        case "defuse" if hp < cave.settings.die_sides:
            works = f"It works with a roll of {hp} or less ({terms.percent_words(cave, hp)})"
            return (DEFUSE, f"Try to defuse? {works}; else it explodes at once, and everybody on this hex dies.")
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
