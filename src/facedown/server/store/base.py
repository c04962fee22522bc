"""What a store is: the protocol, the values that go in and out, and how it fails.

Owns no file and no thread; whoever implements `Store` must not know games, sockets or the meaning of a body.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

from facedown.core.errors import FacedownError


class StoreFailed(FacedownError):
    """The store could not write: nothing of it was saved, and the same may be asked again."""

    code = "store_failed"
    status: ClassVar[int] = 503


class HeadMoved(FacedownError):
    """The table is not at the head that the append was made for: nothing was saved, read it again."""

    code = "head_moved"
    status: ClassVar[int] = 409


class CommandKnown(HeadMoved):
    """This seat's command of that id, or the person's request with that idempotency key, is saved already."""

    code = "command_known"


class DataInUse(FacedownError):
    """Another server holds the data directory."""

    code = "data_in_use"
    status: ClassVar[int] = 503


@dataclass(frozen=True, slots=True)
class EventRow:
    """One event of a table: the truth."""

    v: int
    """Its number at the table, from 1 and without a gap."""
    kind: str
    at: int
    public: bytes
    secret: bytes = b""
    """What only the table's keeper may read back: seeds, sealed picks and their nonces."""
    seat: int = 0
    command: str = ""
    """The id of the command that caused it; unique for a seat of a table. Empty: nobody's command."""
    spent: int = 0
    """What it took of the seat's clock, in ms."""


@dataclass(frozen=True, slots=True)
class TableSummary:
    """What lists show of a table; it can be rebuilt from the events."""

    game: str
    rules: str
    state: str
    public: bool
    created_at: int
    about: bytes
    """JSON for lists; the store does not read it."""


@dataclass(frozen=True, slots=True)
class Notice:
    """Somebody has to be told (push), once."""

    person: str
    table: str
    decision: int
    kind: str
    """`turn` or `over`."""


@dataclass(frozen=True, slots=True)
class SeatKey:
    """Who holds a seat: the person and the hash of the seat's token. An empty token frees the seat."""

    seat: int
    person: str
    token: bytes


@dataclass(frozen=True, slots=True)
class StoredResponse:
    """The first answer to a request with an idempotency key, saved together with what the request did."""

    person: str
    key: str
    body: bytes


@dataclass(frozen=True, slots=True)
class Append:
    """All that one step of a table saves, in one transaction or not at all."""

    table: str
    head: int
    """The `v` that the table must be at. 0 creates the table; the summary is needed then."""
    rows: tuple[EventRow, ...]
    deadline: int | None
    """When the table has to be looked at next; None: no clock runs."""
    summary: TableSummary | None = None
    """None leaves it as it is."""
    notices: tuple[Notice, ...] = ()
    seats: tuple[SeatKey, ...] = ()
    invite: str = ""
    """A first invite for the table; empty leaves invites as they are."""
    response: StoredResponse | None = None


@dataclass(frozen=True, slots=True)
class ListedRow:
    """A table in a list."""

    id: str
    head: int
    deadline: int | None
    changed_at: int
    summary: TableSummary
    seats: tuple[int, ...] = ()
    """The seats of the person that the list was asked for."""


@dataclass(frozen=True, slots=True)
class EndedGame:
    """A table whose game has ended."""

    number: int
    """Grows from end to end, in the order in which they were saved."""
    at: int
    summary: TableSummary
    people: tuple[tuple[int, str], ...]
    """Who held which seat."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who plays here; `id` never changes."""

    id: str
    name: str
    created_at: int


@dataclass(frozen=True, slots=True)
class Subscription:
    """Where a browser of a person wants to be told (web push)."""

    endpoint: str
    p256dh: str
    auth: str


@dataclass(slots=True)
class StoreStats:
    """Plain counters, written by the store and read by whoever shows them."""

    commits: int = 0
    jobs: int = 0
    """Everything that was written, appends included; `jobs / commits` is the mean size of a group."""
    appends: int = 0
    rows: int = 0
    failed: int = 0
    """Jobs that got an error."""
    largest: int = 0
    """The most jobs in one commit."""
    last_ms: float = 0.0
    """How long the last transaction took, the disk included."""


