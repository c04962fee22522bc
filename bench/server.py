"""How fast the server is, beside others.   python bench/server.py [--json] [--seconds N] [--only NAME …]

Owns what is run in which order, and the words of the report. `server_rivals/` holds the other servers, the
load that is the same for all, and how processes are started and measured.
"""

from __future__ import annotations

import argparse
import json
import platform
import resource
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # this file may be run by its name
from bench.server_rivals.processes import (
    Running,
    cores,
    fdatasyncs_per_second,
    filesystem,
    loading,
    said,
    serving,
)
from bench.server_rivals.systems import OURS, SYSTEMS, System, installed, node

TABLES: Final = 50
"""Tables of two in play: 100 sockets."""
THINK: Final = 100
"""Milliseconds that a seat thinks in the paced run, on average."""
WARM: Final = 3
"""Seconds of play before anything counts."""
IDLE: Final = 2000
"""Sockets that sit and wait, for the memory."""
BEFORE_THE_KILL: Final = 3.0


@dataclass(frozen=True, slots=True)
class Bench:
    """What all measurements need to know."""

    seconds: int
    node: str
    folder: Path
    """Where the load and the rivals lie, with their packages."""
    data: Path
    """Where data folders are made."""

    def started(self, system: System, data: Path) -> Any:
        """A server that runs for as long as the block lasts."""
        command = system.command(self.node, data)
        return serving(command, self.folder, system.environment, self.data / f"{system.client}.log")

    def load(self, system: System, server: Running, mode: str, **options: object) -> Any:
        """The load against a server, for as long as the block lasts."""
        command = [self.node, "load.mjs", system.client, server.url, mode]
        for name, value in options.items():
            command += [f"--{name}", str(value)]
        return loading(command, self.folder)

    def fresh(self) -> Path:
        """A new folder for data."""
        return Path(tempfile.mkdtemp(prefix="data-", dir=self.data))


def main() -> int:
    """Measure all of them, one after the other, and say what came out. No number is a failure."""
    arguments = _arguments()
    _raise_open_files()
    path, version = node()
    systems = [system for system in SYSTEMS if not arguments.only or system.name in arguments.only]
    with tempfile.TemporaryDirectory(prefix="facedown-bench-", dir=arguments.data) as data:
        folder = Path(arguments.env or Path(data) / "env")
        folder.mkdir(parents=True, exist_ok=True)
        libraries = installed(folder)
        bench = Bench(arguments.seconds, path, folder, Path(data))
        found: dict[str, Any] = {
            "python": platform.python_version(),
            "node": version,
            "libraries": libraries,
            "machine": f"{platform.machine()}, servers on core {cores()[0]}, load on core {cores()[1]}",
            "filesystem": filesystem(Path(data)),
            "seconds": arguments.seconds,
            "sockets": 2 * TABLES,
            "think_ms": THINK,
            "idle_sockets": IDLE,
            "systems": [_measured(bench, system) for system in systems],
        }
        disk = [row["fdatasyncs_per_second"] for row in found["systems"]]
        found["fdatasyncs_per_second"] = median(disk)
    print(json.dumps(found, indent=2) if arguments.json else "\n".join(report(found)))
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Acknowledged picks, beside boardgame.io and Colyseus.")
    parser.add_argument("--json", action="store_true", help="print all numbers as one JSON object")
    parser.add_argument("--seconds", type=int, default=10, help="how long each run counts (default: 10)")
    names = [system.name for system in SYSTEMS]
    parser.add_argument(
        "--only", action="append", choices=names, help="measure this one (more than one may be named)"
    )
    parser.add_argument(
        "--env", metavar="DIR", help="keep the packages of Node there, and use them where they exist"
    )
    parser.add_argument(
        "--data", metavar="DIR", help="make the data folders there: the disk that is measured"
    )
    return parser.parse_args()


