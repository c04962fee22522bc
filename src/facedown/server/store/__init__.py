"""Opens the store that a setting names."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from facedown.core.errors import Unsupported, missing_extra
from facedown.server.store.base import Store
from facedown.server.store.sqlite.store import SqliteStore

MOST_CONNECTIONS: Final = 12
POSTGRESQL: Final = ("postgresql", "postgres")
"""The schemes of PostgreSQL URLs."""


def is_postgresql(url: str) -> bool:
    """Whether a URL names a PostgreSQL database.

    >>> is_postgresql("postgresql://cards@db.example.org/facedown")
    True
    """
    return url.partition(":")[0] in POSTGRESQL


def cluster_urls(url: str) -> list[str]:
    """The URLs of the clusters that a setting names, in their order; raises `Unsupported`.

    >>> cluster_urls("postgresql://a/cards postgresql://b,c/cards")
    ['postgresql://a/cards', 'postgresql://b,c/cards']
    """
    urls = url.split()
    if not all(map(is_postgresql, urls)):
        raise Unsupported("several clusters of one store are all of PostgreSQL: postgresql://… for each")
    if len(set(urls)) < len(urls):
        raise Unsupported("two clusters of one store have the same URL")
    return urls


def folder_of(url: str) -> Path:
    """The data directory that `sqlite:DIRECTORY` names.

    >>> folder_of("sqlite:games").name
    'games'
    """
    kind, _, folder = url.partition(":")
    if kind != "sqlite" or not folder:
        message = f"there is no store {kind!r}: only sqlite:DIRECTORY and postgresql://… are supported"
        raise Unsupported(message, text=kind)
    return Path(folder).expanduser()


def open_store(url: str, serves: Sequence[str] = (), most_connections: int = MOST_CONNECTIONS) -> Store:
    """Open the store at a URL, and create it if it does not exist; several URLs of PostgreSQL, with blanks
    between them, are the clusters of one store. `serves`: the numbers, from 1, of those clusters whose tables
    this server keeps the time of; none are all. `most_connections`: to each PostgreSQL.

    SQLite's is locked until it is closed; PostgreSQL's connects at the first use.
    """
    if not is_postgresql(url):
        return SqliteStore(folder_of(url))
    urls = cluster_urls(url)
    if find_spec("asyncpg") is None:
        raise missing_extra("a store on PostgreSQL needs", "postgresql")
    if len(urls) > 1:
        from facedown.server.store.sharded.store import ShardedStore

        return ShardedStore(urls, [int(number) - 1 for number in serves], most_connections)
    from facedown.server.store.postgresql.store import PostgresStore

    return PostgresStore(url, most_connections=most_connections)
