"""Three PostgreSQLs under Patroni, with etcd and HAProxy, as `deploy/` sets them up, that lose primaries."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from typing import Final

from bench.nemeses.programs import Etcd, PatroniCluster, Programs, missing, run_primary, wait_for
from bench.nemeses.stage import Stage
from tests.nodes.players import Players

_BACK_S: Final = 45.0
"""From a lost primary to the next pick: `ttl`, a round of the standby, its promotion, HAProxy's checks."""


async def patroni(stage: Stage) -> None:
    """Patroni's primary is killed with its machine, stands still beyond its lease, and hands over."""
    if lacking := missing("patroni", "etcd", "haproxy"):
        print(f"  not here: {', '.join(lacking)}: not run")
        return
    programs = Programs(stage.new_folder("patroni"))
    nodes = None
    try:
        cluster = PatroniCluster(programs, Etcd(programs))
        nodes = stage.nodes(url=run_primary(programs, cluster))
        players = Players(nodes, stage.tables, seed="patroni", think=0.1)
        await players.come()
        await players.everybody_goes_on()
        for name, fail in (
            ("killed", cluster.kill),
            ("standing still", cluster.freeze),
            ("handing over", None),
        ):
            await _lose_primary(stage, cluster, players, name, fail)
        await stage.check(players)
        refused = players.refusals
        stage.report.bar("refusals", str(sorted(refused) or "none"), refused <= {"store_failed"}, "503")
    finally:
        if nodes is not None:
            nodes.close()
        programs.close()


async def _lose_primary(
    stage: Stage,
    cluster: PatroniCluster,
    players: Players,
    name: str,
    fail: Callable[[str], None] | None,
) -> None:
    """The primary fails; another one takes over, people play on, and it comes back as a standby."""
    before = await asyncio.to_thread(cluster.primary)
    begun = time.perf_counter()
    try:
        if fail is None:
            await asyncio.to_thread(cluster.switch_over, before)
        else:
            await asyncio.to_thread(fail, before)
        after = await asyncio.to_thread(wait_for, lambda: cluster.primary(besides=before))
        await players.play_on(1)
        took = time.perf_counter() - begun
        stage.report.at_most(f"a primary {name}, {before} to {after}: the next pick", took, _BACK_S)
        if fail is not None:
            await asyncio.to_thread(cluster.bring_back, before)
    finally:
        cluster.thaw()
    await asyncio.to_thread(wait_for, cluster.is_whole)
    await players.everybody_goes_on()
    print(
        f"         load {os.getloadavg()[0]:.1f}, {sum(len(log.acked) for log in players.logs)} acknowledged"
    )
