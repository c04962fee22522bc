"""A synchronous standby that is away, and then takes over: nothing that was acknowledged is lost."""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress

from bench.nemeses.stage import Stage
from tests import postgresql
from tests.nodes.nodes import ServerNodes
from tests.nodes.players import Players
from tests.patience import PATIENCE

_WAITING = "select count(*) from pg_stat_activity where wait_event = 'SyncRep'"


async def standby(stage: Stage) -> None:
    """The synchronous standby stops while appends wait, a server is killed, the standby is promoted."""
    primary = postgresql.Cluster(stage.new_folder("primary")).make().start()
    postgresql.end_with(os.getpid(), primary)
    other = postgresql.Cluster(stage.new_folder("standby")).copy_of(primary, "standby").start()
    postgresql.end_with(os.getpid(), other)
    nodes = None
    try:
        primary.sql("create database games")
        url = primary.url("games").replace(str(primary.folder), f"{primary.folder},{other.folder}")
        nodes = stage.nodes(url=url)
        warned = sum("the standby of PostgreSQL is asynchronous" in node.log() for node in nodes.all)
        stage.report.bar("servers that warn of an asynchronous standby", warned, warned == 3, "3")
        for statement in (
            "alter system set synchronous_standby_names = 'standby'",
            "select pg_reload_conf()",
        ):
            primary.sql(statement)
        await _failed_over(stage, nodes, primary, other)
    finally:
        if nodes is not None:
            nodes.close()
        for cluster in (primary, other):
            with suppress(AssertionError):
                cluster.stop()


async def _failed_over(
    stage: Stage, nodes: ServerNodes, primary: postgresql.Cluster, other: postgresql.Cluster
) -> None:
    players = Players(nodes, stage.tables, seed="standby", think=0.05)
    await players.come()
    await players.everybody_goes_on()
    await asyncio.to_thread(other.stop, "fast")
    async with asyncio.timeout(PATIENCE):
        while int(await asyncio.to_thread(primary.sql, _WAITING)) < len(nodes.up):
            await asyncio.sleep(0.05)
    await asyncio.sleep(1)  # answers that were on their way
    acked = len(players.ledger.acked)
    victim, frozen = nodes.up[0], nodes.up[1]
    await asyncio.to_thread(nodes.kill, victim)
    nodes.freeze(frozen)
    await asyncio.sleep(5)  # clients ask elsewhere; whatever is visible there is not safe
    nodes.thaw(frozen)
    stage.report.none_of("picks acknowledged without the standby", len(players.ledger.acked) - acked)
    await asyncio.to_thread(primary.stop)
    await asyncio.to_thread(other.start)
    await asyncio.to_thread(other.promote)
    for statement in ("alter system set synchronous_standby_names = ''", "select pg_reload_conf()"):
        other.sql(statement)
    await asyncio.to_thread(nodes.rise, victim)
    await players.everybody_goes_on()
    await stage.check(players)
    refused = players.refusals
    stage.report.bar("refusals", str(sorted(refused) or "none"), refused <= {"store_failed"}, "503")
