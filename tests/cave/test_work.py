"""Crowded positions in each phase of each game, up to 64 KiB: every step of a host is quick."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from random import Random

import pytest

from cave import codec, games
from cave.caves_of_casadh.components import distance
from cave.caves_of_casadh.position import MOST_GRUES, MOST_PLACES
from cave.game import AnyGame, BadData, Json
from cave.the_cave.state import MOST_TILES
from cave.wire import MAX_MESSAGE
from tests.cave.builders import position as cave
from tests.cave.builders import team, tile
from tests.cave.cave_vs_cave import crowded as crowded_rooms
from tests.cave.caves_of_casadh import crowded as crowded_hexes
from tests.cave.work import lines_run
from tests.effort import effort

MOST_LINES = 170_000
"""Lines in a step of a host, about 10 milliseconds."""
MOST_BYTES = 256 * 1024
"""Bytes of one message after a step."""
LONG = 2**53 - 1


def played(game: AnyGame, rng: Random) -> Iterator[Json]:
    seats = game.seats[-1]
    edition = {"edition": rng.choice(["era-1-2", "era-2"])} if game.name == "cave-vs-cave" else {}
    state = game.new(seats, edition, str(rng.random()))
    for _ in range(2000):
        yield game.position(state)
        if game.over(state):
            return
        seat = min(game.to_act(state))
        state = game.apply(state, seat, game.sample(rng.choice(game.choices(state, seat)), rng)).state


def large_caves(rng: Random) -> Iterator[Json]:
    """The Cave with the maximum of tiles, in each phase, with teams of all sorts."""
    side = int(MOST_TILES**0.5) // 2
    places = [(x, y) for x in range(-side, side) for y in range(-side, side)]
    kinds = ("plain", "water", "wonder", "squeeze", "choke")
    tiles = []
    for at in places:
        kind = "base" if at == (0, 0) else rng.choice(kinds)
        more = {"level": rng.randint(1, 3)} if kind == "squeeze" else {}
        more |= {"token": True} if kind in ("water", "wonder", "squeeze") else {}
        depth = 0 if kind == "base" else rng.choice([0, 25, 9975])
        tiles.append(tile(*at, kind, depth=depth, **more))
    edge = next(one for one in tiles if one["at"][0] == -side and one["kind"] == "plain")["at"]
    depth = {"depth": [25 * each for each in range(1, 400)], "squeeze": [999] * 3, "photo": 999}
    for phase, at, more in (
        ("packing", (0, 0), {}),
        ("actions", edge, {}),
        ("actions", (1, 1), {}),
        ("placing", edge, {"ap": 4, "drawn": {"kind": "plain", "open": "NESW"}}),
        ("starving", (1, 1), {}),
        ("over", (1, 1), {"seat": None, "ap": 0, "turns_left": 0}),
    ):
        teams = [team(at, name, rope=2, raft=1, consumable=3, tokens=depth) for name in "ABCDE"]
        stacks = [[{"kind": "plain", "open": "NESW"}] * (MOST_TILES // 4)] * 4
        yield cave(*tiles, ana=teams[0], others=teams[1:], phase=phase, stacks=stacks, **more)


def haunted_caves(rng: Random) -> Iterator[Json]:
    """The Caves of Casadh with the maximum of places and grues, and 64 KiB of lots or dynamite."""
    for _ in range(effort(80, 2000)):
        data = crowded_hexes.position(rng)
        if data is None:
            continue
        taken = {tuple(laid["at"]) for laid in data["map"]} | {tuple(data["turn"].get("to", (0, 0)))}
        cells = [at for at in crowd() if at not in taken]
        more = [{"at": list(at), "hex": "COLL", "grues": MOST_GRUES} for at in cells]
        data["map"] += more[: MOST_PLACES - len(data["map"])]
        for laid in data["map"]:
            if laid.get("grues"):
                laid["grues"] = MOST_GRUES
        room = MAX_MESSAGE - len(codec.encode(data))
        deep = next((laid for laid in data["map"] if "dynamite" in laid), None)
        if deep is not None and rng.random() < 0.5:
            deep["dynamite"] = [rng.randrange(len(data["players"])) for _ in range(room // 2 - 8)]
        else:
            data["lots"] = [LONG] * (room // 17 - 8)
        yield data


def crowd() -> list[tuple[int, int]]:
    """Cells around Base Camp, nearest first."""
    cells = [(q, r) for q in range(-7, 8) for r in range(-7, 8)]
    return sorted(cells, key=partial(distance, (0, 0)))


def full_rooms(rng: Random) -> Iterator[Json]:
    """Cave vs Cave with the maximum of components."""
    for _ in range(effort(120, 4000)):
        data = crowded_rooms.position(rng)
        if data is not None:
            yield data


CROWDED: dict[str, Callable[[Random], Iterator[Json]]] = {
    "the-cave": large_caves,
    "caves-of-casadh": haunted_caves,
    "cave-vs-cave": full_rooms,
    "sir-ocelots-cave": lambda rng: iter(()),
}


def steps(game: AnyGame, data: Json) -> Iterator[tuple[str, int]]:
    """A host's work on a position, and the number of lines it runs."""
    lines, state = lines_run(game.from_position, data)
    yield "from_position", lines
    names = game.names_in(data)
    for viewer in (None, *range(len(names))):
        lines, view = lines_run(lambda viewer=viewer: game.view_json(game.view(state, viewer, names)))
        yield "view", lines
        assert len(codec.encode(view)) < MOST_BYTES
    yield "standing", lines_run(game.standing, state)[0]
    if not (to_act := game.to_act(state)):
        return
    seat = min(to_act)
    lines, found = lines_run(game.choices, state, seat)
    yield "choices", lines
    lines, told = lines_run(lambda: [game.choice_json(each) for each in found])
    yield "choice_json", lines
    assert len(codec.encode(told)) < MOST_BYTES
    yield "why_not", lines_run(game.why_not, state, seat)[0]
    for choice in Random(0).sample(found, min(len(found), 3)):
        lines, step = lines_run(game.apply, state, seat, game.sample(choice, Random(0)))
        yield "apply", lines
        assert len(codec.encode([game.event_json(event) for event in step.events])) < MOST_BYTES


PHASES = {
    "the-cave": "packing actions placing starving over",
    "sir-ocelots-cave": "advancing placing collecting over",
    "caves-of-casadh": "actions placing keeping fleeing driving haunting taking_lantern moving_grue over",
    "cave-vs-cave": "draft cover take actions dig cavern over",
}


def moments(game: AnyGame, rng: Random) -> Iterator[Json]:
    """Three positions of each phase that random games reach."""
    seen = Counter[str]()
    for _ in range(8):
        for data in played(game, rng):
            phase = data["turn"]["phase"]
            seen[phase] += 1
            if seen[phase] <= 3:
                yield data


@pytest.mark.parametrize("name", sorted(CROWDED))
def test_no_step_of_a_host_takes_long_at_any_position(name: str) -> None:
    game, rng = games.get_game(name), Random(7)
    seen = set[str]()
    for data in [*CROWDED[name](rng), *moments(game, rng)]:
        assert len(codec.encode(data)) <= MAX_MESSAGE
        try:
            most = max(steps(game, data), key=lambda step: step[1])
        except BadData:
            continue  # not every random position is possible
        assert most[1] < MOST_LINES, most
        seen.add(data["turn"]["phase"])
    assert seen == {*PHASES[name].split()}
