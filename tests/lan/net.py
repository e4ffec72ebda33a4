"""A network for tests: network namespaces as machines, with cables to one switch.

It belongs to processes that wait for the end of their standard input, so it ends with the test in any case.
No traffic leaves it.
"""

from __future__ import annotations

import contextlib
import functools
import os
import subprocess
from collections.abc import Iterator

import attrs

GUARD = 60
"""Seconds for one of these commands, which take milliseconds."""
NET = "10.77.0."
ROOT = os.geteuid() == 0
# Addresses are usable at once: there are no duplicates.
SETTLE = "for each in all default; do echo 0 > /proc/sys/net/ipv6/conf/$each/accept_dad; done; ip link set lo up"


class NoNetwork(Exception):
    """Namespaces cannot be made here."""


@attrs.frozen
class Machine:
    """A network namespace: ``holder`` is the number of the process that keeps it, ``cable`` the switch's end
    of its cable.
    """

    name: str
    ip: str
    holder: int
    switch: int
    cable: str

    def inside(self, *command: str) -> list[str]:
        """The command line that runs a command on this machine."""
        return [*_enter(self.holder), *command]

    def run(self, *command: str) -> str:
        return _run(*self.inside(*command))

    @property
    def link_local(self) -> str:
        """Its IPv6 address on the link, which each network card has."""
        words = self.run("ip", "-6", "-o", "addr", "show", "dev", "eth0", "scope", "link").split()
        return words[words.index("inet6") + 1].partition("/")[0]

    def pull(self) -> None:
        _run(*_enter(self.switch), "ip", "link", "set", self.cable, "down")

    def plug(self) -> None:
        """Put the cable back."""
        _run(*_enter(self.switch), "ip", "link", "set", self.cable, "up")


@contextlib.contextmanager
def network(*names: str) -> Iterator[dict[str, Machine]]:
    """Yield machines of these names on one switch; raises NoNetwork if that is not allowed."""
    with contextlib.ExitStack() as stack:
        # Users other than root create a user namespace around everything.
        make = ["unshare", "--net"] if ROOT else ["unshare", "--user", "--map-root-user", "--net"]
        switch = _hold(stack, make)
        _run(*_enter(switch), "ip", "link", "add", "switch", "type", "bridge")
        _run(*_enter(switch), "ip", "link", "set", "switch", "up")
        machines = {}
        for number, name in enumerate(names, start=1):
            holder = _hold(stack, [*_enter(switch), "unshare", "--net"])
            cable, ip = f"cable{number}", f"{NET}{number}"
            ends = ["type", "veth", "peer", "name", "eth0", "netns", str(holder)]
            _run(*_enter(switch), "ip", "link", "add", cable, *ends)
            _run(*_enter(switch), "ip", "link", "set", cable, "master", "switch", "up")
            machines[name] = machine = Machine(name, ip, holder, switch, cable)
            machine.run("ip", "addr", "add", f"{ip}/24", "dev", "eth0")
            machine.run("ip", "link", "set", "eth0", "up")
            machine.run("ip", "route", "add", "default", "dev", "eth0")
        yield machines


@functools.cache
def why_none() -> str:
    """Return why such a network cannot be made here, or nothing."""
    try:
        with network("one", "two"):
            pass
    except (NoNetwork, OSError) as error:
        return str(error) or "not allowed"
    return ""


def _enter(holder: int) -> list[str]:
    words = ["nsenter", "--target", str(holder), "--net"]
    return words if ROOT else [*words, "--user", "--preserve-credentials"]


def _hold(stack: contextlib.ExitStack, make: list[str]) -> int:
    """Start a process that keeps a new namespace until the end; return its pid."""
    script = f"{SETTLE} && echo ready && exec cat"
    pipe = subprocess.PIPE
    holder = subprocess.Popen([*make, "sh", "-c", script], stdin=pipe, stdout=pipe, stderr=pipe)
    stack.callback(holder.communicate)
    if holder.stdout.readline() != b"ready\n":
        raise NoNetwork(holder.stderr.read().decode().strip())
    return holder.pid


def _run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=GUARD)
    if done.returncode:
        raise NoNetwork(f"{' '.join(command)}: {done.stderr.strip()}")
    return done.stdout
