"""The form of a new game, here or at a host: game, seats, rules, seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import msgspec
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widget import Widget
from textual.widgets import Input, Static

from cave import games, protocol
from cave.game import Option, chosen_values, shortest_settings
from cave.wire import MAX_NAME
from client import games as faces
from client.face import LETTERS
from client.launch import new_game
from client.launch.new_game import GamePlan, NewGameSeats, SeatPlan
from client.launch.opening import LocalGame, Menu, Opening
from client.tui.closing_screen import ClosingOnce
from client.tui.title_picture import backdrop
from client.tui.widgets.clickable_text import HintBar, KeyHint, TapHint
from client.tui.widgets.dialog_box import Card
from client.tui.widgets.form_fields import Button, Cycle, Field, Lines, line
from client.tui.widgets.panes import Letter, TitleBar

NO_SEED = "any text; empty for chance"


class NewGameScreen(ClosingOnce[Opening]):
    """Choose seats and rules; the result is the game to open, or the menu.

    ``where`` is the host of the new game, empty for this machine; ``game`` the selected game. ``levels`` are
    the default levels of bots, by game.
    """

    CSS_PATH = "new_game.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "start", "Start", id="new_game.start"),
        Binding("escape", "back", "Back", id="new_game.back"),
        Binding("down", "app.focus_next", "Next", show=False, id="new_game.next"),
        Binding("up", "app.focus_previous", "Previous", show=False, id="new_game.previous"),
        Binding("f1", "help", "Help", id="new_game.help"),
    ]

    def __init__(
        self,
        *names: str,
        where: str = "",
        glyphs: str = "unicode",
        game: str = "",
        levels: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__()
        self._named = any(names)
        self._where = where
        self._glyphs = glyphs
        self._game = games.game_info(game if game in games.game_names() else games.default_game())
        self._seatings = NewGameSeats(names, levels or {}, elsewhere=bool(where))
        self._seed = ""
        self._rules: dict[str, dict[str, Any]] = {}  # the choices on the rules card, by game and name

    def compose(self) -> ComposeResult:
        yield from backdrop(self)
        yield TitleBar(f"New table at {self._where}" if self._where else "New game", id="title")
        with Vertical(id="sheet"):
            with Lines(id="form"):
                titles = [(name, games.game_info(name).title) for name in games.game_names()]
                with Card(id="which"):
                    yield line(" Game", self._make_cycle(titles, self._game.name, "game"))
                    series = self._make_cycle(new_game.series_choices(self._game), 1, "series")
                    yield line(" Series", series)
                yield from self._game_widgets()
            yield Static("", id="message", markup=False)
        with HintBar(id="hints"):
            yield TapHint("enter", "Next")
            yield KeyHint("choice.previous choice.next", "Change")
            yield KeyHint("new_game.start", "Start")
            yield KeyHint("new_game.back", "Back" if self._where else "Menu")

    def _game_widgets(self) -> list[Widget]:
        seats = [
            self._seat_line(number, seat, name) for number, (seat, name) in enumerate(self._seatings.of(self._game))
        ]
        rules = [
            line(f" {option.title}", self._rule_cycle(option.values, option.default, f"option-{option.name}"))
            for option in self._house_rules()
        ]
        absence = self._rule_cycle(new_game.absence_choices(self._game), None, "absence")
        hints = line(" Hints", self._rule_cycle(new_game.HINTS, True, "hints-allowed"), id="hints-line")
        return [
            Card(Static(f"{self._game.side}s".upper(), classes="head"), *seats, id="seats"),
            Card(
                Static("RULES", classes="head"),
                *rules,
                line(" Seed", Field(self._seed, placeholder=NO_SEED, id="seed")),
                line(" Who is away", absence),
                hints,
                id="rules",
            ),
            Button("Start", "start", id="start"),
        ]

    def _house_rules(self) -> Sequence[Option]:
        preset = new_game.preset_of_game(self._game)
        return (*([] if preset is None else [preset]), *new_game.house_rules(self._game))

    def _seat_line(self, number: int, seat: SeatPlan, name: str) -> Widget:
        return Horizontal(
            Letter(number % len(LETTERS), classes="letter"),
            self._make_cycle(new_game.seat_choices(self._game), seat, f"kind-{number}"),
            Field(name, placeholder="name", max_length=MAX_NAME, id=f"name-{number}"),
            classes="line seat",
        )

    def _make_cycle(self, options: Sequence[tuple[Any, str]], value: Any, name: str) -> Cycle:
        return Cycle(options, value, glyphs=self._glyphs, id=name)

    def _rule_cycle(self, options: Sequence[tuple[Any, str]], usual: Any, name: str) -> Cycle:
        return self._make_cycle(options, self._rules.get(self._game.name, {}).get(name, usual), name)

    def on_mount(self) -> None:
        """Focus the first name if it is missing."""
        self._show_seats()
        first = "#kind-0" if self._named else "#name-0"
        self.query_one(first).focus()

    def _show_seats(self) -> None:
        """Show names and rules for this number of people, and hints if others play elsewhere."""
        self.query_one("#series", Cycle).offer(new_game.series_choices(self._game), 1)
        seats, elsewhere = 0, False
        for number, row in enumerate(self.query(".seat")):
            row.display = number < self._places
            row.query_one(Letter).visible = not self._robin  # The schedule has the seats.
            seat: SeatPlan = self.query_one(f"#kind-{number}", Cycle).chosen_value
            self.query_one(f"#name-{number}", Input).visible = seat.kind == "person"
            seats += row.display and seat.kind != "none"
            elsewhere = elsewhere or (row.display and seat.kind == "open")
        self.query_one("#hints-line").display = elsewhere
        seats = protocol.PAIR if self._robin else seats
        for option in self._house_rules():
            self._cycle_of(option.name).offer(option.values_for(seats), option.default)

    @property
    def _robin(self) -> bool:
        return bool(self.query_one("#series", Cycle).chosen_value == new_game.ROBIN)

    @property
    def _places(self) -> int:
        return new_game.most_players(self._game) if self._robin else self._game.seats[-1]

    async def _change_game(self, name: str) -> None:
        """Switch the form to another game; names and seed stay, and each game keeps its seats and rules.

        The game's field is not replaced: it would lose the focus, and any keys pressed meanwhile.
        """
        self._seatings.keep(self._game, self._seat_plans())
        self._seed = self.query_one("#seed", Input).value
        self._rules[self._game.name] = {
            str(cycle.id): cycle.chosen_value for cycle in self.query("#rules Cycle").results(Cycle)
        }
        self._game = games.game_info(name)
        form = self.query_one("#form")
        async with self.batch():
            await form.query_children("*").exclude("#which").remove()
            if not form.is_attached:
                return  # the program is ending
            await form.mount_all(self._game_widgets())
        self._show_seats()

    def _seat_plans(self) -> list[SeatPlan]:
        rows = []
        for number in range(new_game.most_players(self._game)):
            seat: SeatPlan = self.query_one(f"#kind-{number}", Cycle).chosen_value
            name = self.query_one(f"#name-{number}", Input).value.strip() if seat.kind == "person" else ""
            rows.append(msgspec.structs.replace(seat, name=name))
        return rows

    def plan(self) -> GamePlan:
        seats = [seat for seat in self._seat_plans()[: self._places] if seat.kind != "none"]
        if len(seats) == 1 and seats[0] == SeatPlan("person"):
            seats = [SeatPlan("person", new_game.NAMELESS)]  # there are no other players to tell apart
        options = self._house_rules()
        values = {option.name: self._cycle_of(option.name).chosen_value for option in options}
        series = self.query_one("#series", Cycle).chosen_value
        return GamePlan(
            tuple(seats),
            settings=shortest_settings(options, values),
            seed=self.query_one("#seed", Input).value.strip(),
            absence=self.query_one("#absence", Cycle).chosen_value,
            hints=self.query_one("#hints-allowed", Cycle).chosen_value or not self.query_one("#hints-line").display,
            best_of=1 if self._robin else series,
            round_robin=len(seats) if self._robin else 0,
            game=self._game.name,
        )

    def _cycle_of(self, option: str) -> Cycle:
        return self.query_one(f"#option-{option}", Cycle)

    def action_start(self) -> None:
        """Open the game, or show the problem and focus its field."""
        plan = self.plan()
        wrong = new_game.plan_problem(plan)
        self.show_message(wrong)
        if not wrong:
            self.dismiss(LocalGame(plan))
            return
        nameless = (field for field in self.query(".seat Input").results(Input) if field.visible)
        missing = next((field for field in nameless if not field.value.strip()), None)
        if missing is not None:
            missing.focus()

    def action_back(self) -> None:
        self.dismiss(Menu())

    async def action_help(self) -> None:
        from client.tui.help import HelpScreen

        await self.app.push_screen(HelpScreen(faces.get_face(self._game.name), glyphs=self._glyphs, topic="menu"))

    @on(Cycle.Changed)
    async def _changed(self, event: Cycle.Changed) -> None:
        part, _, name = (event.cycle.id or "").partition("-")
        if part in ("kind", "series"):
            self._show_seats()
        elif part == "game":
            await self._change_game(event.value)
        elif part == "option":
            self._choose_preset(name, event.value)

    def _choose_preset(self, name: str, value: Any) -> None:
        option = next(option for option in self._game.options if option.name == name)
        usual = chosen_values(self._game.options, {name: value})
        for other in {other for preset in option.presets.values() for other in preset}:
            self._cycle_of(other).choose(usual[other])

    @on(Cycle.Changed)
    @on(Input.Changed)
    def _mended(self) -> None:
        self.show_message("")

    @on(Input.Submitted)
    def _submitted(self) -> None:
        self.focus_next()
