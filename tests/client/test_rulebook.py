"""The rules of a game, read part by part from its RULES.md."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from client.present import help_pages

RULES = """\
# A game

Not a rule of any chapter.

1. Nor is this.

## 1. First things

Begin here, and
go on.

1. A **rule** with `code`
   over two lines.
   - An item *of* it.
2. Another.

| thing | AP | level 1 |
|---|---|---|
| boulder | 1 | 11 |
| opal | | 2 |
| rope | | |

| kind | what it does |
|---|---|
| lamp | gives light |

## 2. A drawing

1. It looks like this:

   ```
   **a
     b**
   ```

## 3. Forms of the data

1. For programs.
"""


def test_rules_are_read_part_by_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "small_game_of_rules"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "game.py").write_text("class Game:\n    pass\n")
    (package / "RULES.md").write_text(RULES, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    game = importlib.import_module("small_game_of_rules.game").Game()
    assert help_pages.rule_chapters(game) == ("1. First things", "2. A drawing")
    rest = ("boulder: AP 1, level 1: 11.", "opal: level 1: 2.", "rope.", "lamp: gives light.")
    first = "1.1 A rule with code over two lines. - An item of it."
    assert help_pages.rule_lines(game, "1") == (
        "1. First things", "Begin here, and go on.", first, "1.2 Another.", *rest
    )  # fmt: skip
    assert help_pages.rule_lines(game, " 1.1 ") == (first,)
    assert help_pages.rule_lines(game, "1.2.") == ("1.2 Another.", *rest)
    # A drawing is as it was drawn.
    assert help_pages.rule_lines(game, "2.1") == ("2.1 It looks like this:", " **a", "   b**")
    assert help_pages.rule_lines(game, "3") == ("3. Forms of the data", "3.1 For programs.")
    assert [help_pages.rule_lines(game, number) for number in ("4", "1.3", "")] == [()] * 3
