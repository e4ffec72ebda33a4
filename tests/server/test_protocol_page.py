"""PROTOCOL.md's statements on forms, numbers and order, checked at a real host using only the page."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
import zmq

from tests.server.kit import PACK, position
from tests.server.raw import Raw, pair
from tests.server.running import GUARD, Running, running

OPEN = {"game": "the-cave", "seats": [{"kind": "open"}, {"kind": "open"}]}
THINGS = ("consumable", "rope", "oxygen", "half_oxygen", "camera", "raft")

Items = dict[str, int]


class Client:
    """A desk whose messages are kept in the order of arrival, and a gallery."""

    def __init__(self, host: Running, kind: int = zmq.DEALER) -> None:
        mine = pair()
        self._desk = Raw(host, mine, kind=kind)
        self._gallery = Raw(host, mine, kind=zmq.SUB, port="gallery")
        self._count = 0
        self.messages: list[dict[str, Any]] = []
        """From the desk."""

    async def ask(self, kind: str, **fields: Any) -> dict[str, Any]:
        self._count += 1
        await self.send({"type": kind, "id": str(self._count), **fields})
        return await self.until(lambda message: message.get("re") == str(self._count))

    async def send(self, message: dict[str, Any]) -> None:
        await self._desk.desk.send(json.dumps(message).encode())

    async def until(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Return the next message from the desk that satisfies this."""
        async with asyncio.timeout(GUARD):
            while True:
                frames = await self._desk.desk.recv_multipart()
                self.messages.append(json.loads(frames[-1]))
                if wanted(self.messages[-1]):
                    return self.messages[-1]

    async def view(self) -> dict[str, Any]:
        return await self.until(lambda message: message["type"] == "view")

    async def gallery(self, table: str, kind: str) -> dict[str, Any]:
        """The next message of this type from the gallery."""
        self._gallery.desk.subscribe(f"table.{table}")
        async with asyncio.timeout(GUARD):
            while True:
                _, frame = await self._gallery.desk.recv_multipart()
                message: dict[str, Any] = json.loads(frame)
                if message["type"] == kind:
                    return message

    def close(self) -> None:
        self._desk.close()
        self._gallery.close()


@pytest.fixture
async def host() -> AsyncIterator[Running]:
    async with running("--limit", "tables-address=1000") as started:
        yield started


@pytest.fixture
async def ann(host: Running) -> AsyncIterator[Client]:
    client = Client(host)
    yield client
    client.close()


@pytest.fixture
async def bea(host: Running) -> AsyncIterator[Client]:
    client = Client(host)
    yield client
    client.close()


async def begun(ann: Client, bea: Client, **fields: Any) -> tuple[str, dict[str, Any]]:
    """A table where both sit, and Ann's first view."""
    table = str((await ann.ask("open", **OPEN, **fields))["table"])
    await ann.ask("sit", table=table, name="Ann", seat=0)
    await bea.ask("sit", table=table, name="Bea", seat=1)
    return table, await ann.view()


# Ports, hello, routing ids, room


async def test_the_doors_key_is_z85_and_its_games_can_be_opened(host: Running, ann: Client):
    assert len(host.door["public_key"]) == 40
    assert len(host.door["games"]) > 1
    for game in host.door["games"]:
        assert set(game) == {"name", "title", "seats", "editions"}
        fewest, most = game["seats"]
        for count, kind in ((fewest - 1, "error"), (fewest, "opened"), (most, "opened"), (most + 1, "error")):
            seats = [{"kind": "open"}] * count
            reply = await ann.ask("open", game=game["name"], seats=seats)
            assert reply["type"] == kind
        for edition in game["editions"]:  # not each is for the fewest players
            seats = [{"kind": "open"}] * most
            reply = await ann.ask("open", game=game["name"], seats=seats, settings={"edition": edition})
            assert reply["type"] == "opened"


@pytest.mark.parametrize(
    ("spoken", "kind"), [(1, "welcome"), ([1, 1], "welcome"), ([1, 9], "welcome"), (2, "error"), ([2, 3], "error")]
)
async def test_hello_has_a_version_or_a_range(ann: Client, spoken: Any, kind: str):
    reply = await ann.ask("hello", protocol=spoken)
    assert reply["type"] == kind
    assert reply.get("code", "version") == "version"


@pytest.mark.parametrize("kind", [zmq.DEALER, zmq.REQ])
async def test_a_full_host_answers_full_with_re_null_and_allows_a_retry(kind: int):
    async with running("--limit", "links=2") as host:
        ann, bea = Client(host), Client(host)
        table, _ = await begun(ann, bea)
        eve = Client(host, kind)
        await eve.send({"type": "tables", "id": "mine"})
        refused = await eve.until(lambda message: message["type"] == "error")
        assert (refused["re"], refused["code"]) == (None, "full")
        await bea.ask("stand", table=table, seat=1)
        bea.close()
        # The host notices the lost connection, and then there is room.
        while refused["type"] == "error":
            await eve.send({"type": "tables", "id": "mine"})
            refused = await eve.until(lambda message: True)
            assert (refused["re"], refused.get("code", "full")) in ((None, "full"), ("mine", "full"))
        assert refused["type"] == "tables"
        for client in (ann, eve):
            client.close()


