"""Changes at tables: each is saved, applied, then published. No sockets and no clock."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from hashlib import sha256
from random import Random

from msgspec.structs import replace

from cave import bots, codec, protocol
from cave.game import Json, Refused
from server import absence
from server.clients.clients import SHELVED, Clients
from server.clients.replies import seat_holder_name
from server.journal import restore
from server.tables.effects import (
    AskBot,
    AskWhetherLost,
    Effect,
    Ended,
    Entry,
    Finished,
    Journal,
    Line,
    Mistake,
    NotKept,
    Publish,
    SavedReply,
    SetAside,
    Snapshot,
)
from server.tables.table import Change, Table

SET_ASIDE = "An error in the program has stopped this game for good; its record is kept."

TRY_EVERY = 2.0  # seconds between attempts to write to a failed journal
KEPT_FOR = 300.0
"""Seconds after the last action at a rematch's table until its free seats open to all."""
TOO_LONG = (
    "This game has had {actions} actions and no end, so the host has ended it without a result. Its record is kept."
)

PACES: Mapping[str, float] = {"slow": 3.0, "usual": 1.0, "none": 0.0}
"""A bot's wait before it acts, in multiples of the host's pause, by the table's pace."""


class TableChanges:
    def __init__(self, clients: Clients, journal: Journal) -> None:
        self._clients = clients
        self._journal = journal
        self._unsaved: list[tuple[str, int, int, Json]] = []
        self.trouble = ""  # why saving fails, as one sentence, or ""
        self._try_at = 0.0

    # Changes

    def write_entries(self, *entries: Entry, reply: SavedReply | None = None) -> None:
        """Save a change before it is applied. On NotKept, do not apply it."""
        try:
            self._journal.append_entries(*entries, reply=reply)
        except NotKept as error:
            self.trouble = str(error)
            raise
        self.trouble = ""

    def saved_reply(self, link: bytes, reply: protocol.Reply, seat: int | None = None) -> SavedReply:
        re = self._clients.guests[link].asking
        return SavedReply(re, codec.encode(replace(reply, re=re)), self._clients.key_of(link), seat)

    def make_change(self, table: Table, change: Change, now: float, reply: SavedReply | None = None) -> list[Effect]:
        self.write_entries(*journal_entries(table, change), reply=reply)
        return self.commit_change(table, change, now)

    def open_table(
        self, table: Table, now: float, reply: SavedReply | None = None, *more: Entry, keep: Table | None = None
    ) -> list[Effect]:
        """Open a new table and save ``more`` with it; raises NotKept, and Refused without room."""
        effects = self.make_room_for_table(table.setup.opener, now, by_owner=table.setup.by_owner, keep=keep)
        start = table.change_by_start() if table.full else None
        opened = Entry(table.id, "opened", codec.to_json(table.setup))
        self.write_entries(opened, *more, *journal_entries(table, start), reply=reply)
        self._register_table(table, now)
        return effects if start is None else [*effects, *self.commit_change(table, start, now)]

    def open_rematch(self, old: Table, seat: int, table: Table, now: float, reply: SavedReply) -> list[Effect]:
        """Open the rematch that a seat's player requests; raises NotKept, and Refused without room."""
        rematch = protocol.RematchLine(table.id, seat)
        entry = Entry(old.id, "rematch", codec.to_json(rematch), old.seq)
        effects = self.open_table(table, now, reply, entry, keep=old)
        old.rematch = rematch
        return [*effects, self._clients.publish(old, protocol.RematchNews(table.id, seat, old.id), now)]

    def release_kept_seats(self, table: Table, now: float) -> list[Effect]:
        """Open seats kept for players of the previous game to all, ``KEPT_FOR`` after the last action."""
        kept = [seat for seat in table.seats if seat.kept_for]
        if not kept or now - table.idle_since < KEPT_FOR:
            return []
        for seat in kept:
            seat.claim = None
        return self._clients.tell_presence((table.id,), now)

    def _register_table(self, table: Table, now: float) -> None:
        self._clients.tables[table.id] = table
        table.told_at = table.idle_since = table.changed_since = now

    def wake_table(self, table: Table, now: float) -> list[Effect]:
        self._save_snapshot(table)
        if table.status == "over":
            return _record_effects(table)
        if table.status == "playing" and not table.aside:
            if table.length_in_actions >= self._clients.limits.actions:
                return self._end_long_game(table, now)
            return self.ask_bots(table, _bot_seats_to_act(table))
        return self.start_game(table, now)

    def start_game(self, table: Table, now: float) -> list[Effect]:
        return self.make_change(table, table.change_by_start(), now) if table.full and not table.aside else []

    def commit_change(self, table: Table, change: Change, now: float) -> list[Effect]:
        return self.work_safely(table, now, partial(self._commit_and_publish, change))

    def _commit_and_publish(self, change: Change, table: Table, now: float) -> list[Effect]:
        table.commit(change)
        table.changed_since = now
        if change.undid is None:
            self._save_snapshot(table)
        effects: list[Effect] = [self._clients.publish(table, table.update_message(change), now)]
        if absence.end_stand_ins(table):
            effects += self._clients.tell_presence((table.id,), now)
        if table.hurry is not None and table.hurry.until == "turn" and table.hurry.seat in table.to_act:
            table.hurry = None
            effects.append(self._clients.publish_agreement(table, now))
        effects += [
            self._clients.send_view(table, number)
            for number, seat in enumerate(table.seats)
            if seat.holder in self._clients.guests
        ]
        if table.status == "over":
            won = tuple(name for name, line in zip(table.names, table.standing, strict=True) if line.winner)
            ended = Ended(table.id, table.game.name, won)
            return [*effects, ended, *_record_effects(table)]
        if table.length_in_actions >= self._clients.limits.actions:
            return [*effects, *self._end_long_game(table, now)]
        fresh = [seat for seat in _bot_seats_to_act(table) if not table.is_current(seat, change.seq - 1)]
        effects += self.ask_bots(table, fresh)
        return effects + _ask_bot_whether_lost(table, change)

    def _save_snapshot(self, table: Table) -> None:
        if table.snapshot_is_due:
            with contextlib.suppress(Exception):  # Snapshots only make the next start faster.
                self._journal.write_snapshot(table.id, Snapshot(table.seq, table.save_game()))

    # Bots and stand-ins

    def ask_bots(self, table: Table, seats: Iterable[int]) -> list[Effect]:
        """Ask the bots of these seats to choose. They rest while nobody plays or watches."""
        table.rests = not self._clients.is_followed(table)
        return [] if table.rests else [_ask_bot_effect(table, seat) for seat in seats]

    def rouse_bots(self, table: Table, now: float) -> list[Effect]:
        return self.ask_bots(table, _bot_seats_to_act(table)) if table.rests else []

    def play_bot(self, table: str, seat: int, seq: int, action: Json, now: float) -> list[Effect]:
        """Apply a bot's choice; replace an illegal one by a random legal one, and drop a stale one."""
        here = self._clients.tables.get(table)
        if here is None or seat not in here.to_act or not here.is_current(seat, seq):
            return []
        if not here.seats[seat].plays_itself:
            return []  # The player came back while the bot was choosing.
        return self.work_safely(here, now, partial(self._try_bot_choice, seat, seq, action))

    def _try_bot_choice(self, seat: int, seq: int, action: Json, table: Table, now: float) -> list[Effect]:
        try:
            change = table.change_by_action(seat, table.seq, action, stand_in=True)
        except Refused:
            change = table.random_change(seat, Random(_bot_choice_seed(table, seat)))
        try:
            return self.make_change(table, change, now)
        except NotKept:
            self._unsaved.append((table.id, seat, seq, action))
            return []

    def offer_to_resign(self, table: str, seat: int, now: float) -> list[Effect]:
        """Offer the other player to end the game, as the bot of this seat has lost."""
        here = self._clients.tables.get(table)
        if here is None or not absence.may_offer_resignation(here, seat):
            return []
        absence.offer_resignation(here, seat)
        return [self._clients.publish_agreement(here, now)]

    def retry_unsaved(self, now: float) -> list[Effect]:
        """Retry bots' actions that could not be saved, and publish whether saving works again."""
        unsaved, self._unsaved = self._unsaved, []
        effects = [effect for each in unsaved for effect in self.play_bot(*each, now)]
        if self.trouble and now >= self._try_at:
            self._try_at = now + TRY_EVERY
            # Otherwise recovery would only be noticed when a player tries again.
            with contextlib.suppress(NotKept):
                self._journal.check_writable()
                self.trouble = ""
        if self.trouble != self._clients.unsaved:
            self._clients.unsaved = self.trouble
            effects += self._clients.tell_presence(tuple(self._clients.tables), now)
        return effects

    def act_for_absent(self, table: Table, now: float) -> list[Effect]:
        """Act for players who have been away too long, as the table's settings say."""
        before = [seat.stand_in for seat in table.seats]
        absence.mark_absent_seats(table, now)
        after = [seat.stand_in for seat in table.seats]
        effects = self._clients.tell_presence((table.id,), now) if after != before else []
        for seat in sorted(table.to_act):
            begins = after[seat] == "bot" != before[seat]
            # A single choice needs no bot.
            if after[seat] == "skip" or (begins and len(table.choices_of_seat(seat)) == 1):
                # If saving fails, retry at the next tick.
                with contextlib.suppress(NotKept):
                    effects += self.make_change(table, table.idle_change(seat), now)
            elif begins:
                effects += self.ask_bots(table, [seat])
        return effects

    # Errors

    def work_safely(self, table: Table, now: float, work: Callable[[Table, float], list[Effect]]) -> list[Effect]:
        """Do work at a table; an error sets only this table aside. If saving fails, do it later."""
        try:
            return work(table, now)
        except NotKept:
            return []
        except Exception as mistake:
            return self.set_aside(table, mistake, now)

    def set_aside(self, table: Table, mistake: Exception, now: float) -> list[Effect]:
        if table.aside:
            return [Mistake(mistake)]
        message = self._publish_closed(table, SET_ASIDE, now)
        return [SetAside(table.id, mistake), message, *_record_effects(table, whole=True, untouched=True)]

    def _end_long_game(self, table: Table, now: float) -> list[Effect]:
        """End a game that has too many actions, to limit resources."""
        message = self._publish_closed(table, TOO_LONG.format(actions=table.actions), now, ends=True)
        return [message, *_record_effects(table, whole=True)]

    def _publish_closed(self, table: Table, why: str, now: float, *, ends: bool = False) -> Effect:
        table.set_aside(why, ends=ends)
        data: Json = {"why": why, **({"ends": True} if ends else {})}
        # If saving fails, the next run of the host ends the game for the same reason.
        with contextlib.suppress(NotKept):
            self.write_entries(Entry(table.id, "set_aside", data, table.seq))
        message = protocol.SetAside(why, series=table.series, table=table.id)
        return self._clients.publish(table, message, now)

    def announce_resignation(self, table: Table, seat: int, now: float) -> list[Effect]:
        """Publish that this seat's resignation has ended the game, and save the record."""
        end = protocol.SetAside(table.aside, True, table.series, table=table.id)
        message = self._clients.publish(table, end, now)
        won = tuple(name for number, name in enumerate(table.names) if number != seat)
        ended = Ended(table.id, table.game.name, won, table.names[seat])
        return [message, ended, *_record_effects(table, whole=True)]

    # Seats and tables

    def free_seat(self, table: Table, seat: int, now: float) -> list[Effect]:
        holder = table.seats[seat].holder
        self.write_entries(Entry(table.id, "stood", {"seat": seat}, table.seq))
        stood = self.free_own_seat(table, seat, now)
        self._clients.guests.replies.forget_client(seat_holder_name(table.id, seat))
        message = protocol.TakenOver(seat, freed=True, table=table.id)
        effects: list[Effect] = []
        if holder is not None and holder in self._clients.guests:
            effects.append(self._clients.send(holder, message))
        return [*effects, *stood]

    def free_own_seat(self, table: Table, seat: int, now: float) -> list[Effect]:
        asked = table.proposal
        table.free_seat(seat)
        effects = self._clients.tell_presence((table.id,), now)
        return effects if table.proposal is asked else [*effects, self._clients.publish_agreement(table, now)]

    def close_table(self, table: Table) -> list[Effect]:
        message = codec.encode(protocol.Closing(ended=True, table=table.id))
        effects: list[Effect] = [Publish(table.id, message)]
        if table.status == "playing" and not table.aside:
            effects += _record_effects(table, whole=True)
        self.remove_table(table.id)
        return effects

    def remove_table(self, table: str) -> None:
        self._journal.forget_table(table)
        self._unregister_table(table)

    def _unregister_table(self, table: str) -> None:
        for seat in range(len(self._clients.tables[table].seats)):
            self._clients.guests.replies.forget_client(seat_holder_name(table, seat))
        del self._clients.tables[table]
        for link in self._clients.guests:
            self._clients.guests[link].watching.discard(table)

    def make_room_for_table(
        self, address: str, now: float, *, by_owner: bool = False, keep: Table | None = None
    ) -> list[Effect]:
        """If the host is full, remove or shelve a table to make room for one from this address. ``keep`` is
        neither removed nor counted, and the owner always has room. Raises Refused if no table can be removed.
        """
        tables, most = self._clients.tables, self._clients.limits.tables
        others = [each for each in tables.values() if each is not keep]
        ended = absence.ended_to_remove(others, address, self._clients.limits.tables_address)
        if ended is not None and not by_owner:
            self.remove_table(ended.id)
        if len(tables) - (keep is not None) < most:
            return []
        gone = absence.table_to_remove((each for each in others if each.id in tables), address)
        if gone is not None:
            self.remove_table(gone.id)
            return []
        left = absence.game_to_shelve(tables.values(), now - absence.LEFT_FOR)
        if left is None and by_owner and len(tables) >= 2 * most:
            left = absence.game_to_shelve(tables.values(), now)
        if left is not None and self._journal.lasting:
            return self.shelve_game(left, now)
        if not by_owner:
            raise Refused("full", "This host has no room for another table.")
        return []

    # Shelved games

    def shelve_excess_games(self, now: float) -> list[Effect]:
        """Shelve an abandoned game if the owner's tables exceed the host's limit."""
        tables = self._clients.tables
        left = absence.game_to_shelve(tables.values(), now - absence.LEFT_FOR)
        if left is None or len(tables) <= self._clients.limits.tables or not self._journal.lasting:
            return []
        return self.work_safely(left, now, self.shelve_game)

    def shelve_game(self, table: Table, now: float) -> list[Effect]:
        """Save an abandoned game, close its table and notify everybody there; raises NotKept."""
        self.write_entries(Entry(table.id, "shelved", {}, table.seq))
        effects: list[Effect] = [self._clients.publish(table, protocol.Shelved(SHELVED, table=table.id), now)]
        self._unregister_table(table.id)
        shelved = self._clients.shelved
        shelved[table.id] = table.setup.opened_by_guest
        limits = self._clients.limits
        while (gone := absence.shelved_to_drop(shelved, limits.shelved, limits.shelved_address)) is not None:
            effects += self._drop_shelved_game(gone)
        return effects

    def _drop_shelved_game(self, name: str) -> list[Effect]:
        """Forget a shelved game, but keep its record; raises NotKept."""
        effects: list[Effect] = []
        with contextlib.suppress(Exception):  # It may be from another version.
            table = restore.restore_table(name, self._journal.read_story(name), self._journal.read_snapshot(name))
            effects += _record_effects(table, whole=True)
        self._journal.forget_table(name)
        del self._clients.shelved[name]
        return effects

    def reopen_shelved_game(
        self, name: str, story: list[Line], now: float, reply: SavedReply, *, by_owner: bool
    ) -> list[Effect]:
        """Reopen a shelved game. Raises NotKept, and Refused if there is no room or it cannot continue."""
        reopened = Line(Entry(name, "reopened", {}, story[-1].entry.seq))
        found = restore.restore_all([*story, reopened], self._journal.read_snapshot)
        if not found.tables:
            raise Refused("set_aside", found.unrestored[name])
        (table,) = found.tables
        effects = self.make_room_for_table(table.setup.opener, now, by_owner=by_owner)
        self.write_entries(Entry(name, "reopened", {}, table.seq), reply=reply)
        del self._clients.shelved[name]
        self._register_table(table, now)
        return [*effects, *self.work_safely(table, now, self.wake_table)]


