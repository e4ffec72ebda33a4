"""Advice in words: hints and the tutor's warnings, computed by ``client/adviser.py``, and tips for a first
game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Generic, TypeVar

from msgspec.structs import replace

from cave.game import Because, Idea, Json
from cave.score import plain_number
from client.face import Face
from client.present.scene import Scene
from client.table import LogLine, TableState
from client.wording import count

NOT_ALLOWED = "This table was opened without hints."
NOT_SEATED = "You have no seat here, so there is nothing to advise you on."
NOT_YOURS = "A hint is for your own turn."
GAME_OVER = "The game is over."
THINKING = "Thinking about a hint; if you act, it stops."
CHECKING = "The tutor, who warns of costly moves, checks this one. Keys pressed now wait."
HELD = "The tutor is checking this move. Your next keys wait for it: {keys}"
NOTHING = "There is no hint now: it took too long, or the game has no bots."
FAILED = "No hint could be given here. The game goes on."
MOST = "nothing did better in trial games"
ALL_THERE_IS = "nothing else can be done"
AS_A_BOT = "a bot ({level}) would do that"
TUTOR = "tutor"
"""The tip that explains the tutor once it has checked a move, and its text."""
TUTOR_TIP = (
    "The tutor checks your moves until you win a game, and warns of a costly one. The settings (key {comma}) "
    "switch it off."
)
SURE = 2.0  # standard errors from which a difference is a loss, also in the analysis of a game
EXACT = 0.03  # the standard error up to which a chance is exact; above, it is rounded
ROUNDED = 0.05
EXPERT = "with expert play"
"""The judge's figures are from games that strong bots finish: beginners win less."""
KEY_OF_HINTS = ", {y} hints"  # in a tip; left out if the table allows no hints
LEAST = 0.01  # a smaller loss of chance is negligible
PLACED = 10  # letters of an action without its verb that names what and where; the reason may argue against it
LONG = 228  # most letters of a hint with a second choice: in 80 columns longer ones would cover what they are about


def why_no_hint(state: TableState, seat: int) -> str:
    if not state.hints:
        return NOT_ALLOWED
    if state.ended:
        return GAME_OVER
    if seat not in state.my_seats:
        return NOT_SEATED
    return "" if state.choices.get(seat) and seat in state.views else NOT_YOURS


class LastHint:
    """The last hint: the next one follows its plan, and turns back if it did, rather than name another as good."""

    def __init__(self) -> None:
        self._planned: Sequence[Json] = ()
        self._turned_back = False
        self._plans: list[Sequence[Json]] = []

    def next_ideas(self, face: Face, scene: Any, found: Sequence[Idea] | None) -> list[Idea]:
        """Return the ideas in the order for a hint, and note that hint."""
        ideas = suggested_first(face, scene, found, self._planned, turned_back=self._turned_back)
        if ideas:
            follows = self._turned_back and ideas[0].action in self._planned
            self._planned, self._turned_back = ideas[0].then, follows or _turns_back(face, scene, ideas[0])
            named = [each for each in ideas[:2] if each is ideas[0] or _is_as_good(ideas[0], each)]
            self._plans = [(each.action, *each.then) for each in named]
        return ideas

    def includes(self, action: Json) -> bool:
        """Return whether a plan that was named as good goes on with this action: the tutor, who tries more, need not
        check it. Any other action ends the plans.
        """
        self._plans = [each[each.index(action) + 1 :] for each in self._plans if action in each]
        return bool(self._plans)


