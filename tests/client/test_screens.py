"""The start menu and the screens behind it: by keys alone, by mouse alone, nothing truncated."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from textual import events
from textual.screen import Screen
from textual.widgets import Input

from cave.game import Json
from cave.games import get_game
from cave.protocol import TableLine
from cave.score import Score
from cave.the_cave.game import View
from client.app.screens import join
from client.app.screens.join import JoinScreen
from client.app.screens.lobby import LobbyScreen
from client.app.screens.menu import MenuScreen, NameScreen
from client.app.screens.new_game import NewGameScreen
from client.games import get_face as face_of
from client.games.the_cave.face import FACE
from client.launch import host_tables, new_game
from client.launch.held_seats import HeldSeats
from client.launch.opening import (
    ChooseSettings,
    GoOn,
    HowToPlay,
    Learn,
    LocalGame,
    NewGame,
    Puzzles,
    QuickGame,
    ReplayFile,
    ShowProfile,
    TableChoice,
    TableWish,
    Today,
    Visit,
)
from client.plain.shared_sentences import WATCHING
from client.table import ChatLine, Rejected, Seat, TableState
from client.tui.chat import ChatScreen
from client.tui.help import HelpScreen
from client.tui.score import ScoreScreen
from client.tui.title_picture import TitlePictures
from client.tui.widgets.form_fields import Cycle
from tests.client.fake_session import FakeSession
from tests.client.listed import table_line
from tests.client.plain_talk import talk
from tests.client.screens import LARGE, answers, cut_off, show, smaller, text

GAME = get_game("the-cave")
TABLES: list[Json] = [
    {
        "id": "full",
        "game": "the-cave",
        "title": "Old hands",
        "status": "playing",
        "seats": [{"name": "Cyd", "kind": "person"}, {"name": "Rookie", "kind": "bot"}],
    },
    {
        "id": "free",
        "game": "the-cave",
        "title": "Ann's table",
        "status": "waiting",
        "seats": [{"name": "Ann", "kind": "person"}, {"name": "", "kind": "open"}],
    },
]


async def tables(address: str) -> list[TableLine]:
    if address == "nowhere":
        raise ConnectionError("Nobody answers at nowhere.")
    return [] if address == "empty" else [*map(table_line, TABLES)]


def waiting() -> FakeSession:
    session = FakeSession()
    seats = (Seat("Ann", "person", mine=True), Seat("", "open", present=False), Seat("Rookie", "bot"))
    session.show(TableState(table="t", title="Ann's table", game=GAME, seats=seats, address="10.0.0.5:7412"))
    return session


class Scored(View, frozen=True):
    """A view with these points in any cave."""

    lines: tuple[Score, ...] = ()

    @property
    def standing(self) -> tuple[Score, ...]:
        return self.lines


def over(count: int = 5) -> TableState:
    names = ["Ann", "Bea", "Cyd", "Dan", "Bartholomew the Explorer"][:count]
    state = GAME.new(count, {}, "k")
    lines = tuple(
        Score(
            seat,
            0 if seat == 1 else 100 + seat,
            dict.fromkeys(FACE.sheet.categories, 0 if seat == 1 else 10 + seat),
            {"traverse": 8 * (seat == 0), "photo": 4 * (seat == 2), "water": 0, "squeeze": 0},
            seat == count - 1,
            "stranded" if seat == 1 else "",
        )
        for seat in range(count)
    )
    view = Scored(**msgspec.structs.asdict(GAME.view(state, None, names)), lines=lines)
    seats = tuple(Seat(name, "person") for name in names)
    return TableState(table="t", title="t", game=GAME, status="over", seats=seats, view=view)


def played() -> TableState:
    """The same at the first player's keyboard."""
    state = over()
    return replace(state, seats=(replace(state.seats[0], mine=True), *state.seats[1:]))


NOON = datetime(2026, 1, 2, 12).timestamp()
HELD = HeldSeats(
    *("free", "10.0.0.7:7500", {0: "k", 1: "l"}, NOON, {0: "Ann", 1: "Bea"}, "Friday"),
    game="the-cave",
    others=("Cyd", "Rookie (bot)"),
    round=3,
)


