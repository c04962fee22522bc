"""What one flooding address costs the others.   python bench/flood.py [--store …] [--only KIND …]

Programs play at tables; their acknowledgements are timed in turns, quiet and flooded. Each kind of flood
comes from one address, as fast as possible: requests, sockets, new names, verdicts, expensive requests. The
result is the ratio within one run. In the control run the flooder works as hard but sends nothing, which
shows what sharing the machine costs. The bar: p99 flooded less than twice the quiet one. On a busy machine,
compare it with the control run. In the run `waiting`, 50 people of the address look for an opponent and 50
bodies are half sent; neighbours at the same address are timed, from the session to the first pick by REST.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any, Final

import websockets
from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # this file may be run by its name
from bench.interpreter import interpreter
from facedown.protocol.messages import SUBPROTOCOL
from tests.server.crash.crowd import Crowd
from tests.server.http.client import Caller, sit_down
from tests.server.programs import Ledger, SocketPlayer, program, set_table
from tests.server.running import Server, on_database

FLOODER: Final = "198.51.100.7"
CONNECTIONS: Final = 32
BAR: Final = 2.0
_PACE_S: Final = 4.0
USUAL: Final = {
    "FACEDOWN_PROXIES": "127.0.0.1",  # the programs' own address is the proxy's: only the flooder has limits
    "FACEDOWN_REQUESTS": "900",
    "FACEDOWN_FRAMES": "200",
    "FACEDOWN_SOCKETS": "100",
}
Flood = Callable[[str, str, "Counter[str]"], Coroutine[Any, Any, None]]


# --- the floods ------------------------------------------------------------------------------------------


async def requests(base: str, bearer: str, seen: Counter[str], line: str = "GET /api/v1/games") -> None:
    """One request after the other on many connections, as fast as they are answered."""
    await asyncio.gather(*(_request(base, bearer, seen, line) for _ in range(CONNECTIONS)))


async def _request(base: str, bearer: str, seen: Counter[str], line: str) -> None:
    host, port = base.removeprefix("http://").split(":")
    number = 0
    while True:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError, ValueError):
            reader, writer = await asyncio.open_connection(host, int(port))
            try:
                while True:
                    number += 1
                    body = json.dumps({"name": f"Flood {number}"}) if line.startswith("PATCH") else ""
                    writer.write(
                        f"{line.format(number=number)} HTTP/1.1\r\nHost: {host}\r\n"
                        f"X-Forwarded-For: {FLOODER}\r\nAuthorization: Bearer {bearer}\r\n"
                        f"Content-Type: application/json\r\n"
                        f"Content-Length: {len(body)}\r\n\r\n{body}".encode()
                    )
                    head = await reader.readuntil(b"\r\n\r\n")
                    seen[head[9:12].decode()] += 1
                    if b"connection: close" in head.lower():
                        break
                    size = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0])
                    await reader.readexactly(size)
            finally:
                writer.close()
        await asyncio.sleep(0)


async def names(base: str, bearer: str, seen: Counter[str]) -> None:
    """Change the name again and again."""
    await requests(base, bearer, seen, "PATCH /api/v1/session")


async def home(base: str, bearer: str, seen: Counter[str]) -> None:
    """The first page."""
    await requests(base, bearer, seen, "GET /")


async def records(base: str, bearer: str, seen: Counter[str]) -> None:
    """The record of a long game that is over."""
    chairs = await set_table(base, "ecard", 2)
    ledger = Ledger()
    await asyncio.gather(*(SocketPlayer(each, ledger, random.Random(each.seat)).play() for each in chairs))
    await requests(base, bearer, seen, f"GET /api/v1/tables/{chairs[0].table}/record")


async def frames(base: str, bearer: str, seen: Counter[str]) -> None:
    """Commands that are refused, from as many spectators as an address may have."""
    table = (await set_table(base, "ecard", 2, public=True))[0].table
    await asyncio.gather(*(_commands(base, table, seen) for _ in range(90)))


async def _commands(base: str, table: str, seen: Counter[str]) -> None:
    head = {"X-Forwarded-For": FLOODER}
    url, protocol = base.replace("http", "ws", 1) + "/ws/v1", Subprotocol(SUBPROTOCOL)
    while True:
        with contextlib.suppress(OSError, websockets.WebSocketException):
            async with connect(
                url, subprotocols=[protocol], compression=None, additional_headers=head
            ) as socket:
                await socket.send(json.dumps({"t": "hello", "table": table, "token": None}))
                await socket.recv()
                for number in range(280):
                    await socket.send(f'{{"t":"cmd","id":"flood{number}","do":"resign"}}')
                    seen["sent"] += 1
                while True:
                    await socket.recv()
        await asyncio.sleep(0.05)


async def expensive(base: str, bearer: str, seen: Counter[str]) -> None:
    """The requests that take most work: exports."""
    await requests(base, bearer, seen, "GET /api/v1/people/me/data")


async def verdicts(base: str, bearer: str, seen: Counter[str]) -> None:
    """Verdicts on one rule set after the other."""
    line = "GET /api/v1/games/ecard/verdict?rules=purse(max_stake={number})"
    await requests(base, bearer, seen, line)


async def sockets(base: str, bearer: str, seen: Counter[str]) -> None:
    """Sockets that send nonsense, and come back as soon as they were closed."""
    await asyncio.gather(*(_socket(base, seen) for _ in range(8)))


async def _socket(base: str, seen: Counter[str]) -> None:
    url = base.replace("http", "ws", 1) + "/ws/v1"
    head = {"X-Forwarded-For": FLOODER}
    protocol = Subprotocol(SUBPROTOCOL)
    while True:
        try:
            async with connect(
                url, subprotocols=[protocol], compression=None, additional_headers=head
            ) as socket:
                await socket.send(json.dumps({"t": "hello", "table": "0" * 26, "token": None}))
                while True:
                    await socket.send('{"t":"pong"}')
        except websockets.InvalidStatus as refused:
            seen[str(refused.response.status_code)] += 1
        except (OSError, websockets.WebSocketException):
            seen["closed"] += 1
        await asyncio.sleep(0.01)


async def waiting(base: str, bearer: str, seen: Counter[str]) -> None:
    """People who look for an opponent, and bodies that are half sent."""
    people = await asyncio.gather(*(asyncio.to_thread(_guest, base) for _ in range(50)))
    tickets = (_waits(base, each, number, seen) for number, each in enumerate(people, 1))
    await asyncio.gather(*tickets, *(_half_sent(base, number, seen) for number in range(50)))


def _guest(base: str) -> Caller:
    caller = Caller(base)
    caller.http.headers["X-Forwarded-For"] = FLOODER
    while True:
        with contextlib.suppress(AssertionError):  # too many at once
            caller.begin("Guest")
            return caller
        time.sleep(0.5)


async def _waits(base: str, person: Caller, number: int, seen: Counter[str]) -> None:
    clock = {"kind": "decision", "seconds": 20}
    body = json.dumps({"game": "ecard", "rules": f"purse(max_stake={number})", "clock": clock})
    line = "PUT /api/v1/pairing/ticket?wait=5"
    await _again_and_again(number, seen, lambda: _sent(base, line, body, len(body), person.token))


async def _half_sent(base: str, number: int, seen: Counter[str]) -> None:
    line = "POST /api/v1/session"
    await _again_and_again(number, seen, lambda: _sent(base, line, '{"name":', 100))


async def _again_and_again(number: int, seen: Counter[str], send: Callable[[], Awaitable[str]]) -> None:
    """Send when the last one is over, which is rarely soon: this is no flood of requests."""
    await asyncio.sleep(0.1 * number)
    while True:
        seen[await send()] += 1
        await asyncio.sleep(1)


async def _sent(base: str, line: str, body: str, length: int, bearer: str = "") -> str:
    """The status of a request that says it has a body of this length."""
    host, port = base.removeprefix("http://").split(":")
    more = f"Authorization: Bearer {bearer}\r\n" if bearer else ""
    head = f"{line} HTTP/1.1\r\nHost: {host}\r\nX-Forwarded-For: {FLOODER}\r\nConnection: close\r\n{more}"
    with contextlib.suppress(OSError):
        reader, writer = await asyncio.open_connection(host, int(port))
        try:
            writer.write(
                f"{head}Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}".encode()
            )
            return (await reader.read())[9:12].decode()
        finally:
            writer.close()
    return "closed"


async def nothing(base: str, bearer: str, seen: Counter[str]) -> None:
    """The control: a process that works on this machine as hard, and sends nothing."""
    while True:
        sum(range(100_000))
        await asyncio.sleep(0)


FLOODS: Final[dict[str, Flood]] = {
    "control": nothing,
    "requests": requests,
    "sockets": sockets,
    "names": names,
    "verdicts": verdicts,
    "expensive": expensive,
    "home": home,
    "records": records,
    "frames": frames,
    "waiting": waiting,
}


# --- measuring -------------------------------------------------------------------------------------------


def _flood(kind: str, base: str, bearer: str, report: Path) -> None:
    """Flood until the process is killed."""
    seen: Counter[str] = Counter()
    part = report.with_suffix(".part")

    async def run() -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(3600):
                task = asyncio.create_task(FLOODS[kind](base, bearer, seen))
                while not task.done():
                    await asyncio.sleep(0.2)
                    part.write_text(json.dumps(seen))
                    part.replace(report)  # it may be killed at any moment

    asyncio.run(run())


async def measure(kind: str, asked: argparse.Namespace) -> tuple[dict[bool, list[float]], Counter[str]]:
    """Play with and without the flood: the times of all acknowledgements, and the answers to the flooder."""
    with tempfile.TemporaryDirectory(prefix="facedown-bench-") as folder:
        data = Path(folder) / "data"
        store = on_database(data) if asked.store == "postgresql" else {}
        server = Server(data, **USUAL, **store).start()
        report = Path(folder) / "flooder.json"
        seen: Counter[str] = Counter()
        try:
            bearer = await program(server.base)
            crowd = Neighbours(server) if kind == "waiting" else Crowd(server, asked.tables)
            await crowd.come()
            waits: dict[bool, list[float]] = {False: [], True: []}
            for _ in range(asked.turns):
                for flooded in (False, True):
                    flooder = await _start(kind, server.base, bearer, report) if flooded else None
                    before = len(crowd.ledger.waits)
                    await asyncio.sleep(asked.seconds)
                    await crowd.play_on(2)  # or there would be nothing to compare
                    waits[flooded] += crowd.ledger.waits[before:]
                    if flooder is not None:
                        with contextlib.suppress(ProcessLookupError):
                            flooder.kill()
                        await flooder.wait()
                        seen.update(json.loads(report.read_text()))
            await crowd.go()
        finally:
            server.close()
    return waits, seen


class Neighbours:
    """People of the flooder's own address: new sessions, a table, a pick by REST, again and again."""

    def __init__(self, server: Server) -> None:
        self.ledger = Ledger()
        self._base = server.base

    async def come(self) -> None:
        """They are there."""

    async def play_on(self, times: int) -> None:
        """Play a few times, no faster than the limits of an address allow."""
        for _ in range(times):
            self.ledger.waits.append(await asyncio.to_thread(self._play))
            await asyncio.sleep(_PACE_S)

    def _play(self) -> float:
        with Caller(self._base) as ann, Caller(self._base) as bob:
            began = time.perf_counter()
            for each in (ann, bob):
                each.http.headers["X-Forwarded-For"] = FLOODER
                each.begin("Neighbour")
            table = sit_down(ann, bob)
            turn = ann.see(table)["table"]["turn"]
            caller = (ann, bob)[turn["may_seal"][0] - 1]
            caller.pick(table, turn["may_seal"][0], turn["decision"], caller.see(table)["legal"][0])
            return time.perf_counter() - began

    async def go(self) -> None:
        """They leave."""


