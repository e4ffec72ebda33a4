"""The conformance kit: checks that a game fulfils the contract (``cave.game``).

A game is described by a ``Subject``: the game, a sensible player, and a few facts about the game (which
choices are forms, its invariants). The rest is the same for every game. Each check raises AssertionError with
the state's position if it fails.
"""

from __future__ import annotations

import copy
import hashlib
import json
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from random import Random
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import asdict, replace

from cave import bots, codec, games, wire
from cave.game import AnyGame, BadData, Facts, Json, Refused, Step
from cave.score import plain_number, score_json

Player = Callable[[AnyGame, Any, int, Random], Any]


def _nothing_to_add(*_: Any) -> None:
    return None


def _no_twins(_state: Any, _viewer: int | None, _rng: Random) -> Iterator[Any]:
    return iter(())


class Subject(Struct, frozen=True):
    """A game and the facts that the kit needs."""

    game: AnyGame
    player: Player
    bound: int
    """Actions within which a game of ``player`` ends; no more than the game's own ``longest``."""
    codes: Collection[str]
    """Every code a refusal may have."""
    same_action: Callable[[Any, Json, Json], bool] = lambda _state, _a, _b: False
    """Whether two different actions are the same choice, such as two equivalent rotations."""
    invariant: Callable[[Any, Any], None] = _nothing_to_add
    """(start, state): raises AssertionError if something was created or lost."""
    step_invariant: Callable[[Any, int, Any, Step[Any, Any]], None] = _nothing_to_add
    """(before, seat, action, step): the same for one action."""
    check_price: Callable[[Any, int, Json, Any], None] = _nothing_to_add
    """(before, seat, the choice's public form, after): the price of the choice is the price paid."""
    twins: Callable[[Any, int | None, Random], Iterator[Any]] = _no_twins
    """(state, viewer, rng): states that differ only in what the viewer may not know."""
    reveals_to_some: bool = False
    """Whether a secret may be revealed to some viewers only; then their views must show it."""


def is_form(choice: Json) -> bool:
    """Whether a choice's JSON stands for actions of free content."""
    return "limits" in choice


def problem(game: AnyGame, data: Json) -> str | None:
    """The field of the refusal of a position, with a one-line message; None if it is valid."""
    try:
        state = game.from_position(data)
    except BadData as error:
        refused = error
    else:
        assert game.position(state, game.names_in(data))
        return None
    assert refused.problem
    assert "\n" not in str(refused)
    assert str(refused) == (f"{refused.field}: {refused.problem}" if refused.field else refused.problem)
    return refused.field


def digest(game: AnyGame, state: Any, names: Sequence[str] = ()) -> str:
    return hashlib.sha256(codec.canonical_json(game.position(state, names))).hexdigest()


def through_text(data: Json) -> Json:
    """The data after a round trip through JSON text, with another library."""
    return json.loads(json.dumps(data))


def sent(game: AnyGame, state: Any, seat: int) -> tuple[Json, list[Json]]:
    """The view and the choices that a host sends to a seat."""
    choices = [game.choice_json(choice) for choice in game.choices(state, seat)]
    return through_text(game.view_json(game.view(state, seat))), through_text(choices)


class Played(Struct, frozen=True):
    """A game played from the start to its end."""

    start: Any
    end: Any
    actions: tuple[tuple[int, Json], ...]
    events: tuple[Json, ...]


