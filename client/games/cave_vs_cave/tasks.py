"""What can be done now: by kind, and each choice in words with what it costs and brings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from cave.cave_vs_cave import actions as act
from cave.cave_vs_cave.actions import Action, Choice, Space
from cave.cave_vs_cave.checks import check_room
from cave.cave_vs_cave.components import components
from cave.cave_vs_cave.goods import GOODS, changes, lacking, named
from cave.cave_vs_cave.state import SIDES, empty, walls_round
from cave.cave_vs_cave.turns import effects_of_space, goods_after, needs_more
from client.games.cave_vs_cave import terms
from client.games.cave_vs_cave.scene import VersusScene, grouped
from client.wording import count, joined

KINDS: Mapping[str, str] = {  # in the order in which they are listed
    "take": "Take a tile",
    "collect": "Collect goods",
    "exchange": "Exchange goods",
    "use_room": "Use a room",
    "excavate": "Dig",
    "furnish": "Furnish",
    "build_wall": "Build a wall",
    "raze_wall": "Raze a wall",
    "additional": "Additional Action",
    "prospect": "Prospecting Site",
    "anytime": "Anytime",
    "take_cavern": "Take the Additional Cavern",
    "draft": "Place a room",
    "cover": "Cover a space",
    "end_turn": "End the turn",
}
LETTERS: Mapping[str, str] = {"end_turn": "e", "anytime": "x"}
IN_A_TURN = tuple(KINDS)[1:10]  # those of a turn, with a number each that always stays the same
MANY = 14  # the longest list that is shown whole; a longer one is shown in steps
QUIET = (act.Take, act.EndTurn, act.Draft, act.Cover, act.TakeCavern)  # these change no goods


class Doing(msgspec.Struct, frozen=True):
    key: str
    kind: str
    words: str


def doings(scene: VersusScene) -> tuple[Doing, ...]:
    return tuple(
        Doing(_key(kind), kind, words + _more(scene, kind, found))
        for kind, words in KINDS.items()
        if kind != "take" and (found := scene.kinds.get(kind, ()))
    )


def _key(kind: str) -> str:
    number = IN_A_TURN.index(kind) + 1 if kind in IN_A_TURN else 1
    return LETTERS.get(kind) or str(number)


def _more(scene: VersusScene, kind: str, found: tuple[Choice, ...]) -> str:
    if len(found) > 1:
        return f", {len(found)} ways"
    if kind == "end_turn":
        return ""
    gain = brings(scene, found[0].action)
    if kind == "collect":
        return f": {gain}"
    told = [] if kind == "anytime" else [each for each in (price(found[0]), gain) if each]
    return f": {choice_words(scene, found[0])}" + (f" ({' > '.join(told)})" if told else "")


def groups(choices: Sequence[Choice]) -> Mapping[str, tuple[Choice, ...]]:
    """Return many choices in steps: by kind, those of one kind by room; nothing where a list does."""
    if len(choices) <= MANY:
        return {}
    if len({choice.action.type for choice in choices}) > 1:
        return grouped(choices, lambda choice: KINDS[choice.action.type])
    found = grouped(choices, lambda choice: _room(choice.action))
    return found if len(found) > 1 else {}


def _room(action: Action) -> str:
    room = getattr(action, "room", "")
    return terms.room_name(room) if room else ""


def choice_words(scene: VersusScene, choice: Choice) -> str:
    action = choice.action
    match action:
        case act.Take(tile):
            return tile_line(scene, tile)
        case act.Anytime(good):
            return f"1 {good} for {'1 food' if brings(scene, action) else 'nothing: no more food fits'}"
        case act.Collect(good):
            return f"collect {good}" if good else "collect the goods of the tile"
        case act.Exchange(good):
            return f"exchange: {good}"
        case act.Furnish(room, at):
            return f"{terms.room_name(room)} on {terms.space(at)}"
        case act.Excavate(at, spaces):
            return f"dig at {terms.space(at)}" + (" and then another" if spaces == 2 else "")
        case act.BuildWall(between):
            return f"wall between {terms.edge(between)}"
        case act.RazeWall(between):
            return f"raze the wall between {terms.edge(between)}"
        case act.UseRoom(room):
            return f"{terms.room_name(room)}{_how(action)}"
        case act.Additional():
            ore = f"{action.ore} ore into iron" if action.ore else ""
            iron = f"{action.times} iron into weapons" if action.times else ""
            return f"additional: {action.good or ore or iron or 'weapons'}"
        case act.Prospect():
            return "1 food for 1 gold"
        case act.TakeCavern(walls):
            return f"the side with {count(walls, 'wall')}"
        case act.Draft(room, at, walls):
            edges = joined([terms.edge(each) for each in walls])
            new = f", with {count(len(walls), 'wall')}: {edges}"
            return f"{terms.room_name(room)} on {terms.space(at)}" + (new if walls else "")
        case act.Cover(at):
            return f"cover {terms.space(at)}"
    return "end the turn"


def _how(action: act.UseRoom) -> str:
    if action.at is not None:
        return f", dig at {terms.space(action.at)}"
    if action.goods:
        return f": pay {joined([str(each) for each in action.goods])}"
    if action.good:
        return f": {action.good}"
    if action.option is not None:
        return f": {terms.effect(components().rooms[action.room].effects[action.option])}"
    return f": {terms.room_effect(action.room)}"


def price(choice: Choice) -> str:
    return terms.brief(choice.price)


def tile_key(tiles: Sequence[str], tile: str) -> str:
    """Return the key that takes a tile: 1 to 9, then 0; those after it are in the list of all."""
    number = tiles.index(tile) + 1 if tile in tiles else 11
    return str(number % 10) if number <= 10 else ""


def condition(scene: VersusScene, tile: str) -> str:
    """Return the condition of a tile with both figures: ``more gold 3:5`` (rule 3.2); empty if none."""
    good = needs_more(scene.cave, tile)
    if good is None:
        return ""
    mine = scene.me.goods[good]
    others = ":".join(str(each.goods[good]) for each in scene.cave.players if each is not scene.me)
    return f"more {GOODS[good]} {mine}:{others}"


def taker(scene: VersusScene, tile: str) -> int | None:
    cave = scene.cave
    return (cave.first + cave.taken.index(tile)) % len(cave.players) if tile in cave.taken else None


def why_not(scene: VersusScene, tile: str) -> str:
    seat, asked = taker(scene, tile), condition(scene, tile)
    if seat is not None:
        return f"taken by {scene.view.names[seat]}"
    return f"asks for {asked}" if asked else ""


def tile_line(scene: VersusScene, tile: str) -> str:
    return f"{terms.tile_name(tile)}: {tile_text(scene, tile)}"


def tile_text(scene: VersusScene, tile: str, style: terms.Style = terms.WORDS) -> str:
    offers = terms.tile_text(tile, scene.turns, style), additional_of(scene, tile, style)
    return "; ".join(filter(None, (condition(scene, tile), *offers)))


def brings(scene: VersusScene, action: Action) -> str:
    if isinstance(action, act.Draft):
        return count(terms.room(action.room).vp, "point")
    if isinstance(action, QUIET):
        return ""
    before = scene.me.goods
    after = changes(before, goods_after(scene.cave, scene.seat, action))
    told = terms.signed({good: many for good, many in after.items() if many > 0})
    if isinstance(action, act.Furnish):
        return f"{told}  {count(terms.room(action.room).vp, 'point')}".strip()
    return told


def additional_of(scene: VersusScene, tile: str, style: terms.Style = terms.WORDS) -> str:
    effects = effects_of_space(scene.cave, tile)
    return f"extra{':' * (style is terms.WORDS)} {terms.alternatives(effects, style)}" if effects else ""


_WHY = {
    "walls_differ": "needs walls {walls}",
    "too_many_blue": "too many blue rooms",
    "no_space": "no empty space",
}


class Fit(msgspec.Struct, frozen=True):
    """A room of the display and a space: the code of the refusal, if any, and the reason."""

    room: str
    code: str = ""
    why: str = ""

    @property
    def words(self) -> str:
        return self.why if self.code else f"fits, but {self.why}" if self.why else "fits"


def fits(scene: VersusScene, at: Space) -> tuple[Fit, ...]:
    return tuple(
        sorted((_fit(scene, room, at) for room in scene.cave.display), key=lambda each: each.code > "")
    )


def _fit(scene: VersusScene, room: str, at: Space) -> Fit:
    if refused := check_room(scene.cave, scene.me, room, at):
        why = _WHY.get(refused.code, refused.code).format(walls=terms.walls(terms.room(room)))
        return Fit(room, refused.code, why)
    short = () if scene.cave.drafting else lacking(scene.me.goods, terms.room(room).cost)
    return Fit(room, "", f"you lack {terms.brief(named(short))}" if short else "")


def is_empty(scene: VersusScene, at: Space) -> bool:
    return at in empty(scene.me, scene.cave.era)


def spaces_for(scene: VersusScene, room: str) -> tuple[Space, ...]:
    spaces = empty(scene.me, scene.cave.era)
    return tuple(at for at in spaces if not check_room(scene.cave, scene.me, room, at))


def where(scene: VersusScene, room: str) -> str:
    spaces = " ".join(map(terms.space, spaces_for(scene, room)))
    return f"fits on {spaces}" if spaces else "fits nowhere now"


def title(room: str) -> str:
    found = terms.room(room)
    return f"{found.name}, {found.colour}, {count(found.vp, 'point')}"


def facts(scene: VersusScene, room: str) -> str:
    return f"walls {terms.walls(terms.room(room))}; {terms.room_effect(room)}; {where(scene, room)}"


def walls_at(scene: VersusScene, seat: int, at: Space) -> str:
    player = scene.cave.players[seat]
    there = walls_round(at, player.walls, scene.cave.settings.cavern, player.cavern)
    return " ".join(side for side, bit in SIDES.items() if there & bit) or "none"
