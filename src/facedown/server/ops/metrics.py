"""Metrics for Prometheus, in a registry of their own. Labels are routes, kinds and codes: few values, never a
secret.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector

from facedown.server.store.base import Store

MEDIA: Final = CONTENT_TYPE_LATEST
_FRESH_S: Final = 1.0
_SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 40)


class Metrics:
    """All metrics of one server."""

    def __init__(self) -> None:
        disable_created_metrics()  # type: ignore[no-untyped-call]  # their creation times are of no use
        self.registry = CollectorRegistry()
        self._page = b""
        self._commands: dict[tuple[str, str], Counter] = {}
        self._written = -_FRESH_S
        self.requests = Counter(
            "facedown_requests",
            "Requests answered.",
            ("method", "route", "status"),
            registry=self.registry,
        )
        self.seconds = Histogram(
            "facedown_request_seconds",
            "Duration of requests, without long polls and streams.",
            ("route",),
            buckets=_SECONDS,
            registry=self.registry,
        )
        self.commands = Counter(
            "facedown_commands",
            "Commands of seats, by kind and by the code of the answer (`ok` where accepted).",
            ("do", "code"),
            registry=self.registry,
        )
        self.refused = Counter(
            "facedown_refused",
            "Requests refused before they reached the app, by the code of the answer.",
            ("code",),
            registry=self.registry,
        )
        self.sockets = Gauge("facedown_sockets", "Open WebSockets.", registry=self.registry)
        self.streams = Gauge("facedown_streams", "Open streams and long polls.", registry=self.registry)
        self.pushes = Counter(
            "facedown_pushes", "Push messages, by result.", ("result",), registry=self.registry
        )
        self.studies = Counter(
            "facedown_studies",
            "Verdicts and reviews, by result.",
            ("kind", "result"),
            registry=self.registry,
        )

    def command(self, do: str, code: str = "ok") -> None:
        """Count a command and its answer."""
        counted = self._commands.get((do, code))
        if counted is None:
            counted = self._commands[do, code] = self.commands.labels(do, code)
        counted.inc()

    def watch(self, store: Store, loaded: Callable[[], int], broken: Callable[[], int]) -> None:
        """Add the store's own counters, the number of tables in memory, and of those that are broken."""
        self.registry.register(_StoreCollector(store, loaded, broken))

    def watch_shared(self, counted: Callable[[], SharedCounts]) -> None:
        """Add what a server counts that shares its store with others."""
        self.registry.register(_SharedCollector(counted))

    def page(self) -> bytes:
        """All metrics in the text format of Prometheus; counted together once a second at most."""
        if time.monotonic() - self._written >= _FRESH_S:
            self._page = generate_latest(self.registry)
            self._written = time.monotonic()
        return self._page


class SharedCounts(NamedTuple):
    """What one of several servers on a store counts, by the names of metrics, with their meaning."""

    counters: tuple[tuple[str, str, float], ...]
    gauges: tuple[tuple[str, str, float], ...]


class _SharedCollector(Collector):
    """Metrics of one of several servers on a store."""

    def __init__(self, counted: Callable[[], SharedCounts]) -> None:
        self._counted = counted

    def collect(self) -> Iterator[Metric]:
        counted = self._counted()
        for name, says, value in counted.counters:
            yield CounterMetricFamily(f"facedown_{name}", says, value=value)
        for name, says, value in counted.gauges:
            yield GaugeMetricFamily(f"facedown_{name}", says, value=value)


class _StoreCollector(Collector):
    """Metrics that the store counts itself, read when Prometheus asks."""

    def __init__(self, store: Store, loaded: Callable[[], int], broken: Callable[[], int]) -> None:
        self._store = store
        self._loaded = loaded
        self._broken = broken

    def collect(self) -> Iterator[Metric]:
        stats = self._store.stats
        counted = (
            ("commits", "Committed transactions.", stats.commits),
            ("writes", "Writes in committed transactions, appends included.", stats.jobs),
            ("appends", "Appends of tables.", stats.appends),
            ("events", "Events of tables.", stats.rows),
            ("failures", "Writes that failed.", stats.failed),
            ("conflicts", "Appends that met a head which another server had moved.", stats.conflicts),
            ("claims", "Tables and notices that this server claimed.", stats.claims),
            ("doubts", "Lost connections that left it open whether an append was saved.", stats.doubts),
        )
        for name, says, value in counted:
            yield CounterMetricFamily(f"facedown_store_{name}", says, value=value)
        yield GaugeMetricFamily(
            "facedown_store_last_commit_seconds", "Duration of the last commit.", value=stats.last_ms / 1000
        )
        yield GaugeMetricFamily(
            "facedown_store_largest_commit", "The most writes in one transaction.", value=stats.largest
        )
        yield GaugeMetricFamily(
            "facedown_store_waiting", "Writes waiting to be started.", value=self._store.waiting
        )
        yield GaugeMetricFamily("facedown_tables_loaded", "Tables in memory.", value=self._loaded())
        says = "Tables that could not be replayed since the start, and were closed."
        yield GaugeMetricFamily("facedown_tables_broken", says, value=self._broken())
