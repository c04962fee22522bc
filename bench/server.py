"""How fast the server is, beside others and itself.   python bench/server.py [--game NAME] [--tree DIR]
How many people it carries.                          python bench/server.py --capacity

Owns what is run in which order, and the words of the report. `server_rivals/` holds the other servers, the
load that is the same for all, and how processes are started and measured.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # this file may be run by its name
from bench.interpreter import interpreter
from bench.server_rivals import capacity
from bench.server_rivals.processes import (
    TICKS,
    Running,
    busy_seconds,
    cores,
    fdatasyncs_per_second,
    filesystem,
    loading,
    said,
    serving,
)
from bench.server_rivals.systems import (
    ON_DISK,
    OURS,
    RIVALS,
    System,
    installed,
    lay_out,
    node,
    ours,
)

TABLES: Final = {"ecard": 50, "davenport": 25}
"""Tables in play: 100 sockets of two seats each, 150 of four seats and two spectators."""
TITLES: Final = {
    "ecard": "E-Card, two seats",
    "davenport": "Davenport, four seats, two spectators, clocks",
}
THINK: Final = 100
"""Milliseconds that a seat thinks in the paced run, on average."""
MODES: Final = {"flat_out": 0, "paced": THINK}
SAYS: Final = {"flat_out": "no one thinks", "paced": f"everybody thinks for {THINK} ms or so"}
SEATS: Final = {"ecard": 2, "davenport": 4}
FIRST: Final = 96
"""The fewest people of the search for the capacity: the low load."""
MOST: Final = 15_000
"""The most people of that search: all their sockets come from one process and one address."""
BEFORE_THE_KILL: Final = 3.0


@dataclass(frozen=True, slots=True)
class Bench:
    """What all measurements need to know."""

    seconds: float
    warm: float
    """Seconds of play before anything counts."""
    tables: Mapping[str, int]
    """Tables in play, by game."""
    idle: int
    """Sockets that wait, for the memory."""
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

    def wait(self, seconds: float) -> None:
        """Wait that long, but no longer than a run counts."""
        time.sleep(min(seconds, self.seconds))

    def fresh(self) -> Path:
        """A new folder for data."""
        return Path(tempfile.mkdtemp(prefix="data-", dir=self.data))


def main() -> int:
    """Measure all of them in turn, and say what came out. No number is a failure."""
    arguments = _arguments()
    _raise_open_files()
    path, version = node()
    with tempfile.TemporaryDirectory(prefix="facedown-bench-", dir=arguments.data) as data:
        folder = Path(arguments.env or Path(data) / "env")
        lay_out(folder)
        libraries = {} if arguments.here else installed(folder)
        systems = _systems(arguments)
        tables = dict.fromkeys(TABLES, arguments.tables) if arguments.tables else TABLES
        bench = Bench(arguments.seconds, arguments.warm, tables, arguments.sockets, path, folder, Path(data))
        found: dict[str, Any] = {
            "python": interpreter(arguments.python),
            "node": version,
            "libraries": libraries,
            "machine": f"{platform.machine()}, servers on core {cores()[0]}, load on core {cores()[1]}",
            "load_before": os.getloadavg()[0],
            "filesystem": filesystem(Path(data)),
            "seconds": arguments.seconds,
            "rounds": arguments.rounds,
            "how": _how(arguments),
            "think_ms": capacity.THINK if arguments.capacity else THINK,
            "idle_sockets": arguments.sockets,
            "fdatasyncs_per_second": fdatasyncs_per_second(Path(data), min(1.0, arguments.seconds)),
        }
        games = [arguments.game] if arguments.game else [*TABLES]
        if arguments.capacity:
            found["systems"] = _carried(bench, systems, games, *arguments.people)
        else:
            found["systems"] = _measured(bench, systems, games, arguments)
        found["load_after"] = os.getloadavg()[0]
    written = _capacities(found) if arguments.capacity else report(found)
    print(json.dumps(found, indent=2) if arguments.json else "\n".join(written))
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Acknowledged picks, beside boardgame.io, Colyseus and other checkouts of ours."
    )
    parser.add_argument("--json", action="store_true", help="print all numbers as one JSON object")
    parser.add_argument("--seconds", type=float, default=6, help="how long each run counts (6)")
    parser.add_argument("--warm", type=float, default=3, help="seconds of play before it counts (3)")
    parser.add_argument("--tables", type=int, help=f"tables in play (by game: {TABLES})")
    parser.add_argument("--sockets", type=int, default=2000, help="idle sockets, for the memory (2,000)")
    parser.add_argument("--rounds", type=int, default=2, help="how often all are measured, in turn (2)")
    parser.add_argument("--game", choices=[*TABLES], help="play only this game")
    parser.add_argument("--think", choices=[*MODES], help="measure only with or only without thinking")
    parser.add_argument("--speed", action="store_true", help="leave memory and `kill -9` out")
    parser.add_argument(
        "--capacity", action="store_true", help="how many people who think a core carries, instead of speed"
    )
    parser.add_argument(
        "--people",
        type=int,
        nargs=2,
        metavar=("FIRST", "MOST"),
        default=(FIRST, MOST),
        help=f"how many --capacity tries at first and at most ({FIRST} {MOST})",
    )
    names = [OURS, *(system.name for system in (*RIVALS, ON_DISK))]
    parser.add_argument(
        "--only", action="append", choices=names, help="measure this one (more than one may be named)"
    )
    parser.add_argument(
        "--tree", metavar="DIR", action="append", default=[], help="measure the server of this checkout, too"
    )
    parser.add_argument(
        "--python", metavar="FILE", default=sys.executable, help="the Python of our servers, with packages"
    )
    packages = parser.add_mutually_exclusive_group()
    packages.add_argument(
        "--env", metavar="DIR", help="keep the packages of Node there, and use them where they exist"
    )
    packages.add_argument(
        "--here", action="store_true", help="install nothing: ours alone, over Node's own WebSocket"
    )
    parser.add_argument(
        "--data", metavar="DIR", help="make the data folders there: the disk that is measured"
    )
    arguments = parser.parse_args()
    if arguments.here and (arguments.only or [OURS]) != [OURS]:
        parser.error("the others have to be installed: leave --here out, or them")
    return arguments


def _how(arguments: argparse.Namespace) -> str:
    """How often is measured, for the report."""
    if arguments.capacity:
        return f"laps of {arguments.seconds} s; {capacity.TRIES} of them before people are too many"
    return f"{arguments.rounds} rounds of {arguments.seconds} s each, medians"


def _systems(arguments: argparse.Namespace) -> list[System]:
    """Who takes part, ours first; other checkouts of ours go by the name of their folder."""
    others_there = (*RIVALS, ON_DISK) if arguments.capacity else RIVALS
    everybody = [ours(python=arguments.python), *(others_there if not arguments.here else ())]
    chosen = [system for system in everybody if not arguments.only or system.name in arguments.only]
    trees = [Path(tree).resolve() for tree in arguments.tree]
    others = [ours(f"{OURS} in {tree.name}", arguments.python, tree) for tree in trees]
    return [*chosen[:1], *others, *chosen[1:]]


def _raise_open_files() -> None:
    """Thousands of sockets need as many files, here and in whatever is started."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


