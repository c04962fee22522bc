"""Rate limits (token buckets) and caps on open connections, all with bounded memory.

Pure but for the clock that is handed in; knows no connection, table or request, only the keys that it counts.
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
    """A rate limit: `count` per `seconds`, all of which may come at once."""

    count: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Caps:
    """All limits of a server; their values come from the settings alone (`Settings.caps`)."""

    commands: Rate  # per seat
    chat: Rate  # messages, per seat or spectator
    presets: Rate  # preset chat messages, per seat or spectator
    frames: Rate  # of any kind, per WebSocket: one that sends more is closed
    tables: Rate  # new ones, per person and per address
    people: Rate  # new guests, per address
    guesses: Rate  # wrong tokens and invitations, per address
    analyses: Rate  # new verdicts and reviews, per address
    sockets: int  # open at once, per address
    connections: int  # of any other kind, open at once, per address


class TokenBucket:
    """The token bucket of one key. One that was not touched for its rate's seconds is full."""

    __slots__ = ("_at", "_left")

    def __init__(self, rate: Rate, now: float) -> None:
        self._left = float(rate.count)
        self._at = now

    def take(self, rate: Rate, now: float) -> float:
        """Take one token: 0.0, or else the seconds until there is one."""
        left = min(rate.count, self._left + max(0.0, now - self._at) * rate.count / rate.seconds)
        self._at = now
        if left < 1.0:
            self._left = left
            return (1.0 - left) * rate.seconds / rate.count
        self._left = left - 1.0
        return 0.0

    def idle(self, rate: Rate, now: float) -> bool:
        """Whether it is full again, so that forgetting it changes nothing."""
        return now - self._at >= rate.seconds


class TokenBuckets:
    """A token bucket for each key that was used lately; never more than `most`."""

    __slots__ = ("_by_key", "_most", "rate")

    def __init__(self, rate: Rate, most: int = 50_000) -> None:
        self.rate = rate
        self._most = most
        self._by_key: OrderedDict[object, TokenBucket] = OrderedDict()  # least recently used first

    def __len__(self) -> int:
        return len(self._by_key)

    def take(self, key: object, now: float) -> float:
        """Take one token of this key: 0.0, or else the seconds until there is one."""
        self._forget(now)
        bucket = self._by_key.get(key)
        if bucket is None:
            bucket = self._by_key[key] = TokenBucket(self.rate, now)
        else:
            self._by_key.move_to_end(key)
        return bucket.take(self.rate, now)

    def _forget(self, now: float) -> None:
        # Two are dropped for each new one at most: idle keys go faster than new ones come.
        for _ in range(2):
            if not self._by_key:
                return
            oldest = next(iter(self._by_key))
            if len(self._by_key) < self._most and not self._by_key[oldest].idle(self.rate, now):
                return
            del self._by_key[oldest]


class AddressCounter:
    """How many connections each address has open, up to a cap; forgets addresses that have none."""

    __slots__ = ("_by_address", "cap")

    def __init__(self, cap: int) -> None:
        self.cap = cap
        self._by_address: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._by_address)

    def enter(self, address: str) -> bool:
        """Count one more; False where there are too many already."""
        count = self._by_address.get(address, 0)
        if count >= self.cap:
            return False
        self._by_address[address] = count + 1
        return True

    def leave(self, address: str) -> None:
        """Count one less."""
        count = self._by_address.get(address, 0)
        if count > 1:
            self._by_address[address] = count - 1
        else:
            self._by_address.pop(address, None)


def address_key(host: str) -> str:
    """The key of a client's address: an IPv4 address, or the /64 network of IPv6 that one subscriber has.

    >>> address_key("192.0.2.7"), address_key("::ffff:192.0.2.7"), address_key("2001:db8:1:2::9")
    ('192.0.2.7', '192.0.2.7', '2001:db8:1:2::')
    """
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host[:64]  # a Unix socket, or text from a proxy
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(IPv6Address(int(address) >> 64 << 64))


class Limits:
    """The rate limits and counters of a server. Methods raise `TooMany`, which says when to retry."""

    __slots__ = (
        "_analyses",
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

    def __init__(self, caps: Caps, clock: Callable[[], float] = time.monotonic) -> None:
        self.caps = caps
        self._clock = clock
        self._analyses = TokenBuckets(caps.analyses)
        self._commands = TokenBuckets(caps.commands)
        self._chat = TokenBuckets(caps.chat)
        self._presets = TokenBuckets(caps.presets)
        self._tables = TokenBuckets(caps.tables)
        self._people = TokenBuckets(caps.people)
        self._guesses = TokenBuckets(caps.guesses)
        self.sockets = AddressCounter(caps.sockets)
        self.connections = AddressCounter(caps.connections)

    def command(self, table: str, seat: int, who: str) -> None:
        """Count a command of a seat; `who` tells spectators (seat 0) apart."""
        self._take(self._commands, (table, seat or who), "too many commands")

    def chat(self, table: str, seat: int, who: str, *, preset: bool) -> None:
        """Count a chat message at a table."""
        buckets = self._presets if preset else self._chat
        self._take(buckets, (table, seat or who), "too many chat messages")

    def new_table(self, person: str, address: str) -> None:
        """Count a new table, for the person and for the address."""
        self._take(self._tables, ("person", person), "too many new tables")
        self._take(self._tables, ("address", address_key(address)), "too many new tables")

    def new_guest(self, address: str) -> None:
        """Count a new guest of an address."""
        self._take(self._people, address_key(address), "too many new guests from this address")

    def wrong_token(self, address: str) -> None:
        """Count a wrong token or invitation of an address."""
        self._take(self._guesses, address_key(address), "too many wrong tokens from this address")

    def analysis(self, address: str) -> None:
        """Count a new verdict or review for an address."""
        self._take(self._analyses, address_key(address), "too many verdicts and reviews asked for")

    def _take(self, buckets: TokenBuckets, key: object, say: str) -> None:
        wait = buckets.take(key, self._clock())
        if wait:
            raise TooMany(
                f"{say}: at most {buckets.rate.count} in {buckets.rate.seconds:g} s",
                again=int(wait * 1000) + 1,
            )
