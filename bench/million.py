"""From the crowd of one machine to a million people.   python bench/million.py crowd | show | page

    crowd    seats people at several servers, in steps, kills every server once, and keeps what a pick costs
    show     prints what 10,000 to 10,000,000 people need, from the kept results, and what it costs
    page     writes `docs/a-million.md` and its pictures from the same; --check fails where they are stale

Unit costs are read from `docs/measured-scale.json`, which `crowd`, `packed.py --keep` and `soak.py --keep`
write. What was not measured is an assumption, with a default: `show --set core_month=20` changes one.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # this file may be run by its name
from bench.interpreter import interpreter
from bench.nemeses.stage import Report, Sizes, Stage
from bench.results import keep, read_results
from bench.scaling.carried import SLOW_S, carry
from bench.scaling.model import Assumed, Units, need, price
from bench.scaling.page import files_of
from tests import postgresql

PEOPLE: Final = (10_000, 100_000, 1_000_000, 10_000_000)


def units_of(results: Mapping[str, Any]) -> Units:
    """The unit costs in the kept results: those of the largest step of the crowd that was not slow."""
    crowd, packed = results["crowd"]["result"], results["packed"]["result"]["ecard, 2 seats, PostgreSQL"]
    step = [each for each in crowd["steps"] if each["p99_ms"] <= 1000 * SLOW_S][-1]
    return Units(
        **{
            name: step[name]
            for name in (
                "server_ms",
                "postgresql_ms",
                "transactions",
                "syncs",
                "wal_bytes",
                "network_bytes",
                "person_kb",
            )
        },
        picks_per_game=packed["picks"],
        game_bytes=packed["rows"],
        packed_bytes=packed["packed"],
        notifies_per_s=crowd["notifies_per_s"],
    )


def show(units: Units, assumed: Assumed) -> None:
    """Print what each size needs."""
    for people in PEOPLE:
        found = need(people, units, assumed)
        name, share = found.first
        costs = price(found, units, assumed)
        print(f"{people:,} people: {found.picks_per_s:,.0f} picks a second")
        print(f"  servers: {found.server_cores:,.1f} cores, {found.processes:,} processes, ", end="")
        print(f"{found.memory_gb:,.1f} GB; {found.connections:,} connections to PostgreSQL")
        print(f"  PostgreSQL: {found.clusters} clusters, {found.postgresql_cores:,.1f} cores, ", end="")
        print(f"{found.syncs_per_s:,.0f} syncs and {found.wal_mb_per_s:,.1f} MB of WAL a second")
        print(f"  network {found.network_gbit_per_s:,.2f} Gbit/s; disk {found.disk_gb_per_day:,.1f} GB a day")
        print(f"  on one cluster: {name} first, {100 * share:,.0f} % of its limit")
        print(
            f"  a month: {sum(costs.values()):,.0f}, " + ", ".join(f"{k} {v:,.0f}" for k, v in costs.items())
        )


def crowd(asked: argparse.Namespace) -> int:
    """Measure the crowd; the exit status."""
    report = Report()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    print(f"Python {interpreter()}, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores", flush=True)
    with tempfile.TemporaryDirectory(prefix="facedown-million-") as name:
        folder = Path(name)
        os.chmod(folder, 0o777)  # PostgreSQL runs as another user where this is root
        options = {"fsync": "on", "autovacuum": "on", "shared_buffers": "128MB"}
        clusters = [postgresql.Cluster(folder / f"cluster{n}", **options) for n in range(asked.clusters)]
        for each in clusters:
            postgresql.end_with(os.getpid(), each.make().start())
            each.sql("create database games")
        stage = Stage(clusters[0], folder, Sizes(), report)
        try:
            result = asyncio.run(
                carry(stage, clusters, asked.servers, asked.people, asked.think, asked.seconds)
            )
        finally:
            for each in clusters:
                each.stop()
    if asked.keep:
        keep("crowd", {**result, "load_at_the_end": round(os.getloadavg()[0], 1)})
    print("all bars hold" if not report.missed else f"missed: {', '.join(report.missed)}")
    return bool(report.missed)


def page(check: bool) -> int:
    """Write the page and its pictures, or report what is stale."""
    results = read_results()
    units, assumed = units_of(results), Assumed()
    made = files_of(results, units, assumed, [need(people, units, assumed) for people in PEOPLE])
    stale = [path for path, text in made.items() if not path.exists() or path.read_text("utf-8") != text]
    for path in stale:
        if check:
            print(f"{path.name} is stale")
        else:
            path.write_text(made[path], encoding="utf-8")
    return int(check and bool(stale))


def changed(settings: Sequence[str]) -> Assumed:
    """The assumptions, some of them changed: `name=value`."""
    usual = asdict(Assumed())
    named = dict(each.split("=", 1) for each in settings)
    return replace(Assumed(), **{name: type(usual[name])(value) for name, value in named.items()})


def main() -> int:
    """From the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("   ")[0])
    parts = parser.add_subparsers(dest="part", required=True)
    measuring = parts.add_parser("crowd", help="measure, which takes minutes")
    measuring.add_argument("--servers", type=int, default=2, help="Facedown servers (2)")
    measuring.add_argument("--clusters", type=int, default=2, help="PostgreSQL clusters (2)")
    measuring.add_argument("--people", type=int, nargs="+", default=[200, 400, 800, 1600], help="the steps")
    measuring.add_argument("--think", type=float, default=10.0, help="seconds before a pick, on average (10)")
    measuring.add_argument("--seconds", type=float, default=30.0, help="how long each step counts (30)")
    measuring.add_argument("--keep", action="store_true", help="keep the result")
    showing = parts.add_parser("show", help="print what people need")
    showing.add_argument("--set", nargs="+", default=[], metavar="NAME=VALUE", help="change assumptions")
    writing = parts.add_parser("page", help="write the page")
    writing.add_argument("--check", action="store_true", help="fail where it is stale")
    asked = parser.parse_args()
    if asked.part == "crowd":
        return crowd(asked)
    if asked.part == "page":
        return page(asked.check)
    show(units_of(read_results()), changed(asked.set))
    return 0


if __name__ == "__main__":
    sys.exit(main())
