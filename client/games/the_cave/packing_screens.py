"""Forms that move items between backpack, camp and supply: pack, exchange, discard (rules 2.3 and 6)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.screen import ModalScreen
from textual.widgets import Static

from cave.game import Json
from cave.the_cave.actions import Action, Form, Pack
from cave.the_cave.state import BACKPACK_SLOTS, CAMP_FILLS, CAMP_SLOTS, ITEM_NAMES, NOTHING, ItemName, Items
from client.face import Face
from client.games.the_cave import guide, packing, terms
from client.games.the_cave.packing import PackDraft, Where
from client.games.the_cave.scene import CaveScene
from client.games.the_cave.side_pane import LEAST, THINGS, supply_bar, thing_chips
from client.tui.closing_screen import ClosingOnce
from client.tui.keymap import live_key
from client.tui.text_roles import PANELS, Hue
from client.tui.widgets.clickable_text import HintBar, KeyHint
from client.tui.widgets.dialog_box import BELOW, SHRINKS, Box, Clearing
from client.tui.widgets.form_fields import Lines
from client.tui.widgets.panel import Panel, Row, Span, fit, keyed_row
from client.tui.widgets.panes import TitleBar

STEPS = 9  # columns of a number with its minus and plus
EMPTY = "The backpack is empty. Pack again to go with nothing, or put something in."
PAID = "6.1", "6.2", "6.3", "6.9"  # the rules about packing again between two trips
CAMP_STAYS = "The camp stays here. {key} takes it along: it fills 2 slots, and 4 things fit into it."
CAMP_HOLDS = "The camp holds 4 things, which wait and feed you where you pitch it."
ONLY_AT_BASE = "You can fill the camp only at the base, before you take it or while it is pitched there."


class Drawn(Panel):
    ROLES: ClassVar[Mapping[str, Hue]] = {**PANELS, **THINGS}

    def __init__(self, draw: Callable[[int], Iterator[Row]], *, line: str, id: str) -> None:  # noqa: A002
        super().__init__(line=line, id=id)
        self._draw = draw

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return all rows; the container scrolls."""
        return list(self._draw(width))


