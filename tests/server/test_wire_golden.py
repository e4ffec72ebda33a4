"""A host's messages do not change: one of each type, and of each with and without its options.

``goldens/wire.jsonl`` has every message that the host sends in one evening. Renew it by ``python -m
tests.server.test_wire_golden``, and read the diff: the protocol is version 1.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from server.clients.limits import Limits
from server.tables.effects import AskBot
from tests.server.kit import ANN, BEA, EVE, OTHER_PACK, PACK, Desk, position
from tests.server.memory import MemoryJournal
from tests.tools import names_to_renew

GOLDEN = Path(__file__).parent / "goldens" / "wire.jsonl"
OWNER = b"link-owner"
KEYS = {ANN: "a" * 40, BEA: "b" * 40, EVE: "e" * 40, OWNER: "o" * 40}


class Evening(Desk):
    """A host that keeps all of its messages, in order."""

    def __init__(self) -> None:
        limits = Limits(rate=1e6, burst=1e6, watchers_chat=True)
        super().__init__(limits=limits, owners=(KEYS[OWNER],), journal=MemoryJournal())
        self.peers = KEYS
        self.addresses = {link: f"192.0.2.{number}" for number, link in enumerate(KEYS)}

    def seats(self, table: str, *names: str) -> list[str]:
        links = {"Ann": ANN, "Bea": BEA}
        return [self.ask(links[name], "sit", table=table, name=name)["key"] for name in names]

    def bots_move(self) -> None:
        for asked in list(self.bot_requests):
            self.bot_requests.remove(asked)
            self.take(self.choice(asked))

    def choice(self, asked: AskBot) -> Any:
        action = next(each["action"] for each in asked.choices)
        return self.service.changes.play_bot(asked.table, asked.seat, asked.seq, action, self.now)


def evening() -> list[Any]:
    desk = Evening()
    # Wrong requests.
    desk.take(desk.service.handle_message(EVE, [b"{}"], 0.0, KEYS[EVE], "192.0.2.2"))
    for kind, fields in (("dance", {}), ("sit", {"table": "t"}), ("watch", {"table": "none"}), ("stats", {})):
        desk.ask(EVE, kind, **fields)
    desk.ask(EVE, "hello", protocol=2)
    for link, name in ((ANN, "Ann"), (EVE, "Eve")):
        desk.ask(link, "hello", protocol=[1, 1], client="test", name=name)
    # A game with every field that a table can have.
    absence = {"then": "bot", "after": 10, "level": "guide", "idle": True}
    table = desk.open("open", "open", title="Evening", code="sesame", start=position(), absence=absence, hints=False)
    desk.ask(EVE, "watch", table=table)
    keys = [
        desk.ask(link, "sit", table=table, name=name, code="sesame")["key"]
        for link, name in ((ANN, "Ann"), (BEA, "Bea"))
    ]
    move = desk.view(ANN, 0)["choices"][0]["action"]
    desk.act(ANN, table, 0, move)
    desk.ask(ANN, "act", table=table, seat=0, seq=1, action=move)
    desk.ask(ANN, "undo", table=table, seat=0, seq=desk.view(ANN, 0)["seq"])
    desk.act(ANN, table, 0, {"type": "end_turn"})
    desk.ask(ANN, "say", table=table, text="Your turn.")
    desk.ask(EVE, "say", table=table, text="Well played.")
    for seconds in (5.0, 11.0, 30.0):  # Bea is idle: a bot plays for her
        desk.now += seconds
        for link in (ANN, BEA, EVE):
            desk.ask(link, "ping")
        desk.take(desk.service.do_timed_work(desk.now))
    desk.bots_move()
    desk.ask(BEA, "propose", table=table, seat=1, what="hand_over", level="guide")
    desk.ask(ANN, "agree", table=table, seat=0, number=1, agree=False)
    desk.ask(BEA, "propose", table=table, seat=1, what="hand_over", level="rookie")
    desk.ask(ANN, "agree", table=table, seat=0, number=2)
    desk.ask(ANN, "propose", table=table, seat=0, what="hurry", until="end")
    desk.ask(ANN, "sync", table=table)
    desk.ask(EVE, "tables")
    desk.ask(EVE, "record", table=table)
    desk.take(desk.service.beat_at_table(table, desk.now))
    # Another terminal, a seat that is freed, resignation, a rematch.
    desk.ask(EVE, "resume", table=table, seat=0, key=keys[0])
    desk.ask(ANN, "resume", table=table, seat=0, key=keys[0])
    second = desk.open("open", "open", seed="second")
    desk.ask(ANN, "watch", table=second)
    desk.seats(second, "Ann", "Bea")
    desk.act(ANN, second, 0, PACK)
    desk.act(BEA, second, 1, OTHER_PACK)
    desk.ask(ANN, "stand", table=second, seat=0)
    desk.seats(second, "Ann")
    desk.ask(ANN, "propose", table=second, seat=0, what="resign")
    desk.ask(BEA, "agree", table=second, seat=1, number=1)
    again = desk.ask(ANN, "rematch", table=second)["table"]
    desk.ask(EVE, "watch", table=second)
    desk.ask(BEA, "tables")
    # A game that is saved and closed, and opened again.
    desk.take(desk.service.changes.shelve_game(desk.service.tables[table], desk.now))
    desk.ask(OWNER, "watch", table=table)
    desk.ask(OWNER, "tables")
    desk.ask(ANN, "reopen", table=table, seat=0, key=keys[0])
    # The owner.
    third = desk.open("open", "bot", game="sir-ocelots-cave")
    desk.seats(third, "Ann")
    for kind, fields in (
        ("stats", {}), ("guests", {}), ("allow", {"guests_open": False}),
        ("free", {"table": table, "seat": 0}), ("ban", {"table": table, "seat": 1}),
        ("ban", {"key": KEYS[EVE], "address": True}), ("ban", {"key": "x" * 40, "seconds": 60}),
        ("bans", {}), ("pardon", {"key": KEYS[EVE]}), ("pardon", {"address": "192.0.2.9"}),
        ("close", {"table": third}),
    ):  # fmt: skip
        desk.ask(OWNER, kind, **fields)
    # A game that stops, and the end.
    desk.take(desk.service.changes.set_aside(desk.service.tables[again], ValueError(), desk.now))
    desk.take(desk.service.say_host_closes())
    return [json.loads(message) for _, message in desk.raw]


def lines() -> list[str]:
    return [json.dumps(each, sort_keys=True, ensure_ascii=False) for each in evening()]


def test_every_message_is_unchanged_json() -> None:
    assert lines() == GOLDEN.read_text(encoding="utf-8").splitlines()


if __name__ == "__main__":
    names_to_renew(__doc__)
    GOLDEN.write_text("".join(f"{line}\n" for line in lines()), encoding="utf-8")
