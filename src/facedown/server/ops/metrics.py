"""Metrics for Prometheus, in a registry of their own. Labels are routes, kinds and codes: few values, never a
secret.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
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
        self.requests = self._counter("requests", "Requests answered.", "method", "route", "status")
        self.seconds = Histogram(
            "facedown_request_seconds",
            "Duration of requests, without long polls and streams.",
            ("route",),
            buckets=_SECONDS,
            registry=self.registry,
        )
        self.commands = self._counter(
            "commands",
            "Commands of seats, by kind and by the code of the answer (`ok` if accepted).",
            "do",
            "code",
        )
        self.refused = self._counter(
            "refused", "Requests refused before they reached the app, by the code of the answer.", "code"
        )
        self.sockets = Gauge("facedown_sockets", "Open WebSockets.", registry=self.registry)
        self.streams = Gauge("facedown_streams", "Open streams and long polls.", registry=self.registry)
        self.pushes = self._counter("pushes", "Push messages, by result.", "result")
        self.studies = self._counter("studies", "Verdicts and reviews, by result.", "kind", "result")

    def _counter(self, name: str, meaning: str, *labels: str) -> Counter:
        return Counter(f"facedown_{name}", meaning, labels, registry=self.registry)

    def command(self, do: str, code: str = "ok") -> None:
        counted = self._commands.get((do, code))
        if counted is None:
            counted = self._commands[do, code] = self.commands.labels(do, code)
        counted.inc()

    def watch(self, counts: Callable[[], Counts]) -> None:
        """Add counters and gauges that are read when Prometheus asks."""
        self._collect(lambda: _families(counts()))

    def watch_connections(self, http: GuardCounts, sockets: ConnectionCounts) -> None:
        """Add the counters of HTTP connections and WebSockets."""
        self._collect(lambda: _connection_families(http, sockets))

    def _collect(self, families: Callable[[], Iterator[Metric]]) -> None:
        self.registry.register(_Families(families))

    def page(self) -> bytes:
        if time.monotonic() - self._written >= _FRESH_S:
            self._page = generate_latest(self.registry)
            self._written = time.monotonic()
        return self._page


@dataclass(slots=True)
class GuardCounts:
    """HTTP connections that were refused or closed, by reason."""

    crowded: int = 0  # too many from one address
    cut_off: int = 0  # from an address that flooded and has to wait
    late: int = 0  # the request did not arrive in time
    unread: int = 0  # the client did not read the answer
    malformed: int = 0
    too_large: int = 0


@dataclass(slots=True)
class ConnectionCounts:
    """WebSockets and their messages; the last four are reasons for which the server closed one."""

    opened: int = 0
    refused: int = 0  # handshakes
    received: int = 0  # messages
    sent: int = 0  # messages
    flooded: int = 0
    stuck: int = 0  # peers that did not read
    silent: int = 0
    broken: int = 0  # peers that broke the WebSocket protocol


class Counts(NamedTuple):
    """Counters and gauges: name, meaning and value of each."""

    counters: tuple[tuple[str, str, float], ...]
    gauges: tuple[tuple[str, str, float], ...]


class _Families(Collector):
    """Metrics that are read when Prometheus asks, not counted by its library."""

    def __init__(self, families: Callable[[], Iterable[Metric]]) -> None:
        self._families = families

    def collect(self) -> Iterable[Metric]:
        return self._families()


def _families(counts: Counts) -> Iterator[Metric]:
    for name, meaning, value in counts.counters:
        yield CounterMetricFamily(f"facedown_{name}", meaning, value=value)
    for name, meaning, value in counts.gauges:
        yield GaugeMetricFamily(f"facedown_{name}", meaning, value=value)


def _connection_families(http: GuardCounts, sockets: ConnectionCounts) -> Iterator[Metric]:
    yield _by_label(
        "facedown_http_closed",
        "HTTP connections that the server refused or closed, by reason.",
        "why",
        asdict(http),
    )
    yield CounterMetricFamily("facedown_sockets_opened", "WebSockets opened.", value=sockets.opened)
    yield CounterMetricFamily(
        "facedown_sockets_refused", "WebSocket handshakes refused.", value=sockets.refused
    )
    yield _by_label(
        "facedown_sockets_closed",
        "WebSockets that the server closed because of their peer, by reason.",
        "why",
        {why: getattr(sockets, why) for why in ("flooded", "stuck", "silent", "broken")},
    )
    yield _by_label(
        "facedown_socket_messages",
        "Messages of WebSockets.",
        "direction",
        {"received": sockets.received, "sent": sockets.sent},
    )


def _by_label(name: str, meaning: str, label: str, values: Mapping[str, float]) -> Metric:
    family = CounterMetricFamily(name, meaning, labels=(label,))
    for each, value in values.items():
        family.add_metric((each,), value)
    return family


def store_counts(store: Store, broken: int) -> Counts:
    """The counters of the store, and the number of broken tables."""
    stats = store.stats
    counters = (
        ("store_failures", "Writes that failed.", stats.failed),
        ("store_conflicts", "Appends that met a head which another server had moved.", stats.conflicts),
        ("store_claims", "Tables and notices that this server claimed.", stats.claims),
        ("store_doubts", "Lost connections that left it open whether an append was saved.", stats.doubts),
    )
    gauges: tuple[tuple[str, str, float], ...] = (
        ("store_last_commit_seconds", "Duration of the last commit.", stats.last_ms / 1000),
        ("tables_broken", "Tables that could not be replayed since the start, and were closed.", broken),
    )
    return Counts(counters, gauges)
