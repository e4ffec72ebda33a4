"""The bots of the games' first releases: references that never change.

The bots that players meet may improve. A level's strength is measured against these copies, so that today's
figures can be compared with later ones. They use only the rules, no other bots; change them only if the rules
change an interface that they call.
"""

from __future__ import annotations

from collections.abc import Mapping

from cave.game import Chooser
from tests.bench.frozen.cave_vs_cave import bots as versus
from tests.bench.frozen.caves_of_casadh import bots as casadh
from tests.bench.frozen.sir_ocelots_cave import bots as ocelot
from tests.bench.frozen.the_cave import rookie as the_cave

FROZEN: Mapping[str, Mapping[str, Chooser]] = {
    "the-cave": {"frozen-rookie": the_cave.choose},
    "sir-ocelots-cave": {"frozen-novice": ocelot.novice, "frozen-rookie": ocelot.rookie},
    "cave-vs-cave": {"frozen-novice": versus.novice, "frozen-rookie": versus.rookie},
    "caves-of-casadh": {"frozen-novice": casadh.novice, "frozen-rookie": casadh.rookie},
}
"""The frozen bots of each game, by name."""
