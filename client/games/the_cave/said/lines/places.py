"""What lies where, in sentences: the own tile and its neighbours, any place, all tiles, the ways."""

from __future__ import annotations

from cave.the_cave.geometry import BASE, SIDES, Coord, around, edge
from cave.the_cave.placing import unexplored_exits
from cave.the_cave.prices import entry, passages, ways
from cave.the_cave.routes import Route, arrive, routes, way_home
from cave.the_cave.state import State
from client.games.the_cave.known import terms
from client.games.the_cave.known.actions import WAYS, Offer, offers, why_at
from client.games.the_cave.known.journey import leading_to, tile_for
from client.games.the_cave.known.picture import token_points
from client.games.the_cave.known.scene import CaveScene
from client.games.the_cave.known.terms import SIDE_WORDS
from client.games.the_cave.said.lines.spoken import place, spoken
from client.present.wording import count


def here(scene: CaveScene) -> list[str]:
    """Return where the shown team stands, on what, and what lies around."""
    at = scene.team_at
    tile = scene.cave.board[at]
    kind = terms.kind(tile.kind, tile.level)
    facts = [f"{scene.view.names[scene.seat]} at {place(at)}: {kind}", f"depth {terms.depth(tile.depth)}"]
    facts += _lying(scene.cave, at) + _company(scene, at, apart=scene.seat)
    return [spoken(", ".join(facts) + "."), *neighbours(scene)]


def neighbours(scene: CaveScene) -> list[str]:
    """Say what lies in each direction of the shown team, and what it takes to go there."""
    cave, at = scene.cave, scene.team_at
    board = cave.board
    new = unexplored_exits(board, at)
    found = _offers(scene)
    joined = {to for to, _, _ in passages(cave, at)}
    lines, short = [], []
    for side, to, _, _ in around(at):
        word = SIDE_WORDS[side].capitalize()
        if to in new:
            short.append(f"{word}: unexplored.")
        elif to in joined:
            lines.append(spoken(f"{word}: {_neighbour(scene, to, found.get(to, []))}"))
        elif to not in board and side in board[at].open:
            short.append(f"{word}: open, but nothing is discovered from here.")
        else:
            short.append(f"{word}: rock.")
    return [*lines, " ".join(short)] if short else lines


def _offers(scene: CaveScene) -> dict[Coord, list[Offer]]:
    """Return the moves by where they lead; forced ones only where there is nothing else."""
    found: dict[Coord, list[Offer]] = {}
    if not scene.can_act:
        return found
    starving = scene.mode == "starving"
    for offer in offers(scene.cave, scene.seat, scene.choices):
        if starving or not offer.by_force:
            found.setdefault(offer.choice.action.to, []).append(offer)  # type: ignore[union-attr]
    return found


def _neighbour(scene: CaveScene, to: Coord, offered: list[Offer]) -> str:
    cave = scene.cave
    tile, own = cave.board[to], cave.board[scene.team_at]
    facts = [f"{terms.kind(tile.kind, tile.level)} at {place(to)}"]
    if tile.depth != own.depth:
        facts.append(f"depth {terms.depth(tile.depth)}")
    climb = next(levels for there, _, levels in passages(cave, scene.team_at) if there == to)
    if climb and not offered:
        facts.append(f"{count(climb, 'rope')} needed")
    if offered:
        facts.append("; ".join(_way(offer, named=len(offered) > 1) for offer in offered))
    facts += _lying(cave, to) + _company(scene, to)
    why = why_at(scene.refusals, to) if scene.mode == "acting" and not offered else ""
    return ", ".join(facts) + "." + (f" Not now: {why}" if why else "")


def _way(offer: Offer, *, named: bool) -> str:
    by = WAYS[offer.choice.action.by] if named else ""  # type: ignore[union-attr]
    gain = f", gain {offer.gain}" if offer.gain else ""
    return f"{by} {offer.price}{gain}".strip()


def entering(cave: State, start: Coord, to: Coord) -> str:
    """Say what it takes to enter a place from its neighbour, one sentence, or nothing where no way leads
    in.
    """
    climb = next((levels for there, _, levels in passages(cave, start) if there == to), None)
    if climb is None:
        return ""
    tile, choke_cost = cave.board[to], cave.settings.choke_cost
    prices = [
        f"{terms.price(entry(tile.kind, tile.level, False, climb, 0, by, choke_cost))} {WAYS[by]}".strip()
        for by in ways(tile.kind)
    ]
    return f"Moving in takes {' or '.join(prices)}."


def _lying(cave: State, at: Coord) -> list[str]:
    points = token_points(cave.board[at])
    return [f"token {terms.gain(points)}"] if points else []


def _company(scene: CaveScene, at: Coord, *, apart: int | None = None) -> list[str]:
    """Return the teams and camps at a place."""
    called = list(zip(scene.view.names, scene.cave.teams, strict=True))
    who = [
        f"{terms.letter(seat)} {name} is there"
        for seat, (name, team) in enumerate(called)
        if team.at == at and seat != apart
    ]
    camps = [f"camp of {name}" for name, team in called if team.camp.at == at]
    return who + camps


