"""Rate limits (token buckets) and caps on open connections, all with bounded memory.

Pure but for the clock that is handed in; knows no connection, table or request, only the keys that it counts.
"""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Any, Final

from facedown.protocol.errors import TooMany
from facedown.server.clock import now

_CHEAP: Final = 0.05
"""The cost of exploring a rule set that is already solved; a verdict costs 1."""
_LONGEST_COOL_OFF_S: Final = 120.0
_MOST_COOLING: Final = 10_000


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
    requests: Rate  # the budget of HTTP requests, per address and per person
    request_pace: Rate  # how fast an address may spend it
    frame_pace: Rate  # frames of all WebSockets of an address: more of them wait
    joins: Rate  # seats taken, per person and per address
    accounts: Rate  # kept with a handle, per address
    sockets: int  # open at once, per address
    connections: int  # of any other kind, open at once, per address


NETWORKS: Final = ((64, 1), (56, 2), (48, 8))
"""Prefixes of IPv6, and how many times the limit of an address all in it have together: a subscriber has a
/64, often a /56 and sometimes a /48, and could come from another address each time."""


@lru_cache(maxsize=10_000)
def networks_of(host: str) -> tuple[str, ...]:
    """The keys of a client's address, the narrowest first: an IPv4 address, or networks of IPv6.

    >>> networks_of("192.0.2.7"), networks_of("::ffff:192.0.2.7")
    (('192.0.2.7',), ('192.0.2.7',))
    >>> networks_of("2001:db8:1:2::9")
    ('2001:db8:1:2::', '2001:db8:1::/56', '2001:db8:1::/48')
    """
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return (host[:64],)  # a Unix socket, or text from a proxy
    if not isinstance(address, IPv6Address):
        return (str(address),)
    if address.ipv4_mapped is not None:
        return (str(address.ipv4_mapped),)
    narrow, *wide = (str(IPv6Network((int(address), bits), strict=False)) for bits, _ in NETWORKS)
    return (narrow.partition("/")[0], *wide)


def address_key(host: str) -> str:
    """The key of a client's address: an IPv4 address, or the /64 network of IPv6 that one subscriber has.

    >>> address_key("192.0.2.7"), address_key("2001:db8:1:2::9")
    ('192.0.2.7', '2001:db8:1:2::')
    """
    return networks_of(host)[0]


class TokenBucket:
    """The token bucket of one key. One that was not touched for its rate's seconds is full."""

    __slots__ = ("_at", "_left")

    def __init__(self, rate: Rate, now: float) -> None:
        self._left = float(rate.count)
        self._at = now

    def take(self, rate: Rate, now: float, cost: float = 1.0) -> float:
        """Take `cost` tokens: 0.0, or else the seconds until there are as many."""
        left = self._fill(rate, now)
        if left < cost:
            return (cost - left) * rate.seconds / rate.count
        self._left = left - cost
        return 0.0

    def reserve(self, rate: Rate, now: float, cost: float, longest: float) -> float:
        """Take tokens that may come later: the seconds until they are there. Takes none if that is longer."""
        left = self._fill(rate, now) - cost
        wait = max(0.0, -left * rate.seconds / rate.count)
        if wait <= longest:
            self._left = left
        return wait

    def _fill(self, rate: Rate, now: float) -> float:
        passed = now - self._at
        if passed > 0.0:
            self._left = min(self._left + passed * rate.count / rate.seconds, rate.count)
        self._at = now
        return self._left

    def idle(self, rate: Rate, now: float) -> bool:
        """Whether it is full again, so that forgetting it changes nothing."""
        return (now - self._at) * rate.count >= (rate.count - self._left) * rate.seconds


class TokenBuckets:
    """A token bucket for each key that was used lately; never more than `most`."""

    __slots__ = ("_by_key", "_most", "rate")

    def __init__(self, rate: Rate, most: int = 50_000) -> None:
        self.rate = rate
        self._most = most
        self._by_key: OrderedDict[object, TokenBucket] = OrderedDict()  # least recently used first

    def __len__(self) -> int:
        return len(self._by_key)

    def take(self, key: object, now: float, cost: float = 1.0) -> float:
        """Take `cost` tokens of this key: 0.0, or else the seconds until there are as many."""
        return self._bucket(key, now).take(self.rate, now, min(cost, self.rate.count))

    def reserve(self, key: object, now: float, cost: float, longest: float) -> float:
        """Take tokens of this key that may come later: the seconds until they are there."""
        return self._bucket(key, now).reserve(self.rate, now, cost, longest)

    def _bucket(self, key: object, now: float) -> TokenBucket:
        self._forget(now)
        bucket = self._by_key.get(key)
        if bucket is None:
            bucket = self._by_key[key] = TokenBucket(self.rate, now)
        else:
            self._by_key.move_to_end(key)
        return bucket

    def _forget(self, now: float) -> None:
        # Two are dropped for each new one at most: idle keys go faster than new ones come.
        by_key = self._by_key
        for _ in range(2):
            if not by_key:
                return
            oldest = next(iter(by_key))
            if len(by_key) < self._most and not by_key[oldest].idle(self.rate, now):
                return
            del by_key[oldest]


