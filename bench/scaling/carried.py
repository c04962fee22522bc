"""A crowd at several servers in steps: what a pick costs, what a person holds, and what kills do."""

from __future__ import annotations

import asyncio
import os
import random
import re
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any, Final

import asyncpg

from bench.nemeses.cost import cpu_seconds
from bench.nemeses.stage import Stage, percentile
from bench.stores import postgresql_seconds
from tests import postgresql
from tests.cluster.nodes import ServerNodes
from tests.cluster.players import Players, RovingPlayer
from tests.patience import PATIENCE
from tests.server.programs import Chair
from tests.server.running import Server

BACK_S: Final = 3.0
SLOW_S: Final = 0.25
"""A step whose answers take longer at the 99th percentile is the last one."""
_PING_S: Final = 20.0
"""As in the browser."""
_PATIENCE_S: Final = 50.0
"""How long a browser waits for a silent server. One that was killed refuses at once."""
_LISTENERS: Final = 16
_WRITERS: Final = 8
_NOTIFY_S: Final = 4.0
_COMMITS: Final = "select xact_commit from pg_stat_database where datname = 'games'"
_SYNCS: Final = "select wal_sync from pg_stat_wal"
_WAL: Final = "select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint"


@dataclass(frozen=True)
class Meter:
    """What was used until a moment."""

    at: float
    picks: int
    servers_s: float
    postgresql_s: float
    wal: int
    transactions: int
    syncs: int
    network: int

    def until(self, later: Meter) -> dict[str, float]:
        """What a pick has cost since."""
        picks = max(1, later.picks - self.picks)
        return {
            "picks_per_s": round(picks / (later.at - self.at), 2),
            "server_ms": round(1000 * (later.servers_s - self.servers_s) / picks, 3),
            "postgresql_ms": round(1000 * (later.postgresql_s - self.postgresql_s) / picks, 3),
            "wal_bytes": round((later.wal - self.wal) / picks),
            "transactions": round((later.transactions - self.transactions) / picks, 2),
            "syncs": round((later.syncs - self.syncs) / picks, 2),
            "network_bytes": round((later.network - self.network) / picks),
        }


@dataclass
class Thinker(RovingPlayer):
    """Thinks before each pick and listens in the meantime; after a lost connection it has thought already."""

    pace: float = 0.0
    """Seconds, on average."""
    _picks_at: float = 0.0
    _socket: Any = None
    _goes_home: bool = False

    async def go_home(self) -> None:
        """Leave another server than its own, without loss."""
        if self._base != self.home and self._is_calm and not self._goes_home:
            self._goes_home = True
            await self._socket.close()

    def is_at(self, base: str) -> bool:
        """Whether it sees its table at this server."""
        return self._caught_up and self._base == base

    @property
    def is_away(self) -> bool:
        """Whether it has lost its connection, and has not yet seen its table again or played if it may."""
        return not self.over and bool(self.unseen_since or self.lost_at)

    def _acked(self, ack: dict[str, Any]) -> None:
        super()._acked(ack)
        self.silent = _PATIENCE_S

    def _note_loss(self, ago: float = 0.0) -> None:
        if not self._goes_home:
            super()._note_loss(ago)
        self._goes_home = False

    def _note_snapshot(self, message: dict[str, Any]) -> None:
        super()._note_snapshot(message)
        self._goes_home = False
        if self._open is None and self.chair.seat not in (message["table"]["turn"] or {}).get("may_seal", ()):
            self.lost_at = 0.0  # it has nothing to play

    async def _act(self, socket: Any) -> None:
        may_pick = self.chair.seat in (self._turn or {}).get("may_seal", ())
        if not self._is_calm or not may_pick or self.lost_at:
            self._picks_at = 0.0
            await super()._act(socket)
        elif not self._picks_at:
            self._picks_at = time.perf_counter() + self.pace * (0.5 + self.source.random())

    @property
    def _is_calm(self) -> bool:
        """Whether nothing is on its way."""
        return self._caught_up and self._open is None and self._unanswered is None

    async def _next_frame(self, socket: Any) -> bytes:
        self._socket = socket
        while self._picks_at and self._is_calm:
            try:
                async with asyncio.timeout(max(0.0, self._picks_at - time.perf_counter())):
                    return await super()._next_frame(socket)
            except TimeoutError:
                self._picks_at = 0.0
                await super()._act(socket)
        return await super()._next_frame(socket)


