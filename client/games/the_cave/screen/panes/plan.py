"""The plan for the place one points at: the steps there, what they take, and the way home."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from client.games.the_cave.known.ways import Part, Plan
from client.tui.widgets.panel import Panel, Row, Span, length, shortened, wrap

GAP = 3
TITLED = 3
"""From this many rows on there is room for a heading."""


class PlanPane(Panel):
    """The steps one by one where there is room for it, else summed up; the way home in the last line."""

    def __init__(self, *, line: str, id: str | None = None) -> None:  # noqa: A002
        super().__init__(line=line, id=id)
        self._plan: Plan | None = None

    def show(self, plan: Plan) -> None:
        """Set the plan."""
        self._plan = plan
        self.refill()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return a heading, the steps, the way home; in one or two rows the heading begins the steps."""
        if self._plan is None:
            return [self.heading("Plan", width)]
        plan = self._plan
        role = "warn" if plan.verdict else "text"
        back = [[Span(f" {line}", role)] for line in wrap(plan.back, width - 1) if line]
        if height < TITLED:
            title = Part(f"Plan: {plan.goal}:" if plan.goal else "Plan:", turn=True)
            return [*_flow((title, *(plan.brief or plan.steps)), width), *back][:height]
        steps = _flow(plan.steps, width)
        if len(steps) > height - 1 - len(back) and plan.brief:
            steps = _flow(plan.brief, width)
        return [[*self.heading("Plan", width), Span(f"  {plan.goal}", "strong")], *steps, *back]


def _flow(parts: Sequence[Part], width: int) -> list[Row]:
    rows: list[list[Span]] = [[Span(" ")]]
    for part in parts:
        text = shortened(part.text, width - 1)
        if length(rows[-1]) + cell_len(text) > width:
            rows.append([Span(" ")])
        rows[-1] += [Span(text, "strong" if part.turn else "text"), Span(" " * GAP)]
    return [row[:-1] for row in rows]
