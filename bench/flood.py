"""What one flooding client costs the others.   python bench/flood.py [--seconds N]

Ten tables of two programs play; their acknowledgements are timed in turns, with and without somebody who
floods a socket, and comes back a second after it was closed. What counts is the ratio within one run.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

import websockets
from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # this file may be run by its name
from facedown.protocol.messages import SUBPROTOCOL
from tests.server.crash.crowd import Crowd
from tests.server.running import Server

TURNS: Final = 3
"""How often quiet and flooded times take turns."""


async def flood(base: str, closed: list[float]) -> None:
    """Send nonsense as fast as it goes; note how long it took to be thrown out."""
    url = base.replace("http", "ws", 1) + "/ws/v1"
    frame = json.dumps({"t": "pong"})
    while True:
        try:
            async with connect(url, subprotocols=[Subprotocol(SUBPROTOCOL)], compression=None) as socket:
                hello = {"t": "hello", "table": "0" * 26, "token": None}
                await socket.send(json.dumps(hello))
                start = time.perf_counter()
                try:
                    while True:
                        await socket.send(frame)
                except websockets.ConnectionClosed:
                    closed.append(time.perf_counter() - start)
        except (OSError, websockets.WebSocketException):
            pass
        await asyncio.sleep(1)


async def measure(seconds: float) -> None:
    """Play, with and without the flood."""
    with tempfile.TemporaryDirectory(prefix="facedown-bench-") as folder:
        server = Server(Path(folder) / "data").start()
        try:
            crowd = Crowd(server, 10)
            await crowd.come()
            waits: dict[bool, list[float]] = {False: [], True: []}
            closed: list[float] = []
            for _ in range(TURNS):
                for flooded in (False, True):
                    flooder = asyncio.create_task(flood(server.base, closed)) if flooded else None
                    before = len(crowd.ledger.waits)
                    await asyncio.sleep(seconds)
                    waits[flooded] += crowd.ledger.waits[before:]
                    if flooder is not None:
                        flooder.cancel()
            await crowd.go()
        finally:
            server.close()
    report(waits, closed)


def report(waits: dict[bool, list[float]], closed: list[float]) -> None:
    """Say what came out."""
    p99 = {flooded: statistics.quantiles(times, n=100)[98] * 1000 for flooded, times in waits.items()}
    p50 = {flooded: statistics.median(times) * 1000 for flooded, times in waits.items()}
    print("                 acks      p50      p99")
    for flooded, word in ((False, "quiet"), (True, "flooded")):
        print(f"{word:<12} {len(waits[flooded]):>8} {p50[flooded]:>5.1f} ms {p99[flooded]:>5.1f} ms")
    print(f"p99 flooded / quiet: {p99[True] / p99[False]:.2f}")
    if closed:
        print(f"thrown out {len(closed)} times, after {max(closed):.2f} s at most")


def main() -> None:
    """From the command line."""
    parser = argparse.ArgumentParser(description="What one flooding client costs the others.")
    parser.add_argument("--seconds", type=float, default=4, help="of each turn (default: 4)")
    asyncio.run(measure(parser.parse_args().seconds))


if __name__ == "__main__":
    main()
