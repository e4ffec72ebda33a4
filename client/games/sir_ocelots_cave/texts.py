"""The help pages, the goal, and the confirmations before irreversible actions."""

from __future__ import annotations

from collections.abc import Mapping

from client.face import Page
from client.games.sir_ocelots_cave.terms import AVERAGE
from client.settings.schema import question

COMMANDS = "Commands to begin with: moves, board, look 9,4, try 9,4, lamp 9,4, companion 5,5, collect, help."

GOAL = (
    "Most points win. A gem is worth 1 to 7 points.",
    f"A geode, and each set of sun, crescent and star, brings a secret amethyst: {AVERAGE}.",
    "You collect a gem that a compass, a lamp and a pickaxe see from three sides, no matter who laid them.",
)

AMETHYSTS = "the most points: gems now, and secret amethysts at the end"
IN_SHORT = "the most points: collect gems that a compass, a lamp and a pickaxe see"

BRIEF = """\
Sir Ocelot's Cave in short
  Two players lay tools on the rim of three caves, called levels. A tool
  looks along whole rows and columns; nothing blocks it. A gem that a
  compass, a lamp and a pickaxe see can be collected. Tools serve both
  players.

A turn
  1  Your companion may go to the next level: to an empty square or a rock
     crystal, which you take.
  2  Lay one tool on a free rim space, either side up. Or once in the game
     bring your companion instead, to a square of level 1 that is empty or
     has a gem worth 1.
  3  Collect as many as you like of the gems that can be collected now.
  16 turns each; then the game is over.

Tools, 5 of each kind
  Each has two sides: compass/lamp, lamp/pickaxe or pickaxe/compass.
  You lay it either side up; the lower side does nothing.

The companion
  sees its row and its column. It replaces one tool, for you alone:
  two different tools must see the gem from two of the other sides.

Points
  rock crystal 1   celestite 1   opal 3   emerald 5   red beryl 7
  A geode gives an amethyst of its level: blue of level 1, green of 2, red
  of 3. Sun, crescent and star together give a blue one. Its value is your
  secret until the end.
"""

LEGEND = """\
A player
  5 C/L      five tools with a compass side and a lamp side
  companion level 1  its companion is in the cave LEVEL 1, the first
  set needs  the celestites that are missing for the next set
Amethysts, in points
  5, 8                         worth 5 and 8; 13 where room is short
  3 secret, about +15          three that are not shown to you, by the
                               average of those that nobody has shown you
  62+15      beside a name: points of gems and known amethysts, and what
             amethysts that are secret or count gems left should add
  gems worth 1: 6              1 for each gem worth 1 its owner has
  gems worth 3: 7              1 for each gem worth 3 its owner has
  gems left on level 1: about +5         1 for each that should be left
  gems left on levels 2 and 3: about +8  2 for each that should be left
  14+15, some count gems       all of them, if room is short: as above
"""

HOW_TO_PLAY = f"""\
How to play
  Win with the most points from gems. They are in three caves, LEVEL 1 to
  3, that you do not enter: you lay tools on the round spaces of the rim,
  to look in.

A turn
  First your companion may go down a level. Then lay one tool, or once in
  the game place your companion. Then collect gems. You and your rival
  have 16 turns each.

What collects a gem
  Three tools, one of each kind, must see it. It does not matter who laid
  them. So the third tool collects, and after the second tool the other
  player can lay the third.

What wins
  Red beryls score 7 points, emeralds 5, opals 3, crystals and celestites
  1. A geode earns an amethyst of its level; a celestite sun, crescent
  and star together earn one of level 1. An amethyst adds
  {AVERAGE}.
  One alone adds 2 to 10, or counts gems: 1 or 2 points for each. They
  are secret until the end, and often decide the game.

What to look for
  A letter after a gem is a tool of yours that completes it. If either of
  two tools does, their letters hide the value of the gem. Point at a rim
  space: the lines below the board show the gems that each tool would
  collect there. "opens +5 to Bea" means gems that Bea can take with
  her next tool, but only after yours: the best of them. "+5 more" says
  that she can collect other gems already.
  A gem is "out of reach" when nobody can collect it any more.
  Your companion helps you alone, so use it where your rival has nothing
  to gain. Sooner or later take it down to the levels with better gems.
"""

KEYS = """\

Keys to begin with
  y       a hint: what to do now, and why
  arrows  point at a place          tab    the next free rim space
  c l p   compass, lamp, pickaxe, of the kind you have most of; again:
          of the other kind         r      turn the tool over
  enter   lay the tool, or place the companion on the square
  n       a rim space that collects something now
  m       a square where your companion can go
  space   while you collect: take or leave a gem; enter collects
  v       a letter on each place where you can act; typing it goes there
  s       show or cover your amethysts, if two of you share a keyboard
  u       undo a step               ?      help about this screen

The pages after this one have the points, the signs and the rules.
"""


def pages(glyphs: str) -> Mapping[str, Page]:
    return {
        "brief": Page("In short", BRIEF),
        "how": Page("How to play", HOW_TO_PLAY),
        "keys": Page("Keys", KEYS),
        "legend": Page("Board", LEGEND, drawn=True),
    }


GAME = "Sir Ocelot's Cave"
PLACE = question(
    "sir-ocelots-cave.confirm_place",
    GAME,
    "Placing a tool",
    "Ask before a tool or your companion is placed for good.",
    asked=False,
    formerly="confirm.place",
)
SLIP = question(
    "sir-ocelots-cave.confirm_slip",
    GAME,
    "A likely slip",
    "Warn before a placement that collects nothing where another would, or that helps the rival.",
)
SETTINGS = (PLACE, SLIP)
