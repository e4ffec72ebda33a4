"""What can be done, by numbers and letters: the same for everybody who looks at a position."""

from __future__ import annotations

from cave.caves_of_casadh.actions import Slide
from cave.caves_of_casadh.game import CAVES_OF_CASADH as GAME
from client.games.caves_of_casadh.known.tasks import tasks
from tests.cave.caves_of_casadh.builders import inside, laid, state


def test_several_slides_have_the_order_of_the_choices() -> None:
    """Rule 4.5: with a Rope three slopes lead up from one passage."""
    now = state(inside((0, -1), 0, items=["rope"]), hexes=[laid((0, -1), "L2-19")])
    found = tasks(now, 0, GAME.choices(now, 0), ("Ann", "Bea"))
    slides = [task.actions[0] for task in found if task.kind == "slide"]
    assert slides == [Slide(1), Slide(2), Slide(3)]
    numbers = [int(task.key) for task in found if task.key.isdecimal()]
    assert numbers == list(range(1, len(numbers) + 1))
