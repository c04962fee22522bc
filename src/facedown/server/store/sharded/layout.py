"""The layout of a store over several clusters: how tables are divided, and what each cluster keeps of it.

A server that names other clusters, or the same ones in another order, would look for tables where they are
not: it is refused. The first start writes the layout.
"""

from __future__ import annotations

import json
import secrets
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple
from zlib import crc32

from facedown.server.store.base import Store
from facedown.server.store.failures import StoreRefused
from facedown.server.store.values import REMATCH

if TYPE_CHECKING:
    import asyncpg

LAYOUT: Final = "layout"
"""The name of the value that holds the layout."""


def place_of(name: str, count: int) -> int:
    """The place of a table among several, from its id alone.

    >>> [place_of(table, 2) for table in ("T7", "T8", "T9")]
    [0, 1, 1]
    """
    return crc32(name.encode()) % count


def place_of_answer(person: str, key: str) -> str:
    """The name whose place is that of a stored response: a rematch is where its first game is."""
    return person if key == REMATCH else person + key


def begun_mark(number: int) -> str:
    """The name of the value by which the home cluster knows that another one has tables."""
    return f"cluster {number} has begun"


class WrongLayout(StoreRefused):
    """A database is not the cluster that the settings take it for."""

    code = "wrong_layout"
    status: ClassVar[int] = 503


class StoredLayout(NamedTuple):
    """Which cluster of which store a database is."""

    store: str
    """A random id, the same in all clusters of a store."""
    number: int
    """Its place among them, from 0, which is the home cluster."""
    clusters: int

    @classmethod
    def read(cls, stored: bytes) -> StoredLayout:
        return cls(**json.loads(stored))

    def to_bytes(self) -> bytes:
        return json.dumps(self._asdict()).encode()


VALUE: Final = "select value from notes where name = $1"
_WRITE: Final = "insert into notes (name, value) values ($1, $2)"
_ALONE: Final = f"select pg_advisory_xact_lock({0x4641434B})"
IS_USED: Final = "select exists (select from tables) or exists (select from people)"


class Layout:
    """The layout of a store over this many clusters, as one server knows it."""

    def __init__(self, count: int, home: Store) -> None:
        self.count = count
        self._home = home
        self._store = ""
        """The id of the store; empty until it was read from a cluster."""

    async def check(self, connection: asyncpg.Connection, number: int) -> None:
        """Raise `WrongLayout` unless this database is the cluster of that number, or empty at the start."""
        stored = await connection.fetchval(VALUE, LAYOUT)
        if stored is None:
            async with connection.transaction():
                await connection.execute(_ALONE)
                stored = await connection.fetchval(VALUE, LAYOUT)
                if stored is None:  # else another server has just written it
                    stored = await self._write(connection, number)
        found = StoredLayout.read(stored)
        if (found.number, found.clusters) != (number, self.count):
            raise WrongLayout(
                f"the database named as number {number + 1} of {self.count} is number {found.number + 1} of "
                f"{found.clusters}: name all clusters, in their order",
                text=f"{found.number + 1}/{found.clusters}",
            )
        if found.store != (self._store or found.store):
            raise WrongLayout(
                f"the database named as number {number + 1} of {self.count} belongs to another store",
                text=str(number + 1),
            )
        self._store = found.store

    async def _write(self, connection: asyncpg.Connection, number: int) -> bytes:
        if await connection.fetchval(IS_USED):
            raise WrongLayout(
                "the database holds a store of one cluster: move it to several empty ones with "
                "`facedown store move`",
                text=str(number + 1),
            )
        # Once the home cluster was read, the id of the store is known.
        has_begun = (
            await self._home.get_value(begun_mark(number)) is not None if number else bool(self._store)
        )
        if has_begun:
            raise WrongLayout(
                f"the database named as number {number + 1} of {self.count} is empty, but it had tables: "
                "restore it, or name the right one",
                text=str(number + 1),
            )
        written = StoredLayout(self._store or secrets.token_hex(8), number, self.count).to_bytes()
        await connection.execute(_WRITE, LAYOUT, written)
        return written
