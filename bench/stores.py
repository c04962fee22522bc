"""The same server on SQLite and on PostgreSQL, in turn.   python bench/stores.py [--rounds N] [--seconds N]

Acknowledged picks per second of the server's processor time; PostgreSQL's time is shown separately. Starts a
PostgreSQL of its own with fsync on, on the disk of the temporary folder.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from statistics import median
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # this file may be run by its name
from bench.interpreter import interpreter
from bench.server_rivals.processes import TICKS, family, loading, said, serving
from bench.server_rivals.systems import installed, lay_out, node, ours
from tests import postgresql

STORES: Final = ("SQLite", "PostgreSQL")
THINK: Final = (0, 100)
"""Milliseconds that a seat thinks, on average."""
RATIOS: Final = {
    "per_cpu": "picks for each second of the server",
    "per_second": "picks a second",
    "cost": "processor time of server and PostgreSQL for a pick",
}


def main() -> int:
    """Measure both in turn, and print medians and their ratio."""
    parser = argparse.ArgumentParser(description="What a pick costs a server on either store.")
    parser.add_argument("--rounds", type=int, default=3, help="how often both are measured (3)")
    parser.add_argument("--seconds", type=float, default=8, help="how long each run counts (8)")
    parser.add_argument("--warm", type=float, default=3, help="seconds of play before it counts (3)")
    parser.add_argument("--tables", type=int, default=50, help="tables in play (50)")
    parser.add_argument(
        "--think",
        type=int,
        action="append",
        help=f"ms that a seat thinks (more than one may be named; {THINK})",
    )
    packages = parser.add_mutually_exclusive_group()
    packages.add_argument("--env", metavar="DIR", help="keep the packages of Node there")
    packages.add_argument("--here", action="store_true", help="install nothing: use Node's own WebSocket")
    arguments = parser.parse_args()
    print(f"Python {interpreter()}")
    with tempfile.TemporaryDirectory(prefix="facedown-stores-") as place:
        folder = Path(place)
        folder.chmod(0o777)
        cluster = postgresql.Cluster(folder / "postgresql", fsync="on", autovacuum="on").make().start()
        try:
            _measure(cluster, folder, arguments)
        finally:
            cluster.stop()
    return 0


def _measure(cluster: postgresql.Cluster, folder: Path, arguments: argparse.Namespace) -> None:
    env = Path(arguments.env or folder / "env")
    lay_out(env)
    if not arguments.here:
        installed(env)
    for think in arguments.think or THINK:
        runs: dict[str, list[dict[str, float]]] = {name: [] for name in STORES}
        for number in range(arguments.rounds):
            for name, found in runs.items():
                data = folder / f"{name}-{think}-{number}"
                settings = {}
                if name != "SQLite":
                    database = f"run_{think}_{number}"
                    cluster.sql(f"create database {database}")
                    settings["FACEDOWN_STORE"] = cluster.url(database)
                found.append(_run(cluster, env, data, settings, think, arguments))
        print(f"{f'every seat thinks {think} ms' if think else 'no thinking'}:")
        for name, found in runs.items():
            print(f"  {name:<11} {_words({key: median(each[key] for each in found) for key in found[0]})}")
        pairs = list(zip(runs["PostgreSQL"], runs["SQLite"], strict=True))
        for key, words in RATIOS.items():
            ratio = median(new[key] / old[key] for new, old in pairs)
            print(f"  PostgreSQL / SQLite, {words}: {ratio:.2f}")


def _words(run: dict[str, float]) -> str:
    return (
        f"{run['per_cpu']:>7,.0f} picks per second of the server's processor, {run['per_second']:>7,.0f}/s, "
        f"p50 {run['p50']:.1f} ms, p99 {run['p99']:.1f} ms, a pick costs PostgreSQL "
        f"{run['postgresql']:.0f} µs and all {run['cost']:.0f} µs"
    )


def _run(
    cluster: postgresql.Cluster,
    env: Path,
    data: Path,
    store: dict[str, str],
    think: int,
    arguments: argparse.Namespace,
) -> dict[str, float]:
    path, _ = node()
    served = ours()
    command = served.command(path, data)
    load = [path, "load.mjs", served.client]
    options = {name: getattr(arguments, name) for name in ("tables", "seconds", "warm")} | {"think": think}
    more = [word for name, value in options.items() for word in (f"--{name}", str(value))]
    with (
        serving(command, env, {**served.environment, **store}, data.with_suffix(".log")) as server,
        loading([*load, server.url, "play", *more], env) as playing,
    ):
        said(playing, "begin")
        cpu, database = server.cpu_seconds(), postgresql_seconds(cluster)
        said(playing, "end")
        cpu = max(server.cpu_seconds() - cpu, 1 / TICKS)
        database = postgresql_seconds(cluster) - database
        found: dict[str, Any] = said(playing, "result")
    acked = found["acked"]
    return {
        "per_cpu": acked / cpu,
        "per_second": acked / found["seconds"],
        "p50": found["p50"],
        "p99": found["p99"],
        "postgresql": database / acked * 1e6,
        "cost": (cpu + database) / acked * 1e6,
    }


def postgresql_seconds(cluster: postgresql.Cluster) -> float:
    """Processor time of this PostgreSQL, with its ended children; others may run on this machine."""
    main = int((cluster.data / "postmaster.pid").read_text().split()[0])
    total = 0
    for pid in family(main):
        with suppress(OSError):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            total += sum(int(each) for each in fields[11:15])
    return total / TICKS


if __name__ == "__main__":
    sys.exit(main())
