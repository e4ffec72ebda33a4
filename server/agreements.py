"""Requests that need the other players' consent, such as resigning."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from msgspec.structs import replace

from cave import bots, protocol
from cave.game import Refused
from server.context import Answer, Context, Handler
from server.tables.effects import Effect, Entry, SavedReply
from server.tables.opening import Hurry, Proposal
from server.tables.table import Table

PATIENCE = 60.0  # seconds that a player's request blocks requests of others

FIRST = 20.0  # seconds reserved for the first player in the queue to ask


def _handle_propose(context: Context, link: bytes, message: protocol.Propose, now: float) -> Answer:
    table = context.clients.check_owns_seat(link, message.table, message.seat)
    _check_proposal(table, message)
    others = frozenset() if _needs_no_agreement(message) else table.other_people(link)
    waiting, since = table.proposal, now
    if waiting is not None and waiting.seat == message.seat:
        since = waiting.since
    else:
        _ask_or_queue(table, link, message.seat, others, now)
    proposal = Proposal(
        table.next_proposal(), message.seat, message.what, message.level, message.until, others, now, since
    )
    if proposal.waits_for:
        table.proposal = proposal
        reply = protocol.Proposed(table=table.id, number=proposal.number, done=False)
        return reply, [context.clients.publish_agreement(table, now)]
    reply = protocol.Proposed(table=table.id, number=proposal.number, done=True)
    saved = context.changes.saved_reply(link, reply, message.seat)
    return reply, _carry_out_proposal(context, table, proposal, saved, now)


def _handle_agree(context: Context, link: bytes, message: protocol.Agree, now: float) -> Answer:
    table = context.clients.check_owns_seat(link, message.table, message.seat)
    proposal = table.proposal
    if proposal is None or proposal.number != message.number:
        raise Refused("stale", "That question has been answered or withdrawn.")
    if message.seat not in proposal.waits_for:
        raise Refused("stale", "You have answered that question already.")
    _check_game_runs(table)
    if not message.agree:
        table.proposal = None
        return protocol.Agreed(table=table.id), [context.clients.publish_agreement(table, now)]
    # An answer is for all of a player's seats. Players who left, or left a seat to a bot, need not agree.
    still = {seat for seat in proposal.waits_for if table.seats[seat].must_agree}
    table.proposal = replace(proposal, waits_for=frozenset(still - {*table.held_by(link)}))
    reply = protocol.Agreed(table=table.id, done=not table.proposal.waits_for)
    if table.proposal.waits_for:
        return reply, [context.clients.publish_agreement(table, now)]
    saved = context.changes.saved_reply(link, reply, message.seat)
    return reply, _carry_out_proposal(context, table, table.proposal, saved, now)


def settle_overdue_question(context: Context, table: Table, now: float) -> list[Effect]:
    """Treat an overdue request as agreed to after the idle limit; clear a stuck queue."""
    proposal = table.proposal
    if proposal is None or not _blocks_other_questions(table, proposal, now):
        table.first_until = table.first_until or now + FIRST
        if now >= table.first_until:
            table.askers.clear()
    if proposal is None or not table.setup.absence.limits_present_players or table.ended or table.aside:
        return []
    if table.seats[proposal.seat].kind == "bot" or now - proposal.at < _seconds_to_answer(table):
        return []
    return _carry_out_proposal(context, table, proposal, None, now)


def _ask_or_queue(table: Table, link: bytes, seat: int, others: frozenset[int], now: float) -> None:
    """Let this player ask, or queue it and raise Refused: otherwise two could keep a third from asking."""
    waiting, why = table.proposal, ""
    if waiting is not None and _blocks_other_questions(table, waiting, now):
        mine = waiting.waits_for & {*table.held_by(link)}
        then = "Answer that one first." if mine else "Ask again when all others have answered it."
        why = f"Another player's question is still open. {then}"
    elif others and table.askers and table.askers[0] != seat:
        why = "Another player wanted to ask before you. Ask again in a few seconds."
    if why:
        if seat not in table.askers:
            table.askers.append(seat)
        raise Refused("pending", why)
    if others:
        table.askers = [each for each in table.askers if each != seat]
        table.first_until = 0.0


def _blocks_other_questions(table: Table, waiting: Proposal, now: float) -> bool:
    """Return whether this request still blocks those of others. A bot's offer to resign blocks none."""
    return table.seats[waiting.seat].kind != "bot" and now - waiting.since < _seconds_to_answer(table)


def _seconds_to_answer(table: Table) -> float:
    return table.setup.absence.after if table.setup.absence.limits_present_players else PATIENCE


def _check_proposal(table: Table, message: protocol.Propose) -> None:
    _check_game_runs(table)
    if message.level:
        bots.check_bot_level(table.game.name, message.level)
    elif message.what == "resign" and table.continues_after_resignation:
        bots.check_bot_level(table.game.name, next(iter(table.game.bots), ""))


def _check_game_runs(table: Table) -> None:
    table.check_open()
    if table.status == "waiting":
        raise Refused("not_started", "The game starts when every seat is taken.")
    if table.status == "over":
        raise Refused("game_over", "The game is over.")


def _needs_no_agreement(message: protocol.Propose) -> bool:
    """Return whether this revokes an agreement: take over from the bot, slow down bots."""
    return (message.what == "hand_over" and not message.level) or (message.what == "hurry" and not message.until)


def _carry_out_proposal(
    context: Context, table: Table, proposal: Proposal, saved: SavedReply | None, now: float
) -> list[Effect]:
    effects: list[Effect] = []
    seat, level = proposal.seat, proposal.level
    match proposal.what:
        case "hurry":
            table.hurry = Hurry(proposal.until, seat) if proposal.until else None
        case "hand_over":
            handed = Entry(table.id, "handed", {"seat": seat, "level": level}, table.seq)
            context.changes.write_entries(handed, reply=saved)
            table.seats[seat].handed = level
            effects = _hand_over_to_bot(context, table, seat, now)
        case "resign":
            level = level or next(iter(table.game.bots), "")
            ends = "" if table.continues_after_resignation else bots.resigned_words(table.marked_names, seat)
            resigned = Entry(table.id, "resigned", {"seat": seat, "level": level, "ends": ends}, table.seq)
            context.changes.write_entries(resigned, reply=saved)
            table.resign(seat, level, ends)
            if not any(each.kind == "person" for each in table.seats):
                # Only bots are left: skip their pauses to the end.
                table.hurry = Hurry("end", seat)
            follow = context.changes.announce_resignation if ends else partial(_hand_over_to_bot, context)
            effects = follow(table, seat, now)
    table.proposal = None
    return [*effects, context.clients.publish_agreement(table, now)]


def _hand_over_to_bot(context: Context, table: Table, seat: int, now: float) -> list[Effect]:
    effects = context.clients.tell_presence((table.id,), now)
    due = seat in table.to_act and table.seats[seat].plays_itself
    return [*effects, *(context.changes.ask_bots(table, [seat]) if due else [])]


ANSWERS: Mapping[type, Handler] = {protocol.Propose: _handle_propose, protocol.Agree: _handle_agree}
