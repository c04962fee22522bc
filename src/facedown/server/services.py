"""The services that REST calls and WebSockets share: store, tables, accounts, limits and metrics."""

from __future__ import annotations

from dataclasses import dataclass

from facedown.server.accounts.accounts import Accounts
from facedown.server.accounts.people import People
from facedown.server.bus import Bus, open_bus
from facedown.server.node import Node
from facedown.server.ops.chat_filter import ChatFilter
from facedown.server.ops.metrics import Metrics, store_counts
from facedown.server.ops.rate_limits import Limits
from facedown.server.ops.upkeep import upkeep_counts
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
    accounts: Accounts
    limits: Limits
    metrics: Metrics
    node: Node

    async def start(self) -> None:
        """Start what runs in the background. May be called again after `StoreFailed`: nothing runs then."""
        await self.tables.start()
        await self.node.start()

    async def close(self) -> None:
        await self.node.stop()
        await self.tables.stop()
        await self.bus.close()
        await self.store.close()


def open_services(settings: Settings, store: Store | None = None) -> Services:
    """Open the store, unless one is given, and make every shared service; the caller closes them."""
    if store is None:
        store = open_store(settings.store_url)
    bus = open_bus(store.url)
    pause = settings.machine_pause
    tables = Tables(store, bus, pause, settings.public_url)
    metrics = Metrics()
    tables.chat_filter = ChatFilter.read(settings.chat_words)
    metrics.watch(lambda: store_counts(store, len(tables.broken)))
    metrics.watch(lambda: upkeep_counts(settings.data, shared=store.shared))
    metrics.watch(tables.backoff.counts)
    people = People(store)
    node = Node(store, bus, tables)
    metrics.watch(node.counts)
    return Services(
        settings=settings,
        store=store,
        bus=bus,
        tables=tables,
        people=people,
        accounts=Accounts(store, people, sign_up=settings.sign_up == "open"),
        limits=Limits(settings.caps),
        metrics=metrics,
        node=node,
    )
