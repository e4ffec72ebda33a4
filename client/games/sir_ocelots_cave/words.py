"""What there is to say of a place and of a player, for panes and lines alike."""

from __future__ import annotations

import msgspec

from cave.codec import Place
from cave.sir_ocelots_cave.board import BIT, LEVEL, RAYS
from cave.sir_ocelots_cave.components import CELESTITES, KEPT, TOOLS, Gem
from cave.sir_ocelots_cave.scoring import special_points
from cave.sir_ocelots_cave.sight import companion_sees, missing, tools_seeing
from cave.sir_ocelots_cave.state import Amethyst, Player, State
from client.games.sir_ocelots_cave import terms
from client.games.sir_ocelots_cave.previews import Trial, Visit, finishing, gems_on
from client.games.sir_ocelots_cave.scene import OcelotScene
from client.present.wording import count, joined

NOTHING_TO_UNDO = "Nothing to undo: you cannot undo an amethyst drawn or a turn that has ended."
CONFIRM_PLACE = "A placed piece stays for good. Place it there?"


class Stone(msgspec.Struct, frozen=True):
    """An amethyst in words: its bag, what stands on it, and what it is worth now; empty where unknown."""

    bag: str
    value: str
    now: int | None


class PlayerRow(msgspec.Struct, frozen=True):
    """A player as all may see it, and the amethysts as far as they are shown.

    ``points`` are those of the gems, which all may see; ``total`` has the amethysts as well.
    """

    seat: int
    name: str
    points: int
    total: int
    tools: tuple[int, ...]
    companion: str
    celestites: tuple[int, int, int]
    gems: tuple[tuple[Gem, int], ...]
    stones: tuple[Stone, ...]
    turn: bool
    mine: bool


def players(scene: OcelotScene) -> tuple[PlayerRow, ...]:
    """Return both players."""
    cave = scene.cave
    return tuple(_player(scene, cave, seat) for seat in range(len(cave.players)))


def _player(scene: OcelotScene, cave: State, seat: int) -> PlayerRow:
    player = cave.players[seat]
    stones = tuple(stone(cave, player, each) for each in player.amethysts)
    gems = sum(terms.POINTS[gem] * player.has(gem) for gem in KEPT)
    sun, crescent, star = (player.has(gem) for gem in CELESTITES)
    return PlayerRow(
        seat=seat,
        name=scene.view.names[seat],
        points=gems,
        total=gems + sum(each.now or 0 for each in stones),
        tools=player.tools,
        companion=companion_words(cave, seat),
        celestites=(sun, crescent, star),
        gems=tuple((gem, player.has(gem)) for gem in KEPT if player.has(gem)),
        stones=stones,
        turn=seat == cave.seat,
        mine=seat in scene.state.my_seats,
    )


def stone(cave: State, player: Player, amethyst: Amethyst) -> Stone:
    """Return an amethyst and what it is worth now."""
    value = amethyst.value
    if value is None:
        return Stone(amethyst.bag, "", None)
    if isinstance(value, int):
        return Stone(amethyst.bag, str(value), value)
    return Stone(amethyst.bag, terms.BRIEF[value], special_points(cave, player)[value])


def stone_words(cave: State, player: Player, amethyst: Amethyst) -> str:
    """Return ``blue: 1 for each of your gems of value 1, now 3``."""
    value = amethyst.value
    if value is None:
        return f"{amethyst.bag}: not known"
    now = "" if isinstance(value, int) else f", now {special_points(cave, player)[value]}"
    return f"{amethyst.bag}: {terms.value(value)}{now}"


def companion_words(cave: State, seat: int) -> str:
    """Return where a companion is: ``moth to come`` or ``moth on level 2``."""
    name, stands = terms.companion(seat), cave.players[seat].companion
    return f"{name} to come" if stands is None else f"{name} on level {LEVEL[stands]}"


# A place


def place_title(cave: State, names: tuple[str, ...], at: Place) -> str:
    """Return what a place is, and what is there."""
    if at in RAYS:
        tool = cave.tools.get(at)
        if tool is not None:
            return f"{terms.tool(tool.kind, tool.side)}, {terms.where(at)}"
        sees = sum(len(ray.line) for ray in RAYS[at])
        return f"{terms.where(at)}: sees {count(sees, 'square')}"
    here = [
        f"{names[seat]}'s {terms.companion(seat)}"
        for seat, player in enumerate(cave.players)
        if player.companion == at
    ]
    gem = cave.gem_at(at)
    if gem is not None:
        points = terms.POINTS.get(gem)
        worth = count(points, "point") if points else "an amethyst"
        here.append(f"{terms.NAMES[gem]}, {worth}")
    return f"{joined(here) or 'empty'}, {terms.where(at)}"


def seen_words(cave: State, seat: int, at: Place) -> list[str]:
    """Return which tools see the gem of a square, which do not, and how it could be collected."""
    if cave.gem_at(at) is None:
        return []
    seen = tools_seeing(cave, at)
    lines = []
    if seen:
        words = [f"{tool} from the {terms.COMPASS_WORDS[side]}" for side, tool in seen.items()]
        lines.append(f"seen by {joined(words)}")
    else:
        lines.append("no tool sees it yet")
    lacking = missing(cave, at)
    if not lacking:
        lines.append("all three tools see it: it can be collected")
        return lines
    lines[-1] += f"; {joined(list(lacking))} missing"
    if companion_sees(cave, seat, at):
        lines.append(f"your {terms.companion(seat)} sees it, too")
    ways = finishing(cave, seat, at)
    if ways:
        told = [f"{joined(list(tools), 'or')} at {terms.place(rim)}" for rim, tools in ways]
        lines.append(f"one tool short: {'; '.join(told)}")
    return lines


def trial_sentence(cave: State, rival: str, trial: Trial) -> str:
    """Say it in a sentence, for lines."""
    takes, hands = gems_on(cave, trial.takes), gems_on(cave, trial.hands)
    points = terms.points(takes)
    text = f"{trial.tool}: collects {terms.gems(takes)}" + (f", {count(points, 'point')}" if points else "")
    return f"{text}; hands {rival} {terms.gems(hands)}" if hands else text


def visit_sentence(cave: State, seat: int, visit: Visit) -> str:
    """Return what the companion would do on a square."""
    name = terms.companion(seat)
    takes = f"takes {terms.gem(visit.gem)}" if visit.gem else "takes nothing there"
    then = gems_on(cave, visit.takes)
    lets = f"then you can collect {terms.gems(then)}" if then else "nothing to collect by it yet"
    return f"the {name} {takes} and sees {count(len(gems_on(cave, visit.sees)), 'gem')}; {lets}"


def lacking(cave: State, at: Place) -> str:
    """Return the letters of the tools that do not see a gem yet."""
    if not BIT[at] & cave.with_gems:
        return ""
    found = missing(cave, at)
    return "".join(terms.TOOL_LETTERS[tool] for tool in TOOLS if tool in found)
