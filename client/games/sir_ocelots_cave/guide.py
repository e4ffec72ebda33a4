"""Words, gains and reasons of actions; tips for a first game."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import msgspec
from msgspec.structs import replace

from cave.codec import Place
from cave.game import AnyGame
from cave.sir_ocelots_cave.actions import Action, Advance, Collect, LayTool, PlaceCompanion
from cave.sir_ocelots_cave.components import (
    BIT,
    CELESTITES,
    KEPT,
    LEVEL,
    LEVELS,
    RAYS,
    SIDES,
    Gem,
    Squares,
    Value,
    squares_in_order,
)
from cave.sir_ocelots_cave.scoring import (
    GEODE,
    expected_points_of_gems,
    one_tool_short,
    share_that_stays,
    special_points,
)
from cave.sir_ocelots_cave.state import (
    Amethyst,
    Player,
    State,
    collectable_gems,
    companion_sees,
    missing_tools,
    tools_seeing,
)
from client.face import LETTERS
from client.games.sir_ocelots_cave import terms
from client.games.sir_ocelots_cave.previews import (
    HandPreview,
    Trial,
    Visit,
    companion_visit,
    finishing_placements,
    gems_at,
    gems_on,
    kinds_left,
    placements_that_bring,
    sight_from,
    tool_trials,
)
from client.games.sir_ocelots_cave.scene import OcelotScene
from client.games.sir_ocelots_cave.terms import LAST_TURNS
from client.present.advice import Guide
from client.wording import begun, count, joined

NOTHING_TO_UNDO = "Nothing to undo: you cannot undo an amethyst drawn or a turn that has ended."
CONFIRM_PLACE = "What you place stays for good. Place it there?"


class GuideStone(msgspec.Struct, frozen=True):
    """An amethyst: its bag, its front, and its present value; None if unknown."""

    bag: str
    value: Value | None
    now: int | None

    @property
    def amethyst_words(self) -> str:
        """``blue: 1 for each of your gems of value 1, now 3``."""
        return f"{self.bag}: {'not known' if self.value is None else self.points_words}"

    @property
    def points_words(self) -> str:
        if self.value is None or isinstance(self.value, int):
            return count(self.value or 0, "point")
        return f"{terms.gem_value_words(self.value)}, now {self.now}"


def amethysts_in_few_words(stones: Sequence[GuideStone]) -> list[str]:
    """Return their points, the gems that special ones count, and the number of secret ones."""
    plain = [str(each.value) for each in stones if isinstance(each.value, int)]
    special = [f"{terms.COUNTED[each.value]}: {each.now}" for each in stones if isinstance(each.value, str)]
    secret = sum(each.value is None for each in stones)
    kinds = [", ".join(plain), *special, f"{secret} secret, about +{secret * GEODE}" * bool(secret)]
    return re.split("(?<=[,;]) ", "; ".join(filter(None, kinds)))


class PlayerRow(msgspec.Struct, frozen=True):
    """A player; revealed amethysts count in ``total``, not in ``points``; the expected points of secret ones,
    and of those that count gems left, are ``hoped``.
    """

    seat: int
    name: str
    points: int
    total: int
    hoped: int
    tools: tuple[int, ...]
    companion: str
    celestites: tuple[int, int, int]
    gems: tuple[tuple[Gem, int], ...]
    stones: tuple[GuideStone, ...]
    turn: bool
    mine: bool
    newest: frozenset[Gem]  # the gems collected last

    @property
    def points_words(self) -> str:
        """Return the points, and those that secret amethysts should add: ``62+30``."""
        return f"{self.total}+{self.hoped}" if self.hoped else str(self.total)


def ocelot_player_rows(scene: OcelotScene) -> tuple[PlayerRow, ...]:
    cave = scene.cave
    return tuple(_ocelot_player_row(scene, cave, seat) for seat in range(len(cave.players)))


def _ocelot_player_row(scene: OcelotScene, cave: State, seat: int) -> PlayerRow:
    player = cave.players[seat]
    stones = tuple(_amethyst_of_player(cave, player, each) for each in player.amethysts)
    gems = sum(terms.POINTS[gem] * player.count_collected(gem) for gem in KEPT)
    unsure = [each for each in stones if not scene.over and each.value in (None, "left_1", "left_2_3")]
    stands = player.companion
    sun, crescent, star = (player.count_collected(gem) for gem in CELESTITES)
    return PlayerRow(
        seat=seat,
        name=scene.view.names[seat],
        points=gems,
        total=gems + sum(each.now or 0 for each in stones if each not in unsure),
        hoped=sum(GEODE if each.now is None else round(each.now * share_that_stays(cave)) for each in unsure),
        tools=player.tools,
        companion="companion to come" if stands is None else f"companion level {LEVEL[stands]}",
        celestites=(sun, crescent, star),
        gems=tuple((gem, player.count_collected(gem)) for gem in KEPT if player.count_collected(gem)),
        stones=stones,
        turn=seat == cave.seat,
        mine=seat in scene.state.my_seats,
        newest=frozenset(_newest_gems(scene, seat)),
    )


def _newest_gems(scene: OcelotScene, seat: int) -> Iterator[Gem]:
    collected = (line.event for line in reversed(scene.state.log) if line.event["type"] == "collected")
    last = next((event for event in collected if event["seat"] == seat), None)
    return (gem["kind"] for gem in last["gems"]) if last else iter(())


def _amethyst_of_player(cave: State, player: Player, amethyst: Amethyst) -> GuideStone:
    value = amethyst.value
    now = special_points(cave, player)[value] if isinstance(value, str) else value
    return GuideStone(amethyst.bag, value, now)


# A place


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
    about = [terms.ABOUT[gem]] if gem in terms.ABOUT else []
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


# An action


def words(scene: OcelotScene, action: Action) -> str:
    match action:
        case LayTool(kind, side, at):
            # The other side matters when few tools are left.
            which = scene.me.pieces_left <= LAST_TURNS and len(kinds_left(scene.cave, scene.seat, side)) > 1
            tool = terms.tool_words(kind, side) if which else side
            return f"lay {terms.with_article(tool)} at {terms.board_place_words(at)}"
        case PlaceCompanion(at):
            return f"bring your companion to {terms.board_place_words(at)}"
        case Advance(to):
            return f"send your companion down to {terms.board_place_words(to)}"
        case Collect(gems):
            if gems == scene.collectable:
                return "collect all gems"
            return f"collect {terms.gems_words(gems_at(scene.cave, gems))}"


def gems_brought_words(scene: OcelotScene, action: Action) -> str:
    match action:
        case LayTool():
            trial = _trial_of_placement(scene, action)
            return "" if trial is None else trial_words(scene, trial)
        case PlaceCompanion(at) | Advance(at):
            return visit_words(scene, companion_visit(scene.cave, at))
        case Collect(gems):
            found = gems_at(scene.cave, gems)
            points, geodes = terms.points_of_gems(found), found.count("geode")
            brings = [count(many, what) for many, what in ((points, "point"), (geodes, "amethyst")) if many]
            return f"brings {joined(brings)}" if brings else ""


def gain_shown(scene: OcelotScene, action: Action) -> int:
    trial = _trial_of_placement(scene, action) if isinstance(action, LayTool) else None
    if trial is None:
        return 0
    return expected_points_of_gems(scene.cave, trial.takes) - expected_points_of_gems(scene.cave, trial.hands)


def reason_for_hint(scene: OcelotScene, action: Action, _then: Sequence[Action] = ()) -> str:
    """Return the reason for an action, for a hint; excludes the rival's gain."""
    cave, seat = scene.cave, scene.seat
    if is_last_turn(scene) and not _gems_in_reach(scene.state.game, cave, seat) & cave.with_gems:
        return _reason_when_nothing_collects(scene, action)
    match action:
        case PlaceCompanion(at):
            return f"it {visit_words(scene, companion_visit(scene.cave, at), REPLACES)}{_left_words(scene, action)}"
        case Advance(at):
            return _reason_to_go_down(scene, action, companion_visit(scene.cave, at))
        case Collect():
            found = gems_brought_words(scene, action)
            return f"it {found}" if found else ""
    trial = _trial_of_placement(scene, action)
    if trial is None:
        return ""
    if takes := gems_on(cave, trial.takes):
        return f"it collects {terms.worth(takes)}{_why_not_more(scene, action, trial)}"
    why = _reason_to_prepare(scene, action, trial)
    return why and why + _left_words(scene, action)


