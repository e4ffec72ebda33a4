"""What watchers subscribe to is bounded (issue: a host that can be trusted, limits)."""

from __future__ import annotations

from server.topics import Topics


def test_a_subscription_to_a_table_tells_its_id():
    topics = Topics()
    assert topics.heard(b"\x01table.abc") == "abc"
    assert [topics.heard(other) for other in (b"\x01", b"\x01other", b"\x00table.abc", b"")] == [""] * 4


def test_each_topic_counts_once_and_until_its_last_watcher_leaves():
    topics = Topics(most=2)
    for topic in (b"a", b"a", b"b"):
        topics.heard(b"\x01" + topic)
    assert (len(topics), topics.too_many) == (2, False)
    topics.heard(b"\x01c")
    assert topics.too_many
    topics.heard(b"\x00a")
    assert not topics.too_many
    topics.forget()
    assert len(topics) == 0
