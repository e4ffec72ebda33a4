"""What only the host's owner may ask for: numbers, and order among the guests."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from cave import keys, protocol
from cave.game import BadData, Json, Refused
from server.clients.addresses import network
from server.clients.bans import FOR_EVER
from server.tables.effects import Effect, Keep

if TYPE_CHECKING:
    from server.service import House

Answer = tuple[dict[str, Json], list[Effect]]


def _stats(house: House, link: bytes, message: protocol.Stats, now: float) -> Answer:
    return {"type": "stats", "counts": house.counts.facts()}, []


def _guests(house: House, link: bytes, message: protocol.Guests, now: float) -> Answer:
    return {"type": "guests", "guests": house.hall.visitors()}, []


def _close(house: House, link: bytes, message: protocol.Close, now: float) -> Answer:
    table = house.hall.table(message.table)
    return {"type": "closed", "table": table.id}, house.play.close_table(table)


def _free(house: House, link: bytes, message: protocol.Free, now: float) -> Answer:
    table = house.hall.table(message.table)
    if table.check_seat(message.seat).kind != "person":
        raise Refused("no_seat", "Nobody holds that seat, so there is nothing to free.")
    effects = house.play.free_seat(table, message.seat, now)
    return {"type": "freed", "table": table.id, "seat": message.seat}, effects


def _ban(house: House, link: bytes, message: protocol.Ban, now: float) -> Answer:
    table = None
    if message.key is not None:
        key = _key(message.key)
    elif message.table is not None and message.seat is not None:
        table = house.hall.table(message.table)
        key = table.check_seat(message.seat).owner
        if not key:
            raise Refused("no_seat", "Nobody with a key holds that seat, so there is nobody to ban.")
    else:
        raise BadData("key", "is missing: send it, or table and seat")
    if house.owns(key):
        raise Refused("not_owner", "The owner cannot be banned.")
    seconds = FOR_EVER if message.seconds is None else float(message.seconds)
    if message.seconds is not None and not 1 <= seconds <= protocol.MAX_BAN:
        raise BadData("seconds", f"must be 1 to {protocol.MAX_BAN}: leave it out for a ban until a pardon")
    address = _address(house, key) if message.address else ""
    effects: list[Effect] = []
    if table is not None and message.seat is not None:
        effects += house.play.free_seat(table, message.seat, now)
    reply: dict[str, Json] = {"type": "banned", "key": key}
    if address:
        staying = house.hall.names_from(address, but=key)
        reply |= {"address": address, "seconds": message.seconds, "staying": staying}
    # First kept, then cut: it must not come back in between.
    keep = Keep(key, out=True, address=address, seconds=seconds)
    return reply, [keep, *house.hall.turn_away(key, now), *effects]


def _address(house: House, key: str) -> str:
    """The address of the client with this key, if it can be banned; raises Refused."""
    address = house.hall.guests.address_of(key)
    if not address:
        raise Refused(
            "no_address",
            "The host does not know that client's address: it has not connected since the host started. "
            "Ban only its key.",
        )
    if any(house.owns(house.hall.key(each)) for each in house.hall.guests.at(address)):
        raise Refused(
            "no_address",
            f"{address} is your own address: to ban it would ban everybody there but you. Ban only the key.",
        )
    return address


def _pardon(house: House, link: bytes, message: protocol.Pardon, now: float) -> Answer:
    if message.key is not None:
        key = _key(message.key)
        return {"type": "pardoned", "key": key}, [Keep(key, out=False)]
    if message.address is None:
        raise BadData("key", "is missing: send it, or address")
    address = network(message.address)
    if not address:
        raise BadData("address", "is not an address")
    return {"type": "pardoned", "address": address}, [Keep("", out=False, address=address)]


def _bans(house: House, link: bytes, message: protocol.Bans, now: float) -> Answer:
    return {"type": "bans", **house.bans.facts(now)}, []


def _allow(house: House, link: bytes, message: protocol.Allow, now: float) -> Answer:
    house.guests_open = message.guests_open
    return {"type": "allowed", "guests_open": house.guests_open}, []


def _key(text: str) -> str:
    try:
        return keys.read_key(text)
    except ValueError:
        raise BadData("key", "is not a client's key") from None


def _for_owner(answer: Callable[[House, bytes, Any, float], Answer]) -> Callable[..., Answer]:
    def guarded(house: House, link: bytes, message: Any, now: float) -> Answer:
        if not house.owns(house.hall.key(link)):
            raise Refused("not_owner", "Only the owner of this host can do that.")
        return answer(house, link, message, now)

    return guarded


ANSWERS: Mapping[type, Callable[[House, bytes, Any, float], Answer]] = {
    protocol.Stats: _for_owner(_stats),
    protocol.Guests: _for_owner(_guests),
    protocol.Close: _for_owner(_close),
    protocol.Free: _for_owner(_free),
    protocol.Ban: _for_owner(_ban),
    protocol.Pardon: _for_owner(_pardon),
    protocol.Bans: _for_owner(_bans),
    protocol.Allow: _for_owner(_allow),
}
