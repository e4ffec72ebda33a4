"""The place under the cursor: what it is, and what can be done there."""

from __future__ import annotations

import msgspec

from cave.codec import Place
from cave.sir_ocelots_cave.actions import Advance
from cave.sir_ocelots_cave.board import BIT, RAYS
from cave.sir_ocelots_cave.sight import companion_sees
from client.games.sir_ocelots_cave import terms, words
from client.games.sir_ocelots_cave.hand import Hand
from client.games.sir_ocelots_cave.previews import gems_on, trials, visit
from client.games.sir_ocelots_cave.scene import OcelotScene
from client.present.wording import count

BRIEFEST = 2


class Offer(msgspec.Struct, frozen=True):
    """A line of what can be done: its key and the word of a click, what it takes and what it hands over."""

    key: str
    name: str
    do: str
    takes: str = ""
    hands: str = ""
    nothing: str = ""
    chosen: bool = False
    about: str = ""
    """What the name means, where there is room to say so."""
    brief: tuple[str, str] = ("", "")
    """What it takes and hands over, in the fewest words."""

    def words(self, brief: int) -> tuple[str, str]:
        """Return what it takes and what it hands over; with 1 the latter in few words, with 2 both."""
        takes, hands = self.brief if any(self.brief) else (self.takes, self.hands)
        return takes if brief == BRIEFEST else self.takes, hands if brief else self.hands


class Here(msgspec.Struct, frozen=True):
    """A place: its title, what can be done there, and facts about it."""

    title: str = ""
    offers: tuple[Offer, ...] = ()
    facts: tuple[str, ...] = ()


def here(scene: OcelotScene, at: Place, hand: Hand | None, left_out: frozenset[Place]) -> Here:
    """Return the place ``at`` for a player with this tool in hand, who leaves these gems out."""
    if scene.mode == "collecting":
        return _collecting(scene, at, left_out)
    title = words.place_title(scene.cave, scene.view.names, at)
    title = title[:1].upper() + title[1:]
    if at in RAYS:
        return Here(title, _tools(scene, at, hand))
    return _square(scene, at, title)


def _tools(scene: OcelotScene, at: Place, hand: Hand | None) -> tuple[Offer, ...]:
    cave, seat = scene.cave, scene.seat
    if scene.mode == "over":
        return ()
    rival = scene.view.names[1 - seat]
    found = []
    for trial in trials(cave, seat, at):
        held = hand is not None and hand.tool == trial.tool
        kind = hand.kind if hand is not None and held else "/".join(trial.kinds)
        takes, hands = gems_on(cave, trial.takes), gems_on(cave, trial.hands)
        points = f" +{terms.points(takes)}" if terms.points(takes) else ""
        found.append(
            Offer(
                terms.TOOL_LETTERS[trial.tool].lower(),
                f"{trial.tool} {kind}",
                f"tool:{trial.tool}",
                f"takes {terms.brief(takes)}{points}" if takes else "",
                f"hands {rival} {terms.brief(hands)}" if hands else "",
                "takes nothing",
                held,
                f"(tool {' or '.join(kind.split('/'))})",
                (
                    f"takes {count(len(takes), 'gem')}{points}" if takes else "",
                    f"hands {rival} {count(len(hands), 'gem')}" if hands else "",
                ),
            )
        )
    return tuple(found)


def _square(scene: OcelotScene, at: Place, title: str) -> Here:
    cave, seat = scene.cave, scene.seat
    offers: tuple[Offer, ...] = ()
    there = visit(cave, at) if at in scene.ways else None
    if there is not None:
        takes = [*((there.gem,) if there.gem else ()), *gems_on(cave, there.takes)]
        points = terms.points(takes)
        gain = f"takes {terms.brief(takes)}" + (f" +{points}" if points else "") if takes else ""
        sees = count(len(gems_on(cave, there.sees)), "gem")
        verb = "goes down" if isinstance(scene.ways[at], Advance) else "comes"
        name = f"{terms.companion(seat)} {verb}"
        offers = (Offer("enter", name, "enter", gain, "", f"sees {sees}", chosen=True),)
    facts = words.seen_words(cave, seat, at)
    if there is None and not facts and companion_sees(cave, seat, at):
        facts = [f"your {terms.companion(seat)} sees it"]
    return Here(title, offers, tuple(f"{fact[:1].upper()}{fact[1:]}." for fact in facts))


def _collecting(scene: OcelotScene, at: Place, left_out: frozenset[Place]) -> Here:
    """Return the gems that can be collected, each to be left out."""
    cave = scene.cave
    taken = [each for each in scene.collectable if each not in left_out]
    found = gems_on(cave, sum(BIT[each] for each in taken))
    points = terms.points(found)
    title = f"Collect {len(taken)} of {count(len(scene.collectable), 'gem')}"
    if points:
        title += f": {count(points, 'point')}"
    offers = []
    for each in scene.collectable:
        (gem,) = gems_on(cave, BIT[each])
        name = f"{terms.SHORT[gem]} {terms.place(each)}"
        worth = "an amethyst" if gem == "geode" else f"+{terms.POINTS[gem]}"
        left = each in left_out
        do = f"toggle:{terms.place(each)}"
        offers.append(Offer("-" if left else "+", name, do, "" if left else worth, "", "left", each == at))
    return Here(title, tuple(offers))
