"""Modules that all games share use no word of one game: those of The Cave belong in its own folders.

The test checks names and texts in the code. Comments and docstrings may take an example from a game.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

WORDS = {
    "the_cave": "only the list of games names a game; all others get the game that is played",
    "the cave": "a game has its title from ``Game.title``",
    **dict.fromkeys(("team", "teams"), "a side is a seat, a player, or ``Game.side``"),
    "ap": "prices are in the game's own form of a choice",
    **dict.fromkeys(("backpack", "camp", "stranded"), "it is a part of The Cave's state"),
    **dict.fromkeys(
        ("tile", "tiles", "ropes", "rope", "unexplored"), "other games have another map, or none"
    ),
    **dict.fromkeys(
        ("oxygen", "tank", "raft", "camera", "consumable", "consumables"), "it is a thing in The Cave"
    ),
    **dict.fromkeys(
        ("squeeze", "descent", "wonder", "choke", "traverse", "photo"), "it is a tile or a token"
    ),
    **dict.fromkeys(
        ("discover", "discovered", "dive", "photograph", "pack", "packs", "packing", "starving", "abandon"),
        "it is an action or a phase",
    ),
    "force": "it is a squeeze",
    **dict.fromkeys(("edition", "editions", "english", "french"), "editions come from ``Game.options``"),
    "rookie": "levels of bots come from ``Game.bots``",
}
"""Words banned from shared modules, and the reason or the right place."""

ROOMS = {
    "cave": "*.py",
    "server": "**/*.py",
    "client": "*.py",
    **dict.fromkeys(
        (
            "client/app",
            "client/commands",
            "client/lab",
            "client/launch",
            "client/net",
            "client/plain",
            "client/present",
            "client/settings",
            "client/tui",
        ),
        "**/*.py",
    ),
}
"""Folders and which of their modules are shared: all but the games themselves."""

ALLOWED = {
    ("cave/games.py", "the_cave"): "it is the list of games",
    **dict.fromkeys(
        (("client/tui/pictures.py", "pack"), ("client/commands/browser.py", "pack")), "it is ``struct.pack``"
    ),
    (
        "cave/score.py",
        "stranded",
    ): "the public form of a score has had that name from the first; see ``Score.note``",
    **dict.fromkeys(
        (
            ("cave/protocol.py", "team"),
            ("client/net/messages.py", "team"),
            ("client/table.py", "team"),
            ("server/tables/opening.py", "team"),
            ("server/tables/table.py", "team"),
        ),
        "the protocol's name for what a free seat is called",
    ),
    **dict.fromkeys(
        (("server/tables/opening.py", "edition"), ("server/tables/opening.py", "editions")),
        "the protocol's name for the values of that option",
    ),
    ("server/journal/survey.py", "pack"): "``struct.pack``",
    **dict.fromkeys(
        (("server/options.py", "force"), ("client/commands/host.py", "force")), "an option of the host"
    ),
    ("client/app/app.py", "the cave"): "the title of the program",
    **dict.fromkeys(
        (("client/app/screens/settings.py", "discover"), ("client/tui/palette.py", "discover")),
        "Textual's word for what a palette offers before a letter is typed",
    ),
    **dict.fromkeys(
        (
            (f"client/tui/{module}.py", word)
            for module in ("roles", "themes")
            for word in ("choke", "descent", "squeeze", "wonder")
        ),
        "a theme is one table, and has the colours of The Cave's map, too",
    ),
}


ONE_OF_THEM = re.compile(rf"the cave|\b(?:{'|'.join(WORDS)})\b")


def may_have_one(source: str) -> bool:
    """Whether there is one of the words at all, be it in what only explains: most modules have none."""
    return bool(ONE_OF_THEM.search(re.sub(r"\\.|[^a-z]+", " ", source.lower())))


def words(source: str) -> Iterator[str]:
    """The words in names and texts of a module, without what only explains."""
    tree = ast.parse(source)
    explains = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        said = [value for _, value in ast.iter_fields(node) if isinstance(value, str)]
        if isinstance(node, ast.Constant) and id(node) in explains:
            continue
        for text in said:
            plain = text.lower().replace("-", "_").replace(".", " ")
            yield from (name for name in ("the_cave", "the cave") if name in plain)
            yield from re.findall(r"[a-z]+", plain.replace("_", " "))


def modules() -> list[str]:
    found = (path for room, pattern in ROOMS.items() for path in (ROOT / room).glob(pattern))
    return sorted(path.relative_to(ROOT).as_posix() for path in found)


def test_shared_modules_have_no_word_of_one_game() -> None:
    sources = {module: (ROOT / module).read_text(encoding="utf-8") for module in modules()}
    found = {
        (module, word)
        for module, source in sources.items()
        if may_have_one(source)
        for word in WORDS.keys() & set(words(source))
    }
    wrong = sorted(f"{where}: {word!r}: {WORDS[word]}" for where, word in found - ALLOWED.keys())
    needless = sorted(
        f"{where}: {word!r} is gone: take it out of ALLOWED" for where, word in ALLOWED.keys() - found
    )
    assert not wrong + needless, "\n".join(wrong + needless)


def test_the_rooms_are_where_the_list_says() -> None:
    assert all(any((ROOT / room).glob(pattern)) for room, pattern in ROOMS.items())


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("x = view.cave.teams[0]", {"teams"}),
        ("def first_team(ap: int): ...", {"team", "ap"}),
        ("import cave.the_cave.state", {"the_cave"}),
        ("game = 'the-cave'", {"the_cave"}),
        ("title = 'The Cave'", {"the cave"}),
        ("text = f'your {name} tile'", {"tile"}),
        ('"""A module about teams."""\nstate = 1  # of a team', set()),
        ("mapping = {'steam': 'apt'}", set()),
        (r"text = 'one\nteam'", {"team"}),
    ],
)
def test_such_a_word_is_found_in_names_and_texts(source: str, found: set[str]) -> None:
    assert WORDS.keys() & set(words(source)) == found
    assert may_have_one(source) or not found