@pytest.mark.parametrize(
    "sent", [{"type": "ping"}, {"type": "ping", "id": ""}, {"type": "ping", "id": 7}, {"type": "ping", "id": "x" * 65}]
)
async def test_re_is_null_without_an_id(ann: Client, sent: dict[str, Any]):
    await ann.send(sent)
    error = await ann.until(lambda message: True)
    assert (error["re"], error["code"]) == (None, "bad_message")


# Numbers and order


async def test_the_start_is_change_number_1(ann: Client, bea: Client):
    table = str((await ann.ask("open", **OPEN))["table"])
    await ann.gallery(table, "beat")
    await ann.ask("sit", table=table, name="Ann")
    snapshot = await ann.ask("watch", table=table)
    assert (snapshot["seq"], snapshot["view"], snapshot["status"]) == (0, None, "waiting")
    early = await ann.ask("act", table=table, seat=0, seq=0, action=PACK)
    assert early["code"] == "not_started"
    await bea.ask("sit", table=table, name="Bea")
    update = await ann.gallery(table, "update")
    assert (update["seq"], update["seat"], update["events"], update["status"]) == (1, None, [], "playing")


async def test_the_last_player_gets_the_first_view_before_the_reply(ann: Client, bea: Client):
    table = str((await ann.ask("open", **OPEN))["table"])
    await ann.ask("sit", table=table, name="Ann", seat=0)
    await ann.ask("sync", table=table)
    assert not [message for message in ann.messages if message["type"] == "view"]
    await bea.ask("sit", table=table, name="Bea", seat=1)
    assert [message["type"] for message in bea.messages] == ["view", "seated"]
    assert ((await ann.view())["seq"], bea.messages[0]["seq"]) == (1, 1)


async def test_sitting_down_or_returning_sends_a_view_at_once(host: Running, ann: Client, bea: Client):
    table, _ = await begun(ann, bea)
    await bea.ask("stand", table=table, seat=1)
    eve, again = Client(host), Client(host)
    seated = await eve.ask("sit", table=table, name="Eve")
    await again.ask("resume", table=table, seat=1, key=seated["key"])
    for client in (eve, again):
        assert [message["type"] for message in client.messages] == ["view", "seated"]
        assert (client.messages[0]["seat"], client.messages[0]["seq"]) == (1, 1)
        client.close()


async def test_the_acting_player_gets_the_view_before_the_reply(ann: Client, bea: Client):
    table, view = await begun(ann, bea)
    done = await ann.ask("act", table=table, seat=0, seq=view["seq"], action=PACK)
    assert done["seq"] == 2
    assert [message["type"] for message in ann.messages[-2:]] == ["view", "done"]
    assert ann.messages[-2]["seq"] == 2


# The log, words, the digest


async def test_the_log_has_the_newest_200_events_without_those_of_steps_taken_back(ann: Client):
    """Ann plays both seats. She undoes a step, then ends turns until more has happened than is kept."""
    table = str((await ann.ask("open", **OPEN, start=position()))["table"])
    await ann.gallery(table, "beat")
    for seat in (0, 1):
        await ann.ask("sit", table=table, name=f"Ann {seat}", seat=seat)
    assert (await ann.gallery(table, "update"))["seq"] == 1
    events: list[dict[str, Any]] = []
    taken_back = 0
    while len(events) < 230:
        view = next(each for each in reversed(ann.messages) if each.get("choices"))
        now = {"table": table, "seat": view["seat"], "seq": view["seq"]}
        if view["undo"] and not taken_back:
            done = await ann.ask("undo", **now)
        else:
            # First an undoable step.
            action = idle(view["choices"]) if taken_back else view["choices"][0]["action"]
            done = await ann.ask("act", **now, action=action)
        assert done["type"] == "done"
        update = await ann.gallery(table, "update")
        events += [{"seq": update["seq"], "event": event} for event in update["events"]]
        if "undid" in update:
            events = [line for line in events if line["seq"] != update["undid"]]
            taken_back = update["undid"]
    assert taken_back == 2
    assert (await ann.ask("watch", table=table))["log"] == events[-200:]


def idle(choices: list[Any]) -> Any:
    """The end of the turn; a starving team has to move."""
    return next((each["action"] for each in choices if each["action"]["type"] == "end_turn"), choices[0]["action"])


async def test_the_newest_hundred_chat_messages_are_kept(ann: Client, bea: Client):
    table, _ = await begun(ann, bea)
    for number in range(103):
        await ann.ask("say", table=table, text=f"word {number}")
    chat = (await bea.ask("watch", table=table))["chat"]
    assert chat == [{"name": "Ann", "text": f"word {number}"} for number in range(3, 103)]


