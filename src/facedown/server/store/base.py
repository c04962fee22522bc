"""The store interface: the `Store` protocol, its values and its errors.

Owns no file and no thread; an implementation knows neither games nor sockets nor the meaning of a body.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, NamedTuple, Protocol, TypeAlias

from facedown.core.errors import FacedownError
from facedown.server.store.played import PlayedStore
from facedown.server.store.ratings import RatingStore
from facedown.server.store.relations import ModerationStore
from facedown.server.store.shared import SharedStore


class StoreFailed(FacedownError):
    """The store could not write or read: repeat the request. A write may be saved all the same."""

    code = "store_failed"
    status: ClassVar[int] = 503


class StoreRefused(StoreFailed):
    """The database refuses this server, and waiting does not change that: an operator has to."""


class HeadMoved(FacedownError):
    """The table is not at the head that the append expects: nothing was saved, read the table again."""

    code = "head_moved"
    status: ClassVar[int] = 409


class CommandKnown(HeadMoved):
    """The person's request with that idempotency key is saved already."""

    code = "command_known"


class DataInUse(FacedownError):
    """Another server has locked the data directory."""

    code = "data_in_use"
    status: ClassVar[int] = 503


OnDone: TypeAlias = "Callable[[Any, BaseException | None], None]"
"""Gets the result of a write, or what went wrong, on the event loop."""

SAID: Final = "said"
"""The slot of a chat message in an event; all other slots hold names."""
ERASED_MESSAGE: Final = "…"


@dataclass(frozen=True, slots=True)
class PersonalText:
    """A name or a chat message in an event, kept beside it: the event refers to it, and it can be erased."""

    slot: str
    """Which part of the event it is."""
    person: str
    text: str


class EventRow(NamedTuple):
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
    """Who sent the command that caused it, and its id; empty where there was none."""
    spent: int = 0
    """The time it took on the seat's clock, in ms."""
    digest: bytes = b""
    """The digest of what the command asked for; empty where it is not known."""
    texts: tuple[PersonalText, ...] = ()
    """The personal texts that `public` leaves out, by slot."""


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
    digest: bytes = b""
    """The digest of what was asked for; empty in rows of before."""


class Append(NamedTuple):
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
    promise: bytes = b""
    """The promise of a new table's seed, which goes into the chain of all promises."""
    wake: int | None = None
    """When a server has to look at the table though no clock has run out: a bot has to move."""

    def check_rows(self) -> None:
        """Raise `ValueError` unless the rows follow the head, and each other, without a gap."""
        if [row.v for row in self.rows] != [*range(self.head + 1, self.head + 1 + len(self.rows))]:
            raise ValueError(f"the rows of table {self.table} do not follow {self.head} without a gap")

    @property
    def wake_at(self) -> int | None:
        """When a server has to look at the table next."""
        return min((at for at in (self.deadline, self.wake) if at is not None), default=None)

    @property
    def settles_outage(self) -> bool:
        """Whether the table's clocks are owed nothing after it."""
        return self.deadline is None or any(row.kind == "outage" for row in self.rows)


@dataclass(frozen=True, slots=True)
class ChainedPromise:
    """A promise in the chain of all: its number from 1, and the link that binds all before it."""

    n: int
    promise: bytes
    link: bytes


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
class Person:
    """A person with an account; `id` never changes."""

    id: str
    name: str
    created_at: int


@dataclass(frozen=True, slots=True)
class ForgetBefore:
    """The rules of forgetting: for each kind of thing, what is older than this time is deleted."""

    expired: int
    """Credentials that expired before."""
    unused: int
    """Credentials that were used last before, though they never expire."""
    guests: int
    """People who never sat at a table, and whose credentials were used last before."""
    answers: int
    """Saved responses from before."""
    empty: int
    """Tables that were closed before, and at which nothing was ever dealt."""


@dataclass(frozen=True, slots=True)
class Forgotten:
    """How many of each were deleted."""

    keys: int
    guests: int
    answers: int
    tables: int


