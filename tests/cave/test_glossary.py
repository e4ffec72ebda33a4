"""Glossaries: every word is one of the rules, and every term that the rules mark is explained."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from cave import games
from cave.game import AnyGame
from cave.glossary import explain, find_word, find_words, load_glossary
from cave.lesson import game_folder
from cave_game.template.game import GAME as LANTERNS
from client.present import help_pages

GAMES = [*map(games.get_game, games.game_names()), LANTERNS]
NO_TERMS = {"our own choice", "english", "french", "storm", "d"}
"""Words in italics that are editions, or literal."""


@pytest.mark.parametrize("game", GAMES, ids=lambda game: str(game.name))
def test_each_word_is_in_the_rules_and_names_an_existing_rule(game: AnyGame) -> None:
    found = {name for _, name in find_words(game, help_pages.rulebook_text(game, 999))}
    for name, word in load_glossary(game).items():
        assert name in found
        assert help_pages.rule_lines(game, word.rule), name
        assert re.fullmatch(r"[\[\dA-Z].{1,100}\.", word.says), name


@pytest.mark.parametrize("game", GAMES, ids=lambda game: str(game.name))
def test_each_term_that_the_rules_set_off_is_explained(game: AnyGame) -> None:
    text = game_folder(game).joinpath("RULES.md").read_text("utf-8").split("Forms of the data\n")[0]
    terms = {" ".join(each.split()) for each in re.findall(r"(?<!\*)\*([^*]+)\*(?!\*)", text)} - NO_TERMS
    assert [each for each in terms if not find_word(game, each)] == []


@pytest.mark.parametrize("game", GAMES, ids=lambda game: str(game.name))
def test_each_form_belongs_to_one_word(game: AnyGame) -> None:
    forms = Counter(form.casefold() for name, word in load_glossary(game).items() for form in (name, *word.forms))
    assert [form for form, times in forms.items() if times > 1] == []


def test_only_known_forms_of_words_are_found_longest_first() -> None:
    game = games.get_game("the-cave")
    text = "Squeezes, boulder chokes: 5 AP; no gap, map, handsqueeze or squeeze-box, and no ap or aps."
    found = [(text[place.start : place.stop], name) for place, name in find_words(game, text)]
    assert found == [("Squeezes", "squeeze"), ("boulder chokes", "boulder choke"), ("AP", "action point")]
    assert explain(game, find_word(game, " TANKS ")).startswith("Oxygen: Two tanks;")
    assert find_word(game, "squeezebox") == find_word(game, "") == ""
