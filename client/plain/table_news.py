"""News of a table since the last output: events, chat, players who come and go."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from msgspec.structs import replace

from cave.game import AnyGame
from client.net.messages import comings_and_goings
from client.plain import shared_sentences
from client.plain.shared_sentences import Tell, log_line_words
from client.present import agreement, hosts, log, score
from client.present.log import LogLineOf
from client.present.scene import view_for
from client.table import ChatLine, LogLine, Proposal, Seat, TableState

LEAVE = "quit"
FOUND = "The host is back."
SAVED_AGAIN = "The host can save the game again, and it continues."
TAKE_BACK = "Type takeover to take the seat back."
SIT_AGAIN = "You can watch; to sit down again, quit and join."
WATCHERS_TALK = "Watchers have their own chat. Type watchers to read it."
HOW_TO_AGREE = "Type agree or decline."
TAKEN_BACK = "The last step was undone."
NOTHING_YET = TableState(table="", title="", game=cast(AnyGame, None))  # before the first state
OWN = ("taken_over", "taken_back")  # notes about this client; all others are about the seats


def waiting_for(state: TableState) -> list[str]:
    """Return the line with the number of players to wait for, not counting watchers."""
    free = state.waits_for
    more = f"{free} more player{'s' * (free != 1)}"
    if not free:
        return []
    watched = f"The game begins when {more} sit{'s' * (free == 1)} down."
    return [f"Waiting for {more}." if state.my_seats else watched]


class TableNews:
    """Tracks the news already printed; ``news_of_state`` returns the rest as lines."""

    def __init__(self, log_line: LogLineOf, tell: Tell = log_line_words) -> None:
        self._log_line = log_line
        self._tell = tell
        self._seq = 0
        self._notes = 0
        self._chat: Sequence[ChatLine] = ()
        self._watchers_talk = False
        self._before = NOTHING_YET  # the last reported state
        self._link = "live"
        self._agreed: int | None = None  # the number of the request that a player here has agreed to
        self._people: tuple[Seat, ...] = ()  # the last reported players of a running game, by seat
        self._missed: list[LogLine] = []  # their changes that have no line in the log

    def skip_news(self, state: TableState) -> None:
        """Skip the news up to this state, except about seats that others have taken."""
        self._event_lines(state)
        self._chat = log.chat_for(state)
        self._link = "live" if state.link == "syncing" else state.link
        self._before = replace(NOTHING_YET, status=state.status, seats=state.seats)

    def news_of_state(self, state: TableState) -> list[str]:
        # The private details of an event are in each seat's view.
        events = self._event_lines(state) if state.is_of_one_moment or state.link != "live" else []
        told = [*events, *self._state_lines(state), *self._link_lines(state)]
        missed, self._missed = self._missed, []
        told += self._told_lines(state, missed, len(state.log))
        before, self._before = self._before, state
        lost = [seat for seat in (*state.taken, *state.freed) if seat not in (*before.taken, *before.freed)]
        told += [_lost_seat_words(state, seat) for seat in lost if seat < len(state.seats)]
        # The score sheet, which follows, has a resignation as its headline.
        if state.set_aside and not before.set_aside and not state.resigned:
            told.append(state.set_aside)
        if bool(state.unsaved) != bool(before.unsaved):
            told.append(state.unsaved or SAVED_AGAIN)
        told += self._question_lines(state, before.proposal)
        return [*told, *(waiting_for(state) if state.waits_for != before.waits_for else ())]

    def _question_lines(self, state: TableState, before: Proposal | None) -> list[str]:
        asked = agreement.asked_of_me(state)
        if asked is not None:
            new = before is None or before.number != asked.number
            return [f"{agreement.question_words(state, asked)} {HOW_TO_AGREE}"] if new else []
        if state.proposal is None:
            return [] if before is None else self._request_outcome(state, before)
        if before is not None and before.number == state.proposal.number:
            answered = set(before.waits_for) - set(state.proposal.waits_for)
            self._agreed = before.number if answered & set(state.my_seats) else self._agreed
        if state.proposal != before and state.proposal.seat in state.my_seats:
            return [agreement.waiting(state, state.proposal)]
        return []

    def _request_outcome(self, state: TableState, asked: Proposal) -> list[str]:
        """Report the outcome of a request, if it concerns this terminal and is not reported otherwise."""
        wanted = asked.seat in state.my_seats or asked.number == self._agreed
        if agreement.was_refused(asked, state):
            return [agreement.REFUSED] if wanted else []
        heard = wanted or any(seat in asked.waits_for for seat in state.my_seats)
        hurried = asked.what == "hurry" and asked.until == state.hurry
        return [agreement.hurried_words(state, asked)] if heard and hurried else []

    def _event_lines(self, state: TableState) -> list[str]:
        """Return the news of the log. Its numbers rise; a note of this client has the number 0."""
        lines = state.log
        start = next((at + 1 for at in range(len(lines) - 1, -1, -1) if 0 < lines[at].seq <= self._seq), 0)
        notes = 0
        while notes < self._notes and start < len(lines) and not lines[start].seq:
            notes, start = notes + 1, start + 1
        gone = self._seq and state.seq > self._seq and not any(line.seq == self._seq for line in lines)
        # After a long absence the log may begin after the last printed entry.
        undone = gone and (start or not any(line.seq for line in lines))
        fresh = lines[start:]
        numbered = [at for at, line in enumerate(fresh) if line.seq]
        self._notes = len(fresh) - numbered[-1] - 1 if numbered else notes + len(fresh)
        if numbered:
            self._seq = fresh[numbered[-1]].seq
        elif undone:
            self._seq = max((line.seq for line in lines), default=0)
        self._note_changed_seats(state, fresh)
        told_lines = self._told_lines(state, fresh, start, people=not self._is_reconnecting(state))
        return [TAKEN_BACK, *told_lines] if undone and state.view is not None else told_lines

    def _is_reconnecting(self, state: TableState) -> bool:
        """Return whether this client is reconnecting: then the host reports everybody else's return, too."""
        return state.link == "syncing" or (state.link == "live" and self._link != "live")

    def _note_changed_seats(self, state: TableState, fresh: Sequence[LogLine]) -> None:
        """Note changes of seats that have no log line: a log sent again has no such lines. During a reconnect
        players come and go; the changes are reported afterwards.
        """
        if state.link == "syncing" and self._people:
            return
        before, self._people = self._people, () if state.status == "waiting" else state.seats
        if len(before) != len(self._people):
            return
        lines = () if self._is_reconnecting(state) else fresh
        told = {(line.event["type"], line.event.get("seat")) for line in lines if not line.seq}
        notes = comings_and_goings([*before], [*self._people], state.my_seats)
        self._missed += [LogLine(0, note) for note in notes if (note["type"], note["seat"]) not in told]

    def _told_lines(self, state: TableState, lines: Sequence[LogLine], start: int, *, people: bool = True) -> list[str]:
        if state.view is None:
            return []
        mine = state.my_seats
        # Others may see the same screen.
        view = view_for(state, mine[0]) if len(mine) == 1 and state.is_of_one_moment else state.view
        entries = (
            log.log_entry(self._log_line, at, line, view)
            for at, line in enumerate(lines, start)
            # A seat taken over is reported elsewhere, with the remedy.
            if line.seq or (line.event["type"] != "taken_over" and (people or line.event["type"] in OWN))
        )
        return [self._tell(entry) for entry in entries if entry is not None]

    def _state_lines(self, state: TableState) -> list[str]:
        heard = log.chat_for(state)
        fresh, self._chat = log.new_chat_lines(self._chat, heard), heard
        found = [shared_sentences.chat_words(line) for line in fresh]
        if not self._watchers_talk and len(heard) < len(state.chat):
            self._watchers_talk = True
            found.append(WATCHERS_TALK)
        if state.rematch_is_open and not self._before.rematch_is_open:
            found.append(score.invited_words(state, "type rematch to go there"))
        return found

    def _link_lines(self, state: TableState) -> list[str]:
        if state.missing not in ("", self._before.missing) and state.closed in ("", "stopped"):
            self._link = state.link
            return [hosts.missing_words(state.missing, LEAVE, watching=not state.my_seats)]
        if state.link in ("syncing", self._link):
            return []
        self._link = state.link
        if state.link == "lost":
            return [hosts.LINK_IS_LOST]
        return [hosts.closed_words(state.closed, LEAVE)] if state.link == "closed" else [FOUND]


def _lost_seat_words(state: TableState, seat: int) -> str:
    if seat in state.freed:
        return f"{hosts.seats_freed_words(state, [seat])} {SIT_AGAIN}"
    return f"{hosts.seats_taken_words(state, [seat])} {TAKE_BACK}"
