"""Integrity checks of a PostgreSQL store: every table whole, and the tree of the public log right."""

from __future__ import annotations

from typing import Final

import asyncpg

from facedown.core.merkle import leaf_hash
from facedown.server.store.log import new_nodes
from facedown.server.store.postgresql.connections import connect_to
from facedown.server.store.values import GAPS, STRAYS, gap_problem

_MISSING_ENDS: Final = """select t.id from tables t join events e on e.table_no = t.no and e.kind = 'over'
    where not exists (select from ended where table_id = t.id)"""


async def check_postgresql(url: str) -> list[str]:
    """The problems of a store; empty if it is intact. Reads a snapshot: servers may be writing."""
    connection = await connect_to(url)
    try:
        async with connection.transaction(isolation="repeatable_read", readonly=True):
            return await _problems(connection)
    finally:
        await connection.close()


async def _problems(connection: asyncpg.Connection) -> list[str]:
    problems = [gap_problem(*fields) for fields in await connection.fetch(GAPS)]
    problems += [
        f"events of table {number}, which does not exist" for (number,) in await connection.fetch(STRAYS)
    ]
    problems += [
        f"table {table} is over, but not listed so" for (table,) in await connection.fetch(_MISSING_ENDS)
    ]
    return [*problems, *await _log_problems(connection)]


async def _log_problems(connection: asyncpg.Connection) -> list[str]:
    leaves: list[bytes] = []
    entries = connection.cursor("select n, entry, hash from log_entries where n is not null order by n")
    async for number, entry, leaf in entries:
        if number != len(leaves) or leaf != leaf_hash(entry):
            return [f"the public log is broken at entry {len(leaves)}"]
        leaves.append(leaf)
    kept = await connection.fetch("select level, place, hash from log_nodes")
    same = sorted(map(tuple, kept)) == sorted(new_nodes(0, leaves, {}))
    return [] if same else ["the tree of the public log is not that of its entries"]
