"""The bounds of a host, without sockets (PROTOCOL.md, promise 4)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cave import codec
from cave.protocol import Absence
from client.commands.host import LIMITS
from server.clients.limits import CROWD, OWN, SETTINGS, Limits, TokenBucket, with_settings
from server.tables.effects import Disconnect, Send
from tests.server.kit import ANN, BEA, EVE, Desk, code

FREE = {"rate": 1e6, "burst": 1e6}
SEATS = [{"kind": "open"}] * 2


def test_a_bucket_allows_its_rate_and_no_more():
    bucket = TokenBucket(2.0, 10.0, 0.0)
    assert bucket.take(0.0, 10.0)
    assert not bucket.take(0.0)
    assert bucket.take(0.5)
    assert not bucket.take(1.0, 2.0)
    assert bucket.take(1.0)
    assert not bucket.take(1000.0, 11.0)
    assert bucket.take(1000.0, 10.0)
    # A clock that goes back adds nothing.
    assert not bucket.take(0.0)


def test_the_tables_of_a_client_are_limited():
    desk = Desk(limits=Limits(**FREE, tables_each=2))
    first = desk.open("open", "open")
    desk.open("open", "open")
    assert code(desk.ask(ANN, "open", game="the-cave", seats=SEATS)) == "full"
    assert desk.ask(BEA, "open", game="the-cave", seats=SEATS)["type"] == "opened"
    desk.service.changes.close_table(desk.service.tables[first])
    assert desk.open("open", "open")


def test_the_seats_of_a_client_are_limited():
    desk = Desk(limits=Limits(**FREE, seats_each=2))
    tables = [desk.open("open", "open") for _ in range(2)]
    for table in tables:
        desk.ask(ANN, "sit", table=table, name="Ann")
    assert code(desk.ask(ANN, "sit", table=tables[0], name="Al")) == "full"
    assert desk.ask(BEA, "sit", table=tables[0], name="Bea")["type"] == "seated"
    desk.ask(ANN, "stand", table=tables[1], seat=0)
    assert desk.ask(ANN, "sit", table=tables[1], name="Al")["type"] == "seated"


@pytest.mark.parametrize("limit", ["seats_each", "seats_address", "tables_each"])
def test_games_that_are_over_do_not_count(limit: str):
    desk = Desk(limits=Limits(**FREE, **{limit: 1}))
    desk.addresses[ANN] = "203.0.113.1"
    for _ in range(3):
        table = desk.open("open", "bot")
        assert desk.ask(ANN, "sit", table=table, name="Ann")["type"] == "seated"
        another = {"kind": "open"}, {"kind": "bot", "level": "rookie"}
        more = desk.ask(ANN, "open", game="the-cave", seats=another)
        if more["type"] == "opened":
            more = desk.ask(ANN, "sit", table=more["table"], name="Al")
        assert code(more) == "full"
        assert desk.ask(ANN, "propose", table=table, seat=0, what="resign")["done"]


def test_watchers_can_only_chat_if_allowed():
    for allowed in (False, True):
        desk = Desk(limits=Limits(**FREE, watchers_chat=allowed))
        table = desk.open("open", "open")
        desk.ask(EVE, "hello", protocol=1, name="E\x1b[1mve")
        assert code(desk.ask(EVE, "say", table=table, text="hi")) == "not_seated"
        assert desk.ask(EVE, "watch", table=table)["watchers_chat"] is allowed, "known before one tries"
        assert desk.ask(EVE, "tables")["tables"][0]["watchers_chat"] is allowed
        reply = desk.ask(EVE, "say", table=table, text="hi")
        assert reply["type"] == ("said" if allowed else "error")
    assert desk.published[-1]["name"] == "Eve"


def test_guessing_codes_counts_as_an_offence_and_leads_to_a_ban():
    desk = Desk(limits=Limits(**FREE, patience=5))
    table = desk.open("open", "open", code="owl")
    for number in range(6):
        assert code(desk.ask(EVE, "sit", table=table, name="Eve", code=str(number))) == "wrong_code"
    message = b'{"type": "sit", "id": "x", "table": "%s", "name": "Eve", "code": "owl"}' % table.encode()
    assert [type(effect) for effect in desk.service.handle_message(EVE, [message], 0.0)] == [Disconnect]
    assert desk.ask(BEA, "sit", table=table, name="Bea", code="owl")["type"] == "seated"
    assert desk.service.counts["refused_wrong_code"] == 6
    assert desk.service.counts["banned"] == 1


def ping(desk: Desk, link: bytes, peer: str, number: str = "1") -> list[Any]:
    return desk.service.handle_message(link, [b'{"type": "ping", "id": "%s"}' % number.encode()], desk.now, peer)


def test_a_ban_follows_the_client_to_its_next_connection():
    desk = Desk(limits=Limits(**FREE, patience=1))
    for _ in range(2):
        desk.service.handle_message(EVE, [b"garbage"], 0.0, "eve's key")
    desk.service.clients.connection_lost(EVE, 0.0)
    assert [type(effect) for effect in ping(desk, b"new link", "eve's key")] == [Disconnect]
    assert [type(effect) for effect in ping(desk, ANN, "ann's key")] == [Send]


def test_one_offence_per_second_is_forgiven_but_not_two():
    for pause, answer in ((1.0, Send), (0.5, Disconnect)):
        desk = Desk(limits=Limits(**FREE, patience=1))
        for number in range(4):
            desk.service.handle_message(EVE, [b"garbage"], number * pause, "eve's key")
        desk.now = 4 * pause
        assert [type(effect) for effect in ping(desk, b"new link", "eve's key")] == [answer]


def test_a_limited_number_of_departed_clients_is_remembered():
    desk = Desk(limits=Limits(**FREE, departed=1))
    opened = b'{"type": "open", "id": "1", "game": "the-cave", "seats": [{"kind": "open"}, {"kind": "open"}]}'
    for peer in ("a", "b"):
        desk.service.handle_message(peer.encode(), [opened], 0.0, peer)
        desk.service.clients.connection_lost(peer.encode(), 0.0)
    # The one that left last gets the same reply; the other is new.
    for peer, tables in (("b", 2), ("a", 3)):
        desk.service.handle_message(peer.encode() * 2, [opened], 0.0, peer)
        assert len(desk.service.tables) == tables


def usual(name: str) -> int:
    """The default of a limit, in its unit."""
    return int(getattr(Limits(), name.replace("-", "_"))) // SETTINGS[name].unit


@pytest.mark.parametrize("name", SETTINGS)
def test_each_limit_is_set_by_its_name(name: str):
    """Each with a setting and a sane default."""
    setting, field = SETTINGS[name], name.replace("-", "_")
    assert setting.least <= usual(name) <= setting.most
    assert with_settings(Limits(), [f"{name}={usual(name)}"]) == Limits()
    changed = with_settings(Limits(watchers_chat=True), [f"{name}={setting.least}"])
    assert changed.watchers_chat
    assert getattr(changed, field) == setting.least * setting.unit
    assert getattr(with_settings(Limits(), [f"{name}={setting.most}"]), field) == setting.most * setting.unit
    for wrong in (
        setting.least - 1,
        setting.most + 1,
        "",
        "x",
        "1.5",
        "²",
        f"={setting.least}",
        f"{setting.least:09}9",
        "9" * 5000,
    ):
        with pytest.raises(ValueError, match=f"The limit {name} must be a number from {setting.least} to"):
            with_settings(Limits(), [f"{name}={wrong}"])


def test_the_default_limits_are_the_documented_ones():
    """PROTOCOL.md, promises 4 and 9, and HOSTING.md."""
    usual = Limits()
    assert (usual.rate, usual.burst, CROWD * usual.rate, CROWD * usual.burst, OWN[0]) == (20, 60, 100, 300, 2)
    assert (usual.message, usual.flow, usual.ban) == (64 << 10, 1 << 20, 30)
    assert (usual.tables_address, usual.bots_address, usual.seats_address) == (8, 16, 40)
    assert (usual.links_each, usual.links) == (64, 512)
    assert (usual.expire, usual.shelved, usual.shelved_address, usual.actions) == (24 * 3600, 256, 32, 5000)
    assert (usual.records, usual.records_address) == (256 << 20, 16 << 20)
    assert (usual.watchers_chat, usual.guests_open, usual.absence) == (False, True, Absence("wait", 60))


def test_the_hosts_help_lists_the_default_of_each_limit():
    assert [row for row, _ in LIMITS] == [f"{name}={usual(name)}" for name in SETTINGS]


def test_an_invalid_limit_is_reported():
    with pytest.raises(ValueError, match=r"no limit 'raft'\. The limits are rate, burst"):
        with_settings(Limits(), ["raft=1"])


def test_a_host_can_set_a_larger_or_smaller_message_limit():
    """PROTOCOL.md, promise 4: a message over the limit is answered with an error."""
    small, large = ({"type": "ping", "id": "1", "x": "x" * size} for size in (3_000, 100_000))
    for most, fits in ((4 << 10, (True, False)), (128 << 10, (True, True)), (2 << 10, (False, False))):
        desk = Desk(limits=Limits(**FREE, message=most))
        for message, fit in zip((small, large), fits, strict=True):
            (sent,) = desk.service.handle_message(ANN, [codec.encode(message)], 0.0)
            assert codec.decode(sent.frames[-1]).get("code") == (None if fit else "too_large")
        assert desk.service.counts["refused_too_large"] == fits.count(False)


def test_every_refusal_of_the_host_is_counted():
    """Every one."""
    desk = Desk(limits=Limits(**FREE, tables_each=1, links=2))
    table = desk.seated()
    code(desk.ask(ANN, "open", game="the-cave", seats=SEATS))
    code(desk.ask(ANN, "open", game="chess", seats=SEATS))
    code(desk.ask(BEA, "act", table=table, seat=0, seq=0, action={}))
    code(desk.ask(BEA, "watch", table="nowhere"))
    desk.service.handle_message(EVE, [b'{"type": "ping", "id": "1"}'], 0.0)
    counts = {name: number for name, number in desk.service.counts.as_dict().items() if "refused" in name}
    assert counts == {
        "refused_full": 2, "refused_bad_message": 1, "refused_not_seated": 1, "refused_no_table": 1
    }  # fmt: skip


def test_the_longest_silent_guest_makes_room_for_a_newcomer_and_no_seat_does():
    desk = Desk(limits=Limits(**FREE, links=3))
    table = desk.open("open", "open")
    desk.ask(ANN, "sit", table=table, name="Ann")
    for number, link in enumerate((b"zoe", b"two", b"three"), start=1):
        desk.now = float(number)
        assert desk.ask(link, "ping")["type"] == "pong"
    assert set(desk.service.clients.guests) == {ANN, b"two", b"three"}


def test_connections_are_ended_at_the_most_crowded_address():
    desk = Desk(limits=Limits(**FREE, links=4))
    desk.addresses = dict.fromkeys((b"a", b"b", b"c"), "10.0.0.1")
    desk.addresses |= {ANN: "10.0.0.2", BEA: "10.0.0.3"}
    for link in (ANN, b"c", b"b", b"a", BEA):
        desk.now += 1
        desk.ask(link, "ping")
    assert set(desk.service.clients.guests) == {ANN, BEA, b"b", b"a"}


def test_a_seat_holder_returns_to_a_host_full_of_seat_holders():
    desk = Desk(limits=Limits(**FREE, links=2))
    desk.peers = {ANN: "ann's key", BEA: "bea's key", b"again": "ann's key"}
    desk.seated("open")
    assert desk.ask(b"again", "ping")["type"] == "pong"


def test_new_keys_share_the_message_limit_of_their_address():
    limits, seconds, crowd = Limits(), 30, 60
    desk = Desk(limits=limits, owners=("owner's key",))

    def answered(key: str, address: str = "192.0.2.1") -> bool:
        message = b'{"type": "ping", "id": "%d"}' % int(10 * desk.now)
        effects = desk.service.handle_message(f"link of {key}".encode(), [message], desk.now, key, address)
        return any(isinstance(each, Send) and b"pong" in each.frames[-1] for each in effects)

    served = 0
    for second in range(seconds):
        for _ in range(10):
            # Always new clients: a few old ones would soon be banned.
            served += sum(answered(f"key {second // 3}.{number}") for number in range(crowd) for _ in range(2))
            desk.now += 0.1
        assert answered("owner's key")
        assert answered("elsewhere", "198.51.100.7")
        # A client that has been here for a moment is served.
        assert answered("neighbour") or second < 1
    bound = CROWD * (limits.burst + limits.rate * seconds) + OWN[0] * crowd * seconds
    assert 0.5 * bound < served < bound < 0.25 * crowd * limits.rate * seconds


def test_strangers_do_not_silence_a_player_at_their_address():
    desk = Desk(limits=Limits())

    def sent(who: str, link: str, kind: str, **fields: Any) -> Any:
        message = codec.encode({"type": kind, "id": f"{desk.now}", **fields})
        effects = desk.service.handle_message(link.encode(), [message], desk.now, who, "192.0.2.1")
        return next(json.loads(each.frames[-1]) for each in effects if isinstance(each, Send))

    table = sent("Ann", "first", "open", game="the-cave", seats=[{"kind": "open"}] * 2)["table"]
    desk.now += 1
    seat = sent("Ann", "first", "sit", table=table, name="Ann")
    back = {"table": table, "seat": seat["seat"], "key": seat["key"]}
    for second in range(6):
        for number in range(60):
            for _ in range(10):
                sent(f"stranger {second}.{number}", f"link {second}.{number}", "ping")
        assert sent("new", f"new {second}", "ping")["code"] == "too_fast"
        # A player who reconnects is admitted at once, and keeps the usual rate.
        for _ in range(10):
            desk.now += 0.01
            assert sent("Ann", f"again {second}", "resume", **back)["type"] == "seated"
        desk.now += 1