class Crowd(Players):
    """Tables of people who think."""

    def _player(self, chair: Chair, name: str, home: str) -> RovingPlayer:
        source = random.Random(f"{self._seed} {name}")
        player = Thinker(
            chair, self.ledger, source, home=home, pace=self._think, ping_s=_PING_S, silent=_PATIENCE_S
        )
        self._equip(player)
        return player

    @property
    def thinkers(self) -> list[Thinker]:
        """Those whose game is not over."""
        return [each for each in self.all if isinstance(each, Thinker) and not each.over]

    async def go_home(self) -> None:
        """All leave servers that are not their own."""
        async with asyncio.timeout(PATIENCE):
            while elsewhere := [each for each in self.thinkers if not each.is_at(each.home)]:
                for player in elsewhere:
                    await player.go_home()
                await asyncio.sleep(0.1)


async def carry(
    stage: Stage,
    clusters: Sequence[postgresql.Cluster],
    servers: int,
    people: Sequence[int],
    think: float,
    seconds: float,
) -> dict[str, Any]:
    """Seat these numbers of people in steps, and kill every server once in each; what came out."""
    notifies = await _notifies(clusters[0])
    print(f"  NOTIFY: {notifies:,.0f} a second with {_LISTENERS} listeners", flush=True)
    urls = " ".join(each.url("games") for each in clusters)
    nodes = ServerNodes(stage.new_folder("nodes"), urls, servers)
    stage.url = nodes.all[0].store_url
    crowds: list[Crowd] = []
    steps: list[dict[str, Any]] = []
    try:
        await asyncio.to_thread(nodes.start)
        empty = _memory(nodes)
        for many in people:
            more = Crowd(
                nodes,
                (many - sum(step["people"] for step in steps[-1:])) // 2,
                together=True,
                think=think,
                seed=f"crowd {many}",
            )
            crowds.append(more)
            await more.come()
            step = await _step(nodes, clusters, crowds, seconds)
            step |= {"people": many, "person_kb": round((_memory(nodes) - empty) / many / 1000, 1)}
            step["kills"] = await _kill_each(nodes, clusters, crowds)
            steps.append(step)
            print(f"  {step}", flush=True)
            if step["p99_ms"] > 1000 * SLOW_S:
                break
        lasts = [kill["seated_p99_s"] for step in steps for kill in step["kills"]]
        stage.report.at_most("seats see their table again, p99 of the slowest kill", max(lasts), BACK_S)
        for number, each in enumerate(crowds, 1):
            print(f"  part {number} of the crowd:")
            await stage.check(each)
    finally:
        nodes.close()
    return {
        "servers": servers,
        "clusters": len(clusters),
        "think_s": think,
        "notifies_per_s": round(notifies),
        "steps": steps,
        "acked": sum(len(log.acked) for crowd in crowds for log in crowd.logs),
        "anomalies": stage.anomalies,
    }


async def _step(
    nodes: ServerNodes, clusters: Sequence[postgresql.Cluster], crowds: Sequence[Crowd], seconds: float
) -> dict[str, Any]:
    """What a pick costs while everyone plays, and how long answers take."""
    await asyncio.sleep(seconds / 3)
    counted = {id(player): len(player.calm) for crowd in crowds for player in crowd.all}
    first = await asyncio.to_thread(_read, nodes, clusters, crowds)
    await asyncio.sleep(seconds)
    last = await asyncio.to_thread(_read, nodes, clusters, crowds)
    calm = sorted(
        took for crowd in crowds for player in crowd.all for took in player.calm[counted.get(id(player), 0) :]
    )
    return {
        **first.until(last),
        "p50_ms": round(1000 * percentile(calm, 0.5), 1),
        "p99_ms": round(1000 * percentile(calm, 0.99), 1),
        "load": round(os.getloadavg()[0], 1),
    }


def _read(nodes: ServerNodes, clusters: Sequence[postgresql.Cluster], crowds: Sequence[Crowd]) -> Meter:
    return Meter(
        time.perf_counter(),
        sum(len(each.ledger.acked) for each in crowds),
        cpu_seconds(nodes),
        sum(map(postgresql_seconds, clusters)),
        sum(int(each.sql(_WAL)) for each in clusters),
        sum(int(each.sql(_COMMITS)) for each in clusters),
        sum(int(each.sql(_SYNCS)) for each in clusters),
        _network(nodes),
    )


def _network(nodes: ServerNodes) -> int:
    """Bytes to and from the clients that are connected, by the system's own count."""
    ports = " or ".join(f"sport = :{node.base.rpartition(':')[2]}" for node in nodes.all)
    said = subprocess.run(["ss", "-tinH", ports], capture_output=True, text=True, check=True).stdout
    return sum(map(int, re.findall(r"bytes_(?:sent|received):(\d+)", said)))


