"""Log sentences: one for every event of the game."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from cave.codec import to_json
from cave.the_cave import actions
from cave.the_cave.actions import Gain
from cave.the_cave.state import Items, TileKind
from client.games.the_cave import log
from client.present import hosts
from client.present.log import chat_for, entries, log_entry, new_chat_lines
from client.table import ChatLine, LogLine, Seat
from client.tui.sentences import TAKE_ALL_BACK, TAKE_BACK, host_away_banner_words
from tests.client.fake_session import FakeSession
from tests.client.game_app import GAME, position

VIEW = GAME.view(position(), None, ("Ann", "Bea"))
SQUEEZE = TileKind("squeeze", "NS", 2)

CASES = [
    (actions.Packed(0, Items(2, 1), None), "Ann packs 2 consumables, 1 rope"),
    (actions.Packed(0, Items(1), Items(0, 2)), "Ann packs 1 consumable; in the camp: 2 ropes"),
    (actions.Packed(0, None, None, True), "Ann has packed"),
    (actions.Began(1), "Bea has the first turn"),
    (actions.TurnBegan(1), None),
    (actions.Ate(0, "backpack"), "Ann eats 1 consumable"),
    (actions.Ate(0, "camp"), "Ann eats 1 consumable from the camp"),
    (actions.Starved(0), "Ann has nothing to eat: one forced move"),
    (actions.Drew(0, SQUEEZE), "Ann discovers a squeeze 2"),
    (actions.NothingFits(0), "Ann cannot fit the tile to all tiles around, so a boulder choke comes"),
    (actions.Placed(0, (1, -1), SQUEEZE, 0), "Ann places a squeeze 2 at depth 0 m"),
    (
        actions.Moved(0, (1, 0), (1, 1), "foot", 2, 1, Gain(traverse=1, depth=25), 5),
        "Ann ropes 0 m to -25 m with 1 rope +5 (1 traverse, depth 25)",
    ),
    (actions.Moved(0, (1, 0), (0, 0), "foot", 1, 0, Gain(), 0), "Ann goes home"),
    (actions.Moved(0, (1, 0), (2, 0), "oxygen", 2, 0, Gain(water=1), 3), "Ann goes E, water with oxygen +3 (1 water)"),
    (actions.Moved(0, (1, 0), (2, 0), "raft", 1, 0, Gain(), 0), "Ann goes E, water by raft"),
    (actions.Moved(0, (1, 0), (1, 1), "force", 5, 0, Gain(), 0), "Ann forces a way S, descent"),
    (actions.Took(0, (0, -1), Gain(photo=1), 2), "Ann takes a photo +2"),
    (actions.Took(0, (2, 0), Gain(water=1), 3), "Ann dives for the token +3"),
    (actions.Pitched(0, (1, 0)), "Ann pitches the camp"),
    (actions.Struck(0, (1, 0)), "Ann strikes the camp"),
    (actions.Abandoned(0, Items(1)), "Ann abandons the camp with 1 consumable"),
    (
        actions.Exchanged(0, Items(1), Items(0, 2)),
        "Ann puts 1 consumable into the camp and takes 2 ropes from the camp",
    ),
    (actions.Discarded(0, Items(camera=1)), "Ann discards 1 camera"),
    (actions.TurnEnded(0, 2), "Ann ends the turn, 2 AP unused"),
    (actions.TurnEnded(0, 0), "Ann ends the turn"),
    (actions.EndTriggered(0, "last_tile", 8), "THE END IS NEAR: the last tile is placed, 8 turns in all"),
    (actions.EndTriggered(0, "sealed", 1), "THE END IS NEAR: the cave is sealed, 1 turn in all"),
    (actions.Ended(1), "The game is over."),
]


@pytest.mark.parametrize(("event", "sentence"), CASES)
def test_sentence(event: actions.Event, sentence: str | None) -> None:
    line = log.log_line(0, to_json(event), VIEW)
    assert (line.sentence if line is not None else None) == sentence


def test_every_event_has_a_case() -> None:
    assert {type(event) for event, _ in CASES} == {*GAME.events}


def lines(*made: actions.Event) -> tuple[LogLine, ...]:
    return tuple(LogLine(number, to_json(event)) for number, event in enumerate(made))


@pytest.mark.parametrize(
    ("former", "words"), [("", "is back at the table"), ("Ann", "is back at the table"), ("Bea", "takes over from Bea")]
)
def test_sitting_down_returning_and_taking_over_differ(former: str, words: str) -> None:
    event = {"type": "sat", "seat": 0, "name": "Ann", "former": former}
    (entry,) = entries(log.log_line, [LogLine(0, event)], VIEW)
    assert (entry.actor, entry.text) == ("Ann", words)


@pytest.mark.parametrize(
    ("event", "words"),
    [
        ({"type": "stand_in_bot", "level": "novice"}, "has been away too long: a bot (novice) plays meanwhile"),
        ({"type": "stand_in_skip", "idle": True}, "has not acted for too long: turns are skipped meanwhile"),
    ],
)
def test_a_stand_in_has_its_reason(event, words):
    entry = log_entry(lambda *_: None, 0, LogLine(0, {**event, "seat": 0}), VIEW)
    assert entry.sentence == f"Ann {words}"


# Chat


LINES = st.lists(st.builds(ChatLine, st.sampled_from(["Ann", "Bea"]), st.text(max_size=3)), max_size=8)


@given(LINES, LINES)
def test_messages_since_the_last_look_are_news(before: list[ChatLine], said: list[ChatLine]):
    # Repeated equal lines may look old if the first ones are cut off, but only then.
    assert list(new_chat_lines(before, [*before, *said])) == said


@given(LINES, LINES)
def test_only_the_last_lines_of_a_chat_are_kept(before: list[ChatLine], said: list[ChatLine]):
    numbered = [ChatLine(line.name, f"{number} {line.text}") for number, line in enumerate(before + said)]
    old, new = numbered[: len(before)], numbered[len(before) :]
    assert list(new_chat_lines(old[-4:], numbered[-4:])) == new[-4:]


def test_players_read_each_other_and_watchers_read_all():
    said = (ChatLine("Ann", "hi"), ChatLine("Eve", "go north", watcher=True))
    for mine, lines in (((0,), said[:1]), ((), said)):
        session = FakeSession(mine=mine)
        session.evolve(chat=said)
        assert tuple(chat_for(session.state)) == lines


# A lost link and lost seats


def test_a_seat_is_called_by_its_name_its_team_or_its_number_from_one() -> None:
    session = FakeSession(("Ann", "Bea"), mine=())
    session.evolve(seats=(Seat("Ann", "person"), Seat("", "open", team="Bea"), Seat("", "open")))
    assert hosts.seats_taken_words(session.state, [0, 1]) == "Another terminal plays for Ann and Bea now."
    assert hosts.seats_taken_words(session.state, [0, 1, 2]) == "Another terminal plays for Ann, Bea and seat 3 now."
    assert hosts.seats_freed_words(session.state, [2]) == "The host's owner has freed the seat of seat 3."


def test_a_closed_table_shows_the_reason_and_the_next_step() -> None:
    for why in ("shelved", "died", "left"):
        assert "leave (q)" in hosts.closed_words(why, "leave (q)")
        assert hosts.closed_words(why, "leave (q)").endswith("cave resume")
    assert "crashed" in hosts.closed_words("died", "leave")
    assert "crashed" not in hosts.closed_words("left", "leave")


def test_a_refusing_host_is_not_reported_as_gone() -> None:
    assert "No host answers" in hosts.missing_words("nowhere", "leave (q)")
    assert "key does not match" in hosts.missing_words("unproven", "leave (q)")
    assert hosts.missing_words("refused", "leave (q)") == (
        "The host does not let you in. Ask its owner: this continues when it does, or leave (q)."
    )


def test_watchers_and_players_learn_how_to_return() -> None:
    for mine, command in (((), "cave watch ADDRESS"), ((0,), "cave join ADDRESS")):
        session = FakeSession(mine=mine)
        session.evolve(link="lost", missing="nowhere")
        assert host_away_banner_words(session.state, str).endswith(command)


def test_a_terminal_that_took_a_seat_over_may_be_away_by_now() -> None:
    session = FakeSession(("Ann", "Bea"), mine=())
    session.evolve(seats=(Seat("Ann", "person"), Seat("Bea", "person")), taken=(0,))
    assert host_away_banner_words(session.state, str) == f"Another terminal plays for Ann now. {TAKE_BACK}"
    session.evolve(seats=[structs.replace(seat, present=False) for seat in session.state.seats], taken=(0, 1))
    assert host_away_banner_words(session.state, str) == (
        f"Another terminal took the place of Ann and Bea, and is away. {TAKE_ALL_BACK}"
    )
