"""What Lanterns has not: a total that a view hides, news for one seat, an option by the number of seats."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import pytest
from msgspec.structs import replace

from cave.game import BadData, Game, Json
from client.face import LogEntry, Page, SheetWords
from client.games.face import GameFace
from client.net.store import Store
from client.plain import telling
from client.plain.news import News
from client.present import score
from client.replay.history import turns
from client.replay.points import points_of
from client.table import LogLine, Seat, TableState
from client.tui.themes import ThemedApp
from client.tui.widgets.score_sheet import ScoreSheet
from tests.cave import conformance as kit
from tests.game_kit import installed_games, play
from tests.server.kit import ANN, BEA, EVE, Desk
from tests.toy.purses import PURSES as GAME
from tests.toy.purses import State, Stop, Take, View

NAMES = ["Ann", "Bea", "Cem", "Dov"]


class PursesFace(GameFace):
    """Its log tells a seat of its own coins."""

    name = "purses"
    blurb = "Take coins, or stop."
    length = "a minute"
    sheet: ClassVar[SheetWords] = SheetWords({"coins": "Coins"})

    def log_line(self, index: int, event: Json, view: View) -> LogEntry | None:
        match event["type"]:
            case "took":
                coin = view.position.players[event["seat"]].coins[event["number"]]
                words = f"takes a coin of {coin}" if coin else "takes a coin"
                return LogEntry(index, event["seat"], view.names[event["seat"]], words)
            case "stopped":
                return LogEntry(index, event["seat"], view.names[event["seat"]], "stops")
            case _:
                return LogEntry(index, None, "", "The purses are opened")

    def turn(self, event: Json) -> int | None:
        return None

    def running_turn(self, view: View) -> int | None:
        return 0 if not view.over else None

    def help(self, glyphs: str) -> Mapping[str, Page]:
        return {name: Page(name, "") for name in ("brief", "how", "keys")}

    def lines(self) -> Any:
        raise NotImplementedError

    screen = replay_screen = lines


FACE = PursesFace()


@pytest.fixture(autouse=True)
def second_toy() -> Iterator[None]:
    with installed_games(Path(__file__).with_name("second")):
        yield


def anything(game: Any, state: State, seat: int, rng: Random) -> Any:
    return rng.choice(game.choices(state, seat))


def twins(state: State, viewer: int | None, rng: Random) -> Iterator[State]:
    for _ in range(3):
        yield GAME.imagine(GAME.view(state, viewer), str(rng.random()))


SUBJECT = kit.Subject(
    game=GAME,
    player=anything,
    bound=16,
    codes=("game_over", "not_your_turn", "bad_action"),
    twins=twins,
    reveals_to_some=True,
)


def after(state: State, *actions: Take | Stop) -> State:
    for action in actions:
        state = GAME.apply(state, state.seat, action).state
    return state


@pytest.mark.parametrize("seats", GAME.seats)
def test_a_game_of_what_has_to_be_written_keeps_the_contract(seats: int) -> None:
    for settings in ({}, *[{"length": "long"}][: seats - 1]):
        played = kit.play(
            SUBJECT, NAMES[:seats], settings, f"{seats}", lambda s, r: kit.check_state(SUBJECT, s, r)
        )
        kit.check_replay(SUBJECT, played, NAMES[:seats], settings, f"{seats}")
        assert played.events[-1]["type"] == "opened"
        assert "seat" not in played.events[-1]


def test_a_game_writes_no_more_than_this() -> None:
    assert len(Game.__abstractmethods__) <= 11


async def test_a_total_that_is_not_known_is_shown_as_that() -> None:
    state = after(GAME.new(2, {}, "hidden"), Take(), Take())
    mine, theirs = (GAME.view(state, 0).standing[seat] for seat in (0, 1))
    assert mine.total == state.players[0].coins[0]
    assert (theirs.total, theirs.points, theirs.winner) == (None, {}, False)
    view = GAME.view(state, 0, NAMES[:2])
    lines = telling.sheet(FACE, view, over=False)
    assert lines == [
        "If it ended now:",
        f"Coins: Ann {mine.total}, Bea ?.",
        f"Total: Ann {mine.total}; Bea ?.",
    ]
    cards = ScoreSheet(score.sheet(FACE.sheet, view.standing, view.names), [], line="-")
    async with ThemedApp[None]().run_test():
        text = "".join(span.text for row in cards.rows(80, 30) for span in row)
    assert text.count("?") == 2
    assert GAME.view_json(view)["standing"][1]["total"] is None
    assert None not in [line.total for line in GAME.standing(state)]


def test_a_seat_reads_its_own_news_in_its_view() -> None:
    """Everybody is told of the same event; who took the coin has its value besides."""
    start = GAME.new(2, {}, "news")
    step = GAME.apply(start, 0, Take())
    told = [LogLine(2, GAME.event_json(GAME.public_event(event))) for event in step.events]
    assert told[0].event == {"type": "took", "seat": 0, "number": 0, "coin": None}
    coin = step.state.players[0].coins[0]

    def table(*mine: int, seen: int = 2) -> TableState:
        seats = tuple(Seat(name, "person", mine=seat in mine) for seat, name in enumerate(NAMES[:2]))
        known = step.state if seen == 2 else start
        return TableState(
            table="t",
            title="",
            game=GAME,
            seq=2,
            status="playing",
            seats=seats,
            view=GAME.view(step.state, None, NAMES[:2]),
            views={seat: GAME.view(known, seat, NAMES[:2]) for seat in mine},
            seen=dict.fromkeys(mine, seen),
            log=tuple(told),
        )

    def news(state: TableState) -> list[str]:
        return News(FACE.log_line).of(state)

    assert news(table(0)) == [f"Ann takes a coin of {coin}."]
    assert news(table(1)) == news(table()) == news(table(0, 1)) == ["Ann takes a coin."]
    early = News(FACE.log_line)
    assert early.of(table(0, seen=1)) == [], "the update has come, her own view not yet"
    assert early.of(table(0)) == [f"Ann takes a coin of {coin}."]
    assert news(replace(table(0, seen=1), link="lost"))[0] == "Ann takes a coin."


def test_an_option_that_hangs_on_the_number_of_seats() -> None:
    kit.check_options(GAME)
    (length,) = GAME.options
    assert [value for value, _ in length.values_for(1)] == ["short"]
    assert [value for value, _ in length.values_for(2)] == ["short", "long"]
    assert GAME.settings({"length": "long"}) == GAME.settings({"length": "long"}, 2) == {"length": "long"}
    alone = GAME.new(1, {}, "")
    wrong = {"length": "long"}
    for ask in (
        lambda: GAME.settings(wrong, 1),
        lambda: GAME.new(1, wrong, ""),
        lambda: GAME.from_position({**GAME.position(alone), "settings": wrong}),
    ):
        with pytest.raises(BadData, match=r"length: must be one of short with 1 seat$"):
            ask()
    desk = Desk()
    seats = [{"kind": "open"}]
    refused = desk.ask(ANN, "open", game="purses", seats=seats, settings=wrong)
    assert refused["code"] == "bad_message"
    assert "must be one of short with 1 seat" in refused["message"]


def test_one_person_alone_plays_to_the_end_at_a_host() -> None:
    desk = Desk()
    made = desk.open("open", game="purses", seed="alone")
    desk.ask(ANN, "sit", table=made, name="Ann")
    play(desk, made, 1)
    (finished,) = desk.finished
    assert finished.record[-1]["result"]["standing"][0]["winner"] is True
    found = points_of(FACE, finished.record)
    assert found is not None
    assert found.series[0][-1] == finished.record[-1]["result"]["standing"][0]["total"]


def test_watchers_and_others_get_events_of_no_seat_and_no_coin() -> None:
    desk = Desk()
    made = desk.open("open", "open", game="purses", seed="two")
    for link, name in ((ANN, "Ann"), (BEA, "Bea")):
        desk.ask(link, "sit", table=made, name=name)
    store = Store(made)
    store.fold(desk.ask(EVE, "watch", table=made))
    play(desk, made, 2)
    for message in desk.published:
        store.fold(message)
    events = [line.event for line in store.state.log]
    assert all(event["coin"] is None for event in events if event["type"] == "took")
    assert events[-1]["type"] == "opened"


def test_a_turn_has_the_points_of_its_own_seat_and_those_of_no_seat() -> None:
    events: list[Json] = [
        {"type": "took", "seat": 0, "points": 2},
        {"type": "opened", "points": 1},
        {"type": "took", "seat": 1, "points": 4},
        {"type": "opened"},
    ]
    (turn,) = turns(FACE, GAME.view(GAME.new(2, {}, ""), None), [LogLine(1, each) for each in events])
    assert (turn.seat, turn.points) == (0, 3)
