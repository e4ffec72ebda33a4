"""Requests that need the consent of the others: resign, hand over to a bot, hurry the bots."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import partial
from typing import TYPE_CHECKING, Any

from cave.protocol import Wish
from client.present import agreement
from client.table import Proposal, TableState, Until
from client.tui import sentences
from client.tui.keymap import live

if TYPE_CHECKING:
    from textual.screen import Screen

    from client.tui.asking import Asking
    from client.tui.table import TableScreen

AskHost = Callable[[Callable[[], Coroutine[Any, Any, None]]], None]


class Agreeing:
    """Asks for it, and answers what others ask for. ``seat`` gives the seat that is shown."""

    def __init__(
        self, screen: TableScreen[Any], asking: Asking, ask_host: AskHost, seat: Callable[[], int]
    ) -> None:
        self._screen = screen
        self._asking = asking
        self._ask_host = ask_host
        self._seat = seat
        self._heard: int | None = None
        """The number of the question that was shown last."""
        self._shown: Screen[Any] | None = None
        """That question itself, which may be closed by now."""
        self._taken_back: int | None = None
        """The number of one's own question after which one asked for something else."""
        self._requests = agreement.Requests(screen.session)

    @property
    def _state(self) -> TableState:
        return self._screen.session.state

    def _unable(self) -> bool:
        why = sentences.ONLY_SEEN if self._screen.replays else agreement.unable(self._state)
        if why:
            self._screen.say(why)
        return bool(why)

    def hurry(self) -> None:
        """Let bots play without pause until one's own turn; with the same key pause again."""
        if self._unable():
            return
        if not agreement.has_bots(self._state):
            self._screen.say(agreement.NO_BOTS)
        else:
            self._hurry("" if self._state.hurry else "turn")

    def _hurry(self, until: Until) -> None:
        self._propose("hurry", until=until)

    def list_ends(self) -> None:
        """List the ways to an end without waiting."""
        if self._unable():
            return
        from client.tui.screens.chooser import Entry

        state, seat = self._state, self._seat()
        asked = agreement.asked_of_me(state)
        entries = [Entry("Answer the question", self._answer, key="a")] if asked else []
        if state.hurry:
            entries.append(Entry("Bots pause again", partial(self._hurry, ""), key="p"))
        elif agreement.has_bots(state):
            entries += [
                Entry("Speed the bots up until my turn", partial(self._hurry, "turn"), key="t"),
                Entry("Speed the bots up for the rest of the game", partial(self._hurry, "end"), key="e"),
            ]
        # Where several play at this keyboard it is said who.
        name = state.seats[seat].shown if state.hot_seat else ""
        for number in state.handed_over:
            again = f"{state.seats[number].shown} plays again" if name else "Play myself again"
            key = "m" if number == state.handed_over[0] else ""
            entries.append(Entry(again, partial(self._propose, "hand_over", seat=number), key=key))
        if not state.seats[seat].handed:
            over = partial(self._at_level, "Who takes the seat?", partial(self._propose, "hand_over"))
            entries.append(
                Entry(f"Hand {f'the seat of {name}' if name else 'my seat'} to a bot", over, key="b")
            )
        entries.append(Entry(f"{name} resigns" if name else "Resign", self.resign, key="r"))
        self._asking.choose("An end without waiting", entries, self._later)

    def _later(self, do: Callable[[], None]) -> None:
        """Do it when the list is gone."""
        self._screen.call_later(do)

    def _at_level(self, title: str, then: Callable[[str], None]) -> None:
        """Ask for a level where there are several."""
        from client.tui.screens.chooser import level_entries

        entries = level_entries(self._state.game)
        if len(entries) < 2:
            then(entries[0].value if entries else "")
            return
        self._asking.choose(title, entries, lambda level: self._later(partial(then, level)))

    def resign(self) -> None:
        """Ask whether to resign, and who takes the seat."""
        if self._unable():
            return
        if agreement.goes_on(self._state):
            self._at_level("Who takes the seat?", self._confirm)
        else:
            self._confirm("")

    def _confirm(self, level: str) -> None:
        question = agreement.resigning(self._state, self._seat(), level)
        resign = partial(self._propose, "resign", level)
        self._asking.confirm(question, "Resign", "Play on", resign)

    def _propose(self, what: Wish, level: str = "", until: Until = "", seat: int | None = None) -> None:
        wish = Proposal(0, self._seat() if seat is None else seat, what, level, until)
        self._ask_host(partial(self._proposed, wish))

    async def _proposed(self, wish: Proposal) -> None:
        asked = self._state.proposal
        if asked is not None and asked.seat in self._state.my_seats:
            self._taken_back = asked.number
        if await self._requests.make(wish) and wish.what == "hurry":
            self._screen.say(agreement.HURRY[wish.until], "text")

    def hear(self, before: TableState, now: TableState) -> None:
        """Tell what has become of one's own question, and close another player's that holds no longer."""
        asked = before.proposal
        if asked is not None and (asked.seat not in now.my_seats or asked.number == self._taken_back):
            asked = None
        if now.proposal is not None and now.proposal.seat in now.my_seats:
            self._screen.say(agreement.waiting(now, now.proposal), "text")
        elif asked is not None and now.proposal is None:
            refused = agreement.was_refused(asked, now)
            self._screen.say(
                agreement.REFUSED if refused else agreement.ALL_AGREED, "warn" if refused else "text"
            )
        still = agreement.asked_of_me(now)
        if self._shown is not None and (still is None or still.number != self._heard):
            self._shown.dismiss(None)
        if due := self._requests.due():
            self._ask_host(partial(self._proposed, due))

    def show_question(self) -> None:
        """Show what another player asks, once."""
        asked = agreement.asked_of_me(self._state)
        if asked is not None and asked.number != self._heard:
            self._answer()

    def _answer(self) -> None:
        from client.tui.screens.chooser import Entry

        state = self._state
        asked = agreement.asked_of_me(state)
        if asked is None:
            self._screen.say(agreement.NOTHING_ASKED)
            return
        seat = agreement.my_answer_seat(state, asked)
        self._heard = asked.number

        async def answer(agree: bool) -> None:
            await self._screen.session.agree(seat, asked.number, agree=agree)
            # The news of it may have come before the reply, when nothing else could be asked.
            if due := self._requests.due():
                await self._proposed(due)

        def answered(agree: bool) -> None:
            self._ask_host(partial(answer, agree))

        # It opens while somebody plays: what a hand types just then, y for a hint or enter, answers nothing.
        answers = [
            Entry("Answer later", None),
            Entry("Agree", True, key="Y"),
            Entry(agreement.disagree(state, asked), False, key="N"),
        ]
        question = agreement.question(state, asked)
        self._shown = self._asking.choose(question, answers, answered, partial(self._unanswered, asked))

    def _unanswered(self, asked: Proposal) -> None:
        """Remind of a question that was closed, if it is still open."""
        if agreement.asked_of_me(self._state) == asked:
            key = live(self._screen, "game.ends")
            self._screen.say(agreement.reminder(self._state, asked, key), "text")
