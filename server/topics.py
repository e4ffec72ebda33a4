"""What watchers have asked to hear of. libzmq keeps each topic for each watcher, without a bound."""

from __future__ import annotations

from cave import protocol

MOST = 4096
"""Different topics kept at a time; there are far fewer tables."""

_SUBSCRIBED = b"\x01"
_PREFIX = protocol.topic("").encode()


class Topics:
    """The topics that somebody subscribes to, as far as the socket tells of them: each message that it
    gives is a byte, 1 for a subscription and 0 when the last one of a topic has ended, and the topic.
    """

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        # Numbers in place of topics: a prankster's would be long.
        self._kept: set[int] = set()

    def __len__(self) -> int:
        return len(self._kept)

    @property
    def too_many(self) -> bool:
        """Whether there are more than anybody needs."""
        return len(self._kept) > self._most

    def heard(self, message: bytes) -> str:
        """Count a message of the socket; the id of the table that somebody wants to hear of, if any."""
        topic = message[1:]
        if not message.startswith(_SUBSCRIBED):
            self._kept.discard(hash(topic))
            return ""
        self._kept.add(hash(topic))
        if not topic.startswith(_PREFIX):
            return ""
        return topic.removeprefix(_PREFIX).decode("utf-8", "replace")

    def forget(self) -> None:
        """All watchers are gone."""
        self._kept.clear()
