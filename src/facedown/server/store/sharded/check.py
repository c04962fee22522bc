"""Integrity checks of a store on PostgreSQL: of each cluster, and of what they hold of each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import asyncpg

from facedown.server.store.postgresql.check import check_postgresql
from facedown.server.store.postgresql.connections import connect_to
from facedown.server.store.sharded.cluster import LogEnd
from facedown.server.store.sharded.home import copied_entries
from facedown.server.store.sharded.layout import LAYOUT, VALUE, StoredLayout, place_of

_TABLES: Final = "select id, copied from tables"
_ENTRIES: Final = "select hash from log_entries where n < $1"
_MISSING: Final = (
    "select count(*) from unnest($1::bytea[]) as c (hash) where hash not in (select hash from log_entries)"
)


async def check_clusters(urls: Sequence[str]) -> list[str]:
    """The problems of a store in one database or in several clusters; empty if it is intact."""
    problems = []
    for number, url in enumerate(urls, 1):
        where = f"cluster {number}: " if len(urls) > 1 else ""
        problems += [f"{where}{problem}" for problem in await check_postgresql(url)]
    clusters = [await connect_to(url) for url in urls]
    try:
        problems += await _layout_problems(clusters)
        for number, cluster in enumerate(clusters[1:], 1):
            problems += await _log_problems(clusters[0], cluster, number)
    finally:
        for cluster in clusters:
            await cluster.close()
    return problems


async def _layout_problems(clusters: Sequence[asyncpg.Connection]) -> list[str]:
    problems, stores = [], set()
    for number, cluster in enumerate(clusters):
        stored = await cluster.fetchval(VALUE, LAYOUT)
        layout = StoredLayout.read(stored) if stored else StoredLayout("", 0, 1)
        stores.add(layout.store)
        if (layout.number, layout.clusters) != (number, len(clusters)):
            found = f"number {layout.number + 1} of {layout.clusters}"
            problems.append(f"cluster {number + 1} of {len(clusters)} says that it is {found}")
        for table, copied in await cluster.fetch(_TABLES):
            if (place_of(table, len(clusters)) != number) != copied:
                problems.append(f"table {table} is in cluster {number + 1}, where it does not belong")
    return problems if len(stores) == 1 else [*problems, "the clusters belong to different stores"]


async def _log_problems(home: asyncpg.Connection, cluster: asyncpg.Connection, number: int) -> list[str]:
    """Whether the public log has the entries of a cluster that it counts as its own."""
    copied = LogEnd.read(await home.fetchval(VALUE, copied_entries(number))).size
    leaves = [leaf for (leaf,) in await cluster.fetch(_ENTRIES, copied)]
    if len(leaves) != copied:
        return [f"the log of cluster {number + 1} has fewer entries than the public one had of it"]
    missing = await home.fetchval(_MISSING, leaves)
    return [f"the public log lacks {missing} entries of cluster {number + 1}"] if missing else []
