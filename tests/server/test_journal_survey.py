"""The problems that are reported when a table's lines do not match its mark, or rows are out of order."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from server.journal import database, marks, survey
from server.journal.database import Dated, Gap, Row
from server.journal.journal import Line
from server.tables.entry import Entry

SETTLED, REMOVING = marks.Mark(9, 5, 3, 77), marks.Mark(9, 5, 3, 77, settled=False)
WHOLE = {"first": 2, "last": 9, "seq": 5, "lines": 3, "sum": 77}


@pytest.mark.parametrize(
    ("mark", "found", "sound", "state", "why"),
    [
        (None, {}, True, "", ""),
        (SETTLED, {}, True, "lost", "is lost, with its 5 steps"),
        (SETTLED, {}, False, "lost", "is lost, with its 5 steps"),
        (REMOVING, {}, True, "", ""),
        (REMOVING, {}, False, "lost", "is lost, with its 5 steps"),
        (None, WHOLE, True, "", ""),
        (None, WHOLE, False, "", ""),
        (SETTLED, WHOLE, True, "", ""),
        (SETTLED, WHOLE, False, "", ""),
        (REMOVING, WHOLE, True, "", ""),
        (REMOVING, {**WHOLE, "lines": 2}, True, "", ""),
        (SETTLED, {**WHOLE, "broken": "step 2 is missing"}, True, "", ""),
        (SETTLED, {**WHOLE, "damaged": [4, 6]}, True, "damaged", "is damaged at line 4"),
        (SETTLED, {**WHOLE, "lines": 2}, True, "damaged", "are gone or were changed"),
        (SETTLED, {**WHOLE, "sum": 78}, True, "damaged", "are gone or were changed"),
        (
            SETTLED,
            {**WHOLE, "last": 8, "seq": 4, "lines": 2},
            True,
            "behind",
            "its last step and continues from step 4",
        ),
        (
            SETTLED,
            {**WHOLE, "last": 8, "seq": 3, "lines": 2},
            True,
            "behind",
            "its last 2 steps and continues",
        ),
        (
            SETTLED,
            {**WHOLE, "last": 8, "seq": 5, "lines": 2},
            True,
            "behind",
            "latest chat messages or seats",
        ),
        (
            REMOVING,
            {**WHOLE, "last": 8, "seq": 5, "lines": 2},
            True,
            "behind",
            "latest chat messages or seats",
        ),
        (SETTLED, {**WHOLE, "last": 8, "lines": 2}, False, "damaged", "are gone or were changed"),
        (REMOVING, {**WHOLE, "last": 8, "lines": 2}, False, "damaged", "are gone or were changed"),
        (SETTLED, {**WHOLE, "last": 8, "lines": 2, "broken": "it"}, True, "damaged", "is damaged: it"),
        (None, {**WHOLE, "broken": "it"}, True, "damaged", "is damaged: it"),
    ],
)
def test_what_is_told_of_a_table_follows_from_its_mark_and_its_lines(
    mark: marks.Mark | None, found: dict[str, Any], sound: bool, state: str, why: str
):
    finding = survey._Story(mark, **found).finding("a", [], sound=sound)
    assert (finding.state if finding else "") == state
    assert why in (finding.why if finding else "")


def test_a_gap_after_the_first_line_of_a_table_may_have_held_more_of_it():
    story = survey._Story(None, **WHOLE)
    finding = story.finding("a", [Gap(0, 1), Gap(3, 5)], sound=False)
    assert finding is not None
    assert finding.why == "is damaged: some of its lines are gone"
    assert story.finding("a", [Gap(0, 1), Gap(1, 2)], sound=False) is None


@pytest.mark.parametrize(
    ("entries", "broken"),
    [
        ([("opened", 0), ("said", 0), ("started", 1), ("acted", 2), ("undid", 3)], ""),
        ([("story", 5), ("said", 5), ("acted", 6)], ""),
        ([("story", 5), ("acted", 7)], "step 6 is missing"),
        ([("opened", 0), ("started", 1), ("acted", 3), ("acted", 7)], "step 2 is missing"),
        ([("started", 1), ("acted", 3)], "its opening is missing"),
        ([("opened", 1)], "step 1 is missing"),
    ],
)
def test_steps_that_do_not_follow_on_each_other_are_noticed(entries: list[tuple[str, int]], broken: str):
    story = survey._Story(marks.Mark(last=12))
    for number, (kind, seq) in enumerate(entries, start=11):
        entry = Entry("a", kind, {}, seq)
        story.add(Row(number, Dated(Line(entry), 0.0), "a", 1 << number), entry)
    assert story.broken == broken
    assert (story.first, story.last, story.seq) == (11, 10 + len(entries), entries[-1][1])
    # Only the lines that the mark knows of are counted: others were written after it.
    known = min(2, len(entries))
    assert (story.lines, story.sum) == (known, sum(1 << number for number in range(11, 11 + known)))


# A file that cannot be read in order


class Answers:
    """A database that gives these rows to one question after the other."""

    def __init__(self, *answers: list[int]) -> None:
        self._answers = iter(answers)
        self.asked: list[int] = []

    def execute(self, _query: str, after: tuple[int]) -> Any:
        self.asked.append(after[0])
        return iter(
            [
                database.encoded(number, Dated(Line(Entry("a", "said", {})), 0.0))
                for number in next(self._answers)
            ]
        )


def test_a_row_that_comes_twice_is_damage_and_is_passed_over(tmp_path: Path):
    db: Any = Answers([1, 2, 2], [4, 5])
    found = [each.number if isinstance(each, Row) else each for each in database.read(db, tmp_path)]
    assert found == [1, 2, Gap(2, 4), 4, 5]
    assert db.asked == [0, 3]
