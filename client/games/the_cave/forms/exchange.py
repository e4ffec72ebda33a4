"""Moving things between backpack and camp (rule 6.5), and discarding them (rule 6.7)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from cave.game import Json
from cave.the_cave.actions import Form
from cave.the_cave.state import ITEM_NAMES, NOTHING, ItemName
from client.games.the_cave.forms.sizes import LARGE, LEAST
from client.games.the_cave.forms.slots import Slots, Tent
from client.games.the_cave.known import packing
from client.games.the_cave.known.packing import Draft, Where
from client.tui.closing_once import ClosingOnce
from client.tui.keymap import live
from client.tui.widgets.form import Lines
from client.tui.widgets.hint_bar import HintBar
from client.tui.widgets.tap import KeyHint, Tap
from client.tui.widgets.title_bar import TitleBar

HIGH = 20
"""Rows from which a slot is a card of several rows."""
PICTURES = (80, 20)
"""Columns and rows from which both sides have pictures."""
_ITEM_KEYS: list[BindingType] = [
    Binding(key, f"thing('{item}')", packing.NAMES[item], show=False, id=f"exchange.{item}")
    for item, key in packing.KEYS.items()
]


class _SlotScreen(ClosingOnce[Json | None]):
    """Two sides of slots; a click or a letter moves a thing from one to the other."""

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
    LARGEST: ClassVar[dict[Where, int]] = {"backpack": 2, "camp": 2}
    """How large each side is drawn in the largest windows."""
    ASK: ClassVar[str] = ""
    DONE: ClassVar[str] = ""

    def __init__(self, form: Form, *, seat: int, name: str, glyphs: str = "unicode") -> None:
        super().__init__()
        self._form = form
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
        """Both sides, the letters that move things, the keys."""
        line = "-" if self._glyphs == "ascii" else "─"
        with Vertical(id="sheet"):
            yield TitleBar(f"{self._person} {self.ASK}", "free", seat=self._seat, id="title")
            with Lines(id="body"):
                with Vertical(id="sides"):
                    with Vertical(id="backpack-side", classes="side"):
                        yield Tap("", "to-camp", id="backpack-head", classes="head")
                        yield Slots("backpack", line=line)
                    with Vertical(id="camp-side", classes="side"):
                        yield Tap("", "to-backpack", id="camp-head", classes="head")
                        yield from self.other_side(line)
                yield Static("", id="direction", markup=False)
                yield Static(id="letters", markup=False)
            yield Static("", id="message", markup=False)
            with HintBar(id="hints"):
                yield KeyHint("exchange.done", self.DONE, "done")
                yield KeyHint("exchange.turn_round", "The other way", "turn")
                yield KeyHint("exchange.restart", "Start again", "restart")
                yield KeyHint("exchange.cancel", "Back", "cancel")

    def other_side(self, line: str) -> ComposeResult:
        """Return what lies beside the backpack."""
        yield Slots("camp", line=line)

    def on_mount(self) -> None:
        """Show the start."""
        self._show()

    def on_resize(self) -> None:
        """There may be room for pictures now, or none any more."""
        self._show()

    def _show(self) -> None:
        low = self.app.size.height < HIGH
        pictured, large = (
            self.app.size.width >= least[0] and self.app.size.height >= least[1]
            for least in (PICTURES, LARGE)
        )
        for where, size in self.sizes().items():
            items = self.draft.part(where)
            active = where != self._to
            head = self.query_one(f"#{where}-head", Tap)
            head.update(
                Content.assemble(
                    ("> " if active else "  ", "$key bold"),
                    (self.WORDS[where].upper(), "$title bold"),
                    (f"  {items.slots} of {size} slots", "" if active else "$text-muted"),
                )
            )
            head.set_class(active, "-active")
            slots = self.query_one(f"#{where}", Slots)
            scale = self.LARGEST[where] if large else int(pictured)
            slots.draw(scale=scale, rows_each=1 if low else 3)
            slots.show(packing.slots(items, size, glyphs=self._glyphs))
            self.set_class(slots.pictured, "-pictured")
            self.set_class(slots.pictured and large, "-large")
            for tent in self.query(Tent):
                tent.draw(scale if slots.pictured else 0)
        self.query_one("#direction", Static).update(
            f"  Click a thing or press its letter: it goes {self.WAYS[self._to]}."
        )
        there = self.draft.part("backpack" if self._to == "camp" else "camp")
        keys: list[tuple[str, str]] = []
        for item in ITEM_NAMES:
            if getattr(there, item):
                keys.append((f"  {live(self, f'exchange.{item}')} ", "$key bold"))
                keys.append((packing.name(item, glyphs=self._glyphs), ""))
        self.query_one("#letters", Static).update(Content.assemble(*keys))
        self.query_one("#message", Static).update(self._message)

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
        """As it was."""
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

    def other_side(self, line: str) -> ComposeResult:
        """The camp: a tent and its slots."""
        yield Tent(self._seat, line=line)
        yield Slots("camp", line=line, across=2, seat=self._seat)

    def sizes(self) -> Mapping[Where, int]:
        """Return the slots of backpack and camp."""
        return {"backpack": self._form.limits.slots, "camp": self._form.limits.camp_slots}

    def action_json(self) -> Json | None:
        """The exchange."""
        return packing.exchange_action(self._form, self.draft)


class DiscardScreen(_SlotScreen):
    """From the backpack onto the ground: what is discarded is gone."""

    ASK = "discards things"
    DONE = "Discard them"
    # Two large backpacks have no room beside each other.
    LARGEST: ClassVar[dict[Where, int]] = {"backpack": 2, "camp": 1}
    WORDS: ClassVar[dict[Where, str]] = {"backpack": "Backpack", "camp": "To be discarded"}
    WAYS: ClassVar[dict[Where, str]] = {"backpack": "back into the backpack", "camp": "away for good"}

    def start(self) -> Draft:
        """Nothing is discarded yet."""
        return Draft(self._form.limits.held, NOTHING)

    def sizes(self) -> Mapping[Where, int]:
        """Return as many slots for both: all can be discarded."""
        return dict.fromkeys(("backpack", "camp"), self._form.limits.slots)

    def action_json(self) -> Json | None:
        """The discard."""
        return packing.discard_action(self.draft.part("camp"))
