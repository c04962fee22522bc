"""Three PostgreSQLs under Patroni, with etcd and HAProxy, as `deploy/` sets them up, that lose primaries."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import yaml  # type: ignore[import-untyped]

from bench.nemeses.stage import Stage
from tests import postgresql
from tests.cluster.nodes import ServerNodes
from tests.cluster.players import Players
from tests.patience import PATIENCE

_DEPLOY: Final = Path(__file__).parent.parent.parent / "deploy"
_PROGRAMS: Final = ("patroni", "etcd", "haproxy")
_HOST: Final = "127.0.0.1"
_NAMES: Final = ("a", "b", "c")
_OLDEST: Final = (3, 1)
"""With 3.0.2 a primary that stood still takes its lock back when it wakes (patroni/patroni#2689)."""
_BACK_S: Final = 45.0
"""From a lost primary to the next pick: `ttl`, a round of the standby, its promotion, HAProxy's checks."""


async def patroni(stage: Stage) -> None:
    """Patroni's primary is killed with its machine, stands still beyond its lease, and hands over."""
    if missing := [each for each in _PROGRAMS if shutil.which(each) is None]:
        print(f"  not here: {', '.join(missing)}: not run")
        return
    if (version := _version()) < _OLDEST:
        print(f"  Patroni {'.'.join(map(str, version))} is known to lose acknowledged picks: not run")
        return
    cluster = PatroniCluster(stage.new_folder("patroni"))
    nodes = None
    try:
        await cluster.start()
        cluster.sql(cluster.primary(), "create database games")
        nodes = stage.nodes(url=cluster.url("games"))
        players = Players(nodes, stage.tables, seed="patroni", think=0.1)
        await players.come()
        await players.everybody_goes_on()
        for name, fail in (
            ("killed", cluster.kill),
            ("standing still", cluster.freeze),
            ("handing over", None),
        ):
            await _lose_primary(stage, nodes, cluster, players, name, fail)
        await stage.check(players)
        refused = players.refusals
        stage.report.bar("refusals", str(sorted(refused) or "none"), refused <= {"store_failed"}, "503")
    finally:
        if nodes is not None:
            nodes.close()
        cluster.close()


async def _lose_primary(
    stage: Stage,
    nodes: ServerNodes,
    cluster: PatroniCluster,
    players: Players,
    name: str,
    fail: Callable[[str], None] | None,
) -> None:
    """The primary fails; another one takes over, people play on, and it comes back as a standby."""
    before = await asyncio.to_thread(cluster.primary)
    begun = time.perf_counter()
    if fail is None:
        await asyncio.to_thread(cluster.switch_over, before)
    else:
        await asyncio.to_thread(fail, before)
    after = await cluster.wait_for(lambda: cluster.primary(besides=before))
    await players.play_on(1)
    took = time.perf_counter() - begun
    stage.report.at_most(f"a primary {name}, {before} to {after}: the next pick", took, _BACK_S)
    if fail is not None:
        await asyncio.to_thread(cluster.bring_back, before)
    await cluster.wait_for(cluster.is_whole)
    await players.everybody_goes_on()
    print(
        f"         load {os.getloadavg()[0]:.1f}, {sum(len(log.acked) for log in players.logs)} acknowledged"
    )


class PatroniCluster:
    """One etcd, three Patronis with their PostgreSQLs, and HAProxy, on free ports of the loopback."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._user = postgresql.as_ordinary_user()
        self._postgres = dict(zip(_NAMES, _free_ports(3), strict=True))
        self._rest = dict(zip(_NAMES, _free_ports(3), strict=True))
        self._etcd, self._peer, self._proxy = _free_ports(3)
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self._stopped: list[int] = []

    def url(self, database: str) -> str:
        """The address of a database at the primary, whichever that is."""
        return f"postgresql://postgres@{_HOST}:{self._proxy}/{database}"

    async def start(self) -> None:
        """Start all, and return when there are a primary and two standbys, one of them synchronous."""
        self._folder.mkdir(mode=0o777)
        self._folder.chmod(0o777)  # PostgreSQL runs as another user where this is root
        client, peer = f"http://{_HOST}:{self._etcd}", f"http://{_HOST}:{self._peer}"
        self._run(
            "etcd",
            *("--data-dir", self._folder / "etcd-data", "--listen-client-urls", client),
            *("--advertise-client-urls", client, "--listen-peer-urls", peer),
            *("--initial-advertise-peer-urls", peer, "--initial-cluster", f"default={peer}"),
        )
        await self.wait_for(lambda: _json(f"{client}/health"))
        for name in _NAMES:
            self._start_patroni(name)
            await self.wait_for(self.primary)
        await self.wait_for(self.is_whole)
        file = self._folder / "haproxy.cfg"
        file.write_text(self._proxy_configuration())
        self._run("haproxy", "-q", "-db", "-f", file)
        await self.wait_for(lambda: _answers(self._proxy))

    def primary(self, besides: str = "") -> str:
        """The name of the primary; empty if there is none, or if it is `besides`."""
        for name in _NAMES:
            if name != besides and _status(f"http://{_HOST}:{self._rest[name]}/primary") == 200:
                return name
        return ""

    def is_whole(self) -> bool:
        """Whether there are a primary, a synchronous standby and another one, all of them streaming."""
        found = _json(f"http://{_HOST}:{self._rest[self.primary() or 'a']}/cluster")
        members = found.get("members", ())
        states = {each["role"]: each["state"] for each in members}
        whole = len(members) == len(_NAMES) and {"leader", "sync_standby", "replica"} == set(states)
        return whole and set(states.values()) <= {"running", "streaming"}

    def kill(self, name: str) -> None:
        """kill -9 of Patroni and of its PostgreSQL, as if the machine were gone."""
        for process in self._processes(name):
            os.kill(process, signal.SIGKILL)
        self._running.pop(name).wait()

    def freeze(self, name: str) -> None:
        """SIGSTOP of Patroni and of its PostgreSQL."""
        self._stopped = self._processes(name)
        for process in self._stopped:
            os.kill(process, signal.SIGSTOP)

    def switch_over(self, name: str) -> None:
        """The operator asks the primary to hand over."""
        body = json.dumps({"leader": name}).encode()
        address = f"http://{_HOST}:{self._rest[name]}/switchover"
        with urllib.request.urlopen(urllib.request.Request(address, body), timeout=PATIENCE):
            pass

    def bring_back(self, name: str) -> None:
        """After `kill` or `freeze`: it comes back, and becomes a standby."""
        if name not in self._running:
            self._start_patroni(name)
        for process in self._stopped:
            os.kill(process, signal.SIGCONT)
        self._stopped = []

    def sql(self, name: str, statement: str) -> str:
        """Run a statement at one of the three; what it returns."""
        address = f"host={_HOST} port={self._postgres[name]} user=postgres dbname=postgres"
        return postgresql.run("psql", "-X", "-q", "-A", "-t", "-c", statement, address)

    async def wait_for(self, ask: Callable[[], Any]) -> Any:
        """What is answered once it is not empty."""
        async with asyncio.timeout(PATIENCE):
            while not (found := await asyncio.to_thread(ask)):
                await asyncio.sleep(0.2)
        return found

    def close(self) -> None:
        """End everything, however it stands."""
        for process in self._stopped:
            os.kill(process, signal.SIGCONT)
        for name in (*_NAMES, "haproxy", "etcd"):
            if (running := self._running.get(name)) is not None:
                running.terminate()  # Patroni stops its PostgreSQL
                running.wait()

    def _run(self, name: str, *arguments: object, program: str = "") -> None:
        command = [str(shutil.which(program or name)), *map(str, arguments)]
        with (self._folder / f"{name}.log").open("ab") as log:
            self._running[name] = subprocess.Popen(command, cwd="/", stdout=log, stderr=log, **self._user)

    def _start_patroni(self, name: str) -> None:
        file = self._folder / f"{name}.yml"
        file.write_text(yaml.safe_dump(self._configuration(name)))
        self._run(name, file, program="patroni")

    def _configuration(self, name: str) -> dict[str, Any]:
        """The shipped one, with these addresses, and without passwords."""
        read: dict[str, Any] = yaml.safe_load((_DEPLOY / "patroni.yml").read_text())
        rest, listen = f"{_HOST}:{self._rest[name]}", f"{_HOST}:{self._postgres[name]}"
        read |= {"name": name, "restapi": {"listen": rest, "connect_address": rest}}
        read["etcd3"] = {"hosts": [f"{_HOST}:{self._etcd}"]}
        read["postgresql"] |= {
            "listen": listen,
            "connect_address": listen,
            "data_dir": str(self._folder / name),
            "bin_dir": str(postgresql.programs()),
            "pgpass": str(self._folder / f"{name}.pgpass"),
            "parameters": {"unix_socket_directories": str(self._folder), "shared_buffers": "32MB"},
            "pg_hba": ["local all all trust", "host all all all trust", "host replication all all trust"],
        }
        return read

    def _proxy_configuration(self) -> str:
        text = (_DEPLOY / "haproxy-postgresql.cfg").read_text()
        text = text.replace("bind 127.0.0.1:5000", f"bind {_HOST}:{self._proxy}")
        for name in _NAMES:
            address = f"server {name} {_HOST}:{self._postgres[name]} check port {self._rest[name]}"
            text = re.sub(rf"server {name} \S+ check port 8008", address, text)
        return text

    def _processes(self, name: str) -> list[int]:
        """Patroni, its PostgreSQL, and all processes of that."""
        lock = self._folder / name / "postmaster.pid"
        postmaster = lock.read_text().split()[0]
        children = Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text().split()
        return [self._running[name].pid, int(postmaster), *map(int, children)]


def _version() -> tuple[int, ...]:
    said = subprocess.run(["patroni", "--version"], capture_output=True, text=True, check=True).stdout
    return tuple(map(int, re.findall(r"\d+", said)))


def _free_ports(count: int) -> list[int]:
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind((_HOST, 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def _answers(port: int) -> bool:
    with socket.socket() as asking:
        return asking.connect_ex((_HOST, port)) == 0


def _status(address: str) -> int:
    try:
        with urllib.request.urlopen(address, timeout=2) as answer:
            return int(answer.status)
    except OSError as error:  # 503, or it is gone, or stands still
        return int(getattr(error, "code", 0))


def _json(address: str) -> dict[str, Any]:
    try:
        with urllib.request.urlopen(address, timeout=2) as answer:
            return dict(json.loads(answer.read()))
    except OSError:
        return {}
