"""Pairing: people who want the same game and clock get a table with a reserved seat for each of them.

Which people fit is a pure function (`choose_group`); the store calls it inside the transaction that also
saves the table (`store.tickets`). From then on it is a table like any other: each person joins with a
commitment to their entropy, and opens it once all seats are taken. If someone does not come, it is closed.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Final

import msgspec
from msgspec.structs import replace

from facedown.core import registry
from facedown.core.errors import FacedownError, IllegalSeats
from facedown.core.match import check_seats
from facedown.protocol.errors import BadMessage, PairingPaused
from facedown.protocol.messages import Clock
from facedown.protocol.pairing import ConductInfo, FaultInfo, NewTicket, PairedSeat, PoolInfo, TicketInfo
from facedown.server.clock import DAY_MS, MINUTE_MS, SECOND_MS, now
from facedown.server.ops.slots import waiting
from facedown.server.store.base import Store
from facedown.server.store.tickets import Blocks, Ticket, TicketGone, TicketState
from facedown.server.store.values import Append, Fault, Person
from facedown.server.table.setup import FIRST_READY_S, READY_S, paired_table
from facedown.server.table.tables import Tables
from facedown.sim.ratings import START, Rating

SEATING_MS: Final = 20 * SECOND_MS
"""How long people may take to sit down, and then to open their entropy."""
SEATING_BY_DAYS_MS: Final = DAY_MS

# --- who fits --------------------------------------------------------------------------------------------

FIRST_WINDOW: Final = 150
"""How far apart two well-known ratings may be at first."""
WIDER: Final = 20
"""By how much more after each second of waiting."""
ANYONE_MS: Final = 30 * SECOND_MS
"""A person who has waited for this long takes anyone."""
FULL_MS: Final = 10 * SECOND_MS
"""For how long people wait for a table with as many seats as they wish."""
AGAIN_MS: Final = 15 * SECOND_MS
"""Two who met last meet again only if both have waited for this long."""
SLOW_MS: Final = 20 * SECOND_MS
"""How long people who made others wait meet only each other."""
_ANY: Final = 1_000_000


def window(ticket: Ticket, at: int) -> int:
    """How far from the person's own rating others may be.

    >>> ann = Ticket("ann", "Ann", "pool", 2, 2, 1500, 50, since=0)
    >>> window(ann, 0), window(ann, 5_000), window(ann, 30_000)
    (200, 300, 1000000)
    """
    waited = at - ticket.since
    if waited >= ANYONE_MS:
        return _ANY
    return FIRST_WINDOW + ticket.error + WIDER * max(0, waited) // SECOND_MS


def may_meet(one: Ticket, other: Ticket, blocks: Blocks, at: int) -> bool:
    """Whether these two may sit at one table: neither blocks the other, they did not meet last, and neither
    or both made others wait. After a long wait only the block counts."""
    if (one.person, other.person) in blocks or (other.person, one.person) in blocks:
        return False
    if one.slow != other.slow and at - (one if one.slow else other).since < SLOW_MS:
        return False
    met_last = bool(one.met) and one.met == other.met
    return not met_last or at - max(one.since, other.since) >= AGAIN_MS


def choose_group(ticket: Ticket, waiting: Sequence[Ticket], blocks: Blocks, at: int) -> tuple[Ticket, ...]:
    """The people of a table with this ticket: those nearest in rating who fit everyone's wishes.

    Empty if there are none. Among groups of the most seats, it is the one with the least spread of ratings.
    """
    others: list[Ticket] = []
    for each in sorted(waiting, key=lambda other: (abs(other.rating - ticket.rating), other.since)):
        if all(may_meet(each, other, blocks, at) for other in (ticket, *others)):
            others.append(each)
    line = sorted((ticket, *others), key=lambda each: (each.rating, each.person))
    place = line.index(ticket)
    for seats in range(min(ticket.most, len(line)), ticket.least - 1, -1):
        first = range(max(0, place - seats + 1), min(place, len(line) - seats) + 1)
        runs = [tuple(line[start : start + seats]) for start in first]
        fitting = [run for run in runs if _fits(run, at)]
        if fitting:
            return min(fitting, key=_spread)
    return ()


def _spread(run: tuple[Ticket, ...]) -> tuple[int, int]:
    """The spread of the ratings; of equal ones, those who have waited longest come first."""
    return run[-1].rating - run[0].rating, sum(each.since for each in run)


def _fits(run: Sequence[Ticket], at: int) -> bool:
    """Whether a group of people in the order of their ratings is one that each of them wants."""
    seats = len(run)
    if not max(each.least for each in run) <= seats <= min(each.most for each in run):
        return False
    is_full = seats == min(each.most for each in run)
    if not is_full and at - min(each.since for each in run) < FULL_MS:
        return False
    return run[-1].rating - run[0].rating <= min(window(each, at) for each in run)


# --- conduct ---------------------------------------------------------------------------------------------

FADES_MS: Final = DAY_MS
"""For how long a fault counts."""
FORGIVING: Final = 3
"""Rated games, played to the end, that take one fault back."""
SLOW_AT: Final = 2
PAUSED_AT: Final = 3
"""The faults from which others come first, and from which pairing pauses after each."""
PAUSE_MS: Final = 10 * MINUTE_MS


def conduct_of(faults: Sequence[Fault], finished: Sequence[int], at: int) -> ConductInfo:
    """What follows from a person's faults, oldest first, and the ends of their rated games.

    >>> left = [Fault("ann", minute * 60_000, f"T{minute}", "left") for minute in (1, 2, 3)]
    >>> [conduct_of(left[:count], (), 4 * 60_000).level for count in range(4)]
    ['fine', 'notice', 'slow', 'paused']
    >>> conduct_of(left, (), 13 * 60_000).level, conduct_of(left, (), DAY_MS + 4 * 60_000).level
    ('slow', 'fine')
    """
    counted = [each for each in faults if at - each.at < FADES_MS]
    if counted:
        taken_back = sum(ended > counted[0].at for ended in finished) // FORGIVING
        counted = counted[taken_back:]
    shown = tuple(FaultInfo(each.kind, each.at, each.table) for each in counted)
    if not counted:
        return ConductInfo("fine", 0, ())
    if len(counted) >= PAUSED_AT and at < counted[-1].at + PAUSE_MS:
        return ConductInfo("paused", counted[-1].at + PAUSE_MS, shown)
    return ConductInfo("slow" if len(counted) >= SLOW_AT else "notice", counted[0].at + FADES_MS, shown)


def _with_conduct(ticket: TicketInfo, conduct: ConductInfo) -> TicketInfo:
    return ticket if conduct.level == "fine" else replace(ticket, conduct=conduct)


# --- pools -----------------------------------------------------------------------------------------------


class TicketPool(msgspec.Struct, frozen=True, array_like=True):
    """What people of one pool have in common."""

    game: str
    rules: str
    clock: Clock

    @classmethod
    def of(cls, wanted: NewTicket) -> TicketPool:
        """The pool of a wish; raises if the game is not known, or cannot be played so."""
        game, clock = registry.get(wanted.game), wanted.clock
        if clock.kind == "none":
            raise BadMessage("people who do not know each other need a clock: of seconds, or of days")
        unused = "days" if clock.kind == "decision" else "seconds"
        clock = replace(
            clock, **{unused: getattr(Clock(), unused)}, grace=0, ready=0
        )  # those are the server's
        return cls(game.name, str(game.rules.read(wanted.rules)), clock)

    @property
    def by_days(self) -> bool:
        return self.clock.kind == "correspondence"

    def __str__(self) -> str:
        return msgspec.json.encode(self).decode()


def _seating(by_days: bool) -> int:
    """How long people may take to sit down."""
    return SEATING_BY_DAYS_MS if by_days else SEATING_MS


def _seat_range(wanted: NewTicket) -> tuple[int, int]:
    """The fewest and the most seats that a person wants; raises `IllegalSeats`."""
    game = registry.get(wanted.game)
    least, most = wanted.least_seats or game.meta.least_seats, wanted.most_seats or game.meta.most_seats
    for seats in (least, most):
        check_seats(game, seats)
    if least > most:
        raise IllegalSeats("the fewest seats are more than the most")
    return least, most


# --- the service -----------------------------------------------------------------------------------------


class Pairing:
    """Finds people for each other, on any server of a store."""

    def __init__(self, store: Store, tables: Tables) -> None:
        self._store = store
        self._tables = tables
        self._woken: dict[str, asyncio.Event] = {}
        """The waiting request of each person; a new one ends it."""

    async def put(self, person: Person, wanted: NewTicket, wait: float = 0.0) -> TicketInfo:
        """Let a person wait, or go on waiting; the answer comes within `wait` seconds."""
        self._tables.relations.check(person.id, "no_pairing")
        pool, (least, most) = TicketPool.of(wanted), _seat_range(wanted)
        known = await self._store.conduct.facts(person.id, pool.game, now() - FADES_MS)
        conduct = conduct_of(known.faults, known.finished, now())
        if conduct.level == "paused":
            again = conduct.until - now()
            raise PairingPaused("others had to wait for you too often: take a break", again=again)
        rating = START
        if known.rating is not None:
            at, mean, deviation = known.rating
            rating = Rating(mean, deviation).after((now() - at) / DAY_MS)
        ticket = Ticket(
            *(person.id, person.name, str(pool), least, most, rating.points, rating.error),
            by_days=pool.by_days,
            slow=conduct.level == "slow",
        )
        state = await (self._put_and_wait(ticket, pool, wait) if wait else self._put(ticket, pool))
        if not state.table and not state.waiting:
            return TicketInfo("none")  # it was withdrawn by another request
        info = _info(state, person.id)
        return _with_conduct(info, conduct)

    async def _put(self, ticket: Ticket, pool: TicketPool) -> TicketState:
        def make(tickets: Sequence[Ticket]) -> Append:
            people = [(each.person, each.name) for each in tickets]
            ready = FIRST_READY_S if any(_is_new(each) for each in tickets) else READY_S
            seating = _seating(pool.by_days)
            new = paired_table(pool.game, pool.rules, pool.clock, people, seating, ready)
            away = [each.person for each in tickets if pool.by_days and each.person != ticket.person]
            return self._tables.to_append(new, away)

        def choose(own: Ticket, waiting: Sequence[Ticket], blocks: Blocks, at: int) -> Sequence[Ticket]:
            group = list(choose_group(own, waiting, blocks, at))
            _dice.shuffle(group)  # no player chooses a seat
            return group

        try:
            state = await self._store.put_ticket(ticket, choose, make)
        except TicketGone:
            state = await self._store.put_ticket(ticket, choose, make)
        if state.is_new:
            self._wake([each.person for each in state.people if each.person != ticket.person])
        return state

    async def look(self, person: str) -> TicketInfo:
        """What has become of a person's ticket, which goes on, and what follows from their faults."""
        state = await self._store.look_at_ticket(person)
        known = await self._store.conduct.facts(person, "", now() - FADES_MS)
        info = TicketInfo("none") if state is None else _info(state, person)
        return _with_conduct(info, conduct_of(known.faults, known.finished, now()))

    async def withdraw(self, person: str) -> None:
        """Let a person wait no longer; a table that was found for them is closed, and the others wait on."""
        withdrawn = await self._store.withdraw_ticket(person)
        self._wake([person, *withdrawn.people])
        if withdrawn.table:
            with suppress(FacedownError):  # it closes on its own
                await (await self._tables.get(withdrawn.table)).close("a player did not sit down")

    async def pools(self) -> tuple[PoolInfo, ...]:
        """The pools in which people wait."""
        found = []
        for text, people in await self._store.pools():
            pool = msgspec.json.decode(text, type=TicketPool)
            found.append(PoolInfo(pool.game, pool.rules, pool.clock, people))
        return tuple(found)

    def wake_all(self) -> None:
        """Answer every waiting request, because the server is shutting down."""
        for woken in self._woken.values():
            woken.set()

    async def _put_and_wait(self, ticket: Ticket, pool: TicketPool, seconds: float) -> TicketState:
        """Put a ticket, and again once there is news about it, unless a later request has taken its place."""
        with self._news(ticket.person) as woken:  # it may come before the store's answer does
            state = await self._put(ticket, pool)
            if state.table:
                return state
            async with waiting():
                with suppress(TimeoutError):
                    async with asyncio.timeout(seconds):
                        await woken.wait()
            if self._woken.get(ticket.person) is not woken:
                return state
            return await self._put(ticket._replace(again=True), pool)

    @contextmanager
    def _news(self, person: str) -> Iterator[asyncio.Event]:
        """Is set at news about a person's ticket; one that was waited for before is set, too."""
        woken = asyncio.Event()
        if person in self._woken:
            self._woken[person].set()
        self._woken[person] = woken
        topic = _topic(person)

        def on_hint(_number: int, _node: str) -> None:
            woken.set()

        self._tables.bus.subscribe(topic, on_hint)
        try:
            yield woken
        finally:
            self._tables.bus.unsubscribe(topic, on_hint)
            if self._woken.get(person) is woken:
                del self._woken[person]

    def _wake(self, people: Sequence[str]) -> None:
        for person in people:
            if (woken := self._woken.get(person)) is not None:
                woken.set()
            self._tables.bus.publish(_topic(person), now())


_dice: Final = random.SystemRandom()


def _is_new(ticket: Ticket) -> bool:
    """Whether a person has no rating, so that this may be their first game."""
    return ticket.error >= START.error


def _topic(person: str) -> str:
    return f"ticket/{person}"


def _info(state: TicketState, person: str) -> TicketInfo:
    if not state.table:
        return TicketInfo("waiting", state.since, state.waiting)
    return TicketInfo(
        state="playing" if state.playing else "found",
        since=state.since,
        table=state.table,
        seat=next(each.seat for each in state.people if each.person == person),
        until=state.made_at + _seating(state.by_days),
        people=tuple(PairedSeat(each.seat, each.name, each.rating, each.error) for each in state.people),
    )
