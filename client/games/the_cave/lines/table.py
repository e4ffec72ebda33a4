"""A table played or watched in line mode: every command, and what it does."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from cave.the_cave.actions import Choice, Discard, Exchange, Move
from cave.the_cave.forms import action_json
from cave.the_cave.geometry import Coord, around
from cave.the_cave.placing import unexplored_exits
from client.games.the_cave import actions, packing
from client.games.the_cave.journey import tile_for
from client.games.the_cave.lines import amounts, looking, options, people, places, things
from client.games.the_cave.lines.amounts import Unclear
from client.games.the_cave.lines.options import Option
from client.games.the_cave.packing import Draft
from client.launch.opening import NOT_SAVED
from client.plain import news, sentences, words
from client.plain.console import Console
from client.plain.talk import Talk, asks
from client.present.chat import ONLY_PLAYERS
from client.present.trouble import NO_LINK
from client.program import typed
from client.table import Session

Do = Callable[[str], Awaitable[None]]


class PlainTable(Talk):
    """The conversation at a live table. ``run`` ends when the person leaves, or the input does;
    ``rematch`` is then whether a rematch is wished.
    """

    def __init__(
        self,
        session: Session,
        console: Console,
        *,
        address: str = "",
        last_pack: Any = None,
        guide: bool = False,
        saved: bool = True,
        remember: Callable[[Any], None] | None = None,
    ) -> None:
        super().__init__(session, console, last_pack=last_pack, guide=guide)
        self._address = address
        self._saved = saved
        self._remember = remember
        self._left = False
        self.rematch = False
        self._doing: dict[str, Do] = {
            "moves": self._moves,
            "why": self._why,
            "who": self._who,
            "go": self._go_to,
            "discover": lambda _rest: self._plain("discover"),
            "dive": lambda _rest: self._plain("dive"),
            "photo": lambda _rest: self._plain("photograph"),
            "pitch": lambda _rest: self._plain("pitch"),
            "strike": lambda _rest: self._plain("strike"),
            "abandon": self._abandon,
            "end": self._end,
            "place": self._place,
            "pack": self._pack,
            "try": self._try,
            "exchange": self._exchange,
            "discard": self._discard,
            "undo": self._undo,
            "reset": self._reset,
            "chat": self._chat,
            "takeover": self._take_over,
        }

    async def run(self) -> None:
        """Talk until the person leaves; raises as the console does."""
        try:
            async with asyncio.TaskGroup() as group:
                await self._greet()
                follower = group.create_task(self.follow())
                await self._converse()
                follower.cancel()
        except* OSError as unheard:
            raise unheard.exceptions[0] from None
        finally:
            # Who sits at a terminal is told more when the table is left.
            now = self.state
            kept = now.status == "playing" and (now.touched or bool(self._address))
            if not self.console.live and now.my_seats and kept:
                await self.console.tell(sentences.KEPT if self._saved else NOT_SAVED)

    async def _greet(self) -> None:
        state = self.state
        self.listen()
        lines = [f"{state.game.title}. Type help for the commands."]
        if state.status == "waiting":
            lines += news.waiting_for(state.waits_for)
            where = self._address or state.address
            lines += [f"The others type: {typed(f'join {where}')}"] if where else []
        elif not state.my_seats:
            lines.append(sentences.WATCHING)
        if state.view is not None:
            lines += people.turn(self.desk) if not self.desk.choices else []
        await self.console.tell(*lines)

    async def _converse(self) -> None:
        while not self._left:
            if not self.console.live:
                # What is read from a file or a pipe does not know how long others take.
                await self.until(lambda state: asks(state) and state.link != "lost")
            await self.tell_news()
            line = await self.console.line(self.prompt)
            if line is None:
                return
            await self.take(line)

    async def take(self, line: str) -> None:
        """Do what a line says."""
        first, _, rest = line.strip().partition(" ")
        word, rest = first.casefold(), rest.strip()
        if not word:
            return
        if word.isdecimal():
            await self._number(int(word[:6]))
            return
        command = words.find(word)
        if command is None:
            await self.console.tell(words.unknown(word))
            return
        name = command.name
        if name == "quit":
            self._left = True
        elif name == "rematch":
            await self._again()
        elif name == "help":
            await self.console.tell(*words.helped(rest.casefold()))
        elif name == "rules":
            await self.console.tell(*looking.rules(rest.casefold()))
        elif name == "save":
            await self.console.tell(sentences.SAVED if self._saved else NOT_SAVED)
        elif name in ("who", "chat", "takeover"):
            await self._doing[name](rest)
        elif self.desk.view is None:
            await self.console.tell(sentences.WAITING)
        elif name in looking.LOOKS:
            await self.console.tell(*looking.LOOKS[name](self.desk, rest.casefold()))
        elif not self._may_act():
            await self.console.tell(self._why_not_now())
        elif name in ("north", "east", "south", "west"):
            await self._go_side(name[0].upper(), rest.casefold())
        else:
            await self._doing[name](rest if name == "chat" else rest.casefold())

    def _may_act(self) -> bool:
        if self.state.halted:
            return False
        return self.desk.can_act or (self.desk.mode == "packing" and bool(self.desk.choices))

    def _why_not_now(self) -> str:
        if self.state.cut_off and self.desk.mode != "over":
            return NO_LINK if self.state.expects_host else news.CLOSED[self.state.closed]
        if self.state.set_aside:
            return self.state.set_aside
        if self.desk.mode == "watching":
            return sentences.WATCHING
        return people.turn(self.desk)[0] if self.desk.mode == "over" else sentences.NOT_YOURS

    def after_the_end(self) -> list[str]:
        """How to play again, and how to leave."""
        return [sentences.HOW_TO_GO_ON if self.state.my_seats else sentences.HOW_TO_LEAVE]

    async def _again(self) -> None:
        if not self.state.my_seats:
            await self.console.tell(sentences.WATCHING)
        elif self.state.status != "over":
            await self.console.tell(sentences.NOT_OVER)
        else:
            self.rematch = self._left = True

    # Lists and numbers

    async def _moves(self, _rest: str) -> None:
        if self.desk.mode == "packing":
            await self.console.tell(*self.offer_packs(self.desk))
        else:
            await self.console.tell(*self.list_options(self.desk))

    async def _number(self, number: int) -> None:
        if not self.numbers and not self.kits:
            await self.console.tell(sentences.NO_NUMBERS if self._may_act() else self._why_not_now())
        elif not self.listed or self.state.halted:
            await self.console.tell(sentences.OLD_NUMBERS if self._may_act() else self._why_not_now())
        elif not 1 <= number <= len(self.numbers or self.kits):
            await self.console.tell(f"The list goes from 1 to {len(self.numbers or self.kits)}.")
        elif self.kits:
            await self._fill(self.kits[number - 1].draft)
        else:
            await self._choose_option(self.numbers[number - 1])

    async def _choose_option(self, option: Option) -> None:
        if option.choice is not None:
            await self._do(option.choice)
        else:
            await self.take(option.command)

    async def _do(self, choice: Choice) -> None:
        move = choice.action
        forced = isinstance(move, Move) and move.by == "force" and self.desk.mode != "starving"
        if not forced or await self.ask(sentences.FORCE):
            await self.act(action_json(move))

    async def _plain(self, kind: str) -> None:
        """An action that needs no more to be said."""
        choice = actions.find(self.desk.choices, kind)
        if isinstance(choice, Choice):
            await self.act(action_json(choice.action))
        else:
            await self.console.tell(self._refusal(kind))

    def _refusal(self, kind: str) -> str:
        if self.desk.mode == "placing":
            return sentences.FIRST_PLACE
        return options.why_not(self.desk, kind) or sentences.NOT_NOW

    async def _why(self, rest: str) -> None:
        """Why everything else is not possible, or one thing."""
        if not rest:
            await self.console.tell(*options.refused(self.desk) or ["Everything is possible now."])
            return
        at = places.find(self.desk.cave, self.desk.team_at, rest)
        if at is not None:
            why = actions.why_at(self.desk.refusals, at)
            legal = actions.ways_to(self.desk.choices, at)
            await self.console.tell(
                "That is possible now." if legal else why or "That is no neighbour of yours."
            )
            return
        command = words.find(rest)
        name = command.name if command is not None else rest
        kind = {word: kind for kind, word in options.COMMANDS.items()}.get(name, name)
        if actions.find(self.desk.choices, kind) is not None:
            await self.console.tell("That is possible now.")
        else:
            await self.console.tell(self._refusal(kind) if command is not None else words.unknown(rest))

    async def _take_over(self, _rest: str) -> None:
        if self.state.taken:
            await self.request(self.session.take_back())
        else:
            await self.console.tell(sentences.NOTHING_TAKEN)

    async def _who(self, _rest: str) -> None:
        await self.console.tell(*people.seats(self.state))

    # Moving

    async def _go_side(self, side: str, rest: str) -> None:
        to = next(near.at for near in around(self.desk.team_at) if near.side == side)
        await self._enter(to, rest)

    async def _enter(self, to: Coord, by: str) -> None:
        """Into a neighbour: the one way there is, the one that was named, or one that is chosen."""
        now = self.desk
        into = tuple(actions.ways_to(now.choices, to))
        named = [word for word in ("oxygen", "raft", "force", "foot") if word in by.split()]
        if named:
            into = tuple(
                choice for choice in actions.moves(now.choices) if choice.action == Move(to, named[0])
            )
        if not into:
            await self.console.tell(self._no_way(to))
        elif len(into) == 1:
            await self._do(into[0])
        else:
            index = await self.choose([option.text for option in options.way_options(now, into)])
            if index is not None:
                await self._do(into[index])

    def _no_way(self, to: Coord) -> str:
        now = self.desk
        if now.mode == "placing":
            return sentences.FIRST_PLACE
        if to in unexplored_exits(now.cave.board, now.team_at):
            why = actions.obvious(now.cave, now.seat or 0, now.choices, now.refusals, to)
            return why.line.why or sentences.TYPE_DISCOVER
        if to not in now.cave.board:
            return sentences.ROCK
        return actions.why_at(now.refusals, to) or "There is no way there now."

    async def _go_to(self, rest: str) -> None:
        now = self.desk
        head, _, by = rest.partition(" by ")
        at = places.find(now.cave, now.team_at, head)
        if at is None:
            await self.console.tell(looking.NO_PLACE)
            return
        if at == now.team_at:
            await self.console.tell("You are there.")
            return
        if now.mode == "placing":
            await self.console.tell(sentences.FIRST_PLACE)
            return
        found = actions.obvious(now.cave, now.seat or 0, now.choices, now.refusals, at)
        if found.do == "discover":
            await self.console.tell(sentences.TYPE_DISCOVER)
        elif by or found.do == "move":
            await self._enter(found.goal or at, by)
        elif found.do == "walk":
            await self._walk(found)
        else:
            nowhere = tile_for(now.cave, now.seat or 0, at) is None
            await self.console.tell(places.tile(now.cave, at) if nowhere else found.line.why)

    async def _walk(self, found: actions.Obvious) -> None:
        """Step by step, and where the AP end on the way, how far it is still."""
        for leg in found.legs:
            if not await self.act(action_json(Move(leg.to, leg.by))):
                return
        if found.stopped:
            await self.console.tell(found.stopped)

    # Tile, turn, camp

    async def _place(self, rest: str) -> None:
        if self.desk.mode != "placing":
            await self.console.tell("There is no discovered tile to place (rule 4.2).")
        elif rest.isdecimal():
            if not self.listed or not self.numbers:
                self.list_options(self.desk)
            await self._number(int(rest[:6]))
        else:
            await self.console.tell(*self.list_options(self.desk))

    async def _end(self, rest: str) -> None:
        now = self.desk
        loses = actions.loses_something(now.cave, now.choices) and now.mode == "acting"
        if not loses or rest in ("yes", "y") or await self.ask(sentences.END.format(ap=now.cave.ap)):
            await self._plain("end_turn")

    async def _abandon(self, _rest: str) -> None:
        if actions.find(self.desk.choices, "abandon") is None or await self.ask(sentences.ABANDON):
            await self._plain("abandon")

    async def _undo(self, _rest: str) -> None:
        await self._take_back(1)

    async def _reset(self, _rest: str) -> None:
        await self._take_back(self.state.undoable.get(self.desk.seat or 0, 0))

    async def _take_back(self, steps: int) -> None:
        if not steps or not self.state.undoable.get(self.desk.seat or 0, 0):
            await self.console.tell(sentences.NOTHING_TO_UNDO)
        else:
            await self.undo(steps)

    # Things

    async def _pack(self, rest: str) -> None:
        form = options.form_of(self.desk, "pack")
        if form is None:
            await self.console.tell(self._refusal("pack"))
        elif not rest:
            await self.console.tell(*things.bag(self.desk), *self.offer_packs(self.desk))
        elif rest in ("same", "same as last trip"):
            self.offer_packs(self.desk)
            last = next((kit for kit in self.kits if kit.name == packing.SAME), None)
            if last is None:
                await self.console.tell("There was no earlier trip.")
            else:
                await self._fill(last.draft)
        else:
            try:
                wanted = things.checked(form.limits, amounts.draft(rest))
            except Unclear as why:
                await self.console.tell(str(why))
            else:
                await self._fill(wanted)

    async def _fill(self, draft: Draft) -> None:
        """Pack; what may be a mistake is asked about first."""
        form = options.form_of(self.desk, "pack")
        if form is None:
            await self.console.tell(self._refusal("pack"))
            return
        warned = packing.warnings(form.limits, draft)
        if warned and not await self.ask(" ".join([*warned, "Pack it?"])):
            return
        action = packing.pack_action(draft)
        if await self.act(action) and self._remember is not None:
            self._remember(packing.remembered(action))

    async def _try(self, rest: str) -> None:
        form = options.form_of(self.desk, "pack")
        try:
            if form is None:
                raise Unclear(self._refusal("pack"))
            wanted = things.checked(form.limits, amounts.draft(rest))
        except Unclear as why:
            await self.console.tell(str(why))
            return
        lines = things.allowed(wanted, form.ap)
        await self.console.tell(f"{things.words(wanted)}.", *lines, *packing.warnings(form.limits, wanted))

    async def _exchange(self, rest: str) -> None:
        form = options.form_of(self.desk, "exchange")
        if form is None:
            await self.console.tell(self._refusal("exchange"))
        elif not rest:
            await self.console.tell(*things.bag(self.desk), sentences.HOW_TO_EXCHANGE)
        else:
            try:
                action = Exchange(*amounts.exchange(rest))
            except Unclear as why:
                await self.console.tell(str(why))
            else:
                await self.act(action_json(action))

    async def _discard(self, rest: str) -> None:
        form = options.form_of(self.desk, "discard")
        if form is None:
            await self.console.tell(self._refusal("discard"))
            return
        if not rest:
            await self.console.tell(*things.bag(self.desk), sentences.HOW_TO_DISCARD)
            return
        try:
            dropped = amounts.items(rest)
        except Unclear as why:
            await self.console.tell(str(why))
            return
        lasting = dropped.camera or dropped.raft
        if not lasting or await self.ask(sentences.GONE.format(things=things.things(dropped))):
            await self.act(action_json(Discard(dropped)))

    # Words

    async def _chat(self, rest: str) -> None:
        if not self.state.may_talk:
            await self.console.tell(ONLY_PLAYERS)
        elif not rest:
            await self.console.tell(sentences.HOW_TO_CHAT)
        else:
            await self.request(self.session.say(rest))