async def _start(kind: str, base: str, bearer: str, report: Path) -> asyncio.subprocess.Process:
    """A flooder; returns when it has begun."""
    report.unlink(missing_ok=True)
    options = {"flood": kind, "base": base, "bearer": bearer, "report": report}
    words = [f"--{name}={value}" for name, value in options.items()]  # a token may begin with a dash
    flooder = await asyncio.create_subprocess_exec(sys.executable, __file__, *words)
    while not report.exists():
        if flooder.returncode is not None:
            raise RuntimeError(f"the flooder ended with status {flooder.returncode}")
        await asyncio.sleep(0.02)
    return flooder


def report(kind: str, waits: dict[bool, list[float]], seen: Counter[str]) -> float:
    """Print the result of a kind; returns the ratio of p99."""
    p99 = {flooded: statistics.quantiles(times, n=100)[98] * 1000 for flooded, times in waits.items()}
    p50 = {flooded: statistics.median(times) * 1000 for flooded, times in waits.items()}
    ratio = p99[True] / p99[False]
    answers = ", ".join(f"{count:,} × {answer}" for answer, count in seen.most_common(4))
    print(
        f"{kind:<10} {len(waits[False]):>6} {p50[False]:>7.1f} {p99[False]:>7.1f}   "
        f"{len(waits[True]):>6} {p50[True]:>7.1f} {p99[True]:>7.1f}   {ratio:>5.2f}   {answers}",
        flush=True,
    )
    return ratio