LONG = "Bartholomew the Explorer"
MANY = HeldSeats("free", "10.0.0.7:7500", dict.fromkeys(range(5), "k"), 1.0, dict.fromkeys(range(5), LONG), "F" * 60)
PATH = "/home/somebody/.local/share/cave-game/records/2026-01-01-120000-Ann-Bea-Cyd.jsonl"


@pytest.mark.parametrize(
    "make",
    [
        lambda: MenuScreen(f"The game is saved: {PATH}", last=[MANY], pictures=TitlePictures()),
        lambda: ScoreScreen(FACE, over(), record_path=PATH),
    ],
    ids=["menu", "score"],
)
async def test_long_names_are_not_cut_off(make: Callable[[], Screen[Any]]) -> None:
    async with show(make(), LARGE) as (app, pilot):
        async for size in smaller(pilot):
            assert cut_off(app.screen) == [], size


async def test_help_opens_at_the_rule_and_turns_its_pages_by_keys_and_mouse() -> None:
    async with show(HelpScreen(FACE, about=("5.6",))) as (app, pilot):
        assert "5.6 Photograph" in text(app.screen)
        assert "6.1 Pack" not in text(app.screen)
        await pilot.press("left")
        await pilot.press("end")
        assert "one_turn" in text(app.screen)
        await pilot.press("2")
        assert "The cave in short" in text(app.screen)
        await pilot.click("#hint-help-next")
        assert "A tunnel" in text(app.screen)
        await pilot.press("left", "left")
        assert "5.6 Photograph" in text(app.screen)


# ------------------------------------------------------------------ menu


ENTRIES = [
    ("p", QuickGame()),
    ("l", Learn()),
    ("d", Today()),
    ("z", Puzzles()),
    ("n", NewGame()),
    ("j", Visit()),
    ("w", Visit(watching=True)),
    ("r", ReplayFile()),
    ("y", ShowProfile()),
    ("h", HowToPlay()),
    ("s", ChooseSettings()),
    ("q", None),
]


async def test_menu_by_letter_by_arrows_and_by_mouse() -> None:
    async with answers(MenuScreen()) as (chosen, pilot):
        for number, (key, opens) in enumerate(ENTRIES):
            await pilot.press(key)
            await pilot.press("home", *["down"] * number, "enter")
            await pilot.click("#entries", offset=(4, number))
            assert chosen == [opens] * 3, key
            chosen.clear()


async def test_the_last_game_is_the_first_entry_and_the_others_are_below_it() -> None:
    async with answers(MenuScreen(last=[HELD])) as (chosen, pilot):
        shown = " ".join(text(pilot.app.screen).split())
        assert "Go on The Cave against Cyd and Rookie (bot) p Play" in shown
        assert "(bot), 2026-01-02 12:00, round 3, Friday at 10.0.0.7:7500, seats Ann and Bea" in shown
        await pilot.press("g")
        await pilot.press("down", "up", "enter")
        await pilot.click("#entries", offset=(4, 0))
        assert chosen == [GoOn("free")] * 3
        for number, (_, opens) in enumerate(ENTRIES[:6]):
            await pilot.click("#entries", offset=(4, number + 1))
            assert chosen.pop() == opens


async def test_a_name_is_required() -> None:
    async with show(NameScreen()) as (app, pilot):
        await pilot.press("enter")
        assert app.results == []
        assert "Please type a name" in text(app.screen)
        await pilot.press(*"Ann", "enter")
        assert app.results == ["Ann"]


# ------------------------------------------------------------------ new game


