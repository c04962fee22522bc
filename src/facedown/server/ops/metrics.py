"""What is counted, for Prometheus, in a registry of our own. Labels are routes, kinds and codes: few of them,
and no secret.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector

from facedown.server.store.base import Store

MEDIA: Final = CONTENT_TYPE_LATEST
_SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 40)


class Metrics:
    """All counters of one server."""

    def __init__(self) -> None:
        disable_created_metrics()  # type: ignore[no-untyped-call]  # when one was made is no news
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "facedown_requests",
            "Requests answered.",
            ("method", "route", "status"),
            registry=self.registry,
        )
        self.seconds = Histogram(
            "facedown_request_seconds",
            "How long requests took, long polls and streams left out.",
            ("route",),
            buckets=_SECONDS,
            registry=self.registry,
        )
        self.commands = Counter(
            "facedown_commands",
            "Commands of seats: what was to be done, and the code of the answer (`ok` where it was done).",
            ("do", "code"),
            registry=self.registry,
        )
        self.sockets = Gauge("facedown_sockets", "Sockets open now.", registry=self.registry)
        self.streams = Gauge("facedown_streams", "Streams open now.", registry=self.registry)
        self.pushes = Counter(
            "facedown_pushes", "Push messages, by what came of them.", ("result",), registry=self.registry
        )
        self.studies = Counter(
            "facedown_studies",
            "Verdicts and reviews, by what came of them.",
            ("kind", "result"),
            registry=self.registry,
        )

    def command(self, do: str, code: str = "ok") -> None:
        """Count a command and its answer."""
        self.commands.labels(do, code).inc()

    def watch(self, store: Store, loaded: Callable[[], int]) -> None:
        """Show the store's own counters as well, and how many tables are in memory."""
        self.registry.register(_Seen(store, loaded))

    def page(self) -> bytes:
        """Everything, as Prometheus reads it."""
        return generate_latest(self.registry)


class _Seen(Collector):
    """What others count, looked up when somebody asks."""

    def __init__(self, store: Store, loaded: Callable[[], int]) -> None:
        self._store = store
        self._loaded = loaded

    def collect(self) -> Iterator[Metric]:
        stats = self._store.stats
        counted = (
            ("commits", "Transactions on the disk.", stats.commits),
            ("writes", "Writes in them, appends included.", stats.jobs),
            ("appends", "Steps of tables.", stats.appends),
            ("events", "Events of tables.", stats.rows),
            ("failures", "Writes that failed.", stats.failed),
        )
        for name, says, value in counted:
            yield CounterMetricFamily(f"facedown_store_{name}", says, value=value)
        yield GaugeMetricFamily(
            "facedown_store_last_commit_seconds", "How long the last one took.", value=stats.last_ms / 1000
        )
        yield GaugeMetricFamily(
            "facedown_store_largest_commit", "The most writes in one transaction.", value=stats.largest
        )
        yield GaugeMetricFamily("facedown_store_waiting", "Writes not begun.", value=self._store.waiting)
        yield GaugeMetricFamily("facedown_tables_loaded", "Tables in memory.", value=self._loaded())
