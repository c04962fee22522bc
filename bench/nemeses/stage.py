"""What every nemesis stands on: a PostgreSQL, servers on databases of their own, and bars with figures."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import asyncpg

from facedown.server.store.sharded.layout import place_of
from facedown.server.store.values import EventRow
from tests import postgresql
from tests.cluster.history import anomalies, rows_of
from tests.cluster.nodes import ServerNodes
from tests.cluster.players import Players


@dataclass
class Report:
    """Bars and their figures."""

    missed: list[str] = field(default_factory=list)

    def bar(self, what: str, figure: float | str, holds: bool, wanted: str) -> None:
        """Print one."""
        print(f"  {'ok    ' if holds else 'MISSED'} {what}: {figure} (wanted: {wanted})", flush=True)
        if not holds:
            self.missed.append(what)

    def none_of(self, what: str, count: int) -> None:
        """Print how often something happened that must not."""
        self.bar(what, count, not count, "0")

    def at_most(self, what: str, seconds: float, most: float, of: int = 0) -> None:
        """Print how long something took."""
        figure = f"{seconds:.3f} s of {of}" if of else f"{seconds:.3f} s"
        self.bar(what, figure, seconds <= most, f"{most} s")


@dataclass(frozen=True)
class Sizes:
    """How much is done; the defaults are those of the bars."""

    tables: int = 50
    kills: int = 30
    ballots: int = 10_000
    deadlines: int = 1_000
    pushes: int = 1_000
    rounds: int = 3
    """How often each cost is measured; the median counts."""
    seconds: float = 30.0
    """For how long something is away."""


class Stage:
    """One PostgreSQL, and for each nemesis a database and servers."""

    def __init__(self, cluster: postgresql.Cluster, folder: Path, sizes: Sizes, report: Report) -> None:
        self.cluster = cluster
        self.folder = folder
        self.sizes = sizes
        self.tables = sizes.tables
        self.report = report
        self.url = ""
        self.anomalies = 0
        """Found in all histories so far."""
        self._count = 0

    def nodes(
        self, count: int = 3, before: dict[int, str] | None = None, url: str = "", **settings: Any
    ) -> ServerNodes:
        """Servers on a new database; `before` is code that some of them run first."""
        self.url = url or self.database()
        nodes = ServerNodes(self.new_folder("nodes"), self.url, count, **settings)
        for number, code in (before or {}).items():
            nodes.all[number].after(code)
        return nodes.start()

    def database(self) -> str:
        """The address of a new database."""
        name = self._name("bench")
        self.cluster.sql(f"create database {name}")
        return self.cluster.url(name)

    def new_folder(self, name: str) -> Path:
        """The path of a folder that is not there yet."""
        return self.folder / self._name(name)

    def _name(self, name: str) -> str:
        self._count += 1
        return f"{name}{self._count}"

    async def rows(self, tables: Sequence[str]) -> dict[str, list[EventRow]]:
        """All events of these tables."""
        return await rows_of(self.url, tables)

    async def select(self, statement: str, *values: object) -> Any:
        """One value from the database of the servers."""
        connection = await asyncpg.connect(self.url.split()[0])
        try:
            return await connection.fetchval(statement, *values)
        finally:
            await connection.close()

    async def check(
        self, players: Players, outages: Sequence[Sequence[tuple[int, int]]] = ((),)
    ) -> dict[str, list[EventRow]]:
        """All stop; their histories are compared with the store. No client could play during the `outages` of
        its table's cluster."""
        await players.go()
        rows = await self.rows(players.tables)
        found = []
        for place, away in enumerate(outages):
            here = {table: events for table, events in rows.items() if place_of(table, len(outages)) == place}
            logs = [log for log in players.logs if place_of(log.table, len(outages)) == place]
            found += anomalies(here, logs, away)
        self.anomalies += len(found)
        acked = sum(len(log.acked) for log in players.logs)
        seen = sum(len(log.seen) for log in players.logs)
        self.report.none_of(f"anomalies in {acked} acknowledged commands and {seen} events seen", len(found))
        for each in found[:5]:
            print(f"         {each}")
        return rows

    def waits(self, players: Players, most_s: float, calm_s: float = 0.0) -> None:
        """How long seats took to play again, and to be answered where nothing was lost."""
        back, seated, calm = players.back, players.seated, players.calm
        if back:
            self.report.at_most("seats play again, p99", percentile(back, 0.99), most_s, len(back))
            print(f"         p50 {percentile(back, 0.5):.3f} s; ", end="")
        if seated:
            figures = f"p50 {percentile(seated, 0.5):.3f} s, p99 {percentile(seated, 0.99):.3f} s"
            print(f"until they see the table: {figures}; load {os.getloadavg()[0]:.1f}")
        if calm_s:
            self.report.at_most("answers to the others, p99", percentile(calm, 0.99), calm_s, len(calm))
        elif calm:
            print(f"         answers p50 {percentile(calm, 0.5):.3f} s, p99 {percentile(calm, 0.99):.3f} s")

    def report_delivery(self, players: Players, most_s: float) -> None:
        """How long events took to those who were connected."""
        took = sorted(players.deliveries.seconds)
        self.report.at_most("delivery, slowest", took[-1], most_s, len(took))
        print(f"         delivery p50 {percentile(took, 0.5):.3f} s, p99 {percentile(took, 0.99):.3f} s")


def percentile(values: Sequence[float], part: float) -> float:
    """Of sorted values."""
    return values[min(int(len(values) * part), len(values) - 1)]
