"""The hint as a command, and the tutor's question before a move that loses much."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from cave.game import Json
from client.advice.adviser import Advise, question
from client.plain.commands import Command
from client.present import advice
from client.present.scene import has_secrets

if TYPE_CHECKING:
    from client.plain.talk import Talk

ANYWAY = "{warning} Do it anyway?"


class Advising:
    """Tells what there is to do, from the view of the shown seat alone."""

    def __init__(self, talk: Talk[Any], advise: Advise | None, *, tutors: bool) -> None:
        self._talk = talk
        self._advise = advise
        self._tutors = tutors

    def commands(self) -> Iterator[Command]:
        """Yield the command."""
        yield Command("hint", "what to do now, and why", self._hint, when="seated")

    async def _hint(self, _rest: str) -> None:
        talk = self._talk
        scene = talk.scene
        why = advice.unable(talk.state, scene.seat)
        if why or self._advise is None:
            await talk.console.tell(why or advice.NOTHING)
            return
        hint = advice.sentence(talk.face, scene, await self._advise(question(talk.state, scene.seat)))
        if has_secrets(talk.state, scene.seat):
            await talk.reveal(hint)
        else:
            await talk.console.tell(hint)

    async def lets(self, seat: int, action: Json) -> bool:
        """Return whether an action is to be done: the tutor asks before one that loses much."""
        talk, advise = self._talk, self._advise
        if not self._tutors or advise is None or advice.unable(talk.state, seat):
            return True
        scene = talk.scene
        asked = question(talk.state, seat, [action])
        warning = advice.warning(talk.face, scene, await advise(asked), *asked.also)
        return not warning or await talk.ask(ANYWAY.format(warning=warning))