def is_last_turn(scene: OcelotScene) -> bool:
    """Return whether the active player is to place the last piece."""
    return scene.mode == "acting" and scene.me.pieces_left == 1


def _reason_when_nothing_collects(scene: OcelotScene, action: Action) -> str:
    trial = _trial_of_placement(scene, action) if isinstance(action, LayTool) else None
    spares = scene.cave.players[scene.rival_seat].has_pieces and not (trial and trial.hands)
    also = f"; this opens nothing to {scene.view.names[scene.rival_seat]}" if spares else ""
    return f"in your last turn nothing collects a gem any more{also}"


def _reason_to_go_down(scene: OcelotScene, sent: Advance, there: Visit) -> str:
    after = scene.state.game.apply(scene.cave, scene.seat, sent).state
    best = next(iter(placements_that_bring(after, scene.seat)), None)
    if best is None:
        return f"it {visit_words(scene, there, REPLACES)}"
    sees = visit_words(scene, replace(there, takes=0), REPLACES)
    return f"it {sees}; then a tool can still collect {terms.worth(gems_on(after, best.takes))}"


def _left_words(scene: OcelotScene, action: Action) -> str:
    """Return whether the gems that a tool could collect instead can wait for your next turn."""
    cave, seat, rival = scene.cave, scene.seat, scene.rival_seat
    after = scene.state.game.apply(cave, seat, action).state
    best = next(iter(placements_that_bring(cave, seat)), None)
    if best is None or after.seat != rival or not (left := best.takes & after.with_gems):
        return ""
    it = terms.worth(gems_on(cave, left))
    if left & _gems_in_reach(scene.state.game, after, rival) or left & ~one_tool_short(after, seat):
        return f"; it leaves {it}"
    where = joined([terms.board_place_words(at) for at in squares_in_order(left)])
    return "" if is_last_turn(scene) else f"; safe until your next turn: {it} (at {where})"


