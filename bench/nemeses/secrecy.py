"""Picks that lie face down, looked for in every byte between servers, PostgreSQL and the bus."""

from __future__ import annotations

import asyncio
from functools import partial

from bench.nemeses.stage import Stage
from tests.cluster.canaries import CANARY, face_down, tapped_postgresql
from tests.cluster.nats_server import NatsServer, nats_program
from tests.cluster.players import Players
from tests.cluster.tap import Tap


async def secrecy(stage: Stage) -> None:
    """Canaries among the picks: never on the bus, on the connection to PostgreSQL only as `secret`."""
    await _looked_for(stage, None)
    program = nats_program()
    if program is None:
        print("  there is no nats-server here: only the bus over PostgreSQL was listened to")
        return
    server = NatsServer(program)
    server.start()
    try:
        await _looked_for(stage, server)
    finally:
        server.kill()


async def _looked_for(stage: Stage, nats: NatsServer | None) -> None:
    """Picks that are not revealed, while others play."""
    url, folder = stage.database(), stage.new_folder("tap")
    database = await tapped_postgresql(stage.cluster.folder, folder)
    taps: list[Tap] = [database]
    bus = "store:"
    if nats is not None:
        hints = Tap(partial(asyncio.open_connection, "127.0.0.1", nats.port), CANARY)
        bus = f"nats://127.0.0.1:{await hints.open_port()}"
        taps.append(hints)
    tapped = url.replace(str(stage.cluster.folder), str(folder))
    nodes = await asyncio.to_thread(partial(stage.nodes, 2, url=tapped, bus=bus))
    try:
        players = Players(nodes, 4, seed="secrecy", think=0.05)
        await players.come()
        await asyncio.gather(*(face_down([node.base for node in nodes.up]) for _ in range(stage.tables)))
        await players.everybody_goes_on()
        await stage.check(players)
        _report(stage, "PostgreSQL and its bus" if nats is None else "NATS", taps)
    finally:
        nodes.close()
        for tap in taps:
            await tap.close()


def _report(stage: Stage, name: str, taps: list[Tap]) -> None:
    database, *rest = taps
    inside = database.heard.pop("column secret", 0)
    print(f"  {name}: {sum(tap.bytes for tap in taps)} bytes were read")
    stage.report.bar("canaries inside `secret`", inside, inside >= stage.tables, f"{stage.tables} or more")
    where = "".join(f" ({place})" for place in database.heard)
    stage.report.bar(
        "canaries anywhere else at PostgreSQL",
        f"{sum(database.heard.values())}{where}",
        not database.heard,
        "0",
    )
    for tap in rest:
        stage.report.none_of("canaries on the bus", sum(tap.heard.values()))