def play(
    subject: Subject,
    names: list[str],
    settings: Json,
    seed: str,
    look: Callable[[Any, Random], None] | None = None,
    every: int = 1,
) -> Played:
    """A whole game of the subject's player; ``look`` checks each ``every``-th state.

    Checks: somebody may act before the end, nobody after it, nobody has an empty list of choices, the game
    ends within the bound, and no earlier state changes.
    """
    game, rng = subject.game, Random(f"{seed}/{settings}/{len(names)}")
    assert game.longest is None or subject.bound <= game.longest
    start = state = game.new(len(names), settings, seed)
    actions: list[tuple[int, Json]] = []
    events: list[Json] = []
    left: list[tuple[Any, Any, str]] = []
    while not game.over(state):
        assert len(actions) < subject.bound, f"seed {seed}: the game does not end"
        seats = sorted(game.to_act(state))
        assert seats, "nobody may act and the game is not over"
        number = len(actions)
        if look is not None and number % every == 0:
            look(state, rng)
        if number % 97 == 0:
            left.append((state, copy.deepcopy(state), digest(game, state)))
        seat = rng.choice(seats)
        action = subject.player(game, state, seat, rng)
        step = game.apply(state, seat, action)
        subject.step_invariant(state, seat, action, step)
        actions.append((seat, game.action_json(action)))
        assert game.action_from_json(through_text(actions[-1][1])) == action
        for event in step.events:
            for seen in (event, game.public_event(event)):
                form = through_text(game.event_json(seen))
                assert game.event_from_json(form) == seen
                assert (codec.parse(form, Facts).seat or 0) < len(names)
            events.append(game.event_json(event))
        state = step.state
        subject.invariant(start, state)
    if look is not None:
        look(state, rng)
    assert not game.to_act(state), "somebody may act after the end"
    for then, as_it_was, fingerprint in left:
        assert then == as_it_was, "a state was changed after it was left: undo would be wrong"
        assert digest(game, then) == fingerprint
    return Played(start, state, tuple(actions), tuple(events))


def check_replay(subject: Subject, played: Played, names: list[str], settings: Json, seed: str) -> None:
    """The same seed and actions, read from JSON text, lead to the same events and the same end."""
    game = subject.game
    state = game.new(len(names), through_text(settings), seed)
    assert state == played.start
    events: list[Json] = []
    for seat, action in through_text(list(played.actions)):
        step = game.apply(state, seat, game.decode(state, seat, action))
        events += [game.event_json(event) for event in step.events]
        state = step.state
    assert tuple(events) == played.events
    assert state == played.end
    assert digest(game, state) == digest(game, played.end)


def check_any_game(subject: Subject, names: list[str], settings: Json, seed: str, rng: Random) -> None:
    """A whole game ends and can be replayed; from any step, the position alone leads to the same end."""
    game, played = subject.game, play(subject, names, settings, seed)
    check_replay(subject, played, names, settings, seed)
    cut, state = rng.randrange(len(played.actions)), played.start
    for number, (seat, action) in enumerate(played.actions):
        if number == cut:
            state = game.from_position(through_text(game.position(state)))
        state = game.apply(state, seat, game.decode(state, seat, action)).state
    assert state == played.end


def after(subject: Subject, seats: int, settings: Json, seed: int, steps: int) -> tuple[Any, Random]:
    """The state after ``steps`` actions of the subject's player, or the last one before the end."""
    game, rng = subject.game, Random(seed)
    state = game.new(seats, settings, str(seed))
    for _ in range(steps):
        seat = rng.choice(sorted(game.to_act(state)))
        later = game.apply(state, seat, subject.player(game, state, seat, rng)).state
        if game.over(later):
            break
        state = later
    return state, rng


def check_state(subject: Subject, state: Any, rng: Random) -> None:
    """Check everything that the contract promises about a single state."""
    check_choices(subject, state, rng)
    check_wild_actions(subject, state, rng, 12)
    check_json(subject, state)
    check_names(subject.game, state)
    check_facts(subject.game, state)
    check_bots(subject.game, state, rng)
    check_secrecy(subject, state, rng)