def _why_not_more(scene: OcelotScene, laid: LayTool, trial: Trial) -> str:
    """Return why a tool is better than another one that collects more."""
    cave, seat, rival = scene.cave, scene.seat, scene.rival_seat
    best = placements_that_bring(cave, seat)[0]
    points = partial(expected_points_of_gems, cave)
    if points(best.takes) <= points(trial.takes):
        return ""
    hands = next(each.hands for each in tool_trials(cave, seat, best.at) if each.tool == best.tool)
    if points(hands) > points(trial.hands):
        gives = terms.worth(gems_on(cave, hands))
        return f"; a tool that collects more opens {gives}, to {scene.view.names[rival]}"
    after = scene.state.game.apply(cave, seat, laid).state
    after = replace(after, gems=tuple(each & ~trial.takes for each in after.gems), seat=rival, phase="advancing")
    left = best.takes & ~trial.takes
    is_safe = not is_last_turn(scene) and not left & (
        _gems_in_reach(scene.state.game, after, rival) | ~one_tool_short(after, seat)
    )
    return f"; safe until your next turn: {terms.worth(gems_on(cave, left))}" if is_safe else ""


def _gems_in_reach(game: AnyGame, state: State, seat: int) -> int:
    """Return the gems that the active player can collect this turn, also with the companion."""
    found = collectable_gems(state, seat) | one_tool_short(state, seat)
    for each in game.choices(state, seat):
        match each:
            case PlaceCompanion(at):
                found |= companion_visit(state, at).takes | BIT[at]
            case Advance(at):
                sent = game.apply(state, seat, each).state
                found |= collectable_gems(sent, seat) | one_tool_short(sent, seat) | BIT[at]
    return found


def _reason_to_prepare(scene: OcelotScene, laid: LayTool, trial: Trial) -> str:
    """Return the reason for a tool that collects nothing; empty if it only serves the rival."""
    cave, seat, rival = scene.cave, scene.seat, scene.view.names[scene.rival_seat]
    after = scene.state.game.apply(cave, seat, laid).state
    ready = (one_tool_short(after, seat) & ~one_tool_short(cave, seat) & ~trial.hands).bit_count()
    prepares = f"it prepares {count(ready, 'gem')} for your next tool"
    if trial.hands:
        return f"{prepares}, but opens {terms.worth(gems_on(cave, trial.hands))}, to {rival}" if ready else ""
    spares = f"opens nothing to {rival}"
    if ready:
        return f"{prepares} and {spares}"
    seen = squares_in_order(sight_from(cave, laid.at) & cave.with_gems & ~scene.out_of_reach)
    first = sum(not tools_seeing(cave, at) for at in seen)
    return f"it {spares}" + f", and is the first of three tools for {count(first, 'gem')}" * bool(first)


