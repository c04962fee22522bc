"""A PostgreSQL of the tests' own: one cluster for a whole run, which ends with it, and clean databases in it.

The cluster lies in a folder of its own and listens on a socket there. Where tests run as root, it runs as an
ordinary user, because PostgreSQL refuses root.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import pwd
import random
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from tests.needs import without
from tests.patience import PATIENCE

_OPTIONS = {
    "autovacuum": "off",
    "fsync": "off",  # what is tested here survives processes, not the loss of power
    "listen_addresses": "",
    "max_connections": "200",
    "shared_buffers": "32MB",
    "max_wal_size": "2GB",
}
_PROGRAMS = ("initdb", "pg_basebackup", "pg_ctl", "postgres", "psql")
_WATCH = """(
    while kill -0 "$1"; do sleep 1; done
    kill -QUIT "$(head -n 1 "$2/data/postmaster.pid")"; sleep 1; rm -rf "$2" "$2.lock"
) &"""
"""Ends a cluster when the run of the tests is over, however that ended."""


class Cluster:
    """A PostgreSQL server in a folder."""

    def __init__(self, folder: Path, **options: str) -> None:
        self.folder = folder
        self.data = folder / "data"
        self._options = {**_OPTIONS, "unix_socket_directories": str(folder), **options}

    def url(self, database: str) -> str:
        """The address of one of its databases."""
        return f"postgresql:///{database}?host={self.folder}&user=postgres"

    def new_url(self, database: str) -> str:
        """The address of a new database."""
        self.sql(f"create database {database}")
        return self.url(database)

    def make(self) -> Cluster:
        """Make its files; it is not started."""
        self.folder.mkdir(mode=0o755, parents=True)
        if os.getuid() == 0:
            shutil.chown(self.folder, _ordinary_user())
        how = ("-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync")
        run("initdb", "-D", self.data, *how)
        return self

    def copy_of(self, primary: Cluster, name: str) -> Cluster:
        """Make it as the standby of another one, by the name that this one knows it by."""
        self.folder.mkdir(mode=0o755, parents=True)
        if os.getuid() == 0:
            shutil.chown(self.folder, _ordinary_user())
        source = f"host={primary.folder} user=postgres application_name={name}"
        run("pg_basebackup", "-D", self.data, "-d", source, "-R", "-c", "fast", "--no-sync")
        return self

    def start(self) -> Cluster:
        """Start it, and return when it answers."""
        options = " ".join(f"-c {name}='{value}'" for name, value in self._options.items())
        log = self.folder / "log"
        run("pg_ctl", "start", "-D", self.data, "-l", log, "-w", "-t", f"{PATIENCE:.0f}", "-o", options)
        return self

    def stop(self, mode: str = "immediate") -> None:
        """Stop it; `immediate` is like a crash."""
        run("pg_ctl", "stop", "-D", self.data, "-m", mode, "-w", "-t", f"{PATIENCE:.0f}")

    def kill(self) -> None:
        """kill -9 of the postmaster; returns when the processes that it leaves behind have ended, too."""
        lock = self.data / "postmaster.pid"
        pids = [lock.read_text().split()[0], *self.sql("select pid from pg_stat_activity").split()]
        os.kill(int(pids[0]), signal.SIGKILL)
        end = time.monotonic() + PATIENCE
        while not all(map(_has_ended, pids)):
            assert time.monotonic() < end, f"processes of PostgreSQL outlive it: {pids}"
            time.sleep(0.01)
        for each in (lock, *self.folder.glob(".s.PGSQL.*.lock")):
            each.unlink()  # else the next one waits until the system has forgotten this process

    def start_again(self) -> None:
        """Start it after it was killed: it refuses while a process of the one before is left."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                self.start()
            except AssertionError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.1)
            else:
                return

    def kill_backend(self, source: random.Random) -> None:
        """kill -9 of a process that serves a client: PostgreSQL ends all others, and recovers."""
        clients = "select pid from pg_stat_activity where application_name like 'facedown%'"
        found = self.sql(clients).split()
        if found:
            os.kill(int(source.choice(found)), signal.SIGKILL)

    def terminate(self, share: float = 1.0, application: str = "facedown%") -> int:
        """`pg_terminate_backend` of a share of the connections of an application; how many."""
        chosen = f"application_name like '{application}' and random() < {share}"
        return int(self.sql(f"select count(pg_terminate_backend(pid)) from pg_stat_activity where {chosen}"))

    def promote(self) -> None:
        """A standby becomes a primary."""
        run("pg_ctl", "promote", "-D", self.data, "-w", "-t", f"{PATIENCE:.0f}")

    def sql(self, statement: str, database: str = "postgres") -> str:
        """Run a statement; what it returns."""
        how = ("-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1")
        return run("psql", *how, "-c", statement, self.url(database))


