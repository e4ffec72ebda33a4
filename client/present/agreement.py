"""The words for requests that need other players' consent: resign, hand over to a bot, speed up bots."""

from __future__ import annotations

from client.table import Proposal, Rejected, Seat, Session, TableState, Until
from client.wording import a_bot, begun, joined

HURRY: dict[Until, str] = {
    "turn": "Bots play without pause until your turn.",
    "end": "Bots play without pause to the end.",
    "": "Bots pause again before they act.",
}
NO_BOTS = "No bot plays at this table."
NOT_SEATED = "You are watching: only a player can do that."
BOTS_ALONE = 'You are watching. For bots without pause, set "Bots\' pace" in the settings before a game of bots.'
NOT_PLAYING = "There is no game to do that in now."
NOTHING_ASKED = "Nobody has asked you anything."
REFUSED = "Not everybody agreed."
ALL_AGREED = "Everybody has agreed."
AGREED = "You agree."
DECLINED = "You do not agree."
ASKED_FIRST = "Another player asked first. Your question follows when that one is answered."


class AgreementReminders:
    """Requests from this terminal. One refused because another is pending is sent again later."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._later: Proposal | None = None

    async def make(self, wish: Proposal) -> bool:
        """Send a request; return whether it took effect at once."""
        self._later = None
        try:
            return await self._session.propose(wish.seat, wish.what, level=wish.level, until=wish.until)
        except Rejected as no:
            if no.code != "pending":
                raise
            self._later = wish
            raise Rejected(no.code, ASKED_FIRST) from None

    def due_request(self) -> Proposal | None:
        """Return the request to repeat: none is pending any more, and the user still wants it."""
        wish, state = self._later, self._session.state
        if wish is None or state.proposal is not None:
            return None
        wanted = wish.seat in state.my_seats and not why_nothing_can_be_asked(state) and was_refused(wish, state)
        self._later = wish if wanted else None
        return self._later


def asked_of_me(state: TableState) -> Proposal | None:
    proposal = state.proposal
    if proposal is None or proposal.seat in state.my_seats:
        return None
    return proposal if any(seat in proposal.waits_for for seat in state.my_seats) else None


def my_answer_seat(state: TableState, proposal: Proposal) -> int:
    return next(seat for seat in proposal.waits_for if seat in state.my_seats)


def question_words(state: TableState, proposal: Proposal) -> str:
    name = state.seats[proposal.seat].name_as_shown
    bot = a_bot(proposal.level)
    if proposal.what == "hurry":
        until = _until_words(state, proposal)
        return f"{name} asks whether bots may play without pause until {until}. Do you agree?"
    if proposal.what == "hand_over":
        return f"{name} asks whether {bot} may play to the end in {name}'s place. Do you agree?"
    after = f"{begun(bot)} would take the seat"
    if not continues_after_resignation(state):
        winners = _other_people(state, proposal.seat)
        after = f"That would end the game{''.join(f', and {each.name_as_shown} would win' for each in winners)}"
    if _is_from_bot(state, proposal):
        return f"{name} sees no way left to win, and offers to resign. {after}. Do you agree?"
    return f"{name} asks to resign. {after}. Do you agree?"


def _until_words(state: TableState, proposal: Proposal) -> str:
    return f"{state.seats[proposal.seat].name_as_shown}'s next turn" if proposal.until == "turn" else "the end"


def hurried_words(state: TableState, proposal: Proposal) -> str:
    if proposal.seat in state.my_seats:
        return HURRY[proposal.until]
    return f"Bots play without pause until {_until_words(state, proposal)}."


def disagree_words(state: TableState, proposal: Proposal) -> str:
    return "Play on" if _is_from_bot(state, proposal) else "Do not agree"


def _is_from_bot(state: TableState, proposal: Proposal) -> bool:
    """Return whether a bot makes the request: it can only be to resign."""
    return state.seats[proposal.seat].kind == "bot"


def reminder_words(state: TableState, proposal: Proposal, key: str) -> str:
    """Return how to answer a request whose dialog was closed; ``key`` opens it again."""
    return f"{state.seats[proposal.seat].name_as_shown} waits for your answer. {key} lists the question."


def waiting(state: TableState, proposal: Proposal) -> str:
    names = [_asked_seat_words(state.seats[seat]) for seat in proposal.waits_for]
    # A name may end in a comma: do not add another.
    listed = [*(name.removesuffix(",") for name in names[:-2]), *names[-2:]]
    return f"Waiting for {joined(listed)} to agree."


def _asked_seat_words(seat: Seat) -> str:
    if not seat.name_as_shown:
        return "the free seat"
    return seat.name_as_shown if seat.present else f"{seat.name_as_shown}, who is away,"


def continues_after_resignation(state: TableState) -> bool:
    """Return whether the game continues after a resignation: a game of two ends."""
    return len(state.seats) > 2


def _other_people(state: TableState, seat: int) -> list[Seat]:
    return [each for number, each in enumerate(state.seats) if number != seat]


def resigning_words(state: TableState, seat: int, level: str) -> str:
    others = _other_people(state, seat)
    asked = [each.name_as_shown for each in others if each.must_agree and not each.mine]
    agreed = f" once {joined(asked)} {'agree' if asked[1:] else 'agrees'}" if asked else ""
    if continues_after_resignation(state):
        return f"Resign for good? {begun(a_bot(level))} takes the seat{agreed}, and the others play on."
    return f"Resign for good? The game ends{agreed}{''.join(f', and {each.name_as_shown} wins' for each in others)}."


def has_bots(state: TableState) -> bool:
    return any(seat.level for seat in state.seats)


def only_bots_play(state: TableState) -> bool:
    """Return whether only bots are to act while a player waits; tables of bots never pause."""
    acting = () if state.view is None or state.status != "playing" or state.halted else state.view.acting
    waits = bool(state.my_seats and acting) and not all(seat.level for seat in state.seats)
    return waits and all(state.seats[seat].level for seat in acting)


def was_refused(asked: Proposal, now: TableState) -> bool:
    done = {
        "hurry": now.hurry == asked.until,
        "hand_over": now.seats[asked.seat].handed,
        "resign": bool(now.set_aside) or now.seats[asked.seat].kind == "bot",
    }
    return not done[asked.what]


def why_nothing_can_be_asked(state: TableState) -> str:
    if not state.my_seats:
        return BOTS_ALONE if all(seat.kind == "bot" for seat in state.seats) else NOT_SEATED
    return NOT_PLAYING if state.status != "playing" or state.ended_early else ""