def _trial_of_placement(scene: OcelotScene, laid: LayTool) -> Trial | None:
    found = tool_trials(scene.cave, scene.seat, laid.at)
    return next((each for each in found if each.tool == laid.side), None)


def trial_words(scene: OcelotScene, trial: Trial) -> str:
    cave = scene.cave
    takes, hands = gems_on(cave, trial.takes), gems_on(cave, trial.hands)
    sees = sees_words(scene, sight_from(cave, trial.at))
    text = f"collects {terms.worth(takes)}" if takes else f"collects nothing, sees {sees}"
    return f"{text}; opens {terms.worth(hands)}, to {scene.view.names[scene.rival_seat]}" if hands else text


REPLACES = " as any tool, for you alone"


def visit_words(scene: OcelotScene, there: Visit, how: str = "") -> str:
    takes = f"takes {terms.gem(there.gem)} and " if there.gem else ""
    then = gems_on(scene.cave, there.takes)
    lets = f"; then you can collect {terms.worth(then)}" if then else ""
    return f"{takes}sees {sees_words(scene, there.sees)}{how}{lets}"


# The place under the cursor, as in the pane


BRIEFEST = 2


class GuideOffer(msgspec.Struct, frozen=True):
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
    offers: tuple[GuideOffer, ...] = ()
    facts: tuple[str, ...] = ()
    signs: tuple[str, ...] = ()  # the meaning of signs on the board, if it fits


OPENS = "opens: gems that your rival can take only after this tool."
SIGNS = (
    "Round spaces take tools; the small letter is the chosen tool.",
    "A letter after a gem is a tool of yours that completes it, of two each.",
)


def offers_at_place(scene: OcelotScene, at: Place, hand: HandPreview | None, left_out: frozenset[Place]) -> Here:
    if scene.mode == "collecting":
        return _collecting_offers(scene, at, left_out)
    title, acting = begun(place_title(scene, at)), scene.mode == "acting"
    found = Here(title, _tool_offers(scene, at, hand)) if at in RAYS else _square_offers(scene, at, title)
    if acting and hand is not None and not found.offers:
        held = f"Chosen to lay: {terms.tool_words(hand.kind, hand.tool)}."
        found = replace(found, facts=(*found.facts, held))
    lost = " ".join(map(terms.board_place_words, squares_in_order(scene.out_of_reach)))
    opens = any(offer.hands for offer in found.offers)
    out_of_reach = [f"Out of reach for both: {lost}."] * bool(lost)
    if acting and at in RAYS:
        return replace(found, signs=(*[OPENS] * opens, *out_of_reach, *SIGNS))
    return replace(found, signs=(*out_of_reach,)) if BIT.get(at, 0) & scene.out_of_reach else found


def _tool_offers(scene: OcelotScene, at: Place, hand: HandPreview | None) -> tuple[GuideOffer, ...]:
    cave, seat = scene.cave, scene.seat
    if scene.mode == "over":
        return ()
    rival = scene.view.names[1 - seat]
    found = []
    for trial in tool_trials(cave, seat, at):
        held = hand is not None and hand.tool == trial.tool
        kind = hand.kind if hand is not None and held else trial.kinds[0]
        takes, hands = gems_on(cave, trial.takes), gems_on(cave, trial.hands)
        found.append(
            GuideOffer(
                terms.TOOL_LETTERS[trial.tool].lower(),
                trial.tool,
                f"tool:{trial.tool}",
                f"takes {terms.gems_in_few_words(takes)}{terms.gain_words(takes)}" if takes else "",
                f"opens {terms.gems_in_few_words(hands)}{terms.gain_words(hands)} to {rival}" if hands else "",
                "takes nothing",
                held,
                terms.other_side_words(trial.tool, (kind,)),
                (
                    f"takes {_briefly(takes)}" if takes else "",
                    f"opens +{terms.expected_points(hands)} to {LETTERS[1 - seat]}" if hands else "",
                ),
            )
        )
    return tuple(found)


