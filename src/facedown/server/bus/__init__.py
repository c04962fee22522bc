"""Opens the bus that a setting names."""

from __future__ import annotations

from facedown.core.errors import Unsupported
from facedown.server.bus.base import Bus, LocalBus

__all__ = ["Bus", "LocalBus", "open_bus"]


def open_bus(url: str = "store:", store_url: str = "") -> Bus:
    """Open the bus that a setting names: `store:` is that of the store, which for SQLite is the process.

    >>> type(open_bus("store:", "sqlite:games")).__name__
    'LocalBus'
    """
    shared = store_url.startswith(("postgresql:", "postgres:"))
    if url == "local:" or (url == "store:" and not shared):
        return LocalBus()
    if url == "store:":
        from facedown.server.bus.store_bus import ClusterBuses, StoreBus

        buses = [StoreBus(each) for each in store_url.split()]
        return ClusterBuses(buses) if len(buses) > 1 else buses[0]
    if url.startswith(("nats://", "tls://")):
        from facedown.server.bus.nats_bus import NatsBus

        return NatsBus(url)
    say = f"there is no bus {url!r}: store:, local: and nats://HOST:PORT are supported"
    raise Unsupported(say, text=url)
