"""A Session for tests that runs the rules core in this process; no host, no socket."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from cave import record
from cave.game import Json, Refused
from cave.games import get_game
from client.table import ChatLine, Closed, Link, LogLine, Proposal, Rejected, Seat, TableState

NAMES = ("Ann", "Bea", "Cyd", "Dan", "Eve")
Policy = Callable[[Any, int], Any]
"""Returns the action for the full state and a seat: plays the seats that are not held."""


class FakeSession:
    """A table in this process, of The Cave by default.

    ``mine`` are the seats held. ``others`` plays the other seats at once; without it they wait until a test
    calls ``play``. ``start`` is a state to begin with instead of a new game.
    """

    def __init__(
        self,
        names: Sequence[str] = ("Ann", "Bea"),
        mine: Sequence[int] = (0,),
        *,
        seed: str = "fake",
        settings: Json = None,
        start: Any = None,
        others: Policy | None = None,
        game: str = "the-cave",
        hints: bool = True,
    ) -> None:
        self.hints = hints
        self.game = get_game(game)
        self.full = start if start is not None else self.game.new(len(names), settings or {}, seed)
        seats = len(self.game.standing(self.full))
        self.names = [*names, *NAMES[len(names) :]][:seats]
        self.mine = tuple(mine)
        self.taken: tuple[int, ...] = ()
        self.others = others
        self.link: Link = "live"
        self.closed: Closed = ""
        self.acted: list[tuple[int, Json]] = []
        self.proposed: list[tuple[int, str, str, str]] = []
        self.agreed: list[tuple[int, int, bool]] = []
        self.proposal: Proposal | None = None
        self._history: list[tuple[Any, int]] = []
        self._start = self.full
        self._played: list[tuple[int, Any]] = []
        self._log: list[LogLine] = []
        self._chat: list[ChatLine] = []
        self._seq = 0
        self.listeners: list[Any] = []
        self._run_others()
        self.now = self.make()

    @property
    def state(self) -> TableState:
        return self.now

    def listen(self, listener: Any) -> None:
        self.listeners.append(listener)

    def unlisten(self, listener: Any) -> None:
        self.listeners.remove(listener)

    async def act(self, seat: int, action: Json) -> None:
        if self.link != "live":
            raise ConnectionError("The host cannot be reached.")
        if seat not in self.mine:
            raise Rejected("not_your_seat", "That seat is not yours.")
        self.acted.append((seat, action))
        try:
            self._do(seat, self.game.decode(self.full, seat, action))
        except Refused as refused:
            raise Rejected(refused.code, refused.message) from None
        self._run_others()
        self._tell()

    def play(self, seat: int, action: Any) -> None:
        """Let any seat do an action (a value of the game)."""
        self._do(seat, action)
        self._tell()

    def play_on(self, choose: Callable[[Any], tuple[int, Any] | None]) -> None:
        """Do the action chosen for each state, until that is None; then show it all at once."""
        while move := choose(self.full):
            self._do(*move)
        self._tell()

    async def undo(self, seat: int, steps: int = 1) -> None:
        if self.game.to_act(self.full) != {seat} or steps > len(self._history):
            raise Rejected("nothing_to_undo", "There is nothing to undo.")
        for _ in range(steps):
            self.full, length = self._history.pop()
            self._played.pop()
            del self._log[length:]
            self._seq += 1
        self._tell()

    async def propose(self, seat: int, what: str, *, level: str = "", until: str = "") -> bool:
        if self.link != "live":
            raise ConnectionError("The host cannot be reached.")
        if self.proposal is not None and self.proposal.seat != seat:
            raise Rejected("pending", "Another player's question is still open.")
        self.proposed.append((seat, what, level, until))
        return not self.proposal

    async def agree(self, seat: int, number: int, *, agree: bool) -> None:
        self.agreed.append((seat, number, agree))
        self.proposal = None
        self._tell()

    def ask(self, proposal: Proposal | None) -> None:
        """Make a player's request to the others."""
        self.proposal = proposal
        self._tell()

    async def take_back(self) -> None:
        self.mine, self.taken = (*self.mine, *self.taken), ()
        self._tell()

    async def say(self, text: str) -> None:
        name = self.names[self.mine[0]] if self.mine else "a watcher"
        self._chat.append(ChatLine(name, text))
        self._tell()

    async def record(self) -> list[Json]:
        return self.lines()

    def lines(self) -> list[Json]:
        seats = [record.SeatForm(name) for name in self.names]
        start = self.game.position(self._start, self.names)
        head = record.header_line(self.game, {}, seats, seed=None, created="", start=start)
        return [head, *(record.action_line(seat, self.game.action_json(action)) for seat, action in self._played)]

    async def close(self) -> None:
        self.set_link("closed")

    def take_over(self, seat: int) -> None:
        self.mine = tuple(mine for mine in self.mine if mine != seat)
        self.taken = (*self.taken, seat)
        self._tell()

    def set_link(self, link: Link, closed: Closed = "") -> None:
        """Lose or find the host."""
        self.link, self.closed = link, closed
        self._tell()

    def _do(self, seat: int, action: Any) -> None:
        before = self.full
        step = self.game.apply(before, seat, action)
        self._seq += 1
        self._played.append((seat, action))
        alone = self.game.to_act(before) == self.game.to_act(step.state) == {seat}
        if alone and not any(map(self.game.is_barrier, step.events)):
            self._history.append((before, len(self._log)))
        else:
            self._history.clear()
        self.full = step.state
        self._log += [LogLine(self._seq, self.game.event_json(self.game.public_event(event))) for event in step.events]

    def _run_others(self) -> None:
        if self.others is None:
            return
        while True:
            ready = [seat for seat in sorted(self.game.to_act(self.full)) if seat not in self.mine]
            if not ready:
                return
            self._do(ready[0], self.others(self.full, ready[0]))

    def make(self) -> TableState:
        game, full = self.game, self.full
        over = game.over(full)
        bots = () if self.others is None else set(range(len(self.names))) - set(self.mine)
        seats = tuple(
            Seat(name, "bot" if seat in bots else "person", mine=seat in self.mine)
            for seat, name in enumerate(self.names)
        )
        shown = [seat.name_as_shown for seat in seats]
        return TableState(
            hints=self.hints,
            table="K7QF",
            title=game.title,
            game=game,
            seq=self._seq,
            status="over" if over else "playing",
            seats=seats,
            view=game.view(full, None, shown),
            views={seat: game.view(full, seat, shown) for seat in self.mine},
            choices={seat: game.choices(full, seat) for seat in self.mine},
            refusals={seat: game.why_not(full, seat) for seat in self.mine},
            undoable={seat: len(self._history) if game.to_act(full) == {seat} else 0 for seat in self.mine},
            log=tuple(self._log),
            chat=tuple(self._chat),
            link=self.link,
            closed=self.closed,
            taken=self.taken,
            proposal=self.proposal,
        )

    def _tell(self) -> None:
        self.now = self.make()
        for listener in list(self.listeners):
            listener(self.now)

    def again(self, mine: Sequence[int] | None = None) -> FakeSession:
        """Return the same table in its present state, without listeners; ``mine`` to hold other seats."""
        other = copy.copy(self)
        other.mine = self.mine if mine is None else tuple(mine)
        for name in ("acted", "_history", "_played", "_log", "_chat"):
            setattr(other, name, list(getattr(self, name)))
        other.listeners = []
        other.now = other.make()
        return other

    def evolve(self, **changes: Any) -> None:
        """Show a state with these fields changed."""
        self.show(msgspec.structs.replace(self.now, **changes))

    def show(self, state: TableState) -> None:
        """Show a state, independent of the actions played."""
        self.now = state
        for listener in list(self.listeners):
            listener(state)
