"""The Caves of Casadh: two to six spelunkers look for treasure in a cave of hexes, and want to get out
alive.

``RULES.md`` beside this file is the reading of the rules that the numbers in comments and messages refer to.
Where to look: ``components`` the grid and the box (rule 1), ``state`` the values, ``legal`` the legal
actions and the reasons for refusals, ``rules`` a new game and the effects of actions, with ``table`` for
damage, deaths, chance and the course of turns (3), ``exploring`` for a new hex (4 to 7), ``routes`` ways
through known hexes (8.2) and where grues may go (8.4 to 8.6), ``scoring`` points (9) and what lies ahead of
a spelunker. Of the bots: ``bots`` the levels, ``guide`` the weighing of plans, made in ``bot_plans``,
``outlook`` chances to win.
"""