def journal_entries(table: Table, change: Change | None) -> list[Entry]:
    if change is None:
        return []
    ends = not table.game.to_act(change.state)
    return [change.entry, *([Entry(table.id, "ended", {}, change.seq)] if ends else [])]


def _record_effects(table: Table, *, whole: bool = False, untouched: bool = False) -> list[Effect]:
    """Return the effects that save a finished game's record. If nobody acted, only if ``untouched``."""
    try:
        lines = table.record(whole=whole) if table.touched or untouched else []
    except Exception as mistake:
        return [Mistake(mistake)]
    return [Finished(table.id, lines, table.setup.opened_by_guest)] if lines else []


def _bot_seats_to_act(table: Table) -> list[int]:
    return [seat for seat in sorted(table.to_act) if table.seats[seat].plays_itself]


def _ask_bot_whether_lost(table: Table, change: Change) -> list[Effect]:
    """Ask a bot that ended its turn far behind whether it is lost, while the other player thinks."""
    seat = change.seat
    if seat is None or seat in table.to_act or not absence.may_offer_resignation(table, seat):
        return []
    view = table.seat_view(seat).view()
    if not bots.is_far_behind(table.game, view, seat):
        return []
    return [AskWhetherLost(table.id, seat, table.game.name, view)]


def _ask_bot_effect(table: Table, seat: int) -> AskBot:
    view, level = table.seat_view(seat), table.seats[seat].level_in_play
    # Bots do not need refusals.
    known, seed = (view.view(), view.offered_choices()), _bot_choice_seed(table, seat)
    pace = 0.0 if table.bots_hurry else PACES[table.setup.pace]
    return AskBot(table.id, seat, table.seq, table.game.name, level, *known, seed, pace)


def _bot_choice_seed(table: Table, seat: int) -> str:
    """Return a reproducible seed for a bot's choice that does not reveal the game's own seed."""
    text = f"bot {seat} at {table.seq} of {table.setup.seed}"
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
