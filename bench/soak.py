"""A long run with everything going wrong.   python bench/soak.py [--minutes N | --hours N] [--seed TEXT]

Tables are played without a pause while a seed decides what happens next: `kill -9`, a clean restart, a server
that stands still, a system's clock that jumps an hour back or on, readers that do not read, a full disk (if a
small one can be mounted). Every client checks what it hears; at the end it is compared with the server:
nothing lost, doubled, leaked or reordered. Memory, descriptors and the size of the file are printed.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # this file may be run by its name
from facedown.core.chance import pick_commitment
from facedown.server.store.sqlite.data_dir import DATABASE
from tests.attacks.jumping import JumpingServer
from tests.server.crash.crowd import Crowd, check_store, hold_against
from tests.server.programs import SocketPlayer, ask

CLOCK: Final = {"kind": "decision", "seconds": 60, "bank": 120}
HOUR: Final = 3600
DISK: Final = "64m"
LONG_MINUTES: Final = 30
"""From this length on, memory has to be flat: a table stays in memory for ten minutes after its end."""


@dataclass
class CheckingPlayer(SocketPlayer):
    """Plays, and checks every event: no number is missing, a seal says nothing of its pick, openings fit."""

    sealed_by: dict[tuple[int, int], str] = field(default_factory=dict)
    """The commitments that were heard, by decision and seat."""
    heads: dict[int, str] = field(default_factory=dict)
    """The heads on which decisions were opened."""

    def _take(self, message: dict[str, Any]) -> None:
        turn = message.get("turn") or message.get("table", {}).get("turn")
        if message.get("t") in ("ev", "snap") and turn and message.get("k") != "revealed":
            self.heads[turn["decision"]] = turn["head"]
        super()._take(message)
        if message.get("t") != "ev":
            return
        if message["k"] == "sealed":
            self._check_seal(message)
        elif message["k"] == "revealed":
            self._check_reveal(message)

    def _check_seal(self, event: dict[str, Any]) -> None:
        assert event.get("placer") != "clock", (
            f"the clock picked for seat {event['seat']}, which plays at once"
        )
        if event["seat"] != self.chair.seat:
            said = {"pick", "placed", "nonce", "opens", "view", "change"} & set(event)
            assert not said, f"a seal says more than it may: {said}"
        self.sealed_by[event["decision"], event["seat"]] = event["commit"]

    def _check_reveal(self, event: dict[str, Any]) -> None:
        for opened in event["opens"]:
            seat, decision = opened["seat"], event["decision"]
            nonce = bytes.fromhex(opened["nonce"])
            head = bytes.fromhex(self.heads[decision])
            commit = pick_commitment(self.chair.table, decision, seat, head, opened["pick"], nonce).hex()
            heard = self.sealed_by.get((decision, seat), commit)  # a snap may have come in between
            assert heard == commit, f"seat {seat} sealed something else in decision {decision}"
        if event.get("turn"):
            self.heads[event["turn"]["decision"]] = event["turn"]["head"]


@dataclass(frozen=True)
class Sample:
    """The process at one moment."""

    resident_mb: float
    descriptors: int
    file_mb: float


class Soak:
    """One run: a server, a crowd, and what happens to them."""

    def __init__(self, server: JumpingServer, crowd: Crowd, source: random.Random, disk: Path | None) -> None:
        self.server = server
        self.crowd = crowd
        self.source = source
        self.disk = disk
        self.samples: list[Sample] = []
        self.done: Counter[str] = Counter()
        self._slow: list[socket.socket] = []
        self._happenings: dict[str, Callable[[], Awaitable[None]]] = {
            "kill -9": self.kill,
            "restart": self.restart,
            "standstill": self.stand_still,
            "clock jump": self.jump,
            "slow readers": self.slow_readers,
            "quiet": self.quiet,
        }
        if disk is not None:
            self._happenings["full disk"] = self.fill_disk

    async def run(self, seconds: float) -> None:
        """Until the time is over; after each happening everybody must go on."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            name = self.source.choice(list(self._happenings))
            await self._happenings[name]()
            self.done[name] += 1
            await self.crowd.everybody_goes_on()
            await self.crowd.play_on(40)
            self.samples.append(self.sample())
        for each in self._slow:
            each.close()

    async def kill(self) -> None:
        """`kill -9` in the middle of play."""
        await asyncio.to_thread(self.server.kill)
        check_store(self.server)
        await asyncio.to_thread(self.server.start)

    async def restart(self) -> None:
        """A clean restart."""
        assert await asyncio.to_thread(self.server.stop) == 0
        await asyncio.to_thread(self.server.start)

    async def stand_still(self) -> None:
        """The process gets no time."""
        self.server.send(signal.SIGSTOP)
        await asyncio.sleep(2 + self.source.random())
        self.server.send(signal.SIGCONT)

    async def jump(self) -> None:
        """The system's clock is set, and the process may be killed under it."""
        self.server.set_clock(self.source.choice((-HOUR, 0, HOUR)))
        if self.source.random() < 0.5:
            await self.kill()

    async def slow_readers(self) -> None:
        """A few come, ask for a table, and never read a byte."""
        host, port = self.server.base.removeprefix("http://").split(":")
        for _ in range(5):
            reader = socket.create_connection((host, int(port)))
            table = self.source.choice(self.crowd.tables)
            line = f"GET /api/v1/tables/{table}/events?after=0 HTTP/1.1\r\nHost: {host}\r\n\r\n"
            with contextlib.suppress(OSError):
                reader.sendall(line.encode() * 20)
            self._slow.append(reader)
        while len(self._slow) > 20:
            self._slow.pop(0).close()

    async def fill_disk(self) -> None:
        """The disk is full until the programs have noticed."""
        assert self.disk is not None
        filler = self.disk / "filler"
        with filler.open("wb") as file, contextlib.suppress(OSError):
            while True:
                file.write(b"\0" * 65_536)
                file.flush()
        try:
            await self.crowd.is_refused(20)
        finally:
            filler.unlink()

    async def quiet(self) -> None:
        """Nothing happens."""
        await asyncio.sleep(1)

    def sample(self) -> Sample:
        """What the process holds now."""
        process = Path(f"/proc/{self.server.pid}")
        resident = next(line for line in (process / "status").read_text().splitlines() if "VmRSS" in line)
        size = sum(each.stat().st_size for each in self.server.data.glob(f"{DATABASE}*"))
        return Sample(int(resident.split()[1]) / 1024, len(list((process / "fd").iterdir())), size / 1e6)


