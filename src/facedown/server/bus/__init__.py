"""Opens the bus of a store."""

from __future__ import annotations

from facedown.server.bus.base import Bus

__all__ = ["Bus", "open_bus"]


def open_bus(store_url: str) -> Bus:
    """Open the bus of a store: PostgreSQL's own; SQLite is the store of one process.

    >>> type(open_bus("sqlite:games")).__name__
    'Bus'
    """
    if not store_url.startswith(("postgresql:", "postgres:")):
        return Bus()
    from facedown.server.bus.postgresql import PostgresBus

    return PostgresBus(store_url)
