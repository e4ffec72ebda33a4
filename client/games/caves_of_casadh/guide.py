"""Tips for a first game, and the words of a hint: an action and its reason."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf

from cave.caves_of_casadh import actions as act
from cave.caves_of_casadh import scoring as prospects
from cave.caves_of_casadh.actions import Action
from cave.caves_of_casadh.components import HOME, ItemKind, components, distance, side_towards
from cave.caves_of_casadh.outlook import KEPT
from cave.caves_of_casadh.scoring import treasure_value
from cave.caves_of_casadh.state import State, cell_of, hex_of
from cave.codec import to_json
from client.games.caves_of_casadh import terms
from client.games.caves_of_casadh.scene import CasadhScene, best_of_surface, offered_values, points_with_surface
from client.games.caves_of_casadh.tasks import ENDS_TURN, WORDS, Laying, Task
from client.present.advice import Guide
from client.wording import count, joined


def _when_acting(holds: Callable[[CasadhScene], bool]) -> Callable[[CasadhScene], bool]:
    return lambda scene: scene.mode == "actions" and holds(scene)


def _leads_home_with(scene: CasadhScene, item: ItemKind) -> bool:
    if scene.home is not None or item in scene.me.items:
        return False
    return (scene.pawn_cell, scene.me.passage) in prospects.mp_home_by_passage(scene.cave, (*scene.me.items, item))


# The most urgent first.
_MATTERS: dict[str, Callable[[CasadhScene], bool]] = {
    "placing": lambda scene: scene.mode == "placing",
    "keeping": lambda scene: scene.mode == "keeping" and len(offered_values(scene.cave)) > 1,
    "keeping one": lambda scene: scene.mode == "keeping" and len(offered_values(scene.cave)) == 1,
    "fleeing": lambda scene: scene.mode == "fleeing",
    "haunting": lambda scene: scene.mode == "haunting",
    "grue on the way": _when_acting(lambda scene: _leads_home_with(scene, "lantern")),
    "slope on the way": _when_acting(lambda scene: _leads_home_with(scene, "rope")),
    "cut off": _when_acting(lambda scene: scene.home is None),
    "deadly": _when_acting(lambda scene: scene.home is not None and scene.home.damage >= scene.me.hp),
    "first out": _when_acting(lambda scene: could_be_first_out(scene)),
    "weak": _when_acting(lambda scene: scene.me.hp <= 2),
    "race": _when_acting(lambda scene: rival_ahead(scene) is not None),
    "won": _when_acting(lambda scene: leads_for_good(scene)),
    "far ahead": _when_acting(lambda scene: is_far_ahead(scene)),
    "alone": _when_acting(lambda scene: all(each.state != "in" for each in scene.cave.players if each is not scene.me)),
    "out": _when_acting(lambda scene: any(each.state == "out" for each in scene.cave.players)),
    "first turn": _when_acting(lambda scene: len(scene.cave.map) == 1),
    "collect": _when_acting(lambda scene: scene.can_do_kind("collect_treasure") and scene.can_do_kind("collect_items")),
    "treasure": _when_acting(lambda scene: scene.can_do_kind("collect_treasure")),
    "items": _when_acting(lambda scene: scene.can_do_kind("collect_items")),
    "rope": _when_acting(lambda scene: scene.can_do_kind("slide") and "rope" in scene.me.items),
    "slope": _when_acting(lambda scene: scene.can_do_kind("slide")),
    "explore": _when_acting(lambda _scene: True),
    "waiting": lambda scene: scene.mode == "waiting",
}
TIPS = {
    "placing": "You enter by the passage that faces you: {r} turns the hex, {enter} lays it.",
    "keeping": "You keep one of these treasures: type its number. Nobody else sees them.",
    "keeping one": "You take this treasure: {1} or {enter}. Nobody else sees it.",
    "fleeing": "A grue! You flee to the nearest hex without one; each grue on the way takes 1 HP.",
    "haunting": "You are out, but not out of the game: {1} tries to move a grue.",
    "grue on the way": "A grue bars the way home: find a Brass Lantern, or explore another way.",
    "slope on the way": "The way home leads up a slope: find a Rope, or explore another way.",
    "cut off": "No known way leads home from here: explore on to find one.",
    "deadly": "The way home takes all your HP: find another way, or a thing that protects you.",
    "first out": "A rival can be out next turn, with the best of the Surface. You can be first.",
    "weak": "Few HP mean few MP: look at the way home below the map, and turn round in time.",
    "race": "A rival is out, or can leave next turn, with more than you: find more, or leave first.",
    "won": "Nobody else can have as many points as you: go home and leave, and you win.",
    "far ahead": "You are far enough ahead of a novice: go home and leave while you lead.",
    "alone": "You are alone in the caves: every turn is yours, and the game ends when you leave.",
    "out": "A player who is out is safe. The others play on until nobody is left in the caves.",
    "first turn": "{1} to {6} explore. Health points (HP, beside your name) are also your moves (MP).",
    "collect": "There is something in your passage: {c} looks for treasure, {i} takes items.",
    "treasure": "There is treasure in your passage: {c} looks at all of it, and you keep one.",
    "items": "There are items in your passage: {i} takes them, which ends the turn.",
    "rope": "A slope leads to another passage. With your Rope you can climb it, too: free, both ways.",
    "slope": "A slope leads to another passage: sliding is free, but only a Rope takes you back up.",
    "explore": "The ways out of the passage that you are in have numbers, with what they cost.",
    "waiting": "It is not your turn. Look around: {w} shows the whole map, {o} what has happened.",
}

_ENDS = {
    "placing": ("hex_placed",),
    "keeping": ("treasure_kept",),
    "keeping one": ("treasure_kept",),
    "first turn": ("hex_placed",),
    "collect": ("treasure_kept", "items_collected"),
    "treasure": ("treasure_kept",),
    "items": ("items_collected",),
    "rope": ("slid",),
    "slope": ("slid",),
}
YOU_WIN = "; nobody can have as many, so you win once you are out"
AHEAD = "; that is far enough ahead: the others hardly ever get as many"
LOADED = 3  # treasures with which a rival may well leave
FAR = 8
"""The least lead over a novice's average points; with it, leaving won 98% of 440 playouts against novices.
Stronger rivals stay on alone, and often catch up.
"""
WEAK = ("novice",)
_WARNINGS = ("grue on the way", "slope on the way", "cut off", "deadly", "first out")


def newcomer_guide() -> Guide[CasadhScene]:
    return Guide(_MATTERS, TIPS, _ENDS, _WARNINGS)


def words(scene: CasadhScene, action: Action) -> str:
    task = next((each for each in scene.tasks if each.is_for(to_json(action))), None)
    key = f" ({task.key})" if task is not None and task.key.isdecimal() else ""
    ends = " and end the turn" if task is not None and task.price.endswith(ENDS_TURN) else ""
    return f"{_words(scene, action, task)}{ends}{key}"


def _words(scene: CasadhScene, action: Action, task: Task | None) -> str:
    match action:
        case act.Move(to):
            return f"go {_direction_words(scene, to)}to {terms.hex_name(scene.cave, to)}"
        case act.Explore(to):
            return f"explore {_direction_words(scene, to)}".rstrip()
        case act.Place(rotation):
            if task is None:
                return f"lay the hex turned {rotation} times"
            words = Laying(scene.cave, rotation).words
            return f"lay the hex {'leading' if words.startswith('on') else 'as'} {words}"
        case act.CollectItems(items):
            return f"take items: {terms.item_list_words(items)}"
        case act.EndTurn():
            return WORDS["end_turn"]
    return task.words if task else WORDS.get(action.type, action.type.replace("_", " "))


def reason_for_hint(scene: CasadhScene, action: Action, then: Sequence[Action] = ()) -> str:
    # Leaving has its own words for a rival who may have more.
    race = "" if isinstance(action, act.Leave) else _race(scene)
    if not race and isinstance(action, act.Explore | act.Move | act.Slide) and not leads_out(scene, action, *then):
        total = points_with_surface(scene)
        race = f"you carry {treasure_value(scene.me)} ({total} with the Surface)" if total else ""
    return "; ".join(filter(None, [_reason(scene, action, then), race]))


def leads_for_good(scene: CasadhScene) -> bool:
    """Return whether you win by going home now: nobody else is in the caves, none of those outside can have as
    many points, and the way does no damage.
    """
    rivals = [(seat, each) for seat, each in enumerate(scene.cave.players) if seat != scene.seat]
    if scene.home is None or scene.home.damage or any(each.state == "in" for _, each in rivals):
        return False
    most = max((_most_points(scene, seat) for seat, each in rivals if each.state == "out"), default=0)
    return treasure_value(scene.me) + sum(best_of_surface(scene.cave)) > most


def is_far_ahead(scene: CasadhScene) -> bool:
    """Return whether you win almost surely by going home now: all rivals are weak, and far behind (``FAR``)."""
    cave, home, outlook = scene.cave, scene.home, []
    if home is None or home.damage or not scene.me.treasures:
        return False
    first, second = sum(best_of_surface(cave)), sum(best_of_surface(cave, 1))
    mine, theirs = (first, second) if home.mp < cave.mp else (second, first)
    for seat, each in enumerate(cave.players):
        if seat == scene.seat or each.state == "dead":
            continue
        if each.state == "in" and scene.state.seats[seat].level not in WEAK:
            return False
        known, unknown = _treasures_of(scene, seat)
        inside = each.state == "in"
        outlook.append(known + KEPT * (max(LOADED, unknown) if inside else unknown) + theirs * inside)
    return treasure_value(scene.me) + mine >= max(outlook, default=0) + FAR


def step_home_for_good(scene: CasadhScene) -> Action | None:
    """Return the next action of the way home, if it wins, or almost surely; None without MP for it."""
    if scene.home is None or scene.mode != "actions" or not (leads_for_good(scene) or is_far_ahead(scene)):
        return None
    ahead = scene.home.hexes[:1]
    found = (task for task in scene.tasks if (task.at in ahead if ahead else task.kind == "leave"))
    return next((task.actions[0] for task in found), None)


def leads_out(scene: CasadhScene, action: Action, *then: Action) -> bool:
    """Return whether a plan leaves the caves, or walks home to do it."""
    aim = _aim_of((action, *then))
    if aim is None and isinstance(action, act.Move | act.Slide):
        return _is_homewards(scene, action)
    return isinstance(aim, act.Leave)


def _aim_of(plan: Sequence[Action]) -> Action | None:
    return next((each for each in plan if not isinstance(each, act.Move | act.Slide | act.EndTurn)), None)


def _reason(scene: CasadhScene, action: Action, then: Sequence[Action]) -> str:
    cave = scene.cave
    match action:
        case act.Explore(to):
            far = count(distance(to, HOME), "hex")
            opens = "it may open a way home" if scene.home is None else "it may bring treasure"
            return f"{opens}, {far} from Base Camp"
        case act.Move() | act.Slide():
            return _aim(scene, action, then)
        case act.Keep(value):
            offered = offered_values(cave)
            if len({*offered}) == 1:
                return "it is the only one" if len(offered) == 1 else "they are worth the same"
            return "it is the highest of them" if value == max(offered, default=0) else ""
        case act.EndTurn():
            return "nothing else is worth its MP" if cave.mp else "no MP are left"
        case act.UseMedkit():
            return f"you have {cave.players[scene.seat].hp} HP left, and it gives you all of them back"
        case act.CollectTreasure():
            lie = len(hex_of(cave, scene.seat).treasures)
            return f"you keep the best of {lie} treasures" if lie > 1 else "a treasure lies here"
        case act.CollectItems(items):
            return "; ".join(_use_of_item(scene, each) for each in items)
        case act.Place(rotation):
            laid = Laying(cave, rotation)
            return laid.where_marker_lies + f", and it is a short cut home ({laid.home} MP)" * laid.is_short_cut
        case act.Leave():
            best = sum(best_of_surface(cave))
            mine = treasure_value(scene.me) + best
            surface = f", {best} of them from the Surface" if best else ""
            close = _lead(scene) or _close_rival(scene, mine)
            return f"you are safe then with {count(mine, 'point')}{surface}{close}"
        case act.MoveGrue():
            return "a grue can hurt those who are still in the caves"
        case act.PlaceGrue(_, to):
            there = [scene.view.names[seat] for seat, each in enumerate(cave.players) if each.at == to]
            return f"{joined(there)} {'is' if len(there) == 1 else 'are'} there" if there else ""
        case act.Drive(to):
            return f"it is {count(distance(to, cell_of(cave, scene.seat)), 'hex')} away from you then"
        case act.GiveUp():
            return "there is no way out any more"
    return ""


def _use_of_item(scene: CasadhScene, kind: ItemKind) -> str:
    use = terms.effect_sentence(terms.item_words(kind))
    held = (f"against {name}" for name in terms.misfortune_names(scene.me.misfortunes))
    return f"{use}, in case a card brings it" if use.startswith("against ") and use not in held else use


def _aim(scene: CasadhScene, action: act.Move | act.Slide, then: Sequence[Action]) -> str:
    """Return the purpose of a way: the first action at its end, or home."""
    wins = bool(lead := _lead(scene)) and _is_homewards(scene, action)
    aim = act.Leave() if wins else _aim_of(then)
    match aim:
        case act.CollectItems(items):
            return f"it is the way to items ({terms.item_list_words(items)})"
        case act.CollectTreasure():
            return "it is the way to a treasure"
        case act.Explore(to):
            last = [each.to for each in (action, *then[: then.index(aim)]) if isinstance(each, act.Move)]
            start = last[-1] if last else scene.pawn_cell
            side = side_towards(start, to)
            if side is not None and action == act.Move(start):
                return f"from there you can explore {terms.WAYS[side]}"
            # The plan stops at the end of this turn.
            where = "a later turn" if side is None else f"{terms.WAYS[side]} of {terms.hex_name(scene.cave, start)}"
            return f"it is the way to explore {'in ' * (side is None)}{where}"
    home = scene.home
    if isinstance(aim, act.Leave) or _is_homewards(scene, action):
        points, total = count(treasure_value(scene.me), "point"), points_with_surface(scene)
        points += f" ({total} with the Surface)" if total else ""
        return f"it is the way home with your {points}{f', {home.mp} MP' if home else ''}{lead * wins}"
    return ""


def _lead(scene: CasadhScene) -> str:
    return YOU_WIN if leads_for_good(scene) else AHEAD * is_far_ahead(scene)


def _is_homewards(scene: CasadhScene, action: act.Move | act.Slide) -> bool:
    at, passage = scene.pawn_cell, scene.me.passage
    homes = prospects.mp_home_by_passage(scene.cave, scene.me.items)
    now = homes.get((at, passage), inf)
    if isinstance(action, act.Slide):
        return homes.get((at, action.passage)) == now
    side = side_towards(action.to, at)
    owner = scene.cave.map[action.to].layout.owner
    return side is not None and homes.get((action.to, owner[side]), inf) < now


def rival_ahead(scene: CasadhScene) -> tuple[int, int] | None:
    """Return the seat and the expected points of a rival who is out, or can leave by the end of the next turn,
    with more than you would have then, or by leaving now if you can; None without one.
    """
    cave, ahead, leaves = scene.cave, [], scene.can_do_kind("leave")
    first, mine = sum(best_of_surface(cave, leaves)), treasure_value(scene.me) + sum(best_of_surface(cave, not leaves))
    for seat, rival in enumerate(cave.players):
        near = _can_be_out(cave, seat, rival.hp)
        known, unknown = _treasures_of(scene, seat)
        points = round(known + KEPT * unknown) + first * near
        loaded = len(rival.treasures) >= (LOADED if near else 1)
        if seat != scene.seat and loaded and (near or rival.state == "out") and points > mine:
            ahead.append((points, seat))
    return max(ahead)[::-1] if ahead else None


def could_be_first_out(scene: CasadhScene) -> bool:
    """Return whether you can leave in this turn with treasure, and a loaded rival before your next one."""
    cave, seats = scene.cave, range(len(scene.cave.players))
    rivals = [seat for seat in seats if seat != scene.seat and len(cave.players[seat].treasures) >= LOADED]
    gains = sum(best_of_surface(cave)) > sum(best_of_surface(cave, 1))
    near = gains and scene.me.treasures and _can_be_out(cave, scene.seat, cave.mp)
    return bool(near) and any(_can_be_out(cave, seat, cave.players[seat].hp) for seat in rivals)


def _can_be_out(cave: State, seat: int, mp: int) -> bool:
    """Return whether a player can walk home and leave, alive, with so many MP."""
    home = prospects.way_home(cave, seat)
    return home is not None and home.mp < mp and home.damage < cave.players[seat].hp


def _treasures_of(scene: CasadhScene, seat: int) -> tuple[int, int]:
    """Return the sum of a player's treasures that you know, and the number of the others. While they are
    secret, you know those taken on the Surface (rule 9.2).
    """
    held = scene.cave.players[seat].treasures
    left = (line.event for line in scene.state.log if {"type": "left", "seat": seat}.items() <= line.event.items())
    taken = [value for event in left for value in event.get("treasures", ())]
    known = [value for value in held if value is not None] or taken
    return sum(known), len(held) - len(known)


def _race(scene: CasadhScene) -> str:
    found = rival_ahead(scene) if scene.mode == "actions" else None
    if found is None:
        return ""
    seat, points = found
    rival, mine, best = scene.cave.players[seat], treasure_value(scene.me), sum(best_of_surface(scene.cave))
    left = sum(best_of_surface(scene.cave, scene.can_do_kind("leave")))
    does, surface = ("is out", 0) if rival.state == "out" else ("can leave next turn", left)
    yours = f"you carry {mine}{f' ({mine + best} with the Surface)' if best else ''}"
    if scene.can_do_kind("leave"):
        yours = f"you could leave with {mine + best} now, but should find more"
    low, high = _treasures_of(scene, seat)[0] + surface, _most_points(scene, seat) + surface
    has = f"{count(points, 'point')}" + f" ({low} to {high})" * (low < high)
    return f"{scene.view.names[seat]} {does} with about {has}; {yours}"


def _most_points(scene: CasadhScene, seat: int) -> int:
    known, unknown = _treasures_of(scene, seat)
    return known + max(components().treasure_values) * unknown


def _close_rival(scene: CasadhScene, mine: int) -> str:
    """Return the player outside who may have at least your points, with the tie-breaker (rule 9.4)."""
    out = [seat for seat, each in enumerate(scene.cave.players) if each.state == "out"]
    most, seat = max(((_most_points(scene, seat), seat) for seat in out), default=(-1, 0))
    name = scene.view.names[seat]
    low = _treasures_of(scene, seat)[0]
    range_words = f"{low} to {most}" if low < most else str(most)
    return f"; {name} is out with {range_words} points, and a tie goes to more HP" if most >= mine else ""


def _direction_words(scene: CasadhScene, to: tuple[int, int]) -> str:
    side = side_towards(cell_of(scene.cave, scene.seat), to)
    return "" if side is None else f"{terms.WAYS[side]} "
