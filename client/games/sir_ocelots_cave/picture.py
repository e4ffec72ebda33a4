"""The board to draw: plain data for each place, independent of the painter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

import msgspec

from cave.codec import Place
from cave.sir_ocelots_cave.components import BIT, LEVEL, LINES, RAYS, SEERS, SQUARES, Gem, Squares, Tool
from cave.sir_ocelots_cave.scoring import collectable_with_tool
from client.games.sir_ocelots_cave import terms
from client.games.sir_ocelots_cave.previews import HandPreview, sight_from
from client.games.sir_ocelots_cave.scene import OcelotScene
from client.present.cells import Box

Mark = Literal["", "short", "gain", "take", "leave"]  # short of one tool; gained by the tool in hand


class Square(msgspec.Struct, frozen=True):
    """A square. ``missing`` are letters of tools: any of them collects a gem that is ``short``. ``flash``: a ray
    crosses it.
    """

    level: int
    gem: Gem | None
    companion: int | None
    lit: bool
    missing: str
    mark: Mark
    flash: bool = False


class Rim(msgspec.Struct, frozen=True):
    """A rim space. ``sees``: the cursor's square; ``recent``: since your last turn."""

    tool: Tool | None
    held: Tool | None
    sees: bool
    recent: bool


class Board(msgspec.Struct, frozen=True):
    places: Mapping[Place, Square | Rim] = {}
    cursor: Place = (-1, -1)


def new_rays(before: Board, after: Board) -> Sequence[frozenset[Place]]:
    """Return the squares that the rays of a new piece cross, step by step; nothing for several pieces."""
    came = [at for at in after.places if _piece_of_look(after.places[at]) and not _piece_of_look(before.places.get(at))]
    lines = [ray.line for ray in {**RAYS, **LINES}[came[0]]] if len(came) == 1 else []
    steps = range(0, 2 * RAY_STEPS, 2)
    return [frozenset(at for line in lines for at in line[step : step + 2]) for step in steps]


def _piece_of_look(look: Square | Rim | None) -> object:
    return look.tool if isinstance(look, Rim) else look and look.companion is not None


RAY_STEPS = 5


def board(scene: OcelotScene, cursor: Place, hand: HandPreview | None, left_out: frozenset[Place]) -> Board:
    """Return the board with that tool in hand; gems in ``left_out`` are not collected."""
    cave, seat = scene.cave, scene.seat
    collecting = scene.mode == "collecting"
    lit = _lit_squares(scene, cursor)
    held = hand.tool if hand is not None and scene.mode != "over" and not collecting else None
    gained = 0
    if held is not None and cursor in RAYS and cursor not in cave.tools:
        gained = collectable_with_tool(cave, seat, cursor, held) & cave.with_gems
    gems = cave.gems_on_board()
    stands = {player.companion: number for number, player in enumerate(cave.players) if player.companion}

    def mark(at: Place) -> Mark:
        if collecting and at in scene.collectable:
            return "leave" if at in left_out else "take"
        if BIT[at] & gained:
            return "gain"
        return "short" if at in scene.needs else ""

    squares = {
        at: Square(
            LEVEL[at],
            gems.get(at),
            stands.get(at),
            bool(BIT[at] & lit),
            terms.tool_letters(scene.needs.get(at, ())),
            mark(at),
        )
        for at in SQUARES
    }
    seers = {*SEERS[cursor].values()} if cursor in SEERS else set()
    rim = {
        at: Rim(
            cave.tools[at].side if at in cave.tools else None,
            held if at == cursor and at not in cave.tools else None,
            at in seers,
            at in scene.recent,
        )
        for at in RAYS
    }
    return Board({**squares, **rim}, cursor)


def _lit_squares(scene: OcelotScene, cursor: Place) -> Squares:
    if cursor in RAYS:
        return sight_from(scene.cave, cursor)
    stands = (player.companion for player in scene.cave.players)
    if cursor in scene.ways or cursor in stands:
        return sight_from(scene.cave, cursor)
    return BIT.get(cursor, 0)


Pitch = tuple[int, int]  # columns and rows of a place
ACROSS, DOWN = 15, 13
PITCHES: Mapping[str, Pitch] = {"L": (7, 3), "M": (5, 2), "S": (4, 1)}
LEFT, ABOVE = 1, 1  # columns and rows of the margin; the tens of the last rows lie beside their caves
NAMES: tuple[tuple[Place, int], ...] = (((0, 1), 2), ((13, 1), 1), ((12, 12), 1))  # with blank rows before
SMALL_NAMES = (NAMES[0], ((12, 0), 1), NAMES[2])  # the places of the names on the smallest squares


class Label(NamedTuple):
    x: int
    y: int
    text: str


def board_size_needed(pitch: Pitch) -> tuple[int, int]:
    return LEFT + ACROSS * pitch[0], ABOVE + DOWN * pitch[1]


