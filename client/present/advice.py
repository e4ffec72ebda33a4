"""Hints and the tutor's warnings: where they are allowed, and their words. What there is to do is thought out
elsewhere (``client/advice``); no terminal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cave.game import GameInfo, Idea, Json
from client.face import Face
from client.present.wording import begun, count
from client.table import TableState

NOT_ALLOWED = "This table allows no hints: whoever opened it wanted none."
NOT_SEATED = "You have no seat here, so there is nothing to advise you on."
NOT_YOURS = "A hint is for your own turn."
GAME_OVER = "The game is over."
THINKING = "Thinking about a hint; if you act, it stops."
CHECKING = "The tutor looks at this."
NOTHING = "There is no hint now: it took too long to think, or the game has no bots to ask."
MOST_POINTS = "nothing else promises more points"
ONLY_ONE = "nothing else is worth a thought"
ALL_THERE_IS = "nothing else can be done"
AS_A_BOT = "a bot ({level}) would do that"
SURE = 2.0
"""Standard errors that a difference must have to be told as a loss."""
EVEN = {"points": 0.05, "chance": 0.01}
"""How much less makes no difference."""


def unable(state: TableState, seat: int) -> str:
    """Return the reason why there is no hint for a seat now, in one sentence, or nothing."""
    if not state.hints:
        return NOT_ALLOWED
    if state.ended:
        return GAME_OVER
    if seat not in state.my_seats:
        return NOT_SEATED
    return "" if state.choices.get(seat) and seat in state.views else NOT_YOURS


def sentence(face: Face, scene: Any, found: Sequence[Idea] | None) -> str:
    """Return the hint: what to do and why, and the second choice."""
    if not found:
        return NOTHING
    best, *others = found
    hint = f"Hint: {face.action_words(scene, best.action)}: {_why(face, scene, found)}."
    if not others:
        return hint
    second = others[0]
    return f"{hint} Second choice: {face.action_words(scene, second.action)}{_than(face.game, best, second)}."


def _why(face: Face, scene: Any, found: Sequence[Idea]) -> str:
    best = found[0]
    reasons = [face.action_reason(scene, best.action, best.then)]
    if best.worth is not None and face.game.worth_in == "chance":
        reasons.append(f"{_percent(best.worth)} to win")
    elif len(found) == 1:
        reasons.append(ALL_THERE_IS if len(scene.choices) == 1 else ONLY_ONE)
    told = [reason for reason in reasons if reason]
    if best.worth is not None and not told:
        return MOST_POINTS
    return "; ".join(told) or AS_A_BOT.format(level=[*face.game.bots][-1])


def _than(game: GameInfo, best: Idea, second: Idea) -> str:
    if best.worth is None or second.worth is None:
        return ""
    less = best.worth - second.worth
    if less < EVEN[game.worth_in]:
        return " (just as good)"
    return f" ({_percent(second.worth)})" if game.worth_in == "chance" else f" ({less:.1f} points less)"


def _percent(chance: float) -> str:
    return f"{round(100 * chance)}%"


def warning(face: Face, scene: Any, found: Sequence[Idea] | None, action: Json) -> str:
    """Return the tutor's warning of an action that loses much; empty for one that does not, and where nobody
    can say.
    """
    asked = next((idea for idea in found or () if idea.action == action), None)
    if not found or asked is None or asked.worth is None or found[0].worth is None:
        return ""
    best, game = found[0], face.game
    assert best.worth is not None
    lost = best.worth - asked.worth
    if lost < game.blunder or lost <= SURE * asked.error:
        return ""
    if game.worth_in == "chance":
        loses = f"your chance to win falls from {_percent(best.worth)} to {_percent(asked.worth)}"
    else:
        loses = f"it loses about {count(round(lost), 'point')}"
    better, reason = face.action_words(scene, best.action), face.action_reason(scene, best.action, best.then)
    words = face.action_words(scene, action)
    return f"{begun(words)}? {begun(loses)}. Better: {better}{f' ({reason})' if reason else ''}."
