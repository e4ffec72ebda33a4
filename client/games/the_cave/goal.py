"""What wins and what loses: two lines for a first game, and a page to read before it."""

from __future__ import annotations

from cave.the_cave.state import Settings

WINS = "Most points win: tokens, and a bonus for the most of each kind of token."
HOME_OR_NOTHING = "Be home at the end or score nothing; each turn away eats one consumable."
SCORED_ANYWHERE = "Each turn away from the base eats one consumable; without any you crawl."

HOW_TO_PLAY = """\
How to play
  Two to five rival teams discover the same cave, tile by tile. Tokens
  bring points, and the most points win; equal points share the win.

A turn
  You have 5 action points (AP). Discovering a tile costs 1, most moves
  cost 1, water and squeezes more. What you do not use is lost.

What wins
  Traverse tokens for ropes of your own up or down, photos of wonders,
  water, squeezes and depth. Most tokens of a kind at the end: 8 points
  more, second most: 4 (not for depth).

What loses
  Each turn that begins away from the home base eats 1 consumable. Without
  any your whole turn is one forced move, which takes no token.
  Whoever is not home at the end scores nothing (English edition).

How it ends
  After the last tile the round is finished, and three more rounds
  follow (French edition: one more turn each). Be home by then.
"""

KEYS = """\

Keys to begin with
  arrows  point at a tile           enter  go there, discover, dive, place
  x       discover a tile           e      end the turn
  u       undo a step               a      all actions, and why not
  ?       help about what you see   q      leave; the game is saved

The pages after this one tell the prices, the signs of the map, the rules.
"""

COMMANDS = """\

Commands to begin with: moves, discover, end, undo, home, rules, help.
"""


def goal(rules: Settings) -> tuple[str, str]:
    """What wins and what loses in a game with these rules (rules 3.1 and 7.3)."""
    return WINS, HOME_OR_NOTHING if rules.stranded_score_nothing else SCORED_ANYWHERE
