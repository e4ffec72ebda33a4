"""What is carried, what can be packed, and what a pack allows, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from cave.the_cave.actions import Form, Limits
from cave.the_cave.state import NOTHING, Items
from client.games.the_cave.known import packing, supplies
from client.games.the_cave.known.packing import Draft, Where
from client.games.the_cave.known.scene import CaveScene
from client.games.the_cave.said.lines.amounts import Unclear
from client.games.the_cave.said.lines.spoken import sentence, spoken

HOW_TO_PACK = (
    "Type a number, or list things: pack 3 consumables 1 rope camera. To add a camp: camp 2 consumables"
)
STAYS_READABLE = "The next player can still read above what you packed."


def bag(scene: CaveScene) -> list[str]:
    """Return backpack and camp of the shown team."""
    seat = scene.seat
    if seat in scene.view.hidden:
        return ["The packs are secret until all have packed."]
    team = scene.cave.teams[seat]
    worn = supplies.luggage(team, seat)
    pack = f"Backpack {worn.used} of {worn.of}: {things(team.backpack)}"
    pack += ", the camp." if team.camp.state == "packed" else "."
    held = f": {things(team.camp.items)}" if worn.camp else ""
    return [pack, sentence(worn.camp_title + held)]


def things(items: Items) -> str:
    """Return ``4 consumables, 1 rope, camera``."""
    return packing.counted(items, glyphs="ascii")


def words(draft: Draft) -> str:
    """Return a whole pack."""
    camp = "" if draft.camp is None else f"; camp with {things(draft.camp)}"
    return f"{things(draft.backpack)}{camp}"


def offer(form: Form, kits: Sequence[str], who: str, *, first: bool) -> list[str]:
    """Say what can be packed: the price, the list of kits, and how to say something else."""
    price = "free, and secret until all have packed" if first else f"{form.ap} AP"
    size = packing.size(form.limits, Draft(), "backpack")
    return [f"{who} packs {size} slots, {price}.", *kits, HOW_TO_PACK]


def allowed(draft: Draft, spent: int) -> list[str]:
    """Say what a pack is good for."""
    return [
        spoken(f"{line.head} {line.number}".rstrip(" -") + f": {line.text}.")
        for line in packing.allows(draft, spent)
    ]


def checked(limits: Limits, wanted: Draft) -> Draft:
    """Return the pack as it was wanted; raises Unclear with the reason for the first thing that cannot be."""
    draft = Draft(camp=None if wanted.camp is None else NOTHING)
    if wanted.camp is not None and not limits.camp_slots:
        raise Unclear("The camp cannot be filled now (rule 6.3).")
    parts: tuple[tuple[Where, Items], ...] = (("camp", wanted.camp or NOTHING), ("backpack", wanted.backpack))
    for where, items in parts:
        for item in packing.pieces(items):
            why = packing.why_not_add(limits, draft, where, item)
            if why:
                raise Unclear(why.replace("½", "half"))
            draft = packing.add(limits, draft, where, item)
    return draft
