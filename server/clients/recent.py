"""A dict of bounded size: an attacker can make it forget, but not fill the memory."""

from __future__ import annotations

from collections import OrderedDict
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")

REMEMBERED = 4096
"""How many clients, addresses or connections are remembered."""


class Recent(OrderedDict[K, V]):
    """A dict that forgets the entries which were set longest ago."""

    def __init__(self, most: int = REMEMBERED) -> None:
        super().__init__()
        self._most = most

    def __setitem__(self, key: K, value: V) -> None:
        super().__setitem__(key, value)
        self.move_to_end(key)
        while len(self) > self._most:
            self.popitem(last=False)
