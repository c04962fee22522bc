"""The part of the store interface for several servers on one store: claims, heartbeats, presence, its clock.

A store of a single server carries all of it out as well, so that tables know only one way.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class SharedStore(Protocol):
    """What servers that share a store tell each other through it. Its own clock decides what is due."""

    @property
    def shared(self) -> bool:
        """Whether several servers may use this store at once."""

    @property
    def url(self) -> str:
        """The address of the store, for connections of one's own; with its password, if it has one."""

    @property
    def epoch(self) -> int:
        """Grows when another database took over: what was read before may not be there any more."""

    async def time(self) -> int:
        """The store's clock: milliseconds since 1970 (UTC)."""

    async def heads(self, tables: Sequence[str]) -> dict[str, int]:
        """The head of each of these tables; unknown ones are left out."""

    # --- claims: they avoid double work; only heads protect what is written -----------------------------

    async def claim_due(self, node: str, now: int, lease_ms: int, limit: int, stall_ms: int) -> list[str]:
        """Tables that have to be looked at, soonest first: this server's until the lease is over.

        A table is due at its deadline or `wake`, whichever is sooner. Every append ends the claim of its
        table. A shared store goes by its own clock, and not by `now`. Nothing is due while no server has
        beaten for longer than `stall_ms`: that outage has to be credited first.
        """

    async def rearm(self, table: str, head: int, wake: int | None) -> None:
        """End the claim of a table at which nothing had to be done; look again at `wake`, or at its deadline.

        Does nothing where the table is not at `head` any more.
        """

    # --- heartbeats and outages -------------------------------------------------------------------------

    async def beat(self, node: str, now: int, stall_ms: int) -> int:
        """Save that this server lives. Where no server has lived for longer than `stall_ms`, that time is
        credited to all running clocks; returns how long it was, or 0.

        One server after the other: of several that come back together, the first one credits.
        """

    async def owed_tables(self, tables: Sequence[str]) -> list[str]:
        """Which of these tables are owed something for outages, as `outage_of` says."""

    # --- presence ---------------------------------------------------------------------------------------

    async def seen(self, table: str, seats: Sequence[int], now: int) -> dict[int, int]:
        """The people on these seats are connected now; when that is for each, by the store's clock."""

    async def last_seen(self, table: str) -> dict[int, int]:
        """When the people on a table's seats were connected last, by the store's clock; 0 where never."""

    # --- single values ----------------------------------------------------------------------------------

    async def set_value_once(self, name: str, value: bytes) -> bytes:
        """Save a value under a name that has none; returns the value that is kept."""
