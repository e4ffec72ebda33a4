"""Sir Ocelot's Cave: two players lay tools round three caves and collect the gems that three of them see.

``RULES.md`` beside this file is the reading of the rules that the numbers in comments and messages
refer to. Where to look: ``board`` squares, rim and rays (rules 1.1 to 1.3), ``components`` the data (1.4 to
1.6), ``sight`` what can be collected (4), ``legal`` the legal actions and the reasons for refusals, ``rules``
the effects of actions (3, 5), ``scoring`` (6), ``prospects`` what a placement would bring.
"""