class AddressBuckets:
    """The token buckets of each address and of the networks that it is in, which hold more.

    One that is empty refuses, and takes nothing from the wider ones: one address cannot empty them.
    """

    __slots__ = ("_levels", "rate")

    def __init__(self, rate: Rate) -> None:
        self.rate = rate
        self._levels = tuple(TokenBuckets(Rate(times * rate.count, rate.seconds)) for _, times in NETWORKS)

    def take(self, address: str, now: float, cost: float = 1.0) -> float:
        """Take `cost` tokens everywhere: 0.0, or else the seconds until there are as many."""
        for buckets, key in zip(self._levels, networks_of(address), strict=False):
            if wait := buckets.take(key, now, min(cost, self.rate.count)):
                return wait
        return 0.0

    def reserve(self, address: str, now: float, cost: float, longest: float) -> float:
        """Take tokens that may come later: the seconds until they are there."""
        wait = 0.0
        for buckets, key in zip(self._levels, networks_of(address), strict=False):
            wait = max(wait, buckets.reserve(key, now, cost, longest))
            if wait > longest:
                break
        return wait


class CoolOffs:
    """Addresses that have to wait after a flood: each time twice as long, until they have stopped."""

    __slots__ = ("_by_address", "_first")

    def __init__(self, first: float) -> None:
        self._first = first
        self._by_address: OrderedDict[str, tuple[float, float]] = OrderedDict()  # until, and for how long

    def begin(self, address: str, now: float) -> float:
        """Let an address that flooded wait from now on; returns the seconds."""
        until, length = self._by_address.pop(address, (0.0, 0.0))
        if now < until:
            seconds = length
        elif length and now < until + _LONGEST_COOL_OFF_S:
            seconds = min(2 * length, _LONGEST_COOL_OFF_S)
        else:
            seconds = self._first
        self._by_address[address] = (now + seconds, seconds)
        if len(self._by_address) > _MOST_COOLING:
            self._by_address.popitem(last=False)
        return seconds

    def seconds_left(self, address: str, now: float) -> float:
        """The seconds for which the address has to wait; 0.0 if it need not."""
        found = self._by_address.get(address)
        return max(0.0, found[0] - now) if found is not None else 0.0


class AddressCounter:
    """How many connections each address and its networks have open, up to a cap; forgets those with none."""

    __slots__ = ("_open", "cap")

    def __init__(self, cap: int) -> None:
        self.cap = cap
        self._open: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._open)

    def enter(self, address: str) -> bool:
        networks = networks_of(address)
        if any(
            self._open[key] >= times * self.cap for key, (_, times) in zip(networks, NETWORKS, strict=False)
        ):
            return False
        self._open.update(networks)
        return True

    def leave(self, address: str) -> None:
        for key in networks_of(address):
            self._open[key] -= 1
            if self._open[key] <= 0:
                del self._open[key]


REPORTS: Final = Rate(30, 3600)
"""Reports, mutes and blocks, per person."""
SEARCHES: Final = Rate(60, 60)
"""Searches for people, per address: enough to type a name, too few to list everyone."""
REPORTS_OF_ADDRESS: Final = Rate(300, 3600)
NAMES: Final = Rate(10, 60)
"""Changes of name, per person."""
FOLLOWS: Final = Rate(60, 3600)
"""People whom a person begins to follow."""
CHALLENGES: Final = Rate(20, 3600)
"""Challenges of a person; an address may send ten times as many."""
CHALLENGES_OF_GUESTS: Final = Rate(10, 86_400)
"""Challenges to one person by guests of one address: half of those that may wait for an answer."""
MINDS: Final = Rate(60, 3600)
"""Changes of a person's mind of the day; an address may make ten times as many."""
HOUSES: Final = Rate(60, 600)
"""Notes of a person about the characters of the house: one after each game, and with each visit."""
READINGS: Final = Rate(12, 3600)
"""How often a person may ask what gives them away: each reads many games."""
TOKENS: Final = Rate(60, 3600)
"""Personal tokens that a person makes, bots included."""
BOT_SEATS: Final = Rate(200, 86_400)
"""Seats that one bot takes."""
_MOST_HITS: Final = 500
_LONGEST_PACE_S: Final = 1.0
_HELLO: Final = 1.0
"""The cost of a hello whose answer is small."""
_BYTES: Final = 8192
"""Of an answer to a hello, for the cost of 1: about a millisecond of work at a long game, with a recap."""
_NEVER: Final = float("inf")