class TransferScreen(ModalScreen[Json | None], ClosingOnce[Json | None]):
    """Moves items between two parts with slots; the result is the action, None if nothing was moved."""

    CSS_PATH = "transfer.tcss"
    LEAST: ClassVar[tuple[int, int]] = LEAST
    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "done", "Done", id="packing.pack"),
        Binding("tab,b", "other_part", "Backpack or camp", id="packing.other_part"),
        Binding("x", "restart", "Empty, or start again", id="packing.empty"),
        Binding("up", "row(-1)", "Up", show=False, id="packing.up"),
        Binding("down", "row(1)", "Down", show=False, id="packing.down"),
        Binding("right,plus,space", "more", "More", show=False, id="packing.more"),
        Binding("left,minus", "less", "Less", show=False, id="packing.less"),
        Binding("backspace,delete", "take_last", "Take out", show=False, id="packing.take_last"),
        Binding("T", "chat", "Chat", id="packing.chat"),
        Binding("escape", "back", "Back", id="packing.cancel"),
        Binding("question_mark,f1", "help", "Help", id="packing.help"),
        *[
            Binding(key, f"add('{item}')", packing.NAMES[item], show=False, id=f"packing.add_{item}")
            for item, key in packing.KEYS.items()
        ],
    ]
    ASK: ClassVar[str]
    DONE: ClassVar[str]
    RESTART: ClassVar[str] = "Start again"
    CANCEL: ClassVar[str] = "Back"
    PARTS: ClassVar[Mapping[Where, str]] = {"backpack": "backpack", "camp": "camp"}

    FREE: ClassVar[str] = "free"
    RULES: ClassVar[tuple[str, ...]]  # the rules at the top of the help, unless there is a price

    def __init__(
        self,
        face: Face,
        form: Form,
        *,
        seat: int,
        name: str,
        glyphs: str = "unicode",
        carries_camp: bool = False,
        in_camp: Items = NOTHING,
        last: Json | None = None,
        tips: Sequence[str] = (),
        ask: Callable[[Callable[[str], None]], None] | None = None,
        hints: bool = True,
        chat: Callable[[], None] | None = None,
    ) -> None:
        """``last`` is the pack of the last trip, ``tips`` are for a first game. ``ask`` requests a hint and
        calls back with its words, or with the reason if the table has no ``hints``; ``chat`` opens the chat.
        """
        super().__init__(classes=f"{BELOW} transfer")
        self._face, self._form, self._limits = face, form, form.limits
        self._seat, self._person = seat, name
        self._glyphs, self._line = glyphs, "-" if glyphs == "ascii" else "─"
        self._carries_camp, self._in_camp, self._last = carries_camp, in_camp, last
        self._tips, self._ask, self._hints, self._chat = tips, ask, hints, chat
        self._message, self._advised = "", False  # the last message; whether it is a hint, not a problem
        self.draft = self.first_draft()
        self.price = f"{form.ap} AP" if form.ap else self.FREE
        self.rules = PAID if form.ap else self.RULES
        self._part: Where = "backpack"
        self._things = self.things()
        self._row = 0

    # Defined by each kind of transfer

    def first_draft(self) -> PackDraft:
        raise NotImplementedError

    def things(self) -> tuple[ItemName, ...]:
        both = self.draft.backpack + self.draft.part("camp")
        return tuple(item for item in ITEM_NAMES if getattr(both, item)) or ITEM_NAMES[:1]

    def slots_of_part(self, where: Where) -> int:
        raise NotImplementedError

    def put(self, where: Where, item: ItemName) -> tuple[PackDraft, str]:
        """Return the draft with one more of an item in a part, and an empty message or the reason why not."""
        return packing.move_in_draft(self.draft, item, where, self.slots_of_part(where))

    def take(self, where: Where, item: ItemName) -> tuple[PackDraft, str]:
        """Return the draft with one less of an item in a part, and an empty message or the reason why not."""
        other: Where = "camp" if where == "backpack" else "backpack"
        return packing.move_in_draft(self.draft, item, other, self.slots_of_part(other))

    def form_action(self) -> Json | None:
        """Return the action; None if nothing was moved."""
        raise NotImplementedError

    def keys_for(self, action: Action) -> str:
        """Return how to do a hint's action with the keys of this form."""
        return ""

    def draft_warnings(self) -> Sequence[str]:
        """List possible mistakes, worst first."""
        return ()

    def slots_filled_note(self, where: Where) -> str:
        """Return how many slots of a part are filled."""
        filled = CAMP_FILLS if where == "backpack" and self._carries_camp else 0
        return f"{self.draft.part(where).slots_filled + filled} of {self.slots_of_part(where) + filled} slots"

    def thing_chips(self, where: Where) -> list[tuple[str, str]]:
        """Return the items in a part, each with the word that takes one out."""
        items = self.draft.part(where)
        words = (f"take {where} {item}" for item in ITEM_NAMES if getattr(items, item))
        found = [*zip(terms.amounts_words(items), words, strict=True)]
        return [*found, ("the camp", "")] if where == "backpack" and self._carries_camp else found

    # Widgets

    def compose(self) -> ComposeResult:
        with Clearing(), Box(id="box"):
            yield TitleBar(f"{self._person} {self.ASK}", self.price, seat=self._seat, id="title")
            with Horizontal(id="body", classes=SHRINKS):
                with Lines(id="left"):
                    yield Drawn(self._left_rows, line=self._line, id="parts")
                with Lines(id="right"):
                    yield Drawn(self._right_rows, line=self._line, id="things")
            for name in ("tips", "warnings", "message"):
                yield Static("", id=name, markup=False)
            with HintBar(id="hints"):
                yield KeyHint("packing.pack", self.DONE)
                yield KeyHint("packing.other_part", "Other side")
                yield KeyHint("packing.empty", self.RESTART)
                if self._ask is not None and self._hints:
                    yield KeyHint("packing.hint", "Hint", "hint")
                if self._chat is not None:
                    yield KeyHint("packing.chat", "Chat")
                yield KeyHint("packing.cancel", self.CANCEL)
                yield KeyHint("packing.help", "Help")

    def on_mount(self) -> None:
        self.set_class(self._glyphs == "ascii", "-ascii")
        self._show()

    def on_resize(self) -> None:
        """Show as many tips and warnings as fit."""
        self._show()

    def _show(self) -> None:
        for panel in self.query(Drawn):
            panel.refill()
        few = self.app.size.height < 20
        self._tell("tips", "\n".join(self._tips[-2:] if few else self._tips))
        warned = self.draft_warnings()[: 1 if few else 3]
        self._tell("warnings", "\n".join(f"! {line}" for line in warned))
        self._tell("message", self._message)
        self.query_one("#message").set_class(self._advised, "-advice")

    def _tell(self, where: str, words: str) -> None:
        line = self.query_one(f"#{where}", Static)
        line.update(words)
        line.display = bool(words)

    def _left_rows(self, width: int) -> Iterator[Row]:
        for where, name in self.PARTS.items():
            active = where == self._part
            do = f"part {where}"
            yield [
                Span("> " if active else "  ", "key", do),
                Span(name.upper(), "title", do),
                Span(f"  {self.slots_filled_note(where)}", "text" if active else "dim", do),
            ]
            chosen = f"take {where} {self._things[self._row]}" if active else ""
            yield from thing_chips(self.thing_chips(where) or [("nothing", do)], width, self._line, chosen)

    def _right_rows(self, width: int) -> Iterator[Row]:
        names = width - STEPS - 4
        for number, item in enumerate(self._things):
            able = not self.put(self._part, item)[1]
            mark, role = (">", "chosen") if number == self._row else (" ", "text" if able else "dim")
            many = getattr(self.draft.part(self._part), item)
            add = f"add {item}"
            yield [
                supply_bar(packing.NAMES[item], self._line),
                Span(f"{mark}{live_key(self, f'packing.add_{item}') or ' '} ", "key", add),
                Span(fit(terms.brief_thing_name(packing.NAMES[item], names), names), role, add),
                Span(" - ", "cap", f"less {item}"),
                Span(f"{many or '-':^3}", "strong"),
                Span(" + ", "cap", add),
            ]

    # Keys and mouse

    def action_done(self) -> None:
        self.dismiss(self.form_action())

    def action_restart(self) -> None:
        self.change(self.first_draft(), part="backpack")

    def action_other_part(self) -> None:
        self.choose("camp" if self._part == "backpack" else "backpack")

    def choose(self, part: Where) -> None:
        self.change(self.draft, part=part)

    def action_add(self, item: ItemName) -> None:
        if item in self._things:
            self._row = self._things.index(item)
            self.action_more()

    def action_row(self, by: int) -> None:
        self._row = (self._row + by) % len(self._things)
        self.change(self.draft)

    def action_more(self) -> None:
        self.change(*self.put(self._part, self._things[self._row]))

    def action_less(self) -> None:
        self.change(*self.take(self._part, self._things[self._row]))

    def action_take_last(self) -> None:
        things = list(packing.things_one_by_one(self.draft.part(self._part)))
        if things:
            self.change(*self.take(self._part, things[-1]))

    def action_chat(self) -> None:
        if self._chat is not None:
            self._chat()

    async def action_help(self) -> None:
        from client.tui.help import HelpScreen

        pages = HelpScreen(self._face, glyphs=self._glyphs, topic="packing", about=self.rules)
        await self.app.push_screen(pages)

    def change(self, draft: PackDraft, message: str = "", *, part: Where | None = None, advised: bool = False) -> None:
        self.draft, self._message, self._advised = draft, message, advised
        self._part = part or self._part
        self._tips = ()  # read by now, and warnings need the space
        self._show()

    @on(Panel.Chosen)
    async def _clicked(self, event: Panel.Chosen) -> None:
        event.stop()
        match event.do.split():
            case ["take", "backpack" | "camp" as part, item]:
                self._row = self._things.index(item)
                self.change(*self.take(part, self._things[self._row]), part=part)
            case ["part", "backpack" | "camp" as part]:
                self.choose(part)
            case ["less", item]:
                self._row = self._things.index(item)
                self.action_less()
            case [word, *rest]:
                await self.run_action(f"{word}({', '.join(map(repr, rest))})")