def _has_ended(pid: str) -> bool:
    """Whether a process has ended, even if the system has not forgotten it yet."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


@cache
def programs() -> Path:
    """The folder with all of PostgreSQL's programs; the test is skipped if there is none.

    The path may hold only links to some of them, and Debian puts none of them there.
    """
    in_path = [Path(folder, "initdb").resolve().parent for folder in os.get_exec_path()]
    of_debian = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda each: float(each.parts[-2]))
    for folder in (*in_path, *reversed(of_debian)):
        if all(os.access(folder / name, os.X_OK) for name in _PROGRAMS):
            return folder
    return without("PostgreSQL is not installed (apt install postgresql): its store is not tested")


def run(program: str, *arguments: object) -> str:
    """Run a program of PostgreSQL as an ordinary user; what it printed."""
    ran = subprocess.run(
        [str(programs() / program), *map(str, arguments)],
        cwd="/",
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE if program not in ("pg_ctl",) else subprocess.DEVNULL,
        stderr=subprocess.PIPE if program not in ("pg_ctl",) else subprocess.DEVNULL,
        text=True,
        **as_ordinary_user(),
    )
    assert ran.returncode == 0, f"{program} failed: {ran.stderr or ran.stdout or arguments}"
    return (ran.stdout or "").strip()


def read(program: str, *arguments: object) -> bytes:
    """Run a program of PostgreSQL as an ordinary user; the bytes that it wrote."""
    command = [str(programs() / program), *map(str, arguments)]
    ran = subprocess.run(
        command, cwd="/", stdin=subprocess.DEVNULL, capture_output=True, **as_ordinary_user()
    )
    assert ran.returncode == 0, f"{program} failed: {ran.stderr.decode()}"
    return bytes(ran.stdout)


def _ordinary_user() -> str:
    names = {each.pw_name for each in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


def as_ordinary_user() -> dict[str, Any]:
    """Arguments of `subprocess` for a program that root may not run."""
    if os.getuid() != 0:
        return {}
    user = pwd.getpwnam(_ordinary_user())
    environment = {**os.environ, "HOME": user.pw_dir}
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": (), "env": environment}


@cache
def of_this_run() -> Cluster:
    """The cluster of all tests of this run: made by the first worker that needs it."""
    run_id = os.getppid() if "PYTEST_XDIST_WORKER" in os.environ else os.getpid()
    folder = Path(tempfile.gettempdir()) / f"facedown-postgresql-{os.getuid()}-{run_id}"
    cluster = Cluster(folder)
    programs()
    with locked(folder.with_suffix(".lock")):
        if not (folder / "ready").exists():
            shutil.rmtree(folder, ignore_errors=True)
            end_with(run_id, cluster.make())
            cluster.start()
            (folder / "ready").touch()
    return cluster


def end_with(process: int, cluster: Cluster) -> None:
    """Stop a cluster and remove its files when a process has ended."""
    subprocess.run(
        ["sh", "-c", _WATCH, "watch", str(process), str(cluster.folder)],
        check=True,
        cwd="/",
        start_new_session=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Only one process at a time."""
    lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


_EMPTY = """do $$ declare name text; begin
    if to_regclass('facedown.version') is null then return; end if;
    set local session_replication_role = replica; -- without the triggers that keep events
    for name in select tablename from pg_tables where schemaname = 'facedown'
            and tablename not in ('version', 'barrier') loop
        execute format('delete from facedown.%I', name);
    end loop;
end $$"""
_databases: set[str] = set()


def clean_database(name: str = "") -> str:
    """The address of a database of this worker, with nothing in it."""
    worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
    name = f"facedown_{worker}_{name}".rstrip("_")
    cluster = of_this_run()
    if name in _databases:
        cluster.sql(_EMPTY, name)
    else:
        cluster.sql(f"create database {name}")
        _databases.add(name)
    return cluster.url(name)
