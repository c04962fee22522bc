"""The stage of every nemesis: a PostgreSQL, servers on databases of their own, and bars with figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from facedown.server.store.values import EventRow
from tests import postgresql
from tests.nodes.history import anomalies, rows_of
from tests.nodes.nodes import ServerNodes
from tests.nodes.players import Players


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


class Stage:
    """One PostgreSQL, and for each nemesis a database and servers."""

    def __init__(self, cluster: postgresql.Cluster, folder: Path, tables: int, report: Report) -> None:
        self.cluster = cluster
        self.folder = folder
        self.tables = tables
        self.report = report
        self.url = ""
        self._count = 0

    def nodes(self, count: int = 3, url: str = "", **settings: Any) -> ServerNodes:
        """Servers on a new database, or on that of the URL."""
        self.url = url or self.database()
        nodes = ServerNodes(self.new_folder("nodes"), self.url, count, **settings)
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

    async def check(self, players: Players) -> dict[str, list[EventRow]]:
        """All stop; their histories are compared with the store."""
        await players.go()
        rows = await self.rows(players.tables)
        found = anomalies(rows, players.logs)
        acked = sum(len(log.acked) for log in players.logs)
        seen = sum(len(log.seen) for log in players.logs)
        self.report.none_of(f"anomalies in {acked} acknowledged commands and {seen} events seen", len(found))
        for each in found[:5]:
            print(f"         {each}")
        return rows


def percentile(values: Sequence[float], part: float) -> float:
    """Of sorted values."""
    return values[min(int(len(values) * part), len(values) - 1)]
