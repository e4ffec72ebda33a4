"""The help pages, and the confirmation before a turn ends early."""

from __future__ import annotations

from collections.abc import Mapping

from client.face import Page
from client.settings.schema import question

COMMANDS = "Commands to begin with: moves, tiles, rooms, cave, fits 2,0, goods, signs, score, help."

BRIEF = """\
Cave vs Cave in short
  Each player has a cave full of face-down rooms. Dig them up: that puts
  them on show. Furnish these rooms on empty spaces with matching walls.

A turn
  Take a tile that nobody has taken this round, and do its actions, each
  at most once, in any order.
  use 1 room    use one of your orange rooms; 2 or 3 rooms: each once
  dig           turn up a face-down room you can reach from the entrance
  furnish       put a room on show into an empty space, for the tile's
                price and the room's cost
  wall          build a wall between two spaces: there are 7 walls in all
  trade         pay the goods before "for", get those after it
  At any time 1 emmer, flax or gold becomes 1 food.
  You can have 9 of each good, and 19 gold; more is lost.

Rooms
  A room needs as many walls around it as it says: the edge of the cave
  is a wall, another room is none, and you can build more. A furnished
  room stays, whatever walls are built or razed beside it.
  corner: 2 walls that meet in a corner; opposite: on opposite sides.
  Orange rooms are for use; you must always have more of them than blue
  ones, and the Entrance counts as orange. Blue ones have a b before
  their points: most work by themselves.
  The first player with a full cave gets the Additional Cavern.

The eras
  Era I    8 rounds of 2, 2, 2, 3, 3, 3, 3, 4 turns
           Points: rooms, and 1 a gold.
  Era II   4 rounds of 4 turns, a second board, and four more goods, of
           which a donkey becomes 1 food; you can have 19 weapons.
           Points: Era I, all rooms again, weapons 1, iron and gold 1/2.
  Alone    7 rounds of 2, 2, 2, 3, 3, 3, 4 turns in Era I, with 50 points
           as the goal; more than 180 points for both eras
"""

HOW_TO_PLAY = """\
How to play
  Win with the most points: the points of your rooms, and 1 for each
  gold.

A turn
  Take one of the remaining tiles and do its actions, in any order:
  dig up rooms, furnish them where the walls fit, use rooms for goods.

What to look for
  Take the tiles first that the other player needs, too. Furnishing costs
  as much food as you have turns in the round: 2, later 3, then 4. So
  early rooms are cheap.

  Rooms work together: one makes flax, another turns it into gold. Dig
  early: each room that you dig up is a choice for both players, and each
  empty space has room for one more. Keep a corner for rooms that need
  three or four walls.

  Gold scores points, and pays for the best rooms, which score more than
  they cost. In Era II weapons score as much as gold did in Era I.
"""

GOODS = """\
  W wood S stone E emmer L flax F food G gold
  D donkey O ore I iron P weapon"""
SHORT = """\
  1L>1G      1 flax for 1 gold
  3-5D>2-4G  3 donkeys for 2 gold, 4 for 3, or 5 for 4
  3D/2G>6F   3 donkeys or 2 gold for 6 food      |  or
  +1S<3S     and 1 stone if you have fewer than 3 stone
  +1G/2D     1 gold for every 2 donkeys
  WSEL to 2  one of these goods is raised to 2"""
LEGEND = f"""\
Goods
{GOODS}

Spaces
  2,0        row 2, column 0, counted from 0 at the top left; the board of
             Era II has the columns -3 to -1

Tiles
  Each keeps its key in the whole game. "B took it": taken in this round.
  furnish 2F 2 food for the tile; the room's own cost comes on top of it
  if most G  only for the player with more gold
  extra      the Additional Action of the tile's space

Rooms on show
  *          you can furnish it: on the empty space that you point at, or,
             if you point at none, on one of your empty spaces
  1/corner/3 1 wall, 2 that meet, or 3; opposite: 2 face to face
  A cost or walls in another colour are in the way.
  3 below    three more rows are not shown; the keys behind it, or the
             wheel, show them

On a space with little room
{SHORT}
"""

KEYS = """\

Keys to begin with
  y       a hint: what to do now, and why
  1 to 9  take that tile; the tenth has 0, the next c, d and so on; a
          tile keeps its key all game. Then do its actions, each by its
          own key, so that some numbers are left out: 1 collect,
          2 exchange, 3 use a room, 4 dig, 5 furnish, 6 build a wall,
          7 raze one, 8 Additional Action, 9 Prospecting Site
  arrows  point at a space      enter   the actions there
  tab     the next board: your own, and the other's; point at a room
          there to read its effect
  f       the rooms on show      r       where the next of them fits
  m       more of the rooms on show, if not all of them fit
  a       all actions                       x   goods for food
  e       end the turn          u       undo, back to the last draw
  v       a letter on each space; typing it goes there
  ?       help about this screen

The pages after this one have the signs and the rules.
"""


def pages(glyphs: str) -> Mapping[str, Page]:
    return {
        "brief": Page("In short", BRIEF),
        "how": Page("How to play", HOW_TO_PLAY),
        "keys": Page("Keys", KEYS),
        "legend": Page("Caves", LEGEND, drawn=True),
    }


LEFT = question(
    "cave-vs-cave.confirm_end",
    "Cave vs Cave",
    "Ending the turn",
    "Ask before a turn ends while the tile still offers something, or begins with a tile that offers nothing.",
)
SETTINGS = (LEFT,)
