"""Your profile: wins, points, rating and records in each game you have played, with pictures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from cave import games
from client.games import default_face, get_face
from client.lab.profile import GameProfile, Profile, figure_lines, points_bars, points_columns, streak_words
from client.tui.closing_screen import ClosingOnce
from client.tui.widgets.clickable_text import HintBar, KeyHint
from client.tui.widgets.dialog_box import Card
from client.tui.widgets.panel import Panel, Row, sprite_rows
from client.tui.widgets.panes import TitleBar

LAST_GAMES = 24  # number of games whose points are drawn side by side


class Emblem(Panel):
    def __init__(self, game: str) -> None:
        super().__init__()
        self._game = game

    def rows(self, width: int, height: int) -> Sequence[Row]:
        return sprite_rows(self, get_face(self._game).emblem)


class ProfileScreen(ClosingOnce[None]):
    """A card for each game: facts and records on the left, points on the right."""

    CSS_PATH = "profile.tcss"
    AUTO_FOCUS = "#list"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "back", "Back", id="profile.back"),
        Binding("question_mark,f1", "help", "Help", show=False, id="profile.help"),
    ]

    def __init__(self, profile: Profile, *, glyphs: str = "unicode") -> None:
        super().__init__()
        self._profile = profile
        self._glyphs = glyphs

    def compose(self) -> ComposeResult:
        with Vertical(id="sheet"):
            yield TitleBar(" ".join(("Profile", self._profile.name)), id="title")
            yield Static(streak_words(self._profile), id="days", markup=False)
            with VerticalScroll(id="list"):
                for of in self._profile.games:
                    yield from self._game_card(of)
            with HintBar(id="hints"):
                yield KeyHint("profile.back", "Back")

    def _game_card(self, of: GameProfile) -> ComposeResult:
        with Card():
            yield Static(games.game_info(of.game).title.upper(), classes="head", markup=False)
            with Horizontal(classes="game"):
                yield Emblem(of.game)
                yield Static(_titled_rows(figure_lines(of)), classes="facts")
                yield Static(_titled_rows(list(of.best.items())), classes="facts")
                with Vertical(classes="points"):
                    if len(of.points) > 1:
                        bar = "#" if self._glyphs == "ascii" else "█"
                        yield Static(_titled_rows(points_bars(of.points, bar)), classes="bars")
                        if self._glyphs != "ascii":
                            yield Static("Game by game", classes="what")
                            yield Static(points_columns(of.points[-LAST_GAMES:]), classes="bars")

    def action_help(self) -> None:
        from client.tui.help import open_help

        open_help(self, default_face(), self._glyphs)

    def action_back(self) -> None:
        self.dismiss(None)


def _titled_rows(rows: list[tuple[str, str]]) -> Content:
    room = max((len(title) for title, _ in rows), default=0)
    parts = [((f"{title:<{room}}  ", "$text-muted"), (f"{text}\n", "bold")) for title, text in rows]
    return Content.assemble(*(part for pair in parts for part in pair)).rstrip()
