"""The place under the cursor: its title, its facts, and what can be done there."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from cave.codec import Place
from cave.sir_ocelots_cave.actions import Advance
from cave.sir_ocelots_cave.components import (
    BIT,
    KINDS,
    LEVEL,
    LEVELS,
    RAYS,
    SIDES,
    Squares,
    set_of_squares,
    squares_in_order,
)
from cave.sir_ocelots_cave.scoring import expected_points_of_gems, new_sets, points_of_own_specials
from cave.sir_ocelots_cave.state import State, companion_sees, missing_tools, tools_seeing
from client.face import LETTERS
from client.games.sir_ocelots_cave import terms
from client.games.sir_ocelots_cave.previews import (
    HandPreview,
    companion_visit,
    finishing_placements,
    gain_of,
    gems_on,
    points_of,
    sight_from,
    tool_trials,
)
from client.games.sir_ocelots_cave.scene import COMPANION, OcelotScene
from client.wording import begun, count, joined


def place_title(scene: OcelotScene, at: Place) -> str:
    cave, names = scene.cave, scene.view.names
    if at in RAYS:
        there = sight_from(cave, at) & cave.with_gems
        lost = (there & scene.out_of_reach).bit_count()
        sees = sees_words(scene, there) + f", {lost} more out of reach" * bool(lost)
        if at in cave.tools:
            return f"{cave.tools[at].side} on {terms.gem_place_words(at)}, for both of you: sees {sees}"
        return f"{terms.gem_place_words(at)}: sees {sees}"
    here = [f"{names[seat]}'s companion" for seat, player in enumerate(cave.players) if player.companion == at]
    gem = cave.gem_at(at)
    if gem is not None:
        points = terms.POINTS.get(gem)
        worth = count(points, "point") if points else "an amethyst"
        here.append(f"{terms.NAMES[gem]}, {worth}")
    return f"{joined(here) or 'empty'}, {terms.gem_place_words(at)}"


def sees_words(scene: OcelotScene, of: Squares) -> str:
    """Return the number of gems that a player could still collect."""
    return count((of & scene.cave.with_gems & ~scene.out_of_reach).bit_count(), "gem")


STANDS_IN = "it sees its row and column, and is any tool for its owner"


def square_facts(scene: OcelotScene, at: Place) -> list[str]:
    """Describe a square: for a gem, the tools that see it, and the missing ones."""
    cave, seat = scene.cave, scene.seat
    gem = cave.gem_at(at)
    if gem is None:
        return [STANDS_IN] if any(player.companion == at for player in cave.players) else []
    seen = tools_seeing(cave, at)
    told = [f"a {tool} ({terms.COMPASS_WORDS[side]})" for side, tool in seen.items()]
    lacking = [f"a {tool}" for tool in missing_tools(cave, at)]
    about = [terms.ABOUT[gem]] if gem in terms.ABOUT and (gem != "rock_crystal" or scene.ways) else []
    if BIT[at] & scene.out_of_reach:
        free = len(SIDES) - len(seen)
        few = f"only {count(free, 'side')} free" if 0 < free < len(lacking) else "too few pieces left" * bool(free)
        return [f"nobody can collect it any more: it needs {joined(lacking)}, with {few or 'no side free'}"]
    if not lacking:
        return [f"{joined(told)} see it: it can be collected", *about]
    lines = [f"needs {joined(lacking)}; has {joined(told)}" if told else "needs all three tools: none sees it so far"]
    if companion_sees(cave, seat, at):
        lines.append("your companion sees it, too, in place of a tool")
    ways = finishing_placements(cave, seat, at)
    if ways:
        told = [f"{joined(list(tools), 'or')} at {terms.board_place_words(rim)}" for rim, tools in ways]
        lines.append(f"one more tool of yours collects it: {'; '.join(told)}")
    return [*lines, *about]


def why_companion_stays(scene: OcelotScene) -> str:
    """Return why the companion of the active player has no square to go to, and what it needs."""
    stands = scene.me.companion
    if scene.state.lesson and COMPANION in scene.state.lesson.hidden:
        return "Your companion has its own step later."
    if stands is not None and LEVEL[stands] == LEVELS[-1]:
        return f"Your companion is on level {LEVELS[-1]}, the deepest, and stays there."
    if scene.mode == "collecting":
        when = "comes instead of a tool" if stands is None else "goes down before you lay a tool"
        return f"Your companion {when}: in your next turn."
    if scene.cave.phase == "placing":
        return "Your companion goes down once a turn, and did so: now lay a tool."
    level, gem = (1, "a gem worth 1") if stands is None else (LEVEL[stands] + 1, "a rock crystal")
    needs = f"Your companion needs a square of level {level} that is empty or has {gem}"
    return f"{needs}, and there is none: first collect a gem there."


BRIEFEST = 2


class Offer(msgspec.Struct, frozen=True):
    """A line of the choices: its key and the word of a click, its gems and those left to the rival."""

    key: str
    name: str
    do: str
    takes: str = ""
    hands: str = ""
    nothing: str = ""
    chosen: bool = False
    about: str = ""  # the meaning of the name, if it fits
    brief: tuple[str, str] = ("", "")  # its gain and its gift to the rival, as short as possible

    def words(self, brief: int) -> tuple[str, str]:
        """Return its gems and those left to the rival; with 1 the latter abbreviated, with 2 both."""
        takes, hands = self.brief if any(self.brief) else (self.takes, self.hands)
        return takes if brief == BRIEFEST else self.takes, hands if brief else self.hands


class Here(msgspec.Struct, frozen=True):
    title: str = ""
    offers: tuple[Offer, ...] = ()
    facts: tuple[str, ...] = ()
    signs: tuple[str, ...] = ()  # the meaning of signs on the board, if it fits


OPENS = "opens: what your rival can collect because of this tool."
MORE = 'opens: new gems for your rival ("more": others are open).'
SIGNS = (
    "Round spaces take tools; the small letter is the chosen tool.",
    "A letter after a gem is a tool of yours that completes it; two letters hide its value: either tool does.",
)
SEERS = "(o): rim spaces from which a tool sees this square."


def offers_at_place(scene: OcelotScene, at: Place, hand: HandPreview | None, left_out: frozenset[Place]) -> Here:
    if scene.mode == "collecting":
        return _collecting_offers(scene, at, left_out)
    title, acting = begun(place_title(scene, at)), scene.mode == "acting"
    found = Here(title, _tool_offers(scene, at, hand)) if at in RAYS else _square_offers(scene, at, title)
    if acting and hand is not None and not found.offers:
        held = f"Chosen to lay: {terms.tool_words(hand.kind, hand.tool)}."
        found = replace(found, facts=(*found.facts, held))
    lost = " ".join(map(terms.board_place_words, squares_in_order(scene.out_of_reach)))
    hands = [offer.hands for offer in found.offers if offer.hands]
    opens = MORE if any(" more to " in each for each in hands) else OPENS
    out_of_reach = [f"Out of reach, nobody can collect it: {lost}."] * bool(lost)
    if acting and at in RAYS:
        return replace(found, signs=(*[opens] * bool(hands), *out_of_reach, *SIGNS))
    signs = [*out_of_reach * bool(BIT.get(at, 0) & scene.out_of_reach), *[SEERS] * (at in BIT)]
    return replace(found, signs=(*signs,))


def _tool_offers(scene: OcelotScene, at: Place, hand: HandPreview | None) -> tuple[Offer, ...]:
    cave, seat = scene.cave, scene.seat
    if scene.mode == "over":
        return ()
    rival, left = scene.view.names[1 - seat], dict(zip(KINDS, scene.me.tools, strict=True))
    found = []
    for trial in tool_trials(cave, seat, at):
        held = hand is not None and hand.tool == trial.tool
        kind = hand.kind if hand is not None and held else trial.kinds[0]
        takes, hands = trial.takes, trial.hands
        gift = f"{expected_points_of_gems(cave, 1 - seat, hands):+}"
        found.append(
            Offer(
                terms.TOOL_LETTERS[trial.tool].lower(),
                trial.tool,
                f"tool:{trial.tool}",
                f"collects {gain_of(cave, seat, takes)}" if takes else "",
                f"opens {gain_of(cave, 1 - seat, hands)}{trial.more} to {rival}" if hands else "",
                "collects nothing",
                held,
                terms.other_side_words(trial.tool, (kind,), left[kind]),
                (
                    f"collects {_briefly(cave, seat, takes)}" if takes else "",
                    f"opens {gift}{trial.more} to {LETTERS[1 - seat]}" if hands else "",
                ),
            )
        )
    return tuple(found)


def _briefly(cave: State, seat: int, of: Squares) -> str:
    its_set = ", a set" * bool(new_sets(cave, seat, of))
    return f"{count(len(gems_on(cave, of)), 'gem')}{its_set} {expected_points_of_gems(cave, seat, of):+}"


def _square_offers(scene: OcelotScene, at: Place, title: str) -> Here:
    cave = scene.cave
    offers: tuple[Offer, ...] = ()
    there = companion_visit(cave, at) if at in scene.ways else None
    if there is not None:
        takes = there.takes | BIT[at] * bool(there.gem)
        gain = f"takes {gain_of(cave, scene.seat, takes)}" if takes else ""
        name = "send companion down" if isinstance(scene.ways[at], Advance) else "bring companion"
        offers = (Offer("enter", name, "enter", gain, "", f"sees {sees_words(scene, there.sees)}", chosen=True),)
        if there.gem:  # The companion takes it without any tool.
            return Here(title, offers, (f"{begun(terms.ABOUT[there.gem])}.",))
    return Here(title, offers, tuple(f"{begun(fact)}." for fact in square_facts(scene, at)))


def _collecting_offers(scene: OcelotScene, at: Place, left_out: frozenset[Place]) -> Here:
    cave = scene.cave
    taken = [each for each in scene.collectable if each not in left_out]
    squares = set_of_squares(taken)
    title = f"Collect {len(taken)} of {count(len(scene.collectable), 'gem')}"
    if taken:
        title += f":{points_of(cave, scene.seat, squares)}"
        if also := points_of_own_specials(cave, scene.seat, squares):
            title += f" ({also:+} by your amethysts)"
    offers = []
    for each in scene.collectable:
        (gem,) = gems_on(cave, BIT[each])
        name = f"{terms.SHORT[gem]} {terms.board_place_words(each)}"
        worth = "an amethyst" if gem == "geode" else f"+{terms.POINTS[gem]}"
        left = each in left_out
        do = f"toggle:{terms.board_place_words(each)}"
        offers.append(Offer("-" if left else "+", name, do, "" if left else worth, "", "left", each == at))
    return Here(title, tuple(offers))
