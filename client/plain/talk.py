"""A conversation at a table: tells what happens as it comes, asks, and lets actions be done."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from client.games.the_cave import packing
from client.games.the_cave.help import goal
from client.games.the_cave.lines import people, places, things
from client.games.the_cave.lines.options import Option, form_of, numbered, options
from client.games.the_cave.scene import Desk, desk
from client.plain.console import Console
from client.plain.news import News
from client.table import Rejected, Session, TableState

HOST_GONE = "The host does not answer."
YES = ("y", "yes", "1")
NO = ("n", "no", "2")
STARVING = "Starving: the whole turn is one forced move (rule 3.2)."


class Talk:
    """Says what happens at a table. ``numbers`` are the options of the last list, ``kits`` its packs.

    With ``guide`` the first packing begins with what wins and what loses.
    """

    def __init__(
        self, session: Session, console: Console, *, last_pack: Any = None, guide: bool = False
    ) -> None:
        self.session = session
        self.console = console
        self.last_pack = last_pack
        self._guide = guide
        self.desk: Desk = desk(session.state, None)
        self.numbers: tuple[Option, ...] = ()
        self.kits: tuple[packing.Kit, ...] = ()
        self.scored = False
        self._listed: tuple[Any, ...] = ()
        self._packs: dict[int, Any] = {}
        self._news = News()
        self._beat = asyncio.Event()
        self._telling = asyncio.Lock()
        self._announced: tuple[Any, ...] = ()
        self._counted = -1

    @property
    def state(self) -> TableState:
        """What is known now."""
        return self.session.state

    # Following

    def listen(self) -> None:
        """Hear of every change."""
        if any(line.event["type"] == "began" for line in self.state.log):
            self._news.pass_over(self.state)
        self.session.listen(self._hear)

    def _hear(self, _state: TableState) -> None:
        past, self._beat = self._beat, asyncio.Event()
        past.set()

    async def follow(self) -> None:
        """Tell what happens as it comes; never ends."""
        while True:
            beat = self._beat
            await self.tell_news()
            await beat.wait()

    async def until(self, holds: Callable[[TableState], bool]) -> None:
        """Wait for a state of which this holds; then everything up to it has been told."""
        while True:
            beat = self._beat
            if holds(self.state):
                break
            await beat.wait()
        await self.tell_news()

    async def tell_news(self) -> None:
        """Tell what is new, and whose turn it is now."""
        async with self._telling:
            state = self.state
            lines = self._news.of(state)
            if state.whole and state.view is not None:
                self.desk = desk(state, self.desk.seat)
                lines += self._now(self.desk)
            if lines:
                await self.console.tell(*lines)

    def _now(self, now: Desk) -> list[str]:
        """What the new state asks of the person at this keyboard."""
        if now.mode == "over":
            if self.scored:
                return []
            self.scored = True
            return [*people.sheet(now), *self.after_the_end()]
        if not now.choices or not asks(now.state):
            return []
        key = (now.seat, now.mode, _turn_began(now.state))
        if key == self._announced:
            fresh = now.mode == "acting" and now.state.seq != self._counted
            self._counted = now.state.seq
            return self._after_a_step(now) if fresh else []
        same_turn = self._announced[:1] == key[:1] and self._announced[2:] == key[2:]
        self._announced, self._counted = key, now.state.seq
        match now.mode:
            case "packing":
                return [*self._first_words(now), *self.offer_packs(now)]
            case "placing":
                return [_places(now), *self.list_options(now)]
            case "starving":
                return [*people.turn(now)[:1], STARVING, *self.list_options(now)]
            case _:
                return self._after_a_step(now) if same_turn else [" ".join(people.turn(now))]

    def _first_words(self, now: Desk) -> tuple[str, ...]:
        """What a first game is about, once."""
        guided, self._guide = self._guide, False
        return goal(now.cave.settings) if guided else ()

    def _after_a_step(self, now: Desk) -> list[str]:
        """What is left of the turn; of a tile just placed also what it takes to go there."""
        last: Any = next((line.event for line in reversed(now.state.log) if line.seq), {})
        into = ""
        if last.get("type") == "placed" and last.get("seat") == now.seat:
            into = places.entering(now.cave, now.team_at, (last["at"][0], last["at"][1]))
        return [" ".join(part for part in (into, *people.left(now)) if part)]

    def after_the_end(self) -> list[str]:
        """What is said after the score sheet."""
        return []

    def offer_packs(self, now: Desk) -> list[str]:
        """The kits that can be packed now, by number."""
        form = form_of(now, "pack")
        assert form is not None
        self.kits = packing.kits(form.limits, self._packs.get(now.seat or 0, self.last_pack))
        self._listed, self.numbers = _offered(now), ()
        first = now.mode == "packing"
        lines = things.offer(form, self.kits, people.owner(now), first=first)
        return [*lines, things.STAYS_READABLE] if first and len(now.state.my_seats) > 1 else lines

    def list_options(self, now: Desk, found: tuple[Option, ...] | None = None) -> list[str]:
        """The options by number; from now on a number means one of them."""
        self.numbers = options(now) if found is None else found
        self.kits, self._listed = (), _offered(now)
        return numbered(self.numbers)

    @property
    def listed(self) -> bool:
        """Whether the numbers told last still mean what they meant, whatever others did meanwhile."""
        return self._listed == _offered(self.desk)

    # Asking

    def prompt(self) -> str:
        """What stands before what is typed; with several people here it says whose turn it is."""
        now = self.desk
        if not asks(self.state):
            return ""
        if now.view is not None and len(now.state.my_seats) > 1 and now.choices:
            return f"{people.owner(now)}> "
        return "> "

    async def ask(self, question: str) -> bool:
        """Whether the answer is yes. What is no answer means no, and is taken up next."""
        await self.console.tell(f"{question} 1 yes, 2 no.")
        line = await self.console.line(lambda: "? ")
        answer = (line or "").casefold()
        if line is not None and answer not in (*YES, *NO, ""):
            self.console.give_back(line)
        return answer in YES

    async def choose(self, lines: Sequence[str]) -> int | None:
        """The index of the line whose number is typed; what is no number is taken up next."""
        await self.console.tell(*(f"{number} {line}" for number, line in enumerate(lines, 1)))
        line = await self.console.line(lambda: "? ")
        if line is not None and line.isdigit() and 1 <= int(line[:6]) <= len(lines):
            return int(line[:6]) - 1
        if line:
            self.console.give_back(line)
        return None

    # Doing

    async def act(self, action: Any) -> bool:
        """Do an action of the shown seat (its public form) and tell what came of it; whether it was done."""
        seat = self.desk.seat or 0
        before = self.state.seq
        if not await self.request(self.session.act(seat, action)):
            return False
        if action["type"] == "pack":
            self._packs[seat] = action
        await self.until(lambda state: _took_place(state, seat, before))
        return True

    async def undo(self, steps: int) -> bool:
        """Take back so many steps of the shown seat."""
        before = self.state.seq
        if not await self.request(self.session.undo(self.desk.seat or 0, steps)):
            return False
        await self.until(lambda state: _over_or(state, state.whole and state.seq >= before + steps))
        return True

    async def request(self, asked: Coroutine[Any, Any, None]) -> bool:
        """Whether the host does what it is asked; its refusal is told."""
        try:
            await asked
        except Rejected as no:
            await self.console.tell(no.message)
        except ConnectionError as error:
            await self.console.tell(str(error) or HOST_GONE)
        else:
            return True
        return False


def asks(state: TableState) -> bool:
    """Whether something is due from this keyboard: somebody here is to act, or nobody will any more.

    A bot packs at once, but not always before the person: what is told first must not hang on that.
    """
    if state.link == "closed" or state.status == "over" or not state.my_seats:
        return True
    if not state.whole or not any(state.choices.get(seat) for seat in state.my_seats):
        return False
    cave = state.view.cave
    bots = (number for number, seat in enumerate(state.seats) if seat.kind == "bot")
    return cave.phase != "packing" or all(number in cave.packed for number in bots)


def _offered(now: Desk) -> tuple[Any, ...]:
    """What a list is made of."""
    return (now.seat, now.team_at, now.choices) if now.view is not None else ()


def _turn_began(state: TableState) -> int:
    """What tells one turn from the next: the number of the change that began it."""
    kinds = ("turn_began", "began")
    return next((line.seq for line in reversed(state.log) if line.event["type"] in kinds), 0)


def _took_place(state: TableState, seat: int, before: int) -> bool:
    """Whether an action that was accepted is seen; while all pack, others change the table, too."""
    if state.view is None or not state.whole or state.seq <= before:
        return _over_or(state, False)
    cave = state.view.cave
    return cave.phase != "packing" or seat in cave.packed or state.link == "closed"


def _over_or(state: TableState, holds: bool) -> bool:
    return holds or state.link == "closed"


def _places(now: Desk) -> str:
    number = len(options(now))
    return "It fits in one way:" if number == 1 else f"It fits in {number} ways:"
