"""Capacity: how many people who think one core of a server carries. Owns the search and its report.

Knows no system; the caller runs one lap with a number of people, and passes what was measured.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

THINK: Final = 1000
"""Milliseconds that a person thinks on average: between half and one and a half times as long."""
BAR: Final = 50.0
"""Milliseconds from a pick to its acknowledgement that all but one in a hundred have to stay within."""
MOST_LOAD: Final = 0.85
"""The share of its core above which the load, and not the server, may be the limit."""
MOST_OTHERS: Final = 0.1
"""The share of the server's core above which other programs may be what made it late."""
CLOSE: Final = 1.2
"""The search ends when the fewest people that were too many are at most this many times the most carried."""
TRIES: Final = 2
"""A number of people is too many if that often it was: a slow moment of the machine does not count."""

Lap: TypeAlias = dict[str, Any]
"""What was measured with a number of people."""


@dataclass(slots=True)
class Search:
    """The search for the capacity of one system: doubling, then halving the gap."""

    per_table: int
    first: int
    """The fewest tables that are tried: what a pick costs and how soon it is answered at low load."""
    most: int
    laps: list[Lap] = field(default_factory=list)
    carried: int = 0
    """The most tables that were carried."""
    too_many: int | None = None
    """The fewest tables that were too many."""
    is_load_the_limit: bool = False
    """Whether the load was busy when there were too many: the server may carry more."""
    lost: str = ""
    """Why the search was given up."""

    @property
    def next(self) -> int | None:
        """The number of tables to try next; None at the end of the search."""
        if self.lost or self.carried >= self.most:
            return None
        if self.too_many is None:
            return min(2 * self.carried, self.most) or self.first
        if self.too_many <= self.first or self.too_many <= CLOSE * self.carried:
            return None
        middle = (self.carried + self.too_many) // 2
        return None if middle == self.carried else middle

    def run(self, play: Callable[[int], Lap]) -> None:
        """Try the next number of tables."""
        tables = self.next
        assert tables is not None
        for _ in range(TRIES):
            lap = {"people": tables * self.per_table, **play(tables)}
            self.laps.append(lap)
            if holds(lap):
                self.carried = tables
                return
            if lap["load_core_used"] > MOST_LOAD:
                break
        self.too_many = tables
        self.is_load_the_limit = lap["load_core_used"] > MOST_LOAD

    @property
    def _was_disturbed(self) -> bool:
        """Whether other programs were on the server's core when there were too many."""
        late = [lap for lap in self.laps if lap["people"] == (self.too_many or 0) * self.per_table]
        return any(lap["others_on_core"] > MOST_OTHERS for lap in late)

    def result(self) -> dict[str, Any]:
        """What the search found, for the report."""
        fits = [lap for lap in self.laps if holds(lap)]
        return {
            "people": self.carried * self.per_table,
            "at_least": self.is_load_the_limit or self.too_many is None or self._was_disturbed,
            "at_capacity": max(fits, key=lambda lap: int(lap["people"]), default=None),
            "at_low_load": next(iter(self.laps), None),
            "laps": self.laps,
            "lost": self.lost,
        }


def holds(lap: Lap) -> bool:
    """Whether the people of a lap were carried, and the load was not the limit."""
    return bool(lap["ack_p99_ms"] <= BAR and lap["load_core_used"] <= MOST_LOAD and not lap["refused"])


def words(lap: Lap) -> str:
    """One lap in one line."""
    return (
        f"{lap['people']:,} people: p99 {lap['ack_p99_ms']:.1f} ms, {lap['acked_per_second']:,.0f} picks/s, "
        f"server {_server_core(lap):.0%}, others on its core {lap['others_on_core']:.0%}, "
        f"load {lap['load_core_used']:.0%}"
    )


def report(rows: list[dict[str, Any]], game: str) -> Iterable[str]:
    """A line for each system."""
    yield (
        f"  {'':<27} {'people':>10} {'picks/s':>8} {'p50 ms':>7} {'p99 ms':>7} {'server':>7} {'load':>6}   "
        f"{'low load:':>9} {'p50 ms':>7} {'p99 ms':>7} {'CPU µs a pick':>14}"
    )
    for row in rows:
        found = row["capacity"][game]
        best, low = found["at_capacity"], found["at_low_load"]
        at_least = "≥ " if found["at_least"] else ""
        line = f"  {row['name']:<27} {at_least + format(found['people'], ','):>10} "
        line += f"{best['acked_per_second']:>8,.0f} {_latencies(best)} " if best else f"{'–':>24} "
        line += f"{_server_core(best):>7.0%} {best['load_core_used']:>6.0%}" if best else " " * 14
        if low:
            line += f"   {low['people']:>9,} {_latencies(low)} {1e6 / low['acked_per_cpu_second']:>14,.0f}"
        yield line


def _latencies(lap: Lap) -> str:
    return f"{lap['ack_p50_ms']:>7.2f} {lap['ack_p99_ms']:>7.2f}"


def _server_core(lap: Lap) -> float:
    """The share of its core that the server used."""
    return float(lap["acked_per_second"] / lap["acked_per_cpu_second"])