# --- measuring -------------------------------------------------------------------------------------------


def _measured(
    bench: Bench, systems: list[System], games: list[str], arguments: argparse.Namespace
) -> list[dict[str, Any]]:
    """Everything about all of them; which laps were lost, and why."""
    found: dict[str, dict[str, Any]] = {
        system.name: {"name": system.name, "keeps": system.keeps, "runs": [], "lost": []}
        for system in systems
    }
    modes = [arguments.think] if arguments.think else [*MODES]
    laps = [
        (number, game, mode) for game in games for mode in modes for number in range(1, arguments.rounds + 1)
    ]
    for number, game, mode in laps:  # all of them in each: a slow moment of the machine hits all alike
        print(f"{game}, {mode}, {number} of {arguments.rounds}", file=sys.stderr)
        for system in systems:
            row = found[system.name]
            try:
                run = _play(bench, system, game, MODES[mode], bench.tables[game])
            except RuntimeError as failure:
                row["lost"].append(f"{game}, {mode}, round {number}: {failure}")
                print(f"  {system.name}: lost", file=sys.stderr)
            else:
                row["runs"].append({"game": game, "mode": mode, "round": number, **run})
                says = f"{run['acked_per_cpu_second']:,.0f} acked per CPU-s, p99 {run['ack_p99_ms']:.1f} ms"
                print(f"  {system.name}: {says}", file=sys.stderr)  # kept where the rest is interrupted
    for system in systems if not arguments.speed else ():
        print(f"memory and kill -9 of {system.name}", file=sys.stderr)
        row = found[system.name]
        try:
            row["memory"] = _idle(bench, system)
            row["kill"] = _killed(bench, system, games[0])
        except RuntimeError as failure:
            row["lost"].append(f"memory and kill -9: {failure}")
    return [*found.values()]