async def test_a_new_game_by_keys_alone() -> None:
    async with show(NewGameScreen("Ann")) as (app, pilot):
        # Seat B: person Bea; seat C: a rookie; the French edition with one switch turned back; a seed.
        await pilot.press("tab", "tab", "left", "tab", *"Bea", "tab", *["left"] * 4, "tab", "tab", "tab")
        assert app.focused.id == "option-edition"
        await pilot.press("right", "tab", "left", "tab", "tab", "tab", "tab", *"k", "ctrl+s")
        (opened,) = app.results
        assert opened == LocalGame(
            new_game.GamePlan(
                (
                    new_game.SeatPlan("person", "Ann"),
                    new_game.SeatPlan("person", "Bea"),
                    new_game.SeatPlan("bot", level="rookie"),
                ),
                settings={"edition": "french", "choke_cost": 1},
                seed="k",
            )
        )


async def test_enter_moves_from_field_to_field_and_finally_starts() -> None:
    screen = NewGameScreen("Ann")
    async with show(screen) as (app, pilot):
        visited = []
        while isinstance(app.focused, Cycle | Input):
            visited.append(app.focused.id)
            await pilot.press("enter")
        lines = screen.query("Cycle, #form Input")
        fields = [field.id for field in lines if field.visible and getattr(field.parent, "display", True)]
        assert ["game", "series", *visited] == fields, "it begins with the seats"
        assert app.results == []
        assert screen.plan() == new_game.make_plan(["Ann"]), "on the way nothing has changed"
        assert app.focused is screen.query_one("#start")
        await pilot.press("enter")
        assert app.results == [LocalGame(new_game.make_plan(["Ann"]))]


async def test_clicking_start_focuses_a_missing_name() -> None:
    screen = NewGameScreen("Ann")
    async with show(screen) as (app, pilot):
        await pilot.click("#kind-1", offset=(1, 0))
        await pilot.click("#start")
        assert app.results == []
        assert app.focused is screen.query_one("#name-1")
        assert "Everybody needs a name" in text(app.screen)
        await pilot.press(*"Bea")
        assert "Everybody needs a name" not in text(app.screen)
        await pilot.click("#start")
        assert app.results == [LocalGame(new_game.make_plan(["Ann", "Bea"]))]


async def test_a_table_can_be_without_hints() -> None:
    """If people elsewhere may play; local players can simply not ask for hints."""
    here, screen = NewGameScreen("Ann"), NewGameScreen("Ann", where="a host")
    async with show(here):
        assert not here.query_one("#hints-line").display
        assert here.plan().hints
    async with show(screen) as (_, pilot):
        assert screen.query_one("#hints-line").display
        assert screen.plan().hints
        screen.query_one("#hints-allowed").focus()
        await pilot.press("right")
        assert not screen.plan().hints


# ------------------------------------------------------------------ join, watch, lobby


async def test_joining_by_keys_alone() -> None:
    async with show(JoinScreen(tables)) as (app, pilot):
        await pilot.press(*"here", "enter")
        assert "Ann's table" in text(app.screen)
        await pilot.press("tab", *"Bea", "enter")
        assert app.results == [TableChoice("here", "free", ("Bea",))]


@pytest.mark.parametrize("how", ["enter", "ctrl+s"])
async def test_own_seats_come_first_and_are_resumed(how: str) -> None:
    held = replace(HELD, table="full", keys={0: "k"}, names={0: "Cyd"})
    async with show(JoinScreen(tables, held=lambda: [held], address="here", called="Ann")) as (app, pilot):
        rows = [row for row in text(app.screen).splitlines() if "Old hands" in row or "Ann's table" in row]
        assert "your seat" in rows[0]
        assert "Old hands" in rows[0]
        assert "your seat" not in rows[1]
        assert "Continue as Cyd?" in text(app.screen)
        await pilot.press(how)
        assert app.results == [TableChoice("here", "full", (), held=held)]


async def test_free_seats_are_listed_beside_own_seats() -> None:
    """Two lines of one table; a name used there is not proposed."""
    held = replace(HELD, keys={0: "k"}, names={0: "Ann"})
    async with show(JoinScreen(tables, held=lambda: [held], address="here", called="Ann")) as (app, pilot):
        rows = [row for row in text(app.screen).splitlines() if "Ann's table" in row]
        assert ["your seat" in row for row in rows] == [True, False]
        assert "Ann (you)" in rows[0]
        assert "1 open seat" in rows[1]
        await pilot.press("down")
        assert "Ann plays already" in text(app.screen)
        await pilot.press(*"Bea", "enter")  # while the list has the focus
        assert app.results == [TableChoice("here", "free", ("Bea",))]


