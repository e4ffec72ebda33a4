"""Gallery messages about people may be newer or older than the snapshot that arrives after them."""

from __future__ import annotations

from collections import deque
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from cave.game import Json
from client.net.session import NetSession
from client.net.store import Store
from client.table import ChatLine
from tests.client.test_store import beat, following, snapshot
from tests.server.kit import ANN, BEA, EVE, Desk, seated


def leave(desk: Desk, link: bytes) -> list[Any]:
    """Return the gallery's messages after a lost connection."""
    desk.published.clear()
    desk.take(desk.service.clients.connection_lost(link, desk.now))
    return list(desk.published)


def test_an_overtaken_snapshot_is_requested_again():
    desk, table = seated()
    store = following(desk, table)
    store.note_snapshot_asked()
    old = snapshot(desk, table)
    for message in leave(desk, ANN):
        store.fold_message(message)
    desk.ask(BEA, "say", table=table, text="hi")
    store.fold_message(desk.published[-1])
    store.fold_message(old)
    store.fold_message(beat(desk, table))
    assert store.wants_sync
    store.note_snapshot_asked()
    store.fold_message(snapshot(desk, table))
    store.fold_message(beat(desk, table))
    assert not store.wants_sync
    assert [seat.present for seat in store.state.seats] == [False, True]
    assert store.state.chat == (ChatLine("Bea", "hi"),)


async def test_a_return_before_the_first_snapshot_is_noticed():
    desk, table = seated()
    leave(desk, ANN)

    class Slow:
        """A host whose first snapshot is overtaken by its gallery."""

        address = "here:7412"
        asked: list[str] = []  # noqa: RUF012

        async def ask(self, kind: str, *, insist: bool = False, **fields: Json) -> dict[str, Json]:
            told = snapshot(desk, table)
            if not self.asked:
                for message in leave(desk, BEA):
                    session.fold_message(message)
            self.asked.append(kind)
            return dict(told)

        def leave(self, session: NetSession) -> None:
            pass

    host = Slow()
    session = NetSession(host, table)
    await session.watch()
    session.fold_message(beat(desk, table))
    await session.wait_for_state(lambda state: not any(seat.present for seat in state.seats))
    session.fold_message(beat(desk, table))
    assert not session.store.wants_sync
    assert host.asked == ["watch", "sync"]
    await session.close()


@example(["ask", "ann", "gallery", "gallery", "desk"])
@given(st.lists(st.sampled_from(["ann", "eve", "say", "ask", "desk", "gallery"]), max_size=40))
def test_presence_is_right_in_any_order_of_the_two_sockets(course: list[str]):
    desk, table = seated()
    store = following(desk, table)
    key = next(sent["key"] for link, sent in desk.sent if link == ANN and sent["type"] == "seated")
    by_desk: deque[Any] = deque()
    by_gallery: deque[Any] = deque()
    here = {ANN: True, EVE: True}
    said = 0

    def ask() -> None:
        store.note_snapshot_asked()
        by_desk.append(desk.ask(BEA, "sync", table=table))

    for step in [*course, *["desk", "gallery"] * 3 * len(course)]:
        desk.published.clear()
        match step:
            case "ann" | "eve":
                link = ANN if step == "ann" else EVE
                here[link] = not here[link]
                if not here[link]:
                    desk.take(desk.service.clients.connection_lost(link, desk.now))
                elif link == EVE:
                    desk.ask(EVE, "watch", table=table)
                else:
                    desk.ask(ANN, "resume", table=table, seat=0, key=key)
            case "say":
                said += 1
                desk.ask(BEA, "say", table=table, text=str(said))
            case "ask" if not by_desk:
                ask()
            case "desk" if by_desk:
                store.fold_message(by_desk.popleft())
                if store.wants_sync:
                    ask()
            case "gallery" if by_gallery:
                store.fold_message(by_gallery.popleft())
            case _:
                pass
        by_gallery.extend(desk.published)
    assert not by_desk
    assert not by_gallery
    store.fold_message(beat(desk, table))
    if store.wants_sync:
        store.note_snapshot_asked()
        store.fold_message(snapshot(desk, table))
    right = Store(table)
    right.fold_message(snapshot(desk, table))
    assert store.state.seats == right.state.seats
    assert store.state.watchers == right.state.watchers
    assert set(store.state.chat) == set(right.state.chat)


def test_news_after_an_overtaken_snapshot_need_no_new_snapshot():
    desk, table = seated()
    store = following(desk, table)
    store.note_snapshot_asked()
    old = snapshot(desk, table)
    gone = leave(desk, ANN)
    for message in (*gone, old, gone[-1]):
        store.fold_message(message)
    store.fold_message(beat(desk, table))
    assert [seat.present for seat in store.state.seats] == [False, True]
    assert not store.wants_sync
