"""Sir Ocelot's Cave: two players lay tools round three caves and collect the gems that three of them see.

``RULES.md`` beside this file is the reading of the rules that the numbers in comments and messages refer to.
Where to look: ``components`` the data and the board (rule 1), ``state`` the values and what can be collected
(4), ``legal`` the legal actions and the reasons for refusals, ``rules`` a new game and the effects of
actions (2, 3, 5), ``scoring`` points (6) and the gain of a placement. Of the bots: ``bots`` the levels,
``search`` some plies ahead, on ``node``.
"""