def _briefly(found: Sequence[Gem]) -> str:
    return f"{count(len(found), 'gem')} +{terms.expected_points(found)}"


def _square_offers(scene: OcelotScene, at: Place, title: str) -> Here:
    cave = scene.cave
    offers: tuple[GuideOffer, ...] = ()
    there = companion_visit(cave, at) if at in scene.ways else None
    if there is not None:
        takes = [*((there.gem,) if there.gem else ()), *gems_on(cave, there.takes)]
        gain = f"takes {terms.gems_in_few_words(takes)}{terms.gain_words(takes)}" if takes else ""
        name = "send companion down" if isinstance(scene.ways[at], Advance) else "bring companion"
        offers = (GuideOffer("enter", name, "enter", gain, "", f"sees {sees_words(scene, there.sees)}", chosen=True),)
        if there.gem:  # The companion takes it without any tool.
            return Here(title, offers, (f"{begun(terms.ABOUT[there.gem])}.",))
    return Here(title, offers, tuple(f"{begun(fact)}." for fact in square_facts(scene, at)))


def _collecting_offers(scene: OcelotScene, at: Place, left_out: frozenset[Place]) -> Here:
    cave = scene.cave
    taken = [each for each in scene.collectable if each not in left_out]
    found = gems_on(cave, sum(BIT[each] for each in taken))
    title = f"Collect {len(taken)} of {count(len(scene.collectable), 'gem')}"
    if found:
        title += f":{terms.gain_words(found)}"
    offers = []
    for each in scene.collectable:
        (gem,) = gems_on(cave, BIT[each])
        name = f"{terms.SHORT[gem]} {terms.board_place_words(each)}"
        worth = "an amethyst" if gem == "geode" else f"+{terms.POINTS[gem]}"
        left = each in left_out
        do = f"toggle:{terms.board_place_words(each)}"
        offers.append(GuideOffer("-" if left else "+", name, do, "" if left else worth, "", "left", each == at))
    return Here(title, tuple(offers))


def _when_acting(holds: Callable[[OcelotScene], bool]) -> Callable[[OcelotScene], bool]:
    return lambda scene: scene.mode == "acting" and holds(scene)


# The most urgent first.
_MATTERS: dict[str, Callable[[OcelotScene], bool]] = {
    "collecting": lambda scene: scene.mode == "collecting",
    "last turns": _when_acting(lambda scene: scene.cave.turns_left <= LAST_TURNS),
    "first turn": _when_acting(lambda _scene: True),
    "short": _when_acting(lambda scene: bool(scene.needs)),
    "advance": _when_acting(lambda scene: bool(scene.ways) and scene.me.companion is not None),
    "companion": _when_acting(lambda scene: scene.me.companion is None and scene.turn_number > 2),
    "amethyst": _when_acting(lambda scene: any(player.amethysts for player in scene.cave.players)),
    "below": _when_acting(lambda scene: scene.me.companion is not None and LEVEL[scene.me.companion] > 1),
    "waiting": lambda scene: scene.mode == "waiting",
}
TIPS = {
    "collecting": "You can collect these gems: {enter} takes all, {space} leaves one out.",
    "last turns": "The last turns: gems left score nothing, secret amethysts add about 5 each.",
    "first turn": "A gem seen by compass, lamp and pickaxe is collected: {enter} lays one, {y} hints.",
    "short": "A letter after a gem is a tool that completes it (of two, either): {n} goes there.",
    "advance": "Before you lay a tool, your companion can go a level down: {m}.",
    "companion": "Your companion replaces a tool, for you alone: {m} shows where it can go.",
    "amethyst": "Secret amethysts often decide the game: at the end each adds about 5 points.",
    "below": "Deeper levels have better gems; your companion never comes back up.",
    "waiting": "It is not your turn. Point at any place to plan your next tool.",
}

_ENDS = {
    "collecting": ("collected",),
    "first turn": ("tool_placed", "companion_placed"),
    "short": ("collected",),
    "advance": ("advanced",),
    "companion": ("companion_placed",),
}


def newcomer_guide() -> Guide[OcelotScene]:
    return Guide(_MATTERS, TIPS, _ENDS)