async def test_the_digest_is_of_letters_as_they_are(ann: Client, bea: Client):
    table = str((await ann.ask("open", **OPEN))["table"])
    beat = await ann.gallery(table, "beat")
    assert beat["digest"] == "sha256:" + hashlib.sha256(b"null").hexdigest()
    await ann.ask("sit", table=table, name="Zoë Żółć", seat=0)
    await bea.ask("sit", table=table, name="李 🦇", seat=1)
    while beat["seq"] < 1:
        beat = await ann.gallery(table, "beat")
    view = (await ann.ask("watch", table=table))["view"]
    text = json.dumps(view, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    assert "Zoë Żółć" in text
    assert beat["digest"] == "sha256:" + hashlib.sha256(text.encode()).hexdigest()


# Choices


def some(most: Items, room: int) -> Items:
    """Return this many things, of each at most so many."""
    taken = {}
    for thing in THINGS:
        taken[thing] = min(most.get(thing, 0), room)
        room -= taken[thing]
    return {thing: count for thing, count in taken.items() if count}


def camped(state: str, **camp: Any) -> Any:
    """The position with Ann on the base, this camp and five things in the backpack."""
    start = position()
    backpack = {"consumable": 2, "rope": 1, "half_oxygen": 1, "camera": 1}
    start["teams"][0].update(at=[0, 0], backpack=backpack, camp={"state": state, **camp})
    return start


STARTS = {
    "first pack": position(packing=True),
    "camp beside": camped("beside"),
    "camp packed": camped("packed", items={"rope": 4}),
    "camp on the base": camped("pitched", at=[0, 0], items={"half_oxygen": 1, "raft": 1}),
}


def plus(one: Items, other: Items) -> Items:
    return {thing: one.get(thing, 0) + other.get(thing, 0) for thing in THINGS}


def minus(one: Items, other: Items) -> Items:
    return {thing: max(0, one.get(thing, 0) - other.get(thing, 0)) for thing in THINGS}


def fillings(kind: str, limits: Any) -> list[tuple[bool, dict[str, Any]]]:
    """Contents of a form as full as the page allows, and others with one thing too many."""
    slots, most = limits["slots"], limits["most"]
    if kind == "discard":
        return [
            (True, {"items": most}),
            (False, {"items": {**most, "raft": most.get("raft", 0) + 1}}),
            (False, {"items": {}}),
        ]
    camp_slots, camp_most = limits["camp_slots"], limits["camp_most"]
    if kind == "pack":
        full = some(most, slots)
        found = [
            (True, {"backpack": full}),
            (True, {"backpack": {}, "camp": None}),
            (False, {"backpack": plus(full, {"rope": 1})}),
            (False, {"backpack": {"half_oxygen": most.get("half_oxygen", 0) + 1}}),
        ]
        if not camp_slots:
            return [*found, (False, {"backpack": {}, "camp": {}})]
        camp = some(dict(reversed(camp_most.items())), camp_slots)
        backpack = some(minus(camp_most, camp), slots - limits["camp_fills"])
        return [
            *found,
            (True, {"backpack": backpack, "camp": camp}),
            (False, {"backpack": plus(backpack, {"rope": 1}), "camp": camp}),
            (False, {"backpack": backpack, "camp": plus(camp, {"rope": 1})}),
            (False, {"backpack": {"camera": 1}, "camp": {"camera": 1}}),
        ]
    held, camp_held = limits["held"], limits["camp_held"]
    to_camp = some(camp_most, camp_slots - sum(camp_held.values()))
    to_backpack = some(most, slots - sum(held.values()))
    return [
        (True, {"to_camp": to_camp, "to_backpack": {}}),
        (True, {"to_camp": {}, "to_backpack": to_backpack}),
        (True, {"to_camp": to_camp, "to_backpack": to_backpack}),
        (False, {"to_camp": {}, "to_backpack": {}}),
        (False, {"to_camp": plus(to_camp, {"consumable": camp_slots}), "to_backpack": {}}),
        (False, {"to_camp": {}, "to_backpack": {"raft": most.get("raft", 0) + 1}}),
    ]


@pytest.mark.parametrize("start", STARTS)
async def test_a_form_is_filled_within_its_limits_and_not_beyond(ann: Client, bea: Client, start: str):
    """After each accepted one the next is tried at another table."""
    table, view = await begun(ann, bea, start=STARTS[start])
    forms = [choice for choice in view["choices"] if "limits" in choice]
    assert forms
    for form in forms:
        kind = form["action"]["type"]
        for legal, content in fillings(kind, form["limits"]):
            action = {**form["action"], **content}
            reply = await ann.ask("act", table=table, seat=0, seq=view["seq"], action=action)
            assert (reply["type"] == "done") is legal, (action, reply)
            if legal:
                table, view = await begun(ann, bea, start=STARTS[start])


async def test_every_other_choice_is_sent_as_it_is(ann: Client, bea: Client):
    _, view = await begun(ann, bea, start=camped("packed"))
    choices = [choice for choice in view["choices"] if "limits" not in choice]
    assert {choice["action"]["type"] for choice in choices} == {"move", "pitch", "abandon", "end_turn"}
    for choice in choices:
        table, view = await begun(ann, bea, start=camped("packed"))
        reply = await ann.ask("act", table=table, seat=0, seq=view["seq"], action=choice["action"])
        assert reply["type"] == "done"
    assert choice["action"] == {"type": "end_turn"}
