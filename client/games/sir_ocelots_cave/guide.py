"""Words, gains and reasons of actions; tips for a first game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from msgspec.structs import replace

from cave.game import AnyGame
from cave.sir_ocelots_cave.actions import Action, Advance, Collect, LayTool, PlaceCompanion
from cave.sir_ocelots_cave.components import BIT, LEVEL, Squares, set_of_squares, squares_in_order
from cave.sir_ocelots_cave.scoring import (
    collectable_with_tool,
    expected_points_of_gems,
    new_sets,
    one_tool_short,
    points_of_own_specials,
)
from cave.sir_ocelots_cave.state import State, collectable_gems, tools_seeing
from client.games.sir_ocelots_cave import terms
from client.games.sir_ocelots_cave.here import sees_words
from client.games.sir_ocelots_cave.previews import (
    Trial,
    Visit,
    companion_visit,
    gems_at,
    kinds_left,
    placements_that_bring,
    sight_from,
    tool_trials,
    worth_of,
)
from client.games.sir_ocelots_cave.scene import OcelotScene
from client.games.sir_ocelots_cave.terms import LAST_TURNS
from client.present.advice import Guide
from client.wording import count, joined

NOTED = 3  # points by which a player notices that another tool seems better
NOTHING_TO_UNDO = "Nothing to undo: you cannot undo an amethyst drawn or a turn that has ended."
CONFIRM_PLACE = "What you place stays for good. Place it there?"


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
            squares = set_of_squares(gems)
            points = terms.points_of_gems(found) + points_of_own_specials(scene.cave, scene.seat, squares)
            geodes = found.count("geode") + new_sets(scene.cave, scene.seat, squares)
            brings = [count(many, what) for many, what in ((points, "point"), (geodes, "amethyst")) if many]
            return f"brings {joined(brings)}" if brings else ""


def opens_shown(scene: OcelotScene, action: Action) -> int:
    trial = _trial_of_placement(scene, action) if isinstance(action, LayTool) else None
    return expected_points_of_gems(scene.cave, scene.rival_seat, trial.hands) if trial else 0


def gain_shown(scene: OcelotScene, action: Action) -> int:
    trial = _trial_of_placement(scene, action) if isinstance(action, LayTool) else None
    if trial is None:
        return 0
    return expected_points_of_gems(scene.cave, scene.seat, trial.takes) - opens_shown(scene, action)


def reason_for_hint(scene: OcelotScene, action: Action, then: Sequence[Action] = ()) -> str:
    """Return the reason for an action, for a hint; excludes the rival's gain."""
    cave, seat = scene.cave, scene.seat
    if is_last_turn(scene) and not _gems_in_reach(scene.state.game, cave, seat) & cave.with_gems:
        return _reason_when_nothing_collects(scene, action)
    match action:
        case PlaceCompanion(at):
            return f"it {visit_words(scene, companion_visit(scene.cave, at), REPLACES)}{_left_words(scene, action)}"
        case Advance(at):
            return _reason_to_go_down(scene, action, then, companion_visit(scene.cave, at))
        case Collect():
            found = gems_brought_words(scene, action)
            return f"it {found}" if found else ""
    trial = _trial_of_placement(scene, action)
    if trial is None:
        return ""
    if trial.takes:
        return f"it collects {worth_of(cave, seat, trial.takes)}{_why_not_more(scene, action, trial)}"
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


def _reason_to_go_down(scene: OcelotScene, sent: Advance, then: Sequence[Action], there: Visit) -> str:
    cave, seat = scene.state.game.apply(scene.cave, scene.seat, sent).state, scene.seat
    laid = next((each for each in then if isinstance(each, LayTool)), None)
    takes = collectable_with_tool(cave, seat, laid.at, laid.side) if laid else 0
    if laid is None or not takes:
        return f"it {visit_words(scene, there, REPLACES)}"
    sees, tool = visit_words(scene, replace(there, takes=0), REPLACES), terms.with_article(laid.side)
    where = terms.board_place_words(laid.at)
    return f"it {sees}; then {tool} at {where} collects {worth_of(cave, seat, takes)}"


