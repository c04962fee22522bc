"""The part of the store interface for timekeeping and several servers: claims, heartbeats, presence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class SharedStore(Protocol):
    """Claims, heartbeats and presence of the servers on a store. The store's clock decides what is due."""

    @property
    def shared(self) -> bool:
        """Whether several servers may use this store at once."""

    @property
    def url(self) -> str:
        """The address of the store, with its password if it has one."""

    @property
    def epoch(self) -> int:
        """Grows when another database takes over, which may not have the last events."""

    async def time(self) -> int:
        """The store's clock: milliseconds since 1970 (UTC)."""

    async def heads(self, tables: Sequence[str]) -> dict[str, int]:
        """The head of each of these tables; unknown ones are left out."""

    # --- claims: they avoid double work; only heads protect what is written -----------------------------

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

    # --- heartbeats and outages -------------------------------------------------------------------------

    async def beat(self, node: str, now: int, stall_ms: int) -> int:
        """Save that this server lives. If no server has beaten for longer than `stall_ms`, credit that time
        to all running clocks, in one write; returns how long it was, or 0. Negative on SQLite if the
        system's clock was set back.

        Of several servers that come back together, only the first one credits.
        """

    async def owed_tables(self, tables: Sequence[str]) -> list[str]:
        """Those of these tables that are owed an outage (`outage_of`)."""

    # --- presence ---------------------------------------------------------------------------------------

    async def seen(self, table: str, seats: Sequence[int], now: int) -> dict[int, int]:
        """Save that the people on these seats are connected now; returns that time by the store's clock."""

    async def last_seen(self, table: str) -> dict[int, int]:
        """When the people on a table's seats were connected last, by the store's clock; 0 for never."""

    # --- single values ----------------------------------------------------------------------------------

    async def set_value_once(self, name: str, value: bytes) -> bytes:
        """Save a value unless the name has one; returns the saved value."""