def check_choices(subject: Subject, state: Any, rng: Random, samples: int = 3) -> None:
    """Choices are accepted at their price. Other seats have none, and nobody has any after the end."""
    game = subject.game
    seats = len(game.standing(state))
    acting = game.to_act(state)
    assert acting <= set(range(seats))
    for seat in (-1, *range(seats), seats):
        choices = game.choices(state, seat)
        assert choices == game.choices(state, seat), "the order of choices is not stable"
        if seat not in acting:
            assert choices == (), f"seat {seat} is not to act and has choices"
            assert tuple(game.why_not(state, seat)) == ()
            continue
        assert choices, f"seat {seat} is to act and has no choice"
        check_idle(subject, state, seat)
        seen = set()
        for choice in choices:
            form = game.choice_json(choice)
            text = codec.canonical_json(form["action"])
            assert text not in seen, f"the choice {form['action']} is listed twice"
            seen.add(text)
            for _ in range(samples if is_form(form) else 1):
                action = game.sample(choice, rng)
                public = through_text(game.action_json(action))
                assert public["type"] == form["action"]["type"]
                assert is_form(form) or public == form["action"]
                assert game.decode(state, seat, public) == action
                before = digest(game, state)
                step = game.apply(state, seat, action)
                assert digest(game, state) == before
                subject.check_price(state, seat, form, step.state)
        for why in game.why_not(state, seat):
            assert why.code in subject.codes
            assert why.message.strip()
            assert codec.canonical_json(why.action) not in seen, f"{why.action} is a choice and refused"
            with pytest.raises(Refused) as caught:
                game.apply(state, seat, game.decode(state, seat, why.action))
            assert (caught.value.code, caught.value.message) == (why.code, why.message)


def check_idle(subject: Subject, state: Any, seat: int) -> None:
    """The action for an absent owner is legal, also after a round trip through JSON text."""
    game = subject.game
    action = game.idle(state, seat)
    assert game.decode(state, seat, through_text(game.action_json(action))) == action
    game.apply(state, seat, action)


WILD: tuple[Json, ...] = (*(None, True, -1, 0, 1, 2, 5, 99, 2**60, 1.5), *("", "x", [], [0, 0], {}))


def check_damage(game: AnyGame, positions: Sequence[Json], share: int = 1) -> None:
    """Any value in a field of a position is accepted and playable, or refused in one line.

    Each field is tried with one in ``share`` of the wild values.
    """
    fields, tried = 0, Counter[bool]()

    def walk(start: Json, path: list[Any], value: Any) -> None:
        nonlocal fields
        for key in value if isinstance(value, dict) else range(min(2, len(value))):
            fields += 1
            for wild in WILD[fields % share :: share]:
                data = holder = copy.deepcopy(start)
                for step in path:
                    holder = holder[step]
                holder[key] = wild
                tried[_is_read(game, data)] += 1
            if isinstance(value[key], (dict, list)):
                walk(start, [*path, key], value[key])

    for start in positions:
        walk(start, [], start)
    assert tried[False] > tried[True] > 0


def _is_read(game: AnyGame, data: Json) -> bool:
    try:
        state, problem = game.from_position(data), ""
    except BadData as error:
        state, problem = None, str(error)
    if state is None:
        assert problem.isprintable()
        assert "Error" not in problem
        return False
    assert game.from_position(through_text(game.position(state, game.names_in(data)))) == state
    for seat in game.to_act(state):
        for choice in game.choices(state, seat)[:9]:
            game.apply(state, seat, game.sample(choice, Random(0)))
    return True


def words_of(actions: Json) -> tuple[list[str], list[str]]:
    """The names of fields in these actions, and the texts in them."""
    fields: set[str] = set()
    texts: set[str] = set()

    def walk(value: Json) -> None:
        if isinstance(value, dict):
            fields.update(value)
            value = list(value.values())
        if isinstance(value, list):
            for each in value:
                walk(each)
        elif isinstance(value, str):
            texts.add(value)

    walk(actions)
    return sorted(fields), sorted(texts)


def mutant(action: Json, rng: Random, fields: Sequence[str] = (), texts: Sequence[str] = ()) -> Json:
    """Return the action with one part changed, dropped or added, also by these names and texts."""
    wild = (*WILD, *texts)
    changed = copy.deepcopy(action)
    places: list[tuple[Any, Any]] = []

    def walk(value: Json) -> None:
        for key in value if isinstance(value, dict) else range(len(value)):
            places.append((value, key))
            if isinstance(value[key], (dict, list)):
                walk(value[key])

    walk(changed)
    holder, key = rng.choice(places)
    old = holder[key]
    way = rng.randrange(6)
    if way == 0 and isinstance(holder, dict):
        del holder[key]
    elif way == 1 and isinstance(holder, dict):
        holder[rng.choice(["extra", *fields])] = rng.choice(wild)
    elif way <= 3 and type(old) is int:
        holder[key] = old + rng.choice((-2, -1, 1, 2))
    else:
        holder[key] = rng.choice(wild)
    return changed


