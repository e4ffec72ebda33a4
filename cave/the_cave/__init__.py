"""The Cave: teams of speleologists explore, photograph, dive and rope their way down, and come home.

``RULES.md`` beside this file is the reading of the rules that the numbers in comments and messages refer to.
Where to look: ``tiles`` the box, a new game and where a tile fits (rules 1, 2 and 4), ``routes`` prices of
moves (5), ``packing`` backpack and camp (6), ``scoring`` (7.3 to 7.6), ``legal`` the legal actions and the
reasons for refusals, ``rules`` the effects of actions, upkeep and the end. Of the bots: ``bots`` the levels,
``guide`` the weighing of plans, ``trips`` the ways out and home.
"""
