"""A draft of a pack (rules 2.3 and 6) within the limits of the choice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec
from msgspec.structs import replace

from cave import codec
from cave.game import BadData, Json
from cave.the_cave.actions import Discard, Exchange, Form, Limits, Pack
from cave.the_cave.packing import SUGGESTED
from cave.the_cave.state import ITEM_NAMES, LEVEL, NOTHING, TURN_AP, ItemName, Items
from client.wording import count

Where = Literal["backpack", "camp"]

NAMES = {item: item.replace("_", " ") for item in ITEM_NAMES}
KEYS = dict(zip(ITEM_NAMES, "frohct", strict=True))


class PackDraft(msgspec.Struct, frozen=True):
    """The items and their planned places. ``camp`` None leaves the camp unchanged."""

    backpack: Items = NOTHING
    camp: Items | None = None

    def part(self, where: Where) -> Items:
        return self.backpack if where == "backpack" else (self.camp or NOTHING)

    def with_change(self, where: Where, name: ItemName, by: int) -> PackDraft:
        part = self.part(where)
        items = replace(part, **{name: getattr(part, name) + by})
        return replace(self, **{where: items})


def things_one_by_one(items: Items) -> Iterator[ItemName]:
    """Yield the items one by one, in the order of the slots."""
    for item, number in zip(ITEM_NAMES, items.counts(), strict=True):
        yield from [item] * number


# ------------------------------------------------------------------ pack


def slots_of_part(limits: Limits, draft: PackDraft, where: Where) -> int:
    if where == "camp":
        return limits.camp_slots
    return limits.slots - (limits.camp_fills if draft.camp is not None else 0)


def free_slots_of_part(limits: Limits, draft: PackDraft, where: Where) -> int:
    return slots_of_part(limits, draft, where) - draft.part(where).slots_filled


def things_on_offer(limits: Limits) -> tuple[ItemName, ...]:
    return tuple(item for item in ITEM_NAMES if getattr(limits.most, item) or getattr(limits.camp_most, item))


def why_not_add(limits: Limits, draft: PackDraft, where: Where, item: ItemName) -> str:
    """Return why one more of an item cannot go there, or nothing."""
    word = NAMES[item]
    if where == "camp" and draft.camp is None:
        if limits.camp_slots:
            return "The camp is not packed: k takes it with you."
        return "The camp cannot be filled now."
    if free_slots_of_part(limits, draft, where) <= 0:
        return f"The {where} is full. Take something out first."
    most = limits.most if draft.camp is None else limits.camp_most
    held = getattr(draft.backpack + (draft.camp or NOTHING), item)
    if held >= getattr(most, item):
        if item in ("camera", "raft"):
            return f"A team has one {word}, and it is already packed." if held else f"The {word} is in another place."
        return f"There is no more {word}."
    return ""


def put_into_draft(limits: Limits, draft: PackDraft, where: Where, item: ItemName) -> tuple[PackDraft, str]:
    """Return the draft with one more of an item, or the same draft and the reason why not."""
    why = why_not_add(limits, draft, where, item)
    return draft if why else draft.with_change(where, item, 1), why


def remove_from_draft(draft: PackDraft, where: Where, item: ItemName) -> PackDraft:
    """Return the draft with one less of an item, if it has one."""
    return draft.with_change(where, item, -1) if getattr(draft.part(where), item) else draft


def with_camp(limits: Limits, draft: PackDraft) -> PackDraft:
    """Return the draft with the camp filled, too; items that do not fit into the backpack move there."""
    if not limits.camp_slots or draft.camp is not None:
        return draft
    draft = replace(draft, camp=limits.camp_held)
    while free_slots_of_part(limits, draft, "backpack") < 0:
        last = list(things_one_by_one(draft.backpack))[-1]
        draft = remove_from_draft(draft, "backpack", last)
        draft, _ = put_into_draft(limits, draft, "camp", last)
    return draft


def without_camp(limits: Limits, draft: PackDraft) -> PackDraft:
    """Return the draft with the camp unchanged; its items go into the backpack while they fit."""
    if draft.camp is None:
        return draft
    things = draft.camp
    # A camera in an unchanged camp cannot also be in the backpack (rule 6.9).
    draft = fit_draft(limits, PackDraft(draft.backpack))
    if limits.camp_fills:
        for item in things_one_by_one(things):
            draft, _ = put_into_draft(limits, draft, "backpack", item)
    return draft


def fit_draft(limits: Limits, wanted: PackDraft) -> PackDraft:
    return fill_draft(limits, wanted)[0]


def fill_draft(limits: Limits, wanted: PackDraft) -> tuple[PackDraft, str]:
    """Return as much of a wanted pack as the limits allow, and the reason for the first item left out."""
    draft, first = PackDraft(), ""
    if wanted.camp is not None and limits.camp_slots:
        draft = PackDraft(camp=NOTHING)
    elif wanted.camp is not None:
        first = "The camp cannot be filled now."
    parts: tuple[Where, ...] = ("camp", "backpack")
    for where in parts:
        for item in things_one_by_one(wanted.part(where)):
            draft, why = put_into_draft(limits, draft, where, item)
            first = first or why
    return draft, first


class Kit(msgspec.Struct, frozen=True):
    """A predefined pack: its key, name and content."""

    key: str
    name: str
    draft: PackDraft


_KITS = (
    # Rule 2.3 names the first one.
    ("Suggested first kit", PackDraft(SUGGESTED)),
    ("Photo trip", PackDraft(Items(5, 1, 0, 0, 1, 1))),
    ("Deep down", PackDraft(Items(4, 3, 1))),
    ("Long stay with camp", PackDraft(Items(4, 1, 0, 0, 1, 0), Items(3, 1))),
)


def kit_name(draft: PackDraft) -> str:
    """Return the name of a ready kit; empty for other packs."""
    return next((name for name, kit in _KITS if kit == draft), "")


SAME = "Same as last time"


def ready_kits(limits: Limits, last: Json = None) -> tuple[Kit, ...]:
    found = [Kit(str(key), title, fit_draft(limits, draft)) for key, (title, draft) in enumerate(_KITS, 1)]
    before = pack_draft_of(last)
    if before is not None and before != PackDraft():
        found.append(Kit(str(len(found) + 1), SAME, fit_draft(limits, before)))
    return tuple(found)


def pack_draft_of(action: Json) -> PackDraft | None:
    if not isinstance(action, dict) or action.get("type") != Pack.type:
        return None
    try:
        pack = codec.parse(action, Pack)
    except BadData:
        return None
    if max(*pack.backpack.counts(), *(pack.camp or NOTHING).counts()) > 12:
        return None
    return PackDraft(pack.backpack, pack.camp)


def first_draft(limits: Limits, last: Json = None) -> PackDraft:
    """Return the suggested kit, or that of the last trip: packing leftovers would waste 2 AP."""
    before = pack_draft_of(last) if limits.held.slots_filled else None
    return ready_kits(limits)[0].draft if before is None else fit_draft(limits, before)


# ------------------------------------------------------------------ range


class Line(msgspec.Struct, frozen=True):
    """The use of one kind of item in a kit, in at most 32 cells."""

    thing: ItemName
    text: str


def range_of_kit(draft: PackDraft, spent: int = 0) -> tuple[Line, ...]:
    """Describe the range of the kit; ``spent`` AP of the current turn are used."""
    everything = draft.backpack + (draft.camp or NOTHING)
    eaten, ropes, tanks = everything.consumable, everything.rope, everything.oxygen_tanks
    # A turn that starts on the base costs no food (rule 3.1), so this turn counts, too.
    steps = ((eaten + 1) * TURN_AP - spent) // 2
    turns = f"1+{eaten}, {(eaten + 1) * TURN_AP - spent} AP" if eaten else f"this one, {TURN_AP - spent} AP"
    lines = [Line("consumable", f"Turns: {turns}: {steps} each way")]
    deep = f"{count(ropes, 'new level')}, {ropes * LEVEL} m down" if ropes else "only where one hangs"
    lines.append(Line("rope", f"Ropes: {deep}"))
    if tanks:
        lines.append(Line("oxygen", f"Tanks: {count(tanks, 'water tile')}, {3 * tanks} points"))
    if everything.raft:
        lines.append(Line("raft", "Raft: over water, but no token"))
    if not tanks and not everything.raft:
        lines.append(Line("oxygen", "Water: closed to you"))
    if everything.camera:
        lines.append(Line("camera", "Camera: 2 points for each wonder"))
    return tuple(lines)


def warnings(limits: Limits, draft: PackDraft) -> tuple[str, ...]:
    """List possible mistakes, worst first; the player may ignore them."""
    everything = draft.backpack + (draft.camp or NOTHING)
    found = []
    if not everything.consumable:
        found.append("No consumables: you starve after this turn.")
    elif not draft.backpack.consumable:
        found.append("All consumables are in the camp: they feed you only there.")
    free = free_slots_of_part(limits, draft, "backpack")
    if free:
        found.append(f"{count(free, 'slot')} of the backpack {'is' if free == 1 else 'are'} empty.")
    if not everything.rope:
        found.append("No rope: you cannot open a way down.")
    if draft.camp is not None and not draft.camp.slots_filled:
        found.append("The camp is empty; you can fill it only now.")
    return tuple(found)


def pack_action(draft: PackDraft) -> Json:
    return codec.to_json(Pack(draft.backpack, draft.camp))


# ------------------------------------------------------------------ exchange and discard


def exchange_start(form: Form) -> PackDraft:
    return PackDraft(form.limits.held, form.limits.camp_held)


def move_in_draft(draft: PackDraft, item: ItemName, to: Where, size: int) -> tuple[PackDraft, str]:
    """Move an item to the other side, which has this many slots; return the new draft, or why not."""
    source: Where = "camp" if to == "backpack" else "backpack"
    if not getattr(draft.part(source), item):
        return draft, f"There is no {NAMES[item]} there."
    if draft.part(to).slots_filled >= size:
        return draft, f"The {to} is full. Move something out first."
    return draft.with_change(source, item, -1).with_change(to, item, 1), ""


def exchange_action(form: Form, draft: PackDraft) -> Json | None:
    """Return the action that leads from the present contents to the draft; None without changes."""
    before = form.limits.held.counts()
    after = draft.backpack.counts()
    to_camp = Items(*[max(0, a - b) for a, b in zip(before, after, strict=True)])
    to_backpack = Items(*[max(0, b - a) for a, b in zip(before, after, strict=True)])
    if to_camp == to_backpack == NOTHING:
        return None
    return codec.to_json(Exchange(to_camp, to_backpack))


def discard_action(dropped: Items) -> Json | None:
    return codec.to_json(Discard(dropped)) if dropped.slots_filled else None


def remembered(action: Json) -> Json:
    draft = pack_draft_of(action)
    return None if draft is None else pack_action(draft)
