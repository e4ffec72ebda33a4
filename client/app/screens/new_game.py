"""The form of a new game, here or at a host: seats, edition and house rules, seed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Input, Static

from cave.the_cave.state import MAX_TEAMS
from cave.wire import MAX_NAME
from client import games
from client.games.the_cave import house_rules
from client.launch import new_game
from client.launch.new_game import GamePlan, SeatKind, SeatPlan
from client.launch.opening import LocalGame, Menu, Opening
from client.tui.widgets.cycle import Cycle
from client.tui.widgets.form import Button, Lines
from client.tui.widgets.hint_bar import HintBar
from client.tui.widgets.tap import Hint, KeyHint, Tap

LETTERS = "ABCDE"
START: tuple[SeatKind, ...] = ("person", "bot", "none", "none", "none")
ELSEWHERE: tuple[SeatKind, ...] = ("open", "none", "none", "none")
NO_SEED = "any text; empty for a new cave"


class NewGameScreen(Screen[Opening]):
    """Who sits where and by which rules; the result is the game to open, or the menu.

    ``where`` is the host at which it is to be, else it is one of this machine.
    """

    CSS_PATH = "new_game.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "start", "Start", id="new_game.start"),
        Binding("escape", "back", "Back", id="new_game.back"),
        Binding("down", "app.focus_next", "Next", show=False, id="new_game.next"),
        Binding("up", "app.focus_previous", "Previous", show=False, id="new_game.previous"),
        Binding("f1", "help", "Help", id="new_game.help"),
    ]

    def __init__(self, *names: str, where: str = "", glyphs: str = "unicode") -> None:
        super().__init__()
        self._people = names[:MAX_TEAMS]
        self._where = where
        self._glyphs = glyphs
        people: list[SeatKind] = ["person"] * max(1, len(self._people))
        self._kinds = (*people, *ELSEWHERE)[:MAX_TEAMS] if where else START

    def compose(self) -> ComposeResult:
        """One line a seat, one a rule."""
        with Vertical(id="sheet"):
            title = f" New table at {self._where}" if self._where else " New game"
            yield Static(title, id="title", markup=False)
            with Lines(id="form"):
                yield Static("Teams", classes="head")
                for number in range(MAX_TEAMS):
                    yield self._seat(number)
                yield Static("Rules", classes="head")
                yield self._line("Edition", self._cycle(new_game.EDITION_WORDS, "english", "edition"))
                usual = new_game.usual_switches("english")
                for switch, (title, values) in house_rules.RULES.items():
                    yield self._line(title, self._cycle(values, usual[switch], f"switch-{switch}"))
                yield self._line("Seed", Input(placeholder=NO_SEED, compact=True, id="seed"))
                yield self._line("Who is away", self._cycle(new_game.ABSENCES, None, "absence"))
                yield Button("[ Start ]", "start", id="start")
            yield Static("", id="message", markup=False)
            with HintBar(id="hints"):
                yield Hint("enter", "Next", "next")
                yield KeyHint("choice.previous choice.next", "Change", "change")
                yield KeyHint("new_game.start", "Start", "start")
                yield KeyHint("new_game.back", "Back" if self._where else "Menu", "back")

    def _seat(self, number: int) -> Widget:
        name = self._people[number] if number < len(self._people) else ""
        kinds = [(kind, new_game.KIND_WORDS[kind]) for kind in new_game.KINDS]
        return Horizontal(
            Static(f" {LETTERS[number]}", classes="letter"),
            self._cycle(kinds, self._kinds[number], f"kind-{number}"),
            Input(name, placeholder="name", max_length=MAX_NAME, compact=True, id=f"name-{number}"),
            classes="line seat",
        )

    def _line(self, title: str, field: Widget) -> Widget:
        return Horizontal(Static(f" {title}", classes="what"), field, classes="line")

    def _cycle(self, options: Sequence[tuple[Any, str]], value: Any, name: str) -> Cycle:
        return Cycle(options, value, glyphs=self._glyphs, id=name)

    def on_mount(self) -> None:
        """Begin at the first name where it is missing."""
        for number in range(MAX_TEAMS):
            self._show_seat(number)
        first = "#kind-0" if any(self._people) else "#name-0"
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
        chosen = {switch: self.query_one(f"#switch-{switch}", Cycle).value for switch in house_rules.RULES}
        edition = self.query_one("#edition", Cycle).value
        seed = self.query_one("#seed", Input).value.strip()
        absence = self.query_one("#absence", Cycle).value
        return GamePlan(tuple(seats), new_game.edition_settings(edition, chosen), seed, absence=absence)

    def action_start(self) -> None:
        """Open the game, or say what is missing and go there."""
        plan = self.plan()
        wrong = new_game.problem(plan)
        self.query_one("#message", Static).update(wrong)
        if not wrong:
            self.dismiss(LocalGame(plan))
            return
        nameless = (field for field in self.query(".seat Input").results(Input) if field.visible)
        missing = next((field for field in nameless if not field.value.strip()), None)
        if missing is not None:
            missing.focus()

    def action_back(self) -> None:
        """To where one came from."""
        self.dismiss(Menu())

    async def action_help(self) -> None:
        """What the rules mean."""
        from client.tui.screens.help import HelpScreen

        await self.app.push_screen(HelpScreen(games.first(), glyphs=self._glyphs, topic="menu"))

    @on(Cycle.Changed)
    def _changed(self, event: Cycle.Changed) -> None:
        part, _, number = (event.cycle.id or "").partition("-")
        if part == "kind":
            self._show_seat(int(number))
        elif part == "edition":
            for switch, value in new_game.usual_switches(event.value).items():
                self.query_one(f"#switch-{switch}", Cycle).choose(value)

    @on(Cycle.Changed)
    @on(Input.Changed)
    def _mended(self) -> None:
        self.query_one("#message", Static).update("")

    @on(Input.Submitted)
    def _submitted(self) -> None:
        self.focus_next()

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
