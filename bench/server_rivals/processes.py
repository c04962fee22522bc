"""Starting servers on a core of their own, and reading what they cost. Knows no system by name."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

TICKS: Final = os.sysconf("SC_CLK_TCK")
PATIENCE: Final = 60.0
"""Seconds after which a server that does not listen has failed."""


def cores() -> tuple[int, int]:
    """The core of servers and the core of the load; the same where there is only one."""
    allowed = sorted(os.sched_getaffinity(0))
    return allowed[0], allowed[-1]


@dataclass(frozen=True, slots=True)
class Running:
    """A server that listens."""

    process: subprocess.Popen[bytes]
    url: str

    def cpu_seconds(self) -> float:
        """Processor time so far, of all threads and children that are alive."""
        return sum(_ticks(pid) for pid in family(self.process.pid)) / TICKS

    def resident(self) -> int:
        """Bytes in memory."""
        return sum(_resident(pid) for pid in family(self.process.pid))

    def kill(self) -> None:
        """`kill -9`, all of it."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


@contextmanager
def serving(
    command: list[str],
    folder: Path,
    environment: Mapping[str, str],
    log: Path,
    on: Iterable[int] | None = None,
) -> Iterator[Running]:
    """A server for as long as the block lasts, on the first core or on these; nothing of it is left
    afterwards."""
    with log.open("ab") as written:
        start = written.tell()
        process = subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            stdout=written,
            stderr=written,
            start_new_session=True,
        )
    os.sched_setaffinity(process.pid, on or cores()[:1])
    try:
        yield Running(process, f"http://127.0.0.1:{_port(process, log, start)}")
    finally:
        _end(process)


def _port(process: subprocess.Popen[bytes], log: Path, start: int) -> int:
    """The port that the server says it listens on: `listening PORT`, or an address."""
    give_up = time.monotonic() + PATIENCE
    while time.monotonic() < give_up and process.poll() is None:
        said = log.read_bytes()[start:].decode(errors="replace")
        found = re.search(r"(?:listening |https?://[\w.\[\]]+:)([0-9]+)\b", said)
        if found:
            return int(found[1])
        time.sleep(0.05)
    raise RuntimeError(f"the server does not listen; it said: {log.read_text(errors='replace')[-2000:]}")


def _end(process: subprocess.Popen[bytes]) -> None:
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
            process.wait(timeout=5)
        except ProcessLookupError:
            return
        except subprocess.TimeoutExpired:
            continue


# --- the load --------------------------------------------------------------------------------------------


@contextmanager
def loading(command: list[str], folder: Path) -> Iterator[subprocess.Popen[str]]:
    """The load on the last core; gone when the block ends."""
    _, core = cores()
    process = subprocess.Popen(
        command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    os.sched_setaffinity(process.pid, {core})
    try:
        yield process
    finally:
        _end_load(process)


def _end_load(process: subprocess.Popen[str]) -> None:
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()


def said(load: subprocess.Popen[str], event: str) -> dict[str, Any]:
    """Waits until the load says this; raises where it fails instead."""
    assert load.stdout is not None
    for line in load.stdout:
        found: dict[str, Any] = json.loads(line)
        if found["event"] == event:
            return found
        if found["event"] == "failure":
            raise RuntimeError(f"the load has failed: {found['why']}")
    raise RuntimeError(f"the load has ended before it said {event!r}")


# --- /proc -----------------------------------------------------------------------------------------------


def family(root: int) -> list[int]:
    """A process and its descendants."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and (fields := _stat(int(entry.name))):
            parents[int(entry.name)] = int(fields[1])
    found = [root]
    for pid in found:  # grows while it is walked
        found.extend(child for child, parent in parents.items() if parent == pid)
    return found


def _stat(pid: int) -> list[str]:
    """The fields after the name; empty where the process is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def _ticks(pid: int) -> int:
    fields = _stat(pid)
    return int(fields[11]) + int(fields[12]) if fields else 0


def _resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")
    except OSError:
        return 0


def busy_seconds(core: int) -> float:
    """How long a core has been busy so far, with whatever."""
    for line in Path("/proc/stat").read_text().splitlines():
        name, *fields = line.split()
        if name == f"cpu{core}":
            user, nice, system, _idle, _waiting, interrupts, soft, stolen = map(int, fields[:8])
            return (user + nice + system + interrupts + soft + stolen) / TICKS
    return 0.0


def fdatasyncs_per_second(folder: Path, seconds: float = 1.0) -> float:
    """How often a second this folder's disk takes a page for good."""
    path = folder / "fdatasync"
    page = os.urandom(4096)
    opened = os.open(path, os.O_CREAT | os.O_WRONLY)
    try:
        count, begun = 0, time.perf_counter()
        while (spent := time.perf_counter() - begun) < seconds:
            os.pwrite(opened, page, 4096 * (count % 256))
            os.fdatasync(opened)
            count += 1
    finally:
        os.close(opened)
        path.unlink()
    return count / spent


def filesystem(folder: Path) -> str:
    """The kind of file system that a folder lies on: on `tmpfs` nothing is durable."""
    best, kind = "", "unknown"
    for line in Path("/proc/mounts").read_text().splitlines():
        _, where, what = line.split()[:3]
        if len(where) >= len(best) and folder.resolve().is_relative_to(where):
            best, kind = where, what
    return kind
