"""The course of the caves of the day: the calendar, the attempt that counts, its result."""

from __future__ import annotations

import asyncio
from datetime import date
from pathlib import Path
from typing import Literal

from cave import games as rules
from client import games
from client.app.user_interface import BACK, UserInterface
from client.lab import daily
from client.lab.daily import DailyTry
from client.launch.opening import Menu, Opening, ReplayFile, Today
from client.settings.schema import Day
from client.table import TableState
from client.wording import count

DAY = "Cave of the day, {day:%A} {day.day} {day:%B} (UTC)"
NEW_DAY = "not played yet, {against}"
GO_ON_WITH_DAY = "not over: go on"
IS_OPEN = "open in another terminal"
STATES = {"left": GO_ON_WITH_DAY, "open": IS_OPEN, "gone": "given up; another try does not count"}
AGAIN = "Play it again; only the first try counts"
SEE_AGAIN = "See the first try again"
COPY = "Copy this line"


class DailyFlow(UserInterface):
    """The part of the course for the caves of the day."""

    def day_of_caves(self) -> date:
        """Return the day (UTC) of the caves to play."""
        return daily.today_in_utc()

    async def show_cave_of_day(self, game: str) -> Opening | None:
        """Show the caves of the day and their results; play the chosen one."""
        self._preferences.recall()
        day = self.day_of_caves()
        tries = await self._tries_of_day(day)
        today = {done.game: done for done in tries.values() if done.day == day}
        # The line needs a replay of the record, which may take a second.
        lines = {name: await asyncio.to_thread(self._result_words, done) for name, done in today.items()}
        if not game:
            streak = daily.current_streak(daily.days_of(tries.values()), day)
            words = [DAY.format(day=day), *([f"{count(streak, 'day')} in a row"] if streak > 1 else [])]
            words += ["", *daily.calendar_lines(tries, self._preferences.now.daily_pars, day)]
            entries = [
                (rules.game_info(name).title, lines.get(name, "").partition(": ")[2] or self._new_of_day(name, day))
                for name in rules.game_names()
            ]
            chosen = await self.choose("\n".join(words), entries, roles={**daily.SIGN_ROLES, str(day.day): "today"})
            if chosen is None:
                return Menu()
            game = rules.game_names()[chosen]
        told = ""
        while game in today:
            entries = [(AGAIN, ""), (SEE_AGAIN, ""), (COPY, "")]
            chosen = await self.choose("\n".join(filter(None, (lines[game], told))), entries, keys="psc")
            if chosen is None:
                return Today()
            if chosen == 1:
                return ReplayFile(today[game].path)
            if not chosen:
                break
            told = await self.copy(lines[game])
        return await self._play_of_day(game, day, ranked=game not in today)

    def _new_of_day(self, game: str, day: date) -> str:
        if said := STATES.get(self._state_of_day(game, day)):
            return said
        wanted = daily.daily_game(game, day, ranked=True)
        return NEW_DAY.format(against=f"against the {daily.LEVEL}" if wanted.bots else "alone")

    async def _play_of_day(self, game: str, day: date, *, ranked: bool) -> Opening | None:
        self._preferences.recall()  # another terminal may have started it while the list was shown
        state = self._state_of_day(game, day) if ranked else "new"
        if state == "open":
            await self.choose(f"{rules.game_info(game).title}: {IS_OPEN}.", [(BACK, "")], usual=0)
            return Today()
        if state == "left":
            table = self._preferences.now.days[daily.key(game, day)].table
            after = await self.resume(await self.wait(self._launcher.find(table)))
        else:
            ranked = ranked and state == "new"
            name = await self.ask_name()
            if name is None:
                return Menu()
            plan = daily.daily_game(game, day, ranked=ranked).plan(name)
            played = await self.wait(self._launcher.play(plan))
            if ranked:
                self._preferences.keep_daily_cave(daily.key(game, day), table=played.session.state.table)
            after = await self.play(played, plan=plan)
            self._state_of_day(game, day)  # remembers whether it was started
        if not isinstance(after, Menu) and (after is not None or not self.lists_after):
            return after
        return Today() if after is None or not after.wrong else after

    def _state_of_day(self, game: str, day: date) -> Literal["new", "left", "open", "gone"]:
        """Return the state of the attempt that counts, if it has no record: not started, left, open in
        another terminal, or started and lost. Remembers that it was started.
        """
        key, seats = daily.key(game, day), self._launcher.seats
        memory = self._preferences.now.days.get(key, Day())
        if not memory.table or memory.table not in [held.table for held in seats.known()]:
            return "gone" if memory.begun else "new"
        if not memory.begun:
            self._preferences.keep_daily_cave(key, begun=True)
        return "left" if memory.table in [held.table for held in seats.free()] else "open"

    async def _tries_of_day(self, day: date) -> dict[str, DailyTry]:
        """Return the attempts that count; computes the par of each of this day's once."""
        tries = daily.ranked_tries(await self.record_summaries())
        for name, done in tries.items():
            if done.day == day and self._preferences.now.daily_pars.get(name) is None:
                par = await self.wait(asyncio.to_thread(daily.compute_par, done.game, day))
                self._preferences.keep_daily_cave(name, par=par)
        return tries

    def line_to_paste(self, state: TableState) -> str:
        """Return the line of an ended attempt that counts, with the par if it is known; empty elsewhere."""
        key = next((key for key, kept in self._preferences.now.days.items() if kept.table == state.table), "")
        if not key:
            return ""
        day, _, game = key.partition(" ")
        points = None if state.resignation else state.view.standing[0].total
        done = DailyTry(game, date.fromisoformat(day), points, Path(), bool(state.seats[0].level))
        feats = games.get_face(game).feats(state.view, 0)
        return daily.result_line(done, self._preferences.now.daily_pars.get(key), feats)

    def _result_words(self, done: DailyTry) -> str:
        feats = daily.feats_of_record(games.get_face(done.game), done.path)
        return daily.result_line(done, self._preferences.now.daily_pars.get(done.key), feats)
