"""Integrity checks of a PostgreSQL store: every table whole, and the chain of promises unbroken."""

from __future__ import annotations

from typing import Final

import asyncpg

from facedown.core.chance import chain_link
from facedown.server.store.postgresql.connections import connect_to

_GAPS: Final = """select t.id, t.head, count(e.v), coalesce(min(e.v), 0), coalesce(max(e.v), 0)
    from tables t left join events e on e.table_no = t.no group by t.no
    having count(e.v) <> t.head or max(e.v) <> t.head or min(e.v) <> 1"""
_STRAYS: Final = "select distinct table_no from events where table_no not in (select no from tables)"
_MISSING_ENDS: Final = """select t.id from tables t join events e on e.table_no = t.no and e.kind = 'over'
    where not exists (select from ended where table_no = t.no)"""


async def check_postgresql(url: str) -> list[str]:
    """The problems of a store; empty if it is intact. Reads a snapshot: servers may be writing."""
    connection = await connect_to(url)
    try:
        async with connection.transaction(isolation="repeatable_read", readonly=True):
            return await _problems(connection)
    finally:
        await connection.close()


async def _problems(connection: asyncpg.Connection) -> list[str]:
    problems = [
        f"table {table} is at {head}, but has {count} events, from {first} to {last}"
        for table, head, count, first, last in await connection.fetch(_GAPS)
    ]
    problems += [
        f"events of table {number}, which does not exist" for (number,) in await connection.fetch(_STRAYS)
    ]
    problems += [
        f"table {table} is over, but not listed so" for (table,) in await connection.fetch(_MISSING_ENDS)
    ]
    return [*problems, *await _chain_problems(connection)]


async def _chain_problems(connection: asyncpg.Connection) -> list[str]:
    last, link = 0, bytes(32)
    async for n, promise, kept in connection.cursor("select n, promise, link from promises order by n"):
        link = chain_link(link, promise)
        if n != last + 1 or kept != link:
            return [f"the chain of promises is broken at {n}"]
        last = n
    end = await connection.fetchrow("select n, link from chain")
    return (
        [] if end is not None and tuple(end) == (last, link) else ["the chain of promises has lost its end"]
    )
