"""Servers that are restarted one by one as the next version while tables are played."""

from __future__ import annotations

import asyncio

from bench.nemeses.stage import Stage
from facedown.server.store.postgresql import schema
from tests.nodes.faults import NEXT_VERSION
from tests.nodes.players import Players


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
