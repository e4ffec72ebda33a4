"""The Caves of Casadh: two to six spelunkers look for treasure in a cave of hexes, and want to get out alive.

``RULES.md`` beside this file is the reading of the rules that the numbers in comments and messages refer to.
Where to look: ``geometry`` cells and sides (rule 1.2), ``components`` the data (1), ``state`` the values,
``legal`` the legal actions and the reasons for refusals, ``rules`` the effects of actions, with
``table`` for damage, deaths and chance, ``exploring`` for a new hex (4 to 7) and
``turns`` for how turns begin and end (3), ``routes`` ways through known hexes
(8.2) and where grues may go (8.4 to 8.6), ``scoring`` (9), ``prospects`` what lies ahead of a spelunker.
"""