def tile(scene: CaveScene, at: Coord) -> str:
    """Return all about one place."""
    cave = scene.cave
    lies = cave.board.get(at)
    if lies is None:
        if sides := [SIDE_WORDS[near.side] for near in leading_to(cave, at)]:
            return f"{place(at)}: unexplored; an exit leads there from the {' and '.join(sides)}."
        return f"{place(at)}: nothing; no exit leads there yet."
    facts = [f"{place(at)} {terms.kind(lies.kind, lies.level)}", f"depth {terms.depth(lies.depth)}"]
    facts += [part for part in (_exits(cave, at), _unexplored(cave, at)) if part]
    facts += _lying(cave, at) + _company(scene, at)
    return spoken(", ".join(facts) + ".")


def _exits(cave: State, at: Coord) -> str:
    words = []
    joined = {to: climb for to, _, climb in passages(cave, at)}
    for side, to, _, _ in around(at):
        if to not in joined:
            continue
        word = SIDE_WORDS[side]
        ropes = cave.ropes.get(edge(at, to), 0)
        if joined[to]:
            word += f" ({count(joined[to], 'rope')} needed)"
        elif ropes:
            word += " (roped)"
        words.append(word)
    return "exits " + " ".join(words) if words else "no exits"


def _unexplored(cave: State, at: Coord) -> str:
    new = unexplored_exits(cave.board, at)
    words = [SIDE_WORDS[near.side] for near in around(at) if near.at in new]
    return "unexplored " + " ".join(words) if words else ""


def tiles(scene: CaveScene) -> list[str]:
    """Return every tile, by depth, then from the base outwards."""
    board = scene.cave.board

    def order(at: Coord) -> tuple[int, int, Coord]:
        return (board[at].depth, abs(at[0]) + abs(at[1]), at)

    return [tile(scene, at) for at in sorted(board, key=order)]


def find(cave: State, start: Coord, words: str) -> Coord | None:
    """Return the place that words mean: ``2,0``, ``to 2 0``, ``west``, ``base``; None for no place."""
    text = words.casefold().replace(",", " ").split()
    text = [word for word in text if word not in ("to", "at")]
    if len(text) == 1:
        if text[0] in ("base", "home"):
            return BASE
        for side, to, _, _ in around(start):
            if SIDE_WORDS[side].startswith(text[0]):
                return to
    try:
        x, y = (int(word[:6]) for word in text)
    except ValueError:
        return None
    return (x, y)


def way(scene: CaveScene, to: Coord) -> list[str]:
    """Return the cheapest way to a place with what the shown team carries, and home from there."""
    cave, seat = scene.cave, scene.seat
    if to == scene.team_at:
        return [f"{who(scene)} there."]
    if cave.phase in ("packing", "over"):
        return ["No way can be worked out now."]
    goal = tile_for(cave, seat, to)
    if goal is None or goal == scene.team_at:
        return [tile(scene, to)]
    to = goal
    running = cave.seat == seat
    found = routes(cave, cave.teams[seat], cave.ap if running else 0, goal=to).get(to)
    if found is None:
        carry = "you carry" if scene.state.my_seats else f"{scene.view.names[seat]} carries"
        return [f"There is no way to {place(to)} with what {carry}."]
    lines = [f"To {place(to)}: {_takes(found, running=running)}.", _path(found)]
    if to != BASE:
        back = way_home(arrive(cave, seat, found), seat)
        lines.append(
            f"Home from there: {_takes(back, running=True)}." if back else "There is no way home from there."
        )
    return lines


def who(scene: CaveScene) -> str:
    """Return ``You are``, and for who watches the team that is shown: ``Bea is``."""
    return "You are" if scene.state.my_seats else f"{scene.view.names[scene.seat]} is"


def _takes(route: Route, *, running: bool) -> str:
    more = " more" if running else ""
    turns = f"{route.turns}{more} turn{'s' * (route.turns != 1)}" if route.turns else "in this turn"
    ropes, tanks = sum(leg.ropes for leg in route.legs), sum(leg.by == "oxygen" for leg in route.legs)
    things = [count(ropes, "rope")] if ropes else []
    things += [count(tanks, "tank")] if tanks else []
    return ", ".join([f"{route.ap} AP", turns, *things, count(route.eats, "consumable")])


def _path(route: Route) -> str:
    steps = [f"{place(leg.to)} {WAYS[leg.by]}".strip() for leg in route.legs]
    return f"By {', then '.join(steps)}."


def sides(open_sides: str) -> str:
    """Return open sides in words."""
    return " ".join(SIDE_WORDS[side] for side in SIDES if side in open_sides)


# The commands that look at a place that is named

NO_PLACE = "Type a place as two numbers, such as 2,0, or a side, such as west."


def look(scene: CaveScene, rest: str) -> list[str]:
    """Tell of one place, or of what lies around."""
    at = find(scene.cave, scene.team_at, rest)
    return neighbours(scene) if not rest else [NO_PLACE if at is None else tile(scene, at)]


def route(scene: CaveScene, rest: str) -> list[str]:
    """Tell the cheapest way to a place."""
    at = find(scene.cave, scene.team_at, rest)
    return [NO_PLACE] if at is None else way(scene, at)


def home(scene: CaveScene) -> list[str]:
    """Tell the cheapest way home."""
    return way(scene, BASE) if scene.team_at != BASE else [f"{who(scene)} at the base."]
