"""Backpack and camp (rule 6): limits for packing, exchanging and discarding."""

from __future__ import annotations

from functools import lru_cache
from random import Random

from cave.the_cave.actions import PACK_AP, Blank, Discard, Exchange, Form, Limits, Pack
from cave.the_cave.state import (
    BACKPACK_SLOTS,
    BASE,
    CAMP_FILLS,
    CAMP_SLOTS,
    ITEM_NAMES,
    MOST_PIECES,
    NOTHING,
    UNIQUE_ITEMS,
    Items,
    Team,
    Unique,
)

SUGGESTED = Items(consumable=4, rope=1, oxygen=1, camera=1, raft=1)
"""The kit that rule 2.3 suggests for the first trip."""


def is_at_own_camp(team: Team) -> bool:
    return team.camp.state == "pitched" and team.camp.at == team.at


def can_refill_camp(team: Team) -> bool:
    """Return whether a Pack now can fill the pitched camp on the base (rule 6.2)."""
    return team.camp.state == "pitched" and team.camp.at == BASE


def can_fill_camp(team: Team) -> bool:
    """Return whether a Pack now can fill the camp at all (rules 6.2, 6.3)."""
    return team.camp.state == "beside" or can_refill_camp(team)


def most_to_pack(team: Team, *, with_camp: bool) -> Items:
    """Return the most of each item that a Pack can have in total now (rules 2.3, 6.1, 6.9).

    Half-used oxygen is not in the bank: only tokens carried, or in a camp being refilled, can be kept. Camera
    and raft are available unless lost or in a camp that is not being refilled.
    """
    refilled = with_camp and can_refill_camp(team)
    away = NOTHING if refilled else team.camp.items
    half = team.backpack.half_oxygen + (team.camp.items.half_oxygen if refilled else 0)
    return Items(
        MOST_PIECES,
        MOST_PIECES,
        MOST_PIECES,
        half,
        int("camera" not in team.lost and not away.camera),
        int("raft" not in team.lost and not away.raft),
    )


def is_impossible_kit(items: Items) -> bool:
    """Return whether no team can have that many items (rule 1: one camera, one raft each)."""
    return items.camera > 1 or items.raft > 1 or min(items.counts()) < 0


def room_for_kit(team: Team) -> int:
    """Return the slots for a kit: a packed camp fills some (rule 2.3)."""
    return BACKPACK_SLOTS - (CAMP_FILLS if team.camp.state == "packed" else 0)


def pack_form(team: Team, *, free: bool) -> Form:
    fillable = can_fill_camp(team)
    limits = Limits(
        room_for_kit(team),
        most_to_pack(team, with_camp=False),
        CAMP_SLOTS if fillable else 0,
        most_to_pack(team, with_camp=True) if fillable else NOTHING,
        CAMP_FILLS if team.camp.state == "beside" else 0,
        team.backpack,
        team.camp.items if fillable else NOTHING,
    )
    return Form(0 if free else PACK_AP, action=Blank("pack"), limits=limits)


def suggested_pack(form: Form) -> Pack:
    """Return as much of the suggested kit as the form allows, the first items first."""
    room = form.limits.slots
    kit = []
    for wanted, most in zip(SUGGESTED.counts(), form.limits.most.counts(), strict=True):
        kit.append(min(wanted, most, room))
        room -= kit[-1]
    return Pack(Items(*kit))


@lru_cache(maxsize=4096)
def exchange_form(backpack: Items, camp: Items) -> Form:
    limits = Limits(BACKPACK_SLOTS, camp, CAMP_SLOTS, backpack, held=backpack, camp_held=camp)
    return Form(0, action=Blank("exchange"), limits=limits)


def unique_items_lost(team: Team, items: Items) -> tuple[Unique, ...]:
    """Return the camera and raft that are lost for good if ``items`` are."""
    return tuple(name for name in UNIQUE_ITEMS if name in team.lost or getattr(items, name))


@lru_cache(maxsize=4096)
def discard_form(backpack: Items) -> Form:
    limits = Limits(BACKPACK_SLOTS, backpack, held=backpack)
    return Form(0, action=Blank("discard"), limits=limits)


def sample_form(form: Form, rng: Random) -> Pack | Exchange | Discard:
    """Return the form filled at random, within its limits; raises ValueError if it cannot be filled."""
    limits = form.limits
    if form.kind == "discard":
        return Discard(_random_items(limits.most, rng.randint(1, limits.most.slots_filled), rng))
    if form.kind == "pack":
        with_camp = bool(limits.camp_slots) and rng.random() < 0.5
        camp = None
        slots, left = limits.slots, limits.most
        if with_camp:
            camp = _random_items(limits.camp_most, rng.randint(0, limits.camp_slots), rng)
            slots -= limits.camp_fills
            left = limits.camp_most - camp
        return Pack(_random_items(left, rng.randint(slots // 2, slots), rng), camp)
    # One item at a time keeps an exchange within the slots.
    to_camp = rng.random() < 0.5
    source, room = (
        (limits.camp_most, limits.camp_slots - limits.camp_held.slots_filled)
        if to_camp
        else (limits.most, limits.slots - limits.held.slots_filled)
    )
    if source.slots_filled and room > 0:
        one = _random_items(source, 1, rng)
        return Exchange(one, NOTHING) if to_camp else Exchange(NOTHING, one)
    if to_camp and limits.most.slots_filled and limits.held.slots_filled < limits.slots:
        return Exchange(NOTHING, _random_items(limits.most, 1, rng))
    if not to_camp and limits.camp_most.slots_filled and limits.camp_held.slots_filled < limits.camp_slots:
        return Exchange(_random_items(limits.camp_most, 1, rng), NOTHING)
    # Both full: swap one item.
    return Exchange(_random_items(limits.camp_most, 1, rng), _random_items(limits.most, 1, rng))


def _random_items(most: Items, pieces: int, rng: Random) -> Items:
    """Return this many random pieces, never more of an item than ``most``."""
    left = list(most.counts())
    taken = [0] * len(ITEM_NAMES)
    for _ in range(pieces):
        able = [index for index, count in enumerate(left) if count > 0]
        if not able:
            break
        pick = rng.choice(able)
        left[pick] -= 1
        taken[pick] += 1
    return Items(*taken)
