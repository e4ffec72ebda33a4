"""The arguments for starting a host from a program."""

from __future__ import annotations

from pathlib import Path

import pytest

from cave import keys
from server.options import Options, parse_options

KEY = "a" * 40


def test_words_name_options_with_values_beside_them_or_behind_a_sign():
    words = ("--port", "0", "--data=here", "--tidy", "--limit", "rate=40", "--limit=links=2", "--owner", KEY)
    read_key = keys.read_key(KEY)
    wanted = Options(port=0, data=Path("here"), tidy=True, limit=("rate=40", "links=2"), owner=(read_key,))
    assert parse_options(words) == wanted
    assert (wanted.limits().rate, wanted.limits().links, wanted.key_folder) == (40, 2, Path("here"))
    assert parse_options(()) == Options()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--prot", "1"), "prot"),
        (("7412",), "unknown field"),
        (("--port", "many"), "port"),
        (("--data",), "data"),
        (("--invite", "nobody"), "--invite needs a client's key."),
    ],
)
def test_an_unknown_word_is_reported(words: tuple[str, ...], said: str):
    with pytest.raises(ValueError, match=said):
        parse_options(words)


@pytest.mark.parametrize("words", [("--no-encryption",), ("--force-no-encryption",)])
def test_without_encryption_a_host_has_no_key_to_encrypt_with(words: tuple[str, ...]):
    assert not parse_options(words).encrypts
    assert Options().encrypts