class Limits:
    """The rate limits and counters of a server. Methods raise `TooMany` with the time to retry."""

    def __init__(self, caps: Caps, clock: Callable[[], float] = time.monotonic) -> None:
        self.caps = caps
        self._clock = clock
        self._analyses = AddressBuckets(caps.analyses)
        self._commands = TokenBuckets(caps.commands)
        self._chat = TokenBuckets(caps.chat)
        self._presets = TokenBuckets(caps.presets)
        self._tables = TokenBuckets(caps.tables)
        self._tables_at = AddressBuckets(caps.tables)
        self._people = AddressBuckets(caps.people)
        self._guesses = AddressBuckets(caps.guesses)
        self._requests = TokenBuckets(caps.requests)
        self._requests_at = AddressBuckets(caps.requests)
        self._refusals = TokenBuckets(Rate(100, 10))
        self._request_pace = AddressBuckets(caps.request_pace)
        self._frame_pace = AddressBuckets(caps.frame_pace)
        self._names = TokenBuckets(NAMES)
        self._joins = TokenBuckets(caps.joins)
        self._joins_at = AddressBuckets(caps.joins)
        self._after_refusals = CoolOffs(first=5.0)
        self._after_flood = CoolOffs(first=10.0)
        self._reports = TokenBuckets(REPORTS)
        self._reports_at = AddressBuckets(REPORTS_OF_ADDRESS)
        self._follows = TokenBuckets(FOLLOWS)
        self._challenges = TokenBuckets(CHALLENGES)
        self._challenges_at = AddressBuckets(Rate(10 * CHALLENGES.count, CHALLENGES.seconds))
        self._challenges_of_guests = TokenBuckets(CHALLENGES_OF_GUESTS)
        self._minds = TokenBuckets(MINDS)
        self._houses = TokenBuckets(HOUSES)
        self._minds_at = AddressBuckets(Rate(10 * MINDS.count, MINDS.seconds))
        self._readings = TokenBuckets(READINGS)
        self._tokens = TokenBuckets(TOKENS)
        self._bot_seats = TokenBuckets(BOT_SEATS)
        self._searches = AddressBuckets(SEARCHES)
        self._kept = AddressBuckets(caps.accounts)
        self._passkeys = AddressBuckets(caps.people)
        self._hits: OrderedDict[tuple[str, str], tuple[int, int]] = OrderedDict()
        self.sockets = AddressCounter(caps.sockets)
        self.connections = AddressCounter(caps.connections)

    # --- requests and floods --------------------------------------------------------------------------

    def request(self, address: str, cost: float) -> float:
        """Take a request from the budget of an address: 0.0, or else the seconds until it may come.

        An address that continues is cut off for a while: its connections are refused.
        """
        key, now = address_key(address), self._clock()
        wait = self._requests_at.take(key, now, cost)
        if wait and self._refusals.take(key, now):
            self._after_refusals.begin(key, now)
        return wait

    def pace(self, address: str, cost: float) -> float:
        """For how many seconds a request has to wait, so that its address leaves time for the others.

        Raises `TooMany` if that is long: then too many of its requests are waiting.
        """
        key, now = address_key(address), self._clock()
        wait = self._request_pace.reserve(key, now, cost, _LONGEST_PACE_S)
        if wait > _LONGEST_PACE_S:
            if self._refusals.take(key, now):
                self._after_refusals.begin(key, now)
            raise TooMany("too many requests from this address at once", again=int(wait * 1000) + 1)
        return wait

    def hello(self, address: str) -> float:
        """For how many seconds a hello has to wait, so that its address leaves time for the others; raises
        `TooMany`. What its answer costs is known afterwards: `answered_hello`."""
        if wait := self.request(address, _HELLO):
            raise TooMany("too many connections from this address", again=int(wait * 1000) + 1)
        return self.pace(address, _HELLO)

    def answered_hello(self, address: str, size: int) -> None:
        """Count the bytes that answered a hello: a debt, before which no other one is answered."""
        cost, now = max(0.0, size / _BYTES - _HELLO), self._clock()
        for buckets in (self._requests_at, self._request_pace):
            buckets.reserve(address, now, cost, _NEVER)

    def pace_frames(self, address: str, count: int) -> float:
        """The pause, in seconds, of a WebSocket that sent this number of frames; `address` is a key."""
        return self._frame_pace.reserve(address, self._clock(), count, _NEVER)

    def request_of(self, person: str, cost: float) -> None:
        """Take a request from the budget of a person, wherever it comes from."""
        wait = self._requests.take(person, self._clock(), cost)
        if wait:
            raise TooMany("too many requests of one person", again=int(wait * 1000) + 1)

    def cut_off(self, address: str) -> float:
        """For how many seconds no connection of this address is accepted; `address` is a key."""
        return self._after_refusals.seconds_left(address, self._clock())

    def note_flood(self, address: str) -> None:
        """A WebSocket of this address flooded: it gets no new ones for a while; `address` is a key."""
        self._after_flood.begin(address, self._clock())

    def flood_wait(self, address: str) -> float:
        """For how many seconds this address gets no new WebSocket; `address` is a key."""
        return self._after_flood.seconds_left(address, self._clock())

    # --- single kinds ---------------------------------------------------------------------------------

    def rename(self, person: str) -> None:
        self._take(self._names, person, "too many changes of name")

    def join(self, person: str, address: str) -> None:
        self._take(self._joins, person, "too many seats taken")
        self._take(self._joins_at, address_key(address), "too many seats taken")

    def seal_mind(self, person: str, address: str) -> None:
        self._take(self._minds, person, "too many changes of mind")
        self._take(self._minds_at, address_key(address), "too many changes of mind")

    def new_token(self, person: str) -> None:
        self._take(self._tokens, person, "too many new tokens")

    def seat_bot(self, bot: str) -> None:
        self._take(self._bot_seats, bot, "too many games of one bot")

    def note_house(self, person: str) -> None:
        self._take(self._houses, person, "too many notes about the house")

    def command(self, table: str, seat: int, who: str) -> None:
        """Count a command of a seat; `who` distinguishes spectators (seat 0)."""
        self._take(self._commands, (table, seat or who), "too many commands")

    def chat(self, table: str, seat: int, who: str, *, preset: bool) -> None:
        buckets = self._presets if preset else self._chat
        self._take(buckets, (table, seat or who), "too many chat messages")

    def new_table(self, person: str, address: str) -> None:
        self._take(self._tables, person, "too many new tables")
        self._take(self._tables_at, address_key(address), "too many new tables")

    def new_guest(self, address: str) -> None:
        self._take(self._people, address_key(address), "too many new guests from this address")

    def wrong_token(self, address: str) -> None:
        self._take(self._guesses, address_key(address), "too many wrong tokens from this address")

    def passkey(self, address: str) -> None:
        """Count a challenge: anyone may ask for one, as for a guest's session."""
        self._take(self._passkeys, address_key(address), "too many passkeys asked for from this address")

    def keep_account(self, address: str) -> None:
        self._take(self._kept, address_key(address), "too many new accounts from this address")

    def search(self, address: str) -> None:
        self._take(self._searches, address_key(address), "too many searches for people")

    def analysis(self, address: str) -> None:
        self._take(self._analyses, address_key(address), "too many verdicts and reviews asked for")

    def study(self, address: str, *, cheap: bool) -> None:
        """Count a study; one that has to be computed costs as much as a verdict."""
        cost = _CHEAP if cheap else 1.0
        self._take(self._analyses, address_key(address), "too many positions asked for", cost)

    def reading(self, person: str) -> None:
        """Count a report on what gives a person away in their own games."""
        self._take(self._readings, person, "too many reports on your own games")

    def report(self, person: str, address: str) -> None:
        """Count a report, a mute or a block, for the person and for the address."""
        self._take(self._reports, person, "too many reports")
        self._take(self._reports_at, address_key(address), "too many reports")

    def follow(self, person: str) -> None:
        self._take(self._follows, person, "too many people followed")

    def challenge(self, person: str, address: str) -> None:
        self._take(self._challenges, person, "too many challenges")
        self._take(self._challenges_at, address_key(address), "too many challenges from this address")

    def challenge_of_guest(self, address: str, other: str) -> None:
        key = f"{address_key(address)} {other}"
        self._take(self._challenges_of_guests, key, "too many challenges to this person from this address")

    def hits(self) -> tuple[tuple[str, str, int, int], ...]:
        """The limits that were hit, the latest first: which, by whom, how often, and when last."""
        found = reversed(self._hits.items())
        return tuple((limit, who, times, at) for (limit, who), (times, at) in found)

    def _hit(self, limit: str, key: object) -> None:
        who = " ".join(map(str, key)) if isinstance(key, tuple) else str(key)
        times, _ = self._hits.pop((limit, who), (0, 0))
        self._hits[limit, who] = (times + 1, now())
        if len(self._hits) > _MOST_HITS:
            self._hits.popitem(last=False)

    def _take(self, buckets: TokenBuckets | AddressBuckets, key: Any, say: str, cost: float = 1.0) -> None:
        wait = buckets.take(key, self._clock(), cost)
        if wait:
            self._hit(say, key)
            raise TooMany(
                f"{say}: at most {buckets.rate.count} in {buckets.rate.seconds:g} s",
                again=int(wait * 1000) + 1,
            )
