"""Servers that are killed, stand still, or are restarted one by one while tables are played."""

from __future__ import annotations

import asyncio
import random

from bench.nemeses.stage import Stage
from facedown.server.store.postgresql import schema
from tests.cluster.faults import NEXT_VERSION
from tests.cluster.players import Players


async def kill(stage: Stage) -> None:
    """kill -9 of a random server every 2 s, seats together and apart."""
    for together in (True, False):
        nodes = stage.nodes()
        try:
            players = Players(nodes, stage.tables, together=together, think=0.1, seed="kill")
            await players.come()
            source = random.Random("kill")
            for _ in range(stage.sizes.kills):
                victim = source.choice(nodes.up)
                await asyncio.to_thread(nodes.kill, victim)
                await asyncio.sleep(2)
                await asyncio.to_thread(nodes.rise, victim)
            await players.everybody_goes_on()
            print(f"  seats {'together' if together else 'apart'}, {stage.sizes.kills} kills")
            await stage.check(players)
            stage.waits(players, 3.0, calm_s=0.25)
        finally:
            nodes.close()


async def stop(stage: Stage) -> None:
    """SIGSTOP of a server for 30 s, then SIGCONT; with clocks."""
    nodes = stage.nodes()
    try:
        clock = {"kind": "decision", "seconds": 60, "bank": 0}
        players = Players(nodes, stage.tables, seed="stop", think=0.1, clock=clock)
        await players.come()
        nodes.freeze(frozen := nodes.up[0])
        await asyncio.sleep(stage.sizes.seconds)
        nodes.thaw(frozen)
        await players.everybody_goes_on()
        rows = await stage.check(players)
        stage.waits(players, 5.0)
        outages = sum(row.kind == "outage" for events in rows.values() for row in events)
        stage.report.none_of("outages at tables that others served", outages)
    finally:
        nodes.close()


async def rolling(stage: Stage) -> None:
    """Each server is ended cleanly under load, and comes back as the next version, with a newer schema."""
    nodes = stage.nodes(FACEDOWN_DRAIN_SECONDS="1")
    try:
        players = Players(nodes, stage.tables, seed="rolling", think=0.1)
        await players.come()
        for node in nodes.all:
            await asyncio.to_thread(nodes.term, node)
            node.after(NEXT_VERSION)
            await asyncio.to_thread(nodes.rise, node)
            await players.everybody_goes_on()  # old and new ones together
        await stage.check(players)
        stage.waits(players, 3.0, calm_s=1.0)
        refused = players.refusals
        stage.report.bar("refusals", str(sorted(refused) or "none"), refused <= {"draining"}, "draining")
        found = await stage.select("select version from facedown.version")
        stage.report.bar("version of the schema", found, found == schema.VERSION + 1, "the next one")
    finally:
        nodes.close()