async def test_watchers_are_not_seated_again() -> None:
    held = [replace(HELD, table="full")]
    async with show(JoinScreen(tables, held=lambda: held, address="here", watching=True)) as (app, pilot):
        assert "your seat" not in text(app.screen)
        await pilot.press("enter")
        assert app.results == [TableChoice("here", "full", ())], "the one that is played"


def free_at(name: str, *people: str, status: str = "waiting", there: bool = True) -> TableLine:
    seats = [{"name": each, "kind": "person", "present": there} for each in people]
    free = {"name": "", "kind": "open"}
    told = {"id": name, "title": name, "game": "the-cave", "status": status, "seats": [free, *seats, free]}
    return table_line(told)


def test_tables_with_waiting_players_come_first() -> None:
    listed = [
        free_at("empty"),
        free_at("left", "Ann", there=False),
        free_at("plays", "Bea", status="playing"),
        free_at("waits", "Cyd"),
    ]
    assert host_tables.table_lines(listed)[0].table == "waits"


async def test_the_list_of_tables_refreshes_while_typing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(join, "REFRESH", 0.1)
    there = [free_at("first"), free_at("second")]

    async def look(address: str) -> list[Json]:
        return list(there)

    async with show(JoinScreen(look, address="here", names=("Eve",))) as (app, pilot):
        await pilot.until(lambda: "second" in text(app.screen))
        await pilot.press("down", "tab", *"Zoe")
        there.insert(1, free_at("third", "Cyd"))
        await pilot.until(lambda: "third" in text(app.screen))
        await pilot.press("enter")
        assert app.results == [TableChoice("here", "second", ("Zoe",))]


async def test_a_free_seat_can_be_chosen() -> None:
    async def look(address: str) -> list[Json]:
        return [free_at("t", "Ann")]

    async with show(JoinScreen(look, address="here", names=("Eve",))) as (app, pilot):
        await pilot.press("tab", "tab", "b", "enter")
        assert "Seat B is not free. Free: A, C." in text(app.screen)
        await pilot.press("backspace", "x", "enter")
        assert "X is not a seat." in text(app.screen)
        await pilot.press("backspace", "c", "enter")
        assert app.results == [TableChoice("here", "t", ("Eve",), seats=(2,))]


async def test_a_used_name_is_refused() -> None:
    """Names must be unique, also at one keyboard."""
    async with show(JoinScreen(tables, address="here", names=("ann",))) as (app, pilot):
        await pilot.press("ctrl+s")
        assert app.results == []
        assert "already called ann" in text(app.screen)
        await pilot.press(*"Bea", "enter")
        assert app.results == [TableChoice("here", "free", ("Bea",))], "the name is typed anew at once"


async def test_a_full_table_can_only_be_watched() -> None:
    async with show(JoinScreen(tables, address="here", names=("Bea",))) as (app, pilot):
        await pilot.press("down", "ctrl+s")
        assert app.results == []
        assert "no open seat; you can watch it" in text(app.screen)
        await pilot.press("ctrl+w")
        assert app.results == [TableChoice("here", "full", ())]


@pytest.mark.parametrize(
    ("address", "words"), [("nowhere", "Nobody answers"), ("empty", "no tables yet"), ("", "Type the address")]
)
async def test_errors_when_joining(address: str, words: str) -> None:
    async with show(JoinScreen(tables)) as (app, pilot):
        app.screen.query_one("#address", Input).value = address
        await pilot.press("ctrl+r")
        assert words in text(app.screen)
        await pilot.press("ctrl+s")
        assert app.results == []
        await pilot.press("escape")
        assert app.results == [None]