def main() -> None:
    """Measure, and print the results. No number is a failure."""
    parser = argparse.ArgumentParser(description="What one flooding address costs the others.")
    parser.add_argument(
        "--store",
        choices=("sqlite", "postgresql"),
        default="sqlite",
        help="sqlite: one process; postgresql: two",
    )
    parser.add_argument("--seconds", type=float, default=3, help="of each turn (default: 3)")
    parser.add_argument("--turns", type=int, default=3, help="how often quiet and flooded alternate (3)")
    parser.add_argument("--tables", type=int, default=10, help="tables that play (10)")
    parser.add_argument("--only", action="append", choices=list(FLOODS), help="measure this one (repeatable)")
    for hidden in ("--flood", "--base", "--bearer", "--report"):
        parser.add_argument(hidden, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.flood:
        _flood(asked.flood, asked.base, asked.bearer, Path(asked.report))
        return
    print(f"Python {interpreter()}")
    print(f"store: {asked.store}")
    print(f"load of the machine before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print("              quiet                     flooded                ratio of")
    print("flood        acks     p50     p99 ms    acks     p50     p99 ms    p99   the flooder was answered")
    found = {kind: report(kind, *asyncio.run(measure(kind, asked))) for kind in asked.only or FLOODS}
    worst = max((ratio, kind) for kind, ratio in found.items() if kind != "control" or len(found) == 1)
    bar = f"the bar is {BAR:.0f}; control {found.get('control', 0):.2f}"
    print(f"worst: {worst[1]} with {worst[0]:.2f} × ({bar})")
    if "control" in found and len(found) > 1:
        print(f"beside the control: {worst[0] / found['control']:.2f} ×")


if __name__ == "__main__":
    main()
