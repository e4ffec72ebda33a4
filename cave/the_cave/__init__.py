"""The Cave: teams of speleologists explore, photograph, dive and rope their way down, and come home.

``RULES.md`` beside this file is the reading of the rules that the numbers in comments and messages
refer to. Where to look: ``prices`` what a move costs (rule 5), ``placing`` where a tile fits (4),
``packing`` backpack and camp (6), ``turns`` upkeep and the end (3, 7.1, 7.2), ``scoring`` (7.3 to
7.6), ``legal`` the legal actions and the reasons for refusals, ``rules`` the effects of actions.
"""
