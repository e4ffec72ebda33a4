"""Moving things between backpack and camp (rule 6.5), and discarding them (rule 6.7)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from cave.game import Json
from cave.the_cave.actions import Form
from cave.the_cave.state import CAMP_FILLS, ITEM_NAMES, NOTHING, ItemName
from client.games.the_cave.forms.sizes import LEAST
from client.games.the_cave.forms.slots import Slots
from client.games.the_cave.known import packing
from client.games.the_cave.known.packing import Draft, Where
from client.tui.closing_once import ClosingOnce
from client.tui.keymap import live
from client.tui.widgets.box import BELOW, Box, Clearing
from client.tui.widgets.hint_bar import HintBar
from client.tui.widgets.tap import KeyHint, Tap
from client.tui.widgets.title_bar import TitleBar

_ITEM_KEYS: list[BindingType] = [
    Binding(key, f"thing('{item}')", packing.NAMES[item], show=False, id=f"exchange.{item}")
    for item, key in packing.KEYS.items()
]


class _SlotScreen(ModalScreen[Json | None], ClosingOnce[Json | None]):
    """Two sides of slots over the map; a click or a letter moves a thing from one to the other."""

    CSS_PATH = "exchange.tcss"
    LEAST: ClassVar[tuple[int, int]] = LEAST
    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "done", "Done", id="exchange.done"),
        Binding(
            "tab,b,left,right,up,down", "turn_round", "The other way", show=False, id="exchange.turn_round"
        ),
        Binding("x", "restart", "Start again", id="exchange.restart"),
        Binding("escape", "cancel", "Back", id="exchange.cancel"),
        *_ITEM_KEYS,
    ]
    WORDS: ClassVar[dict[Where, str]] = {"backpack": "Backpack", "camp": "Camp"}
    WAYS: ClassVar[dict[Where, str]] = {"backpack": "into the backpack", "camp": "into the camp"}
    ASK: ClassVar[str] = ""
    DONE: ClassVar[str] = ""

    def __init__(
        self, form: Form, *, seat: int, name: str, glyphs: str = "unicode", carries_camp: bool = False
    ) -> None:
        super().__init__(classes=BELOW)
        self._form = form
        self._carries_camp = carries_camp
        self._seat = seat
        self._person = name
        self._glyphs = glyphs
        self._to: Where = "camp"
        self._message = ""
        self.draft = self.start()

    def start(self) -> Draft:
        """Return where things lie when the screen opens."""
        raise NotImplementedError

    def sizes(self) -> Mapping[Where, int]:
        """Return the slots of both sides."""
        raise NotImplementedError

    def action_json(self) -> Json | None:
        """Return the action; None when nothing was moved."""
        raise NotImplementedError

    def compose(self) -> ComposeResult:
        """Yield both sides, the letters that move things, the keys."""
        line = "-" if self._glyphs == "ascii" else "─"
        with Clearing(), Box(id="box"):
            yield TitleBar(f"{self._person} {self.ASK}", "free", seat=self._seat, id="title")
            with Horizontal(id="sides"):
                for where, other in (("backpack", "camp"), ("camp", "backpack")):
                    with Vertical(id=f"{where}-side", classes="side"):
                        yield Tap("", f"to-{other}", id=f"{where}-head", classes="head")
                        yield Slots("camp" if where == "camp" else "backpack", line=line)
            yield Static("", id="message", markup=False)
            yield Static(id="letters", markup=False)
            with HintBar(id="hints"):
                yield KeyHint("exchange.done", self.DONE, "done")
                yield KeyHint("exchange.turn_round", "The other way", "turn")
                yield KeyHint("exchange.restart", "Start again", "restart")
                yield KeyHint("exchange.cancel", "Back", "cancel")

    def on_mount(self) -> None:
        """Show the start."""
        self.set_class(self._glyphs == "ascii", "-ascii")
        self._show()

    def _show(self) -> None:
        for where, size in self.sizes().items():
            items = self.draft.part(where)
            active = where != self._to
            filled = CAMP_FILLS if self._carries_camp and where == "backpack" else 0
            head = self.query_one(f"#{where}-head", Tap)
            head.update(
                Content.assemble(
                    ("> " if active else "  ", "$key bold"),
                    (self.WORDS[where].upper(), "$title bold"),
                    (f"  {items.slots + filled} of {size} slots", "" if active else "$text-muted"),
                )
            )
            head.set_class(active, "-active")
            slots = self.query_one(f"#{where}", Slots)
            things = packing.slots(items, size - filled, glyphs=self._glyphs)
            slots.show((*things, packing.packed_camp()) if filled else things)
        there = self.draft.part("backpack" if self._to == "camp" else "camp")
        keys: list[tuple[str, str]] = []
        for item in ITEM_NAMES:
            if getattr(there, item):
                keys.append((f"  {live(self, f'exchange.{item}')} ", "$key bold"))
                keys.append((packing.name(item, glyphs=self._glyphs), ""))
        self.query_one("#letters", Static).update(Content.assemble(*keys))
        message = self.query_one("#message", Static)
        message.update(self._message or f"Click a thing or press its letter: it goes {self.WAYS[self._to]}.")
        message.set_class(bool(self._message), "-problem")

    def action_thing(self, item: ItemName) -> None:
        """Move one of a thing."""
        self._move(item, self._to)

    def _move(self, item: ItemName, to: Where) -> None:
        self.draft, self._message = packing.moved(self.draft, item, to, self.sizes()[to])
        self._show()

    def action_turn_round(self) -> None:
        """Move the other way."""
        self._to = "camp" if self._to == "backpack" else "backpack"
        self._message = ""
        self._show()

    def action_restart(self) -> None:
        """Start again."""
        self.draft, self._message, self._to = self.start(), "", "camp"
        self._show()

    def action_cancel(self) -> None:
        """Leave everything as it was."""
        self.dismiss(None)

    def action_done(self) -> None:
        """Do it; where nothing was moved there is nothing to do."""
        self.dismiss(self.action_json())

    @on(Slots.Pressed)
    def _slot_pressed(self, event: Slots.Pressed) -> None:
        things = list(packing.pieces(self.draft.part(event.part)))
        if event.number < len(things):
            self._move(things[event.number], "backpack" if event.part == "camp" else "camp")

    @on(Tap.Pressed)
    def _pressed(self, event: Tap.Pressed) -> None:
        match event.does:
            case "to-camp" | "to-backpack":
                self._to = "camp" if event.does == "to-camp" else "backpack"
                self._show()
            case "turn":
                self.action_turn_round()
            case "restart":
                self.action_restart()
            case "cancel":
                self.action_cancel()
            case "done":
                self.action_done()


class ExchangeScreen(_SlotScreen):
    """Between backpack and camp."""

    ASK = "exchanges with the camp"
    DONE = "Exchange"

    def start(self) -> Draft:
        """Return what lies in backpack and camp."""
        return packing.exchange_start(self._form)

    def sizes(self) -> Mapping[Where, int]:
        """Return the slots of backpack and camp."""
        return {"backpack": self._form.limits.slots, "camp": self._form.limits.camp_slots}

    def action_json(self) -> Json | None:
        """Return the exchange."""
        return packing.exchange_action(self._form, self.draft)


class DiscardScreen(_SlotScreen):
    """From the backpack onto the ground: what is discarded is gone."""

    ASK = "discards things"
    DONE = "Discard them"
    WORDS: ClassVar[dict[Where, str]] = {"backpack": "Backpack", "camp": "To be discarded"}
    WAYS: ClassVar[dict[Where, str]] = {"backpack": "back into the backpack", "camp": "away for good"}

    def start(self) -> Draft:
        """Begin with nothing discarded."""
        return Draft(self._form.limits.held, NOTHING)

    def sizes(self) -> Mapping[Where, int]:
        """Return as many slots for both: all can be discarded."""
        return dict.fromkeys(("backpack", "camp"), self._form.limits.slots)

    def action_json(self) -> Json | None:
        """Return the discard."""
        return packing.discard_action(self.draft.part("camp"))
