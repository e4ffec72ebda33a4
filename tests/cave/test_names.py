"""Players' names: any language, but nothing that deceives or breaks the screen."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cave import names, wire
from cave.games import get_game

GAME = get_game("the-cave")

OF_ALL_LANGUAGES = [
    "Ann", "Zoë", "O'Neil", "Hélène-Óscar", "İbrahim", "Łukasz", "R2-D2", "123",
    "Nguyễn Thị Ánh", "Ẹ̀bùn", "Ольга Иванова", "Ἀθηνᾶ", "Νίκος", "Հայկ", "ᏣᎳᎩ", "ᐃᓄᒃ",
    "علی\u200cرضا", "שָׂרָה", "क्षेमेन्द्र", "ஸ்ரீ", "മലയാളം", "སྒྲོལ་མ", "ကြွေးမြို့", "ខ្ញុំ", "สมศรี ที่รัก",
    "山田太郎", "りかカナ", "ﾊﾝｶｸ", "김철수", "ᄒᆞᆫ", "李Anna", "Анна Lee", "👩\u200d🚀", "❤\ufe0f Ada 🦇",
]  # fmt: skip

MARKED = [
    "Rookie (bot)", "rookie(BOT)", "(bot) Ann", "Rookie (bot", "( b o t )", "(b0t)", "Ann [bot]", "{bot}",
    "<Bot>", "Rookie（bot）", "❨ｂｏｔ❩", "(bọt)", "(ƀøŧ)", "(ʙᴏᴛ)", "(ᵇᵒᵗ)", "(𝐛𝐨𝐭)", "(ВОТ)", "(ΒΟΤ)",
    "(b\u200do\u2060t)",
]  # fmt: skip
NOT_MARKED = ["Bot", "Robot", "Rookie bot", "Ann (Bottle)", "(robot)", "Botho (Ann)", "(вот)"]


@pytest.mark.parametrize("name", NOT_MARKED)
def test_a_name_may_contain_the_word_bot(name: str):
    assert names.name_problem(names.clean_name(name)) == ""


@pytest.mark.parametrize("name", OF_ALL_LANGUAGES)
def test_names_in_all_scripts_are_allowed(name: str):
    clean = names.clean_name(name)
    assert names.name_problem(clean) == ""
    # Games with these names can be played, saved and viewed.
    state, called = GAME.new(2, {}, "names"), (clean, "Bea")
    assert GAME.from_position(GAME.position(state, called)) == state
    assert GAME.view_from_json(GAME.view_json(GAME.view(state, 0, called))).names == called
    assert wire.one_line(clean) == clean


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("", "one visible character"),
        ("x" * 25, "at most 24 characters"),
        ("\u200d\u200c", "visible character"),
        ("\u3164\u2800 \u115f", "visible character"),
        ("\u1161", "visible character"),
        ("\ufe0f", "visible character"),
        ("\u0301", "visible character"),
        ("\u0301Ann", "must begin with"),
        ("\u200dAnn", "must begin with"),
        ("A\u0301\u0302\u0303nn", "2 accents"),
        ("a" + "\u0335" * 5, "2 accents"),
        ("a\u20dd\u20dd\u20dd", "2 accents"),
        ("क" + "ि" * 9, "2 accents"),
        ("Аnn", "Cyrillic and Latin"),
        ("Rοb", "Greek and Latin"),
        ("Αнна", "Cyrillic and Greek"),
        ("ᗩnn", "Canadian and Latin"),
        *((name, "that marks bots") for name in MARKED),
    ],
)
def test_names_that_deceive_or_spoil_the_screen_are_refused_in_a_sentence(name: str, words: str):
    assert words in names.name_problem(names.clean_name(name))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann", "ann"),
        ("Ann", "Ａｎｎ"),
        ("Ann", "A nn"),
        ("Ann", "Ann\u200d"),
        ("Bea", "Веа"),
        ("Ilya", "llya"),
        ("Al1", "All"),
        ("OOO", "000"),
        ("fin", "ﬁn"),
        ("Straße", "STRASSE"),
        ("Άννα", "ΆΝΝΑ"),
        ("caf\u00e9", "cafe\u0301"),
        ("❤\ufe0f", "❤"),
        ("Ann", "Ann\U000e0100"),
    ],
)
def test_lookalike_names_are_detected(one: str, other: str):
    assert names.names_look_alike(names.clean_name(one), names.clean_name(other))
    assert names.names_look_alike(names.clean_name(other), names.clean_name(one))


@pytest.mark.parametrize(("one", "other"), [("Ella", "Elia"), ("Zoë", "Zoe"), ("Ann", "Anna"), ("Ian", "Jan")])
def test_distinct_names_are_different(one: str, other: str):
    assert not names.names_look_alike(one, other)


@given(st.text(max_size=40))
def test_cleaning_a_name_is_idempotent_and_yields_one_line(text: str):
    clean = names.clean_name(text)
    assert names.clean_name(clean) == clean
    assert names.names_look_alike(clean, clean)
    assert wire.clean_text(clean) == clean
    names.name_problem(clean)


def test_only_part_of_a_message_is_normalized() -> None:
    """Its time is quadratic in the accents: 64 KiB blocked a host for most of a second."""
    name = names.clean_name("e" + "\u0300\u0316" * 16_000)
    assert len(name) <= wire.MAX_TEXT
    assert names.name_problem(name)
