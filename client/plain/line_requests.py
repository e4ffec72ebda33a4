"""Commands that ask others: the bots for advice, the players for their consent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from msgspec import structs

from cave.game import Json
from cave.protocol import Wish
from client.adviser import Advise, make_question
from client.plain.line_commands import LineCommand
from client.present import advice, agreement
from client.present.scene import has_secrets
from client.table import Proposal, TableState, Until
from client.wording import a_bot, begun

if TYPE_CHECKING:
    from client.plain.table_dialogue import TableDialogue


ANYWAY = "{warning} Do it anyway?"


class LineAdvice:
    """Hints and the tutor, from the displayed seat's view alone."""

    def __init__(self, talk: TableDialogue[Any], advise: Advise | None, *, tutors: bool) -> None:
        self._talk = talk
        self._advise = advise
        self.tutors = tutors
        self._last = advice.LastHint()

    def commands(self) -> Iterator[LineCommand]:
        yield LineCommand("hint", "what to do now, and why", self._print_hint, when="seated")

    async def _print_hint(self, _rest: str) -> None:
        talk = self._talk
        scene = talk.scene
        why = advice.why_no_hint(talk.state, scene.seat)
        if why or self._advise is None:
            await talk.console.write_lines(why or advice.NOTHING)
            return
        found = await self._advise(make_question(talk.state, scene.seat))
        hint = advice.hint_sentence(talk.face, scene, self._last.next_ideas(talk.face, scene, found))
        if has_secrets(talk.state, scene.seat):
            await talk.reveal(hint)
        else:
            await talk.console.write_lines(hint)

    async def lets_action(self, seat: int, action: Json) -> bool:
        """Return whether to do an action: the tutor asks before a costly one."""
        talk, advise = self._talk, self._advise
        if self._last.includes(action) or not self.tutors or advise is None or advice.why_no_hint(talk.state, seat):
            return True
        scene = talk.scene
        if advice.is_never_costly(talk.face, scene, action):
            return True
        asked = make_question(talk.state, seat, [action])
        warning = advice.tutor_warning(talk.face, scene, await advise(asked), *asked.also)
        return not warning or await talk.ask(ANYWAY.format(warning=warning))


UNTIL: dict[str, Until] = {"": "turn", "turn": "turn", "end": "end", "off": ""}
HOW_TO_HURRY = "Type hurry turn, hurry end or hurry off."
HANDED = "{bot} plays to the end for {who}. Type autoplay off to play yourself again."
HANDED_BACK = "You play yourself again."
NOT_HANDED = "You play yourself; no bot plays for you."
NOT_HURRIED = "Bots pause already before they act."


def _handed_words(state: TableState, seat: int, level: str) -> str:
    return HANDED.format(bot=begun(a_bot(level)), who=state.seats[seat].name_as_shown if state.hot_seat else "you")


class LineAgreement:
    def __init__(self, talk: TableDialogue[Any]) -> None:
        self._talk = talk
        self._requests = agreement.AgreementReminders(talk.session)

    def commands(self) -> Iterator[LineCommand]:
        hurry = "let bots play without pause until your turn"
        yield LineCommand("hurry", hurry, self._hurry, "[turn, end or off]", when="seated")
        autoplay = "let a bot play to the end for you"
        yield LineCommand("autoplay", autoplay, self._hand_to_bot, "[level, or off]", when="seated")
        resign = "give the game up; asks first"
        yield LineCommand("resign", resign, self._resign, "[level of the bot]", when="seated", spelled_out=True)
        yield LineCommand(
            "agree", "agree to what another player asks", lambda _: self._answer(agree=True), when="seated"
        )
        yield LineCommand("decline", "do not agree to it", lambda _: self._answer(agree=False), when="seated")

    def handed_over_words(self) -> list[str]:
        """Return which seats here a bot finishes the game for."""
        state = self._talk.state
        if state.status != "playing" or state.set_aside:
            return []
        return [_handed_words(state, seat, state.seats[seat].level) for seat in state.seats_handed_over]

    async def _can_propose(self) -> bool:
        why = agreement.why_nothing_can_be_asked(self._talk.state)
        if why:
            await self._talk.console.write_lines(why)
        return not why

    async def _hurry(self, rest: str) -> None:
        if rest not in UNTIL:
            await self._talk.console.write_lines(HOW_TO_HURRY)
        elif await self._can_propose():
            until = UNTIL[rest]
            if until or self._talk.state.hurry:
                await self._propose("hurry", until=until, done=agreement.HURRY[until])
            else:
                await self._talk.console.write_lines(NOT_HURRIED)

    async def _hand_to_bot(self, rest: str) -> None:
        if await self._can_propose():
            state, seat = self._talk.state, self._talk.scene.seat
            level = "" if rest == "off" else await self._parse_level(rest)
            if level == "":
                await self._play_again()
            elif level is not None:
                await self._propose("hand_over", level=level, done=_handed_words(state, seat, level))

    async def _play_again(self) -> None:
        state = self._talk.state
        if not state.seats_handed_over:
            await self._talk.console.write_lines(NOT_HANDED)
        for seat in state.seats_handed_over:
            done = f"{state.seats[seat].name_as_shown} plays again." if state.hot_seat else HANDED_BACK
            await self._propose("hand_over", seat=seat, done=done)

    async def _resign(self, rest: str) -> None:
        if not await self._can_propose():
            return
        state, seat = self._talk.state, self._talk.scene.seat
        level = await self._parse_level(rest) if agreement.continues_after_resignation(state) else ""
        if level is not None and await self._talk.ask(agreement.resigning_words(state, seat, level)):
            await self._propose("resign", level=level)

    async def _parse_level(self, named: str) -> str | None:
        """Return the named level, or the strongest if none is named; None if unknown."""
        levels = [*self._talk.state.game.bots]
        if named in levels or not levels:
            return named
        if not named:
            return levels[-1]
        await self._talk.console.write_lines(
            f"There is no bot of the level {named[:40]}; there is {', '.join(levels)}."
        )
        return None

    async def _propose(
        self, what: Wish, *, seat: int | None = None, level: str = "", until: Until = "", done: str = ""
    ) -> None:
        asking = self._talk.scene.seat if seat is None else seat
        await self._make_request(Proposal(0, asking, what, level, until), done)

    async def ask_again(self) -> None:
        if due := self._requests.due_request():
            await self._make_request(due)

    async def _make_request(self, wish: Proposal, done: str = "") -> None:
        at_once = False

        async def ask() -> None:
            nonlocal at_once
            at_once = await self._requests.make(wish)

        if await self._talk.request(ask()) and at_once and done:
            await self._talk.console.write_lines(done)

    async def _answer(self, *, agree: bool) -> None:
        talk = self._talk
        asked = agreement.asked_of_me(talk.state)
        if asked is None:
            await talk.console.write_lines(agreement.NOTHING_ASKED)
        else:
            seat = agreement.my_answer_seat(talk.state, asked)
            others = structs.replace(asked, waits_for=tuple(each for each in asked.waits_for if each != seat))
            said = agreement.AGREED if agree else agreement.DECLINED
            if agree and others.waits_for:
                said += f" {agreement.waiting(talk.state, others)}"
            await talk.request(talk.session.agree(seat, asked.number, agree=agree), said)
