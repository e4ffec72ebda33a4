"""The form of a new local game: seats, edition and house rules, seed."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import Input, Static

from cave.the_cave.setup import MAX_NAME, MAX_TEAMS
from client.present import setup
from client.present.opening import LocalGame, Menu, Opening
from client.present.setup import GamePlan, SeatKind, SeatPlan
from client.tui.widgets.cycle import Cycle
from client.tui.widgets.tap import Hint, KeyHint, Tap

LETTERS = "ABCDE"
START: tuple[SeatKind, ...] = ("person", "bot", "none", "none", "none")


class NewGameScreen(Screen[Opening]):
    """Who sits where and by which rules; the result is the game to open, or the menu."""

    CSS_PATH = "new_game.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "start", "Start", id="new_game.start"),
        Binding("escape", "back", "Back", id="new_game.back"),
        Binding("down", "app.focus_next", "Next", show=False, id="new_game.next"),
        Binding("up", "app.focus_previous", "Previous", show=False, id="new_game.previous"),
        Binding("f1", "help", "Help", id="new_game.help"),
    ]

    def __init__(self, *, name: str = "", glyphs: str = "unicode") -> None:
        super().__init__()
        self._person = name
        self._glyphs = glyphs

    def compose(self) -> ComposeResult:
        """One line a seat, one a rule."""
        words = [(kind, setup.KIND_WORDS[kind]) for kind in setup.KINDS]
        with Vertical(id="sheet"):
            yield Static(" New game", id="title")
            yield Static("Teams", classes="head")
            for number in range(MAX_TEAMS):
                with Horizontal(classes="line seat"):
                    yield Static(f" {LETTERS[number]}", classes="letter")
                    yield Cycle(words, START[number], glyphs=self._glyphs, id=f"kind-{number}")
                    yield Input(
                        self._person if number == 0 else "",
                        placeholder="name",
                        max_length=MAX_NAME,
                        compact=True,
                        id=f"name-{number}",
                    )
            yield Static("Rules", classes="head")
            with Horizontal(classes="line"):
                yield Static(" Edition", classes="what")
                yield Cycle(
                    [("english", "English"), ("french", "French")],
                    "english",
                    glyphs=self._glyphs,
                    id="edition",
                )
            usual = setup.usual_switches("english")
            for switch, (title, values) in setup.SWITCHES.items():
                with Horizontal(classes="line"):
                    yield Static(f" {title}", classes="what")
                    yield Cycle(values, usual[switch], glyphs=self._glyphs, id=f"switch-{switch}")
            with Horizontal(classes="line"):
                yield Static(" Seed", classes="what")
                yield Input("", placeholder="any text; empty: a cave nobody knows", compact=True, id="seed")
            with Horizontal(classes="line"):
                yield Static(" Who is away", classes="what")
                yield Cycle(setup.ABSENCES, None, glyphs=self._glyphs, id="absence")
            yield Static("", id="message", markup=False)
            with Horizontal(id="hints"):
                yield KeyHint("new_game.start", "Start", "start")
                yield Hint("tab", "Next", "next")
                yield KeyHint("choice.previous choice.next", "Change", "change")
                yield KeyHint("new_game.back", "Menu", "back")

    def on_mount(self) -> None:
        """Begin at the first name where it is missing."""
        for number in range(MAX_TEAMS):
            self._show_seat(number)
        first = "#name-0" if not self._person else "#kind-0"
        self.query_one(first).focus()

    def _show_seat(self, number: int) -> None:
        """A name is asked for people only: bots have their own."""
        kind = self.query_one(f"#kind-{number}", Cycle).value
        self.query_one(f"#name-{number}", Input).visible = kind == "person"

    def plan(self) -> GamePlan:
        """The game as the form stands."""
        seats = []
        for number in range(MAX_TEAMS):
            kind = self.query_one(f"#kind-{number}", Cycle).value
            if kind == "none":
                continue
            name = self.query_one(f"#name-{number}", Input).value.strip()
            seats.append(SeatPlan(kind, name if kind == "person" else ""))
        chosen = {switch: self.query_one(f"#switch-{switch}", Cycle).value for switch in setup.SWITCHES}
        edition = self.query_one("#edition", Cycle).value
        seed = self.query_one("#seed", Input).value.strip()
        absence = self.query_one("#absence", Cycle).value
        return GamePlan(tuple(seats), setup.edition_settings(edition, chosen), seed, absence=absence)

    def action_start(self) -> None:
        """Open the game, or say what is missing."""
        plan = self.plan()
        wrong = setup.problem(plan)
        self.query_one("#message", Static).update(wrong)
        if not wrong:
            self.dismiss(LocalGame(plan))

    def action_back(self) -> None:
        """To the menu."""
        self.dismiss(Menu())

    async def action_help(self) -> None:
        """What the rules mean."""
        from client.tui.screens.help import HelpScreen

        await self.app.push_screen(HelpScreen(glyphs=self._glyphs, topic="menu"))

    @on(Cycle.Changed)
    def _changed(self, event: Cycle.Changed) -> None:
        part, _, number = (event.cycle.id or "").partition("-")
        if part == "kind":
            self._show_seat(int(number))
        elif part == "edition":
            for switch, value in setup.usual_switches(event.value).items():
                self.query_one(f"#switch-{switch}", Cycle).choose(value)

    @on(Input.Submitted)
    def _submitted(self) -> None:
        self.action_start()

    @on(Tap.Pressed)
    def _pressed(self, event: Tap.Pressed) -> None:
        match event.does:
            case "start":
                self.action_start()
            case "back":
                self.action_back()
            case "change" if isinstance(self.focused, Cycle):
                self.focused.action_turn(1)
            case _:
                self.focus_next()
