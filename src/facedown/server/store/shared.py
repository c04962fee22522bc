"""The part of a store for timekeeping and several servers: claims, heartbeats, presence.

Claims avoid double work; only the heads of tables protect what is written. The store's clock decides what is
due.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Sequence
from typing import Any, Final

_REARM: Final = """update tables set claimed_until = null,
    wake_at = case when deadline is null or $3 < deadline then $3 else deadline end
    where id = $1 and head = $2"""


class SharedStore(ABC):
    """Claims, heartbeats and presence of the servers on a store."""

    shared: bool
    """Whether several servers may use this store at once."""
    epoch: int
    """Grows when another database takes over, which may not have the last events."""

    @property
    @abstractmethod
    def url(self) -> str:
        """The address of the store, with its password if it has one."""

    @abstractmethod
    def _select(self, statement: str, *values: object) -> Awaitable[list[Any]]:
        """All rows of a query. It sees every write that was answered before."""

    async def _select_one(self, statement: str, *values: object) -> Any:
        """The first row of a query, or None."""
        found = await self._select(statement, *values)
        return found[0] if found else None

    @abstractmethod
    def _execute(self, statement: str, *values: object) -> Awaitable[list[Any]]:
        """Run a statement that writes; the rows that it returns. Cancelling the caller does not undo it."""

    @abstractmethod
    async def time(self) -> int:
        """The store's clock: milliseconds since 1970 (UTC)."""

    @abstractmethod
    async def heads(self, tables: Sequence[str]) -> dict[str, int]:
        """The head of each of these tables; unknown ones are left out."""

    # --- claims ------------------------------------------------------------------------------------------

    @abstractmethod
    async def claim_due(self, node: str, now: int, lease_ms: int, limit: int, stall_ms: int) -> list[str]:
        """Claim tables that are due, soonest first; the claim ends with the lease, or with the next append.

        A table is due at its deadline or `wake`, whichever is sooner. A shared store goes by its own clock,
        and not by `now`. If no server has beaten for longer than `stall_ms`, nothing is due: that outage has
        to be credited first.
        """

    async def rearm(self, table: str, head: int, wake: int | None) -> None:
        """End the claim of a table at which nothing was appended; it is due again at `wake` or its deadline.

        Does nothing if the table is not at `head` any more.
        """
        await self._execute(_REARM, table, head, wake)

    # --- heartbeats and outages --------------------------------------------------------------------------

    @abstractmethod
    async def beat(self, node: str, now: int, stall_ms: int) -> int:
        """Save that this server lives. If no server has beaten for longer than `stall_ms`, credit that time
        to all running clocks, in one write; returns how long it was, or 0. Negative on SQLite if the
        system's clock was set back.

        Of several servers that come back together, only the first one credits.
        """

    @abstractmethod
    async def owed_tables(self, tables: Sequence[str]) -> list[str]:
        """Those of these tables that are owed an outage (`outage_of`)."""

    async def outage_of(self, table: str) -> int:
        """What the clocks of a table are owed for outages, in ms, until an event of kind `outage`."""
        found = await self._select_one("select owed from tables where id = $1", table)
        return 0 if found is None else found[0]

    # --- presence ----------------------------------------------------------------------------------------

    @abstractmethod
    async def mark_seen(self, table: str, seats: Sequence[int], now: int) -> dict[int, int]:
        """Save that the people on these seats are connected now; returns that time by the store's clock."""

    async def last_seen(self, table: str) -> dict[int, int]:
        """When the people on a table's seats were connected last, by the store's clock; 0 for never."""
        found = await self._select("select seat, seen_at from seats where table_id = $1", table)
        return {seat: at for seat, at in found}  # noqa: C416  # rows of a record type

    # --- single values -----------------------------------------------------------------------------------

    async def set_value_once(self, name: str, value: bytes) -> bytes:
        """Save a value unless the name has one; returns the saved value."""
        insert = "insert into notes (name, value) values ($1, $2) on conflict do nothing"
        await self._execute(insert, name, value)
        found = await self._select_one("select value from notes where name = $1", name)
        return bytes(found[0])
