"""The store interface: the `Store` protocol, its values and its errors.

Owns no file and no thread; an implementation knows neither games nor sockets nor the meaning of a body.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

from facedown.core.errors import FacedownError


class StoreFailed(FacedownError):
    """The store could not write or read: nothing was saved, and the request may be repeated."""

    code = "store_failed"
    status: ClassVar[int] = 503


class HeadMoved(FacedownError):
    """The table is not at the head that the append expects: nothing was saved, read the table again."""

    code = "head_moved"
    status: ClassVar[int] = 409


class CommandKnown(HeadMoved):
    """This seat's command of that id, or the person's request with that idempotency key, is saved already."""

    code = "command_known"


class DataInUse(FacedownError):
    """Another server has locked the data directory."""

    code = "data_in_use"
    status: ClassVar[int] = 503


@dataclass(frozen=True, slots=True)
class EventRow:
    """One stored event of a table. Everything else can be rebuilt from these rows."""

    v: int
    """Its number at the table, from 1 and without a gap."""
    kind: str
    at: int
    public: bytes
    secret: bytes = b""
    """What only the table itself may read back: seeds, sealed picks and their nonces."""
    seat: int = 0
    command: str = ""
    """The id of the command that caused it, unique for a seat of a table; empty where there was none."""
    spent: int = 0
    """The time it took on the seat's clock, in ms."""


@dataclass(frozen=True, slots=True)
class TableSummary:
    """The summary of a table for lists; it can be rebuilt from the events."""

    game: str
    rules: str
    state: str
    public: bool
    created_at: int
    about: bytes
    """JSON for lists; the store does not read it."""


@dataclass(frozen=True, slots=True)
class Notice:
    """A push notification that waits to be sent, once."""

    person: str
    table: str
    decision: int
    kind: str
    """`turn` or `over`."""


@dataclass(frozen=True, slots=True)
class SeatHolder:
    """The holder of a seat: the person and the hash of the seat token. An empty token frees the seat."""

    seat: int
    person: str
    token: bytes


@dataclass(frozen=True, slots=True)
class StoredResponse:
    """The response to a request with an idempotency key, saved together with what the request did."""

    person: str
    key: str
    body: bytes


@dataclass(frozen=True, slots=True)
class Append:
    """All that one transaction of a table saves: everything or nothing."""

    table: str
    head: int
    """The `v` that the table must be at; 0 creates the table, and needs a summary."""
    rows: tuple[EventRow, ...]
    deadline: int | None
    """When the table's clocks have to be checked next; None where no clock runs."""
    summary: TableSummary | None = None
    """None leaves it as it is."""
    notices: tuple[Notice, ...] = ()
    seats: tuple[SeatHolder, ...] = ()
    invite: str = ""
    """A first invite for the table; empty leaves invites as they are."""
    response: StoredResponse | None = None


@dataclass(frozen=True, slots=True)
class ListedRow:
    """A table as lists get it: its summary and where it stands."""

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
    """Grows in the order in which the ends were saved."""
    at: int
    summary: TableSummary
    people: tuple[tuple[int, str], ...]
    """The seats, and the people who held them at the end."""


@dataclass(frozen=True, slots=True)
class Person:
    """A person with an account; `id` never changes."""

    id: str
    name: str
    created_at: int


@dataclass(frozen=True, slots=True)
class Subscription:
    """The web push subscription of a browser."""

    endpoint: str
    p256dh: str
    auth: str


@dataclass(slots=True)
class StoreStats:
    """Counters of the store, for metrics."""

    commits: int = 0
    jobs: int = 0
    """Everything that was written, appends included; `jobs / commits` is the mean size of a batch."""
    appends: int = 0
    rows: int = 0
    failed: int = 0
    """Jobs that got an error."""
    largest: int = 0
    """The most jobs in one commit."""
    last_ms: float = 0.0
    """How long the last transaction took, including the sync to disk."""