def _carried(
    bench: Bench, systems: list[System], games: list[str], first: int, most: int
) -> list[dict[str, Any]]:
    """The capacity of all of them: each tries its next number of people in turn."""
    rows: list[dict[str, Any]] = [
        {"name": system.name, "keeps": system.keeps, "runs": [], "lost": [], "capacity": {}}
        for system in systems
    ]
    for game in games:
        seats = SEATS[game]
        searches = [capacity.Search(seats, first // seats, most // seats) for _ in systems]
        while any(search.next for search in searches):
            for system, search in zip(systems, searches, strict=True):
                if search.next is not None:
                    _try_next(bench, system, game, search)
        for row, search in zip(rows, searches, strict=True):
            row["capacity"][game] = search.result()
            row["lost"] += [search.lost] if search.lost else []
    return rows


def _try_next(bench: Bench, system: System, game: str, search: capacity.Search) -> None:
    before = len(search.laps)
    try:
        search.run(lambda tables: _play(bench, system, game, capacity.THINK, tables))
    except RuntimeError as failure:
        search.lost = f"{game}, {search.next} tables: {failure}"
    for lap in search.laps[before:]:
        print(f"{game}, {system.name}, {capacity.words(lap)}", file=sys.stderr)


def _play(bench: Bench, system: System, game: str, think: int, tables: int) -> dict[str, Any]:
    """Endless games at all tables: what was acknowledged, how soon, and what the server worked for it."""
    options = {
        "game": game,
        "tables": tables,
        "seconds": bench.seconds,
        "warm": bench.warm,
        "think": think,
    }
    with (
        bench.started(system, bench.fresh()) as server,
        bench.load(system, server, "play", **options) as load,
    ):
        said(load, "begin")
        before, busy = server.cpu_seconds(), busy_seconds(cores()[0])
        said(load, "end")
        busy = busy_seconds(cores()[0]) - busy
        cpu = max(server.cpu_seconds() - before, 1 / TICKS)
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
        "others_on_core": max(0.0, busy - cpu) / found["seconds"],
        "resident_mb": memory / 1e6,
    }


def _idle(bench: Bench, system: System) -> dict[str, Any]:
    """Seats at tables that are dealt, where no seat picks."""
    with bench.started(system, bench.fresh()) as server:
        bench.wait(2)
        empty = server.resident()
        with bench.load(system, server, "idle", tables=bench.idle // 2) as load:
            said(load, "begin")
            bench.wait(3)
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


def _killed(bench: Bench, system: System, game: str) -> dict[str, Any]:
    """`kill -9` in the middle of play; started again, it must have every pick that it had acknowledged."""
    data, ledger = bench.fresh(), bench.data / f"{system.client}.ledger"
    with (
        bench.started(system, data) as server,
        bench.load(system, server, "kill", game=game, tables=bench.tables[game], ledger=ledger) as load,
    ):
        said(load, "begin")
        bench.wait(BEFORE_THE_KILL)
        server.kill()
        load.stdin.close()
        said(load, "result")
    with bench.started(system, data) as server, bench.load(system, server, "audit", ledger=ledger) as load:
        found = said(load, "result")
    return {"acked": found["acked"], "lost": found["lost"]}


# --- the report ------------------------------------------------------------------------------------------


def report(found: dict[str, Any]) -> Iterable[str]:
    """All of it in words and columns."""
    yield from _heading(found)
    rows = found["systems"]
    laps = dict.fromkeys((run["game"], run["mode"]) for row in rows for run in row["runs"])
    for game, mode in laps:
        yield ""
        yield f"{TITLES[game]}: {SAYS[mode]}"
        yield from _speeds(game, mode, rows)
    kept = [row for row in rows if "kill" in row]
    if kept:
        yield ""
        yield from _memories(kept, found["idle_sockets"])
    for row in rows:
        yield from _complaints(row)


def _capacities(found: dict[str, Any]) -> Iterable[str]:
    """The capacities in words and columns."""
    yield from _heading(found)
    rows = found["systems"]
    for game in rows[0]["capacity"]:
        yield ""
        thought = f"{found['think_ms'] / 1000:.0f} s or so"
        yield f"{TITLES[game]}: how many people who think for {thought}, p99 ≤ {capacity.BAR:.0f} ms"
        yield from capacity.report(rows, game)
    for row in rows:
        yield from _complaints(row)


def _heading(found: dict[str, Any]) -> Iterable[str]:
    """What was measured, with what and where."""
    versions = (f"{name} {version}" for name, version in found["libraries"].items())
    libraries = ", ".join(versions) or "its own WebSocket"
    yield f"Python {found['python']}"
    yield f"Node {found['node']}, {libraries}"
    yield (
        f"{found['machine']}; load of the machine {found['load_before']:.1f} before, "
        f"{found['load_after']:.1f} after"
    )
    disk = f"{found['fdatasyncs_per_second']:,.0f} fdatasync/s on {found['filesystem']}"
    yield f"{disk}; {found['how']}"


def _runs(row: dict[str, Any], game: str, mode: str) -> list[dict[str, Any]]:
    return [run for run in row["runs"] if (run["game"], run["mode"]) == (game, mode)]


def _speeds(game: str, mode: str, rows: list[dict[str, Any]]) -> Iterable[str]:
    """A line for each of them, with ours beside it: medians of the ratios within each round."""
    yield (
        f"  {'':<27} {'acked/s':>9} {'acked per CPU-s':>16} {'ours is':>11} "
        f"{'p50 ms':>8} {'p99 ms':>8} {'games':>6} {'load used':>10}"
    )
    for row in rows:
        runs = _runs(row, game, mode)
        if not runs:
            yield f"  {row['name']:<27} every lap was lost"
            continue
        middle = {
            name: median(run[name] for run in runs)
            for name in (
                *("acked_per_second", "acked_per_cpu_second", "ack_p50_ms", "ack_p99_ms"),
                *("games_ended", "load_core_used"),
            )
        }
        ratio = _ratio(_runs(rows[0], game, mode), runs)
        yield (
            f"  {row['name']:<27} {middle['acked_per_second']:>9,.0f} "
            f"{middle['acked_per_cpu_second']:>16,.0f} {ratio:>11} {middle['ack_p50_ms']:>8.2f} "
            f"{middle['ack_p99_ms']:>8.2f} {middle['games_ended']:>6.0f} {middle['load_core_used']:>10.0%}"
        )


def _ratio(ones: list[dict[str, Any]], others: list[dict[str, Any]]) -> str:
    """How many times as many picks the first makes for each CPU-second: the median of all rounds."""
    found = {run["round"]: run["acked_per_cpu_second"] for run in ones}
    ratios = [found[run["round"]] / run["acked_per_cpu_second"] for run in others if run["round"] in found]
    return f"{median(ratios):.2f} ×" if ratios else "–"


def _memories(rows: list[dict[str, Any]], sockets: int) -> Iterable[str]:
    yield f"Memory with {sockets:,} sockets that wait, and `kill -9` in the middle of play"
    yield f"  {'':<27} {'empty MB':>9} {'full MB':>9} {'KB/socket':>10} {'acked':>8} {'lost':>8}  kept"
    for row in rows:
        memory, kill = row["memory"], row["kill"]
        yield (
            f"  {row['name']:<27} {memory['empty_mb']:>9.0f} {memory['full_mb']:>9.0f} "
            f"{memory['kb_per_socket']:>10.1f} {kill['acked']:>8,} {kill['lost']:>8,}  {row['keeps']}"
        )


def _complaints(row: dict[str, Any]) -> Iterable[str]:
    for lap in row["lost"]:
        yield f"{row['name']} lost a lap: {lap}"
    for run in row["runs"]:
        if run["refused"]:
            say = f"{row['name']}, {run['game']}, {run['mode']}: {run['refused']} refused"
            yield f"{say}, the first: {run['why']}"


if __name__ == "__main__":
    sys.exit(main())