def attempts(subject: Subject, state: Any, rng: Random, number: int) -> Iterator[tuple[int, Json]]:
    """Yield (seat, action) made from choices and reasons of all seats, most of them changed."""
    game = subject.game
    seats = range(len(game.standing(state)))
    known: list[Json] = []
    for seat in sorted(game.to_act(state)):
        known += [game.action_json(game.sample(choice, rng)) for choice in game.choices(state, seat)]
        known += [why.action for why in game.why_not(state, seat)]
    known = known or [{"type": "none"}]
    fields, texts = words_of(known)
    for _ in range(number):
        action = rng.choice(known)
        for _ in range(rng.randrange(3)):
            # A mutant may be empty.
            action = mutant(action, rng, fields, texts) if action else action
        yield rng.choice((-1, *seats, *game.to_act(state), *game.to_act(state))), action


def check_wild_actions(subject: Subject, state: Any, rng: Random, number: int) -> None:
    """Illegal actions are refused with a known code, and change nothing."""
    game = subject.game
    before = digest(game, state)
    for seat, action in attempts(subject, state, rng, number):
        offered = [game.choice_json(choice) for choice in game.choices(state, seat)]
        kind = action.get("type") if isinstance(action, dict) else None
        free = any(is_form(form) and form["action"]["type"] == kind for form in offered)
        fixed = [form["action"] for form in offered if not is_form(form)]
        legal = any(_is_same(subject, state, action, choice) for choice in fixed)
        outcome = attempt(game, state, seat, through_text(action))
        if isinstance(outcome, Refused):
            assert not legal, f"seat {seat}: the choice {action} is refused: {outcome.code}"
            assert outcome.code in subject.codes, f"unknown code {outcome.code}"
            assert outcome.message.strip()
            assert "Error" not in outcome.message
        else:
            assert legal or free, f"seat {seat}: {action} is no choice and accepted"
            subject.step_invariant(state, seat, game.decode(state, seat, action), outcome)
        assert digest(game, state) == before


def attempt(game: AnyGame, state: Any, seat: int, action: Json) -> Step[Any, Any] | Refused:
    """Return the result of an action from outside: the step, or the refusal."""
    try:
        return game.apply(state, seat, game.decode(state, seat, action))
    except Refused as refused:
        return refused


def _is_same(subject: Subject, state: Any, action: Json, choice: Json) -> bool:
    # Compare their text: to Python, true is 1.
    return json.dumps(action, sort_keys=True) == json.dumps(choice, sort_keys=True) or subject.same_action(
        state, action, choice
    )


def check_names(game: AnyGame, state: Any) -> None:
    """Names belong to seats, whose players may change: a state has none, a form those it is given."""
    names = tuple(f"New {seat}" for seat in range(len(game.standing(state))))
    assert game.names_in(game.position(state)) == game.called((), len(names))
    position = through_text(game.position(state, names))
    assert game.names_in(position) == names
    assert game.from_position(position) == state
    for viewer in (None, *range(len(names))):
        view = game.view(state, viewer, names)
        assert replace(game.view(state, viewer), names=names) == view
        assert game.view_from_json(through_text(game.view_json(view))) == view
        text = game.view_bytes(view)
        assert text.startswith(b'{"viewer":')
        assert codec.decode(text) == through_text(game.view_json(view))
    with pytest.raises(BadData):
        game.from_position(game.position(state, ("\x1b", *names[1:])))
    with pytest.raises(BadData):
        game.view_from_json(game.view_json(game.view(state, 0, ("\x1b", *names[1:]))))


def check_facts(game: AnyGame, state: Any) -> None:
    """Facts in every view, and a score sheet whose lines add up to totals in halves."""
    scores = game.standing(state)
    assert [score.seat for score in scores] == list(range(len(scores)))
    # A solo player has a goal, and wins by reaching it.
    assert any(score.winner for score in scores) or all(score.note for score in scores) or len(scores) == 1
    for score in scores:
        assert score.total == sum((*score.points.values(), *score.bonus.values()))
        assert 2 * score.total == int(2 * score.total)
        for number in (score.total, *score.points.values(), *score.bonus.values()):
            assert json.dumps(plain_number(number)) == codec.encode(plain_number(number)).decode()
    for viewer in (None, *range(len(scores))):
        view = game.view(state, viewer)
        assert view.viewer == viewer
        assert (view.acting, view.over) == (game.to_act(state), game.over(state))
        assert len(view.names) == len(view.standing) == len(scores)
        form = game.view_json(view)
        assert {"viewer", "position", "hidden", "standing"} <= form.keys()
        assert form["standing"] == through_text([score_json(score) for score in view.standing])


