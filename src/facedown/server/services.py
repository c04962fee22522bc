"""Everything a server consists of, put together once: whoever serves a request or a socket gets the house."""

from __future__ import annotations

from dataclasses import dataclass

from facedown.server.accounts.people import People
from facedown.server.bus import Bus, open_bus
from facedown.server.ops.limits import Limits
from facedown.server.ops.metrics import Metrics
from facedown.server.settings import Settings
from facedown.server.store import open_store
from facedown.server.store.base import Store
from facedown.server.table.tables import Tables


@dataclass(slots=True)
class House:
    """The parts of a running server."""

    settings: Settings
    store: Store
    bus: Bus
    tables: Tables
    people: People
    limits: Limits
    metrics: Metrics
    draining: bool = False
    """Whether the server is going down: it takes nothing new."""

    async def close(self) -> None:
        """Finish what is being written, and let go of everything."""
        self.draining = True
        await self.tables.stop()
        self.bus.close()
        await self.store.close()


def open_house(settings: Settings) -> House:
    """The parts of a server, put together; ours until they are closed."""
    bus = open_bus(settings.bus)
    store = open_store(settings.store_url)
    return House(
        settings=settings,
        store=store,
        bus=bus,
        tables=Tables(store, bus),
        people=People(store),
        limits=Limits(settings.caps),
        metrics=Metrics(),
    )
