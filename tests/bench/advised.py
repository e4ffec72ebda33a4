"""Quality of advice: tutor and analysis agree, so do two seeds, hints are fast, and their reasons are true.

Guides play. At some moments of their games tutor and analysis judge a careless action. The hint is judged
again with another seed.

Run: ``python -m tests.bench advised GAME [--moments 200] [--seed advised] [--sentences 30] [--only-hints]``
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from math import hypot
from random import Random
from time import process_time
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from cave import games, search
from cave.game import AnyGame, Idea, Json
from client import adviser
from client import games as faces
from client.adviser import Question
from client.lab.analysis import ProvenMistake, ask_adviser, find_mistake
from client.present import advice
from tests.bench.fit import MOMENTS, SEATS, game_of_guides
from tests.client.fake_session import FakeSession

OTHER_SEED = "another seed"


class Moment(Struct, frozen=True):
    """The hint at a moment, and the judgement of an action by tutor and analysis."""

    seconds: float
    hint: list[Idea]
    words: str
    warned: bool = False
    found: ProvenMistake | None = None
    again: Idea | None = None
    """The best idea, judged with another seed."""


def looked_at(game: AnyGame, seats: int, seed: str, *, only_hints: bool) -> Iterator[Moment]:
    """Yield some moments of a game of guides."""
    played, _ = game_of_guides(game, seats, seed)
    rng, face = Random(seed), faces.get_face(game.name)
    played = [(state, seat) for state, seat in played if len(game.choices(state, seat)) > 1]
    for state, seat in rng.sample(played, min(MOMENTS, len(played))):
        offered = [game.choice_json(choice) for choice in game.choices(state, seat)]
        done = game.action_json(search.sample_actions(game, game.choices(state, seat), rng, 1)[0])
        scene = face.scene(FakeSession(mine=(seat,), start=state, game=game.name).state, seat)
        begun = process_time()
        hint = ask_adviser(game, state, seat, offered, [])
        told = Moment(process_time() - begun, hint, advice.hint_sentence(face, scene, hint))
        if only_hints:
            yield told
            continue
        asked = Question(game.name, game.view_json(game.view(state, seat)), offered, [done])
        tutored = msgspec.convert(adviser.answer_question(msgspec.json.encode(asked)), list[Idea])
        yield replace(
            told,
            warned=bool(advice.tutor_warning(face, scene, tutored, done)),
            found=find_mistake(game, state, seat, done),
            again=_again(game, state, seat, offered),
        )


def _again(game: AnyGame, state: Any, seat: int, offered: list[Json]) -> Idea:
    kept, search.SEED = search.SEED, OTHER_SEED
    try:
        return ask_adviser(game, state, seat, offered, [])[0]
    finally:
        search.SEED = kept


def report(game: AnyGame, found: list[Moment], sentences: int) -> None:
    """Print the figures, and some sentences with their figures."""
    within = sum(
        abs((each.hint[0].chance or 0) - (each.again.chance or 0))
        <= advice.SURE * hypot(each.hint[0].error, each.again.error)
        for each in found
        if each.again
    )
    times = sorted(each.seconds for each in found)
    sure = [each.warned for each in found if each.found and each.found.chance_lost >= game.blunder]
    wrong = sum(each.warned and not each.found for each in found)
    print(f"{game.title}, {len(found)} moments")
    if found[0].again:
        print(
            f"  the analysis is sure of {len(sure)} mistakes that are worth a warning: the tutor warns of"
            f" {sum(sure)} of them, and of {wrong} that are none"
        )
        print(f"  two seeds agree within their errors at {within} moments")
    print(f"  a hint takes {times[len(times) // 2]:.2f} s (median), {times[-1]:.2f} s at most")
    for each in [each for each in found if len(each.hint) > 1][:sentences]:
        first, second = each.hint[:2]
        because = [(each.kind, each.mine, each.theirs) for each in first.because]
        print(
            f"- {each.words}\n    {first.chance:.3f} against {second.chance:.3f}, apart {second.apart:.3f},"
            f" points {first.points:.1f} against {second.points:.1f}, {first.worlds} worlds, {because}"
        )


def main() -> None:
    """Play, look and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=SEATS)
    parser.add_argument("--moments", type=int, default=200)
    parser.add_argument("--seed", default="advised")
    parser.add_argument("--sentences", type=int, default=30)
    parser.add_argument("--only-hints", action="store_true", help="print hints, and compare nothing")
    asked = parser.parse_args()
    game, found = games.get_game(asked.game), list[Moment]()
    number = 0
    while len(found) < asked.moments:
        seats = SEATS[asked.game][number % len(SEATS[asked.game])][0]
        found += looked_at(game, seats, f"{asked.seed} {number}", only_hints=asked.only_hints)
        number += 1
    report(game, found, asked.sentences)


if __name__ == "__main__":
    main()
