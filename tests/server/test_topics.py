"""Watchers' subscriptions are bounded, and only those who exceed the bound are disconnected."""

from __future__ import annotations

from typing import Any

from server.clients.limits import TokenBucket
from server.clients.tcp_connections import TcpConnection
from server.gallery import ADDRESS, EACH, LONGEST, excessive_subscriber, subscribed_table

NO_WIRE: Any = None


def Listener() -> TcpConnection:  # noqa: N802
    return TcpConnection(NO_WIRE, "", TokenBucket(1.0, 1.0, 0.0), 0.0, 0.0, 0.0)


def asks(listener: TcpConnection, *names: str, crowd: tuple[TcpConnection, ...] = ()) -> TcpConnection | None:
    """The answer to the last of these subscriptions."""
    answers = [excessive_subscriber(b"\x01" + name.encode(), listener, (listener, *crowd)) for name in names]
    assert answers[:-1] == [None] * (len(answers) - 1)
    return answers[-1]


def test_a_subscription_to_a_table_contains_its_id():
    assert subscribed_table(b"\x01table.abc") == "abc"
    assert [subscribed_table(other) for other in (b"\x01", b"\x01other", b"\x00table.abc", b"")] == [""] * 4


def test_each_topic_counts_once_and_until_it_is_given_up():
    listener = Listener()
    assert asks(listener, *map(str, range(EACH)), "0", "0") is None
    excessive_subscriber(b"\x000", listener, (listener,))
    assert asks(listener, "one") is None
    assert asks(listener, "more") is listener


def test_a_long_topic_is_too_much():
    assert asks(Listener(), "x" * LONGEST) is None
    listener = Listener()
    assert asks(listener, "x" * (LONGEST + 1)) is listener


def test_the_connection_with_most_topics_of_an_address_is_ended():
    crowd = tuple(Listener() for _ in range(ADDRESS // EACH))
    for listener in crowd[1:]:
        assert asks(listener, *map(str, range(EACH))) is None
    asks(crowd[0], *map(str, range(EACH - 2)))
    modest = Listener()
    assert asks(modest, "a", "b", crowd=crowd) is None
    assert asks(modest, "c", crowd=crowd) in crowd[1:]
