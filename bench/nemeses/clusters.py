"""Two PostgreSQL clusters, of which one after the other is killed and away: the tables of the other go on."""

from __future__ import annotations

import asyncio
import json
import os
import random
import time

from bench.nemeses.stage import Stage, percentile
from facedown.server.store.sharded.check import check_clusters
from facedown.server.store.sharded.layout import place_of
from tests import postgresql
from tests.cluster.players import Players, RovingPlayer

_AWAY_S = 10.0


async def clusters(stage: Stage) -> None:
    """Of two clusters each is killed once and away for 10 s, servers are killed before and after."""
    second = postgresql.Cluster(stage.new_folder("second")).make().start()
    postgresql.end_with(os.getpid(), second)
    second.sql("create database bench")
    nodes = stage.nodes(url=f"{stage.database()} {second.url('bench')}")
    try:
        clock = {"kind": "decision", "seconds": 8, "bank": 0}
        players = Players(nodes, stage.tables, think=0.1, seed="clusters", clock=clock)
        await players.come()
        source = random.Random("clusters")
        for killed, name in ((second, "the second cluster"), (stage.cluster, "the home cluster")):
            for _ in range(min(3, stage.sizes.kills)):
                victim = source.choice(nodes.up)
                await asyncio.to_thread(nodes.kill, victim)
                await asyncio.sleep(1)
                await asyncio.to_thread(nodes.rise, victim)
            await players.everybody_goes_on()
            await _kill(stage, players, killed, 1 if killed is second else 0, name)
        rows = await stage.check(players)
        sealed = [row for found in rows.values() for row in found if row.kind == "sealed"]
        flags = sum(bool(json.loads(row.public).get("flag")) for row in sealed)
        stage.report.none_of("flags of players who played", flags)
        stage.report.none_of("problems of the store", len(await check_clusters(stage.url.split())))
        refused = players.refusals
        stage.report.bar("refusals", str(sorted(refused) or "none"), refused <= {"store_failed"}, "503")
    finally:
        nodes.close()
        second.stop()


async def _kill(stage: Stage, players: Players, killed: postgresql.Cluster, place: int, name: str) -> None:
    """kill -9 of a cluster; those at its tables wait, the others play as before."""
    others = [each for each in players.all if place_of(each.chair.table, 2) != place and not each.over]
    before = {id(each): (len(each.calm), len(each.log.acked), len(each.back)) for each in others}
    await asyncio.to_thread(killed.kill)
    await asyncio.sleep(_AWAY_S)
    calm = sorted(second for each in others for second in each.calm[before[id(each)][0] :])
    lost = sum(len(each.back) - before[id(each)][2] for each in others)
    still = [each for each in others if not each.over and _acked(each) == before[id(each)][1]]
    stage.report.none_of(f"seats of the other cluster without a pick while {name} is away", len(still))
    stage.report.none_of(f"their lost connections, of {len(others)} seats", lost)
    stage.report.at_most("answers to them, p99", percentile(calm or [_AWAY_S], 0.99), 0.5, len(calm))
    await asyncio.to_thread(killed.start_again)
    began = time.perf_counter()
    await players.everybody_goes_on()
    stage.report.at_most(f"until everybody plays after {name} is back", time.perf_counter() - began, 8.0)


def _acked(player: RovingPlayer) -> int:
    return len(player.log.acked)