def check_bots(game: AnyGame, state: Any, rng: Random) -> None:
    """Every bot takes a legal action from the wire forms, the same for the same seed."""
    assert game.bots
    for seat in sorted(game.to_act(state)):
        asked = sent(game, state, seat)
        for number, level in enumerate(game.bots):
            # Slower bots are asked less often.
            if number > 1 and rng.random() > 8.0 ** (1 - number):
                continue
            seed = str(rng.random())
            action = bots.choose(game.name, level, *asked, seed)
            game.apply(state, seat, game.decode(state, seat, through_text(action)))
            assert bots.choose(game.name, level, *asked, seed) == action


def check_options(game: AnyGame) -> None:
    """Every value of every option makes a game, alone and with each preset; other values are refused.

    The facts known before the game's rules are loaded are the same.
    """
    info = games.game_info(game.name)
    for fact in ("name", "title", "seats", "side", "options", "bots"):
        assert getattr(info, fact) == getattr(game, fact), fact
    assert game.settings({}) == game.settings({option.name: option.default for option in game.options})
    for option in game.options:
        for seats in game.seats:
            assert option.default in [value for value, _ in option.values_for(seats)]
        for value, words in option.values:
            asked = {option.name: value}
            fitting = [seats for seats in game.seats if (value, words) in option.values_for(seats)]
            for seats in {*game.seats} - {*fitting}:
                with pytest.raises(BadData):
                    game.settings(asked, seats)
                with pytest.raises(BadData):
                    game.new(seats, asked, "seed")
            assert words
            short = game.settings(asked)
            assert game.settings(through_text(short)) == short
            assert game.new(fitting[0], short, "seed") == game.new(fitting[0], asked, "seed")
            full = {option.name: value, **option.presets.get(value, {})}
            assert game.settings(full) == short
        for wrong in ([], "no such value", -1):
            with pytest.raises(BadData):
                game.settings({option.name: wrong})
    for settings in ({"no such option": 1}, [], "text"):
        with pytest.raises(BadData):
            game.settings(settings)
    for wrong in (game.seats[0] - 1, game.seats[-1] + 1):
        with pytest.raises(BadData):
            game.new(wrong, {}, "seed")


def check_json(subject: Subject, state: Any) -> None:
    """A position and every view come back equal from their JSON text, and their text is a fixed point."""
    game = subject.game
    data = game.position(state)
    again = game.from_position(through_text(data))
    assert again == state
    assert game.position(again) == data
    assert codec.decode(codec.encode(data)) == data
    for viewer in (None, *range(len(game.standing(state)))):
        view = game.view(state, viewer)
        form = game.view_json(view)
        assert game.view_from_json(through_text(form)) == view
        assert codec.decode(codec.encode(form)) == through_text(form) == form
        if viewer is not None and game.sees_as_watcher(state, viewer):
            assert form == {**game.view_json(game.view(state, None)), "viewer": viewer}
    for seat in game.to_act(state):
        for choice in game.choices(state, seat):
            form = game.choice_json(choice)
            assert codec.decode(codec.encode(form)) == through_text(form) == form
            assert game.choice_from_json(through_text(form)) == choice
            assert game.may_offer(game.view(state, seat), choice)
        for refusal in game.why_not(state, seat):
            action = game.action_from_json(through_text(refusal.action))
            assert game.action_json(action) == refusal.action


def shown(game: AnyGame, state: Any, viewer: int | None) -> bytes:
    """Everything that a viewer receives of a state, as bytes."""
    view = game.view_json(game.view(state, viewer))
    told: list[Json] = [view, game.turn_json(state), sorted(game.to_act(state))]
    if viewer is not None:
        told.append([game.choice_json(choice) for choice in game.choices(state, viewer)])
        told.append([asdict(why) for why in game.why_not(state, viewer)])
    return codec.encode(told)