@pytest.mark.parametrize("how", ["enter", "ctrl+o"])
async def test_an_empty_host_offers_to_open_a_table(how: str) -> None:
    async with show(JoinScreen(tables, address="empty", names=("Bea", "Cyd"))) as (app, pilot):
        assert "Open one (enter), or look again (ctrl+r)." in text(app.screen)
        await pilot.press(how)
        assert app.results == [TableWish("empty", ("Bea", "Cyd"))]


async def test_a_host_without_new_tables_says_so() -> None:
    screen = JoinScreen(tables, address="empty", may_open=lambda: False)
    async with show(screen) as (app, pilot):
        assert "New table" not in text(app.screen)
        assert "That host has no tables yet. Look again (ctrl+r)." in text(app.screen)
        await pilot.press("ctrl+o")
        assert "Only the owner opens tables on that host." in text(app.screen)
    async with show(JoinScreen(tables, address="empty", watching=True)) as (app, pilot):
        assert "New table" not in text(app.screen)
        await pilot.press("enter", "ctrl+o")
        assert app.results == []


async def test_a_code_is_asked_for_if_the_table_needs_one() -> None:
    async def look(address: str) -> list[Json]:
        return [table_line({**TABLES[1], "code": True}), table_line(TABLES[0])]

    async with show(JoinScreen(look, address="here", names=("Bea",))) as (app, pilot):
        assert "with a code" in text(app.screen)
        await pilot.press("enter")
        assert app.results == []
        assert "This table needs a code." in text(app.screen)
        await pilot.press(*"owl", "enter")
        assert app.results == [TableChoice("here", "free", ("Bea",), code="owl")]
    async with show(JoinScreen(look, address="here", watching=True)) as (app, pilot):
        assert not app.screen.query_one("#code-line").display
        await pilot.press("enter")
        assert app.results == [TableChoice("here", "full", ())]


async def test_the_form_for_a_remote_table_starts_with_names_and_an_open_seat() -> None:
    async with show(NewGameScreen("Bea", "Cyd", where="here:1")) as (app, pilot):
        assert "New table at here:1" in text(app.screen)
        assert cut_off(app.screen) == []
        await pilot.press("ctrl+s")
        (wanted,) = app.results
        assert [(seat.kind, seat.name) for seat in wanted.plan.seats] == [
            ("person", "Bea"),
            ("person", "Cyd"),
            ("open", ""),
        ]


async def test_a_refused_message_is_explained_and_kept() -> None:
    session = waiting()

    async def say(text: str) -> None:
        raise Rejected("not_seated", "Only the players at this table can chat.")

    session.say = say  # type: ignore[method-assign]
    async with show(ChatScreen(session)) as (app, pilot):
        await pilot.press(*"hm", "enter")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert "Only the players at this table can chat." in text(app.screen)
        assert app.screen.query_one(Input).value == "hm"
        assert cut_off(app.screen) == []


async def test_a_message_refused_while_closing_the_chat_causes_no_crash() -> None:
    """A screen that closes loses its widgets before its work ends."""
    session, left = waiting(), asyncio.Event()

    async def say(text: str) -> None:
        await left.wait()
        raise ConnectionError("The host cannot be reached.")

    session.say = say  # type: ignore[method-assign]
    async with show(ChatScreen(session)) as (app, pilot):
        await pilot.press(*"hm", "enter")
        await app.screen.query("*").remove()
        left.set()
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert app.is_running


async def test_muted_watchers_can_read_and_learn_why() -> None:
    """They read it before typing anything; a watcher who sits down may write."""
    session = waiting()
    watching = tuple(msgspec.structs.replace(seat, mine=False) for seat in session.state.seats)
    said = (ChatLine("Ann", "a rope?"),)
    session.evolve(seats=watching, watchers_chat=False, chat=said)
    async with show(ChatScreen(session)) as (app, pilot):
        assert "Ann: a rope?" in text(app.screen)
        assert "Watchers can only read" in text(app.screen)
        assert "esc" in text(app.screen)
        assert not app.screen.query_one(Input).display
        assert cut_off(app.screen) == []
        await pilot.press("h", "i", "enter")
        session.evolve(watchers_chat=True)
        await pilot.pause()
        assert app.screen.query_one(Input).display
        assert "Watchers can only read" not in text(app.screen)
        await pilot.press("escape")
    assert app.results == [None]