def _raise_open_files() -> None:
    """Thousands of sockets need as many files, here and in whatever is started."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


# --- measuring -------------------------------------------------------------------------------------------


def _measured(bench: Bench, system: System) -> dict[str, Any]:
    """Everything about one of them; where it cannot be run, why."""
    print(f"measuring {system.name}", file=sys.stderr)
    found: dict[str, Any] = {
        "name": system.name,
        "keeps": system.keeps,
        "fdatasyncs_per_second": fdatasyncs_per_second(bench.data),
    }
    try:
        found["flat_out"] = _play(bench, system, think=0)
        found["paced"] = _play(bench, system, think=THINK)
        found["memory"] = _idle(bench, system)
        found["kill"] = _killed(bench, system)
    except RuntimeError as failure:
        found["failure"] = str(failure)
    return found


def _play(bench: Bench, system: System, think: int) -> dict[str, Any]:
    """Endless rounds at all tables: what was acknowledged, how soon, and what the server worked for it."""
    with (
        bench.started(system, bench.fresh()) as server,
        bench.load(
            system, server, "play", tables=TABLES, seconds=bench.seconds, warm=WARM, think=think
        ) as load,
    ):
        said(load, "begin")
        before = server.cpu_seconds()
        said(load, "end")
        cpu = server.cpu_seconds() - before
        found = said(load, "result")
        memory = server.resident()
    return {
        "acked": found["acked"],
        "acked_per_second": found["acked"] / found["seconds"],
        "server_cpu_seconds": cpu,
        "acked_per_cpu_second": found["acked"] / cpu,
        "ack_p50_ms": found["p50"],
        "ack_p99_ms": found["p99"],
        "games_ended": found["games_ended"],
        "refused": found["refused"],
        "why": found["why"],
        "load_core_used": found["load_cpu"],
        "resident_mb": memory / 1e6,
    }


def _idle(bench: Bench, system: System) -> dict[str, Any]:
    """Seats at tables that are dealt, and nobody picks."""
    with bench.started(system, bench.fresh()) as server:
        time.sleep(2)
        empty = server.resident()
        with bench.load(system, server, "idle", tables=IDLE // 2) as load:
            said(load, "begin")
            time.sleep(3)
            full = server.resident()
            load.stdin.close()
            found = said(load, "result")
    return {
        "sockets": found["sockets"],
        "empty_mb": empty / 1e6,
        "full_mb": full / 1e6,
        "kb_per_socket": (full - empty) / found["sockets"] / 1e3,
        "refused": found["refused"],
        "why": found["why"],
    }


def _killed(bench: Bench, system: System) -> dict[str, Any]:
    """`kill -9` in the middle of play; started again, it is asked for every pick that it had acknowledged."""
    data, ledger = bench.fresh(), bench.data / f"{system.client}.ledger"
    with (
        bench.started(system, data) as server,
        bench.load(system, server, "kill", tables=TABLES, ledger=ledger) as load,
    ):
        said(load, "begin")
        time.sleep(BEFORE_THE_KILL)
        server.kill()
        said(load, "result")
    with bench.started(system, data) as server, bench.load(system, server, "audit", ledger=ledger) as load:
        found = said(load, "result")
    return {"acked": found["acked"], "lost": found["lost"]}


# --- the report ------------------------------------------------------------------------------------------


def report(found: dict[str, Any]) -> Iterable[str]:
    """All of it in words and columns."""
    libraries = ", ".join(f"{name} {version}" for name, version in found["libraries"].items())
    yield f"Python {found['python']}, Node {found['node']} on {found['machine']}"
    yield libraries
    disk = " ".join(f"{row['fdatasyncs_per_second']:,.0f}" for row in found["systems"])
    yield f"fdatasync/s on the data folder ({found['filesystem']}), before each of them: {disk}"
    yield f"{found['sockets']} sockets, {found['seconds']} s a run"
    whole = [row for row in found["systems"] if "failure" not in row]
    yield ""
    yield from _speeds("Endless rounds, nobody thinks", "flat_out", whole)
    yield ""
    yield from _speeds(f"The same, and everybody thinks for {found['think_ms']} ms or so", "paced", whole)
    yield ""
    yield f"Memory with {found['idle_sockets']:,} sockets that wait, and `kill -9` in the middle of play"
    yield f"  {'':<27} {'empty MB':>9} {'full MB':>9} {'KB/socket':>10} {'acked':>8} {'lost':>8}  kept"
    for row in whole:
        memory, kill = row["memory"], row["kill"]
        yield (
            f"  {row['name']:<27} {memory['empty_mb']:>9.0f} {memory['full_mb']:>9.0f} "
            f"{memory['kb_per_socket']:>10.1f} {kill['acked']:>8,} {kill['lost']:>8,}  {row['keeps']}"
        )
    for row in found["systems"]:
        yield from _complaints(row)
    yield from _ratios(whole)


def _speeds(title: str, part: str, rows: list[dict[str, Any]]) -> Iterable[str]:
    yield title
    yield (
        f"  {'':<27} {'acked/s':>9} {'acked per CPU-s':>16} {'p50 ms':>8} {'p99 ms':>8} "
        f"{'CPU used':>9} {'load used':>10}"
    )
    for row in rows:
        run = row[part]
        used = run["acked_per_second"] / run["acked_per_cpu_second"]
        yield (
            f"  {row['name']:<27} {run['acked_per_second']:>9,.0f} {run['acked_per_cpu_second']:>16,.0f} "
            f"{run['ack_p50_ms']:>8.2f} {run['ack_p99_ms']:>8.2f} {used:>9.0%} {run['load_core_used']:>10.0%}"
        )


def _complaints(row: dict[str, Any]) -> Iterable[str]:
    if "failure" in row:
        yield f"{row['name']} could not be measured: {row['failure']}"
    for part in ("flat_out", "paced", "memory"):
        if row.get(part, {}).get("refused"):
            yield f"{row['name']}, {part}: {row[part]['refused']} refused, the first: {row[part]['why']}"


def _ratios(rows: list[dict[str, Any]]) -> Iterable[str]:
    """Ours beside each of the others."""
    ours = next((row for row in rows if row["name"] == OURS), None)
    if ours is None:
        return
    yield ""
    for row in rows:
        if row is ours:
            continue
        flat = ours["flat_out"]["acked_per_cpu_second"] / row["flat_out"]["acked_per_cpu_second"]
        paced = ours["paced"]["acked_per_cpu_second"] / row["paced"]["acked_per_cpu_second"]
        tail = row["flat_out"]["ack_p99_ms"] / ours["flat_out"]["ack_p99_ms"]
        paced_tail = row["paced"]["ack_p99_ms"] / ours["paced"]["ack_p99_ms"]
        yield (
            f"{OURS}, durable, beside {row['name']}: {flat:.2f} × the acked picks per CPU-second flat out "
            f"({paced:.2f} × paced); its p99 is {tail:.2f} × ours flat out, {paced_tail:.2f} × paced"
        )


if __name__ == "__main__":
    sys.exit(main())
