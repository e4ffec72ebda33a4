"""Clients that come and go, with lost, duplicated and reordered messages, and a host that crashes: a client's
state always equals the journal's at the same number.

The service and the clients' stores are the real ones; only the connections between them are a model.
"""

from __future__ import annotations

import itertools
from random import Random
from typing import Any

import attrs
import hypothesis.strategies as st
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from msgspec.structs import replace

from cave import codec, games
from client.net.store import Store
from server.clients.limits import Limits
from server.clients.replies import WINDOW
from server.journal.restore import restore_all
from server.service import Service
from server.tables.effects import AskBot, Publish, Send, SendView
from tests.effort import effort
from tests.server.kit import position, told
from tests.server.memory import MemoryJournal

GAME = games.get_game("the-cave")
CHANCE = st.integers(0, 2**16)
WHO = st.sampled_from(range(4))


def nameless(view: Any) -> Any:
    """The view without the names of its teams, which belong to the seats and change with their players."""
    return None if view is None else replace(view, names=())


@attrs.define
class Client:
    """A client and its wires: ``outbox`` to the host, ``inbox`` from both of the host's sockets."""

    peer: str | None
    run: str = ""
    link: bytes = b""
    store: Store = attrs.field(factory=lambda: Store(""))
    keys: dict[int, str] = attrs.field(factory=dict)
    outbox: list[bytes] = attrs.field(factory=list)
    inbox: list[bytes] = attrs.field(factory=list)
    pending: dict[str, bytes] = attrs.field(factory=dict)
    asked: list[bytes] = attrs.field(factory=list)
    done: dict[str, bytes] = attrs.field(factory=dict)

    def take(self, frame: bytes) -> None:
        message = codec.decode(frame)
        re = message.get("re")
        if re is None:
            self.store.fold_message(message)
            return
        request = self.pending.pop(re, None)
        match message["type"]:
            case "snapshot":
                self.store.fold_message(message)
            case "seated" if request is not None:
                self.keys[message["seat"]] = message["key"]
                self.store.hold(message["seat"])
            case "error" if request is not None and codec.decode(request)["type"] == "resume":
                raise AssertionError(message)
            case "done" | "said":
                # The reply is the same, however often and from whichever connection it is requested.
                assert self.done.setdefault(re, frame) == frame