async def test_a_too_long_message_is_reported_and_kept() -> None:
    """PROTOCOL.md, what hosts ensure, 5: chat has up to 500 characters."""
    session, heard = waiting(), []

    async def say(text: str) -> None:
        heard.append(text)

    session.say = say  # type: ignore[method-assign]
    async with show(ChatScreen(session)) as (app, pilot):
        box = app.screen.query_one(Input)
        box.post_message(events.Paste("x" * 500))
        await pilot.pause()
        assert "too many" not in text(app.screen)
        await pilot.press("y", "y", "enter")
        await app.workers.wait_for_complete()
        assert "A message can have 500 characters; this one has 2 too many." in text(app.screen)
        assert box.value == "x" * 500 + "yy"
        assert heard == []
        assert cut_off(app.screen) == []
        await pilot.press("backspace", "backspace", "enter")
        await app.workers.wait_for_complete()
        assert heard == ["x" * 500]
        assert "too many" not in text(app.screen)
        box.post_message(Input.Changed(box, "x" * 600))  # that of a fast paste arrives late
        await pilot.pause()
        assert "too many" not in text(app.screen)


async def test_a_pasted_text_of_several_lines_is_one_line_of_chat() -> None:
    async with show(ChatScreen(waiting())) as (app, pilot):
        await pilot.press(*"so: ")
        app.screen.query_one(Input).post_message(events.Paste("a rope?\n\nor  two?\n"))
        await pilot.pause()
        assert app.screen.query_one(Input).value == "so: a rope? or  two?"


async def test_a_scrolled_chat_stays_in_place_until_an_own_message() -> None:
    session = waiting()
    words = [ChatLine("Bea", f"word {number}") for number in range(60)]

    async def say(_text: str) -> None: ...

    session.say = say  # type: ignore[method-assign]
    session.evolve(chat=tuple(words[:40]))
    async with show(ChatScreen(session)) as (app, pilot):
        assert "word 39" in text(app.screen)
        await pilot.press("pageup")
        before = text(app.screen)
        assert "word 39" not in before
        assert "word 29" in before
        session.evolve(chat=tuple(words))
        await pilot.pause()
        assert [line for line in text(app.screen).splitlines() if "word" in line] == [
            line for line in before.splitlines() if "word" in line
        ]
        await pilot.press(*"ah", "enter")
        assert "word 59" in text(app.screen)


async def test_the_lobby_lists_players_and_opens_the_game_when_complete() -> None:
    session = waiting()
    async with show(LobbyScreen(session)) as (app, pilot):
        shown = text(app.screen)
        assert "Waiting for one more player" in shown
        assert "cave join 10.0.0.5:7412" in shown
        session.evolve(link="lost")
        await pilot.pause()
        assert "The link to the host is lost" in text(app.screen)
        session.evolve(status="playing", link="live", view=FakeSession().state.view)
        await pilot.pause()
        session.evolve(watchers=3)
        assert app.results == ["play"]


async def test_the_join_command_is_on_one_row_for_copying() -> None:
    address = "one-machine-of-many.in-the-old-workshop.example.org:7412"
    async with show(LobbyScreen(waiting(), address=address), (80, 24)) as (app, _):
        assert f"cave join {address}" in text(app.screen)


async def test_watchers_in_a_lobby_see_who_is_missing_and_how_to_play() -> None:
    session = waiting()
    session.evolve(seats=tuple(replace(seat, mine=False) for seat in session.state.seats))
    async with show(LobbyScreen(session)) as (app, _):
        shown = " ".join(text(app.screen).split())
        assert "You are watching; it begins when one more player sits down" in shown
        assert "To play instead type: cave join 10.0.0.5:7412" in shown
        assert "Waiting for" not in shown
    said = await talk(session)
    assert said[1:] == [
        WATCHING,
        "To play instead, quit and type: cave join 10.0.0.5:7412",
        "The game begins when 1 more player sits down.",
    ]