@dataclass(frozen=True, slots=True)
class WrittenText:
    """A name or a chat message of a person, and the event that refers to it."""

    table: str
    v: int
    slot: str
    at: int
    text: str


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
    conflicts: int = 0
    """Appends that met a head which another server had moved."""
    claims: int = 0
    """Tables and notices that this server claimed."""
    doubts: int = 0
    """Lost connections after which nobody knew at once whether an append was saved."""
    largest: int = 0
    """The most jobs in one commit."""
    last_ms: float = 0.0
    """How long the last transaction took, including the sync to disk."""


class Store(SharedStore, ModerationStore, RatingStore, PlayedStore, Protocol):
    """Everything that outlives the process. A write that was answered is on the disk."""

    stats: StoreStats

    @property
    def waiting(self) -> int:
        """How many writes have not been started."""

    # --- tables --------------------------------------------------------------------------------------

    def append(self, batch: Append) -> asyncio.Future[None]:
        """Save a transaction of a table, in order, together with others; resolved after the durable commit.

        Fails with `HeadMoved`, `CommandKnown` or `StoreFailed`. After the last, read the table again: where
        the connection broke it may be saved, and reads wait until that is certain.
        """

    def append_then(self, batch: Append, done: OnDone) -> None:
        """The same without a future: `done` is called on the event loop, with the failure or None."""

    async def rows(self, table: str, after: int = 0) -> list[EventRow]:
        """The table's events later than `after`, in order."""

    async def outage_of(self, table: str) -> int:
        """What the clocks of a table are owed for outages, in ms, until an event of kind `outage`."""

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

    async def listed(self, table: str) -> ListedRow | None:
        """One table as lists get it."""

    async def person_games(self, person: str, limit: int = 50) -> list[ListedRow]:
        """The person's finished games that are noted (`note_played`), last ended first."""

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

    async def drop_keys(self, person: str) -> None:
        """Delete all credentials of a person; their seat tokens expire, too."""

    async def texts_of(self, person: str) -> list[WrittenText]:
        """The names and chat messages of a person in the events of tables, oldest first."""

    async def keys_of(self, person: str) -> list[tuple[str, int, int | None]]:
        """The kinds of a person's credentials, when each was made, and when it expires."""

    async def erase_person(self, person: str, name: str) -> list[str]:
        """Delete a person; in events their names become `name`. Returns the tables that hold any of it."""

    async def use_key(self, key: bytes, now: int, expires: int | None) -> None:
        """A credential was used: it expires later from now on."""

    async def key_times(self, key: bytes) -> tuple[int, int | None] | None:
        """When a credential was used last, and when it expires."""

    async def forget(self, rules: ForgetBefore) -> Forgotten:
        """Delete what nobody has used since the times of the rules."""

    async def stale_tables(self, before: int, limit: int = 100) -> list[str]:
        """Open tables that have not changed since then."""

    async def set_about(self, table: str, about: bytes) -> None:
        """Change the part of a table's summary that the store does not read."""

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

    async def stored_response(self, person: str, key: str) -> StoredResponse | None:
        """The saved response to a person's request with this idempotency key."""

    async def subscribe(self, person: str, subscription: Subscription) -> None:
        """Save a push subscription. An endpoint belongs to the last person who subscribed."""

    async def unsubscribe(self, person: str, endpoint: str = "") -> None:
        """Delete a push subscription; without an endpoint, all of the person's."""

    async def subscriptions(self, person: str) -> list[Subscription]:
        """The push subscriptions of a person."""

    async def claim_notices(self, node: str, now: int, lease_ms: int, limit: int) -> list[tuple[int, Notice]]:
        """Notices that no server is sending, oldest first: this server's until the lease is over."""

    async def delete_notices(self, ids: Sequence[int]) -> None:
        """Delete notices that were sent, or cannot be."""

    async def promises(self, after: int, limit: int) -> list[ChainedPromise]:
        """Promises of the chain, in order, those after a number."""

    async def set_value(self, name: str, value: bytes) -> None:
        """Save a value under a name."""

    async def get_value(self, name: str) -> bytes | None:
        """The value of that name."""

    # --- the store itself ----------------------------------------------------------------------------

    async def ready(self) -> None:
        """Return once a write has reached the disk; raises `StoreFailed` where none does."""

    async def close(self) -> None:
        """Write what is waiting, then release everything."""
