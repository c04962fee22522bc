"""What `deploy/` sets up, started and taken through an upgrade of every server.   python bench/rehearse.py

Starts what `deploy/` describes, without containers and with other addresses: three etcd, PostgreSQL under
Patroni on three members, three NATS, servers as their systemd unit starts them, and HAProxy. While tables are
played through it, every server is replaced by its next version with `deploy/rolling-restart`; then every NATS
server and every etcd is restarted, and the primary hands over. No seat may notice more than a reconnect.
Prints each bar with its figure; status 1 where one is missed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # this file may be run by its name
from bench.interpreter import interpreter
from bench.nemeses.programs import (
    DEPLOY,
    HOST,
    Etcd,
    PatroniCluster,
    Programs,
    free_ports,
    missing,
    run_nats,
    run_primaries,
    run_proxy,
    wait_for,
)
from bench.nemeses.stage import Report, Sizes, Stage
from facedown.server.store.postgresql import schema
from tests import postgresql
from tests.cluster.faults import NEXT_VERSION
from tests.cluster.history import PASSING
from tests.cluster.nodes import ServerNodes
from tests.cluster.players import KINDS, Players
from tests.patience import PATIENCE
from tests.server.running import Server

ROOT: Final = Path(__file__).parent.parent
BACK_S: Final = 3.0
"""From a lost connection to the next answer while servers are replaced, at the 99th percentile."""
HANDED_OVER_S: Final = 45.0
_FIRST_PORT: Final = 8765
"""Of which `facedown@.service` and `rolling-restart` count."""
_SYSTEMCTL: Final = """#!/bin/sh
# What deploy/rolling-restart asks of systemd.
case $1 in
list-units) cat {units} ;;
restart) exec curl --silent --fail --max-time 300 "http://{host}:{port}/$2" ;;
*) exit 1 ;;
esac
"""


class UnitServer(Server):
    """A server as `deploy/facedown@.service` starts it, on port 8765 + its number, in folders of its own."""

    def __init__(self, folder: Path, port: int, **settings: str) -> None:
        self.unit = f"facedown@{port - _FIRST_PORT}.service"
        super().__init__(folder / "data", **settings)
        self.base = f"http://{HOST}:{port}"
        self.logs_folder.mkdir(parents=True)

    def _started(self, arguments: list[str], errors: int) -> subprocess.Popen[bytes]:
        """Its `ExecStart` with its `Environment`, and what a new version has first."""
        del arguments  # its unit says so
        number = self.unit.partition("@")[2].partition(".")[0]
        unit = (DEPLOY / "facedown@.service").read_text().replace("%i", number)
        unit = unit.replace("/opt/facedown/.venv", sys.prefix).replace(
            "/var/lib/facedown/" + number, str(self.data)
        )
        own = dict(line.split("=", 1) for line in re.findall(r"^Environment=(.+)$", unit, re.M))
        self._prepare_processes()
        (command,) = re.findall(r"^ExecStart=/bin/sh -c '(.+)'$", unit, re.M)
        return subprocess.Popen(
            ["/bin/sh", "-c", command.replace("$$", "$")],
            env={**self._environment, **own},
            stdout=subprocess.PIPE,
            stderr=errors,
        )


class Systemd:
    """Answers `deploy/rolling-restart`: lists the units, and restarts one as its next version."""

    def __init__(self, folder: Path, nodes: ServerNodes) -> None:
        units = {node.unit: node for node in nodes.all if isinstance(node, UnitServer)}

        class Asked(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                node = units[self.path.removeprefix("/")]
                nodes.term(node)
                node.after(NEXT_VERSION)
                nodes.rise(node)
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer((HOST, 0), Asked)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        folder.mkdir()
        listed = folder / "units"
        listed.write_text("".join(f"{unit} loaded active running\n" for unit in units))
        script = folder / "systemctl"
        script.write_text(_SYSTEMCTL.format(units=listed, host=HOST, port=self._server.server_port))
        script.chmod(0o755)
        self._path = f"{folder}:{os.environ['PATH']}"

    def rolling_restart(self) -> str:
        """Run the script; what it printed."""
        command = [str(DEPLOY / "rolling-restart"), f"{PATIENCE:.0f}"]
        environment = {**os.environ, "PATH": self._path}
        return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


class _Front(ServerNodes):
    """What players know: the address of the proxy."""

    def __init__(self, base: str) -> None:
        self.all = self.up = [Server(Path())]
        self.all[0].base = base


async def rehearse(stage: Stage, servers: int, clusters: int) -> None:
    """Start all, play through the upgrade, and compare what every client saw with the store."""
    programs = Programs(stage.new_folder("programs"))
    nodes: ServerNodes | None = None
    systemd: Systemd | None = None
    try:
        begun = time.monotonic()
        etcd = Etcd(programs)
        shards = [PatroniCluster(programs, etcd, scope) for scope in ("facedown", "second")[:clusters]]
        stage.url = store_url(run_primaries(programs, shards))
        nodes = await asyncio.to_thread(_nodes, stage, servers, run_nats(programs))
        proxy = run_proxy(programs, [int(node.base.rpartition(":")[2]) for node in nodes.all])
        print(
            f"  {len(programs.running) + servers} programs run after {time.monotonic() - begun:.0f} s",
            flush=True,
        )
        systemd = Systemd(stage.new_folder("systemd"), nodes)
        players = Players(_Front(proxy), stage.tables, think=0.1, seed="rehearse", kinds=KINDS, watched=True)
        await players.come()
        await players.everybody_goes_on()
        said = await asyncio.to_thread(systemd.rolling_restart)
        version = await stage.select("select version from facedown.version")
        stage.report.bar("version of the schema", version, version == schema.VERSION + 1, "the next one")
        stage.report.bar(
            "servers restarted", said.count("facedown@"), said.count("facedown@") == servers, str(servers)
        )
        await players.everybody_goes_on()
        stage.waits(players, BACK_S)
        _nothing_but_reconnects(stage, players, "while servers were replaced")
        await _restart_others(programs, players)
        outages = [await _hand_over(stage, players, shard) for shard in shards]
        await players.everybody_goes_on()
        await stage.check(players, [outages])
        _nothing_but_reconnects(stage, players, "in all")
    finally:
        if systemd is not None:
            systemd.close()
        if nodes is not None:
            nodes.close()
        programs.close()


def store_url(urls: list[str]) -> str:
    """The setting that names the store."""
    return " ".join(urls)


def _nodes(stage: Stage, servers: int, bus: str) -> ServerNodes:
    """Servers as `/etc/facedown.env` would set them."""
    settings = {
        "FACEDOWN_STORE": stage.url,
        "FACEDOWN_BUS": bus,
        "FACEDOWN_PROXIES": HOST,
        "FACEDOWN_OPERATORS": HOST,
    }
    nodes = ServerNodes(stage.folder, stage.url, 0)
    folder = stage.new_folder("nodes")
    nodes.all = [
        UnitServer(folder / str(port), port, FACEDOWN_MACHINE_PAUSE="0", **settings)
        for port in free_ports(servers)
    ]
    return nodes.start()


def _nothing_but_reconnects(stage: Stage, players: Players, when: str) -> None:
    """Refusals that clients repeat, and farewells that ask them to come back."""
    refused = players.refusals
    stage.report.bar(f"refusals {when}", str(sorted(refused) or "none"), refused <= PASSING, "passing ones")
    farewells = {code for log in players.logs for code in log.farewells}
    stage.report.bar(
        f"connections closed {when} with",
        str(sorted(farewells) or "none"),
        farewells <= _COME_BACK,
        str(sorted(_COME_BACK)),
    )


_COME_BACK: Final = {"draining", "store_failed"}


async def _restart_others(programs: Programs, players: Players) -> None:
    """Every NATS server and every etcd ends and comes back, one after the other."""
    for name in sorted(programs.running):
        if name.startswith(("nats-", "etcd-")):
            await asyncio.to_thread(programs.restart, name)
            await players.everybody_goes_on()
    print("  every NATS server and every etcd was restarted", flush=True)


async def _hand_over(stage: Stage, players: Players, cluster: PatroniCluster) -> tuple[int, int]:
    """The primary hands over; from when to when no client could be sure to play."""
    before = await asyncio.to_thread(cluster.primary)
    began = time.time_ns() // 1_000_000
    await asyncio.to_thread(cluster.switch_over, before)
    after = await asyncio.to_thread(wait_for, lambda: cluster.primary(besides=before))
    await players.everybody_goes_on()
    ended = time.time_ns() // 1_000_000
    what = f"{cluster.scope}: the primary hands over, {before} to {after}: everybody goes on"
    stage.report.at_most(what, (ended - began) / 1000, HANDED_OVER_S)
    await asyncio.to_thread(wait_for, cluster.is_whole)
    return began, ended


def main() -> int:
    """From the command line."""
    parser = argparse.ArgumentParser(description="The deployment of several servers, through an upgrade.")
    parser.add_argument("--tables", type=int, default=4, help="tables that are played at a time (4)")
    parser.add_argument("--servers", type=int, default=3, help="Facedown servers (3)")
    parser.add_argument("--clusters", type=int, default=1, choices=(1, 2), help="PostgreSQL clusters (1)")
    asked = parser.parse_args()
    print(json.dumps({"python": interpreter(), "cores": os.cpu_count(), **vars(asked)}))
    if lacking := missing("patroni", "etcd", "haproxy", "nats-server"):
        print(f"not here: {', '.join(lacking)}: not run")
        return 0
    report = Report()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with tempfile.TemporaryDirectory(prefix="facedown-bench-") as folder:
        os.chmod(folder, 0o777)  # PostgreSQL runs as another user where this is root
        stage = Stage(postgresql.Cluster(Path(folder)), Path(folder), Sizes(tables=asked.tables), report)
        asyncio.run(rehearse(stage, asked.servers, asked.clusters))
    print(f"load {os.getloadavg()[0]:.1f}")
    print("all bars hold" if not report.missed else f"missed: {', '.join(report.missed)}")
    return bool(report.missed)


if __name__ == "__main__":
    sys.exit(main())
