"""Counting by address: a network counts as one address, and can release what it uses."""

from __future__ import annotations

import json
import socket
from typing import Any

import pytest
import zmq
import zmq.asyncio

from server.clients.limits import TokenBuckets, address_key, site_of
from tests.server.kit import ANN, Desk


def test_addresses_of_one_network_are_one():
    assert address_key("::ffff:10.0.0.7") == address_key("10.0.0.7") == "10.0.0.7"
    assert address_key("2001:db8::1") == address_key("2001:db8::2") != address_key("2001:db8:1::1")


def test_a_link_local_address_is_one_of_its_interface():
    here, there = address_key("fe80::1%eth0"), address_key("fe80::1%wlan0")
    assert here != there
    assert here != address_key("fe80::2%eth0")
    assert address_key("FE80:0::1%eth0") == here


@pytest.mark.parametrize("text", ["", "nonsense", "1.2.3", "%eth0"])
def test_an_invalid_address_counts_as_unknown(text: str):
    assert address_key(text) == ""


def test_clients_without_a_known_address_are_not_counted():
    buckets = TokenBuckets(0.0, 1.0)
    assert all(buckets.take("", 0.0) for _ in range(3))


def test_each_address_has_its_own_bucket():
    buckets = TokenBuckets(1.0, 2.0)
    assert [buckets.take("a", 0.0) for _ in range(3)] == [True, True, False]
    assert buckets.take("b", 0.0)
    assert buckets.take("a", 1.0)


def test_the_networks_of_one_customer_share_their_limits():
    networks = [address_key(f"2001:db8:0:12{digit:02x}::1") for digit in range(256)]
    assert len(set(networks)) == 256
    assert {site_of(each) for each in networks} == {"2001:db8:0:1200::/56"}
    assert site_of(address_key("2001:db8:0:1300::1")) != site_of(networks[0])
    assert [site_of(each) for each in ("", "192.0.2.1", "fe80::1%eth0")] == ["", "192.0.2.1", "fe80::1%eth0"]
    buckets = TokenBuckets(0.0, 2.0)
    assert [buckets.take(each, 0.0) for each in networks[:3]] == [True, True, False]


def test_the_address_of_each_connection_is_known():
    desk = Desk()
    desk.service.handle_message(ANN, [json.dumps({"type": "ping", "id": "1"}).encode()], 0.0, "a key", "10.0.0.7")
    assert desk.service.clients.guests[ANN].address == "10.0.0.7"


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="this machine has no IPv6")
@pytest.mark.parametrize(("source", "known"), [("127.0.0.3", "127.0.0.3"), ("[::1]", "::1")])
async def test_libzmq_reports_the_address_of_a_message(source: str, known: str):
    context = zmq.asyncio.Context()
    with context.socket(zmq.ROUTER) as bound, context.socket(zmq.DEALER) as client:
        bound.linger = client.linger = 0
        bound.ipv6 = client.ipv6 = True
        port = bound.bind_to_random_port("tcp://[::]")
        client.connect(f"tcp://{source}:0;{source}:{port}")
        await client.send(b"hello")
        parts: Any = await bound.recv_multipart(copy=False)
        assert address_key(parts[-1].get("Peer-Address")) == known
    context.destroy(linger=0)
