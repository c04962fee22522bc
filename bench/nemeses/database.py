"""A PostgreSQL that crashes, is away, or whose standby is: nothing that was acknowledged is lost."""

from __future__ import annotations

import asyncio
import json
import os
import time
import urllib.error
import urllib.request
from collections import Counter
from contextlib import suppress

from bench.nemeses.stage import Stage
from tests import postgresql
from tests.cluster.nodes import ServerNodes
from tests.cluster.players import Players
from tests.patience import PATIENCE
from tests.server.programs import program

_CRASHES = 10
_AWAY_S = 20.0
_WAITING = "select count(*) from pg_stat_activity where wait_event = 'SyncRep'"


async def postgres(stage: Stage) -> None:
    """The database crashes ten times, and is away for 20 s once."""
    nodes = stage.nodes()
    try:
        players = Players(nodes, stage.tables, seed="postgres", think=0.1)
        await players.come()
        asked = RestProbe(nodes, await program(nodes.up[0].base), players.tables[0])
        asking = asyncio.create_task(asked.go_on())
        for _ in range(_CRASHES):
            await asyncio.to_thread(stage.cluster.stop)
            await asyncio.to_thread(stage.cluster.start)
            await players.everybody_goes_on()
        await asyncio.to_thread(stage.cluster.stop)
        await asyncio.sleep(_AWAY_S)
        await asyncio.to_thread(stage.cluster.start)
        back = time.perf_counter()
        await players.play_on(1)
        stage.report.at_most("the first pick after the database is back", time.perf_counter() - back, 2.0)
        await players.everybody_goes_on()
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        await stage.check(players)
        refused = players.refusals
        stage.report.bar("refusals", str(sorted(refused) or "none"), refused <= {"store_failed"}, "503")
        asked.report(stage)
    finally:
        nodes.close()


class RestProbe:
    """Calls every server again and again, and counts the answers."""

    def __init__(self, nodes: ServerNodes, bearer: str, table: str) -> None:
        self._nodes = nodes
        self._bearer = bearer
        self._paths = ("/session", f"/tables/{table}", "/tables?mine=true", f"/tables/{table}/events")
        self.answers: Counter[tuple[int, str]] = Counter()
        """By status and code."""

    async def go_on(self) -> None:
        """Until it is cancelled."""
        while True:
            for node in tuple(self._nodes.up):
                for path in self._paths:
                    await asyncio.to_thread(self._ask, node.base + "/api/v1" + path)
            await asyncio.sleep(0.05)

    def _ask(self, address: str) -> None:
        request = urllib.request.Request(address, headers={"Authorization": f"Bearer {self._bearer}"})
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                self.answers[answer.status, ""] += 1
        except urllib.error.HTTPError as error:
            with error:
                self.answers[error.code, json.loads(error.read())["code"]] += 1

    def report(self, stage: Stage) -> None:
        """All of them are 200, or 503 with the code that says to ask again."""
        wrong = set(self.answers) - {(200, ""), (503, "store_failed")}
        counted = ", ".join(
            f"{status} {code} × {n}".replace("  ", " ") for (status, code), n in self.answers.items()
        )
        stage.report.bar("answers to REST calls", counted, not wrong, "200, or 503 store_failed")


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