def suggested_first(
    face: Face, scene: Any, found: Sequence[Idea] | None, planned: Sequence[Json] = (), *, turned_back: bool = False
) -> list[Idea]:
    """Return only the action that wins, if there is a sure one. Else return the ideas with a suggested one, one
    ``planned`` by the last hint, one that turns back if that ``turned_back``, one with a reason, or one that the
    screen's own figures favour, before the best, if it is as good.
    """
    ideas = [*(found or ())]
    if sure := face.sure_win(scene):
        return [next((each for each in ideas if each.action == sure), Idea(sure))]

    def order(idea: Idea) -> tuple[bool | float, ...]:
        has_reason, gain = _has_reason(face, scene, idea), face.gain_shown(scene, idea.action)
        accepted, follows = face.tutor_accepts(scene, idea.action), idea.action in planned
        return not accepted, not follows, turned_back and not _turns_back(face, scene, idea), not has_reason, -gain

    if len(ideas) > 1 and _is_as_good(ideas[0], ideas[1]):
        ideas[:2] = sorted(ideas[:2], key=order)
    return ideas


def _has_reason(face: Face, scene: Any, idea: Idea) -> bool:
    """Return whether an idea has a reason other than to turn back."""
    try:
        return not face.turns_back(scene, idea) and bool(idea_reason(face, scene, _without_lead(idea)))
    except Exception:  # see ``hint_sentence``
        return False


def _turns_back(face: Face, scene: Any, idea: Idea) -> bool:
    try:
        return face.turns_back(scene, idea)
    except Exception:  # see ``hint_sentence``
        return False


def _without_lead(idea: Idea) -> Idea:
    """Return an idea without the reasons that compare it with another."""
    return replace(idea, because=tuple(each for each in idea.because if each.theirs is None))


def hint_sentence(face: Face, scene: Any, found: Sequence[Idea] | None, how: str = "") -> str:
    """Return the hint: the action, the reason, ``how`` to do it, and the second choice."""
    if not found:
        return NOTHING
    try:
        return _hint_words(face, scene, found, how)
    except Exception:  # an error in a game's words must not end the game
        return FAILED


def _hint_words(face: Face, scene: Any, found: Sequence[Idea], how: str) -> str:
    best, *others = found
    others = [each for each in others if _is_alternative(face, scene, best.action, each.action)]
    if best.action["type"] in face.never_second or idea_reason(face, scene, best):
        others = [each for each in others if idea_reason(face, scene, each)]
    as_good = bool(others) and _is_as_good(best, others[0])
    as_good = as_good and face.turns_back(scene, best) == face.turns_back(scene, others[0])
    if as_good:  # a lead over the second choice would contradict that
        best = _without_lead(best)
    why = idea_reason(face, scene, best) or _words_without_reason(face, found)
    hint = f"Hint: {face.action_words(scene, best.action)}: {why}. {how}".rstrip()
    named = (face.action_words(scene, each.action).partition(" ")[2] for each in others)
    others = [each for each, words in zip(others, named, strict=True) if len(words) < PLACED or words not in why]
    if not others:
        return hint
    second = "Second choice"
    gain, other = (face.gain_shown(scene, each.action) for each in (best, others[0]))
    if as_good and other >= gain:  # points that the reason names, and the other plan leaves
        forgoes = "point" in why and best.action not in others[0].then
        second = f"Or, {'about' if forgoes else 'just'} as good"
    # Only its own reason: what follows is about the player, as with the first.
    own = idea_reason(face, scene, others[0]).partition("; ")[0]
    other_words = f"{hint} {second}: {face.action_words(scene, others[0].action)}"
    whole = f"{other_words}{f' ({own})' if own not in why else ''}."
    return next((text for text in (whole, f"{other_words}.") if len(text) <= LONG), hint)


def _is_alternative(face: Face, scene: Any, best: Json, other: Json) -> bool:
    """Return whether a hint may name another action: not one to the same place in another, dearer way, and
    none that does harm.
    """
    same = (best["type"], best.get("to", best)) == (other["type"], other.get("to"))
    same = same or face.action_words(scene, best) == face.action_words(scene, other)
    return other["type"] not in face.never_second and not same and not face.action_harm(scene, other)


def _words_without_reason(face: Face, found: Sequence[Idea]) -> str:
    if found[0].chance is None:
        return AS_A_BOT.format(level=[*face.game.bots][-1])
    return MOST if len(found) > 1 else ALL_THERE_IS


