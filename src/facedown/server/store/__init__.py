"""Opens the store that a setting names."""

from __future__ import annotations

from pathlib import Path

from facedown.core.errors import Unsupported
from facedown.server.store.base import Store
from facedown.server.store.sqlite import SqliteStore


def folder_of(url: str) -> Path:
    """The data directory that `sqlite:DIRECTORY` names.

    >>> folder_of("sqlite:games").name
    'games'
    """
    kind, _, folder = url.partition(":")
    if kind != "sqlite" or not folder:
        say = f"there is no store {url!r}: only sqlite:DIRECTORY is supported"
        raise Unsupported(say, text=url)
    return Path(folder).expanduser()


def open_store(url: str) -> Store:
    """Open the store of that address, and create it where there is none; locked until it is closed."""
    return SqliteStore(folder_of(url))
