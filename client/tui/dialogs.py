"""Dialogs over a table: lists, the log, the chat, help, the score sheet, requests to others."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from cave.protocol import Wish
from client.present import agreement
from client.table import Proposal, Rejected, TableState, Until
from client.tui import sentences
from client.tui.keymap import live_key

if TYPE_CHECKING:
    from textual.screen import Screen

    from client.game_history import PointsHistory
    from client.tui.score import ScoreScreen
    from client.tui.table import TableScreen


LEAVING = (("Stay", "", "s"), ("Leave to the menu", "menu", "m"), ("Quit the program", "quit", "q"))


class TableDialogs:
    """Opens screens over a table, and runs the choices made there. Each is imported when it opens."""

    def __init__(self, table: TableScreen[Any]) -> None:
        self._table = table
        self._sheet: ScoreScreen | None = None
        # returns the points over the game
        self.points: Callable[[], Awaitable[PointsHistory | None]] = self._points_for_plot

    # Lists and confirmations

    def open_list(
        self,
        title: str,
        entries: Sequence[Any],
        then: Callable[[Any], None],
        otherwise: Callable[[], None] | None = None,
        **more: Any,
    ) -> Screen[Any]:
        """Open a list and return it; ``then`` gets the chosen value, ``otherwise`` is called on closing."""
        from client.tui.chooser import ChooserScreen
        from client.tui.widgets.dialog_box import BELOW

        def chosen(value: Any) -> None:
            if value is not None:
                then(value)
            elif otherwise is not None:
                otherwise()

        table = self._table
        # The result of a check under the dialog would make it out of date.
        advising = table.controller.advising
        advising.stop_checking()
        explain = partial(self.show_help, "game")
        note = "" if more.get("seat") is not None else advising.warning  # it hides the message
        screen = ChooserScreen(title, entries, explain=explain, line=table.line, note=note, **more)
        screen.add_class(BELOW, update=False)
        table.app.push_screen(screen, chosen)
        return screen

    def open_question(
        self,
        question: str,
        yes: str,
        no: str,
        then: Callable[[], None],
        *,
        again: str = "",
        sure: bool = False,
        seat: int | None = None,
    ) -> Screen[Any] | None:
        """Ask for confirmation, for a ``seat`` its player. ``Y`` and the key ``again`` say yes, and Enter if
        ``sure``; never ``y``, the key of hints. A lesson does not ask, as it undoes mistakes.
        """
        if self._table.session.state.lesson is not None:
            then()
            return None
        from client.tui.chooser import Entry

        answers = [Entry(yes, True, key="Y", also=again), Entry(no, False, key="n")]
        chosen = 0 if sure else 1
        return self.open_list(question, answers, lambda answer: then() if answer else None, chosen=chosen, seat=seat)

    def leave(self) -> None:
        from client.tui.chooser import Entry

        answers = [Entry(text, value, key=key) for text, value, key in LEAVING]
        question = sentences.LEAVE if self._table.saved else sentences.LEAVE_UNSAVED
        self.open_list(question, answers, self._finish)

    def _finish(self, answer: str | None) -> None:
        if answer:
            self._table.call_later(self._table.close_with_screens_above, answer)

    # The log, the chat and the help

    def show_log(self, point_at: Callable[[Any], None]) -> None:
        """Open the whole log; a line about a place points at it."""
        from client.present.log import NOTHING
        from client.tui.chooser import log_entries

        scene = self._table.scene
        found, _ = log_entries(self._table.face, scene)
        if not found:
            self._table.say(NOTHING, "text")
            return
        self.open_list(
            "Log",
            found,
            lambda at: point_at(at) if at else None,
            chosen=max(0, len(found) - 1),
            hint="{take} show the place   {back} back",
        )

    def show_chat(self) -> None:
        """Open the chat; all messages then count as read."""
        from client.tui.chat import ChatScreen

        table = self._table

        def read(_: None) -> None:
            table.talking = False
            table.read_chat()

        table.talking = True
        table.app.push_screen(ChatScreen(table.session, line=table.line), read)

    def show_help(self, topic: str = "game", about: Sequence[str] = ()) -> None:
        """Open the help at the rules that matter now."""
        from client.tui.help import HelpScreen, live_keys

        table = self._table
        pages = HelpScreen(
            table.face,
            glyphs=table.glyphs,
            topic=topic,
            about=about,
            goal=table.face.goal(table.scene.view),
            keys=live_keys(table),
        )

        async def clicked(action: str | None) -> None:
            if action is not None:
                if table.app.screen is not table:  # the help was opened from a list
                    table.app.screen.dismiss(None)
                await table.run_action(action)

        table.app.push_screen(pages, clicked)

    # The score sheet

    def show_score(self) -> None:
        from client.tui.score import ScoreScreen

        table = self._table
        state = table.scene.state
        self._sheet = ScoreScreen(
            table.face,
            state,
            record_path=table.record_path,
            to_paste=table.line_to_paste(state),
            glyphs=table.glyphs,
            points=self.points,
            analyse=bool(table.record_path and state.game.bots),
            poster=self._poster_screen if table.face.poster else None,
        )

        def left(answer: str | None) -> None:
            self._sheet = None
            self._finish(answer)

        table.app.push_screen(self._sheet, left)

    def _poster_screen(self, points: PointsHistory | None) -> Screen[None]:
        from client.tui.poster import poster_of

        return poster_of(self._table, points)

    def hear_score(self) -> None:
        """Pass a new state to the score sheet if it is open."""
        if self._sheet is not None and self._sheet.has_widgets:
            self._sheet.follow_table(self._table.scene.state)

    async def _points_for_plot(self) -> PointsHistory | None:
        try:
            lines = await self._table.session.record()
        except (Rejected, ConnectionError):
            return None
        from client.game_history import record_points  # imported with the score screen

        return await asyncio.to_thread(record_points, self._table.face, lines)


AskHost = Callable[[Callable[[], Coroutine[Any, Any, None]]], None]


class RequestDialogs:
    """Sends requests to the other players, and answers theirs."""

    def __init__(self, screen: TableScreen[Any], asking: TableDialogs, ask_host: AskHost) -> None:
        self._screen = screen
        self._asking = asking
        self._ask_host = ask_host
        self._heard: int | None = None  # the number of the request that was shown last
        self._shown: Screen[Any] | None = None  # its dialog, which may be closed by now
        self._taken_back: int | None = None  # the number of the player's replaced request
        self._requests = agreement.AgreementReminders(screen.session)

    @property
    def _table_state(self) -> TableState:
        return self._screen.session.state

    @property
    def _seat(self) -> int:
        return int(self._screen.scene.seat)

    def _say_unable(self) -> bool:
        why = sentences.ONLY_SEEN if self._screen.replays else agreement.why_nothing_can_be_asked(self._table_state)
        if why:
            self._screen.say(why)
        return bool(why)

    def hurry_bots(self) -> None:
        """Let bots play without pause until the user's turn; the same key makes them pause again."""
        if self._say_unable():
            return
        if not agreement.has_bots(self._table_state):
            self._screen.say(agreement.NO_BOTS)
        else:
            self._propose("hurry", until="" if self._table_state.hurry else "turn")

    def list_ends(self) -> None:
        """List the ways to end the game without waiting."""
        if self._say_unable():
            return
        from client.tui.chooser import Entry

        state, seat, hurry = self._table_state, self._seat, partial(self._propose, "hurry")
        asked = agreement.asked_of_me(state)
        entries = [Entry("Answer the question", self._answer, key="a")] if asked else []
        if state.hurry:
            entries.append(Entry("Bots pause again", hurry, key="p"))
        elif agreement.has_bots(state):
            entries += [
                Entry("Speed the bots up until my turn", partial(hurry, until="turn"), key="t"),
                Entry("Speed the bots up for the rest of the game", partial(hurry, until="end"), key="e"),
            ]
        # At a shared keyboard the player is named.
        name = state.seats[seat].name_as_shown if state.hot_seat else ""
        for number in state.seats_handed_over:
            again = f"{state.seats[number].name_as_shown} plays again" if name else "Play myself again"
            key = "m" if number == state.seats_handed_over[0] else ""
            entries.append(Entry(again, partial(self._propose, "hand_over", seat=number), key=key))
        if not state.seats[seat].handed:
            over = partial(self._at_level, "Who takes the seat?", partial(self._propose, "hand_over"))
            entries.append(Entry(f"Hand {f'the seat of {name}' if name else 'my seat'} to a bot", over, key="b"))
        entries.append(Entry(f"{name} resigns" if name else "Resign", self.ask_to_resign, key="r"))
        self._asking.open_list("End early or resign", entries, self._do_when_answered)

    def _do_when_answered(self, do: Callable[[], None]) -> None:
        self._screen.call_later(do)

    def _at_level(self, title: str, then: Callable[[str], None]) -> None:
        from client.tui.chooser import level_entries

        entries = level_entries(self._table_state.game)
        if len(entries) < 2:
            then(entries[0].value if entries else "")
            return
        self._asking.open_list(title, entries, lambda level: self._do_when_answered(partial(then, level)))

    def ask_to_resign(self) -> None:
        """Ask whether to resign, and who takes the seat."""
        if self._say_unable():
            return
        if agreement.continues_after_resignation(self._table_state):
            self._at_level("Who takes the seat?", self._confirm_resigning)
        else:
            self._confirm_resigning("")

    def _confirm_resigning(self, level: str) -> None:
        question = agreement.resigning_words(self._table_state, self._seat, level)
        resign = partial(self._propose, "resign", level)
        self._asking.open_question(question, "Resign", "Play on", resign)

    def _propose(self, what: Wish, level: str = "", until: Until = "", seat: int | None = None) -> None:
        wish = Proposal(0, self._seat if seat is None else seat, what, level, until)
        self._ask_host(partial(self._report_proposal, wish))

    async def _report_proposal(self, wish: Proposal) -> None:
        asked = self._table_state.proposal
        if asked is not None and asked.seat in self._table_state.my_seats:
            self._taken_back = asked.number
        if await self._requests.make(wish) and wish.what == "hurry":
            self._screen.say(agreement.HURRY[wish.until], "text")

    def follow_proposals(self, before: TableState, now: TableState) -> None:
        """Show the outcome of the player's own request, and close another player's outdated one."""
        asked = before.proposal
        if asked is not None and (asked.seat not in now.my_seats or asked.number == self._taken_back):
            asked = None
        if now.proposal is not None and now.proposal.seat in now.my_seats:
            self._screen.say(agreement.waiting(now, now.proposal), "text")
        elif asked is not None and now.proposal is None:
            refused = agreement.was_refused(asked, now)
            self._screen.say(agreement.REFUSED if refused else agreement.ALL_AGREED, "warn" if refused else "text")
        still = agreement.asked_of_me(now)
        if self._shown is not None and (still is None or still.number != self._heard):
            self._shown.dismiss(None)
        if due := self._requests.due_request():
            self._ask_host(partial(self._report_proposal, due))

    def show_question(self) -> None:
        """Show another player's request, once."""
        asked = agreement.asked_of_me(self._table_state)
        if asked is not None and asked.number != self._heard:
            self._answer()

    def _answer(self) -> None:
        from client.tui.chooser import Entry

        state = self._table_state
        asked = agreement.asked_of_me(state)
        if asked is None:
            self._screen.say(agreement.NOTHING_ASKED)
            return
        seat = agreement.my_answer_seat(state, asked)
        self._heard = asked.number

        async def answer(agree: bool) -> None:
            await self._screen.session.agree(seat, asked.number, agree=agree)
            # The news of it may have come before the reply, when no other request was possible.
            if due := self._requests.due_request():
                await self._report_proposal(due)

        def answered(agree: bool) -> None:
            self._ask_host(partial(answer, agree))

        # It opens in the middle of play, so keys typed just then (y for a hint, enter) must not answer it.
        answers = [
            Entry("Answer later", None),
            Entry("Agree", True, key="Y"),
            Entry(agreement.disagree_words(state, asked), False, key="N"),
        ]
        question = agreement.question_words(state, asked)
        self._shown = self._asking.open_list(question, answers, answered, partial(self._unanswered, asked))

    def _unanswered(self, asked: Proposal) -> None:
        if agreement.asked_of_me(self._table_state) == asked:
            key = live_key(self._screen, "game.ends")
            self._screen.say(agreement.reminder_words(self._table_state, asked, key), "text")
