"""What a person is told before acting: what fits where, what comes and goes, the score so far, the goal."""

from __future__ import annotations

from random import Random

from cave.cave_vs_cave import prospects
from cave.cave_vs_cave.prospects import Fit
from tests.cave.cave_vs_cave.builders import GAME, code, do, drafting, player, state, take
from tests.cave.cave_vs_cave.test_conformance import GAMES, dweller


def test_rooms_for_a_space_and_why_not_the_others() -> None:
    display = ("shelf", "tunnel", "prospecting_site", "stall")
    now = state(player({"wood": 1, "food": 2}), player(), tile="furnishing", display=display)
    assert prospects.rooms_for(now, 0, (1, 0)) == (
        Fit("shelf", (1, 0), ""),
        Fit("tunnel", (1, 0), "walls_differ"),
        Fit("prospecting_site", (1, 0), "too_many_blue"),
        Fit("stall", (1, 0), "not_enough"),
    )
    assert {each.code for each in prospects.rooms_for(now, 0, (3, 0))} == {"no_space"}
    # Without a tile in hand only the room's own cost counts.
    now = state(player({"wood": 1}), player(), display=display)
    assert prospects.rooms_for(now, 0, (1, 0))[0].code == ""
    assert prospects.prices(now) == ()


def test_they_agree_with_the_rules() -> None:
    """Wherever a room is said to fit, it is a choice, and where not, it is refused with that code."""
    rng, seen = Random("agree"), 0
    for chosen in ("era 1", "eras 1 and 2"):
        seats, options = GAMES[chosen]
        now = GAME.new(seats, options, chosen)
        while not GAME.over(now):
            seat = min(GAME.to_act(now))
            offered = [GAME.choice_json(choice)["action"] for choice in GAME.choices(now, seat)]
            listed = {(each["room"], tuple(each["at"])) for each in offered if each["type"] == "furnish"}
            prices = prospects.prices(now)
            for at in [*now.players[seat].covered, *prospects.spaces_for(now, seat, "shelf")][:6]:
                for fit in prospects.rooms_for(now, seat, at) if prices else ():
                    seen += 1
                    assert (not fit.code) == ((fit.room, at) in listed)
                    action = prospects.furnishing(fit.room, at, prices[0])
                    # With another price than the first it may be enough.
                    assert fit.code in (code(now, GAME.action_json(action)), "")
            now = GAME.apply(now, seat, dweller(GAME, now, seat, rng)).state
    assert seen > 200


def test_what_an_action_brings_is_what_comes() -> None:
    rng, now = Random("goods"), GAME.new(2, {"edition": "era-1-2"}, "goods")
    while not GAME.over(now):
        seat = min(GAME.to_act(now))
        # The view knows no more than the person.
        shown = GAME.view(now, seat).cave
        for choice in GAME.choices(now, seat):
            told = prospects.prospect(shown, seat, choice.action)
            after = GAME.apply(now, seat, choice.action).state
            assert told.price == choice.price
            if (after.era, after.round) == (now.era, now.round):
                assert told.after == after.players[seat].goods
        now = GAME.apply(now, seat, dweller(GAME, now, seat, rng)).state


def test_an_exchange_at_any_time() -> None:
    now = state(player({"gold": 1, "food": 9}), player())
    told = prospects.exchanged(now, 0, "gold")
    assert told.changes == {"gold": -1}
    assert told == prospects.prospect(now, 0, GAME.decode(now, 0, {"type": "anytime", "good": "gold"}))


def test_the_score_line_by_line() -> None:
    now = state(player({"gold": 2}, {(1, 0): "shelf"}), player())
    assert prospects.sheet(now, 0) == (("rooms", 3), ("gold", 2))
    now = state(player({"gold": 3, "iron": 1, "weapon": 2}, era_1=20), era=2)
    assert prospects.sheet(now, 0) == (
        ("era_1", 20),
        ("rooms", 0),
        ("gold", 1.5),
        ("iron", 0.5),
        ("weapon", 2),
    )
    assert sum(points for _, points in prospects.sheet(now, 0)) == GAME.standing(now)[0].total


def test_the_goal_of_a_player_alone() -> None:
    assert prospects.goal(state()) is None
    told = prospects.goal(state(player({"gold": 3})))
    assert told == prospects.Goal(3, 50, False)
    told = prospects.goal(state(player({"weapon": 3}, era_1=178), era=2))
    assert told == prospects.Goal(181, 180.5, True)


def test_turns_left() -> None:
    now = state()
    assert (prospects.turns_left(now, 0), prospects.turns_left(now, 1)) == (22, 22)
    now = do(now, take("cultivation"))
    assert (prospects.turns_left(now, 0), prospects.turns_left(now, 1)) == (22, 22)
    now = do(now, {"type": "end_turn"})
    assert (prospects.turns_left(now, 0), prospects.turns_left(now, 1)) == (21, 22)
    both = GAME.new(1, {"edition": "era-1-2"}, "turns")
    assert prospects.turns_left(both, 0) == 19 + 16
    draft = drafting(player(), player(), display=("shelf",), pile=("bakehouse",))
    assert prospects.turns_left(draft, 0) == 16


def test_tiles_that_can_be_taken() -> None:
    now = state(number=8, before=("masonry", "breach"))
    told = dict(prospects.takeable(now, 0))
    assert (told["masonry"], told["renovation"], told["housework"]) == ("taken", "not_ahead", "")