def level_names(pitch: Pitch) -> Sequence[Label]:
    wide, high = pitch
    return [
        Label(x * wide + max(air, wide - len("LEVEL") + 1), y * high + high // 2, f"LEVEL {level}")
        for level, ((x, y), air) in enumerate(SMALL_NAMES if high == 1 else NAMES, 1)
    ]


@lru_cache(maxsize=4)
def coordinate_labels(pitch: Pitch) -> Sequence[Label]:
    wide, high = pitch
    rows = [Label(-LEFT, y * high + high // 2, str(y)) for y in range(DOWN)]
    columns = [Label(x * wide + wide // 2 - len(str(x)) + 1, -ABOVE, str(x)) for x in range(ACROSS)]
    return rows + columns


# Places of the panes

LEAST = (79, 20)  # least columns and rows for a table
SIDE = 17  # least columns beside the board
WIDE_SIDE = 23  # columns beside the board that the pane of a place needs
IN_PAIRS = 30  # columns from which two gems of the same value fit side by side
LEAST_LOG = 6  # rows of the log before there is a margin around the board
LARGE, MEDIUM, SMALL = map(board_size_needed, PITCHES.values())
HEAD, KEYS = 1, 1
LEAST_BELOW = 4
CONTROLS, WIDE_CONTROLS = (6, 30)  # rows of a replay's keys beside the board, and the columns from which they are there
KEYS_IN_A_ROW = 100  # columns of a window in which they fit in one row
LEAST_HERE = 13  # rows of the pane of the place under the cursor before the players' pane grows


def arrange(width: int, height: int, *, replay: bool = False) -> dict[str, Box]:
    bars = HEAD + KEYS + replay
    if width >= LARGE[0] + WIDE_SIDE and height >= LARGE[1] + bars + 2:
        boxes = _panes_beside_board(width, height, LARGE, bars)
    elif width >= MEDIUM[0] + WIDE_SIDE and height >= MEDIUM[1] + bars + 1:
        boxes = _panes_beside_board(width, height, MEDIUM, bars)
    else:
        boxes = _panes_below_board(width, height, bars)
    boxes["header"] = Box(0, 0, width, HEAD)
    boxes["hints"] = Box(0, height - KEYS, width, KEYS)
    if replay:
        boxes["place"] = Box(0, height - KEYS - 1, width, 1)
        here, log = boxes["here"], boxes["log"]
        if here.height > 2 * CONTROLS and here.width >= WIDE_CONTROLS:
            boxes["here"] = here._replace(height=here.height - CONTROLS)
            boxes["controls"] = Box(here.x, here.y + here.height - CONTROLS, here.width, CONTROLS)
        elif log.height == 1 and width >= KEYS_IN_A_ROW:
            boxes["here"] = here._replace(height=here.height - 1)
            boxes["controls"] = Box(0, log.y, width, 1)
            del boxes["log"]
        else:
            # The keys need two rows and the log one; the pane above gives up the missing rows.
            more = max(0, 3 - log.height)
            boxes["here"] = here._replace(height=here.height - more)
            boxes["controls"] = log._replace(y=log.y - more, height=2)
            boxes["log"] = Box(log.x, log.y - more + 2, log.width, log.height + more - 2)
            players = boxes["players"]
            boxes["players"] = players._replace(height=min(players.height, log.y - more - players.y))
    return {name: box for name, box in boxes.items() if box.height > 0}


def _panes_beside_board(width: int, height: int, board: tuple[int, int], bars: int) -> dict[str, Box]:
    across = max(board[0], width - (44 if board == LARGE else 60))
    rows, down = height - bars, board[1]
    if rows - down >= 2 + LEAST_LOG:
        down += 2
    side = Box(across, HEAD, width - across, rows)
    worth = 11 if board == LARGE else 7
    if board == LARGE:
        cards = 14 if bars > HEAD + KEYS else 22
    else:
        cards = next((each for each in (20, 14) if rows - worth >= each + LEAST_HERE), 8)
    return {
        "board": Box(0, HEAD, across, down),
        "log": Box(0, HEAD + down, across, rows - down),
        "worth": side._replace(height=worth),
        "players": Box(side.x, side.y + worth, side.width, cards),
        "here": Box(side.x, side.y + worth + cards, side.width, rows - worth - cards),
    }


def _panes_below_board(width: int, height: int, bars: int) -> dict[str, Box]:
    rows = height - bars
    least = DOWN + ABOVE
    down = min(max(least, rows - 6), 15 if height < 40 else 17)
    down = max(least, min(down, rows - LEAST_BELOW))
    across = width - max(SIDE, min(IN_PAIRS, width - SMALL[0]))
    below = rows - down
    here = min(below, max(3, below - 1 - (below > 6)) if below < 8 else min(8, below - 3))
    is_wide = width - across >= IN_PAIRS and bars == HEAD + KEYS
    side = Box(across, HEAD, width - across, rows if is_wide else down + here)
    worth = 4 if is_wide else min(7, max(0, side.height - 10))
    return {
        "board": Box(0, HEAD, across, down),
        "worth": side._replace(height=worth),
        "players": Box(side.x, side.y + worth, side.width, side.height - worth),
        "here": Box(0, HEAD + down, across, here),
        "log": Box(0, HEAD + down + here, across if is_wide else width, below - here),
    }
