"""etcd, Patroni and HAProxy on the loopback, each with its file of `deploy/` and other addresses."""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import time
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import yaml  # type: ignore[import-untyped]

from tests import postgresql
from tests.patience import PATIENCE

DEPLOY: Final = Path(__file__).parent.parent.parent / "deploy"
HOST: Final = "127.0.0.1"
MEMBERS: Final = ("a", "b", "c")
_OLDEST: Final = (3, 1)
"""With 3.0.2 a primary that stood still takes its lock back when it wakes (patroni/patroni#2689)."""
_OF_DEPLOY: Final = "10.0.0."
"""How the addresses in `deploy/` begin."""


def missing(*names: str) -> list[str]:
    """Which of these programs are not here, or too old."""
    found = [each for each in names if find(each) is None]
    if "patroni" in names and "patroni" not in found and (version := _patroni_version()) < _OLDEST:
        found.append(f"a newer Patroni than {'.'.join(map(str, version))}, which loses acknowledged picks")
    return found


def find(program: str) -> str | None:
    """The path of a program."""
    of_system = f"{os.environ.get('PATH', '')}:/usr/sbin"
    return shutil.which(program, path=f"/opt/patroni/bin:{of_system}" if program == "patroni" else of_system)


class Programs:
    """Programs that run in a folder, each with a log of its own; they end with this."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        self._user = postgresql.as_ordinary_user()
        self._commands: dict[str, tuple[list[str], dict[str, str]]] = {}
        folder.mkdir(mode=0o777)
        folder.chmod(0o777)  # PostgreSQL runs as another user where this is root

    def run(
        self, name: str, program: str, *arguments: object, environment: Mapping[str, str] | None = None
    ) -> None:
        """Start one, as an ordinary user."""
        command = [str(find(program)), *map(str, arguments)]
        path = f"{postgresql.programs()}:{os.environ.get('PATH', '')}"
        own = {**self._user.get("env", os.environ), "PATH": path, **(environment or {})}
        self._commands[name] = command, own
        self._start(name)

    def _start(self, name: str) -> None:
        command, environment = self._commands[name]
        with (self.folder / f"{name}.log").open("ab") as log:
            how = {**self._user, "env": environment}
            self.running[name] = subprocess.Popen(command, cwd="/", stdout=log, stderr=log, **how)

    def close(self) -> None:
        """End them all, the last one first."""
        for process in reversed(self.running.values()):
            process.send_signal(signal.SIGCONT)
            process.terminate()
            process.wait()


class Etcd:
    """Three of it, with the settings of `deploy/etcd.env`."""

    def __init__(self, programs: Programs) -> None:
        clients, peers = free_ports(3), free_ports(3)
        self.hosts = [f"{HOST}:{port}" for port in clients]
        members = zip(MEMBERS, peers, strict=True)
        cluster = ",".join(f"{name}=http://{HOST}:{port}" for name, port in members)
        for name, client, peer in zip(MEMBERS, clients, peers, strict=True):
            settings = {
                key: value.replace(f"{_OF_DEPLOY}1:2379", f"{HOST}:{client}").replace(
                    f"{_OF_DEPLOY}1:2380", f"{HOST}:{peer}"
                )
                for key, value in _settings("etcd.env").items()
            }
            own = {"ETCD_NAME": name, "ETCD_DATA_DIR": str(programs.folder / f"etcd-{name}")}
            programs.run(
                f"etcd-{name}", "etcd", environment={**settings, **own, "ETCD_INITIAL_CLUSTER": cluster}
            )
        wait_for(lambda: all(_json(f"http://{host}/health").get("health") == "true" for host in self.hosts))


class PatroniCluster:
    """Three PostgreSQLs under Patroni with `deploy/patroni.yml`, whose passwords are new ones."""

    def __init__(self, programs: Programs, etcd: Etcd) -> None:
        self._programs, self._etcd = programs, etcd
        self._password = secrets.token_hex(8)
        self.postgres = dict(zip(MEMBERS, free_ports(3), strict=True))
        self.rest = dict(zip(MEMBERS, free_ports(3), strict=True))
        self._stopped: list[int] = []
        for name in MEMBERS:
            self._start(name)
            wait_for(self.primary)
        wait_for(self.is_whole)

    def url(self, port: int) -> str:
        """The address of its database by the port of a proxy."""
        return f"postgresql://facedown:{self._password}@{HOST}:{port}/facedown"

    def primary(self, besides: str = "") -> str:
        """The name of the primary; empty if there is none, or if it is `besides`."""
        for name in MEMBERS:
            if name != besides and _status(f"http://{HOST}:{self.rest[name]}/primary") == 200:
                return name
        return ""

    def is_whole(self) -> bool:
        """Whether there are a primary, a synchronous standby and another one, all of them streaming."""
        found = _json(f"http://{HOST}:{self.rest[self.primary() or 'a']}/cluster")
        members = found.get("members", ())
        states = {each["role"]: each["state"] for each in members}
        whole = len(members) == len(MEMBERS) and {"leader", "sync_standby", "replica"} == set(states)
        return whole and set(states.values()) <= {"running", "streaming"}

    def kill(self, name: str) -> None:
        """kill -9 of Patroni and of its PostgreSQL, as if the machine were gone."""
        for process in self._processes(name):
            os.kill(process, signal.SIGKILL)
        self._programs.running.pop(self._name(name)).wait()

    def freeze(self, name: str) -> None:
        """SIGSTOP of Patroni and of its PostgreSQL."""
        self._stopped = self._processes(name)
        for process in self._stopped:
            os.kill(process, signal.SIGSTOP)

    def switch_over(self, name: str) -> None:
        """The operator asks the primary to hand over."""
        body = json.dumps({"leader": name}).encode()
        address = f"http://{HOST}:{self.rest[name]}/switchover"
        with urllib.request.urlopen(urllib.request.Request(address, body), timeout=PATIENCE):
            pass

    def bring_back(self, name: str) -> None:
        """After `kill` or `freeze`: it comes back, and becomes a standby."""
        if self._name(name) not in self._programs.running:
            self._start(name)
        self.thaw()

    def thaw(self) -> None:
        """SIGCONT of what stands still."""
        for process in self._stopped:
            os.kill(process, signal.SIGCONT)
        self._stopped = []

    def _name(self, name: str) -> str:
        return f"patroni-{name}"

    def _start(self, name: str) -> None:
        own = self._programs.folder / self._name(name)
        file = own.with_suffix(".yml")
        file.write_text(yaml.safe_dump(self._configuration()))
        rest, listen = f"{HOST}:{self.rest[name]}", f"{HOST}:{self.postgres[name]}"
        settings = {
            "SCOPE": "facedown",
            "NAME": name,
            "RESTAPI_LISTEN": rest,
            "RESTAPI_CONNECT_ADDRESS": rest,
            "POSTGRESQL_LISTEN": listen,
            "POSTGRESQL_CONNECT_ADDRESS": listen,
            "POSTGRESQL_DATA_DIR": str(own),
            "POSTGRESQL_BIN_DIR": str(postgresql.programs()),
            "POSTGRESQL_PGPASS": str(own.with_suffix(".pgpass")),
            "SUPERUSER_PASSWORD": self._password,
            "REPLICATION_PASSWORD": self._password,
        }
        environment = {f"PATRONI_{key}": value for key, value in settings.items()}
        environment["FACEDOWN_PASSWORD"] = self._password
        self._programs.run(self._name(name), "patroni", file, environment=environment)

    def _configuration(self) -> dict[str, Any]:
        """The shipped one, with the loopback as its network, and sockets in a folder that is there."""
        text = (DEPLOY / "patroni.yml").read_text().replace(f"{_OF_DEPLOY}0/24", f"{HOST}/32")
        read: dict[str, Any] = yaml.safe_load(text.replace("/etc/patroni/make-database", self._make_database))
        read["etcd3"] = {"hosts": self._etcd.hosts}
        sockets = {"unix_socket_directories": str(self._programs.folder), "shared_buffers": "32MB"}
        read["postgresql"]["parameters"] = sockets
        return read

    @property
    def _make_database(self) -> str:
        """A copy that the other user may read."""
        copy = self._programs.folder / "make-database"
        shutil.copy(DEPLOY / "make-database", copy)
        copy.chmod(0o755)
        return str(copy)

    def _processes(self, name: str) -> list[int]:
        """Patroni, its PostgreSQL, and all processes of that."""
        lock = self._programs.folder / self._name(name) / "postmaster.pid"
        postmaster = lock.read_text().split()[0]
        children = Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text().split()
        return [self._programs.running[self._name(name)].pid, int(postmaster), *map(int, children)]


def run_primary(programs: Programs, cluster: PatroniCluster) -> str:
    """HAProxy beside the servers, with the file of `deploy/`; the address of the primary."""
    (port,) = free_ports(1)
    text = (DEPLOY / "haproxy-postgresql.cfg").read_text()
    text = re.sub(r'bind "\$\{PRIMARY_ADDRESS-127.0.0.1\}:\d+"', f"bind {HOST}:{port}", text)
    members = iter(MEMBERS)

    def address(found: re.Match[str]) -> str:
        member = next(members)
        return f"server {found[1]} {HOST}:{cluster.postgres[member]} check port {cluster.rest[member]}"

    copy = programs.folder / "haproxy-postgresql.cfg"
    copy.write_text(re.sub(r"server (\w+) \S+ check port 8008", address, text))
    programs.run("primary", "haproxy", "-q", "-db", "-f", copy)
    wait_for(lambda: _answers(port))
    return cluster.url(port)


def run_proxy(programs: Programs, ports: Sequence[int]) -> str:
    """HAProxy with `deploy/haproxy.cfg` in front of servers on these ports; its address once all are up.

    It has one more page, which says whether they are.
    """
    (port,) = free_ports(1)
    text = (DEPLOY / "haproxy.cfg").read_text().replace("bind :8080", f"bind {HOST}:{port}")
    lines = "".join(f"    server node{number} {HOST}:{each}\n" for number, each in enumerate(ports, 1))
    text = re.sub(r"(    server node\d .+\n)+", lines, text)
    watched = f"monitor-uri /proxy\n    monitor fail if {{ nbsrv(facedown) lt {len(ports)} }}\n    bind"
    file = programs.folder / "haproxy.cfg"
    file.write_text(text.replace("bind", watched, 1))
    programs.run("proxy", "haproxy", "-q", "-db", "-f", file)
    base = f"http://{HOST}:{port}"
    wait_until_up(base)
    return base


def wait_until_up(base: str) -> None:
    """Return once all servers are up in the eyes of the proxy at this address."""
    wait_for(lambda: _status(f"{base}/proxy") == 200)


def wait_for(ask: Callable[[], Any]) -> Any:
    """What is answered once it is not empty."""
    end = time.monotonic() + PATIENCE
    while not (found := ask()):
        if time.monotonic() > end:
            raise TimeoutError(ask)
        time.sleep(0.2)
    return found


def free_ports(count: int) -> list[int]:
    """Ports of the loopback that no one has now."""
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind((HOST, 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def _settings(file: str) -> dict[str, str]:
    """A file of settings for the environment."""
    lines = (DEPLOY / file).read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


def _patroni_version() -> tuple[int, ...]:
    command = [str(find("patroni")), "--version"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return tuple(map(int, re.findall(r"\d+", said)))


def _answers(port: int) -> bool:
    with socket.socket() as asking:
        return asking.connect_ex((HOST, port)) == 0


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