class Store(Protocol):
    """Everything that outlives the process. A write that was answered is on the disk."""

    stats: StoreStats

    @property
    def waiting(self) -> int:
        """How many writes have not been started."""

    # --- tables --------------------------------------------------------------------------------------

    def append(self, batch: Append) -> asyncio.Future[None]:
        """Save a transaction of a table. Enqueued at once, in order; resolved after the durable commit.

        Fails with `HeadMoved`, `CommandKnown` or `StoreFailed`; then nothing of it was saved.
        """

    async def rows(self, table: str, after: int = 0) -> list[EventRow]:
        """The table's events later than `after`, in order."""

    async def due(self, now: int, limit: int = 100) -> list[str]:
        """Tables whose deadline has passed, soonest first."""

    async def next_deadline(self) -> int | None:
        """The soonest deadline of all tables."""

    async def running(self) -> list[str]:
        """Tables with a running clock: an outage costs them time."""

    async def tables(
        self,
        *,
        state: str = "",
        game: str = "",
        public: bool | None = None,
        person: str = "",
        limit: int = 50,
    ) -> list[ListedRow]:
        """Tables that match, newest first; of one person (where they hold a seat), last changed first."""

    async def person_games(self, person: str, limit: int = 50) -> list[ListedRow]:
        """The finished tables where the person holds a seat, last changed first."""

    async def ended(self, after: int = 0, limit: int = 100) -> list[EndedGame]:
        """Finished games with a number above `after`, in the order in which they ended."""

    # --- people --------------------------------------------------------------------------------------

    async def add_person(self, person: str, name: str, at: int) -> None:
        """Save a new person."""

    async def person(self, person: str) -> Person | None:
        """The person of that id."""

    async def rename(self, person: str, name: str) -> None:
        """Change a person's name."""

    async def add_key(self, key: bytes, person: str, kind: str, at: int, expires: int | None) -> None:
        """Save a hashed credential of a person: session cookie, bearer token or handover code."""

    async def person_of(self, key: bytes, kind: str, now: int) -> Person | None:
        """The person with this credential; None where it is unknown, of another kind or expired."""

    async def take_key(self, key: bytes, kind: str, now: int) -> Person | None:
        """The same for a credential that works once: it is deleted in the same transaction."""

    async def drop_key(self, key: bytes) -> None:
        """Delete a credential."""

    # --- seats ---------------------------------------------------------------------------------------

    async def seat_of(self, table: str, token: bytes) -> tuple[int, str] | None:
        """The seat and the person of a seat token. The first use of a new token invalidates the old one."""

    async def rotate_seat_token(self, table: str, seat: int, token: bytes) -> None:
        """Set a new token for a seat. The one in use stays valid until the new one is used."""

    # --- invites, idempotency, push, single values ---------------------------------------------------

    async def set_invite(self, table: str, code: str | None) -> None:
        """Set the table's only invite; None revokes it."""

    async def invite_of(self, table: str) -> str | None:
        """The table's invite."""

    async def table_of_invite(self, code: str) -> str | None:
        """The table of an invite."""

    async def stored_response(self, person: str, key: str) -> bytes | None:
        """The saved response to a person's request with this idempotency key."""

    async def subscribe(self, person: str, subscription: Subscription) -> None:
        """Save a push subscription. An endpoint belongs to the last person who subscribed."""

    async def unsubscribe(self, person: str, endpoint: str = "") -> None:
        """Delete a push subscription; without an endpoint, all of the person's."""

    async def subscriptions(self, person: str) -> list[Subscription]:
        """The push subscriptions of a person."""

    async def notices(self, limit: int = 100) -> list[tuple[int, Notice]]:
        """Notices that were not sent yet, oldest first, with the ids for `delete_notices`."""

    async def delete_notices(self, ids: Sequence[int]) -> None:
        """Delete notices that were sent, or cannot be."""

    async def set_value(self, name: str, value: bytes) -> None:
        """Save a value under a name."""

    async def get_value(self, name: str) -> bytes | None:
        """The value of that name."""

    # --- the store itself ----------------------------------------------------------------------------

    async def ready(self) -> None:
        """Return once a write has reached the disk; raises `StoreFailed` where none does."""

    async def close(self) -> None:
        """Write what is waiting, then release everything."""