@pytest.mark.parametrize("by", ["key", "mouse"])
async def test_leaving_the_lobby_with_a_seat_needs_confirmation(by: str) -> None:
    async with show(LobbyScreen(waiting())) as (app, pilot):
        await (pilot.press("escape") if by == "key" else pilot.click("#hint-lobby-leave"))
        assert "Leave the table?" in text(app.screen)
        await pilot.press("escape")
        assert app.results == []
        await (pilot.press("q") if by == "key" else pilot.click("#hint-lobby-leave"))
        await pilot.press("m")
        assert app.results == ["menu"]


async def test_a_starting_game_opens_over_the_leave_dialog() -> None:
    session = waiting()
    async with show(LobbyScreen(session)) as (app, pilot):
        await pilot.press("escape")
        session.evolve(status="playing", view=FakeSession().state.view)
        await pilot.pause()
        assert app.results == ["play"]


async def test_a_game_that_begins_waits_for_the_end_of_the_chat() -> None:
    """Keys typed in a line would act in the game: Enter packs in The Cave."""
    session = waiting()
    async with show(LobbyScreen(session)) as (app, pilot):
        await pilot.press("t", "o", "n")
        session.evolve(status="playing", view=FakeSession().state.view)
        await pilot.press("e", "enter")
        assert [line.text for line in session.state.chat] == ["one"]
        assert app.results == []
        assert "The game has begun: esc opens it." in text(app.screen)
        await pilot.press("escape")
        assert app.results == ["play"]


@pytest.mark.parametrize(
    ("address", "who"),
    [("10.0.0.5:7412", "The others type:"), ("localhost:7412", "on this machine"), ("127.0.0.1:1", "on this machine")],
)
async def test_the_lobby_offers_no_local_address_to_other_machines(address: str, who: str) -> None:
    async with show(LobbyScreen(waiting(), address=address)) as (app, _):
        assert who in text(app.screen)


async def test_an_extra_escape_does_not_end_the_program() -> None:
    async with show(MenuScreen()) as (app, pilot):
        await pilot.press("escape")
        assert app.results == []


# ------------------------------------------------------------------ score and records


async def test_ways_out_of_the_score_sheet() -> None:
    async with answers(ScoreScreen(FACE, over())) as (chosen, pilot):
        for key, hint, result in (("m", "menu", "menu"), ("q", "quit", "quit"), ("escape", "look", None)):
            await pilot.press(key)
            await pilot.click(f"#hint-score-{hint}")
            assert chosen == [result] * 2, key
            chosen.clear()


def line(seat: int, total: int, *, winner: bool = False, stranded: bool = False) -> Score:
    return Score(seat, total, dict.fromkeys(FACE.sheet.categories, 0), {}, winner, "stranded" if stranded else "")


@pytest.mark.parametrize(
    ("stranded", "words"),
    [
        ((), ""),
        ((1,), "Bea did not get home in time and scores nothing."),
        ((0, 1), "Ann and Bea did not get home in time and score nothing."),
    ],
)
def test_stranded_teams_are_named(stranded: tuple[int, ...], words: str) -> None:
    found = [line(seat, 0, stranded=seat in stranded) for seat in (0, 1)]
    assert FACE.remark(found, ["Ann", "Bea"]) == words


@pytest.mark.parametrize(
    ("game", "words"),
    [
        ("sir-ocelots-cave", "Equal points: Bea wins with more amethysts."),
        ("cave-vs-cave", "Equal points: Bea wins with the more valuable room."),
    ],
)
def test_the_tie_breaker_is_named(game: str, words: str) -> None:
    remark, names = face_of(game).remark, ["Ann", "Bea"]
    assert remark([line(0, 9), line(1, 9, winner=True)], names) == words
    assert remark([line(0, 8), line(1, 9, winner=True)], names) == ""
    assert remark([line(0, 9, winner=True), line(1, 9, winner=True)], names) == ""
