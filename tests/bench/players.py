"""Two small clients that play scripted games, cheap enough to measure the host.

Their sockets block; a client with an event loop adds its own time, which ``host_bench`` shows in a separate
line. All messages are decoded as JSON, as any client must.
"""

from __future__ import annotations

import time
from typing import Any

import attrs
import zmq

from cave import bots, codec, games

SETTLED = 0.1
"""Share of each game's actions left out at its beginning."""
PATIENCE_MS = 10_000

Script = list[tuple[int, Any]]
"""The actions of a game in order: (seat, action)."""


def script(seed: str) -> Script:
    """Return a whole game of two sensible players, as its actions."""
    game = games.get_game("the-cave")
    state = game.new(2, {}, seed)
    actions = []
    while seats := sorted(game.to_act(state)):
        view = game.view_json(game.view(state, seats[0]))
        choices = [game.choice_json(choice) for choice in game.choices(state, seats[0])]
        action = bots.choose(game.name, "rookie", view, choices, str(len(actions)))
        actions.append((seats[0], action))
        state = game.apply(state, seats[0], game.decode(state, seats[0], action)).state
    return actions


def sockets(context: zmq.Context[Any], door: dict[str, Any]) -> tuple[Any, Any]:
    """Return a client's two sockets for the host of this door, with its own key if encrypted."""
    desk, gallery = context.socket(zmq.DEALER), context.socket(zmq.SUB)
    public, secret = zmq.curve_keypair()
    for socket, port in ((desk, door["desk"]), (gallery, door["gallery"])):
        socket.linger = 0
        if door["encrypted"]:
            socket.curve_publickey, socket.curve_secretkey = public, secret
            socket.curve_serverkey = door["public_key"].encode()
        socket.connect(f"tcp://127.0.0.1:{port}")
    return desk, gallery


class Player:
    """A client: a desk, a gallery, and JSON read from both."""

    def __init__(self, context: zmq.Context[Any], door: dict[str, Any]) -> None:
        self.desk, self.gallery = sockets(context, door)
        self.desk.rcvtimeo = self.gallery.rcvtimeo = PATIENCE_MS
        self._count = 0

    def send(self, kind: str, **fields: Any) -> str:
        """Send a request; return its id."""
        self._count += 1
        self.desk.send(codec.encode({"type": kind, "id": str(self._count), **fields}))
        return str(self._count)

    def ask(self, kind: str, **fields: Any) -> Any:
        asked = self.send(kind, **fields)
        while True:
            message = codec.decode(self.desk.recv())
            if message.get("re") == asked:
                assert message["type"] != "error", message
                return message

    def follow(self, table: str) -> None:
        """Subscribe to a table; returns once the host has noticed."""
        self.gallery.subscribe(f"table.{table}".encode())
        while codec.decode(self.gallery.recv_multipart()[1])["table"] != table:
            pass

    def close(self) -> None:
        self.desk.close()
        self.gallery.close()


@attrs.define
class _Game:
    """A running game: the last action sent, its time, and the players still without its result."""

    table: str
    actions: Script
    done: int = 0
    since: float = 0.0
    awaited: set[tuple[str, int]] = attrs.field(factory=set)


def play(door: dict[str, Any], *scripts: tuple[str, Script]) -> list[float]:
    """Let two clients play these games in parallel, each at its own table, with the given seeds.

    Returns for each action the seconds until its reply and both clients' updates arrived; with more than one
    game, the seconds between finished actions.
    """
    context: zmq.Context[Any] = zmq.Context.instance()
    players = (Player(context, door), Player(context, door))
    running = {each.table: each for each in (_seated(players, *script) for script in scripts)}
    poller = zmq.Poller()
    for player in players:
        poller.register(player.desk, zmq.POLLIN)
        poller.register(player.gallery, zmq.POLLIN)
    taken: list[float] = []
    ended_before = time.perf_counter()
    for game in running.values():
        _act(players, game)
    while running:
        ready = dict(poller.poll(PATIENCE_MS))
        assert ready, "the host says nothing"
        for number, player in enumerate(players):
            heard = _messages(player, ready)
            for game, what in ((running.get(message.get("table")), message) for message in heard):
                if game is None or not _noted(game, number, what):
                    continue
                now = time.perf_counter()
                if game.done > SETTLED * len(game.actions):
                    taken.append(now - (game.since if len(scripts) == 1 else ended_before))
                ended_before = now
                if game.done < len(game.actions):
                    _act(players, game)
                else:
                    del running[game.table]
    for player in players:
        player.close()
    return taken


def _seated(players: tuple[Player, Player], seed: str, actions: Script) -> _Game:
    seats = [{"kind": "open"}, {"kind": "open"}]
    table = players[0].ask("open", game="the-cave", seats=seats, seed=seed)["table"]
    for player, name in zip(players, ("Ann", "Bea"), strict=True):
        player.follow(table)
        player.ask("sit", table=table, name=name)
    return _Game(table, actions)


def _act(players: tuple[Player, Player], game: _Game) -> None:
    seat, action = game.actions[game.done]
    game.done += 1
    game.awaited = {("done", seat), ("update", 0), ("update", 1)}
    game.since = time.perf_counter()
    players[seat].send("act", table=game.table, seat=seat, seq=game.done, action=action)


def _messages(player: Player, ready: dict[Any, int]) -> list[Any]:
    """Return the messages available, one per socket."""
    found = []
    if player.desk in ready:
        found.append(codec.decode(player.desk.recv()))
    if player.gallery in ready:
        found.append(codec.decode(player.gallery.recv_multipart()[1]))
    return found


def _noted(game: _Game, number: int, message: Any) -> bool:
    """Process a message to a player; return whether all have received the last action with it."""
    assert message["type"] != "error", message
    if message["type"] in ("done", "update") and message["seq"] == game.done + 1:
        game.awaited.discard((message["type"], number))
        return not game.awaited
    return False