def idea_reason(face: Face, scene: Any, idea: Idea) -> str:
    """Return the reason for an idea: the action's effect or aim, and its gain."""
    aim = next((aim for each in idea.then if (aim := face.aims.get(each["type"]))), "")
    does = face.action_reason(scene, idea.action, idea.then) or aim
    # The action's own reason already says where this turn's points come from, and that there are more in all.
    own = [
        each
        for each in idea.because
        if (each.kind != "rival" or not face.opens_shown(scene, idea.action))
        and (not does or (_compares(each) and (each.kind == "rival" or "point" not in does)))
    ]
    return ", and ".join(filter(None, [does, *(reason_words(face, each) for each in own)]))


def _compares(each: Because) -> bool:
    return each.theirs is not None and (each.kind == "rival" or bool(each.name))


def reason_words(face: Face, reason: Because) -> str:
    match reason.kind:
        case "event":
            mine, theirs, worlds = round(reason.mine), round(reason.theirs or 0), reason.worlds
            won = f"all {worlds}" if mine == worlds else f"{mine} of {worlds}"
            return f"{face.events[reason.name]} in {won} trial games instead of {theirs or 'none'}"
        case "points":
            category = face.sheet.categories.get(reason.name, reason.name)
            if reason.theirs is None:
                return f"it brings about {_points_words(reason.mine)} for {category} this turn"
            more = _points_words(max(0.1, reason.mine - reason.theirs))
            of = category and f" for {category[0].lower()}{category[1:]}"
            return f"on average it is worth about {more} more{of} by the end"
        case "rival":
            return "it leaves a rival fewer points"


def _points_words(number: float) -> str:
    return count(plain_number(round(number, 1 if number < 2 else None)), "point")


def chance_percent(idea: Idea) -> str:
    return f"{'' if idea.error <= EXACT else 'about '}{_rounded_chance(idea)}%"


def _rounded_chance(idea: Idea) -> int:
    """Return the chance of an idea in percent: rounded to 5 if its error is above 3."""
    chance = idea.chance or 0.0
    if idea.error > EXACT:
        chance = min(1 - ROUNDED, max(ROUNDED, ROUNDED * round(chance / ROUNDED)))
    return round(100 * chance)


def _is_as_good(best: Idea, second: Idea) -> bool:
    if best.chance is None or second.chance is None:
        return False
    less = best.chance - second.chance
    return less < LEAST or less <= SURE * second.apart


def fall_of_chance(best: Idea, asked: Idea) -> str:
    if best.needed is not None:
        return f"it comes to about {round(asked.points or 0)} points instead of {round(best.points or 0)}"
    return f"the chance to win falls from {chance_percent(best)} to {chance_percent(asked)}"


def loss_words(best: Idea, asked: Idea) -> str:
    """Return the difference of the figures in ``fall``."""
    if best.needed is not None:
        return f"{count(round(best.points or 0) - round(asked.points or 0), 'point')} lost"
    return f"{_rounded_chance(best) - _rounded_chance(asked)}% lost"


def is_never_costly(face: Face, scene: Any, action: Json) -> bool:
    """Return whether the tutor need not check an action: it is the only one, or one that the tutor accepts."""
    offered = [face.game.choice_json(choice).get("action") for choice in scene.choices]
    return offered == [action] or face.tutor_accepts(scene, action)


def tutor_warning(face: Face, scene: Any, found: Sequence[Idea] | None, action: Json, again: str = "") -> str:
    """Return the tutor's warning of a costly action; empty if it is not costly, or unknown. ``again``: how
    to do it nevertheless; it comes before the reason, which a narrow window may cut.
    """
    asked = next((idea for idea in found or () if idea.action == action), None)
    if not found or asked is None or asked.chance is None or found[0].chance is None:
        return ""
    best, lost = found[0], found[0].chance - asked.chance
    if lost < face.game.blunder or lost <= SURE * asked.apart or face.tutor_accepts(scene, action):
        return ""
    try:
        better, why = face.action_words(scene, best.action), idea_reason(face, scene, best)
        words = face.action_words(scene, action)
        harm = face.action_harm(scene, action)
    except Exception:
        return f"Tutor: that costs you much.{again} {FAILED}"
    much = f"That costs you much{f': {harm}' if harm else ''}."
    return f"Tutor: {words}? {much}{again} Better: {better}{f' ({why})' if why else ''}."