@contextlib.contextmanager
def small_disk(folder: Path) -> Iterator[Path | None]:
    """A disk that can be filled; None where none can be mounted, which needs root."""
    disk = folder / "disk"
    disk.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={DISK}", "tmpfs", str(disk)]
    if subprocess.run(command, capture_output=True).returncode != 0:
        yield None
        return
    try:
        yield disk
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=False)


async def soak(seconds: float, seed: str, tables: int) -> bool:
    """Run it; whether everything held."""
    with tempfile.TemporaryDirectory(prefix="facedown-soak-") as folder, small_disk(Path(folder)) as disk:
        server = JumpingServer(disk or Path(folder), Path(folder) / "clock")
        server.logs_folder = Path(folder)
        server.start()
        try:
            crowd = Crowd(server, tables, CheckingPlayer, clock=CLOCK)
            await crowd.come()
            run = Soak(server, crowd, random.Random(seed), disk)
            began = time.monotonic()
            await run.run(seconds)
            await crowd.go()
            kept = await asyncio.to_thread(hold_against, server, crowd.ledger)
            flagged = 0
            for table in set(crowd.tables):
                flagged += await asyncio.to_thread(_flags, server, table)
            server.kill()
            check_store(server)
        finally:
            server.close()
    return report(run, kept, flagged, time.monotonic() - began)


def _flags(server: JumpingServer, table: str) -> int:
    """Picks of a table that the clock made: programs pick at once, so there must be none."""
    events = ask(server.base, "GET", f"/tables/{table}/events?after=0")["events"]
    return sum(event.get("placer") == "clock" for event in events)


def report(run: Soak, kept: int, flagged: int, seconds: float) -> bool:
    """Say what came out; whether all of it held."""
    print(f"{seconds:.0f} s: {', '.join(f'{count} × {name}' for name, count in sorted(run.done.items()))}")
    print(
        f"{kept:,} acknowledged picks at {len(set(run.crowd.tables)):,} tables: none lost, doubled or changed"
    )
    print(f"{flagged} picks made by a clock; {run.crowd.ledger.refused:,} writes refused and repeated")
    third = max(1, len(run.samples) // 3)
    flat = True
    for name in ("resident_mb", "descriptors", "file_mb"):
        first, last = (
            statistics.median(getattr(each, name) for each in part)
            for part in (run.samples[:third], run.samples[-third:])
        )
        print(f"{name}: {first:,.1f} in the first third, {last:,.1f} in the last")
        if name != "file_mb" and seconds > LONG_MINUTES * 60:
            flat = flat and last <= 1.3 * first + 10
    print("all of it held" if flat and not flagged else "SOMETHING DID NOT HOLD")
    return flat and not flagged


def main() -> int:
    """From the command line."""
    parser = argparse.ArgumentParser(description="A long run with everything going wrong.")
    parser.add_argument("--minutes", type=float, default=3, help="how long (default: 3)")
    parser.add_argument("--hours", type=float, default=0, help="how long, instead of minutes")
    parser.add_argument("--seed", default="1", help="decides what happens, and when")
    parser.add_argument("--tables", type=int, default=6, help="tables that are played at a time (default: 6)")
    asked = parser.parse_args()
    print(
        f"seed {asked.seed}, load of the machine {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores",
        flush=True,
    )
    held = asyncio.run(soak(asked.hours * 3600 or asked.minutes * 60, asked.seed, asked.tables))
    print(json.dumps({"held": held}))
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