class Store(Protocol):
    """Everything that outlives the process. Whatever has been answered is on the disk."""

    stats: StoreStats

    @property
    def waiting(self) -> int:
        """How many writes have not been begun."""

    # --- tables --------------------------------------------------------------------------------------

    def append(self, batch: Append) -> asyncio.Future[None]:
        """Save a step of a table. Enqueues at once, in order; done on the loop after the durable commit.

        Fails with `HeadMoved`, `CommandKnown` or `StoreFailed`; then nothing of it was saved.
        """

    async def rows(self, table: str, after: int = 0) -> list[EventRow]:
        """The table's events later than `after`, in order."""

    async def head(self, table: str) -> int | None:
        """The `v` of the last event; None for a table that does not exist."""

    async def due(self, now: int, limit: int = 100) -> list[str]:
        """Tables whose deadline has passed, soonest first."""

    async def next_deadline(self) -> int | None:
        """The soonest deadline of all tables."""

    async def running(self) -> list[str]:
        """Tables with a deadline: those that an outage has cost time."""

    async def tables(
        self,
        *,
        state: str = "",
        game: str = "",
        public: bool | None = None,
        person: str = "",
        limit: int = 50,
    ) -> list[ListedRow]:
        """Tables of that kind, newest first. With a person: where they hold a seat, last changed first."""

    async def person_games(self, person: str, limit: int = 50) -> list[ListedRow]:
        """The finished tables where the person holds a seat, last changed first."""

    async def ended(self, after: int = 0, limit: int = 100) -> list[EndedGame]:
        """Games that ended later than the one of that number, in the order in which they did."""

    # --- people --------------------------------------------------------------------------------------

    async def add_person(self, person: str, name: str, at: int) -> None:
        """Somebody new."""

    async def person(self, person: str) -> Person | None:
        """Who that is."""

    async def rename(self, person: str, name: str) -> None:
        """From now on, call them that."""

    async def add_key(self, key: bytes, person: str, kind: str, at: int, expires: int | None) -> None:
        """A hashed credential (session cookie, bearer token, handover code) that stands for the person."""

    async def person_of(self, key: bytes, kind: str, now: int) -> Person | None:
        """Whom the credential stands for, unless it is unknown, of another kind or expired."""

    async def take_key(self, key: bytes, kind: str, now: int) -> Person | None:
        """The same for a credential that works once: it is removed by the same step."""

    async def drop_key(self, key: bytes) -> None:
        """The credential stands for nobody any more."""

    # --- seats ---------------------------------------------------------------------------------------

    async def seat_of(self, table: str, token: bytes) -> tuple[int, str] | None:
        """The seat and the person of a seat token. The first use of a token kills the one before it."""

    async def seats_of(self, table: str, person: str) -> list[int]:
        """The seats that the person holds at the table."""

    async def rotate(self, table: str, seat: int, token: bytes) -> None:
        """A new token for a seat that is held. The one in use stays valid until the new one is used."""

    # --- invites, idempotency, push, small facts -----------------------------------------------------

    async def set_invite(self, table: str, code: str | None) -> None:
        """The table's only invite; None revokes it."""

    async def invite(self, table: str) -> str | None:
        """The table's invite."""

    async def invited(self, code: str) -> str | None:
        """The table that the invite is for."""

    async def once(self, person: str, key: str, answer: bytes) -> bytes | None:
        """Remember the answer unless there is one already; the earlier one, or None if this one was saved."""

    async def remembered(self, person: str, key: str) -> bytes | None:
        """The answer that the request got the first time."""

    async def subscribe(self, person: str, subscription: Subscription) -> None:
        """Tell the person there as well. An endpoint belongs to one person: the last."""

    async def unsubscribe(self, person: str, endpoint: str = "") -> None:
        """No longer there; without an endpoint: nowhere."""

    async def subscriptions(self, person: str) -> list[Subscription]:
        """Where the person wants to be told."""

    async def notices(self, limit: int = 100) -> list[tuple[int, Notice]]:
        """What has not been told yet, oldest first, with the ids for `delivered`."""

    async def delivered(self, ids: Sequence[int]) -> None:
        """These have been told, or never can be."""

    async def note(self, name: str, value: bytes) -> None:
        """Keep a small fact under a name."""

    async def noted(self, name: str) -> bytes | None:
        """The fact of that name."""

    # --- the store itself ----------------------------------------------------------------------------

    async def ready(self) -> None:
        """Return when a write has reached the disk; raises `StoreFailed` if none does."""

    async def close(self) -> None:
        """Write what is waiting, then let go of everything."""