class PackingScreen(TransferScreen):
    """Fill backpack and camp from the supply."""

    ASK = "packs"
    DONE, RESTART, CANCEL = "Pack and go", "Empty", "Later"
    FREE, RULES = "free, and secret until all have packed", ("2.3",)
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("k", "camp", "Camp", id="packing.camp"),
        Binding("y", "hint", "Hint", id="packing.hint"),
        *[
            Binding(str(number), f"kit('{number}')", f"Kit {number}", show=False, id=f"packing.kit_{number}")
            for number in range(1, 6)
        ],
    ]

    @property
    def ready_kits(self) -> Sequence[packing.Kit]:
        return packing.ready_kits(self._limits, self._last)

    def first_draft(self) -> PackDraft:
        """Return the suggested kit, or that of the last trip."""
        return packing.first_draft(self._limits, self._last)

    def things(self) -> tuple[ItemName, ...]:
        return packing.things_on_offer(self._limits)

    def slots_of_part(self, where: Where) -> int:
        return packing.slots_of_part(self._limits, self.draft, where)

    def put(self, where: Where, item: ItemName) -> tuple[PackDraft, str]:
        """Take one item from the supply."""
        return packing.put_into_draft(self._limits, self.draft, where, item)

    def take(self, where: Where, item: ItemName) -> tuple[PackDraft, str]:
        """Return one item to the supply."""
        draft = packing.remove_from_draft(self.draft, where, item)
        return draft, f"There is no {packing.NAMES[item]} in the {where}." if draft == self.draft else ""

    def form_action(self) -> Json | None:
        return packing.pack_action(self.draft)

    def slots_filled_note(self, where: Where) -> str:
        """Return how many slots are filled, and whether the camp is taken along."""
        if where == "backpack":
            used = BACKPACK_SLOTS - packing.free_slots_of_part(self._limits, self.draft, where)
            return f"{used} of {BACKPACK_SLOTS} slots"
        if self.draft.camp is None:
            return "stays at the base" if self._limits.camp_slots else "cannot be filled now"
        fills = ", fills 2 of the 8" if self._limits.camp_fills else ", pitched here"
        return f"{self.draft.camp.slots_filled} of {CAMP_SLOTS} slots{fills}"

    def thing_chips(self, where: Where) -> list[tuple[str, str]]:
        if where == "camp" and not self._limits.camp_slots:
            return [(text, "") for text in terms.amounts_words(self._in_camp)]
        found = super().thing_chips(where)
        return found if where == "camp" or self.draft.camp is None else [*found, ("the camp", "part camp")]

    def _left_rows(self, width: int) -> Iterator[Row]:
        yield from super()._left_rows(width)
        if self._limits.camp_slots:
            taken = "take the camp: fills 2, holds 4" if self._limits.camp_fills else "refill the camp"
            words = "leave the camp here" if self.draft.camp is not None else taken
            yield [Span("  "), *keyed_row(live_key(self, "packing.camp"), words, "camp")]
        for each in packing.range_of_kit(self.draft, self._form.ap):
            yield [Span(" "), supply_bar(each.thing, self._line), Span(f" {each.text}")]

    def _right_rows(self, width: int) -> Iterator[Row]:
        yield from super()._right_rows(width)
        yield [Span("KITS", "title")]
        for kit in self.ready_kits:
            key = live_key(self, f"packing.kit_{kit.key}")
            yield [Span(" "), *keyed_row(key, kit.name, f"kit {kit.key}")]

    def draft_warnings(self) -> Sequence[str]:
        return packing.warnings(self._limits, self.draft)

    def action_done(self) -> None:
        """Pack. An empty backpack needs confirmation."""
        if not self.draft.backpack.slots_filled and not self.draft.camp and self._message != EMPTY:
            self.change(self.draft, EMPTY)
        else:
            super().action_done()

    def action_restart(self) -> None:
        self.change(PackDraft(), part="backpack")

    def choose(self, part: Where) -> None:
        """Fill this part; the camp only if it is taken along."""
        if part == "camp" and self.draft.camp is None:
            stays = CAMP_STAYS.format(key=live_key(self, "packing.camp"))
            self.change(self.draft, stays if self._limits.camp_slots else ONLY_AT_BASE)
        else:
            super().choose(part)

    def action_camp(self) -> None:
        """Take the camp along, or leave it."""
        if not self._limits.camp_slots:
            self.change(self.draft, ONLY_AT_BASE)
        elif self.draft.camp is None:
            draft = packing.with_camp(self._limits, self.draft)
            moved = self.draft.backpack - draft.backpack
            said = f"Now in the camp: {terms.items_words(moved)}." if moved.slots_filled else CAMP_HOLDS
            self.change(draft, said, part="camp")
        else:
            self.change(packing.without_camp(self._limits, self.draft), part="backpack")

    def action_kit(self, key: str) -> None:
        kit = next((kit for kit in self.ready_kits if kit.key == key), None)
        if kit is None:
            self.change(self.draft, "There is no earlier trip to pack the same for.")
        else:
            self.change(kit.draft, part="backpack")

    def keys_for(self, action: Action) -> str:
        if not isinstance(action, Pack):
            return ""
        wanted, done = PackDraft(action.backpack, action.camp), live_key(self, "packing.pack")
        if self.draft == wanted:
            return f"{done} packs it."
        kit = next((kit.key for kit in self.ready_kits if kit.draft == wanted), "")
        first = f"{live_key(self, f'packing.kit_{kit}')} chooses that kit" if kit else "Letters put things in"
        return f"{first}, {done} packs."

    def action_hint(self) -> None:
        if self._ask is not None:
            self._ask(self._hear)

    def _hear(self, words: str) -> None:
        if self.has_widgets:
            self.change(self.draft, words, advised=True)