def check_secrecy(subject: Subject, state: Any, rng: Random) -> None:
    """States that differ only in secrets look the same to the viewer, including events."""
    game = subject.game
    seats = range(len(game.standing(state)))
    for viewer in (None, *seats):
        view = game.view(state, viewer)
        dreamt = game.imagine(view, str(rng.random()))
        twins = [dreamt, *subject.twins(state, viewer, rng)]
        tried = list(attempts(subject, state, rng, 3))
        if viewer is None:
            check_choices_are_open(game, state, twins)
        for twin in twins:
            assert game.view(twin, viewer) == view
            assert shown(game, twin, viewer) == shown(game, state, viewer)
            for seat in sorted(game.to_act(state)):
                choices, others = game.choices(state, seat), game.choices(twin, seat)
                both = [choice for choice in choices if choice in others]
                assert both == list(choices) or seat != viewer
                if both:
                    done = game.action_json(game.sample(rng.choice(both), rng))
                    news = _outcome(game, state, seat, done, viewer)
                    assert _alike(subject, _outcome(game, twin, seat, done, viewer), news), f"{done} told of a secret"
                first, second = rng.choice(choices), rng.choice(others)
                one, two = game.sample(first, rng), game.sample(second, rng)
                if _is_secret(game, state, seat, one, viewer) and _is_secret(game, twin, seat, two, viewer):
                    news = _outcome(game, state, seat, game.action_json(one), viewer)
                    told = _outcome(game, twin, seat, game.action_json(two), viewer)
                    assert _alike(subject, told, news), (
                        f"the choice between {one} and {two} is secret, but the news reveal it"
                    )
            if viewer is not None:
                for _, action in tried:
                    told = _outcome(game, state, viewer, action, viewer)
                    assert _alike(subject, _outcome(game, twin, viewer, action, viewer), told)


def check_choices_are_open(game: AnyGame, state: Any, twins: list[Any]) -> None:
    """A seat's choices are public, or the game declares them secret and pads their number."""
    for seat in sorted(game.to_act(state)):
        offered = [game.choice_json(choice) for choice in game.choices(state, seat)]
        refused = [codec.to_json(why) for why in game.why_not(state, seat)]
        if game.secret_choices:
            seen, watched = (codec.encode(game.view_json(game.view(state, who))) for who in (seat, None))
            secret = len(seen) - len(watched) + len(codec.encode(offered)) + len(codec.encode(refused))
            assert secret <= wire.SECRET_CHOICES
            continue
        for twin in twins:
            others = [game.choice_json(choice) for choice in game.choices(twin, seat)]
            assert others == offered, "choices that hang on a secret: set secret_choices"


def _is_secret(game: AnyGame, state: Any, seat: int, action: Any, viewer: int | None) -> bool:
    """Whether it is a secret from the viewer that the seat did the action."""
    return not game.may_know(game.apply(state, seat, action).state, seat, action, viewer)


class _News(Struct, frozen=True):
    """A viewer's news of an action: the refusal, or the events; if they reveal a secret, also the viewer's
    view afterwards.
    """

    told: tuple[Any, ...]
    revealed: bytes = b""


def _alike(subject: Subject, one: _News, other: _News) -> bool:
    """Whether a viewer gets the same news in two worlds. A secret revealed to the viewer may differ between
    the worlds; but if the view does not show it, it was revealed to others only.
    """
    if one.revealed and other.revealed and (one.revealed != other.revealed or not subject.reveals_to_some):
        return True
    return one == other


def _outcome(game: AnyGame, state: Any, seat: int, action: Json, viewer: int | None) -> _News:
    step = attempt(game, state, seat, through_text(action))
    if isinstance(step, Refused):
        return _News((step.code, step.message))
    told = tuple(codec.encode(game.event_json(game.public_event(event))) for event in step.events)
    if any(game.is_barrier(event) for event in step.events):
        return _News(told, codec.encode(game.view_json(game.view(step.state, viewer))))
    return _News(told)
