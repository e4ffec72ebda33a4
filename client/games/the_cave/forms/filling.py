"""Which screen fills which form."""

from __future__ import annotations

from collections.abc import Callable

from textual.screen import Screen

from cave.game import Json
from cave.the_cave.actions import Form
from client.face import Face
from client.games.the_cave.forms.exchange import DiscardScreen, ExchangeScreen
from client.games.the_cave.forms.packing import PackingScreen
from client.games.the_cave.known.scene import CaveScene
from client.games.the_cave.said import guide


def form_screen(
    scene: CaveScene,
    form: Form,
    face: Face,
    *,
    glyphs: str,
    last: Json | None,
    guided: bool,
    ask: Callable[[Callable[[str], None]], None],
    chat: Callable[[], None],
) -> Screen[Json | None]:
    """Return the screen that fills a form of the shown team; its result is the action, or None when it was
    put off.

    ``last`` is the pack of an earlier trip, ``guided`` says that a newcomer wants to be told what to do, and
    ``ask`` thinks about a hint; ``chat`` opens the chat.
    """
    name, camp = scene.view.names[scene.seat], scene.cave.teams[scene.seat].camp
    if form.kind == "exchange":
        return ExchangeScreen(form, seat=scene.seat, name=name, glyphs=glyphs)
    if form.kind == "discard":
        return DiscardScreen(
            form, seat=scene.seat, name=name, glyphs=glyphs, carries_camp=camp.state == "packed"
        )
    return PackingScreen(
        face,
        form,
        seat=scene.seat,
        name=name,
        glyphs=glyphs,
        last=last,
        in_camp=camp.items,
        tips=guide.packing(scene.cave.settings) if guided else (),
        ask=ask,
        chat=chat,
    )
