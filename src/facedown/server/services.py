"""The services that REST calls and WebSockets share: store, tables, accounts, limits and metrics."""

from __future__ import annotations

from dataclasses import dataclass

from facedown.server.accounts.people import People
from facedown.server.bus import Bus, open_bus
from facedown.server.ops.metrics import Metrics
from facedown.server.ops.rate_limits import Limits
from facedown.server.settings import Settings
from facedown.server.store import open_store
from facedown.server.store.base import Store
from facedown.server.table.tables import Tables


@dataclass(slots=True)
class Services:
    """The shared services of one server."""

    settings: Settings
    store: Store
    bus: Bus
    tables: Tables
    people: People
    limits: Limits
    metrics: Metrics

    async def close(self) -> None:
        """Finish pending writes and release everything."""
        await self.tables.stop()
        self.bus.close()
        await self.store.close()


def open_services(settings: Settings) -> Services:
    """Open the store and make every shared service; the caller closes them."""
    bus = open_bus(settings.bus)
    store = open_store(settings.store_url)
    tables, metrics = Tables(store, bus, settings.machine_pause), Metrics()
    metrics.watch(store, lambda: tables.loaded)
    return Services(
        settings=settings,
        store=store,
        bus=bus,
        tables=tables,
        people=People(store),
        limits=Limits(settings.caps),
        metrics=metrics,
    )
