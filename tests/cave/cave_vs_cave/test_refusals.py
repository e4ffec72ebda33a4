"""Refusals in words: a sentence of each kind, kept in ``refusals.txt``.

``test_second_reading`` compares the codes and their order with an independent program. To renew the file:
``python -m tests.cave.cave_vs_cave.test_refusals``, and read the diff.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

from cave.game import Refused
from tests.cave.cave_vs_cave import crowded
from tests.cave.cave_vs_cave.builders import CODES, GAME, written
from tests.cave.cave_vs_cave.test_conformance import RULE, cites

KEPT = Path(__file__).with_name("refusals.txt")
POSITIONS = 400


def refusals() -> list[str]:
    """The first sentence of each type of action, code and rule: of wild actions, then of ``why_not``."""
    found: dict[tuple[str, ...], str] = {}

    def note(how: str, kind: str, code: str, message: str) -> None:
        cites(message)
        rule = RULE.search(message)
        assert rule is not None
        found.setdefault((how, kind, code, rule[1]), f"{how} {kind} {code}: {message}")

    for number in range(POSITIONS):
        rng = Random(number)
        position = crowded.position(rng)
        if position is None:
            continue
        state = GAME.from_position(position)
        seat = position["turn"]["seat"] or 0
        legal = [GAME.choice_json(choice)["action"] for choice in GAME.choices(state, seat)]
        for _ in range(20):
            action = crowded.wild_action(rng, written(state), legal)
            try:
                GAME.apply(state, seat, GAME.decode(state, seat, action))
            except Refused as refused:
                if refused.code != "bad_action":
                    note("tried", action["type"], refused.code, refused.message)
        for why in GAME.why_not(state, seat):
            note("listed", why.action["type"], why.code, why.message)
    return [found[key] for key in sorted(found)]


def test_every_refusal_says_what_is_wrong() -> None:
    lines = refusals()
    assert lines == KEPT.read_text("utf-8").splitlines()
    seen = {line.split()[2].rstrip(":") for line in lines}
    assert seen == {*CODES} - {"bad_action", "game_over", "not_your_turn", "room_used"}


def test_nothing_is_listed_for_a_seat_that_is_not_to_act() -> None:
    state = GAME.new(2, {}, "listed")
    assert GAME.why_not(state, 1 - min(GAME.to_act(state))) == ()


if __name__ == "__main__":
    KEPT.write_text("\n".join(refusals()) + "\n", "utf-8")
