"""Cave vs Cave: one or two players dig out their caves and furnish them with rooms, in one era or two.

``RULES.md`` beside this file is the reading of the rules that the numbers in comments and messages refer to.
Where to look: ``goods`` amounts and limits (rule 1.1), ``components`` the data of the box (1), ``effects``
what tiles and rooms do, as data (1.4, 1.5), ``board`` spaces, walls and ways (4), ``checks`` the reasons for
refusals, ``choices`` the legal actions, ``gains`` their goods, ``rules`` their effects, ``rounds`` how turns,
rounds and eras follow each other (3, 7), ``drafting`` the quick start (8), ``scoring`` (6), ``prospects``
what an action would bring. Of the bots: ``bots`` the levels, ``guide`` the weighing of turns, ``planning``
turns thought ahead on ``shape``, a cave without its goods, ``judgement`` what a position is worth, ``advice``
what the search of the expert has to know.
"""
