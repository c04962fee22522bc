"""Opens the store that a setting names."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Final

from facedown.core.errors import Unsupported, missing_extra
from facedown.server.store.base import Store
from facedown.server.store.sqlite.store import SqliteStore

POSTGRESQL: Final = ("postgresql", "postgres")
"""The schemes of PostgreSQL URLs."""


def is_postgresql(url: str) -> bool:
    """Whether a URL names a PostgreSQL database.

    >>> is_postgresql("postgresql://cards@db.example.org/facedown")
    True
    """
    return url.partition(":")[0] in POSTGRESQL


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


def open_store(url: str) -> Store:
    """Open the store at a URL, and create it if it does not exist.

    SQLite's is locked until it is closed; PostgreSQL's connects at the first use.
    """
    if not is_postgresql(url):
        return SqliteStore(folder_of(url))
    if find_spec("asyncpg") is None:
        raise missing_extra("a store on PostgreSQL needs", "postgresql")
    from facedown.server.store.postgresql.store import PostgresStore

    return PostgresStore(url)
