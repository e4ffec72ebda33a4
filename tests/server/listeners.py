"""Everything that players and watchers of a table receive, for comparing two worlds."""

from __future__ import annotations

from functools import cache
from random import Random

from cave import games
from cave.game import Json
from tests.server.kit import Desk

KINDS = 8
"""Kinds of actions to try."""
EARLY = 30
"""Steps of a game searched for them."""


@cache
def actions(name: str, seats: int) -> tuple[Json, ...]:
    """Return an action of each of some kinds that the game allows or refuses, from one game: the same in all
    worlds.
    """
    game, rng = games.get_game(name), Random(name)
    state = game.new(seats, {}, name)
    found: dict[str, Json] = {}
    for _ in range(EARLY):
        seat = min(game.to_act(state), default=None)
        if seat is None:
            break
        choices = game.choices(state, seat)
        done = [game.action_json(game.sample(choice, rng)) for choice in choices]
        for action in (*done, *(why.action for why in game.why_not(state, seat))):
            found.setdefault(action["type"], action)
        state = game.apply(state, seat, game.decode(state, seat, rng.choice(done))).state
    return tuple(found.values())[:KINDS]


def ask_everything(desk: Desk, made: str, link: bytes, seats: tuple[int, ...]) -> None:
    """Send every request of a client that does not change the game, including invalid ones."""
    for kind in ("watch", "sync", "record"):
        desk.ask(link, kind, table=made)
        desk.ask(link, kind, table="nowhere")
    desk.ask(link, "hello", protocol=1)
    for kind in ("tables", "ping", "stats"):
        desk.ask(link, kind)
    table = desk.service.tables[made]
    seq, known = table.seq, actions(table.game.name, len(table.seats))
    for seat in range(len(table.seats) + 1):
        for action in (*known, {"type": "fly"}, None):
            if seat not in seats:
                desk.ask(link, "act", table=made, seat=seat, seq=seq, action=action)
            desk.ask(link, "act", table=made, seat=seat, seq=seq + 1, action=action)
            desk.ask(link, "act", table=made, seat=seat, seq=0, action=action)
        if seat not in seats:
            desk.ask(link, "undo", table=made, seat=seat, seq=seq)
            desk.ask(link, "stand", table=made, seat=seat)
        desk.ask(link, "sit", table=made, name="x", seat=seat)
        desk.ask(link, "resume", table=made, seat=seat, key="guess")
        desk.ask(link, "free", table=made, seat=seat)
    for seat in seats:
        seen = [sent for to, sent in desk.sent if to == link and sent["type"] == "view" and sent["seat"] == seat]
        refused = [each["action"] for each in seen[-1]["refused"][:KINDS]] if seen else []
        spoilt = ({**action, "extra": 1} for action in known)
        for action in (*refused, *spoilt, {"type": "fly"}, 7):
            desk.ask(link, "act", table=made, seat=seat, seq=seq, action=action)


def come_back(desk: Desk, made: str, link: bytes, new: bytes, seats: tuple[int, ...]) -> None:
    """Lose the client's link, and reconnect on another."""
    keys = {sent["seat"]: sent["key"] for to, sent in desk.sent if to == link and sent["type"] == "seated"}
    desk.take(desk.service.clients.connection_lost(link, desk.now))
    for seat in seats:
        desk.ask(new, "resume", table=made, seat=seat, key=keys[seat])
    ask_everything(desk, made, new, seats)


def heard(desk: Desk, made: str, viewers: dict[bytes, tuple[int, ...]]) -> dict[bytes, list[bytes]]:
    """Return all frames that each viewer gets, by its link."""
    for link, seats in viewers.items():
        ask_everything(desk, made, link, seats)
    desk.take(desk.service.beat_at_table(made, desk.now))
    desk.now += 100.0
    desk.take(desk.service.do_timed_work(desk.now))
    for link, seats in viewers.items():
        come_back(desk, made, link, link + b" again", seats)
    desk.take(desk.service.say_host_closes())
    return {link: desk.to_viewer(link) + desk.to_viewer(link + b" again") for link in viewers}


def alike(worlds: list[dict[bytes, list[bytes]]]) -> None:
    """Check that every viewer gets the same bytes in all worlds, and enough of them."""
    first, *others = worlds
    for world in others:
        for link, frames in world.items():
            assert frames == first[link], link
    assert all(len(frames) > 60 for frames in first.values())