def _memory(nodes: ServerNodes) -> int:
    """Bytes of all servers."""
    pages = (int(Path(f"/proc/{node.pid}/statm").read_text().split()[1]) for node in nodes.up)
    return sum(pages) * os.sysconf("SC_PAGESIZE")


async def _kill_each(
    nodes: ServerNodes, clusters: Sequence[postgresql.Cluster], crowds: Sequence[Crowd]
) -> list[dict[str, Any]]:
    """kill -9 of each server, one after the other; in between all go back to where they were."""
    kills = []
    for victim in nodes.all:
        kills.append(await _kill(nodes, victim, clusters, crowds))
        await asyncio.to_thread(nodes.rise, victim)
        for crowd in crowds:
            await crowd.go_home()
    return kills


async def _kill(
    nodes: ServerNodes, victim: Server, clusters: Sequence[postgresql.Cluster], crowds: Sequence[Crowd]
) -> dict[str, Any]:
    """How long seats took to see their tables again and to play, and what that cost."""
    lost = [each for crowd in crowds for each in crowd.thinkers if each.is_at(victim.base)]
    seen = {id(each): (len(each.seated), len(each.back)) for each in lost}
    await asyncio.to_thread(nodes.kill, victim)
    before = _Spent.until_now(nodes, clusters)
    async with asyncio.timeout(PATIENCE):
        while any(not each.over and (len(each.seated) == seen[id(each)][0] or each.is_away) for each in lost):
            await asyncio.sleep(0.02)
    seated = sorted(took for each in lost for took in each.seated[seen[id(each)][0] :])
    back = sorted(took for each in lost for took in each.back[seen[id(each)][1] :])
    return {
        "lost": len(lost),
        "seated_p50_s": round(percentile(seated or [0.0], 0.5), 2),
        "seated_p99_s": round(percentile(seated or [0.0], 0.99), 2),
        "played": len(back),
        "played_p99_s": round(percentile(back or [0.0], 0.99), 2),
        **_Spent.until_now(nodes, clusters).since(before, max(1, len(lost))),
        "load": round(os.getloadavg()[0], 1),
    }


@dataclass(frozen=True)
class _Spent:
    """Seconds until a moment: of processors, and of waiting for one."""

    at: float
    servers_s: float
    postgresql_s: float
    clients_s: float
    servers_waited_s: float
    """Of the main threads of the servers that are up, on average."""
    clients_waited_s: float

    @classmethod
    def until_now(cls, nodes: ServerNodes, clusters: Sequence[postgresql.Cluster]) -> _Spent:
        return cls(
            time.perf_counter(),
            cpu_seconds(nodes),
            sum(map(postgresql_seconds, clusters)),
            time.process_time(),
            fmean(_waited(node.pid) for node in nodes.up),
            _waited(os.getpid()),
        )

    def since(self, before: _Spent, seats: int) -> dict[str, float]:
        took = self.at - before.at
        return {
            "server_ms": round(1000 * (self.servers_s - before.servers_s) / seats, 2),
            "postgresql_ms": round(1000 * (self.postgresql_s - before.postgresql_s) / seats, 2),
            "client_ms": round(1000 * (self.clients_s - before.clients_s) / seats, 2),
            "servers_waited": round((self.servers_waited_s - before.servers_waited_s) / took, 2),
            "clients_waited": round((self.clients_waited_s - before.clients_waited_s) / took, 2),
        }


def _waited(pid: int) -> float:
    """For how long the main thread of a process could have run and had no processor."""
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[1]) / 1e9


async def _notifies(cluster: postgresql.Cluster) -> float:
    """Commits a second that notify one of several listeners, from several connections at once."""
    url, heard = cluster.url("games"), 0

    def hear(*_: object) -> None:
        nonlocal heard
        heard += 1

    listening = [await asyncpg.connect(url) for _ in range(_LISTENERS)]
    writing = [await asyncpg.connect(url) for _ in range(_WRITERS)]
    for number, each in enumerate(listening):
        await each.add_listener(f"bench_{number}", hear)
    end, sent = time.perf_counter() + _NOTIFY_S, 0

    async def write(connection: Any, number: int) -> None:
        nonlocal sent
        while time.perf_counter() < end:
            await connection.execute(f"notify bench_{number % _LISTENERS}, 'x'")
            sent += 1

    await asyncio.gather(*(write(each, number) for number, each in enumerate(writing)))
    for each in (*listening, *writing):
        await each.close()
    assert heard, "no hint arrived"
    return sent / _NOTIFY_S