class ExchangeScreen(TransferScreen):
    """Moves items between backpack and camp (rule 6.5)."""

    ASK, DONE = "exchanges with the camp", "Exchange"
    RULES = ("6.5",)

    def first_draft(self) -> PackDraft:
        return packing.exchange_start(self._form)

    def slots_of_part(self, where: Where) -> int:
        """Return the slots of backpack and camp."""
        return self._limits.slots if where == "backpack" else self._limits.camp_slots

    def form_action(self) -> Json | None:
        return packing.exchange_action(self._form, self.draft)


class DiscardScreen(TransferScreen):
    """Discards items of the backpack: they are gone (rule 6.7)."""

    ASK, DONE = "discards things", "Discard them"
    RULES = ("6.7",)
    PARTS: ClassVar[Mapping[Where, str]] = {"backpack": "backpack", "camp": "to be discarded"}

    def first_draft(self) -> PackDraft:
        return PackDraft(self._limits.held, NOTHING)

    def slots_of_part(self, where: Where) -> int:
        """Return the same number for both parts: all items can be discarded."""
        return self._limits.slots - (CAMP_FILLS if self._carries_camp else 0)

    def form_action(self) -> Json | None:
        return packing.discard_action(self.draft.part("camp"))


KINDS = {"pack": PackingScreen, "exchange": ExchangeScreen, "discard": DiscardScreen}


def form_screen(scene: CaveScene, form: Form, face: Face, *, guided: bool, ask: Any, **more: Any) -> TransferScreen:
    """Return the form for an action of the displayed team; ``guided`` adds the tips for a first game."""
    camp, packs, hints = scene.cave.teams[scene.seat].camp, form.kind == "pack", scene.state.hints
    return KINDS[form.kind](
        face,
        form,
        seat=scene.seat,
        name=scene.view.names[scene.seat],
        carries_camp=form.kind == "discard" and camp.state == "packed",
        in_camp=camp.items,
        tips=guide.first_packing_tips(scene.cave.settings) if guided and packs else (),
        ask=ask if packs else None,
        hints=hints,
        **more,
    )
