"""Shows the other players' actions step by step as they arrive, and again on request."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from rich.cells import cell_len

from client.face import LogEntry
from client.present.log import entries, log_entry
from client.table import TableState
from client.tui import sentences
from client.tui.board.view import BoardView
from client.tui.motion import Effect, MotionPlayer
from client.tui.themes import motion_of

STEP = Effect(0.9, 1, calm=True)
JOIN = ". "
FEW = 3  # if more steps than this are waiting, several are shown together
KEPT = 40  # states to keep for looking back: as many as a round of a large table has steps
ROWS = 3  # most rows of recent events above the dialog that asks for the next player


class TurnRecap:
    """Shows steps of the log in the message line, and lights their places on the board."""

    def __init__(self, screen: Any) -> None:
        self._screen = screen
        self._seen: int | None = None  # the length of the log already followed
        self.waiting: list[LogEntry] = []  # steps still to show
        self._shown: list[LogEntry] = []
        self._painted_lit = False  # whether the last painted board had lit places of steps
        self._back: int | None = None  # while looking back: the step shown
        self._states: dict[int, TableState] = {}  # of the round, by the length of their log
        self.text = ""
        self.player = MotionPlayer(screen, STEP, self._show_step, lambda: motion_of(screen.app))

    @property
    def lit_places(self) -> Sequence[Any]:
        return [entry.at for entry in self._shown if entry.at is not None]

    @property
    def seat_of_step(self) -> int | None:
        """The seat whose step is shown, if that has a place."""
        return next((entry.seat for entry in self._shown if entry.at is not None), None)

    @property
    def looks_back(self) -> bool:
        return self._back is not None

    def keep_state(self, state: TableState) -> None:
        now = len(state.log)
        kept = [(end, each) for end, each in self._states.items() if end < now]
        self._states = dict([*kept, (now, state)][-KEPT:])

    def follow(self, scene: Any) -> None:
        """Show the new steps of the log: when a table reopens, those since the seat's last turn; none after
        an undo.
        """
        log, seen = scene.state.log, self._seen
        self._seen = len(log)
        if seen is None:
            returns = scene.since and scene.state.my_seats and not scene.over
            seen = scene.since if returns else len(log)
        if len(log) == seen or self._screen.replays:
            return
        if self._back is not None:
            self.end()
        face, state = self._screen.face, scene.state
        for index in range(seen, len(log)):
            event = log[index].event
            seat = event.get("seat")
            rival = bool(state.my_seats) and state.lesson is None and seat is not None
            if event["type"] in face.falling or (rival and not state.plays(seat)):
                entry = log_entry(face.log_line, index, log[index], scene.view)
                self.waiting += [entry] if entry else []
        # The message line is set after the panes are painted.
        self._screen.call_after_refresh(self._begin)

    def take_waiting_text(self) -> str:
        """Return and clear the waiting steps as one text."""
        lines = [entry.sentence for entry in (*self._shown, *self.waiting)]
        self.waiting = []
        self.player.stop()
        room = ROWS * (self._screen.size.width - 2)
        return JOIN.join(lines[-_count_fitting_lines(lines[::-1], room) :]) if lines else ""

    def step_back(self) -> None:
        """Show the step before the displayed one, back to the user's last turn, with the board after it.
        Steps before this client joined, or in one burst with later ones, were never seen.
        """
        screen, back = self._screen, self._back
        self.end()
        now = screen.scene
        if screen.replays:
            screen.say(sentences.ONLY_SEEN)
            return
        found = [each for each in entries(screen.face.log_line, now.state.log, now.view) if each.index >= now.since]
        if not found:
            screen.say(screen.with_own_keys(sentences.NOTHING_SINCE), "text")
            return
        self._back = max(0, (len(found) if back is None else back) - 1)
        step = found[self._back]
        log = now.state.log
        then = next((state for end, state in self._states.items() if step.index < end < len(log)), None)
        exact = then is not None and then.log[-1].seq == log[step.index].seq
        seen = exact or (step.index == len(log) - 1 or log[step.index].seq == log[-1].seq)
        how = screen.with_own_keys(sentences.STEPPING if seen else sentences.STEPPING_LATER)
        screen.show_past_state(then)
        self._put([step], f"{self._back + 1} of {len(found)}: {step.sentence}   {how}")
        if step.at is not None:
            for board in screen.query(BoardView):
                board.scroll_into_view(step.at)

    def end(self) -> None:
        """Return to the present when the user acts; only the user's own steps are still shown."""
        self.waiting = [*filter(self._is_own, self.waiting)]
        if self._back is not None:
            self._back = None
            self._screen.show_past_state(None)
            self._put([], "")
            for board in self._screen.query(BoardView):
                board.scroll_into_view(board.cursor)
        elif not any(map(self._is_own, self._shown)):
            self.player.stop()

    def _is_own(self, step: LogEntry) -> bool:
        return step.seat is not None and bool(self._screen.scene.state.plays(step.seat))

    def _begin(self) -> None:
        if not motion_of(self._screen.app).allows(STEP):
            self.waiting = []
        elif not self.player.is_moving:
            self._show_next_step()

    def _show_next_step(self) -> None:
        if self.waiting:
            at_once = 1
            if len(self.waiting) > FEW:
                lines = [entry.sentence for entry in self.waiting]
                at_once = max(1, _count_fitting_lines(lines, self._screen.size.width - 2))
            steps = self.waiting[:at_once]
            del self.waiting[:at_once]
            self._shown = steps
            self.player.start()
            if not self.player.is_moving:
                # If motion was turned off meanwhile, nothing may stay lit.
                self.waiting = []
                self._put([], "")

    def _show_step(self, number: int | None) -> None:
        if number is not None:
            self._put(self._shown, JOIN.join(entry.sentence for entry in self._shown))
        elif self.waiting and self._screen.is_current:
            self._show_next_step()
        else:
            self.waiting = []
            self._put([], "")

    def _put(self, steps: list[LogEntry], text: str) -> None:
        was_lit = self._painted_lit
        self._shown, self.text = steps, text
        self._painted_lit = bool(self.lit_places)
        self._screen.say("")
        if was_lit or self._painted_lit:
            self._screen.paint()


def _count_fitting_lines(lines: list[str], room: int) -> int:
    ends = accumulate(cell_len(each) + len(JOIN) for each in lines)
    return sum(end - len(JOIN) <= room for end in ends)
