"""Handlers for messages that only the host's owner may send: counts, guests, tables and bans."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cave import keys, protocol
from cave.game import BadData, Refused
from server.clients.addresses import network
from server.context import Answer, Context, Handler
from server.tables.effects import FOR_EVER, Effect, SetBan


def _stats(context: Context, link: bytes, message: protocol.Stats, now: float) -> Answer:
    return protocol.StatsReply(context.counts.facts()), []


def _guests(context: Context, link: bytes, message: protocol.Guests, now: float) -> Answer:
    return protocol.GuestsReply(guests=context.clients.visitors(), holders=context.clients.holders()), []


def _close(context: Context, link: bytes, message: protocol.Close, now: float) -> Answer:
    table = context.clients.table(message.table)
    return protocol.Closed(table=table.id), context.changes.close_table(table)


def _free(context: Context, link: bytes, message: protocol.Free, now: float) -> Answer:
    table = context.clients.table(message.table)
    seat = table.check_seat(message.seat)
    if seat.kind != "person" and not seat.kept_for:
        raise Refused("no_seat", "Nobody holds that seat, so there is nothing to free.")
    effects = context.changes.free_seat(table, message.seat, now)
    return protocol.Freed(table=table.id, seat=message.seat), effects


def _ban(context: Context, link: bytes, message: protocol.Ban, now: float) -> Answer:
    table = None
    if message.key is not None:
        key = _key(message.key)
    elif message.table is not None and message.seat is not None:
        table = context.clients.table(message.table)
        key = table.check_seat(message.seat).owner
        if not key:
            raise Refused("no_seat", "Nobody with a key holds that seat, so there is nobody to ban.")
    else:
        raise BadData("key", "is missing: send it, or table and seat")
    if context.owns(key):
        raise Refused("not_owner", "The owner cannot be banned.")
    seconds = FOR_EVER if message.seconds is None else float(message.seconds)
    if message.seconds is not None and not 1 <= seconds <= protocol.MAX_BAN:
        raise BadData("seconds", f"must be 1 to {protocol.MAX_BAN}: leave it out for a ban until a pardon")
    address = _address(context, key) if message.address else ""
    effects: list[Effect] = []
    if table is not None and message.seat is not None:
        effects += context.changes.free_seat(table, message.seat, now)
    reply = protocol.Banned(key)
    if address:
        staying = context.clients.names_from(address, but=key)
        reply = protocol.Banned(key, address, message.seconds, staying)
    # Ban before disconnecting, so that the client cannot come back in between.
    ban = SetBan(key, banned=True, address=address, seconds=seconds)
    return reply, [ban, *context.clients.turn_away(key, now), *effects]


def _address(context: Context, key: str) -> str:
    """Return the address of the client with this key; raises Refused if it cannot be banned."""
    address = context.clients.guests.address_of(key)
    if not address:
        raise Refused(
            "no_address",
            "The host does not know that client's address: it has not connected since the host started. "
            "Ban only its key.",
        )
    if any(context.owns(context.clients.key(each)) for each in context.clients.guests.at(address)):
        raise Refused(
            "no_address",
            f"{address} is your own address: to ban it would ban everybody there but you. Ban only the key.",
        )
    return address


def _pardon(context: Context, link: bytes, message: protocol.Pardon, now: float) -> Answer:
    if message.key is not None:
        key = _key(message.key)
        return protocol.Pardoned(key), [SetBan(key, banned=False)]
    if message.address is None:
        raise BadData("key", "is missing: send it, or address")
    address = network(message.address)
    if not address:
        raise BadData("address", "is not an address")
    return protocol.Pardoned(address=address), [SetBan("", banned=False, address=address)]


def _bans(context: Context, link: bytes, message: protocol.Bans, now: float) -> Answer:
    return context.bans.facts(now), []


def _allow(context: Context, link: bytes, message: protocol.Allow, now: float) -> Answer:
    context.guests_open = message.guests_open
    return protocol.Allowed(context.guests_open), []


def _key(text: str) -> str:
    try:
        return keys.read_key(text)
    except ValueError:
        raise BadData("key", "is not a client's key") from None


def _for_owner(answer: Handler) -> Handler:
    def guarded(context: Context, link: bytes, message: Any, now: float) -> Answer:
        if not context.owns(context.clients.key(link)):
            raise Refused("not_owner", "Only the owner of this host can do that.")
        return answer(context, link, message, now)

    return guarded


ANSWERS: Mapping[type, Handler] = {
    protocol.Stats: _for_owner(_stats),
    protocol.Guests: _for_owner(_guests),
    protocol.Close: _for_owner(_close),
    protocol.Free: _for_owner(_free),
    protocol.Ban: _for_owner(_ban),
    protocol.Pardon: _for_owner(_pardon),
    protocol.Bans: _for_owner(_bans),
    protocol.Allow: _for_owner(_allow),
}
