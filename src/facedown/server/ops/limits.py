"""How much is allowed: token buckets and caps, all with bounded memory. Pure but for the clock that is handed
in; knows no socket, no table and no request, only keys that it counts.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address

from facedown.protocol.errors import TooMany


@dataclass(frozen=True, slots=True)
class Rate:
    """So many per so many seconds; all of them may come at once."""

    many: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Caps:
    """What one seat, person, socket or address may do."""

    commands: Rate = Rate(100, 20)  # per seat
    chat: Rate = Rate(5, 10)  # per seat or spectator
    presets: Rate = Rate(10, 10)  # what may always be said, short of flooding
    frames: Rate = Rate(300, 20)  # per socket, of any kind: one that sends more is closed
    tables: Rate = Rate(10, 60)  # made, per person and per address
    people: Rate = Rate(30, 60)  # new guests per address
    guesses: Rate = Rate(20, 60)  # wrong tokens and invitations per address
    sockets: int = 100  # open at once per address
    connections: int = 200  # of any other kind, open at once per address


class Bucket:
    """The tokens of one key. A bucket that nobody touched for as long as its rate's seconds is full."""

    __slots__ = ("_at", "_left")

    def __init__(self, rate: Rate, now: float) -> None:
        self._left = float(rate.many)
        self._at = now

    def take(self, rate: Rate, now: float) -> float:
        """Takes one token: 0.0, or else the seconds until there will be one."""
        left = min(rate.many, self._left + max(0.0, now - self._at) * rate.many / rate.seconds)
        self._at = now
        if left < 1.0:
            self._left = left
            return (1.0 - left) * rate.seconds / rate.many
        self._left = left - 1.0
        return 0.0

    def idle(self, rate: Rate, now: float) -> bool:
        """Whether it must be full by now, so that forgetting it changes nothing."""
        return now - self._at >= rate.seconds


class Buckets:
    """A bucket for each key that was used lately; never more than `most`."""

    __slots__ = ("_by_key", "_most", "rate")

    def __init__(self, rate: Rate, most: int = 50_000) -> None:
        self.rate = rate
        self._most = most
        self._by_key: OrderedDict[object, Bucket] = OrderedDict()  # the one used longest ago first

    def __len__(self) -> int:
        return len(self._by_key)

    def take(self, key: object, now: float) -> float:
        """Takes one token of this key: 0.0, or else the seconds until there will be one."""
        self._forget(now)
        bucket = self._by_key.get(key)
        if bucket is None:
            bucket = self._by_key[key] = Bucket(self.rate, now)
        else:
            self._by_key.move_to_end(key)
        return bucket.take(self.rate, now)

    def _forget(self, now: float) -> None:
        # Two for each one that may come in: what is idle goes sooner than new keys can come.
        for _ in range(2):
            if not self._by_key:
                return
            oldest = next(iter(self._by_key))
            if len(self._by_key) < self._most and not self._by_key[oldest].idle(self.rate, now):
                return
            del self._by_key[oldest]


class Tally:
    """How many of something each address has open; forgets whoever has none."""

    __slots__ = ("_by_address", "cap")

    def __init__(self, cap: int) -> None:
        self.cap = cap
        self._by_address: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._by_address)

    def enter(self, address: str) -> bool:
        """Counts one more, or says that there are too many already."""
        many = self._by_address.get(address, 0)
        if many >= self.cap:
            return False
        self._by_address[address] = many + 1
        return True

    def leave(self, address: str) -> None:
        """Counts one less of those that entered."""
        many = self._by_address.get(address, 0)
        if many > 1:
            self._by_address[address] = many - 1
        else:
            self._by_address.pop(address, None)


def neighbourhood(host: str) -> str:
    """What counts as one address: an IPv4 address, or the 64 bits of IPv6 that one subscriber has.

    >>> neighbourhood("192.0.2.7"), neighbourhood("::ffff:192.0.2.7"), neighbourhood("2001:db8:1:2::9")
    ('192.0.2.7', '192.0.2.7', '2001:db8:1:2::')
    """
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host[:64]  # a Unix socket, or what a proxy wrote
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(IPv6Address(int(address) >> 64 << 64))


class Limits:
    """All limits of a house. What refuses raises `TooMany`, which says when to come back."""

    __slots__ = (
        "_chat",
        "_clock",
        "_commands",
        "_guesses",
        "_people",
        "_presets",
        "_tables",
        "caps",
        "connections",
        "sockets",
    )

    def __init__(self, caps: Caps | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self.caps = caps = caps or Caps()
        self._clock = clock
        self._commands = Buckets(caps.commands)
        self._chat = Buckets(caps.chat)
        self._presets = Buckets(caps.presets)
        self._tables = Buckets(caps.tables)
        self._people = Buckets(caps.people)
        self._guesses = Buckets(caps.guesses)
        self.sockets = Tally(caps.sockets)
        self.connections = Tally(caps.connections)

    def command(self, table: str, seat: int, who: str) -> None:
        """A command of a seat; `who` tells spectators (seat 0) apart."""
        self._take(self._commands, (table, seat or who), "too many commands")

    def say(self, table: str, seat: int, who: str, *, preset: bool) -> None:
        """Something said at a table."""
        buckets = self._presets if preset else self._chat
        self._take(buckets, (table, seat or who), "too much talk at once")

    def make_table(self, person: str, address: str) -> None:
        """A new table; one person at many addresses, or many at one, is not allowed more."""
        self._take(self._tables, ("person", person), "too many new tables")
        self._take(self._tables, ("address", neighbourhood(address)), "too many new tables")

    def meet(self, address: str) -> None:
        """A new guest."""
        self._take(self._people, neighbourhood(address), "too many new visitors from this address")

    def guess(self, address: str) -> None:
        """A token or an invitation that opens nothing."""
        self._take(self._guesses, neighbourhood(address), "too many wrong tokens from this address")

    def _take(self, buckets: Buckets, key: object, say: str) -> None:
        wait = buckets.take(key, self._clock())
        if wait:
            raise TooMany(
                f"{say}: at most {buckets.rate.many} in {buckets.rate.seconds:g} s",
                again=int(wait * 1000) + 1,
            )
