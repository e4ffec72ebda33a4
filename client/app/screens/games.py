"""The list "Which game?": a band with an emblem for each game; the selected one shows the bot's level."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType

from client.app.program_flow import Levels
from client.tui.chooser import HINT, ChooserScreen, Entry, EntryList
from client.tui.closing_screen import while_shown
from client.tui.widgets.panel import Panel, Row, Span, fit, length, sprite_rows, wrap

LEAST = 70  # columns from which emblems fit
AIRY = 30  # rows of a window from which games are apart
ROLES = (("text", "strong", "dim", "key", "gain"), ("slot", "cap", "none", "cap", "cap"))
"""Roles for text, title, details, keys and wins; and the same for the selected game."""
LEVEL_HINT = "{take} play   {weaker}/{stronger} change the bot   {back} back"


class GameList(EntryList):
    """``levels`` and ``emblems`` are by game, like the entries' values; ``at`` are indexes of levels."""

    levels: Mapping[str, Levels]
    at: dict[str, int]
    emblems: Mapping[str, str]

    def entry_rows(self, index: int, entry: Entry, width: int, sizes: tuple[int, int, int]) -> list[Row]:
        emblem: list[list[Span]] = []
        if width >= LEAST:
            emblem = [[Span(" "), *row] for row in sprite_rows(self, self.emblems[entry.value], str(index))]
        left = max(map(length, emblem), default=0)
        rows = self._game_band(index, entry, width - left, sizes[0])
        rows += [[Span(" " * (width - left), ROLES[index == self.marked][0])]] * (len(emblem) - len(rows))
        emblem += [[Span(" " * left)]] * (len(rows) - len(emblem))
        air: list[Row] = [[]] if self.app.size.height >= AIRY else []
        return [*([*picture, *row] for picture, row in zip(emblem, rows, strict=True)), *air]

    def _game_band(self, index: int, entry: Entry, width: int, titles: int) -> list[Row]:
        chosen, do = index == self.marked, str(index)
        text, title, dim, key, gain = ROLES[chosen]
        mark = " > " if chosen else "   "
        barred = chosen and self.app.current_theme.ansi
        head = [
            Span(f"{mark}{entry.key} ", "chosen" if barred else key, do),
            Span(fit(entry.label, titles), "chosen" if barred else title, do),
        ]
        facts, won = f"  {entry.price}", f"  {entry.gain}" if entry.gain else ""
        beside = length(head) + len(facts + won) <= width
        head += [Span(facts, text, do), *([Span(won, gain, do)] if beside else [])]
        rows: list[list[Span]] = [head]
        rows += [[Span(f"{'':{len(mark) + 2}}{line}", dim, do)] for line in wrap(entry.detail, width - 6)]
        if won and not beside:
            rows.append([Span(f"   {won}", gain, do)])
        levels = self.levels.get(entry.value, ())
        if levels and chosen:
            level, said = levels[self.at[entry.value]]
            weaker, stronger = Span("     < ", key, "weaker"), Span(" >", key, "stronger")
            rows.append([weaker, Span(level, text), stronger, Span(f"  {said}", dim, do)])
        return [[*row, Span(" " * max(0, width - length(row)), text, do)] for row in rows]


class GamesScreen(ChooserScreen):
    """The result is the game and the level (empty if there is no choice), or None."""

    CSS = "GamesScreen Clearing { max-height: 100%; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,h", "level(-1)", "Weaker bot", id="chooser.weaker", show=False),
        Binding("right,l", "level(1)", "Stronger bot", id="chooser.stronger", show=False),
    ]

    def __init__(
        self,
        title: str,
        entries: Sequence[Entry],
        levels: Mapping[str, Levels],
        emblems: Mapping[str, str],
        *,
        remembered: Mapping[str, str],
        wins: Callable[[], Awaitable[Mapping[str, str]]] | None = None,
        chosen: int = 0,
        line: str = "─",
    ) -> None:
        hint = LEVEL_HINT if any(levels.values()) else HINT
        super().__init__(title, entries, chosen=chosen, hint=hint, line=line)
        self._levels, self._emblems, self._wins = levels, emblems, wins
        self._at = {
            game: next((at for at, (level, _) in enumerate(found) if level == remembered.get(game)), 0)
            for game, found in levels.items()
        }

    def on_mount(self) -> None:
        if self._wins is not None:
            self.run_worker(while_shown(self._read_wins))

    async def _read_wins(self) -> None:
        assert self._wins is not None
        won = await self._wins()
        self.entries = [each._replace(gain=won.get(each.value, "")) for each in self.entries]
        self.entry_list.entries = self.entries
        self.entry_list.refill()

    def list_of_entries(self) -> EntryList:
        made = GameList(self.entries, self._chosen, line=self._line)
        made.levels, made.at, made.emblems = self._levels, self._at, self._emblems
        return made

    def action_level(self, by: int) -> None:
        game = self.entries[self.entry_list.marked].value
        if levels := self._levels.get(game):
            self._at[game] = (self._at[game] + by) % len(levels)
            self.entry_list.refill()

    def _take(self, index: int) -> None:
        game = self.entries[index].value
        levels = self._levels.get(game)
        self.dismiss((game, levels[self._at[game]][0] if levels else ""))

    def on_panel_chosen(self, event: Panel.Chosen) -> None:
        """Change the level, select another game to show its level, or choose the selected one."""
        if event.do in ("weaker", "stronger"):
            event.prevent_default().stop()
            self.action_level(1 if event.do == "stronger" else -1)
        elif event.do.isdigit() and int(event.do) != self.entry_list.marked and any(self._levels.values()):
            event.prevent_default().stop()
            self.entry_list.mark(int(event.do))
