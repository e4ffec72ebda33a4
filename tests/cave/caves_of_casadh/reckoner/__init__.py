"""A second, naive reading of the rules of The Caves of Casadh, to judge ``cave`` by.

It works on the JSON of a position, copies all of it for each action, looks everything up anew and
imports nothing of the rules core, so that it cannot share a mistake with it. It is slow
on purpose.
"""

from tests.cave.caves_of_casadh.reckoner.asking import choices as choices
from tests.cave.caves_of_casadh.reckoner.doing import apply as apply
from tests.cave.caves_of_casadh.reckoner.doing import standing as standing
from tests.cave.caves_of_casadh.reckoner.doing import status as status
from tests.cave.caves_of_casadh.reckoner.look import full as full
