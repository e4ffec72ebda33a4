"""The kept game of each game is unchanged: rules, forms, choices, secrets and sentences."""

from __future__ import annotations

import pytest

from cave import games, record
from tests.playthrough import playthrough, record_file, text, text_file
from tests.tools import names_to_renew


@pytest.mark.parametrize("name", games.game_names())
def test_the_record_is_played_through_to_its_result(name: str) -> None:
    assert record.check_record(record_file(name).read_bytes().splitlines(keepends=True)).matches


@pytest.mark.parametrize("name", games.game_names())
def test_each_step_is_unchanged(name: str) -> None:
    """If this fails after an intended change: ``make playthroughs``, and read the diff from the top."""
    assert text(playthrough(name)) == text_file(name).read_text(encoding="utf-8")


@pytest.mark.parametrize(("argv", "status"), [(["--help"], 0), (["--anew"], 2), (["a", "c"], 2)])
def test_nothing_is_renewed_by_a_request_for_help_or_an_unknown_name(argv: list[str], status: int) -> None:
    with pytest.raises(SystemExit) as ended:
        names_to_renew("Renew.", ("a", "b"), argv)
    assert ended.value.code == status
    assert names_to_renew("Renew.", ("a", "b"), ["b"]) == ["b"]
