"""A handler for each type of client message."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from cave import bots, codec, keys, names, protocol, wire
from cave.game import BadData, Json, Refused
from server import absence, agreements
from server.clients import replies
from server.clients.limits import parse_network, site_of
from server.clients.replies import run_of_message
from server.context import Answer, Context, Handler
from server.journal.restore import seat_lock
from server.table_changes import journal_entries
from server.tables import opening
from server.tables.effects import FOR_EVER, Effect, Entry, NotKept, SetBan
from server.tables.opening import Setup
from server.tables.rematch import free_robin_place, rematch_seats, seats_played_by
from server.tables.table import Change, Table


def _handle_hello(context: Context, link: bytes, message: protocol.Hello, now: float) -> Answer:
    first, last = opening.protocol_versions(message.protocol)
    if not first <= wire.VERSION <= last:
        raise Refused("version", f"This host speaks version {wire.VERSION} of the protocol. Update the older one.")
    name = names.clean_name(message.name)
    context.clients.guests[link].name = "" if names.name_problem(name) else name
    return protocol.Welcome(
        host=context.name,
        session=context.session,
        games=opening.game_list(),
        bots=bots.all_bot_levels(),
        tables=context.clients.table_lines(),
        may_open=context.may_open_table(link),
    ), []


def _handle_tables(context: Context, link: bytes, message: protocol.Tables, now: float) -> Answer:
    facts, shelved = context.clients.table_lines(), [*context.clients.shelved]
    return protocol.TablesReply(facts, shelved=shelved, may_open=context.may_open_table(link)), []


def _handle_open(context: Context, link: bytes, message: protocol.Open, now: float) -> Answer:
    if not context.may_open_table(link):
        raise Refused("not_owner", "Only the owner opens tables on this host. Sit down at one, or watch.")
    address, by_owner = context.clients.guests[link].address, context.is_owner(context.clients.key_of(link))
    table = context.make_table(message, opener=address, by_owner=by_owner)
    opened = context.clients.guests.client_behind(link).opened
    opened.intersection_update(context.clients.tables)
    if sum(not context.clients.tables[each].ended for each in opened) >= context.limits.tables_each:
        raise Refused("full", "You have opened as many tables as this host allows. Wait until one ends.")
    if not by_owner:
        _check_share(context, address, sum(seat.kind == "bot" for seat in table.seats))
    reply = protocol.Opened(table=table.id)
    effects = context.changes.open_table(table, now, context.changes.saved_reply(link, reply))
    opened.add(table.id)
    return reply, effects


def _check_share(context: Context, address: str, bots: int) -> None:
    tables, limits = context.clients.tables.values(), context.limits
    if len(absence.tables_opened_from(tables, address)) >= limits.tables_address:
        raise Refused("full", "Your address has as many tables open as this host allows. Join one of them.")
    if address and absence.count_bots_from(tables, address) + bots > limits.bots_address:
        raise Refused("full", "Your address has as many bots playing as this host allows. Take fewer bots.")


def _try_table_code(context: Context, link: bytes, table: Table, code: str | None, now: float) -> None:
    if table.setup.lock is None:
        return
    if table.id in context.clients.guests.client_behind(link).opened:
        # The opener knows the code, so wrong guesses of others do not block them.
        table.check_code(code)
        return
    address = site_of(context.clients.guests[link].address)
    wait = context.guesses.wait_for_guess(table.id, address, now)
    if wait:
        why = f"Too many wrong codes came from your address. Try again in {math.ceil(wait)} seconds."
        raise Refused("too_fast", why)
    try:
        table.check_code(code)
    except Refused:
        context.guesses.note_wrong_code(table.id, address, now)
        raise
    context.guesses.note_right_code(table.id, address)


def _handle_sit(context: Context, link: bytes, message: protocol.Sit, now: float) -> Answer:
    table, who = context.clients.get_table(message.table), context.clients.key_of(link)
    given = () if message.key is None else (message.key,)
    mine = [seat for seat in seats_played_by(table, who, link, given) if table.seats[seat].kind == "open"]
    if message.seat in mine or (mine and message.seat is None):
        table.check_open()
        seat = mine[0] if message.seat is None else message.seat
    else:
        _try_table_code(context, link, table, message.code, now)
        if message.later and message.seat is None and (place := free_robin_place(table)) is not None:
            return _enter_round_robin(context, link, message.name, table, place, now)
        seat = table.find_seat(message.seat)
    name = protocol.clean_name(message.name)
    table.check_name(seat, name)
    unfinished = (each for each in context.clients.tables.values() if not each.ended)
    if sum(len(each.held_by(link)) for each in unfinished) >= context.limits.seats_each:
        raise Refused("full", "You hold as many seats as this host allows. Leave one first.")
    address = context.clients.guests[link].address
    if not context.is_owner(who) and context.clients.seats_from(address) >= context.limits.seats_address:
        raise Refused("full", "Your address holds as many seats as this host allows. Leave one first.")
    salt = context.random_text()
    key = keys.derive_key(context.secret, salt)
    lock = keys.lock_secret(key)
    reply = protocol.Seated(table=table.id, seat=seat, key=key)
    # The key is not saved: it can be derived again from the salt.
    saved = context.changes.saved_reply(link, replace(reply, key=""), seat)
    run = run_of_message(context.clients.guests[link].asking)
    data: Json = {"seat": seat, "name": name, "salt": salt, "lock": lock, "owner": who, "run": run}
    sat = Entry(table.id, "sat", data, table.seq)
    free, asked = table.seats[seat], table.proposal
    table.seat_player(seat, name, lock, link, who, run)
    try:
        start = table.change_by_start() if table.full and table.status == "waiting" else None
        context.changes.write_entries(sat, *journal_entries(table, start), reply=saved)
    except BaseException:
        table.seats[seat], table.proposal = free, asked
        raise
    effects = context.clients.tell_presence((table.id,), now)
    if asked is not None:
        effects.append(context.clients.publish_agreement(table, now))
    if start is not None:
        effects += context.changes.commit_change(table, start, now)
    elif table.status != "waiting":
        effects.append(context.clients.send_view(table, seat))
    return reply, effects


def _enter_round_robin(context: Context, link: bytes, name: str, table: Table, player: int, now: float) -> Answer:
    """Add the sender to a round robin, for later games."""
    name, who, salt = protocol.clean_name(name), context.clients.key_of(link), context.random_text()
    table.check_name(-1, name)
    key = keys.derive_key(context.secret, salt)
    data: Json = {"player": player, "name": name, "salt": salt, "lock": keys.lock_secret(key), "owner": who}
    reply = protocol.Seated(table=table.id, key=key)
    saved = context.changes.saved_reply(link, replace(reply, key=""))
    table.give_robin_place(player, name, data["lock"], who)
    try:
        context.changes.write_entries(Entry(table.id, "entered", data, table.seq), reply=saved)
    except BaseException:
        table.absent[player] = None
        raise
    return reply, context.clients.tell_presence((table.id,), now)


def _handle_rematch(context: Context, link: bytes, message: protocol.Rematch, now: float) -> Answer:
    old, owner = context.clients.get_table(message.table), context.clients.key_of(link)
    many = len(old.seats) + len(old.absent)
    if len(message.keys) > many:
        raise BadData("keys", f"must be at most {many}, one for each seat")
    table = context.clients.rematch_of(old)
    while table is not None and table.ended and table.setup.series is not None:
        # Other players have continued the series.
        old, table = table, context.clients.rematch_of(table)
    mine = rematch_seats(old, owner, link, message.keys)
    if table is None or (table.ended and mine is not None):
        if mine is None:
            raise Refused("not_seated", "Only players of this game can ask for a rematch.")
        if not old.ended:
            raise Refused("not_over", "You can have a rematch when the game is over.")
        address = context.clients.guests[link].address
        if not context.is_owner(owner):
            # The finished game no longer counts.
            _check_share(context, address, sum(seat.kind == "bot" for seat in old.setup.seats))
        table = context.make_rematch(old, address)
        reply = protocol.RematchReply(table=table.id, seats=sorted(mine))
        saved = context.changes.saved_reply(link, reply)
        asking = next(iter(seats_played_by(old, owner, link, message.keys)), 0)
        return reply, context.changes.open_rematch(old, asking, table, now, saved)
    again = mine if mine is not None and table.status == "waiting" else {}
    seats = sorted(seat for seat in again if table.seats[seat].kind == "open")
    for seat in seats:
        # The seat was opened to all, and is still free.
        table.seats[seat].claim = table.seats[seat].claim or again[seat]
        table.idle_since = now
    return protocol.RematchReply(table=table.id, seats=seats), []


def _handle_resume(context: Context, link: bytes, message: protocol.Resume, now: float) -> Answer:
    table = context.clients.get_table(message.table)
    seat = table.check_seat(message.seat)
    if not seat.lock or not keys.opens_lock(message.key, seat.lock):
        raise Refused("wrong_key", "That key does not belong to this seat.")
    former = seat.holder
    owner, run = context.clients.key_of(link), run_of_message(context.clients.guests[link].asking)
    if message.again and seat.is_anothers(link, owner, run):
        raise Refused("seat_taken", "This seat was taken over from another terminal.")
    if (owner, run) != (seat.owner, seat.run):
        # Save the new holder for the next restart. If that fails, the player still gets the seat.
        resumed: Json = {"seat": message.seat, "owner": owner, "run": run}
        with contextlib.suppress(NotKept):
            context.changes.write_entries(Entry(table.id, "resumed", resumed, table.seq))
    seat.holder, seat.present, seat.owner, seat.run = link, True, owner, run
    seat.end_stand_in()
    here = replies.seat_holder_name(table.id, message.seat)
    context.clients.guests.replies.inherit(context.clients.guests[link].peer, here)
    context.clients.guests.replies.forget_client(here)
    effects: list[Effect] = []
    if former is not None and former != link:
        context.clients.guests.inherit_replies(former, link, may_return=context.clients.holds_seat(former))
        if former in context.clients.guests:
            taken_over = protocol.TakenOver(message.seat, table=table.id)
            effects.append(context.clients.send(former, taken_over))
    effects += context.clients.tell_presence((table.id,), now)
    if table.status != "waiting":
        effects.append(context.clients.send_view(table, message.seat))
    return protocol.Seated(table=table.id, seat=message.seat, key=message.key), effects


def _handle_reopen(context: Context, link: bytes, message: protocol.Reopen, now: float) -> Answer:
    name, shelved = message.table, context.clients.shelved
    reply = protocol.Reopened(table=name)
    story = context.journal.read_story(name) if name in shelved else []
    lock = seat_lock(story, message.seat) if story else context.clients.get_table(name).check_seat(message.seat).lock
    if not lock or not keys.opens_lock(message.key, lock):
        raise Refused("wrong_key", "That key does not belong to this seat.")
    if not story:
        return reply, []
    by_owner = context.is_owner(context.clients.key_of(link))
    if not by_owner:
        setup = codec.parse(story[0].entry.data, Setup)
        _check_share(context, shelved[name], sum(seat.kind == "bot" for seat in setup.seats))
    saved = context.changes.saved_reply(link, reply)
    return reply, context.changes.reopen_shelved_game(name, story, now, saved, by_owner=by_owner)


def _handle_stand(context: Context, link: bytes, message: protocol.Stand, now: float) -> Answer:
    table = context.clients.check_owns_seat(link, message.table, message.seat)
    reply = protocol.Stood(table=table.id, seat=message.seat)
    stood = Entry(table.id, "stood", {"seat": message.seat}, table.seq)
    context.changes.write_entries(stood, reply=context.changes.saved_reply(link, reply, message.seat))
    return reply, context.changes.free_own_seat(table, message.seat, now)


def _handle_watch(context: Context, link: bytes, message: protocol.Watch, now: float) -> Answer:
    table = context.clients.get_table(message.table)
    before = context.clients.count_watchers(table)
    context.clients.guests[link].watching.add(table.id)
    changed = context.clients.count_watchers(table) != before
    return context.clients.snapshot_of(table), context.clients.tell_presence((table.id,), now) if changed else []


def _handle_sync(context: Context, link: bytes, message: protocol.Sync, now: float) -> Answer:
    table = context.clients.get_table(message.table)
    started = table.status != "waiting"
    views = [context.clients.send_view(table, seat) for seat in table.held_by(link)] if started else []
    return context.clients.snapshot_of(table), [*views]


def _handle_act(context: Context, link: bytes, message: protocol.Act, now: float) -> Answer:
    table = context.clients.check_owns_seat(link, message.table, message.seat)
    return _make_change(context, link, table, table.change_by_action(message.seat, message.seq, message.action), now)


def _handle_undo(context: Context, link: bytes, message: protocol.Undo, now: float) -> Answer:
    table = context.clients.check_owns_seat(link, message.table, message.seat)
    return _make_change(context, link, table, table.change_by_undo(message.seat, message.seq), now)


def _make_change(context: Context, link: bytes, table: Table, change: Change, now: float) -> Answer:
    assert change.seat is not None
    reply = protocol.Done(table=table.id, seq=change.seq)
    saved = context.changes.saved_reply(link, reply, change.seat)
    seat = table.seats[change.seat]
    was_idle = bool(seat.stand_in)
    seat.end_stand_in()
    effects = context.changes.make_change(table, change, now, saved)
    return reply, [*effects, *(context.clients.tell_presence((table.id,), now) if was_idle else [])]


def _handle_say(context: Context, link: bytes, message: protocol.Say, now: float) -> Answer:
    table = context.clients.get_table(message.table)
    seats = table.held_by(link)
    watching = context.limits.watchers_chat and table.id in context.clients.guests[link].watching
    if not seats and not watching:
        raise Refused("not_seated", "Only the players at this table can chat.")
    # Of several people at one keyboard, the one whose turn it is.
    seat = next((seat for seat in seats if seat in table.to_act), seats[0] if seats else None)
    name = context.clients.guests[link].name or "somebody" if seat is None else table.seats[seat].name
    said = protocol.ChatLine(name, protocol.clean_chat(message.text), not seats)
    reply = protocol.Said()
    saved = context.changes.saved_reply(link, reply, seats[0] if seats else None)
    context.changes.write_entries(Entry(table.id, "said", codec.to_json(said), table.seq), reply=saved)
    table.chat.append(said)
    chat = protocol.Chat(said.name, said.text, said.watcher, table.id)
    return reply, [context.clients.publish(table, chat, now)]


def _handle_record(context: Context, link: bytes, message: protocol.Record, now: float) -> Answer:
    table = context.clients.get_table(message.table)
    return protocol.RecordReply(table=table.id, lines=table.record(table.held_by(link))), []


def _handle_ping(context: Context, link: bytes, message: protocol.Ping, now: float) -> Answer:
    watched = context.clients.guests[link].watching
    followed = {t.id: t.seq for t in context.clients.tables.values() if t.id in watched or t.held_by(link)}
    return protocol.Pong(followed), []


# Requests of the host's owner: counts, guests, tables and bans


def _handle_stats(context: Context, link: bytes, message: protocol.Stats, now: float) -> Answer:
    return protocol.StatsReply(context.counts.as_dict()), []


def _handle_guests(context: Context, link: bytes, message: protocol.Guests, now: float) -> Answer:
    guests = [context.clients.guest_line(each) for each in context.clients.guests]
    return protocol.GuestsReply(guests=guests, holders=context.clients.seat_holder_list()), []


def _handle_close(context: Context, link: bytes, message: protocol.Close, now: float) -> Answer:
    table = context.clients.get_table(message.table)
    return protocol.Closed(table=table.id), context.changes.close_table(table)


def _handle_free(context: Context, link: bytes, message: protocol.Free, now: float) -> Answer:
    table = context.clients.get_table(message.table)
    seat = table.check_seat(message.seat)
    if seat.kind != "person" and not seat.kept_for:
        raise Refused("no_seat", "Nobody holds that seat, so there is nothing to free.")
    effects = context.changes.free_seat(table, message.seat, now)
    return protocol.Freed(table=table.id, seat=message.seat), effects


def _handle_ban(context: Context, link: bytes, message: protocol.Ban, now: float) -> Answer:
    table = None
    if message.key is not None:
        key = _key_to_ban(message.key)
    elif message.table is not None and message.seat is not None:
        table = context.clients.get_table(message.table)
        key = table.check_seat(message.seat).owner
        if not key:
            raise Refused("no_seat", "Nobody with a key holds that seat, so there is nobody to ban.")
    else:
        raise BadData("key", "is missing: send it, or table and seat")
    if context.is_owner(key):
        raise Refused("not_owner", "The owner cannot be banned.")
    seconds = FOR_EVER if message.seconds is None else float(message.seconds)
    if message.seconds is not None and not 1 <= seconds <= protocol.MAX_BAN:
        raise BadData("seconds", f"must be 1 to {protocol.MAX_BAN}: leave it out for a ban until a pardon")
    address = _address_to_ban(context, key) if message.address else ""
    effects: list[Effect] = []
    if table is not None and message.seat is not None:
        effects += context.changes.free_seat(table, message.seat, now)
    reply = protocol.Banned(key)
    if address:
        staying = context.clients.names_from(address, but=key)
        reply = protocol.Banned(key, address, message.seconds, staying)
    # Ban before disconnecting, so that the client cannot reconnect in between.
    ban = SetBan(key, banned=True, address=address, seconds=seconds)
    return reply, [ban, *context.clients.disconnect_client(key, now), *effects]


def _address_to_ban(context: Context, key: str) -> str:
    address = context.clients.guests.address_of(key)
    if not address:
        raise Refused(
            "no_address",
            "The host does not know that client's address: it has not connected since the host started. "
            "Ban only its key.",
        )
    if any(context.is_owner(context.clients.key_of(each)) for each in context.clients.guests.connections_from(address)):
        raise Refused(
            "no_address",
            f"{address} is your own address: banning it would ban everybody there but you. Ban only the key.",
        )
    return address


def _handle_pardon(context: Context, link: bytes, message: protocol.Pardon, now: float) -> Answer:
    if message.key is not None:
        key = _key_to_ban(message.key)
        return protocol.Pardoned(key), [SetBan(key, banned=False)]
    if message.address is None:
        raise BadData("key", "is missing: send it, or address")
    address = parse_network(message.address)
    if not address:
        raise BadData("address", "is not an address")
    return protocol.Pardoned(address=address), [SetBan("", banned=False, address=address)]


def _handle_bans(context: Context, link: bytes, message: protocol.Bans, now: float) -> Answer:
    return context.bans.as_reply(now), []


def _handle_allow(context: Context, link: bytes, message: protocol.Allow, now: float) -> Answer:
    context.guests_open = message.guests_open
    return protocol.Allowed(context.guests_open), []


def _key_to_ban(text: str) -> str:
    try:
        return keys.read_key(text)
    except ValueError:
        raise BadData("key", "is not a client's key") from None


def _handle_for_owner_only(answer: Handler) -> Handler:
    def guarded(context: Context, link: bytes, message: Any, now: float) -> Answer:
        if not context.is_owner(context.clients.key_of(link)):
            raise Refused("not_owner", "Only the owner of this host can do that.")
        return answer(context, link, message, now)

    return guarded


ANSWERS: Mapping[type, Handler] = {
    protocol.Hello: _handle_hello,
    protocol.Tables: _handle_tables,
    protocol.Open: _handle_open,
    protocol.Sit: _handle_sit,
    protocol.Rematch: _handle_rematch,
    protocol.Resume: _handle_resume,
    protocol.Reopen: _handle_reopen,
    protocol.Stand: _handle_stand,
    protocol.Watch: _handle_watch,
    protocol.Sync: _handle_sync,
    protocol.Act: _handle_act,
    protocol.Undo: _handle_undo,
    protocol.Say: _handle_say,
    protocol.Record: _handle_record,
    protocol.Ping: _handle_ping,
    **agreements.ANSWERS,
    protocol.Stats: _handle_for_owner_only(_handle_stats),
    protocol.Guests: _handle_for_owner_only(_handle_guests),
    protocol.Close: _handle_for_owner_only(_handle_close),
    protocol.Free: _handle_for_owner_only(_handle_free),
    protocol.Ban: _handle_for_owner_only(_handle_ban),
    protocol.Pardon: _handle_for_owner_only(_handle_pardon),
    protocol.Bans: _handle_for_owner_only(_handle_bans),
    protocol.Allow: _handle_for_owner_only(_handle_allow),
}
