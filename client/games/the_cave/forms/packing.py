"""Packing: backpack and camp as slots, kits, and what the kit allows (rules 2.3 and 6.1 to 6.3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Static

from cave.game import Json
from cave.the_cave.actions import Form
from cave.the_cave.state import BACKPACK_SLOTS, CAMP_SLOTS, NOTHING, ItemName, Items
from client.face import Face
from client.games.the_cave.forms.allowed import Allowed
from client.games.the_cave.forms.item_row import ItemRow
from client.games.the_cave.forms.sizes import LARGE, LEAST
from client.games.the_cave.forms.slots import Slots, Tent
from client.games.the_cave.known import packing
from client.games.the_cave.known.packing import Draft, Where
from client.present import advice
from client.tui.closing_once import ClosingOnce
from client.tui.widgets.form import Lines
from client.tui.widgets.hint_bar import HintBar
from client.tui.widgets.panel import wrap
from client.tui.widgets.tap import KeyHint, Tap
from client.tui.widgets.title_bar import TitleBar

WORDY = 80
"""Columns from which there is room for what is not needed."""
HIGH = 20
"""Rows from which there is room for more than one line below the slots."""
PICTURES = 23
"""Rows from which the backpack is drawn with pictures."""
ROOMY = (100, 30)
"""Columns and rows from which the camp is, too."""
TIPS = 26
"""Rows from which there is room for all that is to be said below the slots."""
BESIDE, AROUND = 26, 6
"""Columns for tips below the kits, and the rows of the title, the keys, the headings and the air there."""
EMPTY = "The backpack is empty. Pack again to go with nothing, or put something in."


class PackingScreen(ClosingOnce[Json | None]):
    """Fill the backpack. The result is the pack action, or None when it was put off."""

    CSS_PATH = "packing.tcss"
    LEAST: ClassVar[tuple[int, int]] = LEAST
    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "pack", "Pack", id="packing.pack"),
        Binding("tab,b", "other_part", "Backpack or camp", id="packing.other_part"),
        Binding("k", "camp", "Camp", id="packing.camp"),
        Binding("x", "empty", "Empty", id="packing.empty"),
        Binding("y", "hint", "Hint", id="packing.hint"),
        Binding("T", "chat", "Chat", id="packing.chat"),
        Binding("up", "row(-1)", "Up", show=False, id="packing.up"),
        Binding("down", "row(1)", "Down", show=False, id="packing.down"),
        Binding("right,plus,space", "more", "More", show=False, id="packing.more"),
        Binding("left,minus", "less", "Less", show=False, id="packing.less"),
        Binding("backspace,delete", "take_last", "Take out", show=False, id="packing.take_last"),
        Binding("escape", "cancel", "Back", id="packing.cancel"),
        Binding("question_mark,f1", "help", "Help", id="packing.help"),
        *[
            Binding(key, f"add('{item}')", packing.NAMES[item], show=False, id=f"packing.add_{item}")
            for item, key in packing.KEYS.items()
        ],
        *[
            Binding(str(number), f"kit({number})", f"Kit {number}", show=False, id=f"packing.kit_{number}")
            for number in range(1, 6)
        ],
    ]

    def __init__(
        self,
        face: Face,
        form: Form,
        *,
        seat: int,
        name: str,
        glyphs: str = "unicode",
        last: Json | None = None,
        in_camp: Items = NOTHING,
        tips: Sequence[str] = (),
        ask: Callable[[Callable[[str], None]], None] | None = None,
        chat: Callable[[], None] | None = None,
    ) -> None:
        super().__init__()
        self._face = face
        self._form = form
        self._limits = form.limits
        self._seat = seat
        self._person = name
        self._glyphs = glyphs
        self._last = last
        self._in_camp = in_camp
        self._kits = packing.kits(form.limits, last)
        self._offered = packing.offered(form.limits)
        self._row = 0
        self._part: Where = "backpack"
        self._message = ""
        self._advised = False
        """Whether the message is a hint and no problem."""
        self._tips = tips
        self._ask = ask
        """Thinks about a hint, and tells it; without it, nobody does."""
        self._chat = chat
        self.draft = packing.first_draft(form.limits, last)

    # ------------------------------------------------------------ what is on the screen

    def compose(self) -> ComposeResult:
        """Yield backpack and camp on the left, what can be put in on the right, the keys below."""
        line = "-" if self._glyphs == "ascii" else "─"
        price = f"{self._form.ap} AP" if self._form.ap else "free, and secret until all have packed"
        with Vertical(id="sheet"):
            yield TitleBar(f"{self._person} packs", price, seat=self._seat, id="title")
            with Horizontal(id="body"):
                with Lines(id="left"):
                    yield Tap("", "backpack", id="backpack-head", classes="head")
                    yield Slots("backpack", line=line, seat=self._seat, lit=True)
                    with Horizontal(id="camp-row"):
                        yield Tent(self._seat, line=line)
                        with Vertical(id="camp-side"):
                            yield Tap("", "camp", id="camp-head", classes="head")
                            yield Slots("camp", line=line, seat=self._seat)
                            if self._limits.camp_slots:
                                yield KeyHint("packing.camp", "", "take-camp", id="take-camp")
                    yield Allowed(line=line, id="allows")
                with Lines(id="right"):
                    yield Static("SUPPLY", classes="head", id="bank-head")
                    for item in self._offered:
                        yield ItemRow(item, glyphs=self._glyphs)
                    yield Static("KITS", classes="head", id="kits-head")
                    for kit in self._kits:
                        yield KeyHint(
                            f"packing.kit_{kit.key}",
                            kit.name,
                            f"kit {kit.key}",
                            id=f"kit-{kit.key}",
                            classes="kit",
                        )
                    yield Static("\n".join(self._tips), id="tips-beside", markup=False)
            yield Static("\n".join(self._tips), id="tips", markup=False)
            yield Static("", id="warnings", markup=False)
            yield Static("", id="message", markup=False)
            with HintBar(id="hints"):
                yield KeyHint("packing.pack", "Pack and go", "pack")
                yield KeyHint("packing.other_part", "Backpack/camp", "other")
                yield KeyHint("packing.empty", "Empty", "empty")
                if self._ask is not None:
                    yield KeyHint("packing.hint", "Hint", "hint")
                if self._chat is not None:
                    yield KeyHint("packing.chat", "Chat", "chat")
                yield KeyHint("packing.cancel", "Later", "cancel")
                yield KeyHint("packing.help", "Help", "help")

    def on_mount(self) -> None:
        """Show the first draft."""
        self._show()

    def _show(self) -> None:
        draft, limits = self.draft, self._limits
        pack, camp = self.query_one("#backpack", Slots), self.query_one("#camp", Slots)
        width, height = self.app.size
        scale = 0 if height < PICTURES else 2 if width >= LARGE[0] and height >= LARGE[1] else 1
        pack.draw(scale=scale, rows_each=1 if height < HIGH else 3)
        camp.draw(scale=int(width >= ROOMY[0] and height >= ROOMY[1]), rows_each=1)
        self.query_one(Tent).draw(scale if pack.pictured else 0)
        used = BACKPACK_SLOTS - packing.room(limits, draft, "backpack")
        self._head("backpack", "BACKPACK", f"{used} of {BACKPACK_SLOTS} slots")
        pack.show(packing.backpack_slots(limits, draft, glyphs=self._glyphs), self._chosen("backpack"))
        inside = "" if draft.camp is None else f"{draft.camp.slots} of {CAMP_SLOTS}"
        self._head("camp", "CAMP", self._camp_words(inside))
        camp.set_class(draft.camp is None, "-away")
        held = draft.part("camp") if limits.camp_slots else self._in_camp
        camp.show(packing.slots(held, CAMP_SLOTS, glyphs=self._glyphs), self._chosen("camp"))
        for take in self.query("#take-camp").results(KeyHint):
            take.say("leave the camp" if draft.camp is not None else self._camp_offer())
        for number, row in enumerate(self.query(ItemRow)):
            counted = getattr(draft.part(self._part), row.item)
            able = not packing.why_not_add(limits, draft, self._part, row.item)
            row.show(counted, able=able, current=number == self._row)
        allowed = self.query_one(Allowed)
        allowed.show(packing.allows(draft, self._form.ap), brief=width < WORDY)
        beside = self._tips_fit_beside()
        self.query_one("#tips-beside").display = beside
        self.query_one("#tips").display = bool(self._tips) and not beside
        # The first tips say what things are for, and below the slots there is no room for both.
        allowed.display = beside or height >= TIPS or not self._tips
        most = 1 if height < HIGH else 3
        if height < TIPS and self._message:
            most -= 1
        warned = packing.warnings(limits, draft)[:most]
        self._tell("warnings", "\n".join(f"! {line}" for line in warned))
        self._tell("message", self._message)
        self.query_one("#message").set_class(self._advised, "-advice")

    def _tips_fit_beside(self) -> bool:
        """Return whether there is room for tips below the kits."""
        width, height = self.app.size
        used = len(self._offered) + len(self._kits) + AROUND
        rows = sum(len(wrap(tip, BESIDE)) for tip in self._tips)
        return bool(self._tips) and width >= WORDY and used + rows <= height

    def _chosen(self, part: Where) -> int | None:
        """Return the slot that one less of the current thing would empty."""
        if part != self._part:
            return None
        item = self._offered[self._row]
        found = [number for number, each in enumerate(packing.pieces(self.draft.part(part))) if each == item]
        return found[-1] if found else None

    def _tell(self, where: str, words: str) -> None:
        """Say something below the slots; an empty line would take room from them."""
        line = self.query_one(f"#{where}", Static)
        line.update(words)
        line.set_class(not words, "-empty")

    def _head(self, part: Where, title: str, note: str) -> None:
        head = self.query_one(f"#{part}-head", Tap)
        active = part == self._part
        head.update(
            Content.assemble(
                ("> " if active else "  ", "$key bold"),
                (title, "$title bold"),
                (f"  {note}", "" if active else "$text-muted"),
            )
        )
        head.set_class(active, "-active")

    def _camp_offer(self) -> str:
        return "take the camp: 2 slots hold 4" if self._limits.camp_fills else "refill the camp"

    def _camp_words(self, inside: str) -> str:
        if not inside:
            return "left as it is" if self._limits.camp_slots else "cannot be filled now"
        if self.app.size.width < WORDY:
            return f"{inside} slots"
        return f"{inside}, fills 2 slots" if self._limits.camp_fills else f"{inside} slots, pitched here"

    def on_resize(self) -> None:
        """Tell it in as many words as there is room for."""
        self._show()

    # ------------------------------------------------------------ what keys and mouse do

    def action_pack(self) -> None:
        """Be done; an empty backpack is asked about once."""
        if not self.draft.backpack.slots and not self.draft.camp and self._message != EMPTY:
            self._change(self.draft, EMPTY)
            return
        action = packing.pack_action(self.draft)
        self.dismiss(action)

    def action_cancel(self) -> None:
        """Put it off."""
        self.dismiss(None)

    def action_other_part(self) -> None:
        """Fill the other of backpack and camp."""
        self._choose("camp" if self._part == "backpack" else "backpack")

    def action_add(self, item: ItemName) -> None:
        """Put one thing into the part being filled."""
        if item in self._offered:
            self._row = self._offered.index(item)
            self.action_more()

    def action_row(self, by: int) -> None:
        """Go to another thing."""
        self._row = (self._row + by) % len(self._offered)
        self._change(self.draft)

    def action_more(self) -> None:
        """Take one more of the current thing."""
        item = self._offered[self._row]
        reason = packing.why_not_add(self._limits, self.draft, self._part, item)
        self._change(packing.add(self._limits, self.draft, self._part, item), reason)

    def action_less(self) -> None:
        """Take one less of the current thing."""
        self._change(packing.remove(self.draft, self._part, self._offered[self._row]))

    def action_take_last(self) -> None:
        """Take out the last thing."""
        things = list(packing.pieces(self.draft.part(self._part)))
        if things:
            self._change(packing.remove(self.draft, self._part, things[-1]))

    def action_camp(self) -> None:
        """Take the camp along, or leave it."""
        if not self._limits.camp_slots:
            self._change(
                self.draft,
                "You can fill the camp only at the base, before you take it or while it is pitched there.",
            )
        elif self.draft.camp is None:
            self._part = "camp"
            self._change(packing.with_camp(self._limits, self.draft))
        else:
            self._part = "backpack"
            self._change(packing.without_camp(self._limits, self.draft))

    def action_empty(self) -> None:
        """Take everything out."""
        self._part = "backpack"
        self._change(Draft())

    def action_kit(self, number: int) -> None:
        """Take a ready kit."""
        if number <= len(self._kits):
            self._part = "backpack"
            self._change(self._kits[number - 1].draft)
        else:
            self._change(self.draft, "There is no earlier trip to pack the same for.")

    def action_hint(self) -> None:
        """Ask what to pack."""
        if self._ask is None:
            self._change(self.draft, advice.NOTHING)
        else:
            self._ask(self._hear)

    def action_chat(self) -> None:
        """Open the chat."""
        if self._chat is not None:
            self._chat()

    def _hear(self, words: str) -> None:
        """Show a hint, if it comes in time."""
        if self.is_attached:
            self._change(self.draft, words, advised=True)

    async def action_help(self) -> None:
        """Open the help about packing."""
        from client.tui.screens.help import HelpScreen

        rules = ("2.3",) if not self._form.ap else ("6.1", "6.2", "6.3", "6.9")
        await self.app.push_screen(HelpScreen(self._face, glyphs=self._glyphs, topic="packing", about=rules))

    def _choose(self, part: Where) -> None:
        if part == "camp" and self.draft.camp is None:
            self.action_camp()
            return
        self._part = part
        self._change(self.draft)

    def _change(self, draft: Draft, message: str = "", *, advised: bool = False) -> None:
        self.draft = draft
        self._message, self._advised = message, advised
        self._tips = ()  # Read by now, and warnings need the room.
        self._show()

    @on(Slots.Pressed)
    def _slot_pressed(self, event: Slots.Pressed) -> None:
        things = list(packing.pieces(self.draft.part(event.part)))
        if event.number < len(things):
            self._part = event.part
            self._change(packing.remove(self.draft, event.part, things[event.number]))
        else:
            self._choose(event.part)

    @on(ItemRow.Pressed)
    def _item_pressed(self, event: ItemRow.Pressed) -> None:
        self._row = self._offered.index(event.item)
        if event.by > 0:
            self.action_more()
        else:
            self.action_less()

    @on(Tap.Pressed)
    async def _pressed(self, event: Tap.Pressed) -> None:
        match event.does.split():
            case ["kit", number]:
                self.action_kit(int(number))
            case ["backpack"]:
                self._choose("backpack")
            case ["camp"]:
                self._choose("camp")
            case ["take-camp"]:
                self.action_camp()
            case ["other"]:
                self.action_other_part()
            case ["help"]:
                await self.action_help()
            case ["pack"]:
                self.action_pack()
            case ["chat"]:
                self.action_chat()
            case ["hint"]:
                self.action_hint()
            case ["empty"]:
                self.action_empty()
            case ["cancel"]:
                self.action_cancel()