def hint_clues(face: Face, scene: Any, action: Json) -> tuple[str, ...]:
    """Return hints by degrees: the piece or place of an action, its kind, and the whole action."""
    words, piece = face.action_words(scene, action), face.piece_words(scene, action)
    first = f"Look at {piece}." if piece else "You need no other place and no other piece."
    return first, f"The next action is to {words.split()[0]} ...", f"The way: {words}."


SceneT = TypeVar("SceneT", bound=Scene)


class Guide(Generic[SceneT]):
    """Tips and warnings. ``matters`` decides when each is due, the most urgent first; ``words`` has its text,
    keys in braces.

    ``ends`` has the types of events that complete a tip; any other tip ends with the player's next action.
    ``warnings`` are shown to everybody whenever they are due.
    """

    def __init__(
        self,
        matters: Mapping[str, Callable[[SceneT], bool]],
        words: Mapping[str, str],
        ends: Mapping[str, Collection[str]] | None = None,
        warnings: Collection[str] = (),
    ) -> None:
        self._tutored, self._hints = False, True
        self._matters = {TUTOR: lambda _: self._tutored, **matters}
        self._words = {TUTOR: TUTOR_TIP, **words}
        self._ends = ends or {}
        self._warnings = warnings
        self._tip = ""
        self._shown = Counter[str]()
        self._told_at: int | None = None
        self._log_length: int | None = None

    @property
    def tip(self) -> str:
        """The name of the tip that is shown; empty without one."""
        return self._tip

    @property
    def tip_text(self) -> str:
        words = self._words[self._tip] if self._tip else ""
        return words if self._hints else words.replace(KEY_OF_HINTS, "")

    @property
    def warns(self) -> bool:
        return self._tip in self._warnings

    def follow(
        self, scene: SceneT, *, wanted: bool, done: Collection[str] = (), tutored: bool = False
    ) -> frozenset[str]:
        """Choose the tip for now; return the tips that the user has followed since the last call.
        ``tutored``: the tutor has checked a move.
        """
        self._tutored = tutored
        state = scene.state
        self._hints = state.hints
        did = self._own_events_since(state)
        ended = frozenset(
            tip
            for tip in self._matters
            if tip not in done and not did.isdisjoint(self._ends.get(tip, did if tip == self._tip else ()))
        )
        # A seat's own view may arrive a moment before the public one: its number counts.
        seq = state.seen.get(scene.seat, state.seq)
        if seq != self._told_at:
            self._shown[self._tip] += 1
        self._told_at = seq
        self._tip = ""
        if state.my_seats:
            self._tip = self.warning(scene) or (self.tip_to_show(scene, {*done, *ended}) if wanted else "")
        return ended - {*self._warnings}

    def _own_events_since(self, state: TableState) -> set[str]:
        """Return the types of this user's events since the last call, without those of stand-in bots."""
        start, self._log_length = self._log_length, len(state.log)
        fresh = () if start is None else state.log[start:]
        return {line.event["type"] for line in fresh if _did_user_act(state, line)}

    def warning(self, scene: SceneT) -> str:
        due = (name for name in self._matters if name in self._warnings and self._matters[name](scene))
        return next(due, "")

    def tip_to_show(self, scene: SceneT, seen: Collection[str] = ()) -> str:
        """Return the tip to show that is not ``seen``: the least shown, then the most urgent; or nothing."""
        due = [name for name, matters in self._matters.items() if name not in seen and matters(scene)]
        return min(due, key=lambda name: self._shown[name], default="")


def _did_user_act(state: TableState, line: LogLine) -> bool:
    seat = line.event.get("seat")
    return bool(line.seq) and seat in state.my_seats and not state.seats[seat].level