def _left_words(scene: OcelotScene, action: Action) -> str:
    """Return whether the gems that a tool could collect instead can wait for your next turn."""
    cave, seat, rival = scene.cave, scene.seat, scene.rival_seat
    after = scene.state.game.apply(cave, seat, action).state
    best = next(iter(placements_that_bring(cave, seat)), None)
    if best is None or after.seat != rival or not (left := best.takes & after.with_gems):
        return ""
    it = worth_of(cave, seat, left)
    if left & _gems_in_reach(scene.state.game, after, rival) or left & ~one_tool_short(after, seat):
        return f"; it leaves {it}"
    where = joined([terms.board_place_words(at) for at in squares_in_order(left)])
    return "" if is_last_turn(scene) else f"; safe until your next turn: {it} (at {where})"


def _why_not_more(scene: OcelotScene, laid: LayTool, trial: Trial) -> str:
    """Return why a tool is better than another one that collects more."""
    cave, seat, rival = scene.cave, scene.seat, scene.rival_seat
    points, given = partial(expected_points_of_gems, cave, seat), partial(expected_points_of_gems, cave, rival)
    bring = dict.fromkeys(each.at for each in placements_that_bring(cave, seat))
    trials = [each for at in bring for each in tool_trials(cave, seat, at)]
    best = max(trials, key=lambda each: points(each.takes))
    net = max(trials, key=lambda each: points(each.takes) - given(each.hands))
    if points(best.takes) <= points(trial.takes):
        more = points(net.takes) - given(net.hands) - points(trial.takes) + given(trial.hands)
        why = f"{_collects_words(net, points)} and opens less, but the expert bot prefers this"
        return f"; {why}" if more >= NOTED else ""
    other = _collects_words(best, points)
    if given(best.hands) > given(trial.hands):
        return f"; {other}, but opens {given(best.hands):+}{best.more} to {scene.view.names[rival]}"
    after = scene.state.game.apply(cave, seat, laid).state
    after = replace(after, gems=tuple(each & ~trial.takes for each in after.gems), seat=rival, phase="advancing")
    left = best.takes & ~trial.takes
    is_safe = not is_last_turn(scene) and not left & (
        _gems_in_reach(scene.state.game, after, rival) | ~one_tool_short(after, seat)
    )
    if is_safe:
        return f"; safe until your next turn: {worth_of(cave, seat, left)}"
    return f"; {other}, but the expert bot prefers this"


def _collects_words(trial: Trial, points: Callable[[Squares], int]) -> str:
    return f"{terms.with_article(trial.tool)} at {terms.board_place_words(trial.at)} collects {points(trial.takes):+}"


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
        return (
            f"{prepares}, but opens {worth_of(cave, scene.rival_seat, trial.hands)}{trial.more}, to {rival}"
            if ready
            else ""
        )
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
    takes, hands, rival = trial.takes, trial.hands, scene.rival_seat
    sees = sees_words(scene, sight_from(cave, trial.at))
    text = f"collects {worth_of(cave, scene.seat, takes)}" if takes else f"collects nothing, sees {sees}"
    return f"{text}; opens {worth_of(cave, rival, hands)}{trial.more}, to {scene.view.names[rival]}" if hands else text


REPLACES = " as any tool, for you alone"


def visit_words(scene: OcelotScene, there: Visit, how: str = "") -> str:
    takes = f"takes {terms.gem(there.gem)} and " if there.gem else ""
    then = there.takes
    lets = f"; then you can collect {worth_of(scene.cave, scene.seat, then)}" if then else ""
    return f"{takes}sees {sees_words(scene, there.sees)}{how}{lets}"


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
    "last turns": "The last turns. Some secret amethysts count the gems left.",
    "first turn": "A gem seen by compass, lamp and pickaxe is collected: {enter} lays one, {y} hints.",
    "short": "A letter after a gem is a tool that completes it (two hide its value: either): {n}.",
    "advance": "Before you lay a tool, your companion can go a level down: {m}.",
    "companion": "Your companion replaces a tool, for you alone: {m} shows where it can go.",
    "amethyst": "Secret amethysts often decide the game: each adds 2 to 10 points, or counts gems.",
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