class Party(RuleBasedStateMachine):
    """Two clients with a seat each (one of them known by its key), a bot, and two watchers."""

    def __init__(self) -> None:
        super().__init__()
        self.numbers = itertools.count(1)
        self.journal = MemoryJournal()
        self.service = self.new_service()
        peers = ("key of ann", None, None, "key of eve")
        self.clients = [Client(peer, f"runnumber{number}") for number, peer in enumerate(peers)]
        self.bot_requests: list[AskBot] = []
        self.truth: dict[int, Any] = {}
        self.table = ""
        self.lines = 0

    def new_service(self) -> Service:
        return Service(
            "model",
            random_text=lambda: f"{next(self.numbers):08d}",
            stamp=lambda: "2026-01-02T03:04:05+00:00",
            journal=self.journal,
            limits=Limits(rate=1e9, burst=1e9, replies_each=4096),
            secret="of the party",
        )

    @initialize(start=st.booleans(), seed=st.integers(0, 20))
    def sit_down(self, start: bool, seed: int) -> None:
        seats = [{"kind": "open"}] * 2
        given: dict[str, Any] = {"start": position(stack=("NESW",) * 3)}
        if not start:
            seats, given = [*seats, {"kind": "bot", "level": "rookie"}], {"seed": str(seed)}
        for number, client in enumerate(self.clients):
            client.link = b"link-%d" % number
        self.ask(self.clients[0], "open", game="the-cave", seats=seats, **given)
        self.flush(self.clients[0])
        (self.table,) = self.service.tables
        for client in self.clients:
            client.store = Store(self.table)
            self.ask(client, "watch")
        for client, name in zip(self.clients[:2], ("Ann", "Bea"), strict=True):
            self.ask(client, "sit", name=name)
        self.settle()

    # The wires

    def ask(self, client: Client, kind: str, **fields: Any) -> None:
        number = f"{client.run}#{len(client.asked) + 1}"
        if kind != "open":
            fields["table"] = self.table
        message = codec.encode({"type": kind, "id": number, **fields})
        client.pending[number] = message
        client.asked.append(message)
        client.outbox.append(message)

    def hand_over(self, client: Client, message: bytes) -> None:
        self.spread(self.service.handle_message(client.link, [message], 0.0, client.peer))

    def spread(self, effects: list[Any]) -> None:
        for effect in effects:
            match effect:
                case Send(link, frames) | SendView(link=link, frames=frames):
                    for client in self.clients:
                        if client.link == link:
                            client.inbox.append(frames[-1])
                case Publish(_, message):
                    for client in self.clients:
                        client.inbox.append(message)
                case AskBot():
                    self.bot_requests.append(effect)

    def take(self, client: Client, frame: bytes) -> None:
        message = codec.decode(frame)
        re = message.get("re")
        done = {line.reply.re: line for line in self.journal.kept if line.reply is not None}
        if message.get("code") == "repeated":
            assert re in done or len(client.asked) - int(re.partition("#")[2]) >= WINDOW
        elif re in done:
            line = done[re]
            if line.reply is not None:
                # The journal has only a hash of a seat's key.
                hidden = {"key": ""} if line.entry.kind == "sat" else {}
                assert codec.decode(line.reply.body) == {**codec.decode(frame), **hidden}
        client.take(frame)

    def flush(self, client: Client) -> None:
        while client.outbox:
            self.hand_over(client, client.outbox.pop(0))
        while client.inbox:
            self.take(client, client.inbox.pop(0))

    def find_back(self, client: Client, *, told: bool) -> None:
        """Make a new link, whether or not the host has noticed the end of the old one."""
        if told:
            self.spread(self.service.clients.connection_lost(client.link, 0.0))
        client.link = b"link-%d" % next(self.numbers)
        client.outbox.clear()
        client.inbox.clear()
        open_requests = [
            message for message in client.pending.values() if codec.decode(message)["type"] in ("act", "undo", "say")
        ]
        client.pending = {codec.decode(message)["id"]: message for message in open_requests}
        client.store.note_lost_link("lost")
        client.store.note_found_link()
        for seat, key in client.keys.items():
            self.ask(client, "resume", seat=seat, key=key)
        # Seats come first, as in the real client; lost messages end with the link.
        while client.outbox:
            self.hand_over(client, client.outbox.pop(0))
        self.ask(client, "sync")
        client.outbox += open_requests

    # Possible events

    @rule(who=st.sampled_from(range(2)), chance=CHANCE)
    def act(self, who: int, chance: int) -> None:
        client = self.clients[who]
        state = client.store.state
        for seat, choices in state.choices.items():
            if choices:
                rng = Random(chance)
                try:
                    action = GAME.action_json(GAME.sample(rng.choice(choices), rng))
                except ValueError:
                    continue
                self.ask(client, "act", seat=seat, seq=client.store.choice_seq(seat), action=action)

    @rule(who=st.sampled_from(range(2)))
    def undo(self, who: int) -> None:
        client = self.clients[who]
        for seat, steps in client.store.state.undoable.items():
            if steps:
                self.ask(client, "undo", seat=seat, seq=client.store.choice_seq(seat))

    @rule(who=st.sampled_from(range(2)))
    def say(self, who: int) -> None:
        self.ask(self.clients[who], "say", text=f"word {next(self.numbers)}")

    @rule(who=st.sampled_from(range(2)))
    def talk(self, who: int) -> None:
        """More chat than any host keeps replies to."""
        for _ in range(WINDOW + 20):
            self.say(who)
        self.flush(self.clients[who])

    @rule(who=WHO, chance=CHANCE)
    def come_late(self, who: int, chance: int) -> None:
        """Deliver an earlier message again."""
        client = self.clients[who]
        self.hand_over(client, client.asked[chance % len(client.asked)])
        while client.inbox:
            self.take(client, client.inbox.pop(0))
        assert list(self.service.tables) == [self.table]

    @rule(who=WHO)
    def sync(self, who: int) -> None:
        self.ask(self.clients[who], "sync")

    @rule(who=WHO, chance=CHANCE, again=st.booleans())
    def send(self, who: int, chance: int, again: bool) -> None:
        """Deliver one of the pending messages, perhaps again later."""
        client = self.clients[who]
        if client.outbox:
            at = chance % len(client.outbox)
            self.hand_over(client, client.outbox[at] if again else client.outbox.pop(at))

    @rule(who=WHO, chance=CHANCE, again=st.booleans())
    def read(self, who: int, chance: int, again: bool) -> None:
        client = self.clients[who]
        if client.inbox:
            at = chance % len(client.inbox)
            self.take(client, client.inbox[at] if again else client.inbox.pop(at))

    @rule(who=WHO, chance=CHANCE)
    def lose_a_message(self, who: int, chance: int) -> None:
        client = self.clients[who]
        wire = client.inbox if chance % 2 else client.outbox
        if wire:
            wire.pop(chance // 2 % len(wire))

    @rule(who=WHO, told=st.booleans())
    def reconnect(self, who: int, told: bool) -> None:
        self.find_back(self.clients[who], told=told)

    @rule(nonsense=st.sampled_from([None, {"type": "fly"}]))
    def think(self, nonsense: Any) -> None:
        if self.bot_requests:
            each = self.bot_requests.pop()
            self.spread(self.service.changes.play_bot(each.table, each.seat, each.seq, nonsense, 0.0))

    @rule(who=st.sampled_from(range(2)), chance=CHANCE)
    def act_in_vain(self, who: int, chance: int) -> None:
        """The action is done, and the host dies before it can reply."""
        self.act(who, chance)
        client = self.clients[who]
        for message in client.outbox:
            self.hand_over(client, message)
        self.die()
        self.flush(client)

    @rule()
    def die(self) -> None:
        """Kill and restart the host; everything unsent is lost."""
        before = self.service.tables[self.table]
        self.service = self.new_service()
        assert self.service.restore() == []
        after = self.service.tables[self.table]
        assert (after.seq, after.status, after.digest()) == (before.seq, before.status, before.digest())
        for seat in range(len(after.seats)):
            assert after.count_undoable_steps(seat) == before.count_undoable_steps(seat)
            if after.status != "waiting":
                assert told(after, seat) == told(before, seat)
        assert (after.log(), after.chat, after.setup) == (before.log(), before.chat, before.setup)
        self.bot_requests.clear()
        self.spread(self.service.wake_tables(0.0))
        for client in self.clients:
            self.find_back(client, told=False)

    @rule()
    def settle(self) -> None:
        """With no more losses, all reach the host's state."""
        for client in self.clients:
            self.ask(client, "sync")
        for _ in range(2):
            for client in self.clients:
                self.flush(client)
        self.spread(self.service.beat_at_table(self.table, 0.0))
        here = self.service.tables[self.table]
        for client in self.clients:
            self.flush(client)
            if client.store.wants_sync:
                self.ask(client, "sync")
                self.flush(client)
            state = client.store.state
            assert (state.seq, state.status, state.link) == (here.seq, here.status, "live")
            for seat in client.keys:
                assert state.undoable.get(seat, 0) == here.count_undoable_steps(seat)
                assert state.choices.get(seat, ()) == here.choices_of_seat(seat)

    # Invariants

    @invariant()
    def views_are_what_the_journal_says(self) -> None:
        if not self.table:
            return
        if len(self.journal.kept) != self.lines:
            self.lines = len(self.journal.kept)
            (table,) = restore_all(self.journal.read_lines()).tables
            seats = range(len(table.seats)) if table.status != "waiting" else ()
            seen = [codec.decode(table.public_view()), *(told(table, seat)["view"] for seat in seats)]
            # A number belongs to only one state.
            assert self.truth.setdefault(table.seq, seen) == seen
        for client in self.clients:
            if not client.store.has_snapshot:
                continue
            state = client.store.state
            public, *_ = self.truth[state.seq]
            assert nameless(state.view) == (None if public is None else nameless(GAME.view_from_json(public)))
            for seat, view in state.views.items():
                kept = self.truth[client.store.choice_seq(seat)][1 + seat]
                assert nameless(view) == nameless(GAME.view_from_json(kept))

    @invariant()
    def nothing_happens_twice(self) -> None:
        ids = [(line.reply.peer, line.reply.re) for line in self.journal.kept if line.reply is not None]
        assert len(ids) == len(set(ids))
        seqs = [entry.seq for entry in self.journal.entries if entry.kind in ("started", "acted", "undid")]
        assert seqs == list(range(1, len(seqs) + 1))


TestParty = Party.TestCase
TestParty.settings = settings(
    max_examples=effort(8, 100), stateful_step_count=50, deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)  # fmt: skip
