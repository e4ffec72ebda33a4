"""The help pages, how to win and lose, and the confirmations before irreversible actions."""

from __future__ import annotations

from collections.abc import Mapping

from cave.the_cave.state import Settings
from client.face import Page
from client.settings.schema import Setting, question

WAY_HOME = "it is the way home"  # the reason for a plan that only leads home

BRIEF = """\
The cave in short
  Discover tunnels with your team, collect tokens, and be on the base
  when the game ends: otherwise you score nothing (English edition).

A turn has 5 action points (AP); unused AP are lost
  discover a tile  1      enter tunnel, wonder or descent    1
  dive             1      enter a squeeze 1, 2, 3            2, 3, 4
  photograph       1      enter water with oxygen            2, one tank
  pitch the camp   2      enter water on the raft            1, no token
  strike the camp  1      no rope there yet: 1 rope, 1 AP more a level
  pack at the base 2      force any passage: all 5 AP, turn over, no token

Consumables
  Away from the base you eat 1 consumable at the start of each turn.
  Without any, your whole turn is one forced move. In your camp you eat
  its consumables, too.

Points
  rope down or up 2 a level, photograph 2, water 3, squeeze 2, 3 or 4,
  depth 25 m: 3, 50 m: 4, deeper: 5 (each once, by a rope of your own).
  Most tokens of a kind at the end: 8 more. Second most: 4 more.

The end
  After the last tile you finish the round and play three more.

The list of teams
  points of tokens, bonus for most tokens of a kind; in the last rounds
  both in one column (13+20), and 2 of 3 means: home in 2 turns of the
  3 that are left.
"""

LEGEND = """\
The top line
  tiles    how many tiles are left: stacks I to IV are used in turn
  AP       action points left in this turn, of 5
The line below the map
  way home {way}  from the base to your team, one mark for each AP;
                  thick: the AP that you still have in this turn
"""

PACKING = """\
Packing
  The backpack has 8 slots, one thing in each. Your kit decides how far
  you get, so count: consumables are turns, ropes are levels, tanks are
  water.

  f consumable  you eat 1 at the start of each turn away from the base
  r rope        opens a descent, 1 for each level; it stays there for all
  o oxygen      2 tanks; entering water or diving for its token uses 1
  c camera      photographs wonders, as often as you like; keep it
  t raft        crosses water without a tank, but takes no token; keep it
  k camp        fills 2 slots, holds 4 things; closed until you pitch it

Keys
  a letter puts one in            up, down   choose a thing
  1 to 5   a ready kit            left, right or -, +   less, more
  tab      backpack or camp       backspace  take the last thing out
  x        empty it               enter      pack and go
  T        chat

Mouse
  click a thing or + to put it in; a packed thing or - to take it out.
"""

HOW_TO_PLAY = """\
How to play
  Win with the most points, and be home when the game ends. Two to five
  rival teams discover the same cave, tile by tile; tokens score points.

A turn
  You have 5 action points (AP). Discovering a tile costs 1, most moves
  cost 1, water and squeezes more. Unused AP are lost.

What wins
  Traverse tokens for ropes of your own up or down, photos of wonders,
  water, squeezes and depth. Most tokens of a kind at the end: 8 points
  more, second most: 4 (not for depth).

What loses
  Each turn that begins away from the home base costs 1 consumable.
  Without any, your whole turn is one forced move, which takes no token.
  If you are not home at the end, you score nothing (English edition).

How it ends
  After the last tile the round is finished, and three more rounds
  follow (French edition: one more turn each). Be home by then.
"""

KEYS = """\

Keys to begin with
  y       a hint: what to do now, and why
  arrows  point at a tile           enter  go there, discover, dive, place
  x       discover a tile           e      end the turn
  u       undo a step               a      all actions, and why not
  ?       help about this screen    q      leave; the game is saved

The pages after this one have the prices, the signs and the rules.
"""

COMMANDS = "Commands to begin with: moves, discover, end, undo, home, rules, help."
WINS = "Most points win: tokens, and a bonus for the most of each kind of token."
HOME_OR_NOTHING = "Be home at the end or score nothing; each turn away eats one consumable."
IN_SHORT = "the most points from tokens; not home at the end scores nothing"
SCORED_ANYWHERE = "Each turn away from the base eats one consumable; without any you crawl."


def pages(glyphs: str) -> Mapping[str, Page]:
    return {
        "brief": Page("In short", BRIEF),
        "how": Page("How to play", HOW_TO_PLAY),
        "keys": Page("Keys", KEYS),
        "legend": Page("Map", LEGEND.format(way="^-===A" if glyphs == "ascii" else "⌂─━━━A"), drawn=True),
        "packing": Page("Packing", PACKING),
    }


def goal_line(rules: Settings) -> str:
    return IN_SHORT if rules.stranded_score_nothing else "the most points from tokens"


def goal(rules: Settings) -> tuple[str, str]:
    return WINS, HOME_OR_NOTHING if rules.stranded_score_nothing else SCORED_ANYWHERE


def _ask_setting(name: str, title: str, about: str, *, asked: bool = True) -> Setting:
    return question(f"the-cave.confirm_{name}", "The Cave", title, about, asked=asked, formerly=f"confirm.{name}")


PLACE = _ask_setting("place", "Placing a tile", "Ask before a tile is placed for good.", asked=False)
END_TURN = _ask_setting("end_turn", "Ending the turn", "Ask before a turn ends with action points you can use.")
WALK = _ask_setting("walk", "Going far", "Ask before a walk of several turns, or to a place without a way home.")
FORCE = _ask_setting("force", "Forcing a passage", "Ask before a forced move takes all 5 action points.")
ABANDON = _ask_setting("abandon", "Abandoning the camp", "Ask before the camp is abandoned for good.")
SETTINGS = (PLACE, END_TURN, WALK, FORCE, ABANDON)


NOTHING_TO_UNDO = "Nothing to undo: you cannot undo a discovered tile or a turn that has ended."
END_QUESTION = "You still have {ap} AP you can use. End the turn?"
FORCE_QUESTION = "A forced move takes the whole turn and all 5 AP, and takes no token. Force it?"
ABANDON_QUESTION = "The camp and everything in it will be gone for good. Abandon it?"
PLACE_QUESTION = "A placed tile stays for good. Place it like this?"

# Line mode

NOT_NOW = "You cannot do that now."
TYPE_DISCOVER = "That is unexplored: type discover."
ROCK = "There is only rock that way."
FIRST_PLACE = "First place the tile you have discovered: type place for the list."
STARVING = "Starving: the whole turn is one forced move."
GONE = "A discarded camera or raft is gone for good. Discard {things}?"
HOW_TO_EXCHANGE = "Say what goes where: exchange 1 consumable to camp 2 rope to bag."
HOW_TO_DISCARD = "Say what to discard: discard 1 rope."
STAYS_READABLE = "The next player can scroll up and read what you packed."
