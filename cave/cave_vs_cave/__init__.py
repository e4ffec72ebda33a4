"""Cave vs Cave: one or two players dig out their caves and furnish them with rooms, in one era or two.

``RULES.md`` beside this file is the reading of the rules that the numbers in comments and messages refer to.
Where to look: ``goods`` amounts and limits (rule 1.1), ``components`` the data of the box, effects included
(1), ``state`` the values, spaces, walls and ways (4), ``checks`` the reasons for refusals, ``choices`` the
legal actions, ``turns`` their goods, ``rules`` a new game and the effects of actions, ``rounds`` how turns,
rounds and eras follow each other (3, 7) and the quick start (8), ``scoring`` points (6) and what an action
would bring. Of the bots: ``bots`` the levels and the weighing of turns, ``planning`` turns thought ahead,
``judgement`` the value of a position.
"""
